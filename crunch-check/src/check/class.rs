//! Classes: a class is a line together with all cells whose inputs it takes.

use std::sync::atomic::AtomicU64;

use crate::number::{Coarse, Fine, Number, double_above, double_below, exact, power, zero};
use crate::order::rank;
use crate::residual::{Line, Node, ulp};
use crate::series::relative_error;

/// A class: one line with the cells whose inputs it takes.
pub(super) struct Class {
    pub(super) core: Line,
    /// The line's input: its site, and the finest grid of inputs.
    pub(super) input: Node,
    /// δ: the function is `e^δ` times that of the line's input, times `1 + η`.
    pub(super) offset: Fine,
    /// `e^δ`
    pub(super) factor: Fine,
    pub(super) members: Vec<Member>,
    /// Whether the members' shifts include a rounding: then an input of the line may not be an input of a member.
    pub(super) rounded: bool,
    /// The number of cuts of its stretches so far.
    pub(super) cuts: AtomicU64,
}

/// A cell as part of a class: `r = x + shift`, or `r = x 2^-by`.
pub(super) struct Member {
    pub(super) lo: f64,
    pub(super) hi: f64,
    /// One number or, in a class of rounded arguments, an interval.
    pub(super) shift: Fine,
    /// The rounding, in a class of rounded arguments.
    pub(super) rounding: Option<Rounding>,
    /// Nonzero only in classes of scaled copies, whose shifts are zero.
    pub(super) by: i32,
    pub(super) eta: Coarse,
    /// Its results are the core's times `2^scale`.
    pub(super) scale: i32,
    pub(super) core: (f64, f64),
    /// The core's inputs are multiples of `2^grid`. Larger inputs are multiples of a coarser unit.
    pub(super) grid: i32,
}

/// The rounding of an argument of the form `b^x`.
pub(super) struct Rounding {
    /// The rounding is at most two to this power.
    pub(super) half: i32,
    /// δ without the rounding.
    pub(super) apart: Fine,
    /// The base's logarithm.
    pub(super) base: Fine,
}

impl Rounding {
    /// δ where the rounding is at most `2^half`.
    pub(super) fn offset(&self, half: i32) -> Fine {
        let off = Fine::symmetric(power(half));
        self.apart.add(&self.base.mul(&off))
    }
}

/// A cell with its line, as part of a class.
pub(super) struct Cut {
    pub(super) core: Line,
    pub(super) input: Node,
    pub(super) member: Member,
    /// `e^x = 2^s e^r e^d`
    pub(super) d: Fine,
}

impl Class {
    /// The class without its members; δ is that of one of them.
    pub(super) fn new(core: Line, input: Node, d: &Fine, rounded: bool) -> Class {
        // A reduction that is whole, or nearly, has no factor.
        let whole = d.magnitude() < power(-48);
        let offset = if whole {
            Fine::zero()
        } else {
            Fine::of(d.lo.clone())
        };
        Class {
            core,
            input,
            factor: offset.exp(),
            offset,
            members: Vec::new(),
            rounded,
            cuts: AtomicU64::new(0),
        }
    }

    /// Adds a cell with the same line.
    pub(super) fn add(&mut self, mut member: Member, grid: i32, d: &Fine) {
        member.eta = relative_error(&d.sub(&self.offset)).to();
        self.input.grid = self.input.grid.min(grid);
        self.members.push(member);
    }

    /// η of all these members on a stretch of the core's input. If a rounded argument is not above a number, it is off by at most half of that number's
    /// unit.
    pub(super) fn eta(&self, members: &[&Member], lo: f64, hi: f64) -> Option<Coarse> {
        let half = ulp(lo.abs().max(hi.abs())) - 1;
        let offsets = members.iter().filter_map(|m| m.rounding.as_ref());
        let offsets = offsets.map(|r| r.offset(half.min(r.half)));
        let rounded = offsets.reduce(|a, b| a.hull(&b));
        let rounded = rounded.map(|d| relative_error(&d.sub(&self.offset)).to());
        let exact = members.iter().filter(|m| m.rounding.is_none());
        let etas = exact.map(|m| m.eta.clone()).chain(rounded);
        etas.reduce(|a, b| a.hull(&b))
    }
}

/// `x 2^by`
fn scaled(x: &Number, by: i32) -> Number {
    Number::new(x.significand().clone(), x.exponent() + by as isize)
}

impl Member {
    /// The input whose reduced argument is `r`, if there is one.
    pub(super) fn input(&self, r: &Number) -> Option<f64> {
        if !zero(r) && r.exponent() < self.grid as isize {
            return None;
        }
        let x = scaled(&(r - &self.shift.lo), self.by);
        // A cell has one sign, and so has its zero.
        let double = match double_below(&x) {
            0.0 => 0f64.copysign(self.lo),
            x => x,
        };
        (double.is_finite() && exact(double) == x && self.lo <= double && double <= self.hi)
            .then_some(double)
    }

    /// The first and the last input that may be on a stretch of the core's inputs.
    pub(super) fn ends(&self, lo: f64, hi: f64) -> (f64, f64) {
        let end = |r: f64, shift: &Number| scaled(&(exact(r) - shift.clone()), self.by);
        let first = match double_below(&end(lo, &self.shift.hi)) {
            // Either zero may be an input.
            0.0 => -0.0,
            x => x,
        };
        let last = double_above(&end(hi, &self.shift.lo));
        (
            std::cmp::max_by(first, self.lo, f64::total_cmp),
            std::cmp::min_by(last, self.hi, f64::total_cmp),
        )
    }

    /// The number of these inputs on a stretch.
    pub(super) fn inputs(&self, lo: f64, hi: f64) -> f64 {
        let (lo, hi) = self.ends(lo, hi);
        if lo > hi {
            return 0.0;
        }
        (rank(hi) - rank(lo) + 1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::{Words, at, place};

    /// For each input of a cell, the reduced argument is exact: the member finds the input again, and the input is among those of the
    /// stretches that hold its argument.
    #[test]
    fn members_find_their_inputs() {
        let mut random = Words(1);
        let mut others = 0;
        for _ in 0..3000 {
            let mut far = || random.of(&[1.0, 0.37, 2f64.powi(-20), 1000.0, 2f64.powi(-1060)]);
            let (start, shift) = (far(), far());
            let by = random.of(&[0, 0, 0, 1, -3, 40, -60]);
            let shift = match random.below(3) {
                _ if by != 0 => 0.0,
                0 => 0.0,
                1 => shift,
                _ => -shift,
            };
            let lo = if random.below(2) == 0 { start } else { -start };
            let hi = at(place(lo) + random.below(40) as i64);
            let of = |x: f64| scaled(&exact(x), -by) + exact(shift);
            let inputs: Vec<f64> = (place(lo)..=place(hi)).map(at).collect();
            let grid = |x: &Number| {
                if zero(x) {
                    i32::MAX
                } else {
                    x.exponent() as i32
                }
            };
            let grid = inputs
                .iter()
                .map(|&x| grid(&of(x)))
                .min()
                .map_or(0, |g| g.min(2000));
            let ends = (of(lo), of(hi));
            let member = Member {
                lo,
                hi,
                shift: Fine::double(shift),
                rounding: None,
                by,
                eta: Coarse::zero(),
                scale: 0,
                core: (double_below(&ends.0), double_above(&ends.1)),
                grid,
            };
            for &x in &inputs {
                let r = of(x);
                assert_eq!(member.input(&r), Some(x), "{lo:e} {shift:e} {by}");
                // There is no input between two arguments, or beyond those of the cell.
                let between = &r + &power(grid - 1);
                assert_eq!(member.input(&between), None);
                for (from, to) in [(-2, 3), (0, 0), (0, 5), (-7, 0)] {
                    let stretch = [
                        double_below(&of(at(place(x) + from))),
                        double_above(&of(at(place(x) + to))),
                    ];
                    let (first, last) = member.ends(stretch[0], stretch[1]);
                    assert!(first <= x && x <= last, "{lo:e} {shift:e} {by}");
                    assert!(lo <= first && last <= hi);
                    let count = (place(last) - place(first) + 1) as f64;
                    assert_eq!(member.inputs(stretch[0], stretch[1]), count);
                }
                others += 1;
            }
            for x in [at(place(lo) - 1), at(place(hi) + 1)] {
                assert_eq!(member.input(&of(x)), None);
            }
            let beyond = double_above(&of(hi));
            if beyond != 0.0 {
                assert_eq!(member.inputs(beyond + beyond.abs(), f64::MAX), 0.0);
            }
        }
        assert!(others > 10_000, "{others}");
    }

    /// Of the two zeros, the one with the cell's sign is the input.
    #[test]
    fn the_zero_is_that_of_the_cell() {
        let least = f64::from_bits(1);
        for (lo, hi, zero) in [
            (-0.0, -0.0, -0.0),
            (-3.0 * least, -0.0, -0.0),
            (0.0, 0.0, 0.0),
            (0.0, 2.0 * least, 0.0),
        ] {
            let member = Member {
                lo,
                hi,
                shift: Fine::zero(),
                rounding: None,
                by: 0,
                eta: Coarse::zero(),
                scale: 0,
                core: (lo, hi),
                grid: -1074,
            };
            let found = member.input(&Number::zero()).map(f64::to_bits);
            assert_eq!(found, Some(f64::to_bits(zero)), "{lo:e} {hi:e}");
        }
    }

    /// For rounded arguments, some of them rounded down to a power of two, η includes the rounding on each stretch with the result.
    #[test]
    fn etas_hold_each_rounding() {
        let mut random = Words(3);
        let (mut beyond, mut less) = (0, 0);
        let base = Fine::double(10.0).ln().expect("positive");
        for _ in 0..3000 {
            let e = -(random.below(8) as i32);
            let far = random.below(1 << 30) as i64 * if random.below(2) == 0 { 1 } else { 1 << 22 };
            // Less than a unit above a power of two, or anywhere.
            let r = power(e) + Number::new(far.into(), e as isize - 83);
            let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
            let (below, above) = (double_below(&r), double_above(&r));
            let nearest = if exact(above) - r.clone() < r.clone() - exact(below) {
                above
            } else {
                below
            };
            let off = (r.clone() - exact(nearest)) * exact(sign);
            let apart = Fine::double(random.of(&[0.0, 0.5, 0.37]));
            // The largest argument of the cell is 1.
            let rounding = Rounding {
                half: -53,
                apart: apart.clone(),
                base: base.clone(),
            };
            let d = rounding.offset(rounding.half);
            let member = Member {
                lo: 1.0,
                hi: 2.0,
                shift: Fine::zero(),
                rounding: Some(rounding),
                by: 0,
                eta: Coarse::zero(),
                scale: 0,
                core: (-2.0, 2.0),
                grid: -1074,
            };
            let line = Line {
                nodes: Vec::new(),
                result: 0,
            };
            let input = Node {
                kind: crate::residual::Kind::Input,
                site: 0,
                lo: -2.0,
                hi: 2.0,
                grid: -1074,
                rounding: None,
            };
            let mut class = Class::new(line, input, &d, true);
            class.add(member, -1074, &d);
            let members: Vec<&Member> = class.members.iter().collect();
            let due = relative_error(&apart.add(&base.mul(&Fine::of(off))).sub(&class.offset));
            let due: Coarse = due.to();
            let whole = class.members[0].eta.clone();
            for (lo, hi) in [
                (nearest, nearest),
                (0.5 * nearest, nearest),
                (nearest, 1.0f64.max(nearest)),
            ] {
                let (lo, hi) = if sign > 0.0 { (lo, hi) } else { (-hi, -lo) };
                let eta = class.eta(&members, lo, hi).expect("a member");
                assert!(
                    eta.lo <= due.lo && due.hi <= eta.hi,
                    "{nearest:e} {lo:e} {hi:e}"
                );
                assert!(
                    whole.lo <= eta.lo && eta.hi <= whole.hi,
                    "{nearest:e} {lo:e} {hi:e}"
                );
                less += u64::from(eta.hi < whole.hi);
            }
            beyond += u64::from(exact(nearest) == power(e) && r > power(e));
        }
        assert!(beyond > 1000 && less > 3000, "{beyond} {less}");
    }

    /// With a rounding in the shift, the ends hold the inputs of all its values.
    #[test]
    fn ends_hold_the_inputs_of_every_shift() {
        let mut random = Words(2);
        for _ in 0..2000 {
            let mut part = || random.below(1 << 30) as f64 * 2f64.powi(-30);
            let (x, shift, slack) = (1.0 + part(), part() - 2.0, part() * 2f64.powi(-20));
            let member = Member {
                lo: 1.0,
                hi: 2.0,
                shift: Fine::doubles(shift - slack, shift + slack),
                rounding: None,
                by: 0,
                eta: Coarse::zero(),
                scale: 0,
                core: (-2.0, 2.0),
                grid: -1074,
            };
            for s in [shift - slack, shift, shift + slack] {
                let r = exact(x) + exact(s);
                let (first, last) = member.ends(double_below(&r), double_above(&r));
                assert!(first <= x && x <= last, "{x:e} {s:e}");
                assert!(last - first <= 2.1 * slack + 1e-12);
            }
        }
    }
}
