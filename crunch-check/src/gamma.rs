//! The gamma function and its logarithm, by the Euler-Maclaurin formula.

use std::sync::OnceLock;

use crate::number::{Interval, Number, exact, exponent, negative, zero};
use crate::series::{Series, squared};

/// Beyond this, the gamma function is larger than every double.
pub const FAR: f64 = 200.0;

/// Beyond plus or minus this, it is not evaluated.
const EVALUATED: f64 = 2000.0;

/// The number of bits of a value: next to the logarithm's zeros, the value is small and its parts are not.
pub const BITS: usize = 512;
/// The number of bits of the shorter table of Bernoulli numbers.
const SHORTER: usize = 256;

/// `B_2`, `B_4`, and so on, from `sum of (m + 1 over j) B_j = 0`.
fn bernoulli(k: usize) -> &'static Interval<2048> {
    static ALL: OnceLock<Vec<Interval<2048>>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let number = |n: usize| Interval::<2048>::double(n as f64);
        let mut b = vec![number(1)];
        for m in 1..=200 {
            let mut ways = number(1);
            let mut sum = Interval::zero();
            for (j, before) in b.iter().enumerate() {
                sum = sum.add(&ways.mul(before));
                ways = ways.mul(&number(m + 1 - j));
                ways = ways.div(&number(j + 1)).expect("not zero");
            }
            let odd = m > 1 && m % 2 == 1;
            let next = sum.neg().div(&number(m + 1)).expect("not zero");
            b.push(if odd { number(0) } else { next });
        }
        b.into_iter().step_by(2).skip(1).collect()
    });
    &all[k - 1]
}

/// The same with P bits. Most numbers of bits need no more than a shorter table has.
fn rounded_bernoulli<const P: usize>(k: usize) -> Interval<P> {
    static SHORT: OnceLock<Vec<Interval<SHORTER>>> = OnceLock::new();
    let short = SHORT.get_or_init(|| (1..=100).map(|k| bernoulli(k).to()).collect());
    match short.get(k - 1) {
        Some(one) if P <= SHORTER => one.to(),
        _ => bernoulli(k).to(),
    }
}

/// `ln(2 π)`
fn ln_of_turn<const P: usize>() -> Option<Interval<P>> {
    static VALUE: OnceLock<Option<Interval<BITS>>> = OnceLock::new();
    let value = VALUE.get_or_init(|| Interval::<BITS>::pi().scale(1).ln());
    Some(value.as_ref()?.to())
}

fn integer<const P: usize>(n: usize) -> Interval<P> {
    Interval::double(n as f64)
}

/// A sum of terms from k = 1 on, whose remainder is less than the first omitted term. It ends when that term has no weight.
fn enveloped<const P: usize>(
    mut sum: Interval<P>,
    mut term: impl FnMut(usize) -> Option<Interval<P>>,
) -> Option<Interval<P>> {
    for k in 1.. {
        let next = term(k)?;
        if exponent(&next.magnitude()) < exponent(&sum.magnitude()) - P as i32 - 8 {
            return Some(sum.add(&Interval::symmetric(next.magnitude())));
        }
        sum = sum.add(&next);
    }
    None
}

/// How often 1 is added to numbers that are at least x, so that the terms above fall below all bits.
fn steps<const P: usize>(x: &Number) -> usize {
    let from = 16 + P / 4;
    (0..from)
        .find(|&n| x + &exact(n as f64) >= exact(from as f64))
        .unwrap_or(from)
}

/// `ln Γ(x)` of a positive number.
fn ln_of_positive<const Q: usize>(x: &Number) -> Option<Interval<Q>> {
    if *x == exact(1.0) || *x == exact(2.0) {
        return Some(Interval::zero());
    }
    let x = Interval::<Q>::of(x.clone());
    let mut moved = Interval::<Q>::double(1.0);
    let count = steps::<Q>(&x.lo);
    for j in 0..count {
        moved = moved.mul(&x.add(&integer(j)));
    }
    let z = x.add(&integer(count));
    let half = Interval::<Q>::double(0.5);
    let first = z.sub(&half).mul(&z.ln()?).sub(&z);
    let first = first.add(&ln_of_turn()?.mul(&half));
    let inverse = Interval::<Q>::double(1.0).div(&z)?;
    let square = inverse.mul(&inverse);
    let mut power = inverse;
    let all = enveloped(first, |k| {
        let by: Interval<Q> = rounded_bernoulli(k);
        let term = by.mul(&power).div(&integer(2 * k * (2 * k - 1)));
        power = power.mul(&square);
        term
    })?;
    Some(all.sub(&moved.ln()?))
}

/// Whether an interval contains a pole.
fn has_pole<const P: usize>(x: &Interval<P>) -> bool {
    if !negative(&x.lo) && !zero(&x.lo) {
        return false;
    }
    let whole = |x: &Number| crate::number::on_grid(x, 0);
    whole(&x.lo) == x.lo || whole(&x.lo) != whole(&x.hi)
}

/// `ln |Γ|` of a number that is not a pole.
pub fn ln_at<const Q: usize>(x: &Number) -> Option<Interval<Q>> {
    if !negative(x) {
        return ln_of_positive(x);
    }
    let sine = Interval::<Q>::of(x.clone()).sin_cos_pi().0;
    let sine = if negative(&sine.lo) { sine.neg() } else { sine };
    let turned = Interval::<Q>::pi().div(&sine)?.ln()?;
    Some(turned.sub(&ln_of_positive(&(exact(1.0) - x.clone()))?))
}

/// `ln |Γ|`; `None` if there is a pole.
pub fn ln_gamma<const P: usize>(x: &Interval<P>) -> Option<Interval<P>> {
    // Far from its zeros 1 and 2 it is above 1/2, and at most 11 bits cancel: below 1/2, `ln Γ(x + n)` is below 2^10.
    let far = x.lo > exact(3.0) || x.hi < exact(0.5) && !negative(&x.lo) && !zero(&x.lo);
    Some(match P {
        0..=64 if far => ln_gamma_in(&x.to::<128>())?.to(),
        65..=192 if far => ln_gamma_in(&x.to::<256>())?.to(),
        _ => ln_gamma_in(&x.to::<BITS>())?.to(),
    })
}

/// `ln |Γ|`, which is convex between poles; `None` with a pole. Next to its zeros it loses as many bits as it is small.
fn ln_gamma_in<const Q: usize>(x: &Interval<Q>) -> Option<Interval<Q>> {
    if has_pole(x) {
        return None;
    }
    let lo = ln_at::<Q>(&x.lo)?;
    if x.lo == x.hi {
        return Some(lo);
    }
    let mut all = lo.hull(&ln_at(&x.hi)?);
    let slope = |x: &Number| {
        Some(coefficients(&Interval::<Q>::of(x.clone()), &integer(1), 2)?.swap_remove(1))
    };
    // Beyond these, positive numbers have no extremum.
    if x.lo < exact(1.5) && (negative(&x.lo) || x.hi > exact(1.4)) {
        let falls = slope(&x.lo)?;
        if negative(&falls.lo) && !negative(&slope(&x.hi)?.hi) {
            // Above the tangent at the lower end.
            let width = Interval::<Q>::of(&x.hi - &x.lo);
            all = all.hull(&lo.add(&falls.mul(&width)));
        }
    }
    Some(all)
}

/// Γ; `None` if there is a pole, and far from 0.
pub fn gamma<const P: usize>(x: &Interval<P>) -> Option<Interval<P>> {
    if has_pole(x) || x.magnitude() > exact(EVALUATED) {
        return None;
    }
    // The side of a power of two decides the ULP.
    let whole = crate::number::on_grid(&x.lo, 0) == x.lo;
    if x.lo == x.hi && whole {
        let product = |all: Interval<BITS>, n: usize| all.mul(&integer(n));
        let n = crate::number::floor(&x.lo, 0) as usize;
        return Some((1..n).fold(integer(1), product).to());
    }
    // The logarithm is below 2^14, and so the exponential loses no more than 14 bits. Next to the logarithm's zeros, its error is as small as elsewhere. More
    // than 192 bits would take several times as long.
    let size: Interval<P> = match P {
        0..=64 => ln_gamma_in(&x.to::<128>())?.exp().to(),
        65..=192 => ln_gamma_in(&x.to::<192>())?.exp().to(),
        _ => ln_gamma_in(&x.to::<BITS>())?.exp().to(),
    };
    // It is negative between -1 and 0, and turns at each pole.
    let odd = crate::number::floor(&x.lo, 0).rem_euclid(2) == 1;
    let turned = negative(&x.lo) && odd;
    Some(if turned { size.neg() } else { size })
}

/// The coefficients of `ln |Γ(x + w τ)|`. The first one is left 0.
pub fn coefficients<const P: usize>(
    x: &Interval<P>,
    w: &Interval<P>,
    terms: usize,
) -> Option<Series<P>> {
    if has_pole(x) {
        return None;
    }
    if !negative(&x.lo) {
        return of_positive(x, w, terms);
    }
    reflected(&integer(1).sub(x), x, w, terms)
}

/// The same as [`coefficients`] below 0, from the number `1 - x` and x, to which an integer may be added: next to a pole, the distance from there has more digits.
pub fn reflected<const P: usize>(
    other: &Interval<P>,
    x: &Interval<P>,
    w: &Interval<P>,
    terms: usize,
) -> Option<Series<P>> {
    // ln π - ln |sin(π x)| - ln Γ(1 - x). The cotangent t falls, and t' = -π (1 + t²).
    let one = integer(1);
    let other = of_positive(other, &w.neg(), terms)?;
    let cotangent = |x: &Number| {
        let (sin, cos) = Interval::<P>::of(x.clone()).sin_cos_pi();
        cos.div(&sin)
    };
    let first = cotangent(&x.hi)?.hull(&cotangent(&x.lo)?);
    let turn = w.mul(&Interval::pi());
    let squares = squared(&first, &turn.neg(), terms, 1)?;
    let mut slope = vec![first];
    for (k, square) in squares.iter().enumerate() {
        let all = if k == 0 {
            square.add(&one)
        } else {
            square.clone()
        };
        slope.push(all.mul(&turn).div(&integer(k + 1))?.neg());
    }
    let mut all = vec![Interval::zero()];
    for k in 1..terms {
        let sine = slope[k - 1].mul(&turn).div(&integer(k))?;
        all.push(sine.add(&other[k]).neg());
    }
    Some(all)
}

/// The same as [`coefficients`], for positive numbers. Coefficient m is `(-w)^m / m` times the sum of `(x + j)^-m` over all j, by the Euler-Maclaurin
/// formula from z on. For m = 1 it is the sum that remains when `ln z` is subtracted from the infinite sum.
fn of_positive<const P: usize>(
    x: &Interval<P>,
    w: &Interval<P>,
    terms: usize,
) -> Option<Series<P>> {
    let count = steps::<P>(&x.lo);
    // Sums of the powers of 1 / (x + j), for each m.
    let mut sums = vec![Interval::<P>::zero(); terms];
    for j in 0..count {
        let inverse = integer::<P>(1).div(&x.add(&integer(j)))?;
        let mut power = inverse.clone();
        for sum in sums.iter_mut().skip(1) {
            *sum = sum.add(&power);
            power = power.mul(&inverse);
        }
    }
    let z = x.add(&integer(count));
    let inverse = integer::<P>(1).div(&z)?;
    let square = inverse.mul(&inverse);
    let mut all = vec![Interval::zero()];
    // (-w)^m, z^(1 - m)
    let (mut width, mut power) = (integer::<P>(1), integer::<P>(1));
    for (m, sum) in sums.iter().enumerate().skip(1) {
        width = width.mul(w).neg();
        let next = power.mul(&inverse);
        let integral = match m {
            1 => z.ln()?.neg(),
            _ => power.div(&integer(m - 1))?,
        };
        // m (m + 1) … (m + 2 k - 2) / (2 k)! z^(1 - m - 2 k)
        let mut rising = next.mul(&inverse).mul(&integer(m)).scale(-1);
        let rest = enveloped(integral.add(&next.scale(-1)), |k| {
            let by: Interval<P> = rounded_bernoulli(k);
            let term = by.mul(&rising);
            let more = integer((m + 2 * k - 1) * (m + 2 * k));
            let fewer = integer((2 * k + 1) * (2 * k + 2));
            rising = rising.mul(&square).mul(&more).div(&fewer)?;
            Some(term)
        })?;
        all.push(sum.add(&rest).mul(&width).div(&integer(m))?);
        power = next;
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Far from its zeros the logarithm is computed with fewer bits. The values hold those of all bits, and are as narrow as their precision.
    #[test]
    fn values_far_from_zeros_have_all_bits() {
        for x in [
            5e-324, 1e-300, 1e-10, 0.25, 0.499_999, 3.000_001, 3.5, 30.0, 1e5, 1e15, 1e300,
        ] {
            let due = ln_gamma_in(&Interval::<BITS>::double(x)).expect("defined");
            let few = ln_gamma(&Interval::<64>::double(x)).expect("defined");
            let more = ln_gamma(&Interval::<192>::double(x)).expect("defined");
            let lacks = |lo: &Number, hi: &Number| exponent(&(hi - lo)) - exponent(hi);
            assert!(few.lo <= due.lo && due.hi <= few.hi, "{x:e}");
            assert!(more.lo <= due.lo && due.hi <= more.hi, "{x:e}");
            assert!(lacks(&few.lo, &few.hi) < -60, "{x:e}");
            assert!(lacks(&more.lo, &more.hi) < -188, "{x:e}");
        }
    }

    #[test]
    fn some_bernoulli_numbers() {
        for (k, n, d) in [
            (1, 1.0, 6.0),
            (2, -1.0, 30.0),
            (6, -691.0, 2730.0),
            (10, -174_611.0, 330.0),
        ] {
            let due = Interval::<2048>::double(n)
                .div(&Interval::double(d))
                .expect("not zero");
            assert!(bernoulli(k).meet(&due).is_some(), "{k}");
        }
        let last = bernoulli(100);
        assert!(exponent(&(&last.hi - &last.lo)) < exponent(&last.lo) - 1000);
    }
}
