//! Rational functions of least error, by the exchange algorithm, on a grid of points and with numbers of two words.
//!
//! The error alternates at one point more than there are coefficients. At those points `w (f - N/D) = ±e`, which is linear except for the product of `e` with
//! the denominator's coefficients. For a given `e` in that product, the equations are linear. The algorithm seeks the `e` that the equations return (Cody,
//! Fraser and Hart, Rational Chebyshev approximation using linear equations, Numer. Math. 12, 1968).

use crate::dd::{Dd, solve};
use crate::remez::{Point, alternation, first_place, weights};

/// A rational function, and its error.
#[derive(Debug, Clone)]
pub struct Rational {
    /// The numerator's coefficients.
    pub numerator: Vec<Dd>,
    /// The denominator's coefficients after 1.
    pub denominator: Vec<Dd>,
    /// The largest error on the grid, weighted.
    pub error: f64,
}

/// The powers to fit: those of the numerator's coefficients, and those of the denominator's coefficients after 1.
#[derive(Debug, Clone, Copy)]
pub struct Powers<'a> {
    /// The numerator's powers.
    pub numerator: &'a [u32],
    /// The denominator's powers.
    pub denominator: &'a [u32],
}

/// The rational function with the least weighted error on the grid. Known parts of the function, such as a first term, have been subtracted
/// before.
///
/// # Errors
/// If the function has no value somewhere, if the equations have no solution, or if every denominator that was found has a zero among the
/// points.
pub fn fit(points: &[Point], powers: Powers<'_>) -> Result<Rational, String> {
    exchange(points, powers, 1.0)
}

/// The denominator at a point.
#[must_use]
pub fn denominator(coefficients: &[Dd], powers: &[u32], x: Dd) -> Dd {
    let terms = coefficients.iter().zip(powers);
    terms.fold(Dd::ONE, |s, (&c, &p)| s + c * x.powi(p))
}

/// The number of steps of the error's level at the same points, and of exchanges of points.
const LEVELS: usize = 50;
const EXCHANGES: usize = 60;

/// The exchange algorithm. `side` is 1; a test uses -1, which gives the products of the level with the denominator the wrong sign.
fn exchange(points: &[Point], powers: Powers<'_>, side: f64) -> Result<Rational, String> {
    let bad = |p: &&Point| !(p.f.hi.is_finite() && p.weight.is_finite() && p.weight > 0.0);
    if let Some(p) = points.iter().find(bad) {
        return Err(format!(
            "the function has no value near {:e} that can be approximated",
            p.x.hi
        ));
    }
    let (m, n) = (powers.numerator.len(), powers.denominator.len());
    let wanted = m + n + 1;
    if points.len() <= wanted {
        return Err("too few points for the coefficients".into());
    }
    let largest = points.iter().map(|p| p.x.hi.abs()).fold(0.0, f64::max);
    let scale = 2f64.powi(largest.log2().ceil() as i32);
    let of = |powers: &[u32], p: &Point| -> Vec<Dd> {
        let x = p.x.scaled(1.0 / scale);
        powers.iter().map(|&k| x.powi(k)).collect()
    };
    let above: Vec<Vec<Dd>> = points.iter().map(|p| of(powers.numerator, p)).collect();
    let below: Vec<Vec<Dd>> = points.iter().map(|p| of(powers.denominator, p)).collect();
    let sum = |basis: &[Dd], c: &[Dd]| {
        let products = basis.iter().zip(c).map(|(&b, &c)| b * c);
        products.fold(Dd::ZERO, |s, p| s + p)
    };
    let weights = weights(points, powers.numerator);
    let errors_of = |c: &[Dd], d: &[Dd]| -> Result<Vec<f64>, f64> {
        let error = |i: usize| {
            let divisor = Dd::ONE + sum(&below[i], d);
            match divisor.hi > 0.0 {
                true => Ok((points[i].f - sum(&above[i], c) / divisor).hi * weights[i]),
                false => Err(points[i].x.hi),
            }
        };
        (0..points.len()).map(error).collect()
    };
    // The function that is exact at Chebyshev's zeros, to which the grid is even, has its extrema near those of the best one.
    let zeros = (0..m + n).map(|k| (2 * k + 1) * points.len() / (2 * (m + n)));
    let exact = zeros.map(|at| {
        let mut row = above[at].clone();
        row.extend(below[at].iter().map(|&b| -(points[at].f * b)));
        row.push(points[at].f);
        row
    });
    let near = solve(exact.collect())
        .and_then(|c| errors_of(&c[..m], &c[m..]).ok())
        .and_then(|errors| alternation(&errors, wanted));
    let mut chosen: Vec<usize> = near.unwrap_or_else(|| {
        let place = |k| first_place(k, wanted - 1, points.len(), false);
        (0..wanted).map(place).collect()
    });
    let mut best: Option<Rational> = None;
    let mut pole = None;
    for _ in 0..EXCHANGES {
        let mut level = Dd::ZERO;
        let mut found = None;
        // The level that follows from a level, less this: a zero is sought by secants, as steps alone may lead away from the least one.
        let mut before: Option<(Dd, Dd)> = None;
        for _ in 0..LEVELS {
            let rows = chosen.iter().enumerate().map(|(k, &at)| {
                let allowed = Dd::from(if k % 2 == 0 { 1.0 } else { -1.0 } / weights[at]);
                let near = points[at].f - allowed * level * Dd::from(side);
                let mut row = above[at].clone();
                row.extend(below[at].iter().map(|&b| -(near * b)));
                row.push(allowed);
                row.push(points[at].f);
                row
            });
            let Some(mut solution) = solve(rows.collect()) else {
                break;
            };
            let next = solution.pop().unwrap_or(Dd::ZERO);
            if !next.hi.is_finite() {
                break;
            }
            let change = next - level;
            found = Some((solution, next));
            if change.hi.abs() <= 1e-14 * next.hi.abs() {
                break;
            }
            let step = match before {
                Some((old, was)) if change != was => -(change * (level - old)) / (change - was),
                _ => change,
            };
            before = Some((level, change));
            level = level + step;
        }
        let Some((solution, level)) = found else {
            break;
        };
        let (c, d) = solution.split_at(m);
        let errors = match errors_of(c, d) {
            Ok(errors) => errors,
            Err(x) => {
                pole = Some(x);
                break;
            }
        };
        let most = errors.iter().fold(0.0, |m: f64, e| m.max(e.abs()));
        if best.as_ref().is_none_or(|b| most < b.error) {
            let unscaled = |c: &[Dd], powers: &[u32]| {
                let each = c.iter().zip(powers);
                each.map(|(&c, &p)| c.scaled(scale.powi(-(p as i32))))
                    .collect()
            };
            best = Some(Rational {
                numerator: unscaled(c, powers.numerator),
                denominator: unscaled(d, powers.denominator),
                error: most,
            });
        }
        if most <= level.hi.abs() * (1.0 + 1e-8) {
            break;
        }
        match alternation(&errors, wanted) {
            Some(next) if next != chosen => chosen = next,
            _ => break,
        }
    }
    best.ok_or_else(|| match pole {
        Some(x) => format!("the denominator has a zero near {x:e}"),
        None => "the equations of the approximation are singular".into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::remez::grid;

    /// √x on [1, 16], with its relative error.
    fn root() -> Vec<Point> {
        let point = |x: f64| {
            let f = Dd::from(x).sqrt();
            Point {
                x: Dd::from(x),
                f,
                weight: 1.0 / f.hi,
            }
        };
        grid(1.0, 16.0, 4000).into_iter().map(point).collect()
    }

    const POWERS: Powers<'_> = Powers {
        numerator: &[0, 1, 2],
        denominator: &[1],
    };

    /// The extrema of the error between its changes of sign.
    fn extrema(points: &[Point], r: &Rational) -> Vec<f64> {
        let value = |x: Dd| {
            let n = r.numerator.iter().rev();
            n.fold(Dd::ZERO, |s, &c| s * x + c) / denominator(&r.denominator, &[1], x)
        };
        let errors = points.iter().map(|p| (p.f - value(p.x)).hi * p.weight);
        let mut runs: Vec<f64> = Vec::new();
        for e in errors {
            match runs.last_mut() {
                Some(last) if (*last < 0.0) == (e < 0.0) => {
                    if e.abs() > last.abs() {
                        *last = e;
                    }
                }
                _ => runs.push(e),
            }
        }
        runs
    }

    /// Heron's step from the best `k (x + 4)`, which is between 4/√20 and 5/√20 of √x, is the best function of type (2, 1) up to a factor (Rutishauser,
    /// Betrachtungen zur Quadratwurzeliteration, Monatshefte für Mathematik 67, 1963).
    #[test]
    fn the_best_fraction_of_a_root_is_herons() {
        let points = root();
        let r = fit(&points, POWERS).expect("it fits");
        let c = 1.25f64.sqrt();
        let most = 0.5 * (c + 1.0 / c);
        let known = (most - 1.0) / (most + 1.0);
        assert!((r.error / known - 1.0).abs() < 1e-5, "{} {known}", r.error);
        // (y + x/y)/2 = (x² + 24x + 16)/(c (x + 4)), scaled: the denominator is 1 + x/4, and the numerator's coefficients are as 16 : 24 : 1.
        assert!((r.denominator[0].hi - 0.25).abs() < 1e-4, "{r:?}");
        let extrema = extrema(&points, &r);
        assert_eq!(extrema.len(), 5, "{extrema:?}");
        for pair in extrema.windows(2) {
            assert!(pair[0] * pair[1] < 0.0);
            assert!((pair[0] / pair[1] + 1.0).abs() < 1e-6, "{extrema:?}");
        }
    }

    /// Fault: the level's products with the denominator have the wrong sign. Then the errors do not alternate between equal extrema.
    #[test]
    fn a_wrong_sign_in_the_denominator_is_noticed() {
        let points = root();
        let right = fit(&points, POWERS).expect("it fits");
        let level = |r: &Rational| {
            let extrema = extrema(&points, r);
            let sizes = || extrema.iter().map(|e| e.abs());
            let least = sizes().fold(f64::INFINITY, f64::min);
            (extrema.len(), sizes().fold(0.0, f64::max) / least - 1.0)
        };
        assert!(level(&right).1 < 1e-6);
        if let Ok(wrong) = exchange(&points, POWERS, -1.0) {
            let (many, uneven) = level(&wrong);
            assert!(many != 5 || uneven > 1e-3, "{many} extrema, {uneven}");
            assert!(wrong.error > right.error, "{} {}", wrong.error, right.error);
        }
    }

    /// 1/(x - 0.3) is a rational function itself, with a pole between the points.
    #[test]
    fn no_denominator_has_a_zero_among_the_points() {
        let point = |x: f64| Point {
            x: Dd::from(x),
            f: Dd::ONE / (Dd::from(x) - Dd::from(0.3)),
            weight: 1.0,
        };
        let points: Vec<Point> = grid(-1.0, 1.0, 500).into_iter().map(point).collect();
        let powers = Powers {
            numerator: &[0],
            denominator: &[1],
        };
        match fit(&points, powers) {
            Err(why) => assert!(why.contains("a zero near"), "{why}"),
            Ok(r) => {
                let signs = points
                    .iter()
                    .map(|p| denominator(&r.denominator, &[1], p.x));
                assert!(signs.into_iter().all(|d| d.hi > 0.0), "{r:?}");
                assert!(r.error > 1.0, "{r:?}");
            }
        }
    }
}
