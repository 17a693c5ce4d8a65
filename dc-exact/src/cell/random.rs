//! The known properties of a cell, compared with the values that random kernels compute on its inputs, operation by operation.

#[path = "../../../crunch-check/tests/support/kernels.rs"]
mod kernels;
#[path = "../../tests/parsed.rs"]
pub(crate) mod parsed;

use std::collections::HashMap;
use std::convert::Infallible;

use kernels::{Words, at, cell, kernel, place};
use kernels_gen::interp::{Bits, Domain, Site, eval};
use kernels_gen::ops::{Op, Prim};
use kernels_gen::program::TableData;
use parsed::program;

use super::domain::{Cells, Over};
use super::residual::Index;
use super::values::{number, signed};
use super::{BINARY64, Tight};
use crate::num::Interval;
use crate::num::float::grid;

/// The inputs that a cell is compared at.
const INPUTS: u64 = 24;

/// Both evaluations side by side: over the cell, and at its inputs.
struct Both<'a> {
    cells: Cells<'a>,
    /// The computed values of operations, at the inputs.
    computed: HashMap<Index, Vec<u64>>,
    /// The number of compared values of each kind.
    counts: [u64; 6],
    wrong: Option<String>,
}

impl Both<'_> {
    fn compared(&mut self, site: u32, ty: Prim, over: Over, words: Vec<u64>) -> (Over, Vec<u64>) {
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
                    (1, within(operation.values) && multiple)
                }
                Over::Step(range, may, _) => (2, within(range) || may && nan),
                Over::Int(range, _) => (
                    3,
                    range.lo <= signed(ty, word) && signed(ty, word) <= range.hi,
                ),
                Over::Line(_, range, _) => (
                    4,
                    range.lo <= signed(ty, word) && signed(ty, word) <= range.hi,
                ),
                Over::Word(i, plus, _) => match self.computed.get(&i) {
                    Some(of) => (5, of[k].wrapping_add(plus as u64) == word),
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

#[test]
fn what_is_known_of_a_cell_is_what_its_inputs_give() {
    let mut random = Words(2);
    let mut counts = [0; 6];
    let kernels = std::env::var("CELL_KERNELS").map_or(3000, |n| n.parse().expect("a number"));
    let tight = Tight::new();
    for _ in 0..kernels {
        let text = kernel(&mut random);
        let program = program(&text);
        for most in [u64::MAX, 4] {
            let (lo, hi) = cell(&mut random);
            // A zero is a cell of its own.
            if lo == hi || lo == 0.0 || hi == 0.0 {
                continue;
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
            let mut cells = Cells::new(&tight);
            cells.affine.most = most;
            let input = cells.input(Interval::new(lo, hi), BINARY64);
            let mut both = Both {
                cells,
                computed: HashMap::from([(0, words.clone())]),
                counts: [0; 6],
                wrong: None,
            };
            let Ok(_) = eval(&program, &mut both, &[(input, words.clone())]);
            if let Some(wrong) = both.wrong {
                panic!("{wrong}, on {lo:e}..={hi:e} at {words:x?}:\n{text}");
            }
            for (count, n) in counts.iter_mut().zip(both.counts) {
                *count += n;
            }
        }
    }
    println!("constants, operations, steps, integers, lines, bits: {counts:?}");
    assert!(counts.iter().all(|c| *c > kernels / 30), "{counts:?}");
}
