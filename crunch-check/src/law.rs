//! Functions with all of their derivatives.

use crate::number::{Interval, Number, exact, power};
use crate::series::Series;

/// Declares the functions with their names in certificates and in messages.
macro_rules! laws {
    ($($law:ident $name:literal $words:literal,)*) => {
        /// A function with all of its derivatives.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs, reason = "their words")]
        pub enum Law {
            $($law,)*
        }

        impl Law {
            /// The function with this name in a certificate.
            pub fn named(name: &str) -> Option<Law> {
                match name {
                    $($name => Some(Law::$law),)*
                    _ => None,
                }
            }

            /// Its name in messages.
            pub fn words(self) -> &'static str {
                match self {
                    $(Law::$law => $words,)*
                }
            }
        }
    };
}

laws! {
    Exp "exp" "e^x",
    Exp2 "exp2" "2^x",
    Exp10 "exp10" "10^x",
    ExpM1 "expm1" "e^x - 1",
    Exp2M1 "exp2m1" "2^x - 1",
    Exp10M1 "exp10m1" "10^x - 1",
    Ln "ln" "ln x",
    Log2 "log2" "log2 x",
    Log10 "log10" "log10 x",
    Ln1p "log1p" "ln(1 + x)",
    Log2p1 "log2p1" "log2(1 + x)",
    Log10p1 "log10p1" "log10(1 + x)",
    Recip "recip" "1/x",
    Sqrt "sqrt" "the square root of x",
    RecipSqrt "recip-sqrt" "1 / the square root of x",
    Cbrt "cbrt" "the cube root of x",
    Sin "sin" "sin x",
    Cos "cos" "cos x",
}

/// Beyond plus or minus this, `e^x` is not evaluated.
const FAR: f64 = 5000.0;

/// `ln b` of a function made of `b^x`, or of logarithms to base b; `None` for the natural base.
fn base<const P: usize>(law: Law) -> Option<Interval<P>> {
    match law {
        Law::Exp2 | Law::Exp2M1 | Law::Log2p1 | Law::Log2 => Interval::double(2.0).ln(),
        Law::Exp10 | Law::Exp10M1 | Law::Log10p1 | Law::Log10 => Interval::double(10.0).ln(),
        _ => None,
    }
}

/// A number that is positive and below `2^-7000`.
fn tiny<const P: usize>() -> Interval<P> {
    Interval {
        lo: Number::zero(),
        hi: power(-7000),
    }
}

impl Law {
    /// `(n, d)` of a power `x^(n/d)`.
    pub fn power(self) -> Option<(i32, i32)> {
        match self {
            Law::Recip => Some((-1, 1)),
            Law::Sqrt => Some((1, 2)),
            Law::RecipSqrt => Some((-1, 2)),
            Law::Cbrt => Some((1, 3)),
            _ => None,
        }
    }

    /// Whether it is larger than every double at all numbers above this one.
    pub fn overflows_from(self, x: f64) -> bool {
        use Law::{Exp, Exp2, Exp2M1, Exp10, Exp10M1, ExpM1};
        matches!(self, Exp | Exp2 | Exp10 | ExpM1 | Exp2M1 | Exp10M1) && x > FAR
    }

    /// The value at a number.
    pub fn value<const P: usize>(self, x: &Interval<P>) -> Option<Interval<P>> {
        let one = Interval::double(1.0);
        match self {
            Law::Exp | Law::Exp2 | Law::Exp10 => self.growth(x),
            Law::ExpM1 | Law::Exp2M1 | Law::Exp10M1 => {
                let x = self.exponent(x);
                if x.hi < exact(-FAR) {
                    return Some(tiny().sub(&one));
                }
                (x.magnitude() <= exact(FAR)).then(|| x.exp_m1())
            }
            Law::Ln => x.ln(),
            Law::Log2 => x.log2(),
            Law::Log10 => x.log10(),
            Law::Ln1p => x.ln_1p(),
            Law::Log2p1 | Law::Log10p1 => x.ln_1p()?.div(&base(self)?),
            Law::Recip => one.div(x),
            Law::Sqrt => x.sqrt(),
            Law::RecipSqrt => one.div(&x.sqrt()?),
            Law::Cbrt => x.cbrt(),
            Law::Sin => Some(x.sin_cos().0),
            Law::Cos => Some(x.sin_cos().1),
        }
    }

    /// `x ln b`
    fn exponent<const P: usize>(self, x: &Interval<P>) -> Interval<P> {
        base(self).map_or_else(|| x.clone(), |base| x.mul(&base))
    }

    /// `b^x`
    fn growth<const P: usize>(self, x: &Interval<P>) -> Option<Interval<P>> {
        let exponent = self.exponent(x);
        // Smaller than every double; for large arguments it is not evaluated.
        if exponent.hi < exact(-FAR) {
            return Some(tiny());
        }
        if exponent.magnitude() > exact(FAR) {
            return None;
        }
        Some(match self {
            Law::Exp2 | Law::Exp2M1 => x.exp2(),
            _ => exponent.exp(),
        })
    }

    /// The coefficients of `f(x + w τ)`.
    pub fn series<const P: usize>(
        self,
        x: &Interval<P>,
        w: &Interval<P>,
        terms: usize,
    ) -> Option<Series<P>> {
        let value = self.value(x)?;
        match self {
            Law::Sin | Law::Cos => circle(x.sin_cos(), self == Law::Cos, w, terms),
            Law::Exp => chain(value.clone(), value.mul(w), w, terms, |_| (1, 1)),
            Law::Exp2 | Law::Exp10 | Law::ExpM1 | Law::Exp2M1 | Law::Exp10M1 => {
                let t = self.exponent(w);
                chain(value, self.growth(x)?.mul(&t), &t, terms, |_| (1, 1))
            }
            Law::Ln | Law::Log2 | Law::Log10 | Law::Ln1p | Law::Log2p1 | Law::Log10p1 => {
                let one = Interval::double(1.0);
                let t = match self {
                    Law::Ln | Law::Log2 | Law::Log10 => w.div(x)?,
                    _ => w.div(&x.add(&one))?,
                };
                let first = match base(self) {
                    Some(base) => t.div(&base)?,
                    None => t.clone(),
                };
                chain(value, first, &t, terms, |k| (1 - k, 1))
            }
            // (α - k + 1) / k
            Law::Recip | Law::Sqrt | Law::RecipSqrt | Law::Cbrt => {
                let (n, d) = self.power()?;
                let t = w.div(x)?;
                let by = Interval::double(f64::from(n)).div(&Interval::double(f64::from(d)))?;
                let first = value.mul(&t).mul(&by);
                chain(value, first, &t, terms, |k| (n - d * (k - 1), d))
            }
        }
    }
}

/// The coefficients `value`, `first`, and from then on the previous one times `t n/(d k)`, with `(n, d)` a function of k.
fn chain<const P: usize>(
    value: Interval<P>,
    first: Interval<P>,
    t: &Interval<P>,
    terms: usize,
    by: impl Fn(i32) -> (i32, i32),
) -> Option<Series<P>> {
    let mut all = vec![value, first];
    for k in 2..terms as i32 {
        let (n, d) = by(k);
        let factor = Interval::double(f64::from(n)).div(&Interval::double(f64::from(d * k)))?;
        all.push(all[k as usize - 1].mul(t).mul(&factor));
    }
    all.truncate(terms);
    Some(all)
}

/// The series of sine or cosine from both values: each derivative is the previous one, turned by a quarter.
fn circle<const P: usize>(
    (sin, cos): (Interval<P>, Interval<P>),
    cosine: bool,
    w: &Interval<P>,
    terms: usize,
) -> Option<Series<P>> {
    let turns = [sin.clone(), cos.clone(), sin.neg(), cos.neg()];
    let mut by = Interval::double(1.0);
    let mut all = Vec::new();
    for k in 0..terms {
        if k > 0 {
            by = by.mul(w).div(&Interval::double(k as f64))?;
        }
        all.push(turns[(k + usize::from(cosine)) % 4].mul(&by));
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Fine;

    #[test]
    fn series_are_their_functions() {
        let (x, w) = (Fine::double(1.375), Fine::double(0.0625));
        for (law, f) in [
            (Law::Exp, f64::exp as fn(f64) -> f64),
            (Law::Exp2, f64::exp2),
            (Law::Exp10, |x| 10f64.powf(x)),
            (Law::ExpM1, f64::exp_m1),
            (Law::Exp2M1, |x| x.exp2() - 1.0),
            (Law::Exp10M1, |x| 10f64.powf(x) - 1.0),
            (Law::Ln, f64::ln),
            (Law::Log2, f64::log2),
            (Law::Log10, f64::log10),
            (Law::Ln1p, f64::ln_1p),
            (Law::Log2p1, |x| (1.0 + x).log2()),
            (Law::Log10p1, |x| (1.0 + x).log10()),
            (Law::Recip, f64::recip),
            (Law::Sqrt, f64::sqrt),
            (Law::RecipSqrt, |x| x.sqrt().recip()),
            (Law::Cbrt, f64::cbrt),
            (Law::Sin, f64::sin),
            (Law::Cos, f64::cos),
        ] {
            let series = law.series(&x, &w, 12).expect("defined");
            for t in [-1.0f64, -0.3, 0.0, 0.5, 1.0] {
                let value: f64 = series
                    .iter()
                    .enumerate()
                    .map(|(k, c)| c.middle() * t.powi(k as i32))
                    .sum();
                let want = f(1.375 + 0.0625 * t);
                assert!(
                    (value - want).abs() < 1e-14 * want.abs().max(1.0),
                    "{law:?} {t}"
                );
            }
        }
    }
}
