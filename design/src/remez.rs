//! Polynomials of least error, by the Remez exchange algorithm, on a grid of points and with numbers of two words.
//!
//! A polynomial is a sum of any powers of the variable. Some of its coefficients may be fixed, for example because the first coefficient is
//! 1, or because earlier coefficients have been rounded. The error may have any weight.

use crate::dd::{Dd, solve};
use crate::lattice::Rounded;

/// A point of the grid.
#[derive(Debug, Clone, Copy)]
pub struct Point {
    /// The variable.
    pub x: Dd,
    /// The function's value.
    pub f: Dd,
    /// The factor of the error, which is positive.
    pub weight: f64,
}

/// A polynomial, and its error.
#[derive(Debug, Clone)]
pub struct Fit {
    /// The coefficients of the powers.
    pub coefficients: Vec<Dd>,
    /// The largest error on the grid, weighted.
    pub error: f64,
}

/// Points between two numbers, denser near them, without the two numbers.
#[must_use]
pub fn grid(low: f64, high: f64, points: usize) -> Vec<f64> {
    let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
    let angle = |i: usize| std::f64::consts::PI * (i as f64 + 0.5) / points as f64;
    let mut xs: Vec<f64> = (0..points)
        .map(|i| middle - half * angle(i).cos())
        .collect();
    xs.dedup();
    xs
}

/// The number of points of the grid for this many coefficients.
#[must_use]
pub fn enough(coefficients: usize) -> usize {
    32 * (coefficients + 2)
}

/// The polynomial in `powers` with the least weighted error on the grid. `fixed` holds the powers whose coefficients are given.
///
/// # Errors
/// If the function or the weight is not finite somewhere, or if the equations are singular because there are more coefficients than the
/// points can distinguish.
pub fn fit(points: &[Point], powers: &[u32], fixed: &[(u32, Dd)]) -> Result<Fit, String> {
    let bad = |p: &&Point| !(p.f.hi.is_finite() && p.weight.is_finite() && p.weight > 0.0);
    if let Some(p) = points.iter().find(bad) {
        return Err(format!(
            "the function has no value near {:e} that can be approximated",
            p.x.hi
        ));
    }
    // The variable as a part of the largest one: powers of it stay near 1.
    let largest = points.iter().map(|p| p.x.hi.abs()).fold(0.0, f64::max);
    let scale = 2f64.powi(largest.log2().ceil() as i32);
    let rest: Vec<Dd> = points
        .iter()
        .map(|p| {
            let known = fixed
                .iter()
                .fold(Dd::ZERO, |s, &(power, c)| s + c * p.x.powi(power));
            p.f - known
        })
        .collect();
    let basis: Vec<Vec<Dd>> = points
        .iter()
        .map(|p| {
            let x = p.x.scaled(1.0 / scale);
            // Powers ascend by the same step.
            let step = powers.get(1).map_or(0, |second| second - powers[0]);
            let step = x.powi(step);
            let mut power = x.powi(powers.first().copied().unwrap_or(0));
            let next = |_: &u32| {
                let this = power;
                power = power * step;
                this
            };
            powers.iter().map(next).collect()
        })
        .collect();
    let n = powers.len();
    if n == 0 || points.len() <= n {
        let error = rest.iter().zip(points).map(|(r, p)| r.hi.abs() * p.weight);
        return Ok(Fit {
            coefficients: Vec::new(),
            error: error.fold(0.0, f64::max),
        });
    }
    let nothing = rest.iter().zip(points).map(|(r, p)| r.hi.abs() * p.weight);
    let nothing = nothing.fold(0.0, f64::max);
    let system = System {
        basis,
        rest,
        weights: weights(points, powers),
        nothing,
    };
    let first = |skewed| {
        let place = |k| first_place(k, n, points.len(), skewed);
        (0..=n).map(place).collect()
    };
    // Points that are symmetric about 0 do not always tell odd powers and even ones apart.
    let found = system
        .exchanged(first(false))
        .or_else(|| system.exchanged(first(true)))
        .ok_or("the equations of the approximation are singular")?;
    let unscaled = powers
        .iter()
        .zip(&found.coefficients)
        .map(|(&p, &c)| c.scaled(scale.powi(-(p as i32))));
    Ok(Fit {
        coefficients: unscaled.collect(),
        error: found.error,
    })
}

/// The approximation problem, at the points of the grid.
struct System {
    /// The powers of the scaled variable.
    basis: Vec<Vec<Dd>>,
    /// The function minus the powers with known coefficients.
    rest: Vec<Dd>,
    /// The weights, as computed by [`weights`].
    weights: Vec<f64>,
    /// The error of the polynomial 0.
    nothing: f64,
}

/// The best polynomial of an exchange.
struct Exchanged {
    coefficients: Vec<Dd>,
    error: f64,
}

impl System {
    /// The exchange algorithm, starting from these places of the grid; `None` if no choice of points has a solution.
    fn exchanged(&self, mut chosen: Vec<usize>) -> Option<Exchanged> {
        let mut best: Option<Exchanged> = None;
        for _ in 0..60 {
            let Some((solution, level)) = self.solved(&chosen) else {
                break;
            };
            let errors = self.errors(&solution);
            let error = errors.iter().fold(0.0, |m: f64, e| m.max(e.abs()));
            if error <= self.nothing && best.as_ref().is_none_or(|b| error < b.error) {
                best = Some(Exchanged {
                    coefficients: solution,
                    error,
                });
            }
            if error <= level * 1.0005 {
                break;
            }
            match alternation(&errors, chosen.len()) {
                Some(next) if next != chosen => chosen = next,
                _ => break,
            }
        }
        best
    }

    /// The polynomial whose errors at these points are a single number with alternating signs, and this number.
    fn solved(&self, chosen: &[usize]) -> Option<(Vec<Dd>, f64)> {
        let row = |(k, &at): (usize, &usize)| {
            let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
            let level = Dd::from(sign / self.weights[at]);
            let powers = self.basis[at].iter().copied();
            powers.chain([level, self.rest[at]]).collect()
        };
        let mut solution = solve(chosen.iter().enumerate().map(row).collect())?;
        let level = solution.pop()?.hi.abs();
        // No polynomial has a larger error than 0 has, at the points of any choice.
        (level <= self.nothing).then_some((solution, level))
    }

    /// The weighted error at each point of the grid, with the alternating sign.
    fn errors(&self, coefficients: &[Dd]) -> Vec<f64> {
        let value = |powers: &Vec<Dd>| {
            let terms = powers.iter().zip(coefficients);
            terms.fold(Dd::ZERO, |s, (&b, &c)| s + b * c)
        };
        let each = self.basis.iter().zip(&self.rest).zip(&self.weights);
        each.map(|((powers, &rest), weight)| (rest - value(powers)).hi * weight)
            .collect()
    }
}

/// The weights with the sign of the lowest power. All powers are the lowest one times a polynomial, and it is the errors divided by the
/// lowest power that alternate. The powers themselves, which may all be 0 at 0, are not a Chebyshev system.
pub(crate) fn weights(points: &[Point], powers: &[u32]) -> Vec<f64> {
    let odd = powers.first().is_some_and(|p| p % 2 == 1);
    let signed = |p: &Point| match odd && p.x.hi < 0.0 {
        true => -p.weight,
        false => p.weight,
    };
    points.iter().map(signed).collect()
}

/// The places of Chebyshev's extrema.
pub(crate) fn first_place(k: usize, n: usize, points: usize, skewed: bool) -> usize {
    let share = match skewed {
        true => (k as f64 + 0.35) / (n as f64 + 1.0),
        false => k as f64 / n as f64,
    };
    let angle = std::f64::consts::PI * share;
    let share = 0.5 - 0.5 * angle.cos();
    // The grid itself is as dense as that: its places are even in the angle.
    let place = (1.0 - 2.0 * share).acos() / std::f64::consts::PI;
    ((place * (points - 1) as f64).round() as usize).min(points - 1)
}

/// This many places where the error is largest, with alternating signs.
pub(crate) fn alternation(errors: &[f64], wanted: usize) -> Option<Vec<usize>> {
    let mut runs: Vec<usize> = Vec::new();
    for (i, e) in errors.iter().enumerate() {
        match runs.last_mut() {
            Some(last) if (errors[*last] < 0.0) == (*e < 0.0) => {
                if e.abs() > errors[*last].abs() {
                    *last = i;
                }
            }
            _ => runs.push(i),
        }
    }
    while runs.len() > wanted {
        let size = |at: usize| errors[runs[at]].abs();
        let last = runs.len() - 1;
        if runs.len() == wanted + 1 {
            runs.remove(if size(0) < size(last) { 0 } else { last });
            continue;
        }
        // Two neighbours go, so that the signs still alternate.
        let least = (0..last).min_by(|&a, &b| {
            let pair = |k: usize| size(k).max(size(k + 1));
            pair(a).total_cmp(&pair(b))
        })?;
        let ends = size(0).min(size(last));
        if ends < size(least).max(size(least + 1)) {
            runs.remove(if size(0) < size(last) { 0 } else { last });
        } else {
            runs.drain(least..=least + 1);
        }
    }
    (runs.len() == wanted).then_some(runs)
}

/// The format of coefficients.
#[derive(Debug, Clone, Copy)]
pub struct Words {
    /// The digits after the first one, 23 in binary32 and 52 in binary64.
    pub fraction: i32,
    /// The least exponent of a unit in the last place.
    pub least: i32,
    /// Whether the first coefficient has two words.
    pub first_two: bool,
}

impl Words {
    /// The unit in the last place of the number's word.
    fn unit(self, c: f64) -> f64 {
        let exponent = libm::ilogb(c).max(self.least + self.fraction);
        2f64.powi(exponent - self.fraction)
    }

    /// Coefficient `k`, rounded.
    fn round(self, k: usize, c: Dd) -> Dd {
        if c.hi == 0.0 || k == 0 && self.first_two {
            return c;
        }
        let unit = self.unit(c.hi);
        Dd::from((c.hi / unit).round_ties_even() * unit)
    }
}

/// [`fit`] with coefficients that are numbers of the format. The best of three polynomials is taken:
///
/// - Coefficients are rounded from the lowest power up, because an error of the first one has the largest effect. The later ones are fitted
///   again each time.
/// - Around 0, the higher powers alone are a poor basis for a fit. There, coefficients that are rounded one by one may be better.
/// - From the better of these two polynomials, all coefficients are moved together, by reduction of a [lattice](crate::lattice).
///
/// # Errors
/// The same as for [`fit`].
pub fn fit_rounded(
    points: &[Point],
    powers: &[u32],
    fixed: &[(u32, Dd)],
    words: Words,
) -> Result<Fit, String> {
    let given = fixed;
    let mut fixed = fixed.to_vec();
    let mut alone = given.to_vec();
    let mut free = Vec::new();
    for k in 0..powers.len() {
        let fitted = fit(points, &powers[k..], &fixed)?;
        let first = *fitted
            .coefficients
            .first()
            .ok_or("too few points for the coefficients")?;
        if k == 0 {
            let each = powers.iter().zip(&fitted.coefficients).enumerate();
            alone.extend(each.map(|(k, (&p, &c))| (p, words.round(k, c))));
            free = fitted.coefficients;
        }
        fixed.push((powers[k], words.round(k, first)));
    }
    let error = fit(points, &[], &fixed)?.error;
    let other = fit(points, &[], &alone)?.error;
    let (chosen, error) = match other < error {
        true => (alone, other),
        false => (fixed, error),
    };
    if let Some(moved) = moved(points, given.len(), &chosen, &free, words) {
        let after = fit(points, &[], &moved)?.error;
        if after < error {
            return Ok(of(&moved[given.len()..], after));
        }
    }
    Ok(of(&chosen[given.len()..], error))
}

fn of(coefficients: &[(u32, Dd)], error: f64) -> Fit {
    Fit {
        coefficients: coefficients.iter().map(|c| c.1).collect(),
        error,
    }
}

/// The polynomial `chosen`, with all one-word coefficients after the `given` ones moved together towards the polynomial `free`.
fn moved(
    points: &[Point],
    given: usize,
    chosen: &[(u32, Dd)],
    free: &[Dd],
    words: Words,
) -> Option<Vec<(u32, Dd)>> {
    let skipped = usize::from(words.first_two);
    let start: Vec<Dd> = chosen.iter().skip(given + skipped).map(|c| c.1).collect();
    // A coefficient that is 0 has no unit.
    if start.len() < 2 || start.iter().any(|c| c.hi == 0.0) {
        return None;
    }
    let powers: Vec<u32> = chosen.iter().skip(given + skipped).map(|c| c.0).collect();
    let units: Vec<f64> = start.iter().map(|c| words.unit(c.hi)).collect();
    let error = |p: &Point| {
        let terms = chosen.iter().map(|&(power, c)| c * p.x.powi(power));
        terms.fold(p.f, |rest, t| rest - t).hi * p.weight
    };
    let errors: Vec<f64> = points.iter().map(error).collect();
    let rounded = Rounded {
        points,
        powers: &powers,
        best: &free[skipped..],
        start: &start,
        units: &units,
        errors: &errors,
    };
    let by = rounded.moved()?;
    let mut all = chosen.to_vec();
    let each = all.iter_mut().skip(given + skipped).zip(&units).zip(&by);
    for (((_, c), unit), &by) in each {
        // Beyond a power of two, not every multiple of the unit is a number of the format.
        *c = words.round(1, *c + Dd::from(by as f64 * unit));
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// e^x on [-1, 1], in two words, by its series.
    fn exponential(x: f64) -> Dd {
        let mut term = Dd::ONE;
        (1..40).fold(Dd::ONE, |s, n| {
            term = term * Dd::from(x) / Dd::from(f64::from(n));
            s + term
        })
    }

    fn points(weight: impl Fn(f64) -> f64) -> Vec<Point> {
        let point = |x| Point {
            x: Dd::from(x),
            f: exponential(x),
            weight: weight(x),
        };
        grid(-1.0, 1.0, 1000).into_iter().map(point).collect()
    }

    #[test]
    fn errors_are_those_of_the_literature() {
        // The best polynomials of degree 1, 2 and 3 for e^x on [-1, 1] (Powell, Approximation Theory and Methods).
        for (degree, error) in [(1u32, 0.278_80), (2, 0.045_02), (3, 0.005_528)] {
            let powers: Vec<u32> = (0..=degree).collect();
            let fitted = fit(&points(|_| 1.0), &powers, &[]).expect("it fits");
            assert!((fitted.error / error - 1.0).abs() < 1e-3, "{fitted:?}");
        }
    }

    #[test]
    fn the_weight_is_a_factor_and_no_divisor() {
        let powers: Vec<u32> = (0..=4).collect();
        let relative = fit(&points(|x| (-x).exp()), &powers, &[]).expect("it fits");
        let worst = |fitted: &Fit| {
            let error = |x: f64| {
                let value = fitted
                    .coefficients
                    .iter()
                    .rev()
                    .fold(0.0, |s, c| s * x + c.hi);
                ((value - x.exp()) / x.exp()).abs()
            };
            grid(-1.0, 1.0, 500)
                .into_iter()
                .map(error)
                .fold(0.0, f64::max)
        };
        let absolute = fit(&points(|_| 1.0), &powers, &[]).expect("it fits");
        let inverted = fit(&points(f64::exp), &powers, &[]).expect("it fits");
        assert!(worst(&relative) < 0.7 * worst(&absolute));
        // Fault: a weight that is inverted is worse than none.
        assert!(worst(&inverted) > 1.3 * worst(&absolute));
    }

    #[test]
    fn rounded_coefficients_make_up_for_each_other() {
        let powers: Vec<u32> = (0..=5).collect();
        let bits = |x: f64| f64::from_bits((x.to_bits() + (1 << 39)) & !((1 << 40) - 1));
        let mut better = 0;
        for (low, high) in [(-1.0, 1.0), (0.25, 1.0), (0.0, 0.5), (0.5, 0.75)] {
            let point = |x| Point {
                x: Dd::from(x),
                f: exponential(x),
                weight: 1.0,
            };
            let points: Vec<Point> = grid(low, high, 500).into_iter().map(point).collect();
            let free = fit(&points, &powers, &[]).expect("it fits");
            let words = Words {
                fraction: 12,
                least: -1000,
                first_two: false,
            };
            let together = fit_rounded(&points, &powers, &[], words).expect("it fits");
            let each = powers.iter().zip(&free.coefficients);
            let each: Vec<(u32, Dd)> = each.map(|(&p, c)| (p, Dd::from(bits(c.hi)))).collect();
            let alone = fit(&points, &[], &each).expect("no coefficients").error;
            assert!(together.error <= alone, "{low}: {} {alone}", together.error);
            assert!(together.coefficients.iter().all(|c| c.hi == bits(c.hi)));
            better += u32::from(together.error < 0.5 * alone);
        }
        assert!(better >= 2, "{better} of 4 are better by half");
    }

    /// All powers are 0 at 0, and the points lie on both sides of it.
    #[test]
    fn errors_about_a_common_zero_are_the_least() {
        let a = 0.0217;
        let near = |x: f64| Point {
            x: Dd::from(x),
            f: exponential(x) - Dd::ONE,
            weight: 1.0,
        };
        let points: Vec<Point> = grid(-a, a, 300).into_iter().map(near).collect();
        for degree in 1..=9u32 {
            let powers: Vec<u32> = (1..=degree).collect();
            let fitted = fit(&points, &powers, &[]).expect("it fits");
            // The least error of x^(n+1) by lower powers about 0: of x times Chebyshev's polynomial of degree n, hence less than its largest
            // coefficient a^(n+1)/2^(n-1); the function has this term over (n+1)!, and the next terms add little.
            let term = (1..=degree + 1).fold(1.0, |t, n| t * a / f64::from(n));
            let least = term / 2f64.powi(degree as i32 - 1);
            assert!(
                fitted.error < 1.02 * least,
                "degree {degree}: {} {least}",
                fitted.error
            );
            assert!(
                fitted.error > 0.3 * least,
                "degree {degree}: {} {least}",
                fitted.error
            );
        }
    }

    #[test]
    fn a_pole_is_an_error() {
        let mut points = points(|_| 1.0);
        points[500].f = Dd::from(f64::INFINITY);
        let error = fit(&points, &[0, 1], &[]).expect_err("a pole");
        assert!(error.contains("no value near"), "{error}");
    }
}
