//! The stretch of an analysis, with the parameters of its series and their remainders.

use crate::number::{Coarse, Fine, Number, double_below, exact, exponent, on_grid, power, zero};
use crate::residual::{Line, expo};
use crate::series::{Series, of_line};

/// The analysed stretch, and the parameters of its series.
#[derive(Clone)]
pub struct Expansion {
    /// Its lower end.
    pub lo: f64,
    /// Its upper end.
    pub hi: f64,
    /// A double near its middle.
    pub center: f64,
    /// At least the distance of the ends from the center. It is a power of two times the grid.
    pub radius: Number,
    /// The number of terms of series.
    pub terms: usize,
    /// The powers of a number that `|τ|` does not exceed. This number is at most 1.
    pub reach: Vec<Coarse>,
    /// τ at both ends, if the ranges of values that rise or fall are taken from their values there.
    pub ends: Option<[Coarse; 2]>,
}

/// The largest number of terms of a stretch's series. For large numbers, the exponential function needs more terms than [`Expansion::new`] chooses.
pub const TERMS: usize = 12;

impl Expansion {
    /// The expansion of a stretch whose inputs are multiples of `2^grid`. Its center is such a multiple.
    pub fn new(lo: f64, hi: f64, grid: i32) -> Expansion {
        let middle = if lo == hi {
            exact(lo)
        } else {
            exact((0.5 * lo + 0.5 * hi).clamp(lo, hi))
        };
        let center = double_below(&on_grid(&middle, grid));
        let lo = lo.min(center);
        let far = (exact(center) - exact(lo)).max(exact(hi) - exact(center));
        let radius = if zero(&far) {
            power(grid)
        } else {
            power((exponent(&far) + 1).max(grid))
        };
        let near = lo.abs().min(hi.abs());
        let narrow = if near > 0.0 && lo.signum() == hi.signum() {
            expo(near) - exponent(&radius)
        } else {
            0
        };
        // The radius is a power of two.
        let part = Coarse::of(far).scale(-exponent(&radius));
        let powers = std::iter::successors(Some(Coarse::double(1.0)), |p| {
            Some(Coarse::of(p.mul(&part).hi))
        });
        let reach = powers.take(TERMS + 2).collect();
        Expansion {
            lo,
            hi,
            center,
            radius,
            reach,
            ends: None,
            // Each coefficient is smaller by about this many bits; the first has 53 bits before the point.
            terms: (3..9).find(|t| t * narrow >= 75).unwrap_or(9) as usize,
        }
    }

    /// The same expansion, with ranges that are taken from the values at the ends.
    #[must_use]
    pub fn with_ends(mut self) -> Expansion {
        let place = |x: f64| {
            let far = exact(x) - exact(self.center);
            Coarse::of(far).scale(-exponent(&self.radius))
        };
        self.ends = Some([place(self.lo), place(self.hi)]);
        self
    }

    /// The stretch.
    pub fn cell(&self) -> Coarse {
        Coarse::doubles(self.lo, self.hi)
    }
}

/// The value of a series over the stretch. All coefficients are those at the center, except the remainder, which is over the stretch. `reach` is
/// that of the expansion.
pub fn range(at: &[Fine], over: &[Coarse], reach: &[Coarse]) -> Coarse {
    let mut sum = at[0].to();
    let tail = at[1..]
        .iter()
        .map(|c| c.magnitude())
        .chain(over.last().map(Coarse::magnitude));
    for (most, power) in tail.zip(&reach[1..]) {
        sum = sum.add(&Coarse::symmetric(Coarse::of(most).mul(power).hi));
    }
    sum
}

/// The range of a series that rises or falls on the whole stretch, so that its largest and smallest values are those at the ends; `None` if it is
/// not known to rise or fall.
pub fn monotonic_range(at: &[Fine], over: &[Coarse], expansion: &Expansion) -> Option<Coarse> {
    let ends = expansion.ends.as_ref()?;
    let reach = &expansion.reach;
    let terms = at.len();
    // The derivative's coefficients over the stretch, or its own series at the center with its remainder.
    if over.get(1)?.holds_zero() {
        let rest = std::iter::once(over.get(terms)?.magnitude());
        let tail = at[2..].iter().map(Fine::magnitude).chain(rest);
        let mut slope: Coarse = at[1].to();
        for (k, most) in tail.enumerate() {
            let most = Coarse::of(most).mul(&reach[k + 1]);
            let most = most.mul(&Coarse::double((k + 2) as f64));
            slope = slope.add(&Coarse::symmetric(most.hi));
        }
        if slope.holds_zero() {
            return None;
        }
    }
    let value = |t: &Coarse| {
        let terms = at.iter().rev();
        terms.fold(over[at.len()].clone(), |sum, c| sum.mul(t).add(&c.to()))
    };
    Some(value(&ends[0]).hull(&value(&ends[1])))
}

/// The same as [`range`], but narrower. The terms except the remainder are written as a sum of Chebyshev polynomials. Their magnitude is at most 1, and their
/// coefficients are smaller if the terms cancel, as for a polynomial minus its function.
pub fn narrow_range(at: &[Fine], over: &[Coarse], reach: &[Coarse]) -> Coarse {
    let mut by_chebyshev = vec![Coarse::zero(); at.len()];
    for (k, (c, power)) in at.iter().zip(reach).enumerate() {
        let c: Coarse = c.to();
        let scaled = c.mul(power);
        // τ^k = 2^(1-k) Σ C(k, j) T_(k-2j), of T_0 the half.
        let mut ways = 1.0;
        for j in 0..=k / 2 {
            let by = i32::from(k != 2 * j) - k as i32;
            let of = &mut by_chebyshev[k - 2 * j];
            *of = of.add(&scaled.mul(&Coarse::double(ways)).scale(by));
            ways = ways * (k - j) as f64 / (j + 1) as f64;
        }
    }
    let terms = at.len();
    let rest = over
        .last()
        .map(|c| Coarse::of(c.magnitude()).mul(&reach[terms]).hi);
    let tail = by_chebyshev[1..].iter().map(Coarse::magnitude).chain(rest);
    tail.fold(by_chebyshev[0].clone(), |sum, most| {
        sum.add(&Coarse::symmetric(most))
    })
}

/// A bound of the part of the errors that comes from the remainders of a line's and a function's series, in units in the last place of the largest
/// true value. A bound of the errors is at least as large, and this part costs far less. The function's coefficients are those over the stretch.
/// `None` if the line's series is not defined.
pub fn remainder(
    line: &Line,
    truth: &Series<64>,
    factor: &Fine,
    expansion: &Expansion,
) -> Option<Number> {
    let terms = expansion.terms;
    let mut x = vec![expansion.cell(), Coarse::of(expansion.radius.clone())];
    x.resize(terms + 1, Coarse::zero());
    let line = of_line(line, &x)?.swap_remove(line.result);
    let factor = factor.to();
    let unit = (exponent(&truth[0].mul(&factor).magnitude()) - 52).max(-1074);
    let rest = line[terms].sub(&truth[terms].mul(&factor));
    Some(rest.mul(&expansion.reach[terms]).scale(-unit).magnitude())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Words;

    /// The value of a series, given its remainder's coefficient.
    fn value(series: &[f64], rest: f64, t: f64) -> Coarse {
        let t = Coarse::double(t);
        let terms = series.iter().chain([&rest]).rev();
        terms.fold(Coarse::zero(), |sum, c| {
            sum.mul(&t).add(&Coarse::double(*c))
        })
    }

    /// At places of a stretch, including its ends, every value of a series with any remainder lies in both ranges.
    #[test]
    fn ranges_hold_every_value() {
        let mut random = Words(1);
        let mut narrower = 0;
        for k in 0..3000 {
            let terms = 3 + random.below(TERMS as u64 - 2) as usize;
            let mut part = || random.below(1 << 40) as f64 * 2f64.powi(-39) - 1.0;
            let (lo, hi) = (1.0 + 0.25 * part(), 2.0 + 0.5 * part());
            // Any series, and Chebyshev's polynomial of the degree, in which terms cancel.
            let series: Vec<f64> = match k % 2 {
                0 => (0..terms).map(|_| part()).collect(),
                _ => chebyshev(terms - 1),
            };
            let rest = 0.125 * part();
            let e = Expansion::new(lo, hi, -52);
            let at: Vec<Fine> = series.iter().map(|c| Fine::double(*c)).collect();
            let over = [Coarse::doubles(-rest.abs(), rest.abs())];
            let wide = range(&at, &over, &e.reach);
            let narrow = narrow_range(&at, &over, &e.reach);
            let width = |r: &Coarse| r.ends().1 - r.ends().0;
            assert!(width(&narrow) <= width(&wide) * (1.0 + 1e-9));
            narrower += u64::from(width(&narrow) < 0.5 * width(&wide));
            let radius = Coarse::of(e.radius.clone()).middle();
            for i in 0..=32 {
                let x = (lo + (hi - lo) * f64::from(i) / 32.0).clamp(lo, hi);
                let t = (x - e.center) / radius;
                for rest in [rest, -rest] {
                    let v = value(&series, rest, t).ends();
                    for range in [&wide, &narrow] {
                        let (lo, hi) = range.ends();
                        // Its place is rounded.
                        let off = 1e-12 * hi.abs().max(lo.abs());
                        assert!(
                            lo - off <= v.0 && v.1 <= hi + off,
                            "{v:?} {lo} {hi} {terms}"
                        );
                    }
                }
            }
        }
        assert!(narrower > 500, "{narrower}");
        // A range is no wider than it must be.
        let at: Vec<Fine> = chebyshev(8).iter().map(|c| Fine::double(*c)).collect();
        let whole = vec![Coarse::double(1.0); TERMS + 2];
        let found = narrow_range(&at, &[Coarse::zero()], &whole).ends();
        assert!(found.0 <= -1.0 && 1.0 <= found.1 && found.1 - found.0 < 2.0 + 1e-9);
    }

    /// At places of a stretch, every value of a series that rises or falls lies in its range, whose ends are values. A series with an extremum has no such
    /// range.
    #[test]
    fn monotonic_ranges_hold_every_value() {
        let mut random = Words(2);
        let mut counts = [0, 0];
        for k in 0..6000 {
            let terms = 3 + random.below(TERMS as u64 - 2) as usize;
            let mut part = || random.below(1 << 40) as f64 * 2f64.powi(-39) - 1.0;
            let (lo, hi) = (1.0 + 0.25 * part(), 2.0 + 0.5 * part());
            let mut series: Vec<f64> = (0..terms).map(|_| part()).collect();
            // Some whose first coefficient decides, and some in which the others turn it.
            series[1] *= [1.0, 4.0, 30.0][k % 3];
            let rest = part() * [0.0, 1e-3, 1.0][k / 3 % 3];
            let e = Expansion::new(lo, hi, -52).with_ends();
            let at: Vec<Fine> = series.iter().map(|c| Fine::double(*c)).collect();
            let radius = Coarse::of(e.radius.clone()).middle();
            let places: Vec<f64> = (0..=64)
                .map(|i| (lo + (hi - lo) * f64::from(i) / 64.0).clamp(lo, hi))
                .map(|x| (x - e.center) / radius)
                .collect();
            // The last coefficient is a number: the series is a polynomial, whose coefficients over the stretch are those of its derivatives.
            let all: Vec<f64> = series.iter().chain([&rest]).copied().collect();
            let derived = |n: usize, t: f64| -> f64 {
                let ways = |k: usize| (0..n).map(move |j| (k - j) as f64 / (n - j) as f64);
                (n..all.len())
                    .map(|k| all[k] * ways(k).product::<f64>() * t.powi((k - n) as i32))
                    .sum()
            };
            let slopes: Vec<f64> = places.iter().map(|t| derived(1, *t)).collect();
            let most = slopes.iter().copied().fold(f64::MIN, f64::max);
            let least = slopes.iter().copied().fold(f64::MAX, f64::min);
            let mut over = vec![Coarse::symmetric(power(60)); terms + 1];
            over[terms] = Coarse::double(rest);
            if k % 2 == 0 {
                let off = 0.5 * (most - least);
                over[1] = Coarse::doubles(least - off, most + off);
            }
            let found = monotonic_range(&at, &over, &e);
            counts[usize::from(found.is_some())] += 1;
            let Some(found) = found else { continue };
            assert!(least > 0.0 || most < 0.0, "{series:?}");
            let (below, above) = found.ends();
            for t in &places {
                let v = derived(0, *t);
                assert!(
                    below <= v + 1e-11 && v <= above + 1e-11,
                    "{v} {below} {above}"
                );
            }
            let (a, b) = (derived(0, places[0]), derived(0, places[64]));
            let wide = (a - b).abs();
            assert!(above - below <= wide + 1e-11, "{series:?} {rest}");
        }
        assert!(counts.iter().all(|c| *c > 1000), "{counts:?}");
    }

    /// The coefficients of a Chebyshev polynomial.
    fn chebyshev(degree: usize) -> Vec<f64> {
        let (mut before, mut last) = (vec![1.0], vec![0.0, 1.0]);
        for _ in 1..degree {
            let mut next = vec![0.0; last.len() + 1];
            for (i, c) in last.iter().enumerate() {
                next[i + 1] += 2.0 * c;
            }
            for (i, c) in before.iter().enumerate() {
                next[i] -= c;
            }
            (before, last) = (last, next);
        }
        last
    }
}
