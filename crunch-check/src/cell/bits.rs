//! Numbers that are made of the bits of other numbers.

use super::{Over, Run};
use crate::number::power_double;
use crate::residual::{Kind, Made, Stop, expo};

/// The bits of normal numbers: from the smallest normal number up to, but not including, the bits of infinity.
const NORMAL: std::ops::Range<i64> = 1 << 52..0x7ff << 52;

impl Run<'_> {
    /// The bits of an operation plus or minus a constant, or a constant minus these bits.
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

    /// The number whose bits are an operation's, with another exponent, or another sign: the operation's result times a power of
    /// two, or its opposite, if all are normal.
    pub(super) fn scaled(
        &mut self,
        site: usize,
        i: usize,
        plus: i128,
    ) -> Result<Option<Over>, Stop> {
        let (lo, hi) = (self.builder.nodes[i].lo, self.builder.nodes[i].hi);
        let words = [lo, hi].map(|x| i128::from(x.to_bits() as i64) + plus);
        let negative = words[0] < 0;
        if words
            .iter()
            .any(|&w| (w < 0) != negative || i64::try_from(w).is_err())
        {
            return Ok(None);
        }
        // The bits of a negative number are those of its opposite less 2^63.
        let sign = |negative: bool| i128::from(negative) << 63;
        let turns = negative != (hi < 0.0);
        let plus = plus + sign(negative) - sign(hi < 0.0);
        let of = match plus {
            0 => i,
            _ => {
                let by = (plus >> 52) as i64;
                let normal = |e: i64| (-1022..=1023).contains(&e);
                let ends = [i64::from(expo(lo)), i64::from(expo(hi))];
                // 2^-1024, which takes the largest numbers to those below one, is subnormal, and exact.
                if plus != i128::from(by) << 52
                    || !(-1074..=1023).contains(&by)
                    || !ends.iter().all(|&e| normal(e) && normal(e + by))
                {
                    return Ok(None);
                }
                let factor = self.builder.constant(power_double(by as i32), site);
                match self.builder.make(Kind::Mul(i, factor), site)? {
                    Made::Node(of) => of,
                    Made::Const(c) if turns => return Ok(Some(Over::Const((-c).to_bits()))),
                    Made::Const(c) => return Ok(Some(Over::Const(c.to_bits()))),
                }
            }
        };
        if !turns {
            return Ok(Some(Over::Real(of)));
        }
        Ok(match self.builder.make(Kind::Neg(of), site)? {
            Made::Node(of) => Some(Over::Real(of)),
            Made::Const(c) => Some(Over::Const(c.to_bits())),
        })
    }

    /// The range of a constant minus the bits of an operation's results; `None` if some difference may wrap.
    pub(super) fn mirrored(&self, i: usize, c: i64) -> Option<(i64, i64)> {
        let node = &self.builder.nodes[i];
        let less = |x: f64| c.checked_sub(x.to_bits() as i64);
        // The bits of positive numbers increase with them.
        Some((less(node.hi)?, less(node.lo)?))
    }

    /// The number v whose bits are `c - bits(a)`, where a is an operation's result, if a is normal with one exponent e on the
    /// cell, and v with one exponent o: then
    ///
    /// ```text
    /// bits(a) = a 2^(52-e) + (e + 1022) 2^52,     v = (bits(v) - (o + 1022) 2^52) 2^(o-52),
    /// ```
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

#[cfg(test)]
mod tests {
    use crate::cell::{Outcome, in_reals, outcome};
    use crate::ir::Program;
    use crate::point::evaluate;
    use crate::residual::Line;

    /// `from_bits(c - bits(v)) + 0`, where v is x times a power of two.
    fn kernel(c: u64, by: f64) -> Program {
        let text = format!(
            "doublecrunch ir 1\nfn f0\n  %0: f64 = param\n  %1: f64 = const {:#x}\n  %2: f64 = mul %0, %1\n  %3: i64 = to_bits %2\n  \
             %4: i64 = const {c:#x}\n  %5: i64 = sub %4, %3\n  %6: f64 = from_bits %5\n  return %6\n",
            by.to_bits()
        );
        Program::parse(&text).expect("a kernel")
    }

    fn line(program: &Program, lo: f64, hi: f64) -> Option<Line> {
        match outcome(program, lo, hi, true) {
            Ok(Outcome::Line(line)) => Some(line),
            _ => None,
        }
    }

    /// Pseudorandom words: a linear congruential generator.
    fn words(mut state: u64) -> impl FnMut() -> u64 {
        move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            state ^ state >> 29
        }
    }

    #[test]
    fn a_constant_less_the_bits_of_a_number_is_the_line_of_its_numbers() {
        let mut random = words(3);
        let (mut lines, mut odd, mut none) = (0, 0, 0);
        for _ in 0..4000 {
            // Numbers with exponents from -300 to 299; cells of up to two binades.
            let bits = (723 + random() % 600) << 52 | random() >> 12;
            let last = bits + (random() >> (12 + random() % 50)) + 1;
            let c = (random() % 3 + 2045) << 52 | random() >> 12;
            let c = if random() & 1 == 0 {
                c
            } else {
                0x7fde_6238_502c_e8c3
            };
            let program = kernel(c, [1.0, 0.25, 16.0][random() as usize % 3]);
            let (lo, hi) = (f64::from_bits(bits), f64::from_bits(last));
            let Some(line) = line(&program, lo, hi) else {
                none += 1;
                continue;
            };
            lines += 1;
            odd += c & 1;
            assert!(line.nodes.iter().all(|n| n.rounding.is_none()));
            let mut values = Vec::new();
            for k in 0..40 {
                let x = match k {
                    0 => bits,
                    1 => last,
                    _ => bits + random() % (last - bits + 1),
                };
                let computed = line.compute(f64::from_bits(x), &mut values);
                assert_eq!(Ok(computed.to_bits()), evaluate(&program, x), "{c:x} {x:x}");
            }
        }
        assert!(
            lines > 3000 && odd > 2000 && none > 100,
            "{lines} {odd} {none}"
        );
    }

    /// There is no line if the number, or the number made of its bits, has more than one exponent, is negative, or is not normal.
    #[test]
    fn what_is_no_line_is_none() {
        let magic = 0x7fde_6238_502c_e8c3;
        let program = kernel(magic, 1.0);
        assert!(line(&program, 1.0, 1.4).is_some());
        for (lo, hi, why) in [
            (1.0, 1.9, "the result passes a power of two"),
            (0.99, 1.01, "the number passes one"),
            (-1.4, -1.3, "the number is negative"),
            (1e-310, 1.1e-310, "the number is subnormal"),
            (f64::MAX * 0.9, f64::MAX, "the result is subnormal"),
        ] {
            assert!(line(&program, lo, hi).is_none(), "{why}");
        }
        // The difference wraps, or is that of an infinity.
        assert!(line(&kernel(1 << 63, 1.0), 1.0, 1.1).is_none());
        assert!(line(&kernel(0xfff << 51, 1.0), 1e-300, 1.1e-300).is_none());
        // A reference's values have no bits.
        assert!(in_reals(&program, 1.0, 1.4).is_err());
        let bends = outcome(&program, 0.99, 1.01, true);
        assert!(matches!(bends, Ok(Outcome::Bends(2, 6))));
    }

    /// The same test, with numbers whose exponents are far apart or at the ends of the format.
    #[test]
    fn mirrored_bits_of_any_exponents_are_a_line_or_none() {
        let mut random = words(11);
        let (mut lines, mut none) = (0, 0);
        for _ in 0..4000 {
            let mut field =
                || [0, 1, 2, 3, 60, 400, 1023, 1700, 2000, 2044, 2046][random() as usize % 11];
            let (a, v) = (field(), field());
            let c = ((a + v) << 52) + (random() >> 11);
            let bits = a << 52 | random() >> 12;
            let last = bits + (random() >> (13 + random() % 50)) + 1;
            let (lo, hi) = (f64::from_bits(bits), f64::from_bits(last));
            if !hi.is_finite() {
                continue;
            }
            let program = kernel(c, 1.0);
            let Some(line) = line(&program, lo, hi) else {
                none += 1;
                continue;
            };
            lines += 1;
            let mut values = Vec::new();
            for k in 0..12 {
                let x = match k {
                    0 => bits,
                    1 => last,
                    _ => bits + random() % (last - bits + 1),
                };
                let computed = line.compute(f64::from_bits(x), &mut values);
                assert_eq!(Ok(computed.to_bits()), evaluate(&program, x), "{c:x} {x:x}");
            }
        }
        assert!(lines > 300 && none > 300, "{lines} {none}");
    }

    /// A number's bits with a multiple of 2^52 added are those of the number times a power of two, where all are normal; a carry
    /// out of the exponent changes the sign.
    #[test]
    fn bits_of_another_exponent_are_a_scaled_number() {
        let mut random = words(5);
        let (mut lines, mut none) = (0, 0);
        for _ in 0..4000 {
            let field = [0, 1, 2, 40, 1000, 1023, 1500, 2044, 2045, 2046][random() as usize % 10];
            let by = [
                0i64, 1, -1, 2, -2, 39, -40, 1023, -1023, -1024, 1024, -1500, 2045, -2046,
            ][random() as usize % 14];
            let moved = (field as i64 + by).rem_euclid(2048);
            let off = if random().is_multiple_of(8) {
                1 << (random() % 52)
            } else {
                0
            };
            let c = (by << 52) + off;
            let text = format!(
                "doublecrunch ir 1\nfn f0\n  %0: f64 = param\n  %1: i64 = to_bits %0\n  %2: i64 = const {:#x}\n  %3: i64 = add %1, %2\n  \
                 %4: f64 = from_bits %3\n  return %4\n",
                c as u64
            );
            let program = Program::parse(&text).expect("a kernel");
            let bits = field << 52 | random() >> 12;
            let last = bits + (random() >> (12 + random() % 50)) + 1;
            let (a, b) = (f64::from_bits(bits), f64::from_bits(last));
            if !b.is_finite() || a == 0.0 {
                continue;
            }
            let (lo, hi) = if random().is_multiple_of(3) {
                (-b, -a)
            } else {
                (a, b)
            };
            let Some(line) = line(&program, lo, hi) else {
                none += 1;
                continue;
            };
            lines += 1;
            assert!(by == 0 || (1..=2046).contains(&moved) && (1..=2046).contains(&field));
            let mut values = Vec::new();
            for k in 0..20 {
                let x = match k {
                    0 => lo,
                    1 => hi,
                    _ => f64::from_bits(bits + random() % (last - bits + 1)).copysign(lo),
                };
                let computed = line.compute(x, &mut values);
                assert_eq!(
                    Ok(computed.to_bits()),
                    evaluate(&program, x.to_bits()),
                    "{c:x} {x:e}"
                );
            }
        }
        assert!(lines > 500 && none > 500, "{lines} {none}");
    }

    /// Numbers of few bits: no rounding shows that the result has two exponents.
    #[test]
    fn few_bits_across_a_power_of_two_are_no_line() {
        let big = (1.5 * 2f64.powi(42)).to_bits();
        let text = format!(
            "doublecrunch ir 1\nfn f0\n  %0: f64 = param\n  %1: f64 = const {big:#x}\n  %2: f64 = add %0, %1\n  \
             %3: f64 = sub %2, %1\n  %4: i64 = to_bits %3\n  %5: i64 = const 0x7fde000000000000\n  %6: i64 = sub %5, %4\n  \
             %7: f64 = from_bits %6\n  return %7\n"
        );
        let program = Program::parse(&text).expect("a kernel");
        assert!(line(&program, 1.0, 1.8).is_some());
        assert!(line(&program, 1.0, 1.9).is_none());
    }

    /// Powers that no double represents.
    #[test]
    fn exponents_that_are_too_far_apart_are_no_line() {
        for (a, v) in [(1900, 140), (1850, 150), (30, 1990), (60, 1900)] {
            let bits = a << 52 | 1 << 40;
            let c: u64 = ((a + v) << 52) + (1 << 50);
            let (lo, hi) = (f64::from_bits(bits), f64::from_bits(bits + 1000));
            assert!(line(&kernel(c, 1.0), lo, hi).is_none(), "{a} {v}");
        }
    }
}
