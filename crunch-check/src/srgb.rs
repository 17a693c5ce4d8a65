//! The two transfer functions of sRGB (IEC 61966-2-1).

use crate::law::{Law, chain};
use crate::number::{Interval, Number, exact};
use crate::series::Series;

/// The last double of the linear piece, and the power's exponent.
fn parts(law: Law) -> (f64, i32, i32) {
    match law {
        Law::SrgbToLinear => (0.040_45, 12, 5),
        _ => (0.003_130_8, 5, 12),
    }
}

fn ratio<const P: usize>(n: i32, d: i32) -> Option<Interval<P>> {
    Interval::double(f64::from(n)).div(&Interval::double(f64::from(d)))
}

/// Whether an interval is in the linear piece; `None` if an end of that piece is inside the interval.
fn is_linear<const P: usize>(law: Law, x: &Interval<P>) -> Option<bool> {
    let end = exact(parts(law).0);
    match (x.lo <= end, x.hi <= end) {
        (true, true) => Some(true),
        (false, false) => Some(false),
        _ => None,
    }
}

/// `x / 12.92` and `((x + 0.055) / 1.055)^2.4`, or `12.92 x` and `1.055 x^(1/2.4) - 0.055`; both pieces rise.
pub fn value<const P: usize>(law: Law, x: &Interval<P>) -> Option<Interval<P>> {
    let to = law == Law::SrgbToLinear;
    if is_linear(law, x)? {
        let by = if to { ratio(25, 323)? } else { ratio(323, 25)? };
        return Some(x.mul(&by));
    }
    // A power has more bits than requested, if few are requested.
    let at = |x: &Number| -> Option<Interval<P>> {
        Some(match P {
            0..=64 => curve::<128>(law, x)?.to(),
            65..=192 => curve::<192>(law, x)?.to(),
            _ => curve::<320>(law, x)?.to(),
        })
    };
    let lo = at(&x.lo)?;
    if x.lo == x.hi {
        return Some(lo);
    }
    Some(lo.hull(&at(&x.hi)?))
}

/// The value at a number of the curved piece.
fn curve<const Q: usize>(law: Law, x: &Number) -> Option<Interval<Q>> {
    if *x == exact(1.0) {
        return Some(Interval::double(1.0));
    }
    let (_, n, d) = parts(law);
    let number = Interval::<Q>::double;
    let to = law == Law::SrgbToLinear;
    let x = Interval::of(x.clone());
    let y = if to {
        x.mul(&number(200.0))
            .add(&number(11.0))
            .div(&number(211.0))?
    } else {
        x
    };
    let power = y.ln()?.mul(&ratio(n, d)?).exp();
    if to {
        return Some(power);
    }
    power
        .mul(&number(211.0))
        .sub(&number(11.0))
        .div(&number(200.0))
}

/// The coefficients of `f(x + w τ)`.
pub fn series<const P: usize>(
    law: Law,
    x: &Interval<P>,
    w: &Interval<P>,
    value: &Interval<P>,
    terms: usize,
) -> Option<Series<P>> {
    let to = law == Law::SrgbToLinear;
    if is_linear(law, x)? {
        let by = if to { ratio(25, 323)? } else { ratio(323, 25)? };
        let mut all = vec![Interval::zero(); terms];
        all[0] = value.clone();
        if let Some(slope) = all.get_mut(1) {
            *slope = w.mul(&by);
        }
        return Some(all);
    }
    let (_, n, d) = parts(law);
    // x + 11/200, whose power is the value; or x, whose power is it and 11/200.
    let more: Interval<P> = ratio(11, 200)?;
    let (power, t) = if to {
        (value.clone(), w.div(&x.add(&more))?)
    } else {
        (value.add(&more), w.div(x)?)
    };
    let first = power.mul(&t).mul(&ratio(n, d)?);
    let mut all = chain(power, first, &t, terms, |k| (n - d * (k - 1), d))?;
    all[0] = value.clone();
    Some(all)
}
