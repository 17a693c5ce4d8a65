//! Powers with one fixed argument.

use crate::number::{Interval, Number, exact, negative, power, zero};
use crate::series::Series;

/// Beyond plus or minus this, `e^x` is not evaluated.
const FAR: f64 = 5000.0;

/// A power whose other argument is fixed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Power {
    /// `x^y` for x > 0, with this y.
    Exponent(f64),
    /// `a^x`, with this a > 0.
    Base(f64),
}

impl Power {
    /// The power that these words name in a certificate: which argument is fixed, and its number.
    pub fn named(which: &str, number: f64) -> Option<Power> {
        match which {
            "exponent" => Some(Power::Exponent(number)),
            "base" if number > 0.0 => Some(Power::Base(number)),
            _ => None,
        }
    }

    /// Its name in messages.
    pub fn words(self) -> &'static str {
        match self {
            Power::Exponent(_) => "x to a fixed power",
            Power::Base(_) => "a fixed number to the power of x",
        }
    }

    /// The value at a number.
    fn at<const P: usize>(self, x: &Number) -> Option<Interval<P>> {
        let (base, y) = match self {
            Power::Exponent(y) => (x.clone(), exact(y)),
            Power::Base(a) => (exact(a), x.clone()),
        };
        if negative(&base) || zero(&base) {
            return None;
        }
        if let Some(e) = power_of_two(&base, &y) {
            return Some(Interval::of(power(e)));
        }
        // The logarithm has more bits than requested, by those before the point.
        if P <= 64 {
            power_of::<128, P>(base, y)
        } else if P <= 192 {
            power_of::<192, P>(base, y)
        } else {
            power_of::<320, P>(base, y)
        }
    }

    /// The value at all numbers of an interval. The function rises or falls everywhere.
    pub fn value<const P: usize>(self, x: &Interval<P>) -> Option<Interval<P>> {
        let lo = self.at(&x.lo)?;
        if x.lo == x.hi {
            return Some(lo);
        }
        Some(lo.hull(&self.at(&x.hi)?))
    }

    /// The coefficients of `f(x + w τ)`: each is the previous one times `(y - k + 1)/k w/x`, or `w ln(a)/k`.
    pub fn series<const P: usize>(
        self,
        x: &Interval<P>,
        w: &Interval<P>,
        terms: usize,
    ) -> Option<Series<P>> {
        let mut all = vec![self.value(x)?];
        let step = match self {
            Power::Exponent(_) => w.div(x)?,
            Power::Base(a) => w.mul(&Interval::double(a).ln()?),
        };
        for k in 1..terms {
            let before = all[k - 1].mul(&step);
            let next = match self {
                Power::Exponent(y) => {
                    before.mul(&Interval::double(y).sub(&Interval::double((k - 1) as f64)))
                }
                Power::Base(_) => before,
            };
            all.push(next.div(&Interval::double(k as f64))?);
        }
        Some(all)
    }
}

/// `base^y`, by a logarithm of Q bits.
fn power_of<const Q: usize, const P: usize>(base: Number, y: Number) -> Option<Interval<P>> {
    let log = Interval::<Q>::of(base).ln()?.mul(&Interval::of(y));
    (log.magnitude() <= exact(FAR)).then(|| log.exp().to())
}

/// The exponent of a power that is a power of two because its base is one. Its unit in the last place differs from the unit below it.
fn power_of_two(base: &Number, y: &Number) -> Option<i32> {
    if zero(y) || *base == exact(1.0) {
        return Some(0);
    }
    let whole = *base == power(base.exponent().try_into().ok()?);
    let e = exact(base.exponent() as f64) * y.clone();
    // A number whose last bit is a multiple of 1 is an integer.
    if !whole || e.exponent() < 0 || Interval::<64>::of(e.clone()).magnitude() > exact(FAR) {
        return None;
    }
    i32::try_from(crate::number::floor(&e, 0)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Words;
    use crate::number::Fine;

    const POWERS: [(Power, f64, f64); 8] = [
        (Power::Exponent(0.75), 0.5, 3.0),
        (Power::Exponent(2.4), 0.5, 3.0),
        (Power::Exponent(-0.3), 0.5, 3.0),
        (Power::Exponent(3.0), 0.5, 3.0),
        (Power::Base(0.3), -3.0, 3.0),
        (Power::Base(1.001), -3.0, 3.0),
        (Power::Base(2.5), -3.0, 3.0),
        (Power::Base(4.0), -1.0, 1.0),
    ];

    /// Compares values and coefficients with powers of doubles that share no code with them.
    #[test]
    fn series_are_their_powers() {
        for (law, from, to) in POWERS {
            let c = 0.375 * from + 0.625 * to;
            let (x, w) = (Fine::double(c), Fine::double(0.03125));
            let series = law.series(&x, &w, 14).expect("defined");
            for t in [-1.0f64, -0.3, 0.0, 0.5, 1.0] {
                let all = series.iter().enumerate();
                let value: f64 = all.map(|(k, c)| c.middle() * t.powi(k as i32)).sum();
                let x = c + 0.03125 * t;
                let want = match law {
                    Power::Exponent(y) => x.powf(y),
                    Power::Base(a) => a.powf(x),
                };
                let off = (value - want).abs();
                assert!(off < 4e-15 * want, "{law:?} {t} {value} {want}");
            }
        }
    }

    /// The series at a center, with the coefficient over the stretch as its remainder, holds the values to some ninety bits.
    #[test]
    fn series_with_their_rests_hold_the_values() {
        let mut random = Words(1);
        for (law, from, to) in POWERS {
            for k in 0..24 {
                let part = random.below(1 << 20) as f64 * 2f64.powi(-20);
                let center = from + (to - from) * part;
                let width = 2f64.powi(-6 - 3 * (k % 4));
                let terms = 2 + k as usize % 5;
                let w = Fine::double(width);
                let at = law.series(&Fine::double(center), &w, terms);
                let cell = Interval::<64>::doubles(center - width, center + width);
                let over = law.series(&cell, &w.to(), terms + 1);
                let (at, over) = (at.expect("defined"), over.expect("defined"));
                assert_eq!((at.len(), over.len()), (terms, terms + 1));
                for t in [-1.0, -0.375, 0.0, 0.75, 1.0] {
                    let x = Interval::<256>::double(center + width * t);
                    let truth: Fine = law.value(&x).expect("defined").to();
                    let t = Fine::double(t);
                    let rest = over[terms].to();
                    let all = at.iter().chain([&rest]).rev();
                    let sum = all.fold(Fine::zero(), |sum, c| sum.mul(&t).add(c));
                    assert!(sum.meet(&truth).is_some(), "{law:?} {center} {terms}");
                    // The remainder is narrow; otherwise it would mask a fault.
                    let most = power(24 - 6 * terms as i32);
                    assert!(rest.magnitude() < most, "{law:?} {center} {terms}");
                }
            }
        }
    }

    /// Powers that are also functions with laws of their own have the same coefficients.
    #[test]
    fn powers_are_the_functions_that_they_equal() {
        use crate::law::Law;
        for (power, law) in [
            (Power::Exponent(-1.0), Law::Recip),
            (Power::Exponent(0.5), Law::Sqrt),
            (Power::Exponent(-0.5), Law::RecipSqrt),
            (Power::Base(2.0), Law::Exp2),
            (Power::Base(10.0), Law::Exp10),
        ] {
            for c in [0.75, 1.0, 1.5, 2.0, 3.0, 100.0, 1e-3] {
                let (x, w) = (Fine::double(c), Fine::double(c / 1024.0));
                let (a, b) = (power.series(&x, &w, 6), law.series(&x, &w, 6));
                let (a, b) = (a.expect("defined"), b.expect("defined"));
                for (k, (a, b)) in a.iter().zip(&b).enumerate() {
                    assert!(a.meet(b).is_some(), "{power:?} {c} {k}");
                    let wide = a.sub(b).magnitude();
                    assert!(wide <= a.magnitude() * crate::number::power(-150));
                }
            }
        }
    }

    #[test]
    fn powers_of_two_are_exact_and_numbers_outside_have_no_value() {
        let at = |p: Power, x: f64| p.value(&Fine::double(x));
        for (p, x, e) in [
            (Power::Exponent(0.75), 16.0, 3),
            (Power::Exponent(-3.0), 0.25, 6),
            (Power::Exponent(2.5), 1.0, 0),
            (Power::Exponent(0.0), 3.0, 0),
            (Power::Base(0.5), 2.0, -2),
            (Power::Base(4.0), -0.5, -1),
            (Power::Base(2.5), 0.0, 0),
        ] {
            let y = at(p, x).expect("defined");
            assert!(y.lo == power(e) && y.hi == power(e), "{p:?} {x}");
        }
        for (p, x, near) in [
            (Power::Exponent(2.4), 32.0, 4096.0),
            (Power::Base(4.0), 0.25, 2f64.sqrt()),
        ] {
            let (lo, hi) = at(p, x).expect("defined").ends();
            assert!(lo <= near * (1.0 + 1e-15) && hi >= near * (1.0 - 1e-15));
        }
        for (p, x) in [
            (Power::Exponent(2.4), 0.0),
            (Power::Exponent(2.4), -1.0),
            (Power::Exponent(1e300), 1.5),
            (Power::Base(2.5), 1e5),
        ] {
            assert!(at(p, x).is_none(), "{p:?} {x}");
        }
        assert_eq!(Power::named("base", -2.0), None);
        assert_eq!(Power::named("exponent", -2.0), Some(Power::Exponent(-2.0)));
    }
}
