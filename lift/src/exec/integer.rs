//! Integer operations, computed from those of lanes, which are signed and have 32 or 64 bits. The upper bits of a narrower integer are
//! zeros.

use kernels_gen::ops::{Op, Prim};

use super::state::{Exec, Res};
use crate::graph::{Id, width};

/// The lanes for that many bits.
fn prim(bits: u32) -> Prim {
    match bits {
        1 => Prim::Mask,
        2..=32 => Prim::I32,
        _ => Prim::I64,
    }
}

impl Exec<'_> {
    /// An operation with a constant.
    pub(super) fn with(&mut self, op: Op, x: Id, k: i64) -> Id {
        let k = self.g.int(self.g.ty(x), k);
        self.g.op(op, &[x, k])
    }
    /// Whether two integers or masks are equal.
    pub(super) fn equal(&mut self, a: Id, b: Id) -> Id {
        if self.g.ty(a) == Prim::Mask {
            let differ = self.g.op(Op::Xor, &[a, b]);
            return self.g.op(Op::Not, &[differ]);
        }
        self.g.op(Op::Eq, &[a, b])
    }
    /// Clears the bits above an integer's width.
    pub(super) fn narrow(&mut self, bits: u32, x: Id) -> Id {
        if bits == width(self.g.ty(x)) {
            return x;
        }
        let mask = self.g.bits(self.g.ty(x), u64::MAX >> (64 - bits));
        self.g.op(Op::And, &[x, mask])
    }
    /// An integer's signed value, in the lanes that it occupies.
    pub(super) fn sign(&mut self, bits: u32, x: Id) -> Id {
        let up = i64::from(width(self.g.ty(x)) - bits);
        if up == 0 {
            return x;
        }
        let x = self.with(Op::Shl, x, up);
        self.with(Op::Shr, x, up)
    }
    /// `zext`
    pub(super) fn extend(&mut self, from: u32, x: Id, to: u32) -> Id {
        if from == 1 {
            let p = prim(to);
            if p == Prim::Mask {
                return x;
            }
            let (one, zero) = (self.g.int(p, 1), self.g.int(p, 0));
            return self.g.op(Op::Select, &[x, one, zero]);
        }
        if prim(from) == prim(to) {
            return x;
        }
        let negative = !self.g.not_negative(x);
        let x = self.g.op(Op::ToI64, &[x]);
        // A lane of 32 bits with all bits in use: its sign is none.
        if negative {
            self.with(Op::And, x, 0xffff_ffff)
        } else {
            x
        }
    }
    /// `sext`
    pub(super) fn sign_extend(&mut self, from: u32, x: Id, to: u32) -> Id {
        if from == 1 {
            let (ones, zero) = (self.g.int(prim(to), -1), self.g.int(prim(to), 0));
            let x = self.g.op(Op::Select, &[x, ones, zero]);
            return self.narrow(to, x);
        }
        let mut x = self.sign(from, x);
        if prim(from) != prim(to) {
            x = self.g.op(Op::ToI64, &[x]);
        }
        self.narrow(to, x)
    }
    /// `trunc`
    pub(super) fn truncate(&mut self, from: u32, x: Id, to: u32) -> Id {
        if from == to {
            return x;
        }
        if to == 1 {
            let low = self.with(Op::And, x, 1);
            return self.with(Op::Ne, low, 0);
        }
        let x = if prim(from) == prim(to) {
            x
        } else {
            self.g.op(Op::ToI32, &[x])
        };
        self.narrow(to, x)
    }

    /// A comparison of integers by LLVM's predicate.
    pub(super) fn compare(&mut self, predicate: &str, bits: u32, a: Id, b: Id) -> Res<Id> {
        if bits == 1 {
            let (na, nb) = (self.g.op(Op::Not, &[a]), self.g.op(Op::Not, &[b]));
            return Ok(match predicate {
                "eq" => self.equal(a, b),
                "ne" => self.g.op(Op::Xor, &[a, b]),
                // True is 1 without a sign, -1 with one.
                "ult" | "sgt" => self.g.op(Op::And, &[na, b]),
                "ugt" | "slt" => self.g.op(Op::And, &[a, nb]),
                "ule" | "sge" => self.g.op(Op::Or, &[na, b]),
                _ => self.g.op(Op::Or, &[a, nb]),
            });
        }
        let op = match &predicate[predicate.len() - 2..] {
            "eq" => Op::Eq,
            "ne" => Op::Ne,
            "lt" => Op::Lt,
            "le" => Op::Le,
            "gt" => Op::Gt,
            "ge" => Op::Ge,
            _ => {
                return Err(self.refuse(
                    format!("the comparison `{predicate}` is not known"),
                    "report it",
                ));
            }
        };
        let unsigned = predicate.starts_with('u');
        let (a, b) = match (predicate.starts_with('s'), unsigned) {
            (true, _) => (self.sign(bits, a), self.sign(bits, b)),
            (_, true) if !(self.g.not_negative(a) && self.g.not_negative(b)) => {
                (self.flip(a), self.flip(b))
            }
            _ => (a, b),
        };
        Ok(self.g.op(op, &[a, b]))
    }
    /// Maps an unsigned integer to a signed one with the same order, by inverting the top bit.
    fn flip(&mut self, x: Id) -> Id {
        let top = match self.g.ty(x) {
            Prim::I32 => i64::from(i32::MIN),
            _ => i64::MIN,
        };
        self.with(Op::Xor, x, top)
    }

    /// A binary operation on integers.
    pub(super) fn binary(&mut self, op: &str, bits: u32, a: Id, b: Id) -> Res<Id> {
        if bits == 1 {
            return Ok(match op {
                "and" | "mul" => self.g.op(Op::And, &[a, b]),
                "or" => self.g.op(Op::Or, &[a, b]),
                "xor" | "add" | "sub" => self.g.op(Op::Xor, &[a, b]),
                // By 1 or by 0, which has no meaning; shifts by 0.
                _ => a,
            });
        }
        let direct = match op {
            "add" => Op::Add,
            "sub" => Op::Sub,
            "mul" => Op::Mul,
            "and" => Op::And,
            "or" => Op::Or,
            "xor" => Op::Xor,
            "shl" => Op::Shl,
            "lshr" => Op::ShrLogical,
            "ashr" => Op::Shr,
            _ => return self.divide(op, bits, a, b),
        };
        let a = if direct == Op::Shr {
            self.sign(bits, a)
        } else {
            a
        };
        let x = match self.rejoin(direct, a, b) {
            Some(x) => x,
            None => self.g.op(direct, &[a, b]),
        };
        Ok(match direct {
            Op::And | Op::Or | Op::Xor | Op::ShrLogical => x,
            _ => self.narrow(bits, x),
        })
    }

    fn divide(&mut self, op: &str, bits: u32, a: Id, b: Id) -> Res<Id> {
        let signed = op.starts_with('s');
        let remainder = op.ends_with("rem");
        let (x, y) = match signed {
            true => (self.sign(bits, a), self.sign(bits, b)),
            false => (a, b),
        };
        let power = self.g.integer(y).filter(|&k| k > 0 && k & (k - 1) == 0);
        let quotient = if let Some(k) = power {
            let shift = i64::from(k.trailing_zeros());
            let mut x = x;
            if signed && shift > 0 {
                // Toward zero: below it, one less than the divisor is added.
                let top = i64::from(width(self.g.ty(x)) - 1);
                let negative = self.with(Op::Shr, x, top);
                let less = self.with(Op::And, negative, k - 1);
                x = self.g.op(Op::Add, &[x, less]);
            }
            let op = if signed { Op::Shr } else { Op::ShrLogical };
            self.with(op, x, shift)
        } else if bits <= 32 {
            // Both are doubles, and so is the quotient of 32 bits: a rounded quotient is not cut off to another integer, as
            // it is at least 2^-32 of itself away from the next one.
            let (p, q) = match signed {
                true => (self.g.op(Op::ToF64, &[x]), self.g.op(Op::ToF64, &[y])),
                false => {
                    let (x, y) = (self.extend(bits, x, 64), self.extend(bits, y, 64));
                    (self.g.op(Op::ToF64, &[x]), self.g.op(Op::ToF64, &[y]))
                }
            };
            let q = self.g.op(Op::Div, &[p, q]);
            let q = self.g.op(Op::ToI64, &[q]);
            self.g.op(Op::ToI32, &[q])
        } else {
            self.long_division(signed, x, y)?
        };
        let result = if remainder {
            let product = self.g.op(Op::Mul, &[quotient, y]);
            self.g.op(Op::Sub, &[x, product])
        } else {
            quotient
        };
        Ok(self.narrow(bits, result))
    }

    /// The quotient of words of 64 bits, bit by bit as in long division by hand: the next bit of the dividend is appended to the remainder
    /// so far, and the divisor is subtracted if the remainder is not below it.
    fn long_division(&mut self, signed: bool, x: Id, y: Id) -> Res<Id> {
        let magnitude = |e: &mut Self, x: Id| {
            let negative = e.with(Op::Lt, x, 0);
            let minus = e.g.op(Op::Neg, &[x]);
            e.g.op(Op::Select, &[negative, minus, x])
        };
        let (a, b) = match signed {
            true => (magnitude(self, x), magnitude(self, y)),
            false => (x, y),
        };
        let mut quotient = self.g.int(Prim::I64, 0);
        let mut rest = self.g.int(Prim::I64, 0);
        for bit in (0..64).rev() {
            // A remainder with its top bit set has 65 bits with the next one: more than any divisor.
            let over = self.with(Op::Lt, rest, 0);
            let next = self.with(Op::ShrLogical, a, bit);
            let next = self.with(Op::And, next, 1);
            let up = self.with(Op::Shl, rest, 1);
            let up = self.g.op(Op::Or, &[up, next]);
            let not_below = self.compare("uge", 64, up, b)?;
            let fits = self.g.op(Op::Or, &[over, not_below]);
            let less = self.g.op(Op::Sub, &[up, b]);
            rest = self.g.op(Op::Select, &[fits, less, up]);
            let one = self.g.bits(Prim::I64, 1 << bit);
            let with = self.g.op(Op::Or, &[quotient, one]);
            quotient = self.g.op(Op::Select, &[fits, with, quotient]);
        }
        if !signed {
            return Ok(quotient);
        }
        let differ = self.g.op(Op::Xor, &[x, y]);
        let negative = self.with(Op::Lt, differ, 0);
        let minus = self.g.op(Op::Neg, &[quotient]);
        Ok(self.g.op(Op::Select, &[negative, minus, quotient]))
    }

    /// The product of two words of 64 bits: its lower and its upper word.
    pub(super) fn product(&mut self, a: Id, b: Id) -> (Id, Id) {
        let halves = |e: &mut Self, x| {
            (
                e.with(Op::And, x, 0xffff_ffff),
                e.with(Op::ShrLogical, x, 32),
            )
        };
        let ((al, ah), (bl, bh)) = (halves(self, a), halves(self, b));
        let lo = self.g.op(Op::Mul, &[a, b]);
        let ll = self.g.op(Op::Mul, &[al, bl]);
        let lh = self.g.op(Op::Mul, &[al, bh]);
        let hl = self.g.op(Op::Mul, &[ah, bl]);
        let hh = self.g.op(Op::Mul, &[ah, bh]);
        // None of the sums has more than 64 bits: (2^32 - 1)^2 + 2 (2^32 - 1) = 2^64 - 1.
        let carry = self.with(Op::ShrLogical, ll, 32);
        let middle = self.g.op(Op::Add, &[hl, carry]);
        let (ml, mh) = halves(self, middle);
        let other = self.g.op(Op::Add, &[lh, ml]);
        let oh = self.with(Op::ShrLogical, other, 32);
        let hi = self.g.op(Op::Add, &[hh, mh]);
        (lo, self.g.op(Op::Add, &[hi, oh]))
    }

    /// A binary operation on integers of 128 bits.
    pub(super) fn wide(&mut self, op: &str, a: (Id, Id), b: (Id, Id)) -> Res<(Id, Id)> {
        let each = |e: &mut Self, op| (e.g.op(op, &[a.0, b.0]), e.g.op(op, &[a.1, b.1]));
        Ok(match op {
            "and" => each(self, Op::And),
            "or" => each(self, Op::Or),
            "xor" => each(self, Op::Xor),
            "add" => {
                let (lo, hi) = each(self, Op::Add);
                let carry = self.compare("ult", 64, lo, a.0)?;
                let carry = self.extend(1, carry, 64);
                (lo, self.g.op(Op::Add, &[hi, carry]))
            }
            "sub" => {
                let (lo, hi) = each(self, Op::Sub);
                let borrow = self.compare("ult", 64, a.0, b.0)?;
                let borrow = self.extend(1, borrow, 64);
                (lo, self.g.op(Op::Sub, &[hi, borrow]))
            }
            "mul" => {
                let (lo, hi) = self.product(a.0, b.0);
                let x = self.g.op(Op::Mul, &[a.0, b.1]);
                let y = self.g.op(Op::Mul, &[a.1, b.0]);
                let hi = self.g.op(Op::Add, &[hi, x]);
                (lo, self.g.op(Op::Add, &[hi, y]))
            }
            "shl" | "lshr" | "ashr" => {
                let Some(k) = self.g.integer(b.0) else {
                    return Err(self.refuse(
                        "a shift of 128 bits by a computed amount",
                        "shift words of 64 bits",
                    ));
                };
                let zero = self.g.int(Prim::I64, 0);
                let down = if op == "ashr" {
                    Op::Shr
                } else {
                    Op::ShrLogical
                };
                match (op, k) {
                    (_, 0) => a,
                    ("shl", 64..) => (zero, self.with(Op::Shl, a.0, k - 64)),
                    ("shl", _) => {
                        let (x, y) = (
                            self.with(Op::Shl, a.1, k),
                            self.with(Op::ShrLogical, a.0, 64 - k),
                        );
                        (self.with(Op::Shl, a.0, k), self.g.op(Op::Or, &[x, y]))
                    }
                    (_, 64..) => {
                        let top = if op == "ashr" {
                            self.with(Op::Shr, a.1, 63)
                        } else {
                            zero
                        };
                        (self.with(down, a.1, k - 64), top)
                    }
                    _ => {
                        let (x, y) = (
                            self.with(Op::ShrLogical, a.0, k),
                            self.with(Op::Shl, a.1, 64 - k),
                        );
                        (self.g.op(Op::Or, &[x, y]), self.with(down, a.1, k))
                    }
                }
            }
            _ => {
                return Err(
                    self.refuse(format!("`{op}` of 128 bits"), "compute in words of 64 bits")
                );
            }
        })
    }

    /// The number of leading zero bits, from the exponent of the number as a double. The conversion of at most 32 bits does not round.
    pub(super) fn leading_zeros(&mut self, bits: u32, x: Id) -> Id {
        if bits > 32 {
            let up = i64::from(64 - bits);
            let x = self.with(Op::Shl, x, up);
            let hi = self.with(Op::ShrLogical, x, 32);
            let lo = self.with(Op::And, x, 0xffff_ffff);
            let upper = self.with(Op::Ne, hi, 0);
            let word = self.g.op(Op::Select, &[upper, hi, lo]);
            let word = self.g.op(Op::ToI32, &[word]);
            let n = self.leading_zeros(32, word);
            let n = self.extend(32, n, 64);
            let more = self.with(Op::Add, n, 32);
            let n = self.g.op(Op::Select, &[upper, n, more]);
            let most = self.g.int(Prim::I64, i64::from(bits));
            let above = self.g.op(Op::Gt, &[n, most]);
            return self.g.op(Op::Select, &[above, most, n]);
        }
        let wide = self.extend(bits, x, 64);
        let wide = if prim(bits) == Prim::I64 { x } else { wide };
        let double = self.g.op(Op::ToF64, &[wide]);
        let double = self.g.op(Op::ToBits, &[double]);
        let exponent = self.with(Op::ShrLogical, double, 52);
        let exponent = self.g.op(Op::ToI32, &[exponent]);
        let base = self.g.int(Prim::I32, 1022 + i64::from(bits));
        let n = self.g.op(Op::Sub, &[base, exponent]);
        let zero = self.with(Op::Eq, x, 0);
        let most = self.g.int(Prim::I32, i64::from(bits));
        self.g.op(Op::Select, &[zero, most, n])
    }

    /// The number of bits that are one, by sums of neighbouring fields.
    pub(super) fn ones(&mut self, bits: u32, x: Id) -> Id {
        let mut x = x;
        let all = width(self.g.ty(x));
        for k in [1, 2, 4, 8, 16, 32] {
            if k >= all {
                break;
            }
            // Fields of 2k bits whose lower half is one.
            let field = (0..all / (2 * k)).fold(0u64, |m, i| m | ((1 << k) - 1) << (2 * k * i));
            let field = self.g.bits(self.g.ty(x), field);
            let low = self.g.op(Op::And, &[x, field]);
            let high = self.with(Op::ShrLogical, x, i64::from(k));
            let high = self.g.op(Op::And, &[high, field]);
            x = self.g.op(Op::Add, &[low, high]);
        }
        debug_assert!(bits <= all);
        x
    }

    /// Joins words again, if the result is an operation on the whole.
    ///
    /// `((A & H) + B) | (A & L)` is `A + B`, where H and L share the bits of a word and B has no bit of L: the sum of the upper part
    /// carries nothing into the lower part, and takes nothing from it.
    fn rejoin(&mut self, op: Op, a: Id, b: Id) -> Option<Id> {
        if op != Op::Or {
            return None;
        }
        for (sum, low) in [(a, b), (b, a)] {
            let (s, l) = (self.g.node(sum).clone(), self.g.node(low).clone());
            if s.kind != crate::graph::Kind::Op(Op::Add)
                || l.kind != crate::graph::Kind::Op(Op::And)
            {
                continue;
            }
            let mask = self.g.constant_bits(l.args[1])?;
            for (part, added) in [(s.args[0], s.args[1]), (s.args[1], s.args[0])] {
                let p = self.g.node(part).clone();
                let above = p.kind == crate::graph::Kind::Op(Op::And)
                    && p.args[0] == l.args[0]
                    && self.g.constant_bits(p.args[1])
                        == Some(!mask & (u64::MAX >> (64 - width(p.ty))));
                if above && self.g.possible(added, 8) & mask == 0 && (mask + 1).is_power_of_two() {
                    return Some(self.g.op(Op::Add, &[l.args[0], added]));
                }
            }
        }
        None
    }
}
