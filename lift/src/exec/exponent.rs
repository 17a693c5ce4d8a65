//! The exponent of a number: `ldexp`, `scalbn` and `frexp`, from operations on bits and exact products.

use kernels_gen::ops::{Op, Prim};

use super::state::Exec;
use crate::graph::Id;

/// A format's numbers.
struct Format {
    float: Prim,
    word: Prim,
    /// Bits of the fraction.
    digits: u32,
    /// The bias of the exponent's bits.
    bias: i64,
}

impl Format {
    fn of(float: Prim) -> Self {
        let (word, digits, bias) = match float {
            Prim::F32 => (Prim::I32, 23, 127),
            _ => (Prim::I64, 52, 1023),
        };
        Format {
            float,
            word,
            digits,
            bias,
        }
    }
}

impl Exec<'_> {
    /// `x · 2^n`, rounded once. Two factors bring `n` into the range of normal numbers. On the way down they leave the value at least
    /// `digits + 1` binades above the least normal number, where products with powers of two are exact. So only the last product rounds.
    pub(super) fn ldexp(&mut self, x: Id, n: Id) -> Id {
        let format = Format::of(self.g.ty(x));
        let (least, most) = (1 - format.bias, format.bias);
        let down = least + i64::from(format.digits) + 1;
        let (mut x, mut n) = (x, n);
        for _ in 0..2 {
            let (over, under) = (self.with(Op::Gt, n, most), self.with(Op::Lt, n, least));
            let (less, more) = (self.with(Op::Sub, n, most), self.with(Op::Sub, n, down));
            let (up, low) = (self.power(&format, most), self.power(&format, down));
            let (larger, smaller) = (self.g.op(Op::Mul, &[x, up]), self.g.op(Op::Mul, &[x, low]));
            let scaled = self.g.op_select(under, smaller, x);
            x = self.g.op_select(over, larger, scaled);
            let moved = self.g.op_select(under, more, n);
            n = self.g.op_select(over, less, moved);
        }
        // Beyond that the result is zero or infinite, whatever the power.
        let over = self.with(Op::Gt, n, most);
        let at_most = self.g.int(self.g.ty(n), most);
        let n = self.g.op_select(over, at_most, n);
        let under = self.with(Op::Lt, n, least);
        let at_least = self.g.int(self.g.ty(n), least);
        let n = self.g.op_select(under, at_least, n);
        let n = match (format.word, self.g.ty(n)) {
            (Prim::I64, Prim::I32) => self.g.op(Op::ToI64, &[n]),
            (Prim::I32, Prim::I64) => self.g.op(Op::ToI32, &[n]),
            _ => n,
        };
        let biased = self.with(Op::Add, n, format.bias);
        let bits = self.with(Op::Shl, biased, i64::from(format.digits));
        let power = self.g.op(Op::FromBits, &[bits]);
        self.g.op(Op::Mul, &[x, power])
    }

    /// A constant power of two.
    fn power(&mut self, format: &Format, n: i64) -> Id {
        self.g
            .bits(format.float, ((n + format.bias) << format.digits) as u64)
    }

    /// A number in ±[1/2, 1) and an exponent of 32 bits, whose product is `x`. Zeros, infinities and NaNs stay as they are, with the
    /// exponent 0. (C leaves the exponent of infinities and NaNs open; musl, glibc and LLVM's constant folding differ there.)
    pub(super) fn frexp(&mut self, x: Id) -> (Id, Id) {
        let format = Format::of(self.g.ty(x));
        let (digits, top) = (i64::from(format.digits), 2 * format.bias + 1);
        let bits = self.g.op(Op::ToBits, &[x]);
        let exponent = |exec: &mut Self, bits: Id| {
            let shifted = exec.with(Op::ShrLogical, bits, digits);
            exec.with(Op::And, shifted, top)
        };
        let before = exponent(self, bits);
        // A subnormal number is made normal first.
        let up = self.power(&format, digits + 2);
        let larger = self.g.op(Op::Mul, &[x, up]);
        let small = self.with(Op::Eq, before, 0);
        let scaled = self.g.op(Op::ToBits, &[larger]);
        let bits = self.g.op_select(small, scaled, bits);
        let after = exponent(self, bits);
        let by = self.g.int(format.word, format.bias - 1);
        let more = self.g.int(format.word, format.bias - 1 + digits + 2);
        let by = self.g.op_select(small, more, by);
        let power = self.g.op(Op::Sub, &[after, by]);
        let fraction = self.with(Op::And, bits, !(top << digits));
        let half = self.with(Op::Or, fraction, (format.bias - 1) << digits);
        let half = self.g.op(Op::FromBits, &[half]);
        let zero = self.with(Op::Eq, after, 0);
        let none = self.with(Op::Eq, after, top);
        let as_it_is = self.g.op(Op::Or, &[zero, none]);
        let mantissa = self.g.op_select(as_it_is, x, half);
        let nothing = self.g.int(format.word, 0);
        let power = self.g.op_select(as_it_is, nothing, power);
        let power = match format.word {
            Prim::I64 => self.g.op(Op::ToI32, &[power]),
            _ => power,
        };
        (mantissa, power)
    }
}
