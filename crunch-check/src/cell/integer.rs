//! Operations on integers over a cell.

use super::{Over, Run, int};
use crate::typing::Type;

impl Run<'_> {
    pub(super) fn integer(&self, ty: Type, name: &str, args: &[Over]) -> Over {
        let a = self.ints(ty, args[0]);
        let b = args.get(1).map_or(a, |&b| self.ints(ty, b));
        let wide = |x: i64| i128::from(x);
        let corners = |f: fn(i128, i128) -> i128| {
            let all = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)]
                .map(|(x, y)| f(x.into(), y.into()));
            let (lo, hi) = (all.iter().min(), all.iter().max());
            lo.zip(hi).map_or(Over::Any, |(lo, hi)| int(ty, *lo, *hi))
        };
        let bits = if ty == Type::I32 { 32 } else { 64 };
        let amount = (b.0 == b.1).then_some(b.0 as u32 & (bits - 1));
        match (name, amount) {
            ("add", _) => corners(|x, y| x + y),
            ("sub", _) => corners(|x, y| x - y),
            ("mul", _) => corners(i128::saturating_mul),
            ("min", _) => corners(i128::min),
            ("max", _) => corners(i128::max),
            ("neg", _) => int(ty, -wide(a.1), -wide(a.0)),
            ("not", _) => int(ty, !wide(a.1), !wide(a.0)),
            ("shl", Some(n)) => int(ty, wide(a.0) << n, wide(a.1) << n),
            ("shr", Some(n)) => int(ty, wide(a.0 >> n), wide(a.1 >> n)),
            // Monotone among numbers of one sign.
            ("shr_logical", Some(n)) if (a.0 < 0) == (a.1 < 0) => {
                let shifted = |x: i64| match ty {
                    Type::I32 => wide((x as u32 >> n) as i32 as i64),
                    _ => wide((x as u64 >> n) as i64),
                };
                int(ty, shifted(a.0), shifted(a.1))
            }
            ("and" | "or" | "xor", _) => self.bitwise(ty, name, a, b),
            _ => Over::Any,
        }
    }

    /// Bits above the highest varying bit are known. A known 0 of an `and`, or a known 1 of an `or`, determines the result's bit.
    fn bitwise(&self, ty: Type, name: &str, a: (i64, i64), b: (i64, i64)) -> Over {
        let varying = |r: (i64, i64)| match 64 - ((r.0 ^ r.1) as u64).leading_zeros() {
            64 => u64::MAX,
            n => (1u64 << n) - 1,
        };
        let (va, vb) = (varying(a), varying(b));
        let (ka, kb) = (a.0 as u64, b.0 as u64);
        let (vary, base) = match name {
            "and" => ((va | vb) & (va | ka) & (vb | kb), ka & kb),
            "or" => ((va | vb) & (va | !ka) & (vb | !kb), ka | kb),
            _ => (va | vb, ka ^ kb),
        };
        let sign = if ty == Type::I32 {
            1u64 << 31
        } else {
            1u64 << 63
        };
        if vary & sign != 0 {
            return Over::Any;
        }
        let base = base & !vary;
        int(ty, (base as i64).into(), ((base | vary) as i64).into())
    }
}
