//! The known properties of a cell, compared with the values that random kernels compute on its inputs, operation by operation.

#[path = "../../../crunch-check/tests/support/halves.rs"]
mod halves;
#[path = "../../../crunch-check/tests/support/kernels.rs"]
mod kernels;
#[path = "../../tests/parsed.rs"]
pub(crate) mod parsed;

use std::collections::HashMap;
use std::convert::Infallible;

use halves::halves;
pub(super) use kernels::{Words, cell};
use kernels::{at, kernel, place};
use kernels_gen::interp::{Bits, Domain, Site, eval};
use kernels_gen::ops::{Op, Prim};
use kernels_gen::program::{Program, TableData};
use parsed::program;

use super::domain::{Cells, Over};
use super::exactly::within;
use super::residual::{Index, Kind, Operation};
use super::values::{number, signed};
use super::{BINARY32, BINARY64, Tight};
use crate::num::Interval;
use crate::num::dyadic::Dyadic;
use crate::num::float::grid;

/// The inputs that a cell is compared at.
const INPUTS: u64 = 24;
/// Operations and lines are compared with exact arithmetic at the first of them.
const EXACT: usize = 5;

/// The kinds of values that are compared.
const KINDS: usize = 8;

/// Both evaluations side by side: over the cell, and at its inputs.
struct Both<'a> {
    cells: Cells<'a>,
    /// The computed values of operations, at the inputs.
    computed: HashMap<Index, Vec<u64>>,
    /// The number of compared values of each kind.
    counts: [u64; KINDS],
    /// The number of numbers that were made of lines, and of lines.
    made: [u64; 2],
    wrong: Option<String>,
}

impl Both<'_> {
    /// The value of an operation at an input, if the operation is one of the program's, the opposite of one, or one times a power of two.
    fn value(&self, i: Index, k: usize) -> Option<f64> {
        if let Some(words) = self.computed.get(&i) {
            return Some(f64::from_bits(words[k]));
        }
        match self.cells.operations[i as usize].kind {
            Kind::Neg(a) => self.value(a, k).map(|x| -x),
            Kind::Const(c) => Some(c),
            Kind::Mul(a, b) => Some(self.value(a, k)? * self.value(b, k)?),
            _ => None,
        }
    }

    /// Whether an operation gives the number `x` at the input `k`, in exact arithmetic and with its rounding.
    fn gives(&self, o: &Operation, k: usize, x: f64) -> bool {
        let value = |a: Index| {
            let of = &self.cells.operations[a as usize];
            let ty = match of.format == BINARY32 {
                true => Prim::F32,
                false => Prim::F64,
            };
            match of.kind {
                Kind::Const(c) => Some(Dyadic::of(c)),
                _ => Some(Dyadic::of(number(ty, self.computed.get(&a)?[k]))),
            }
        };
        let exact = || {
            Some(match o.kind {
                Kind::Add(a, b) => value(a)?.plus(&value(b)?),
                Kind::Sub(a, b) => value(a)?.minus(&value(b)?),
                Kind::Mul(a, b) => value(a)?.times(&value(b)?),
                Kind::Affine {
                    of, factor, plus, ..
                } => value(of)?
                    .times(&Dyadic::of(factor))
                    .plus(&Dyadic::of(plus)),
                _ => return None,
            })
        };
        let Some(exact) = exact() else { return true };
        let apart = Dyadic::of(x).minus(&exact);
        match (o.kind, o.rounding) {
            (Kind::Affine { deviation, .. }, _) => within(deviation, &apart, 0),
            (_, Some(r)) => within(r.error, &apart, r.unit),
            (_, None) => apart.is_zero(),
        }
    }

    fn compared(&mut self, site: u32, ty: Prim, over: Over, words: Vec<u64>) -> (Over, Vec<u64>) {
        // The value of an operation that an earlier one has given, as that gave it.
        let made = |s: &Self, k| match over {
            Over::Real(i) if ty == Prim::F64 => s.value(i, k),
            _ => None,
        };
        let known: Vec<Option<f64>> = (0..words.len()).map(|k| made(self, k)).collect();
        if let Over::Real(i) = over {
            self.computed.entry(i).or_insert_with(|| words.clone());
        }
        for (k, &word) in words.iter().enumerate() {
            let x = number(ty, word);
            let within = |range: Interval| range.lo <= x && x <= range.hi;
            let nan = ty.is_float() && x.is_nan();
            let (kind, holds) = match over {
                Over::Const(bits) => (0, bits == word || nan && number(ty, bits).is_nan()),
                Over::Real(i) => {
                    let operation = &self.cells.operations[i as usize];
                    let multiple = x == 0.0 || grid(x) >= operation.grid;
                    let inside = within(operation.values);
                    self.made[0] += u64::from(matches!(operation.kind, Kind::Affine { .. }));
                    let gives = k >= EXACT || !inside || self.gives(operation, k, x);
                    let same = known[k].is_none_or(|y| y.to_bits() == word);
                    self.counts[7] += u64::from(known[k].is_some());
                    (1, inside && multiple && gives && same)
                }
                Over::Step(range, may, _) => (2, within(range) || may && nan),
                Over::Int(range, _) => (
                    3,
                    range.lo <= signed(ty, word) && signed(ty, word) <= range.hi,
                ),
                Over::Line(i, range, _) => {
                    let integer = signed(ty, word);
                    let line = &self.cells.lines[i as usize];
                    self.made[1] += 1;
                    let holds = match self.computed.get(&line.operand()) {
                        Some(of) if k < EXACT => line.holds(of[k], integer),
                        _ => true,
                    };
                    (4, range.lo <= integer && integer <= range.hi && holds)
                }
                Over::Word(i, plus, _) => match self.value(i, k) {
                    Some(of) => (5, of.to_bits().wrapping_add(plus as u64) == word),
                    None => continue,
                },
                Over::Low(low, range, _) => match self.value(low.of, k) {
                    Some(of) => {
                        let mask = (1u64 << low.bits) - 1;
                        let bits = of.to_bits() & mask;
                        let is = bits == word & mask && (!low.exact || bits == word);
                        let x = signed(ty, word);
                        (6, is && range.lo <= x && x <= range.hi)
                    }
                    None => continue,
                },
                Over::Mask(_) => continue,
            };
            self.counts[kind] += 1;
            if !holds && self.wrong.is_none() {
                self.wrong = Some(format!(
                    "%{site}: input {k} gives {word:#x} ({x:e}), which is not {over:?}"
                ));
            }
        }
        (over, words)
    }
}

impl Domain for Both<'_> {
    type Value = (Over, Vec<u64>);
    type Refusal = Infallible;

    fn constant(&mut self, site: Site<'_>, ty: Prim, bits: u64) -> Result<Self::Value, Infallible> {
        Ok((
            self.cells.constant(site, ty, bits)?,
            vec![bits; INPUTS as usize],
        ))
    }

    fn op(
        &mut self,
        site: Site<'_>,
        op: Op,
        prims: &[Prim],
        args: &[&Self::Value],
    ) -> Result<Self::Value, Infallible> {
        let overs: Vec<&Over> = args.iter().map(|a| &a.0).collect();
        let over = self.cells.op(site, op, prims, &overs)?;
        let words = (0..INPUTS as usize).map(|k| {
            let words: Vec<&u64> = args.iter().map(|a| &a.1[k]).collect();
            Bits.op(op, prims, &words)
        });
        let (at, ty) = (site.number, site.instruction().ty);
        let words = words.collect();
        Ok(self.compared(at, ty, over, words))
    }

    fn load(
        &mut self,
        site: Site<'_>,
        table: &TableData,
        ty: Prim,
        index: &Self::Value,
    ) -> Result<Self::Value, Infallible> {
        let over = self.cells.load(site, table, ty, &index.0)?;
        let words = index.1.iter().map(|i| Bits.load(table, ty, i)).collect();
        Ok(self.compared(site.number, table.prim(), over, words))
    }
}

/// If the cell has several inputs, compares what is known about a kernel's values on it with those at its inputs. Returns the number of
/// compared values of each kind, and the numbers of lines and of numbers made from lines.
pub(super) fn compare(
    program: &Program,
    text: &str,
    (lo, hi): (f64, f64),
    most: u64,
    random: &mut Words,
) -> ([u64; KINDS], [u64; 2]) {
    // A zero is a cell of its own.
    if lo == hi || lo == 0.0 || hi == 0.0 {
        return Default::default();
    }
    let (first, last) = (place(lo), place(hi));
    let inputs = (0..INPUTS).map(|k| {
        at(match k {
            0 => first,
            1 => last,
            _ => first + random.below((last - first) as u64 + 1) as i64,
        })
    });
    let words: Vec<u64> = inputs.map(f64::to_bits).collect();
    let tight = Tight::new();
    let mut cells = Cells::new(&tight);
    cells.affine.most = most;
    let input = cells.input(Interval::new(lo, hi), BINARY64);
    let mut both = Both {
        cells,
        computed: HashMap::from([(0, words.clone())]),
        counts: [0; KINDS],
        made: [0; 2],
        wrong: None,
    };
    let Ok(_) = eval(program, &mut both, &[(input, words.clone())]);
    if let Some(wrong) = both.wrong {
        panic!("{wrong}, on {lo:e}..={hi:e} at {words:x?}:\n{text}");
    }
    (both.counts, both.made)
}

#[test]
fn what_is_known_of_a_cell_is_what_its_inputs_give() {
    let mut random = Words(2);
    let mut counts = [0; KINDS];
    let kernels = std::env::var("CELL_KERNELS").map_or(3000, |n| n.parse().expect("a number"));
    for n in 0..2 * kernels {
        let text = match n % 2 {
            0 => kernel(&mut random),
            _ => halves(&mut random),
        };
        let program = program(&text);
        for most in [u64::MAX, 4] {
            let cell = cell(&mut random);
            let (more, _) = compare(&program, &text, cell, most, &mut random);
            for (count, n) in counts.iter_mut().zip(more) {
                *count += n;
            }
        }
    }
    println!(
        "constants, operations, steps, integers, lines, bits, lower bits, known values: {counts:?}"
    );
    assert!(counts.iter().all(|c| *c > kernels / 30), "{counts:?}");
}
