//! Random well-typed kernels.
//!
//! | file | what |
//! |---|---|
//! | `mod` | a unit: helpers, then the kernel; outer constants and tables as they are needed |
//! | `function` | one function: parameters, statements, result |
//! | `expr` | expressions of a wanted type: every operator, every method of `ops::METHODS`, tables, calls, branches |
//! | `bait` | shapes that compilers like to improve: products that feed sums, cancellation, round trips |
//!
//! What may be an operand of what is decided by the IR's own type rule, [`kernels_gen::check::result_prim`], and the methods
//! are read from [`kernels_gen::ops::METHODS`]: a new one is generated from the day it is in the list.

mod bait;
mod expr;
mod function;

use kernels_gen::check::result_prim;
use kernels_gen::ir::{BinOp, Elem, UnOp};
use kernels_gen::ops::{METHODS, Method, Op, Prim};

use crate::ast::{Const, ConstValue, Expr, Kind, LIBRARY, Table, Ty, Unit, lane};
use crate::inputs;
use crate::random::Random;

/// Operations of a kernel with its helpers inlined, about at most.
pub const OPERATIONS: usize = 60;

/// Random kernel `number` of a seed.
#[must_use]
pub fn unit(seed: u64, number: u64) -> Unit {
    let mut generator = Generator {
        random: Random::of(seed, number),
        unit: Unit {
            module: "random".into(),
            file: "random.rs".into(),
            library: LIBRARY,
            ..Unit::default()
        },
        costs: Vec::new(),
        called: Vec::new(),
        number,
    };
    let helpers = generator
        .random
        .weighted(&[(45, 0), (28, 1), (17, 2), (10, 3)]);
    for helper in 0..=helpers {
        function::generate(&mut generator, helper == helpers);
    }
    generator.unit
}

struct Generator {
    random: Random,
    unit: Unit,
    /// Of each function, about how many operations it is with its calls.
    costs: Vec<usize>,
    /// Whether it is called.
    called: Vec<bool>,
    number: u64,
}

const LANE_TYPES: [(usize, Prim); 5] = [
    (36, Prim::F64),
    (24, Prim::F32),
    (16, Prim::I64),
    (14, Prim::I32),
    (10, Prim::Mask),
];

impl Generator {
    fn prim(&mut self) -> Prim {
        self.random.weighted(&LANE_TYPES)
    }

    fn elem(&mut self, prim: Prim) -> Option<Elem> {
        let unsigned = self.random.chance(30);
        Some(match (prim, unsigned) {
            (Prim::F64, _) => Elem::F64,
            (Prim::F32, _) => Elem::F32,
            (Prim::I64, false) => Elem::I64,
            (Prim::I64, true) => Elem::U64,
            (Prim::I32, false) => Elem::I32,
            (Prim::I32, true) => Elem::U32,
            (Prim::Mask, _) => return None,
        })
    }

    fn bits(&mut self, prim: Prim) -> u64 {
        if self.random.chance(40) {
            inputs::special_value(prim, self.random.below(32))
        } else {
            inputs::pick(prim, None, &mut self.random)
        }
    }

    fn constant(&mut self, value: ConstValue) -> usize {
        let found = self.unit.consts.iter().position(|c| c.value == value);
        found.unwrap_or_else(|| {
            let name = format!("C{}", self.unit.consts.len());
            self.unit.consts.push(Const { name, value });
            self.unit.consts.len() - 1
        })
    }

    /// A constant of a lane type; of masks there are none.
    fn number(&mut self, prim: Prim) -> Option<Expr> {
        let elem = self.elem(prim)?;
        let bits = self.bits(prim);
        let n = self.constant(ConstValue::Number(elem, bits));
        Some(Expr::new(Ty::Lane(prim), Kind::Const(n)))
    }

    fn usize(&mut self, n: usize) -> Expr {
        let n = self.constant(ConstValue::Usize(n));
        Expr::new(Ty::Index, Kind::Const(n))
    }

    /// A table of that element's lane type, there already or not.
    fn table(&mut self, elem: Elem) -> usize {
        let same: Vec<usize> = (0..self.unit.tables.len())
            .filter(|&t| self.unit.tables[t].elem == elem)
            .collect();
        if !same.is_empty() && self.random.chance(60) {
            return *self.random.pick(&same);
        }
        let length = *self.random.pick(&[1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 16, 33]);
        let bits = (0..length).map(|_| self.bits(lane(elem))).collect();
        let name = format!("T{}", self.unit.tables.len());
        let is_static = self.random.chance(40);
        self.unit.tables.push(Table {
            name,
            elem,
            bits,
            is_static,
        });
        self.unit.tables.len() - 1
    }
}

/// `a op b` on lanes; shifts and comparisons included.
fn binary(op: BinOp, a: Expr, b: Expr) -> Expr {
    let on = match (&a.ty, &b.ty) {
        (Ty::Lane(p), _) => *p,
        (_, Ty::Lane(p)) => *p,
        _ => Prim::F64,
    };
    let ty = op
        .on_lanes()
        .and_then(|op| result_prim(op, &[on, on]))
        .map_or(Ty::Index, Ty::Lane);
    Expr::new(ty, Kind::Binary(op, Box::new(a), Box::new(b)))
}

fn unary(op: UnOp, a: Expr) -> Expr {
    Expr::new(a.ty.clone(), Kind::Unary(op, Box::new(a)))
}

/// `a.name(args)`
fn method(name: &str, a: Expr, args: Vec<Expr>) -> Expr {
    let m = kernels_gen::ops::method(name).expect("a method of the list");
    let ty = match (m.op, &a.ty) {
        (Op::Select, _) => args[0].ty.clone(),
        (_, Ty::Lane(p)) => Ty::Lane(result_of(m, *p).expect("it exists on the type")),
        _ => a.ty.clone(),
    };
    Expr::new(ty, Kind::Method(m.name, Box::new(a), args))
}

/// What a method gives on a receiver of that type, its arguments being of the same; nothing of `select`.
fn result_of(m: &Method, on: Prim) -> Option<Prim> {
    result_prim(m.op, &vec![on; m.arity + 1])
}

/// Methods that give a lane type, with the receiver's; `select` does on a mask.
fn methods_giving(prim: Prim) -> Vec<(&'static Method, Prim)> {
    let mut all = Vec::new();
    for m in METHODS {
        for &on in m.on {
            let gives = if m.op == Op::Select {
                Some(prim)
            } else {
                result_of(m, on)
            };
            if gives == Some(prim) {
                all.push((m, on));
            }
        }
    }
    all
}

/// Operators that give a lane type, with the operands'.
fn operators_giving(prim: Prim) -> Vec<(BinOp, Prim)> {
    let mut all = Vec::new();
    for op in crate::tree::OPERATORS {
        for (_, on) in LANE_TYPES {
            let logic = matches!(op, BinOp::AndAlso | BinOp::OrElse);
            if op.on_lanes().and_then(|op| result_prim(op, &[on, on])) == Some(prim)
                && (!logic || on == Prim::Mask)
            {
                all.push((op, on));
            }
        }
    }
    all
}
