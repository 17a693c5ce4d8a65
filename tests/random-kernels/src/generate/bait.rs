//! Shapes that compilers like to improve, and must not: products that feed sums, cancellation, round trips.

use kernels_gen::ir::{BinOp, UnOp};
use kernels_gen::ops::Prim;

use super::function::Function;
use super::{binary, method, unary};
use crate::ast::{Block, Expr, Kind, Pat, Stmt, Ty};

use BinOp::{Add, And, Div, Mul, Or, Shl, Shr, Sub, Xor};

impl Function<'_> {
    pub fn bait(&mut self, prim: Prim, depth: usize) -> Expr {
        self.spend();
        match prim {
            Prim::F64 | Prim::F32 => self.float_bait(prim, depth),
            Prim::I64 | Prim::I32 => self.int_bait(prim, depth),
            Prim::Mask => self.mask_bait(depth),
        }
    }

    fn shallow(&mut self, prim: Prim, depth: usize) -> Expr {
        self.lane(prim, depth.min(1))
    }

    /// Twice the same value, without computing it twice: `{ let t = value; then(t, t) }`.
    fn twice(&mut self, value: Expr, then: impl FnOnce(Expr, Expr) -> Expr) -> Expr {
        let ty = value.ty.clone();
        self.scope(|f| {
            let local = f.declare(ty, &["twice", "p", "q"], false);
            let body = then(f.read(local), f.read(local));
            Expr::new(
                body.ty.clone(),
                Kind::Block(Block {
                    stmts: vec![Stmt::Let(Pat::Local(local), false, value)],
                    value: Some(Box::new(body)),
                }),
            )
        })
    }

    fn float_bait(&mut self, p: Prim, depth: usize) -> Expr {
        let (a, b, c) = (self.shallow(p, depth), self.leaf(p), self.leaf(p));
        let lit = |x: f64| Expr::new(Ty::Lane(p), Kind::Float(x));
        let to = |name: &str, e: Expr| method(name, e, vec![]);
        let (this, other) = match p {
            Prim::F64 => ("to_f64", "to_f32"),
            _ => ("to_f32", "to_f64"),
        };
        let product = binary(Mul, a.clone(), b.clone());
        match self.g.random.below(23) {
            0 | 1 => binary(Add, product, c),
            2 => binary(Add, c, product),
            3 => binary(Sub, product, c),
            4 => binary(Sub, c, product),
            5 => binary(Add, product, binary(Mul, c.clone(), c)),
            6 => self.twice(a, |x, y| binary(Sub, binary(Add, x, b), y)),
            7 => self.twice(a, |x, y| binary(Sub, x, y)),
            8 => binary(Mul, a, lit(0.0)),
            9 => binary(Add, a, lit(0.0)),
            10 => self.twice(a, |x, y| binary(Div, x, y)),
            11 => {
                let rest = unary(UnOp::Neg, product);
                method("mul_add", a, vec![b, rest])
            }
            12 => self.twice(product, |x, y| binary(Sub, binary(Add, x, c), y)),
            13 => to(this, to(other, a)),
            14 => {
                let (x, y) = (to(other, a), to(other, b));
                let op = *self.g.random.pick(&[Add, Sub, Mul, Div]);
                to(this, binary(op, x, y))
            }
            15 => {
                let whole = *self.g.random.pick(&["to_i64", "to_i32"]);
                to(this, to(whole, a))
            }
            16 => {
                // A sum with it rounds to an integer.
                let magic = if p == Prim::F64 {
                    6_755_399_441_055_744.0
                } else {
                    12_582_912.0
                };
                binary(Sub, binary(Add, a, lit(magic)), lit(magic))
            }
            17 => method("max", method("min", a, vec![b]), vec![c]),
            18 | 21 => {
                let name = *self.g.random.pick(&["min", "max"]);
                if self.g.random.chance(60) {
                    // Of zeros the sign shows which was taken.
                    return self.twice(a, |x, y| method(name, x, vec![unary(UnOp::Neg, y)]));
                }
                let zero = lit(if self.g.random.chance(50) { 0.0 } else { -0.0 });
                method(name, a, vec![zero])
            }
            19 => binary(Mul, binary(Div, a, b.clone()), b),
            20 => {
                let squares = binary(Add, product, binary(Mul, c.clone(), c));
                to("sqrt", squares)
            }
            _ => {
                let bits = to("to_bits", a);
                let one = Expr::new(bits.ty.clone(), Kind::Int(1));
                let op = *self.g.random.pick(&[Add, Sub, Xor]);
                let next = binary(op, bits, one);
                Expr::new(Ty::Lane(p), Kind::FromBits(Box::new(next)))
            }
        }
    }

    fn int_bait(&mut self, p: Prim, depth: usize) -> Expr {
        let (a, b, c) = (self.shallow(p, depth), self.leaf(p), self.leaf(p));
        let width = if p == Prim::I64 { 64 } else { 32 };
        let int = |n: i128| Expr::new(Ty::Lane(p), Kind::Int(n));
        let to = |name: &str, e: Expr| method(name, e, vec![]);
        let (this, other) = match p {
            Prim::I64 => ("to_i64", "to_i32"),
            _ => ("to_i32", "to_i64"),
        };
        match self.g.random.below(12) {
            0 => {
                let n = self.amount(p, 0);
                binary(Shr, binary(Shl, a, n.clone()), n)
            }
            // A rotation.
            1 => {
                let n = 1 + self.g.random.below(width - 1);
                let (left, right) = (int(n as i128), int((width - n) as i128));
                let low = method("shr_logical", a.clone(), vec![right]);
                binary(Or, binary(Shl, a, left), low)
            }
            2 => binary(Add, binary(Mul, a, b), c),
            3 => binary(And, binary(Xor, a, b), c),
            4 => self.twice(a, |x, y| binary(And, unary(UnOp::Neg, x), y)),
            5 => {
                let from = *self.g.random.pick(&[Prim::F64, Prim::F32]);
                let x = self.shallow(from, depth);
                to(this, x)
            }
            6 => method("max", method("min", a, vec![b]), vec![c]),
            7 => to(this, to(other, a)),
            8 => {
                let from = if p == Prim::I64 { Prim::F64 } else { Prim::F32 };
                let (x, y) = (self.shallow(from, depth), self.leaf(from));
                let op = *self.g.random.pick(&[Add, Sub, Mul, Div]);
                to("to_bits", binary(op, x, y))
            }
            9 => {
                let float = *self.g.random.pick(&["to_f64", "to_f32"]);
                to(this, to(float, a))
            }
            10 => {
                let mask = self.leaf(Prim::Mask);
                method("select", mask, vec![int(1), a])
            }
            _ => {
                let n = self.g.random.below(width);
                let ones = binary(Sub, binary(Shl, b, int(n as i128)), int(1));
                binary(And, a, ones)
            }
        }
    }

    fn mask_bait(&mut self, depth: usize) -> Expr {
        let p = self.g.random.weighted(&super::LANE_TYPES[..4]);
        let (a, b) = (self.shallow(p, depth), self.leaf(p));
        let f = *self.g.random.pick(&[Prim::F64, Prim::F32]);
        match self.g.random.below(6) {
            0 => self.twice(a, |x, y| {
                let less = binary(BinOp::Lt, x, b.clone());
                binary(BinOp::OrElse, less, binary(BinOp::Ge, y, b))
            }),
            1 => self.twice(a, |x, y| binary(BinOp::Ne, x, y)),
            2 => unary(UnOp::Not, binary(BinOp::Lt, a, b)),
            3 => {
                let (m, n, o) = (
                    self.leaf(Prim::Mask),
                    self.leaf(Prim::Mask),
                    self.leaf(Prim::Mask),
                );
                binary(BinOp::OrElse, binary(BinOp::AndAlso, m, n), o)
            }
            4 => {
                let x = self.shallow(f, depth);
                method("is_sign_negative", x, vec![])
            }
            _ => {
                let x = self.shallow(f, depth);
                self.twice(x, |x, y| {
                    let nan = method("is_nan", x, vec![]);
                    let zero = Expr::new(y.ty.clone(), Kind::Float(0.0));
                    binary(Xor, nan, binary(BinOp::Le, y, zero))
                })
            }
        }
    }
}
