//! Gates, and functions that are x times a gate. A gate increases from 0 to 1: the logistic function, the normal distribution, and `tanh(ln(1 + e^x))`.
//!
//! Near 1, the distance of a gate from 1 is computed and not the gate itself. Derivatives are products with this distance, so their relative errors are small
//! too. Far from zero, the distance is only enclosed, between 0 and a power of two that falls with the argument: coefficient k has the factor `w^k`, and a
//! stretch may be as wide as x.

use crate::number::{Coarse, Interval, Number, exact, floor, negative, power, zero};
use crate::series::{Series, each, follow, product};

/// Beyond plus or minus this, `e^x` is not evaluated.
pub const FAR: f64 = 5000.0;
/// There `e^-|x|` and `|x| e^-|x|` are below 2 to minus this power.
pub const TINY: i32 = 7000;

/// Beyond plus or minus this, the normal distribution is not evaluated. There the density, and x times the distance of the distribution from 0 or 1,
/// are below `e^(-38.89²/2) / √(2π) < 2^-1092`.
pub const FAR_NORMAL: f64 = 38.89;
/// All of these are below 2 to minus this power.
pub const TINY_BELL: i32 = 1090;

/// No bound is a smaller power of two: `w^k` of series is below `2^(1024 · 13)`.
const FARTHEST: i32 = 1 << 20;

/// An enclosure of a positive number that is at most `2^-bits`.
pub fn below<const P: usize>(bits: i32) -> Interval<P> {
    Interval {
        lo: Number::zero(),
        hi: power(-bits),
    }
}

/// An enclosure of a positive number that is at most `2^-bits` and at most `e^-x`, where x is positive: `e^-x < 2^-x`.
fn below_both<const P: usize>(bits: i32, x: &Number) -> Interval<P> {
    let by = match *x < exact(f64::from(FARTHEST)) {
        true => floor(x, 0) as i32,
        false => FARTHEST,
    };
    below(by.max(bits))
}

/// `e^-x` of numbers from x = 5000 on.
fn tiny<const P: usize>(x: &Number) -> Interval<P> {
    below_both(TINY, x)
}

/// The density, or the distance of the distribution from 0 or 1, at numbers of at least this magnitude, from 38.89 on.
fn tiny_bell<const P: usize>(x: &Number) -> Interval<P> {
    let x = Coarse::of(x.clone());
    below_both(TINY_BELL, &x.mul(&x).scale(-1).lo)
}

/// The standard normal density.
fn density<const P: usize>(x: &Interval<P>) -> Option<Interval<P>> {
    if x.least() > exact(FAR_NORMAL) {
        return Some(tiny_bell(&x.least()));
    }
    if x.magnitude() > exact(FAR) {
        return None;
    }
    let (least, most) = (Interval::of(x.least()), Interval::of(x.magnitude()));
    let at = |x: &Interval<P>| x.mul(x).scale(-1).neg().exp();
    at(&least)
        .hull(&at(&most))
        .div(&Interval::pi().scale(1).sqrt()?)
}

/// The standard normal distribution, `erfc(-x/√2) / 2`. It increases.
pub fn distribution<const P: usize>(x: &Interval<P>) -> Option<Interval<P>> {
    if x.hi < exact(-FAR_NORMAL) {
        return Some(tiny_bell(&x.least()));
    }
    if x.lo > exact(FAR_NORMAL) {
        return Some(Interval::double(1.0).sub(&tiny_bell(&x.least())));
    }
    let root = Interval::<P>::double(2.0).sqrt()?;
    let at = |x: &Number| {
        let y = Interval::of(x.clone()).neg().div(&root)?;
        Some(y.erf_erfc()?.1.scale(-1))
    };
    Some(at(&x.lo)?.hull(&at(&x.hi)?))
}

/// The logistic function, `1 / (1 + e^-x)`.
pub fn sigmoid<const P: usize>(x: &Interval<P>) -> Option<Interval<P>> {
    let one = Interval::double(1.0);
    if x.lo > exact(FAR) {
        return Some(one.sub(&tiny(&x.lo)));
    }
    if x.hi < exact(-FAR) {
        return Some(tiny(&x.least()));
    }
    (x.magnitude() <= exact(FAR)).then(|| one.div(&one.add(&x.neg().exp())))?
}

/// `tanh(ln(1 + e^x))` and its distance from 1. It increases, and is `u / (u + 2)` for `u = g (g + 2)` and `g = e^x`.
fn gate_and_rest<const P: usize>(x: &Interval<P>) -> Option<(Interval<P>, Interval<P>)> {
    let one = Interval::double(1.0);
    // u/2 is below 2 g and 2/(u + 2) below 2/g²: both are far below `2^-|x|`.
    if x.hi < exact(-FAR) {
        let gate: Interval<P> = tiny(&x.least());
        return Some((gate.clone(), one.sub(&gate)));
    }
    if x.lo > exact(FAR) {
        let rest = tiny(&x.lo);
        return Some((one.sub(&rest), rest));
    }
    if x.magnitude() > exact(FAR) {
        return None;
    }
    let two = Interval::double(2.0);
    let at = |x: &Number| {
        let g = Interval::of(x.clone()).exp();
        let u = g.mul(&g.add(&two));
        let sum = u.add(&two);
        Some((u.div(&sum)?, two.div(&sum)?))
    };
    let (lo, hi) = (at(&x.lo)?, at(&x.hi)?);
    Some((lo.0.hull(&hi.0), hi.1.hull(&lo.1)))
}

/// `tanh(ln(1 + e^x))`
pub fn gate<const P: usize>(x: &Interval<P>) -> Option<Interval<P>> {
    Some(gate_and_rest(x)?.0)
}

/// Whether the distance of a gate from 1 is computed there.
fn beyond<const P: usize>(x: &Interval<P>) -> bool {
    !negative(&x.lo) && !zero(&x.lo)
}

/// One less a series.
fn less_than_one<const P: usize>(a: &Series<P>) -> Series<P> {
    let mut one = vec![Interval::zero(); a.len()];
    one[0] = Interval::double(1.0);
    each(&one, a, Interval::sub)
}

/// The series with `s' = w s (1 - s)`.
fn logistic<const P: usize>(
    value: &Interval<P>,
    w: &Interval<P>,
    terms: usize,
) -> Option<Series<P>> {
    follow(value.clone(), w, terms, |s, k| {
        let square = (0..=k).fold(Interval::zero(), |sum, i| sum.add(&s[i].mul(&s[k - i])));
        s[k].sub(&square)
    })
}

/// The series of the logistic function and of its distance from 1, which is the function at -x.
pub fn logistic_and_rest<const P: usize>(
    x: &Interval<P>,
    w: &Interval<P>,
    terms: usize,
) -> Option<(Series<P>, Series<P>)> {
    Some(if beyond(x) {
        let rest = logistic(&sigmoid(&x.neg())?, &w.neg(), terms)?;
        (less_than_one(&rest), rest)
    } else {
        let s = logistic(&sigmoid(x)?, w, terms)?;
        let rest = less_than_one(&s);
        (s, rest)
    })
}

/// The series of the normal distribution. `d' = -x d` of the density d, which is its derivative.
fn normal<const P: usize>(x: &Interval<P>, w: &Interval<P>, terms: usize) -> Option<Series<P>> {
    let density = follow(density(x)?, w, terms, |d, k| {
        let next = d[k].mul(x).neg();
        match k {
            0 => next,
            _ => next.sub(&d[k - 1].mul(w)),
        }
    })?;
    follow(distribution(x)?, w, terms, |_, k| density[k].clone())
}

/// The series of `t = tanh(ln(1 + e^x))`: `t' = s (1 - t²)`, with the logistic function s, and `v' = -s v (2 - v)` for its distance v from 1.
fn softplus_gate<const P: usize>(
    x: &Interval<P>,
    w: &Interval<P>,
    terms: usize,
) -> Option<Series<P>> {
    let (s, _) = logistic_and_rest(x, w, terms)?;
    let (gate, rest) = gate_and_rest(x)?;
    if beyond(x) {
        let two = Interval::double(2.0);
        let rest = follow(rest, w, terms, |v, k| {
            let v = v.to_vec();
            let twice = v.iter().map(|c| c.mul(&two)).collect();
            let change = each(&twice, &product(&v, &v), Interval::sub);
            product(&s[..=k].to_vec(), &change)[k].neg()
        })?;
        return Some(less_than_one(&rest));
    }
    follow(gate, w, terms, |t, k| {
        let t = t.to_vec();
        let rest = product(&s[..=k].to_vec(), &product(&t, &t));
        s[k].sub(&rest[k])
    })
}

/// The series of x times the normal distribution, or times `tanh(ln(1 + e^x))`. The caller replaces the first
/// coefficient by the function's value.
pub fn gated<const P: usize>(
    is_normal: bool,
    x: &Interval<P>,
    w: &Interval<P>,
    terms: usize,
) -> Option<Series<P>> {
    let factor = if is_normal {
        normal(x, w, terms)?
    } else {
        softplus_gate(x, w, terms)?
    };
    let mut input = vec![Interval::zero(); terms];
    input[0] = x.clone();
    if terms > 1 {
        input[1] = w.clone();
    }
    Some(product(&input, &factor))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::Law;
    use crate::number::Fine;

    /// The series at a number contains the values of the stretch, if its remainder is the last coefficient over the stretch. Where the function is nearly x or 0, this
    /// remainder is small, however wide the stretch is.
    #[test]
    fn series_hold_the_values_of_their_stretches() {
        const TERMS: usize = 9;
        for law in [Law::Sigmoid, Law::Softplus, Law::Silu, Law::Mish, Law::Gelu] {
            for (center, width) in [
                (0.5, 0.125),
                (2.375, 0.25),
                (12.5, 0.5),
                (38.25, 0.5),
                (41.0, 2.0),
                (112.0, 16.0),
                (729.0, 32.0),
                (4990.0, 8.0),
                (6144.0, 1024.0),
                (3e9, 1e9),
                (1.5e300, 2f64.powi(996)),
            ] {
                for center in [center, -center] {
                    let (lo, hi) = (center - width, center + width);
                    let w = Fine::double(width);
                    let at = law.series(&Fine::double(center), &w, TERMS).expect("one");
                    let over = law.series(&Coarse::doubles(lo, hi), &w.to(), TERMS + 1);
                    let rest = over.expect("one").swap_remove(TERMS).to();
                    for t in [-1.0, -0.5, 0.0, 0.25, 1.0] {
                        let all = at.iter().chain([&rest]).rev();
                        let t_ = Fine::double(t);
                        let sum = all.fold(Fine::zero(), |sum, c| sum.mul(&t_).add(c));
                        let value = law.value(&Interval::<320>::double(center + width * t));
                        let value = value.expect("defined").to();
                        assert!(sum.meet(&value).is_some(), "{law:?} {center} {t}");
                    }
                    if center.abs() > 100.0 {
                        let part = rest.magnitude();
                        assert!(part < power(-90), "{law:?} {center}: {:?}", rest.ends());
                    }
                }
            }
        }
    }

    /// What gates lack far from zero, by their definitions.
    #[test]
    fn enclosures_hold_what_is_left() {
        type Wide = Interval<320>;
        for x in [5000.0, 5000.7, 7212.0, 16609.0, 150_000.5, 1e6] {
            let due = Wide::double(-x).exp();
            let found: Wide = tiny(&exact(x));
            assert!(zero(&found.lo) && due.hi <= found.hi, "{x}");
        }
        for x in [38.9, 39.5, 44.0, 46.7, 50.0, 120.0, 900.0, 1400.0] {
            let square = Wide::double(x).mul(&Wide::double(x)).scale(-1);
            let root = Wide::pi().scale(1).sqrt().expect("positive");
            let due = square.neg().exp().div(&root).expect("positive");
            let found: Wide = tiny_bell(&exact(x));
            assert!(zero(&found.lo) && due.hi <= found.hi, "{x}");
            // Times x this is what the distribution lacks, and more.
            assert!(due.mul(&Wide::double(x)).hi <= power(-1074 - 10));
        }
        // They fall as fast as powers of the argument grow.
        for (found, most) in [
            (tiny::<64>(&exact(1e300)), -1_000_000),
            (tiny_bell::<64>(&exact(f64::MAX)), -1_000_000),
            (tiny_bell(&exact(100.0)), -4999),
            (tiny(&exact(9000.0)), -8999),
        ] {
            assert!(found.hi < power(most) && found.hi > power(-2_000_000));
        }
    }

    /// A gate and its rest are 1 together, and neither loses its relative precision.
    #[test]
    fn gates_and_their_rests_are_one() {
        for x in [-5001.0, -4999.0, -40.0, -0.5, 0.5, 40.0, 4999.0, 5001.0] {
            let at = Fine::double(x);
            let (gate, rest) = gate_and_rest(&at).expect("defined");
            assert!(gate.add(&rest).meet(&Fine::double(1.0)).is_some(), "{x}");
            let (s, c) = logistic_and_rest(&at, &Fine::double(0.25), 5).expect("defined");
            let sum = each(&s, &c, Interval::add);
            assert!(sum[0].meet(&Fine::double(1.0)).is_some());
            assert!(sum[1..].iter().all(Interval::holds_zero), "{x}");
            let size = (f64::abs(x) < 5000.0).then(|| (-x.abs()).exp().log2());
            for small in [
                if x > 0.0 { &rest } else { &gate },
                if x > 0.0 { &c[0] } else { &s[0] },
            ] {
                assert!(small.hi <= power(1), "{x}");
                if size.is_some() {
                    let wide = &small.hi - &small.lo;
                    let part = crate::number::exponent(&wide) - crate::number::exponent(&small.lo);
                    assert!(part < -175, "{x}: {part}");
                }
            }
        }
    }
}
