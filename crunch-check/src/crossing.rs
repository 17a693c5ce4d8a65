//! Where to cut a stretch on which results of an operation are on both sides of a power of two, or take few values.

use std::convert::Infallible;

use crate::analysis::Analysis;
use crate::expansion::Expansion;
use crate::number::{Coarse, Fine, power_double};
use crate::order::{self, double, rank};
use crate::residual::{Kind, Line, Node, expo, unit};

/// An operation has few results on a stretch if there are at most this many.
const FEW: f64 = 4096.0;
/// An operation's rounding error is large, and must cancel, if its unit is at least two to this power times the unit of the line's results.
const LARGE: i32 = 8;

impl Analysis {
    /// Where to cut a stretch on which results of an operation are on both sides of a power of two: a little before or after the place where the
    /// operation, by its series, equals that power, so that next to it the sides are two cases. If there are several such operations, the one
    /// that contributes most is used.
    pub fn crossing(&self, weights: &[Coarse], result: i32, expansion: &Expansion) -> Option<f64> {
        let mut found: Option<(f64, f64)> = None;
        for (i, node) in self.line.nodes.iter().enumerate() {
            let (lo, hi) = self.values[i].ends();
            let (Some(rounding), Some(slope)) = (node.rounding, self.at[i].get(1)) else {
                continue;
            };
            if lo <= 0.0 && hi >= 0.0 || expo(lo) == expo(hi) || slope.holds_zero() {
                continue;
            }
            let far = if lo > 0.0 { hi } else { lo };
            let edge = power_double(expo(far).max(-1074)).copysign(far);
            let slope = slope.middle();
            let at = self.reaches(i, edge, slope);
            let beside = 3.0 * Coarse::of(self.errors[i].clone()).ends().1 / slope.abs();
            let radius = Coarse::of(expansion.radius.clone()).middle();
            let places = [at - beside, at + beside].map(|t| expansion.center + radius * t);
            // Once is enough on either side.
            let least = 0.5 * beside * radius;
            let inside = |x: &f64| expansion.lo + least < *x && *x < expansion.hi - least;
            let part = weights[i].mul(&unit(rounding.unit - 1 - result));
            let part = part.ends().1.abs();
            if part > 1e-3
                && found.is_none_or(|f| f.0 < part)
                && let Some(place) = places.into_iter().find(inside)
            {
                found = Some((part, place));
            }
        }
        found.map(|f| f.1)
    }

    /// The place where an operation's series equals a number, approximately, by Newton's method.
    fn reaches(&self, i: usize, edge: f64, slope: f64) -> f64 {
        let series: Vec<f64> = self.at[i].iter().map(Fine::middle).collect();
        let at = |t: f64| series.iter().rev().fold(0.0, |sum, c| sum * t + c) - edge;
        let first = -at(0.0) / slope;
        let mut t = first.clamp(-1.0, 1.0);
        for _ in 0..6 {
            let off = f64::powi(2.0, -20);
            let slope = (at(t + off) - at(t - off)) / (2.0 * off);
            let next = t - at(t) / slope;
            if next.is_nan() || next.abs() >= 2.0 {
                return first;
            }
            t = next;
        }
        t
    }
}

impl Line {
    /// Where to cut a stretch on which a rounded operation has few results, such as `1 + x` next to 0: next to the middle, after the last input before the
    /// result changes. With one result on each part, the operation is a constant, and operations on its rounding error are exact. If there are several such
    /// operations, the one with the fewest results is used. `result` is the exponent of the unit of the line's results.
    pub fn change(&self, lo: f64, hi: f64, result: i32) -> Option<f64> {
        let sums = self.nodes.iter().enumerate().filter(|(_, node)| {
            let sum = matches!(node.kind, Kind::Add(..) | Kind::Sub(..) | Kind::Fma(..));
            let large = node.rounding.is_some_and(|r| r.unit >= result + LARGE);
            sum && large && (-1000..1000).contains(&node.grid)
        });
        let many = |node: &Node| (node.hi - node.lo) * power_double(-node.grid);
        let few = sums.filter(|(_, node)| (1.0..=FEW).contains(&many(node)));
        let mut few: Vec<(usize, &Node)> = few.collect();
        few.sort_by(|a, b| many(a.1).total_cmp(&many(b.1)));
        let (first, last) = (rank(lo), rank(hi));
        let middle = rank(0.5 * lo + 0.5 * hi).clamp(first, last);
        let mut values = Vec::new();
        few.into_iter().find_map(|(i, _)| {
            let mut at = |place: i64| {
                self.compute(double(place), &mut values);
                values[i].to_bits()
            };
            let here = at(middle);
            let beyond = [last, first].into_iter().find(|&end| at(end) != here)?;
            let is_same = |place: i64| Ok::<_, Infallible>(at(place) == here);
            let Ok(last) = order::change(middle, beyond, is_same);
            Some(double(last))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::{Outcome, outcome};
    use crate::ir::Program;

    /// The line of `(1 + x) x`.
    fn line(lo: f64, hi: f64) -> Line {
        let text = "doublecrunch ir 1\nfn f0\n  %0: f64 = param\n  %1: f64 = const 0x3ff0000000000000\n  %2: f64 = add %0, %1\n  \
                    %3: f64 = mul %2, %0\n  return %3\n";
        let program = Program::parse(text).expect("a kernel");
        match outcome(&program, lo, hi, true) {
            Ok(Outcome::Line(line)) => line,
            _ => panic!("no line"),
        }
    }

    /// The cut is the last input before a change of `1 + x`: the change next to the middle, and above it if there is one.
    #[test]
    fn a_change_is_between_neighbours_with_different_results() {
        let unit = f64::EPSILON;
        for (lo, hi, change) in [
            // Ties are rounded to even.
            (0.25 * unit, 1.25 * unit, 0.5 * unit),
            (0.75 * unit, 1.75 * unit, (1.5 * unit).next_down()),
            (10.0 * unit, 20.0 * unit, (15.5 * unit).next_down()),
            (2.75 * unit, 4.75 * unit, 4.5 * unit),
            // Below 1 the unit is half of that; the change nearest to the middle.
            (-0.8 * unit, -0.3 * unit, -0.75 * unit),
        ] {
            let found = line(lo, hi).change(lo, hi, -200).expect("two results");
            let sides = [found, found.next_up()].map(|x| 1.0 + x);
            assert!(lo <= found && found < hi, "{found:e}");
            assert!(sides[0] != sides[1], "{lo:e}: {found:e}");
            assert_eq!(found, change, "{lo:e}");
        }
        // If results are as large, the rounding error does not matter.
        let (lo, hi) = (10.0 * unit, 20.0 * unit);
        assert!(line(lo, hi).change(lo, hi, -60).is_some());
        assert_eq!(line(lo, hi).change(lo, hi, -59), None);
        // With one result there is no change, and with many results none is searched for.
        for (lo, hi) in [(0.6 * unit, 1.4 * unit), (0.25, 0.5), (1e-9, 1e-3)] {
            assert_eq!(line(lo, hi).change(lo, hi, -200), None);
        }
    }
}
