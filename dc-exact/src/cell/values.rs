//! Ranges of rounded operations and of integers.

use kernels_gen::interp::Bits;
use kernels_gen::ops::{Op, Prim};

use crate::num::Interval;
use crate::num::float::{greater, lesser};

/// The value of a lane's bits as a double. Binary32 is converted exactly.
pub fn number(ty: Prim, bits: u64) -> f64 {
    match ty {
        Prim::F32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    }
}

/// The bits of a double as a lane of type `ty`, in which it is exact.
pub fn bits(ty: Prim, x: f64) -> u64 {
    match ty {
        Prim::F32 => u64::from((x as f32).to_bits()),
        _ => x.to_bits(),
    }
}

/// The computed results at the corners of a box of operands: the range of an operation that is monotone in each operand
/// on the box. `None` if one of them is NaN. The flag is set if all corners have the same bits.
pub fn corners(op: Op, ty: Prim, out: Prim, ranges: &[Interval]) -> Option<(Interval, bool)> {
    let mut least = f64::INFINITY;
    let mut most = f64::NEG_INFINITY;
    let mut seen: Option<u64> = None;
    let mut same = true;
    let prims = [ty; 3];
    for corner in 0..1usize << ranges.len() {
        let mut words = [0u64; 3];
        for (i, range) in ranges.iter().enumerate() {
            let x = if corner >> i & 1 == 0 {
                range.lo
            } else {
                range.hi
            };
            words[i] = bits(ty, x);
        }
        let refs = [&words[0], &words[1], &words[2]];
        let result = Bits.op(op, &prims[..ranges.len()], &refs[..ranges.len()]);
        let x = number(out, result);
        if x.is_nan() {
            return None;
        }
        same &= *seen.get_or_insert(result) == result;
        least = lesser(least, x);
        most = greater(most, x);
    }
    Some((Interval::new(least, most), same))
}

/// A range of integer lanes, as signed numbers of their width.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Integers {
    /// The least.
    pub lo: i64,
    /// The largest.
    pub hi: i64,
}

/// The number of bits of a lane.
pub fn width(ty: Prim) -> u32 {
    if ty == Prim::I32 { 32 } else { 64 }
}

/// A word as a signed number.
pub fn signed(ty: Prim, word: u64) -> i64 {
    if ty == Prim::I32 {
        i64::from(word as i32)
    } else {
        word as i64
    }
}

/// A signed number as a word.
pub fn word(ty: Prim, x: i64) -> u64 {
    if ty == Prim::I32 {
        u64::from(x as u32)
    } else {
        x as u64
    }
}

/// How often a number wraps: it is a word of the type plus this many times `2^width`.
pub fn turns(ty: Prim, x: i128) -> i128 {
    (x + (1 << (width(ty) - 1))) >> width(ty)
}

/// The lowest bits that a mask clears; `None` for another mask than `-2^n`.
pub fn clears(mask: i64) -> Option<u32> {
    let n = mask.trailing_zeros();
    (mask < 0 && mask >> n == -1).then_some(n)
}

impl Integers {
    /// All numbers of a lane.
    pub fn all(ty: Prim) -> Integers {
        if ty == Prim::I32 {
            Integers {
                lo: i32::MIN.into(),
                hi: i32::MAX.into(),
            }
        } else {
            Integers {
                lo: i64::MIN,
                hi: i64::MAX,
            }
        }
    }

    /// The words of the numbers from `lo` to `hi`.
    pub fn of(ty: Prim, lo: i128, hi: i128) -> Integers {
        let by = |x| turns(ty, x) << width(ty);
        if by(lo) != by(hi) {
            // Some wrap, or some more often than others.
            return Integers::all(ty);
        }
        Integers {
            lo: (lo - by(lo)) as i64,
            hi: (hi - by(hi)) as i64,
        }
    }

    /// The number that is added to each of these integers, if an operation with a constant lets all varying bits pass: an `and` where the
    /// constant's bits are one, an `or` and an `xor` where they are zero. The bits above are the same in all integers, and so are those of the
    /// result. `None` if a varying bit does not pass.
    pub fn passed(self, op: Op, c: i64) -> Option<i128> {
        let n = self.varying();
        let vary = if n >= 64 { !0u64 } else { (1u64 << n) - 1 };
        let passes = if op == Op::And { c } else { !c };
        if vary & !passes as u64 != 0 {
            return None;
        }
        let above = self.lo & !vary as i64;
        let then = match op {
            Op::And => above & c,
            Op::Or => above | c,
            _ => above ^ c,
        };
        Some(i128::from(then) - i128::from(above))
    }

    /// The number of low bits that vary. Above them, all words are the same.
    fn varying(self) -> u32 {
        64 - ((self.lo ^ self.hi) as u64).leading_zeros()
    }

    /// An operation on ranges.
    pub fn op(op: Op, ty: Prim, a: Integers, b: Option<Integers>) -> Integers {
        let pair = |f: fn(i128, i128) -> i128| {
            let b = b.unwrap_or(a);
            let all = [(a.lo, b.lo), (a.lo, b.hi), (a.hi, b.lo), (a.hi, b.hi)]
                .map(|(x, y)| f(x.into(), y.into()));
            let least = all.into_iter().min().unwrap_or_default();
            let most = all.into_iter().max().unwrap_or_default();
            Integers::of(ty, least, most)
        };
        let amount = b.filter(|b| b.lo == b.hi).map(|b| {
            // Shifts take the amount modulo the width.
            b.lo as u32 & (width(ty) - 1)
        });
        match op {
            Op::Add => pair(|x, y| x + y),
            Op::Sub => pair(|x, y| x - y),
            Op::Mul => pair(i128::saturating_mul),
            Op::Min => pair(i128::min),
            Op::Max => pair(i128::max),
            Op::Neg => Integers::of(ty, -i128::from(a.hi), -i128::from(a.lo)),
            Op::Not => Integers {
                lo: !a.hi,
                hi: !a.lo,
            },
            Op::Shl => match amount {
                Some(n) => Integers::of(ty, i128::from(a.lo) << n, i128::from(a.hi) << n),
                None => Integers::all(ty),
            },
            Op::Shr => match amount {
                Some(n) => Integers {
                    lo: a.lo >> n,
                    hi: a.hi >> n,
                },
                None => Integers::all(ty),
            },
            Op::ShrLogical => match amount {
                Some(n) if a.lo >= 0 || n == 0 => Integers {
                    lo: a.lo >> n,
                    hi: a.hi >> n,
                },
                Some(n) if a.hi < 0 => {
                    let shifted = |x: i64| signed(ty, word(ty, x) >> n);
                    Integers {
                        lo: shifted(a.lo),
                        hi: shifted(a.hi),
                    }
                }
                _ => Integers::all(ty),
            },
            Op::And | Op::Or | Op::Xor => {
                let Some(b) = b else {
                    return Integers::all(ty);
                };
                // Clearing the lowest bits rounds down to a multiple, in order. Bits that vary would say little of a range across a
                // power of two.
                let rounds = |mask: Integers| mask.lo == mask.hi && clears(mask.lo).is_some();
                let ordered = [(a, b), (b, a)].into_iter().find(|(_, mask)| rounds(*mask));
                if let (Op::And, Some((of, mask))) = (op, ordered) {
                    return Integers {
                        lo: of.lo & mask.lo,
                        hi: of.hi & mask.lo,
                    };
                }
                // Where all bits that vary pass, a constant is added.
                let constant = |m: Integers| (m.lo == m.hi).then_some(m.lo);
                let passed = constant(b).and_then(|c| Some((a, a.passed(op, c)?)));
                let passed = passed.or_else(|| Some((b, b.passed(op, constant(a)?)?)));
                if let Some((of, by)) = passed {
                    return Integers::of(ty, i128::from(of.lo) + by, i128::from(of.hi) + by);
                }
                let f = |x: i64, y: i64| match op {
                    Op::And => x & y,
                    Op::Or => x | y,
                    _ => x ^ y,
                };
                // Bits that may vary in the result: those that vary in an operand, unless a mask fixes them.
                let low = |n: u32| if n >= 64 { !0u64 } else { (1u64 << n) - 1 };
                let (va, vb) = (low(a.varying()), low(b.varying()));
                let mut vary = va | vb;
                let fixed = |range: Integers, v: u64| (range.lo as u64, !v);
                let ((ka, fa), (kb, fb)) = (fixed(a, va), fixed(b, vb));
                match op {
                    // A fixed 0 fixes the result, as does a fixed 1 of an `or`.
                    Op::And => vary &= !((!ka & fa) | (!kb & fb)),
                    Op::Or => vary &= !((ka & fa) | (kb & fb)),
                    _ => {}
                }
                let base = f(a.lo, b.lo) as u64 & !vary;
                let (least, most) = (base as i64, (base | vary) as i64);
                if vary >> (width(ty) - 1) & 1 == 1 {
                    // The sign varies.
                    return Integers::all(ty);
                }
                Integers {
                    lo: least,
                    hi: most,
                }
            }
            _ => Integers::all(ty),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks each pair of small ranges against all pairs of their members.
    #[test]
    fn integer_ranges_hold_all_results() {
        use kernels_gen::ops::Op::{Add, And, Max, Min, Mul, Or, Shl, Shr, ShrLogical, Sub, Xor};
        let ends = [-9i64, -4, -1, 0, 3, 5, 12, i32::MAX.into(), i32::MIN.into()];
        for ty in [Prim::I32, Prim::I64] {
            for op in [Add, Sub, Mul, Min, Max, And, Or, Xor, Shl, Shr, ShrLogical] {
                for &x in &ends {
                    for &y in &ends {
                        for (wx, wy) in [(0, 0), (3, 0), (5, 6), (0, 7)] {
                            let a = Integers {
                                lo: x.min(i64::from(i32::MAX) - wx),
                                hi: x.min(i64::from(i32::MAX) - wx) + wx,
                            };
                            let b = Integers {
                                lo: y.min(i64::from(i32::MAX) - wy),
                                hi: y.min(i64::from(i32::MAX) - wy) + wy,
                            };
                            let range = Integers::op(op, ty, a, Some(b));
                            for p in a.lo..=a.hi {
                                for q in b.lo..=b.hi {
                                    let words = [word(ty, p), word(ty, q)];
                                    let got = Bits.op(op, &[ty; 2], &[&words[0], &words[1]]);
                                    let got = signed(ty, got);
                                    assert!(
                                        range.lo <= got && got <= range.hi,
                                        "{op:?} {ty:?} {p} {q}: {got} not in {range:?} of {a:?} {b:?}"
                                    );
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
