//! Exponentials and logarithms of 64 and 192 bits, by short series. The library's take ten times as long, and a proof has tens of thousands of them.

use std::f64::consts::LOG2_E;
use std::sync::OnceLock;

use super::{Interval, Number, double_below, exact, exponent, negative, power, zero};

/// Numbers of this exponent or more are left to the library.
const FAR: i32 = 14;
/// How often the argument of the series is halved.
const HALVINGS: i32 = 8;

/// ln 2, with more bits than any of the results.
fn ln2() -> &'static Interval<320> {
    static LN_2: OnceLock<Interval<320>> = OnceLock::new();
    LN_2.get_or_init(|| Interval::double(2.0).ln().expect("positive"))
}

/// `k ln 2`, exact ends times an integer.
fn multiple(k: f64) -> Interval<320> {
    ln2().mul(&Interval::double(k))
}

/// `e^x` of one number, with 128 or 192 bits in its steps.
fn exp_at<const Q: usize>(x: &Number) -> Option<Interval<Q>> {
    let one = Interval::double(1.0);
    if zero(x) {
        return Some(one);
    }
    if exponent(x) >= FAR {
        return None;
    }
    let k = (double_below(x) * LOG2_E).round();
    // |t| <= 2^-9
    let t: Interval<Q> = Interval::of(x.clone())
        .sub(&multiple(k))
        .scale(-HALVINGS)
        .to();
    if t.magnitude() > power(-1 - HALVINGS) {
        return None;
    }
    // Lagrange's remainder is at most 2 |t|^(n+1) / (n+1)!, where 17! > 2^48 and 13! > 2^32.
    let (last, rest) = if Q > 128 {
        (16, 1 - 9 * 17 - 48)
    } else {
        (12, 1 - 9 * 13 - 32)
    };
    let mut sum = one.clone();
    for n in (1..=last).rev() {
        sum = one.add(&t.mul(&sum).div_by(n));
    }
    sum = sum.add(&Interval::symmetric(power(rest)));
    for _ in 0..HALVINGS {
        sum = sum.mul(&sum);
    }
    Some(sum.scale(k as i32))
}

/// `ln x` of one positive number.
fn ln_at<const Q: usize>(x: &Number) -> Option<Interval<Q>> {
    if *x == exact(1.0) {
        return Some(Interval::zero());
    }
    let mut e = exponent(x);
    let mut m = Number::new(x.significand().clone(), x.exponent() - e as isize);
    if m > exact(1.5) {
        m = Number::new(m.significand().clone(), m.exponent() - 1);
        e += 1;
    }
    // ln m = y + ln(1 + u), with any y that makes u small.
    let y = double_below(&m).ln();
    let u: Interval<Q> = exp_at::<Q>(&exact(-y))?
        .mul(&Interval::of(m))
        .sub(&Interval::double(1.0));
    if u.magnitude() > power(-40) {
        return None;
    }
    // 1 - u/2 + u²/3 - u³/4, and the rest is at most u⁴ / 5 (1 - |u|)^-5.
    let mut sum = Interval::double(1.0).div_by(4).neg();
    for (n, sign) in [(3, 1.0), (2, -1.0), (1, 1.0)] {
        sum = Interval::double(sign).div_by(n).add(&u.mul(&sum));
    }
    let sum = u.mul(&sum.add(&Interval::symmetric(power(-160))));
    let whole: Interval<Q> = multiple(f64::from(e)).add(&Interval::double(y)).to();
    Some(whole.add(&sum))
}

fn exp_over<const Q: usize, const P: usize>(x: &Interval<P>) -> Option<Interval<P>> {
    let lo = exp_at::<Q>(&x.lo)?;
    if x.lo == x.hi {
        return Some(lo.to());
    }
    let width = &x.hi - &x.lo;
    let hi = if width < power(-20) {
        // e^w <= 1 + w + w² up to 1.
        let width = Interval::<Q>::of(Number::zero()).add(&Interval::of(width));
        let growth = Interval::double(1.0).add(&width).add(&width.mul(&width));
        lo.mul(&growth)
    } else {
        exp_at::<Q>(&x.hi)?
    };
    Some(
        Interval::<Q> {
            lo: lo.lo,
            hi: hi.hi,
        }
        .to(),
    )
}

fn ln_over<const Q: usize, const P: usize>(x: &Interval<P>) -> Option<Interval<P>> {
    let lo = ln_at::<Q>(&x.lo)?;
    let hi = if x.lo == x.hi {
        lo.clone()
    } else {
        ln_at::<Q>(&x.hi)?
    };
    Some(
        Interval::<Q> {
            lo: lo.lo,
            hi: hi.hi,
        }
        .to(),
    )
}

/// `e^x`; `None` if it is left to the library.
pub(super) fn exp<const P: usize>(x: &Interval<P>) -> Option<Interval<P>> {
    match P {
        64 | 128 => exp_over::<128, P>(x),
        192 => exp_over::<192, P>(x),
        _ => None,
    }
}

/// The logarithm of positive numbers; `None` if it is left to the library.
pub(super) fn ln<const P: usize>(x: &Interval<P>) -> Option<Interval<P>> {
    if negative(&x.lo) || zero(&x.lo) {
        return None;
    }
    match P {
        64 | 128 => ln_over::<128, P>(x),
        192 => ln_over::<192, P>(x),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::LN_2;

    use super::*;
    use crate::kernels::Words;

    /// Numbers of each size up to the limit, on both sides of it, next to zero and next to multiples of ln 2.
    fn number(random: &mut Words) -> f64 {
        let part = random.below(1 << 40) as f64 * 2f64.powi(-40);
        let size = 2f64.powi(random.below(70) as i32 - 54);
        match random.below(4) {
            0 => part * size,
            1 => -part * size,
            2 => random.below(2000) as f64 * LN_2,
            _ => (random.below(2000) as f64 + 0.5) * -LN_2 * (1.0 + part * 2f64.powi(-40)),
        }
    }

    /// Whether an interval holds the library's result with more bits, and is not wider than this part of it.
    fn holds<const P: usize>(found: &Interval<P>, due: &Interval<320>, bits: i32) -> bool {
        let width = found.hi.clone() - found.lo.clone();
        let narrow = width <= due.magnitude() * power(-bits) || zero(&width);
        found.lo <= due.lo && due.hi <= found.hi && narrow
    }

    #[test]
    fn exponentials_hold_the_librarys() {
        let mut random = Words(1);
        let mut counts = [0, 0];
        for _ in 0..4000 {
            let x = number(&mut random);
            let due = Interval::<320>::double(x).exp();
            let few = exp(&Interval::<64>::double(x));
            let many = exp(&Interval::<192>::double(x));
            counts[usize::from(few.is_some())] += 1;
            assert_eq!(few.is_some(), many.is_some());
            let (Some(few), Some(many)) = (few, many) else {
                assert!(x.abs() >= 16384.0, "{x:e}");
                continue;
            };
            assert!(holds(&few, &due, 62), "{x:e} {few:?}");
            assert!(holds(&many, &due, 175), "{x:e} {many:?}");
            // From one number to another, with a short and with a long way between them.
            let far = x + random.of(&[2f64.powi(-60), 2f64.powi(-30), 2f64.powi(-19), 1.0]);
            let above = Interval::<320>::double(far).exp();
            let over = exp(&Interval::<192>::doubles(x, far)).expect("not far");
            assert!(over.lo <= due.lo && above.hi <= over.hi, "{x:e} {far:e}");
            let off = over.hi.clone() - above.lo.clone();
            assert!(off <= above.hi * power(-38), "{x:e} {far:e}");
        }
        assert!(counts[1] > 3000, "{counts:?}");
    }

    #[test]
    fn logarithms_hold_the_librarys() {
        let mut random = Words(2);
        for k in 0..4000 {
            let part = random.below(1 << 40) as f64 * 2f64.powi(-40);
            let x = match k % 4 {
                0 => (1.0 + part) * 2f64.powi(random.below(2000) as i32 - 1000),
                1 => 1.0 + part * 2f64.powi(-(random.below(14) as i32)),
                2 => 1.0 - part * 2f64.powi(-1 - random.below(13) as i32),
                _ => 1.5 + part * 2f64.powi(-30),
            };
            let due = Interval::<320>::double(x).ln().expect("positive");
            let few = ln(&Interval::<64>::double(x)).expect("quick");
            assert!(holds(&few, &due, 60), "{x:e} {few:?}");
            let many = ln(&Interval::<192>::double(x)).expect("quick");
            assert!(holds(&many, &due, 120), "{x:e} {many:?}");
            let over = ln(&Interval::<64>::doubles(x, 2.0 * x)).expect("quick");
            let above = Interval::<320>::double(2.0 * x).ln().expect("positive");
            assert!(over.lo <= due.lo && above.hi <= over.hi, "{x:e}");
        }
        for x in [0.0, -1.0] {
            assert!(ln(&Interval::<64>::double(x)).is_none());
        }
    }
}
