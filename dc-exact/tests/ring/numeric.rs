//! Random kernels of one float that resemble routines for functions: reductions, polynomials, tables, corrections.

use kernels_gen::ir::{
    BinOp, Block, Const, Expr, ExprKind, Kernel, Length, Loc, Param, Pat, Stmt, Table, Ty, UnOp,
};
use kernels_gen::ops::Prim;

use crate::random::Random;

pub(crate) type E = &'static Expr;

pub(crate) fn leak<T>(items: Vec<T>) -> &'static [T] {
    Box::leak(items.into_boxed_slice())
}

pub(crate) fn leak_str(text: &str) -> &'static str {
    Box::leak(text.to_string().into_boxed_str())
}

pub(crate) fn expr(kind: ExprKind) -> E {
    let loc = Loc { line: 1, col: 1 };
    Box::leak(Box::new(Expr { kind, loc }))
}

/// The library's error-free transformations, by their names and operations.
fn transformation(which: usize) -> &'static Kernel {
    let local = |n| expr(ExprKind::Local(n));
    let (a, b, s) = (local(0), local(1), local(2));
    let minus = |a, b| binary(BinOp::Sub, a, b);
    let (name, first, error) = match which {
        0 => {
            let b_seen = minus(s, a);
            let a_seen = minus(s, b_seen);
            let error = binary(BinOp::Add, minus(a, a_seen), minus(b, b_seen));
            ("two_sum", BinOp::Add, error)
        }
        1 => ("fast_two_sum", BinOp::Add, minus(b, minus(s, a))),
        _ => {
            let back = expr(ExprKind::Unary(UnOp::Neg, s));
            ("two_prod", BinOp::Mul, method("mul_add", a, &[b, back]))
        }
    };
    let param = |name| Param {
        name,
        ty: Ty::F64,
        length: Length::ANY,
    };
    Box::leak(Box::new(Kernel {
        name,
        module: "dc_runtime::builtins::eft",
        file: "eft.rs",
        line: 1,
        source: "",
        generics: &[],
        params: leak(vec![param("a"), param("b")]),
        ret: Ty::Dd,
        locals: leak(vec!["a", "b", "s"]),
        body: Block {
            stmts: leak(vec![Stmt::Let(Pat::Local(2), None, binary(first, a, b))]),
            value: Some(expr(ExprKind::Assoc(Ty::Dd, "new", leak(vec![*s, *error])))),
        },
    }))
}

/// Random kernel `number` of a seed.
#[must_use]
pub fn kernel(seed: u64, number: u64) -> &'static Kernel {
    let mut random = Random::of(seed, number);
    let prim = if random.chance(75) {
        Prim::F64
    } else {
        Prim::F32
    };
    kernel_of(prim, random, number)
}

/// A kernel of one precision: from the same random numbers, those of both are alike.
#[must_use]
pub fn kernel_of(prim: Prim, random: Random, number: u64) -> &'static Kernel {
    let mut maker = Maker {
        prim,
        stmts: Vec::new(),
        names: vec!["x"],
        random,
    };
    let steps = maker.random.within(1, 9);
    for _ in 0..steps {
        let value = maker.step();
        maker.bind(value);
    }
    of_one(
        &format!("numeric{number}"),
        ty(prim),
        maker.names,
        maker.stmts,
    )
}

/// A random kernel of one number: the names of its values, the first of which is the argument and the last the result.
pub(crate) fn of_one(
    name: &str,
    ty: Ty,
    names: Vec<&'static str>,
    stmts: Vec<Stmt>,
) -> &'static Kernel {
    let last = names.len() as u32 - 1;
    Box::leak(Box::new(Kernel {
        name: leak_str(name),
        module: "random",
        file: "random.rs",
        line: 1,
        source: "",
        generics: &[],
        params: leak(vec![Param {
            name: "x",
            ty,
            length: Length::ANY,
        }]),
        ret: ty,
        locals: leak(names),
        body: Block {
            stmts: leak(stmts),
            value: Some(local(last)),
        },
    }))
}

fn ty(prim: Prim) -> Ty {
    if prim == Prim::F32 { Ty::F32 } else { Ty::F64 }
}

struct Maker {
    prim: Prim,
    stmts: Vec<Stmt>,
    names: Vec<&'static str>,
    random: Random,
}

pub(crate) fn local(n: u32) -> E {
    expr(ExprKind::Local(n))
}

pub(crate) fn binary(op: BinOp, a: E, b: E) -> E {
    expr(ExprKind::Binary(op, a, b))
}

pub(crate) fn method(name: &'static str, a: E, args: &[E]) -> E {
    let args: Vec<Expr> = args.iter().map(|a| **a).collect();
    expr(ExprKind::Method(name, a, leak(args)))
}

fn int(n: i128) -> E {
    expr(ExprKind::Int(n))
}

impl Maker {
    fn bind(&mut self, value: E) -> E {
        let n = self.names.len() as u32;
        self.names.push(leak_str(&format!("v{n}")));
        self.stmts.push(Stmt::Let(Pat::Local(n), None, value));
        local(n)
    }

    /// A local, usually one of the last.
    fn value(&mut self) -> E {
        let n = self.names.len();
        let back = if self.random.chance(65) {
            self.random.below(n.min(2))
        } else {
            self.random.below(n)
        };
        local((n - 1 - back) as u32)
    }

    fn constant(&mut self, x: f64) -> E {
        expr(ExprKind::Const(if self.prim == Prim::F32 {
            Const::F32(x as f32)
        } else {
            Const::F64(x)
        }))
    }

    /// A number: of few bits, of many, next to a power of two.
    fn number(&mut self) -> f64 {
        let (small, large) = if self.random.chance(85) {
            (-3, 3)
        } else {
            (-30, 30)
        };
        let e = self.random.within(0, (large - small) as usize) as i32 + small;
        let sign = if self.random.chance(35) { -1.0 } else { 1.0 };
        let m = match self.random.below(8) {
            0 => 1.0,
            1 => 1.5,
            2 => 1.0 + self.random.below(64) as f64 / 64.0,
            3 => 1.0 + f64::from(f32::EPSILON),
            4 => f64::from(1.0 + self.random.below(1 << 23) as f32 / (1 << 23) as f32),
            _ => 1.0 + self.random.below(1 << 52) as f64 * f64::EPSILON,
        };
        sign * m * 2f64.powi(e)
    }

    fn any_constant(&mut self) -> E {
        let x = self.number();
        self.constant(x)
    }

    /// A local or a constant.
    fn operand(&mut self) -> E {
        if self.random.chance(40) {
            self.any_constant()
        } else {
            self.value()
        }
    }

    /// A statement's value, all of the same lane type.
    fn step(&mut self) -> E {
        let a = self.value();
        let wide = self.prim == Prim::F64;
        let int_of = if wide { "to_i64" } else { "to_i32" };
        let float_of = if wide { "to_f64" } else { "to_f32" };
        let choice = self.random.weighted(&[
            (26, 0),
            (24, 1),
            (8, 2),
            (5, 3),
            (8, 4),
            (5, 5),
            (4, 6),
            (12, 7),
            (9, 8),
            (6, 9),
            (6, 10),
            (6, 11),
            (5, 12),
            (6, 13),
            (5, 14),
            (3, 15),
            (4, 16),
        ]);
        match choice {
            0 => {
                let b = self.operand();
                let op = if self.random.chance(50) {
                    BinOp::Add
                } else {
                    BinOp::Sub
                };
                if self.random.chance(50) {
                    binary(op, a, b)
                } else {
                    binary(op, b, a)
                }
            }
            1 => {
                let b = self.operand();
                binary(BinOp::Mul, a, b)
            }
            2 => {
                let b = self.operand();
                if self.random.chance(50) {
                    binary(BinOp::Div, a, b)
                } else {
                    binary(BinOp::Div, b, a)
                }
            }
            3 => {
                let size = method("abs", a, &[]);
                method("sqrt", size, &[])
            }
            4 => {
                let (b, c) = (self.operand(), self.operand());
                method("mul_add", a, &[b, c])
            }
            5 => {
                let name = *self.random.pick(&["abs", "neg", "copysign"]);
                match name {
                    "neg" => expr(ExprKind::Unary(UnOp::Neg, a)),
                    "abs" => method("abs", a, &[]),
                    _ => {
                        let b = self.value();
                        method("copysign", a, &[b])
                    }
                }
            }
            6 => {
                let b = self.operand();
                let name = *self.random.pick(&["min", "max", "minimum", "maximum"]);
                method(name, a, &[b])
            }
            // Steps of Horner's scheme.
            7 => {
                let mut p = self.any_constant();
                for _ in 0..self.random.within(1, 4) {
                    let product = binary(BinOp::Mul, p, a);
                    let c = self.any_constant();
                    let sum = binary(BinOp::Add, product, c);
                    p = self.bind(sum);
                }
                p
            }
            // An argument's reduction, in one or two steps.
            8 => {
                let c = self.number();
                let step = self.number();
                let scaled = {
                    let c = self.constant(c);
                    binary(BinOp::Mul, a, c)
                };
                let name = *self
                    .random
                    .pick(&["round_ties_even", "floor", "trunc", "ceil"]);
                let n = self.bind(method(name, scaled, &[]));
                // A first part of few bits, so that the product is exact.
                let short = f64::from_bits(step.to_bits() >> 30 << 30);
                let first = {
                    let s = self.constant(short);
                    let p = binary(BinOp::Mul, n, s);
                    self.bind(binary(BinOp::Sub, a, p))
                };
                if self.random.chance(50) {
                    return first;
                }
                let rest = self.constant(step - short);
                let p = binary(BinOp::Mul, n, rest);
                binary(BinOp::Sub, first, p)
            }
            // A table's entry.
            9 => {
                let entries: Vec<f64> = (0..4).map(|_| self.number()).collect();
                let table = if wide {
                    Table::F64(leak(entries))
                } else {
                    Table::F32(leak(entries.iter().map(|&x| x as f32).collect()))
                };
                let n = method(int_of, method("floor", a, &[]), &[]);
                let index = binary(BinOp::And, n, int(3));
                let entry = expr(ExprKind::Index(
                    expr(ExprKind::Const(Const::Table(table))),
                    index,
                ));
                let op = *self.random.pick(&[BinOp::Mul, BinOp::Add, BinOp::Sub]);
                binary(op, a, entry)
            }
            // One of two values, chosen by a comparison.
            10 => {
                let (b, c) = (self.operand(), self.operand());
                let op = *self.random.pick(&[BinOp::Lt, BinOp::Ge, BinOp::Ne]);
                let mask = binary(op, a, c);
                let other = self.value();
                method("select", mask, &[b, other])
            }
            // A head of few bits and the remainder.
            11 => {
                let zeros = self.random.within(1, if wide { 40 } else { 16 });
                let mask = if wide {
                    expr(ExprKind::Const(Const::I64(-(1 << zeros))))
                } else {
                    int(-(1 << zeros))
                };
                let word = binary(BinOp::And, method("to_bits", a, &[]), mask);
                let head = expr(ExprKind::Assoc(
                    ty(self.prim),
                    "from_bits",
                    leak(vec![*word]),
                ));
                let head = self.bind(head);
                if self.random.chance(60) {
                    binary(BinOp::Sub, a, head)
                } else {
                    let b = self.operand();
                    binary(BinOp::Mul, head, b)
                }
            }
            // A rounding to a narrower format.
            12 if wide => {
                let narrow = method("to_f32", a, &[]);
                method(float_of, narrow, &[])
            }
            12 => {
                let b = self.operand();
                let product = binary(
                    BinOp::Mul,
                    method("to_f64", a, &[]),
                    method("to_f64", b, &[]),
                );
                method("to_f32", product, &[])
            }
            // The error of a product, or of a sum.
            13 => {
                let b = self.operand();
                let p = self.bind(binary(BinOp::Mul, a, b));
                let e = method("mul_add", a, &[b, expr(ExprKind::Unary(UnOp::Neg, p))]);
                let e = self.bind(e);
                let c = self.operand();
                let q = self.bind(binary(BinOp::Mul, p, c));
                binary(BinOp::Add, q, e)
            }
            14 => {
                let b = self.operand();
                let s = self.bind(binary(BinOp::Add, a, b));
                let seen = self.bind(binary(BinOp::Sub, s, a));
                let e = self.bind(binary(BinOp::Sub, b, seen));
                let c = self.operand();
                let p = binary(BinOp::Mul, s, c);
                binary(BinOp::Add, p, e)
            }
            15 => {
                let b = self.operand();
                let name = *self.random.pick(&[
                    "add_rz", "add_ru", "sub_rd", "mul_rz", "mul_ru", "mul_rd", "div_ru", "div_rz",
                ]);
                method(name, a, &[b])
            }
            // The library's transformations, whose calls are recognized.
            _ if wide => {
                let b = self.operand();
                let called = transformation(self.random.below(3));
                let call = expr(ExprKind::Call(called, leak(vec![*a, *b])));
                let low = self.random.chance(50);
                let field = |n| expr(ExprKind::Field(call, n));
                let high = self.bind(field(0));
                if low {
                    let c = self.operand();
                    let low = self.bind(field(1));
                    let p = binary(BinOp::Mul, high, c);
                    binary(BinOp::Add, p, low)
                } else {
                    high
                }
            }
            _ => {
                let b = self.operand();
                binary(BinOp::Mul, a, b)
            }
        }
    }
}
