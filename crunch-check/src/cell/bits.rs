//! Numbers that are made of the bits of others.

use super::{Over, Run};
use crate::number::power_double;
use crate::residual::{Kind, Made, Stop, expo};

/// The least bits of a normal number, and the least ones that are those of no finite number.
const NORMAL: std::ops::Range<i64> = 1 << 52..0x7ff << 52;

impl Run<'_> {
    /// The bits of an operation, plus or minus a constant, or a constant less these.
    pub(super) fn moved(&self, name: &str, args: &[Over]) -> Option<Over> {
        let positive = |i: usize| self.builder.nodes[i].lo > 0.0;
        Some(match (name, args[0], args[1]) {
            ("add", Over::Word(i, plus), Over::Const(c))
            | ("add", Over::Const(c), Over::Word(i, plus)) => {
                Over::Word(i, plus.checked_add(c as i64)?)
            }
            ("sub", Over::Word(i, plus), Over::Const(c)) => {
                Over::Word(i, plus.checked_sub(c as i64)?)
            }
            ("sub", Over::Const(c), Over::Word(i, plus)) if positive(i) => {
                Over::Mirror(i, (c as i64).checked_sub(plus)?)
            }
            ("add", Over::Mirror(i, from), Over::Const(c))
            | ("add", Over::Const(c), Over::Mirror(i, from)) => {
                Over::Mirror(i, from.checked_add(c as i64)?)
            }
            ("sub", Over::Mirror(i, from), Over::Const(c)) => {
                Over::Mirror(i, from.checked_sub(c as i64)?)
            }
            _ => return None,
        })
    }

    /// The number whose bits are an operation's, with another exponent: the operation's result times a power of two, if
    /// all are normal.
    pub(super) fn scaled(
        &mut self,
        site: usize,
        i: usize,
        plus: i64,
    ) -> Result<Option<Over>, Stop> {
        if plus == 0 {
            return Ok(Some(Over::Real(i)));
        }
        let by = plus >> 52;
        let (lo, hi) = (self.builder.nodes[i].lo, self.builder.nodes[i].hi);
        let normal = |e: i64| (-1022..=1023).contains(&e);
        let ends = [i64::from(expo(lo)), i64::from(expo(hi))];
        // 2^-1024, which takes the largest numbers to those below one, is subnormal, and exact.
        if plus != by << 52
            || !(-1074..=1023).contains(&by)
            || !ends.iter().all(|&e| normal(e) && normal(e + by))
        {
            return Ok(None);
        }
        let factor = self.builder.constant(power_double(by as i32), site);
        Ok(match self.builder.make(Kind::Mul(i, factor), site)? {
            Made::Node(i) => Some(Over::Real(i)),
            Made::Const(c) => Some(Over::Const(c.to_bits())),
        })
    }

    /// The range of a constant less the bits of an operation's results; `None` where some difference may wrap.
    pub(super) fn mirrored(&self, i: usize, c: i64) -> Option<(i64, i64)> {
        let node = &self.builder.nodes[i];
        // The bits of positive numbers increase with them.
        let less = |x: f64| c.checked_sub(x.to_bits() as i64);
        Some((less(node.hi)?, less(node.lo)?))
    }

    /// The number v whose bits are `c - bits(a)`, where a is an operation's result, if a is normal with one exponent e on the
    /// cell, and v with one exponent o: then
    ///
    ///     bits(a) = a 2^(52-e) + (e + 1022) 2^52,     v = (bits(v) - (o + 1022) 2^52) 2^(o-52),
    ///
    /// and so `v = κ - a 2^(o-e)`, with `κ = (c - (e + o + 2044) 2^52) 2^(o-52)`, exactly. κ may have 54 bits: it is the sum of two
    /// doubles.
    pub(super) fn mirror(&mut self, site: usize, i: usize, c: i64) -> Result<Option<Over>, Stop> {
        // In real arithmetic an operation's results have no bits.
        if self.builder.reals {
            return Ok(None);
        }
        let (a, b) = (self.builder.nodes[i].lo, self.builder.nodes[i].hi);
        let Some((least, most)) = self.mirrored(i, c) else {
            return Ok(None);
        };
        let ends = [a.to_bits() as i64, b.to_bits() as i64, least, most];
        if !ends.iter().all(|w| NORMAL.contains(w)) {
            return Ok(None);
        }
        let field = |w: i64| (w >> 52) as i32;
        if field(ends[0]) != field(ends[1]) || field(least) != field(most) {
            return Ok(None);
        }
        let (e, o) = (field(ends[0]) - 1023, field(least) - 1023);
        let units = i128::from(c) - (i128::from(e + o + 2044) << 52);
        // Multiples of 2 below 2^54, and one: doubles, also in units that are subnormal.
        let (even, odd) = (units >> 1 << 1, units & 1);
        if !(0..1 << 54).contains(&even)
            || !(-1022..=1023).contains(&(o - e))
            || !(-900..=1000).contains(&o)
        {
            return Ok(None);
        }
        let unit = power_double(o - 52);
        let first = self.builder.nodes.len();
        let factor = self.builder.constant(power_double(o - e), site);
        let Made::Node(scaled) = self.builder.make(Kind::Mul(i, factor), site)? else {
            return Ok(None);
        };
        let from = self.builder.constant(even as f64 * unit, site);
        let Made::Node(mut made) = self.builder.make(Kind::Sub(from, scaled), site)? else {
            return Ok(None);
        };
        if odd != 0 {
            let one = self.builder.constant(unit, site);
            let Made::Node(sum) = self.builder.make(Kind::Add(made, one), site)? else {
                return Ok(None);
            };
            made = sum;
        }
        let exact = |n: &crate::residual::Node| n.rounding.is_none();
        let all = self.builder.nodes[first..].iter().all(exact);
        Ok(all.then_some(Over::Real(made)))
    }
}
