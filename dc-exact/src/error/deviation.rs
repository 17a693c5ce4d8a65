//! Numbers made from bits: programs in real arithmetic with parameters.
//!
//! An affine operation of a residual has a deviation `d_h` that depends on the input, in a known interval: see [`Kind::Affine`]. The real
//! value of an operation is then a function `S_i(x, d)` of the input and of the deviations of the operations before it. The theorem on
//! rounding errors holds for each d, hence for the deviations of the input, with ranges of `S_i(x, d)` over all d as slopes. The remaining
//! part is the method's error `S_out(x, d) - f(x)`. If a routine clears bits of an estimate, it is designed so that the result hardly
//! depends on them: in an iteration of order 3, only the third power of the deviation enters. So `S_out` is expanded in the deviation as
//! well:
//!
//! ```text
//! S_out(x, m + r t) = c_0(x) + c_1(x) t + c_2(x) t² + R t³,    |t| <= 1,
//! ```
//!
//! The `c_k` are Taylor series in x, in which the terms of an iteration cancel, and R is an interval over all x and t.
//!
//! One deviation is expanded. If the bits of an estimate are used again, the estimate has its own deviation, which the next affine
//! operation adds to its own: `T_h = S_h(x, 0) + n_h`, where `n_h` is its deviation plus `factor (S_a(x, n) - S_a(x, 0))` of its operand a.
//! So operations whose deviations reach the result only through others are taken into account. If several deviations reach it, the widest
//! is expanded, and the others are intervals.

use crate::cell::{Kind, Residual};
use crate::law::TERMS;
use crate::num::series::range;
use crate::num::{Ball, Interval, Ring, Series};

/// Powers of a deviation in an expansion; the next one is the remainder.
const POWERS: usize = 3;
const REMAINDER: usize = POWERS + 1;

/// An operation's real value, expanded in the input and in a deviation.
#[derive(Debug, Clone)]
pub(super) struct Expanded {
    /// Coefficients of the powers of t, as series at the center.
    at: Series<Series<Ball, TERMS>, POWERS>,
    /// The same over the cell.
    over: Series<Series<Interval, TERMS>, POWERS>,
    /// R
    last: Interval,
}

impl Expanded {
    /// The range of the value.
    fn range(&self) -> Interval {
        self.less(
            &Series::constant(Ball::ZERO),
            &Series::constant(Interval::ZERO),
        )
    }

    /// The value times `2^e`.
    pub(super) fn scaled(&self, e: i32) -> Expanded {
        Expanded {
            at: self.at.scale(e),
            over: self.over.scale(e),
            last: self.last.scale(e),
        }
    }

    /// The range of the value minus a function of only the input.
    pub(super) fn less(
        &self,
        at: &Series<Ball, TERMS>,
        over: &Series<Interval, TERMS>,
    ) -> Interval {
        let first = range(&self.at.0[0].sub(*at), &self.over.0[0].sub(*over));
        let powers = [Interval::symmetric(1.0), Interval::new(0.0, 1.0)];
        let more = (1..POWERS).map(|k| {
            let c = range(&self.at.0[k], &self.over.0[k]);
            c.mul(powers[(k + 1) % 2])
        });
        let last = self.last.mul(powers[(POWERS + 1) % 2]);
        more.fold(first.add(last), Interval::add)
    }
}

/// The deviations of a residual's operations over a cell.
#[derive(Debug, Default)]
pub(super) struct Deviations {
    /// For each affine operation its number, and `n_h`, scaled.
    of: Vec<(usize, Interval)>,
    /// The result, if it depends on deviations.
    pub(super) result: Option<Box<Expanded>>,
    /// The real values of operations, if the expansion bounds them.
    pub(super) reals: Vec<Option<Interval>>,
}

/// The series of a residual without deviations, and the data from which they are made.
pub(super) struct Base<'a> {
    pub(super) residual: &'a Residual,
    pub(super) exponents: &'a [i32],
    /// The input, at the center and over the cell.
    pub(super) input: (Series<Ball, TERMS>, Series<Interval, TERMS>),
    pub(super) at: &'a [Series<Ball, TERMS>],
    pub(super) over: &'a [Series<Interval, TERMS>],
}

impl Deviations {
    pub(super) fn new(base: &Base<'_>) -> Deviations {
        let mut all = Deviations::default();
        for h in base.residual.affine() {
            let Kind::Affine {
                of,
                factor,
                deviation,
                ..
            } = base.residual.operations[h].kind
            else {
                continue;
            };
            let e = base.exponents[h];
            let mut n = deviation.scale(-e);
            if let Some(expanded) = all.expanded(base, of as usize) {
                let a = of as usize;
                let moved = expanded.less(&base.at[a], &base.over[a]);
                let by = Interval::point(factor).scale(base.exponents[a] - e);
                n = n.add(moved.mul(by));
            }
            all.of.push((h, n));
        }
        let out = base.residual.result as usize;
        let reaching = all.reaching(base.residual, out);
        if let Some(each) = all.each_expanded(base, &reaching) {
            // The expansion is that of any other operation which depends on no other deviation.
            all.reals = (0..=out)
                .map(|i| {
                    let of = all.reaching(base.residual, i);
                    let known = !of.is_empty() && of.iter().all(|d| reaching.contains(d));
                    known.then(|| each(i).range())
                })
                .collect();
            all.result = Some(Box::new(each(out)));
        }
        all
    }

    /// The series with all deviations, as intervals.
    pub(super) fn with_all(
        &self,
        base: &Base<'_>,
    ) -> (Vec<Series<Ball, TERMS>>, Vec<Series<Interval, TERMS>>) {
        let (residual, exponents) = (base.residual, base.exponents);
        let at = residual.deviating_series(base.input.0, exponents, |h, _| {
            base.at[h].add(Series::constant(ball(self.at(h))))
        });
        let over = residual.deviating_series(base.input.1, exponents, |h, _| {
            base.over[h].add(Series::constant(self.at(h)))
        });
        (at, over)
    }

    /// The deviation of an affine operation.
    pub(super) fn at(&self, h: usize) -> Interval {
        let found = self.of.iter().find(|d| d.0 == h);
        found.map_or(Interval::ALL, |d| d.1)
    }

    /// The affine operations from which an operation is computed without another one in between.
    fn reaching(&self, residual: &Residual, i: usize) -> Vec<(usize, Interval)> {
        let mut seen = vec![false; i + 1];
        seen[i] = true;
        let mut found = Vec::new();
        for j in (0..=i).rev() {
            if !seen[j] {
                continue;
            }
            if matches!(residual.operations[j].kind, Kind::Affine { .. }) {
                found.push((j, self.at(j)));
                continue;
            }
            let (args, n) = residual.operations[j].kind.args();
            for &a in &args[..n] {
                seen[a as usize] = true;
            }
        }
        found
    }

    /// The expansion of an operation. `None` if it depends on no deviation.
    fn expanded(&self, base: &Base<'_>, i: usize) -> Option<Expanded> {
        let reaching = self.reaching(base.residual, i);
        self.each_expanded(base, &reaching).map(|each| each(i))
    }

    /// The expansions of operations that depend on these deviations. `None` for the others.
    fn each_expanded(
        &self,
        base: &Base<'_>,
        reaching: &[(usize, Interval)],
    ) -> Option<impl Fn(usize) -> Expanded + use<>> {
        let width = |d: &(usize, Interval)| d.1.width();
        let &(widest, n) = reaching
            .iter()
            .max_by(|a, b| width(a).total_cmp(&width(b)))?;
        // n = m + r t
        let (m, r) = around(n);
        // Those that do not reach the operation are not used, or only by other affine operations.
        let other = |h: usize| self.at(h);
        let (residual, exponents) = (base.residual, base.exponents);
        let at = residual.deviating_series(Series::constant(base.input.0), exponents, |h, _| {
            let of = base.at[h];
            let plus = |c: Ball| Series::constant(of.add(Series::constant(c)));
            if h != widest {
                return plus(ball(other(h)));
            }
            let mut value = plus(Ball::number(m));
            value.0[1] = Series::constant(Ball::number(r));
            value
        });
        let over = residual.deviating_series(Series::constant(base.input.1), exponents, |h, _| {
            let of = base.over[h];
            let plus = |c: Interval| Series::constant(of.add(Series::constant(c)));
            if h != widest {
                return plus(other(h));
            }
            let mut value = plus(Interval::point(m));
            value.0[1] = Series::constant(Interval::point(r));
            value
        });
        let ranges = |h: usize| range(&base.at[h], &base.over[h]);
        let input = range(&base.input.0, &base.input.1);
        let last: Vec<Series<Interval, REMAINDER>> =
            residual.deviating_series(Series::constant(input), exponents, |h, _| {
                if h != widest {
                    return Series::constant(ranges(h).add(other(h)));
                }
                Series::variable(ranges(h).add(n), Interval::point(r))
            });
        Some(move |i: usize| Expanded {
            at: at[i],
            over: over[i],
            last: last[i].0[POWERS],
        })
    }
}

/// The middle of an interval, and an upper bound of the distance of its ends from it; zero for a point.
fn around(of: Interval) -> (f64, f64) {
    let middle = 0.5 * of.lo + 0.5 * of.hi;
    let radius = (of.hi - middle).max(middle - of.lo);
    (
        middle,
        if radius > 0.0 {
            radius.next_up()
        } else {
            radius
        },
    )
}

/// A ball around an interval.
fn ball(of: Interval) -> Ball {
    let (middle, radius) = around(of);
    Ball::number(middle).widened(radius)
}

#[cfg(test)]
mod tests;
