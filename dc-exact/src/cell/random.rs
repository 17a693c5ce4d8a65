//! What is known of a cell, compared with what random kernels compute on its inputs, operation by operation.

#[path = "../../../crunch-check/tests/support/kernels.rs"]
mod kernels;

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;

use kernels::{Words, at, cell, kernel, place};
use kernels_gen::interp::{Bits, Domain, Site, eval};
use kernels_gen::ir::{Elem, Loc};
use kernels_gen::ops::{Op, Prim};
use kernels_gen::program::{Func, Inst, InstKind, Origin, Program, TableData, TableId, Value};
use kernels_gen::text::op_name;

use super::domain::{Cells, Over};
use super::residual::Index;
use super::values::{number, signed};
use super::{BINARY64, Tight};
use crate::num::Interval;
use crate::num::float::grid;

#[rustfmt::skip]
const OPS: [Op; 38] = [
    Op::Add, Op::Sub, Op::Mul, Op::Neg, Op::Min, Op::Max, Op::Div, Op::Fma, Op::Sqrt, Op::Recip, Op::Abs, Op::CopySign, Op::Floor, Op::Ceil,
    Op::Trunc, Op::RoundTiesEven, Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Eq, Op::Ne, Op::IsNan, Op::IsSignNegative, Op::ToF64, Op::ToF32,
    Op::ToI64, Op::ToI32, Op::ToBits, Op::FromBits, Op::And, Op::Or, Op::Xor, Op::Not, Op::Shl, Op::Shr, Op::ShrLogical, Op::Select,
];

/// The inputs that a cell is compared at.
const INPUTS: u64 = 24;

/// A kernel of one function, of its text.
fn program(text: &str) -> Program {
    let prim = |name: &str| match name {
        "f64" => Prim::F64,
        "f32" => Prim::F32,
        "i64" => Prim::I64,
        "i32" => Prim::I32,
        _ => Prim::Mask,
    };
    let bits = |word: &str| match word.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).expect("bits"),
        None => word.parse::<i64>().expect("an integer") as u64,
    };
    let number_of = |word: &str| word[1..].parse::<u32>().expect("a number");
    let mut tables: Vec<TableData> = Vec::new();
    let (mut insts, mut results) = (Vec::new(), Vec::new());
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("table ") {
            let (name, ty) = rest.split_once(": ").expect("a table");
            tables.push(TableData {
                name: name.into(),
                elem: if ty.starts_with('f') {
                    Elem::F64
                } else {
                    Elem::I64
                },
                bits: Vec::new(),
            });
        } else if let Some(word) = line.strip_prefix("  0x") {
            let bits = u64::from_str_radix(word, 16).expect("bits");
            tables.last_mut().expect("a table").bits.push(bits);
        } else if let Some(value) = line.strip_prefix("  return %") {
            results.push(Value(value.parse().expect("a number")));
        } else if line.starts_with("  %") {
            let (ty, rest) = line
                .split_once(": ")
                .expect("a type")
                .1
                .split_once(" = ")
                .expect("it");
            let words: Vec<&str> = rest.split([' ', ',']).filter(|w| !w.is_empty()).collect();
            let (args, what): (Vec<&str>, Vec<&str>) =
                words.iter().partition(|w| w.starts_with('%'));
            let kind = match what[0] {
                "param" => InstKind::Param(0),
                "const" => InstKind::Const(bits(what[1])),
                "load" => InstKind::Load(TableId(number_of(what[1]))),
                name => InstKind::Op(*OPS.iter().find(|&&op| op_name(op) == name).expect(name)),
            };
            insts.push(Inst {
                kind,
                args: args.iter().map(|a| Value(number_of(a))).collect(),
                ty: prim(ty),
                loc: Loc::default(),
                name: None,
            });
        }
    }
    let entry = Func {
        name: "f0".into(),
        origin: Arc::new(Origin::named("f0", "random")),
        params: vec![("x".into(), Prim::F64)],
        insts,
        results,
    };
    Program {
        funcs: vec![entry],
        tables,
    }
}

/// Both evaluations side by side: over the cell, and at its inputs.
struct Both<'a> {
    cells: Cells<'a>,
    /// The computed values of operations, at the inputs.
    computed: HashMap<Index, Vec<u64>>,
    /// How many values of each kind were compared.
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
