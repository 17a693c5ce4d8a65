//! Words that are split into parts and joined again.
//!
//! Let w be the bits of an operation's result, as a signed number. A *part* is the integer `(w - w mod 2^low + plus) / 2^shift`, where the
//! division has no remainder. The *lower* part is `w mod 2^n`, or in a signed type an integer that is `w mod 2^n` modulo `2^n`. Each rule
//! is an identity of integers on a cell on which w has one sign:
//!
//! - Let an integer's bits above the n-th be the same on the cell. An `and` with ones, an `or` and an `xor` with zeros in the lowest n bits
//!   leave the lowest n bits as they are. So they add a constant: the difference of the upper bits before and after.
//! - `floor((w - w mod 2^a + p) / 2^b) 2^b = w - w mod 2^max(a, b) + p` if p is a multiple of `2^b`: both sides are multiples of
//!   `2^b`, and they differ by less than `2^b`. Shifts to the right and masks that clear the lowest bits round down.
//! - The bits of `w - w mod 2^n + p` and of `w mod 2^n` are disjoint if p is a multiple of `2^n`: an `or`, an `xor` and a sum of both are `w + p`.
//! - A word of a type is the integer less a multiple of `2^width`, the same at both ends of the range and so between them.

use super::{Over, Run, full, int};
use crate::typing::Type;

/// `(w - w mod 2^low + plus) / 2^shift`, where w is the bits of an operation's result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Part {
    pub(super) of: usize,
    pub(super) low: u32,
    pub(super) shift: u32,
    pub(super) plus: i128,
}

impl Part {
    /// Its value where the bits are w.
    pub(super) fn at(self, w: i64) -> i128 {
        (i128::from(w >> self.low << self.low) + self.plus) >> self.shift
    }

    /// Plus an integer; `None` if it is too large for this arithmetic.
    fn add(self, c: i128) -> Option<Part> {
        let plus = self.plus.checked_add(c.checked_mul(1 << self.shift)?)?;
        (plus.abs() < 1 << 120).then_some(Part { plus, ..self })
    }

    /// Whether `plus` is a multiple of `2^n`.
    fn even(self, n: u32) -> bool {
        self.plus & ((1 << n) - 1) == 0
    }

    /// Rounded down to multiples of `2^n`.
    fn down(self, n: u32) -> Option<Part> {
        let n = n + self.shift;
        // Shifts of a 64-bit word by its width or more are not handled here.
        let low = self.low.max(n);
        (low < 64 && self.even(n)).then_some(Part { low, ..self })
    }
}

fn width(ty: Type) -> u32 {
    if ty == Type::I32 { 32 } else { 64 }
}

fn to_word(ty: Type, word: u64) -> i64 {
    if ty == Type::I32 {
        i64::from(word as u32 as i32)
    } else {
        word as i64
    }
}

/// The n of a mask `2^n - 1`.
fn ones(c: i64) -> Option<u32> {
    (c > 0 && c < i64::MAX && (c + 1).count_ones() == 1).then(|| c.count_ones())
}

impl Run<'_> {
    /// What is added by an operation with a constant that leaves the bits as they are that vary.
    fn kept(name: &str, (lo, hi): (i64, i64), c: i64) -> Option<i128> {
        let same = (lo ^ hi).leading_zeros();
        let vary = u64::MAX.checked_shr(same).unwrap_or(0) as i64;
        let above = lo & !vary;
        let (changed, then) = match name {
            "and" => (!c, above & c),
            "or" => (c, above | c),
            _ => (c, above ^ c),
        };
        (vary & changed == 0).then(|| i128::from(then) - i128::from(above))
    }

    /// The part that a value is.
    fn part(&self, value: Over) -> Option<Part> {
        match value {
            Over::Part(part) => Some(part),
            Over::Word(of, plus) => {
                let word = Part {
                    of,
                    low: 0,
                    shift: 0,
                    plus: plus.into(),
                };
                // The sum with a constant may wrap.
                self.turned(Type::I64, word)
            }
            _ => None,
        }
    }

    /// The range of a part as an integer, before it wraps.
    fn span(&self, part: Part) -> (i128, i128) {
        let node = &self.builder.nodes[part.of];
        let [a, b] = [node.lo, node.hi].map(|x| part.at(x.to_bits() as i64));
        (a.min(b), a.max(b))
    }

    /// The range of a part.
    pub(super) fn part_range(&self, part: Part) -> (i64, i64) {
        let (lo, hi) = self.span(part);
        (lo as i64, hi as i64)
    }

    /// A part minus what it wraps in a lane of a type; `None` if some of its values wrap more often than others.
    fn turned(&self, ty: Type, part: Part) -> Option<Part> {
        let (lo, hi) = self.span(part);
        let w = width(ty);
        let turn = |x: i128| (x + (1 << (w - 1))) >> w;
        match turn(lo) == turn(hi) {
            true => part.add(-(turn(lo) << w)),
            false => None,
        }
    }

    /// A part as a value of a type.
    fn in_lane(&self, ty: Type, part: Part) -> Option<Over> {
        let part = self.turned(ty, part)?;
        let (lo, hi) = self.span(part);
        if lo == hi {
            return Some(int(ty, lo, hi));
        }
        let word = part.low == 0 && part.shift == 0 && ty == Type::I64;
        Some(match i64::try_from(part.plus) {
            Ok(plus) if word => Over::Word(part.of, plus),
            _ => Over::Part(part),
        })
    }

    /// An operation on integers that splits or joins words; `None` for any other operation.
    pub(super) fn words(&self, ty: Type, out: Type, name: &str, args: &[Over]) -> Option<Over> {
        // In real arithmetic an operation's results have no bits.
        if self.builder.reals || ty.is_float() || ty == Type::Mask {
            return None;
        }
        let whole = |p: Part| p.low == 0 && p.shift == 0;
        if let [value] = *args {
            if !matches!(name, "to_i32" | "to_i64") {
                return None;
            }
            if let Over::Low(of, n, exact) = value {
                let n = n.min(width(out));
                return Some(Over::Low(of, n, exact && n < width(out)));
            }
            let part = self.part(value)?;
            let cut = || (whole(part) && part.even(32)).then_some(Over::Low(part.of, 32, false));
            return self.in_lane(out, part).or_else(cut);
        }
        let [a, b] = *args else { return None };
        let number = |v: Over| match v {
            Over::Const(c) => Some(to_word(ty, c)),
            _ => None,
        };
        // The operand that varies, and the constant.
        let pair = match (number(a), number(b)) {
            (None, Some(c)) => Some((a, c)),
            (Some(c), None) if !matches!(name, "sub" | "shl" | "shr" | "shr_logical") => {
                Some((b, c))
            }
            _ => None,
        };
        let Some((value, c)) = pair else {
            return match name {
                "add" | "or" | "xor" => self.joined(ty, a, b).or_else(|| self.joined(ty, b, a)),
                _ => None,
            };
        };
        if let Over::Low(of, n, exact) = value {
            let m = ones(c).filter(|&m| name == "and" && (exact || m <= n))?;
            return Some(Over::Low(of, n.min(m), true));
        }
        let part = self.part(value)?;
        let by = c as u32 & (width(ty) - 1);
        let made = match name {
            "add" => part.add(c.into())?,
            "sub" => part.add(-i128::from(c))?,
            "shl" if by <= part.shift => Part {
                shift: part.shift - by,
                ..part
            },
            "shr" | "shr_logical" => {
                let (lo, hi) = self.span(part);
                let part = match name {
                    "shr" => part,
                    _ if lo >= 0 => part,
                    _ if hi < 0 => part.add(1 << width(ty))?,
                    _ => return None,
                };
                let shift = part.shift + by;
                Part {
                    shift,
                    ..part.down(by)?
                }
            }
            "and" | "or" | "xor" => match Self::kept(name, self.part_range(part), c) {
                Some(by) => part.add(by)?,
                None if name != "and" => return None,
                None => match ones(c) {
                    Some(n) if whole(part) && part.even(n) => {
                        return Some(Over::Low(part.of, n, true));
                    }
                    _ => part.down(ones(!c)?)?,
                },
            },
            _ => return None,
        };
        self.in_lane(ty, made)
    }

    /// The sum of a part and of the lower part that it lacks.
    fn joined(&self, ty: Type, part: Over, low: Over) -> Option<Over> {
        let (part, Over::Low(of, n, true)) = (self.part(part)?, low) else {
            return None;
        };
        let apart = part.shift == 0 && part.low == n && part.even(n) && part.of == of;
        let made = Part { low: 0, ..part };
        self.in_lane(ty, made).filter(|_| apart)
    }

    /// The range of the lower part of a word.
    pub(super) fn low_range(ty: Type, n: u32, exact: bool) -> (i64, i64) {
        match exact {
            true if n < 63 => (0, (1 << n) - 1),
            _ => full(ty),
        }
    }
}
