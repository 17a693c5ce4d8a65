//! A stretch of a class's input: closed by its bound, by lattices, input by input, or in parts.

use super::class::{Class, Member};
use super::{Check, Counts};
use crate::analysis::{Analysis, Place, both_sides};
use crate::certificate::How;
use crate::lattice::{Lattice, No};
use crate::number::{Number, exact, floor};
use crate::reduce::identity;
use crate::residual::{Assumed, Kind, Node, Stop, ulp};

/// Lattices look so far below the level: with less, runs are short.
const MARGIN: f64 = 1e-4;
/// Inputs that are looked at one by one, at most, in a stretch.
const FEW: f64 = 65_536.0;
/// Runs in a stretch that is not cut any further.
const RUNS: i64 = 1024;

impl Check<'_> {
    /// Closes a stretch of a class's input, cut as often as it takes.
    pub(super) fn close(
        &self,
        class: &Class,
        lo: f64,
        hi: f64,
        assumed: &Assumed,
        depth: u32,
        how: How,
    ) -> Result<(), String> {
        let here: Vec<&Member> = class
            .members
            .iter()
            .filter(|m| m.core.0 <= hi && lo <= m.core.1)
            .collect();
        let Some(eta) = here.iter().map(|m| m.eta.clone()).reduce(|a, b| a.hull(&b)) else {
            // Between the members there are no inputs.
            return Ok(());
        };
        let grid = class.input.grid.max(ulp(if lo > 0.0 {
            lo
        } else if hi < 0.0 {
            hi
        } else {
            0.0
        }));
        let inputs: f64 = here.iter().map(|m| m.inputs(lo, hi)).sum();
        let cut = |why: &str| -> Result<(), String> {
            if inputs <= FEW {
                return here
                    .iter()
                    .try_for_each(|m| m.each(lo, hi, |x| self.input(x)));
            }
            let middle = (0.5 * lo + 0.5 * hi).clamp(lo, hi.next_down());
            if depth == 0 || lo == hi {
                return Err(format!("{why}, and cutting it does not help"));
            }
            Counts::add(&self.counts.cut, 1);
            self.close(class, lo, middle, assumed, depth - 1, how)?;
            self.close(class, middle.next_up(), hi, assumed, depth - 1, how)
        };
        if inputs <= if how == How::Inputs { FEW } else { 256.0 } {
            return cut("");
        }
        if lo < 0.0 && hi > 0.0 {
            return cut("it has both signs");
        }
        let place = Place::new(lo, hi, grid);
        let input = Node {
            kind: Kind::Input,
            lo: place.lo,
            hi,
            grid,
            ..class.input
        };
        let analysis = match Analysis::new(&class.core, input, &place, assumed) {
            Ok(analysis) => analysis,
            Err(Stop::Empty) => return Ok(()),
            Err(Stop::No(why)) => return cut(&why),
        };
        let Some(weights) = analysis.weights() else {
            return cut("the weights are not bounded");
        };
        let Some(function) = self.function.on(place.lo, hi) else {
            return cut("the reference is not one line");
        };
        let bound = match analysis.bound(&function, &class.factor, &eta, &place, &weights) {
            Ok(bound) => bound,
            Err(Stop::Empty) => return Ok(()),
            Err(Stop::No(why)) => return cut(&why),
        };
        if bound.error.most() <= exact(self.certificate.error) {
            Counts::add(&self.counts.bound, 1);
            return Ok(());
        }
        if let Some((site, edge)) = analysis.straddles(&weights, bound.unit, assumed) {
            for case in both_sides(assumed, site, edge) {
                self.close(class, lo, hi, &case, depth, how)?;
            }
            return Ok(());
        }
        let level = self.certificate.error - MARGIN;
        for sign in [1.0, -1.0] {
            let reach = if sign > 0.0 {
                bound.error.ends().1
            } else {
                -bound.error.ends().0
            };
            if reach <= self.certificate.error {
                continue;
            }
            let lattice = match Lattice::new(&analysis, &place, grid, &bound, &weights, sign, level)
            {
                Ok(lattice) => lattice,
                Err(No::Nothing) => continue,
                Err(No::Cut) => return cut("no lattice takes it"),
            };
            let half = lattice.half();
            // Steps from the center, which is on the grid.
            let step = |x: f64, up: bool| {
                let d = exact(x) - exact(place.center);
                let below = floor(&d, -grid);
                if up && exact(x) != exact(place.center) + Number::new(below.into(), grid as isize)
                {
                    below + 1
                } else {
                    below
                }
            };
            let (first, last) = (step(lo, true) as i64, step(hi, false) as i64);
            if last - first > 2 * RUNS * (2 * half + 1) {
                return cut("it has too many runs");
            }
            let mut transform = identity();
            let mut m = first;
            while m <= last {
                let center = m + half;
                Counts::add(&self.counts.runs, 1);
                let mut found = lattice.run(center, half, &mut transform);
                if found.is_none() {
                    transform = identity();
                    found = lattice.run(center, half, &mut transform);
                }
                let Some(found) = found else {
                    return cut("a run has too many points");
                };
                for step in found {
                    let r =
                        exact(place.center) + Number::new((center + step).into(), grid as isize);
                    for member in &here {
                        if let Some(x) = member.input(&r) {
                            self.input(x)?;
                        }
                    }
                }
                m += 2 * half + 1;
            }
        }
        Counts::add(&self.counts.lattice, 1);
        Ok(())
    }
}
