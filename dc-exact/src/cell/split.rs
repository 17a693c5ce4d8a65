//! Where to cut a cell on which a kernel has no residual: at the place where a value changes that should be constant.

use std::convert::Infallible;

use kernels_gen::interp::{Bits, Domain, Site, eval};
use kernels_gen::ops::{Op, Prim};
use kernels_gen::program::{Func, InstKind, Program, TableData, Value};
use kernels_gen::text::op_name;

use super::residual::Label;
use super::values::bits;
use super::{Cell, between, input_format, next};
use crate::num::float::Format;

/// Cells with more inputs than this are not cut next to an end.
const FEW: u64 = 64;
/// They are also not cut where a part would have less than this share of the inputs, as a power of two, if the value differs at most
/// inputs.
const SMALL: u32 = 10;

/// Four times the largest number of values at whose changes a cell is cut at once.
const MANY: usize = 256;

/// The values that a kernel computes at single inputs.
#[derive(Debug)]
pub struct Values {
    program: Program,
    format: Format,
    /// The index of the instruction of each site; sites of calls and parameters have none.
    instructions: Vec<Option<usize>>,
    /// All instructions except constants, in order.
    steps: Vec<Step>,
    words: Vec<u64>,
}

/// An instruction with its operands, looked up once for many inputs.
#[derive(Debug, Clone, Copy)]
struct Step {
    at: usize,
    kind: InstKind,
    count: usize,
    args: [usize; 3],
    prims: [Prim; 3],
}

impl Step {
    /// `None` for a constant, for a low word, which is far below what decides where a cell is cut and remains 0, and for what an inlined program does not have.
    fn new(entry: &Func, at: usize) -> Option<Step> {
        let inst = &entry.insts[at];
        if !matches!(
            inst.kind,
            InstKind::Param(0) | InstKind::Op(_) | InstKind::Load(_)
        ) {
            return None;
        }
        let (mut args, mut prims) = ([0; 3], [inst.ty; 3]);
        for (k, &a) in inst.args.iter().enumerate() {
            (args[k], prims[k]) = (a.0 as usize, entry.ty(a));
        }
        Some(Step {
            at,
            kind: inst.kind,
            count: inst.args.len(),
            args,
            prims,
        })
    }
}

impl Values {
    /// Prepares the evaluation of a kernel.
    #[must_use]
    pub fn new(program: &Program) -> Values {
        let mut order = Vec::new();
        each_site(program, |site| order.push(site.number));
        let inlined = program.inlined();
        let entry = inlined.entry();
        let computed =
            (0..entry.insts.len()).filter(|&i| !matches!(entry.insts[i].kind, InstKind::Param(_)));
        let mut instructions = Vec::new();
        for (site, i) in order.iter().zip(computed) {
            instructions.resize(*site as usize, None);
            instructions.push(Some(i));
        }
        let word = |kind: InstKind| match kind {
            InstKind::Const(c) => c,
            _ => 0,
        };
        Values {
            words: entry.insts.iter().map(|i| word(i.kind)).collect(),
            steps: (0..entry.insts.len())
                .filter_map(|i| Step::new(entry, i))
                .collect(),
            format: input_format(program),
            program: inlined,
            instructions,
        }
    }

    /// The bits of the value that a site has at an input; `None` for a site without a value.
    pub fn at(&mut self, site: u32, x: f64) -> Option<u64> {
        let last = (*self.instructions.get(site as usize)?)?;
        self.compute(last, x);
        Some(self.words[last])
    }

    /// Computes the values of the instructions up to `last` at an input.
    fn compute(&mut self, last: usize, x: f64) {
        for step in self.steps.iter().take_while(|s| s.at <= last) {
            let args = step.args.map(|a| self.words[a]);
            self.words[step.at] = match step.kind {
                InstKind::Op(op) => {
                    let refs = [&args[0], &args[1], &args[2]];
                    Bits.op(op, &step.prims[..step.count], &refs[..step.count])
                }
                InstKind::Load(table) => {
                    Bits.load(self.program.table(table), step.prims[0], &args[0])
                }
                _ => bits(step.prims[0], x),
            };
        }
    }

    /// The bits of the kernel's first result at an input.
    pub fn result(&mut self, x: f64) -> u64 {
        let out = self.program.entry().results[0].0;
        // The result may be the input itself.
        self.compute(self.words.len() - 1, x);
        let ty = self.program.entry().insts[out as usize].ty;
        kernels_gen::interp::canonical(ty, self.words[out as usize])
    }

    /// Cuts a cell between two neighbouring inputs at which the value of a site differs, or in its middle if it is the
    /// same at both ends. `None` for a single input.
    pub fn cut_at_change(&mut self, cell: Cell, site: u32) -> Option<(Cell, Cell)> {
        self.cut(cell, |values, x| values.at(site, x))
    }

    /// Cuts a cell at all changes of the value of a site, if it has only few values, each at a good part of the inputs. Cut in two instead, the parts of
    /// the cell would be examined again and again. `None` if it has not.
    pub(crate) fn cut_at_changes(&mut self, cell: Cell, site: u32) -> Option<Vec<Cell>> {
        let format = self.format;
        let ends =
            |values: &mut Values, c: Cell| Some([values.at(site, c.lo)?, values.at(site, c.hi)?]);
        let of_cell = ends(self, cell)?;
        let mut parts = vec![(cell, of_cell)];
        let mut count = 0;
        for _ in 0..=MANY.ilog2() {
            let mut halves = Vec::with_capacity(2 * parts.len());
            for (part, [first, last]) in parts {
                match part.halves(format) {
                    Some((a, b)) if first != last => {
                        let middle = [self.at(site, a.hi)?, self.at(site, b.lo)?];
                        halves.extend([(a, [first, middle[0]]), (b, [middle[1], last])]);
                    }
                    _ => halves.push((part, [first, last])),
                }
            }
            parts = halves;
            let mut values: Vec<u64> = parts.iter().flat_map(|p| p.1).collect();
            values.dedup();
            count = values.len();
            if count > MANY / 4 {
                return None;
            }
        }
        if count < 3 {
            return None;
        }
        let mut cut = Vec::with_capacity(count);
        let mut lo = cell.lo;
        let mut before = of_cell[0];
        for (part, [first, last]) in parts {
            if first != before {
                cut.push(Cell {
                    lo,
                    hi: -next(-part.lo, format),
                });
                (lo, before) = (part.lo, first);
            }
            if last == first {
                continue;
            }
            let (mut below, mut above) = (part.lo, part.hi);
            while next(below, format) < above {
                let middle = between(below, above, format);
                match self.at(site, middle)? == first {
                    true => below = middle,
                    false => above = middle,
                }
            }
            cut.push(Cell { lo, hi: below });
            (lo, before) = (above, last);
        }
        cut.push(Cell { lo, hi: cell.hi });
        Some(cut)
    }

    /// Whether the value of a site is the same at both ends of a cell.
    pub(crate) fn same_at_ends(&mut self, cell: Cell, site: u32) -> bool {
        self.at(site, cell.lo) == self.at(site, cell.hi)
    }

    /// Cuts a cell between two neighbouring inputs at which an integer differs in the bits that a site, its operation with a constant mask,
    /// does not let pass. Otherwise the same as [`Values::cut_at_change`].
    pub fn cut_at_carry(&mut self, cell: Cell, site: u32) -> Option<(Cell, Cell)> {
        let Some((of, passes)) = self.mask(site) else {
            return self.cut_at_change(cell, site);
        };
        self.cut(cell, |values, x| {
            values.compute(of, x);
            Some(values.words[of] & !passes)
        })
    }

    /// The operand of a mask, and the bits that it lets pass.
    fn mask(&self, site: u32) -> Option<(usize, u64)> {
        let entry = self.program.entry();
        let inst = &entry.insts[(*self.instructions.get(site as usize)?)?];
        let [a, b] = inst.args[..] else { return None };
        let constant = |v: Value| match entry.insts[v.0 as usize].kind {
            InstKind::Const(c) => Some(c),
            _ => None,
        };
        let (of, c) = match (constant(a), constant(b)) {
            (_, Some(c)) => (a, c),
            (Some(c), _) => (b, c),
            _ => return None,
        };
        let passes = match inst.kind {
            InstKind::Op(Op::And) => c,
            InstKind::Op(Op::Or | Op::Xor) => !c,
            _ => return None,
        };
        Some((of.0 as usize, passes))
    }

    /// Cuts a cell between two neighbouring inputs at which the binade (or the sign) of the value of a site, a binary64 number, differs.
    /// Otherwise the same as [`Values::cut_at_change`].
    pub fn cut_at_binade(&mut self, cell: Cell, site: u32) -> Option<(Cell, Cell)> {
        // The search starts at the end with the larger number, so that the binades around a zero stay together.
        let size = |bits: Option<u64>| bits.map(|b| b << 1);
        let ends = [self.at(site, cell.lo), self.at(site, cell.hi)].map(size);
        let binade = |values: &mut Values, x| values.at(site, x).map(|bits| bits >> 52);
        if ends[0] >= ends[1] {
            return self.cut(cell, binade);
        }
        let of_hi = binade(self, cell.hi);
        self.cut(cell, |values, x| {
            Some(u64::from(binade(values, x) == of_hi))
        })
    }

    fn cut(
        &mut self,
        cell: Cell,
        value: impl Fn(&mut Values, f64) -> Option<u64>,
    ) -> Option<(Cell, Cell)> {
        let format = self.format;
        let first = value(self, cell.lo);
        if first == value(self, cell.hi) {
            return cell.halves(format);
        }
        let (mut lo, mut hi) = (cell.lo, cell.hi);
        while next(lo, format) < hi {
            let middle = between(lo, hi, format);
            if value(self, middle) == first {
                lo = middle;
            } else {
                hi = middle;
            }
        }
        if (lo == cell.lo || hi == cell.hi) && cell.count(format) > FEW {
            // The value differs at each input: a cut at a change would make no progress.
            return cell.halves(format);
        }
        let (a, b) = (Cell { hi: lo, ..cell }, Cell { lo: hi, ..cell });
        let least = a.count(format).min(b.count(format));
        if least < cell.count(format) >> SMALL && self.has_many_values(cell, value) {
            // Nor does one where a few neighbours have the same value, as with roots.
            let one_sign = cell.lo != 0.0 && cell.hi != 0.0;
            let at_binade = cell.at_binade(format).filter(|_| one_sign);
            return at_binade.or_else(|| cell.halves(format));
        }
        Some((a, b))
    }

    /// Whether a value differs at each of some places all over a cell, like that of a monotone function.
    fn has_many_values(
        &mut self,
        cell: Cell,
        value: impl Fn(&mut Values, f64) -> Option<u64>,
    ) -> bool {
        let mut parts = vec![cell];
        for _ in 0..4 {
            parts = (parts.into_iter())
                .flat_map(|c| c.halves(self.format).map_or(vec![c], |(a, b)| vec![a, b]))
                .collect();
        }
        let mut values: Vec<Option<u64>> = parts.iter().map(|c| value(self, c.lo)).collect();
        values.sort_unstable();
        values.dedup();
        values.len() == parts.len()
    }
}

/// The place in the source of an operation of a kernel, or of a table that it reads.
#[must_use]
pub fn label(program: &Program, site: u32) -> Option<Label> {
    let mut found = None;
    each_site(program, |at| {
        if at.number == site {
            found = match at.instruction().kind {
                InstKind::Op(op) => Some(Label::of(at, op_name(op))),
                InstKind::Load(_) => Some(Label::of(at, "table entry".into())),
                _ => None,
            };
        }
    });
    found
}

/// Calls `visit` at the site of everything that a kernel computes, in order.
fn each_site(program: &Program, visit: impl FnMut(Site<'_>)) {
    let ones: Vec<u64> = (program.entry().params.iter())
        .map(|p| bits(p.1, 1.0))
        .collect();
    let Ok(_) = eval(program, &mut Sites(visit), &ones);
}

/// An evaluation of bits that calls a function at each site.
struct Sites<F>(F);

impl<F: FnMut(Site<'_>)> Domain for Sites<F> {
    type Value = u64;
    type Refusal = Infallible;
    fn constant(&mut self, site: Site<'_>, _: Prim, bits: u64) -> Result<u64, Infallible> {
        (self.0)(site);
        Ok(bits)
    }
    fn op(
        &mut self,
        site: Site<'_>,
        op: Op,
        prims: &[Prim],
        args: &[&u64],
    ) -> Result<u64, Infallible> {
        (self.0)(site);
        Ok(Bits.op(op, prims, args))
    }
    fn load(
        &mut self,
        site: Site<'_>,
        table: &TableData,
        ty: Prim,
        index: &u64,
    ) -> Result<u64, Infallible> {
        (self.0)(site);
        Ok(Bits.load(table, ty, index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::random::parsed::program;

    /// Its second site changes at every integer.
    const FLOOR: &str = "fn f0\n  %0: f64 = param\n  %1: f64 = floor %0\n  return %1\n";

    #[test]
    fn parts_between_all_changes_have_one_value_each() {
        let mut values = Values::new(&program(FLOOR));
        let (lo, hi) = (1.25, 40.5);
        let parts = values.cut_at_changes(Cell { lo, hi }, 1).expect("parts");
        assert_eq!(parts.len(), 40);
        assert!(parts[0].lo == lo && parts[39].hi == hi);
        for (k, part) in parts.iter().enumerate() {
            let floor = 1.0 + k as f64;
            assert_eq!([part.lo.floor(), part.hi.floor()], [floor; 2], "{part:?}");
            let next = parts.get(k + 1).map_or(hi.next_up(), |p| p.lo);
            assert_eq!(part.hi.next_up(), next, "{part:?}");
        }
        // Below zero, where magnitudes descend.
        let below = values.cut_at_changes(Cell { lo: -hi, hi: -lo }, 1);
        let below = below.expect("parts");
        assert_eq!(below.len(), 40);
        assert!((below.windows(2)).all(|w| w[0].hi.next_up() == w[1].lo));
        // Two values are cut as ever, and so are too many.
        let mut none = |lo, hi| values.cut_at_changes(Cell { lo, hi }, 1).is_none();
        assert!([(1.5, 1.75), (1.5, 2.5), (1.0, 1e4)].map(|(lo, hi)| none(lo, hi)) == [true; 3]);
    }
}
