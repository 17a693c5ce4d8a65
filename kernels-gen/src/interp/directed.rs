//! Directed roundings with integers: exact values are truncated, and no floating-point operation is used.
//!
//! Every instruction set and language computes its directed operations in another way (by an instruction, or by a residual's sign). They
//! are all compared with this definition, which is itself compared with MPFR and, for rounding to nearest, with the processor.

use crate::ops::{Arith, Direction, Prim};

/// The direction of rounding. Rounding to nearest exists only to test the other code against the processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "the processor has it; for tests")
    )]
    Nearest,
    Directed(Direction),
}

/// An operation on columns of one length.
pub(super) fn apply(
    arith: Arith,
    direction: Direction,
    ty: Prim,
    [a, b, c]: [&[u64]; 3],
    out: &mut [u64],
) {
    let format = Format::of(ty);
    for (i, out) in out.iter_mut().enumerate() {
        let at = |column: &[u64]| column.get(i).copied().unwrap_or(0);
        *out = one(
            arith,
            Mode::Directed(direction),
            format,
            [at(a), at(b), at(c)],
        );
    }
}

/// An IEEE 754 format.
#[derive(Debug, Clone, Copy)]
struct Format {
    /// Bits of the significand, including the hidden one.
    digits: u32,
    /// Exponent of the last bit of subnormal numbers.
    least: i32,
    sign: u64,
    infinity: u64,
    nan: u64,
}

impl Format {
    fn of(ty: Prim) -> Self {
        if ty == Prim::F64 {
            Format {
                digits: 53,
                least: -1074,
                sign: 1 << 63,
                infinity: 0x7ff << 52,
                nan: 0x7ff8 << 48,
            }
        } else {
            Format {
                digits: 24,
                least: -149,
                sign: 1 << 31,
                infinity: 0xff << 23,
                nan: 0x7fc0 << 16,
            }
        }
    }

    /// The number of these bits.
    fn read(self, bits: u64) -> Number {
        let (negative, magnitude) = (bits & self.sign != 0, bits & (self.sign - 1));
        let hidden = 1 << (self.digits - 1);
        let (fraction, biased) = (magnitude & (hidden - 1), magnitude >> (self.digits - 1));
        match magnitude {
            0 => Number::Zero(negative),
            m if m == self.infinity => Number::Infinity(negative),
            m if m > self.infinity => Number::Nan,
            _ => Number::Finite(Exact {
                negative,
                whole: u128::from(if biased == 0 {
                    fraction
                } else {
                    fraction | hidden
                }),
                exponent: self.least + (biased as i32 - 1).max(0),
                more: false,
            }),
        }
    }

    fn signed(self, negative: bool, magnitude: u64) -> u64 {
        magnitude | if negative { self.sign } else { 0 }
    }

    /// Rounds a value that is not zero.
    fn round(self, mode: Mode, x: Exact) -> u64 {
        debug_assert!(x.whole != 0, "a value to round has a leading bit");
        let top = 127 - x.whole.leading_zeros() as i32 + x.exponent;
        // Exponent of the result's last bit.
        let last = (top - (self.digits as i32 - 1)).max(self.least);
        let drop = last - x.exponent;
        let (kept, half, rest) = match drop {
            ..=0 => (x.whole << -drop, false, x.more),
            1..=127 => {
                let below = x.whole & ((1 << drop) - 1);
                let half = below >> (drop - 1) == 1;
                let rest = below & ((1 << (drop - 1)) - 1) != 0 || x.more;
                (x.whole >> drop, half, rest)
            }
            128 => (0, x.whole >> 127 == 1, x.whole << 1 != 0 || x.more),
            _ => (0, false, true),
        };
        let inexact = half || rest;
        let away = match mode {
            Mode::Nearest => half && (rest || kept & 1 == 1),
            Mode::Directed(Direction::Zero) => false,
            Mode::Directed(Direction::Up) => inexact && !x.negative,
            Mode::Directed(Direction::Down) => inexact && x.negative,
        };
        let hidden = 1u64 << (self.digits - 1);
        let kept = kept as u64;
        // The hidden bit is added to the exponent field, and so is a carry out of the fraction.
        let field = (last - self.least) as u64;
        let magnitude = match kept {
            k if k < hidden => k + u64::from(away),
            k => field * hidden + k + u64::from(away),
        };
        if magnitude < self.infinity {
            return self.signed(x.negative, magnitude);
        }
        // The result is too large: infinity or, where infinity is in the wrong direction, the largest finite number.
        let outward = match mode {
            Mode::Nearest => true,
            Mode::Directed(Direction::Zero) => false,
            Mode::Directed(Direction::Up) => !x.negative,
            Mode::Directed(Direction::Down) => x.negative,
        };
        self.signed(x.negative, self.infinity - u64::from(!outward))
    }
}

/// A decoded number. Of zeros and infinities, only the sign is kept.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Number {
    Nan,
    Infinity(bool),
    Zero(bool),
    Finite(Exact),
}

impl Number {
    fn negative(self) -> bool {
        match self {
            Number::Nan => false,
            Number::Infinity(negative) | Number::Zero(negative) => negative,
            Number::Finite(x) => x.negative,
        }
    }
    fn negated(self) -> Self {
        match self {
            Number::Nan => self,
            Number::Infinity(negative) => Number::Infinity(!negative),
            Number::Zero(negative) => Number::Zero(!negative),
            Number::Finite(x) => Number::Finite(Exact {
                negative: !x.negative,
                ..x
            }),
        }
    }
}

/// `whole * 2^exponent`, or, if there is `more`, a value strictly between that and `(whole + 1) * 2^exponent`.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Exact {
    negative: bool,
    whole: u128,
    exponent: i32,
    more: bool,
}

impl Exact {
    /// The same value with the leading bit at position `bit`; exact.
    fn lifted(self, bit: u32) -> Self {
        let by = self.whole.leading_zeros() as i32 - (127 - bit as i32);
        Exact {
            whole: if by < 0 {
                self.whole >> -by
            } else {
                self.whole << by
            },
            exponent: self.exponent - by,
            ..self
        }
    }
    fn top(self) -> i32 {
        127 - self.whole.leading_zeros() as i32 + self.exponent
    }
}

/// The operation on one lane.
fn one(arith: Arith, mode: Mode, format: Format, bits: [u64; 3]) -> u64 {
    let [a, b, c] = bits.map(|x| format.read(x));
    let one = Number::Finite(Exact {
        negative: false,
        whole: 1,
        exponent: 0,
        more: false,
    });
    let value = match arith {
        Arith::Add => sum(mode, a, b),
        Arith::Sub => sum(mode, a, b.negated()),
        Arith::Mul => product(a, b),
        Arith::Div => quotient(a, b),
        Arith::Recip => quotient(one, a),
        Arith::Sqrt => root(a),
        Arith::Fma => sum(mode, product(a, b), c),
    };
    match value {
        Number::Nan => format.nan,
        Number::Infinity(negative) => format.signed(negative, format.infinity),
        Number::Zero(negative) => format.signed(negative, 0),
        Number::Finite(x) => format.round(mode, x),
    }
}

/// The exact product of two significands of 53 bits, with 106 bits.
fn product(a: Number, b: Number) -> Number {
    let negative = a.negative() != b.negative();
    match (a, b) {
        (Number::Nan, _) | (_, Number::Nan) => Number::Nan,
        (Number::Infinity(_), Number::Zero(_)) | (Number::Zero(_), Number::Infinity(_)) => {
            Number::Nan
        }
        (Number::Infinity(_), _) | (_, Number::Infinity(_)) => Number::Infinity(negative),
        (Number::Zero(_), _) | (_, Number::Zero(_)) => Number::Zero(negative),
        (Number::Finite(x), Number::Finite(y)) => Number::Finite(Exact {
            negative,
            whole: x.whole * y.whole,
            exponent: x.exponent + y.exponent,
            more: false,
        }),
    }
}

/// The quotient with 64 bits, and whether there is a remainder.
fn quotient(a: Number, b: Number) -> Number {
    let negative = a.negative() != b.negative();
    match (a, b) {
        (Number::Nan, _) | (_, Number::Nan) => Number::Nan,
        (Number::Infinity(_), Number::Infinity(_)) | (Number::Zero(_), Number::Zero(_)) => {
            Number::Nan
        }
        (Number::Infinity(_), _) | (_, Number::Zero(_)) => Number::Infinity(negative),
        (Number::Zero(_), _) | (_, Number::Infinity(_)) => Number::Zero(negative),
        (Number::Finite(x), Number::Finite(y)) => {
            let (x, y) = (x.lifted(127), y.lifted(63));
            Number::Finite(Exact {
                negative,
                whole: x.whole / y.whole,
                exponent: x.exponent - y.exponent,
                more: !x.whole.is_multiple_of(y.whole),
            })
        }
    }
}

/// The root with 63 bits, and whether there is a remainder.
fn root(a: Number) -> Number {
    match a {
        Number::Zero(_) | Number::Infinity(false) => a,
        Number::Finite(x) if !x.negative => {
            let x = x.lifted(126);
            // If the exponent is odd, one bit is moved to the significand.
            let odd = x.exponent & 1;
            let whole = x.whole << odd;
            let root = whole.isqrt();
            Number::Finite(Exact {
                negative: false,
                whole: root,
                exponent: (x.exponent - odd) / 2,
                more: root * root != whole,
            })
        }
        _ => Number::Nan,
    }
}

/// The sum. If it is not exact, it has a bit above position 124. The 106 bits of a product are kept exactly unless the other number is far
/// above.
fn sum(mode: Mode, a: Number, b: Number) -> Number {
    // An exact zero of two numbers that are not zeros of one sign.
    let cancelled = Number::Zero(mode == Mode::Directed(Direction::Down));
    match (a, b) {
        (Number::Nan, _) | (_, Number::Nan) => Number::Nan,
        (Number::Infinity(x), Number::Infinity(y)) if x != y => Number::Nan,
        (Number::Infinity(_), _) => a,
        (_, Number::Infinity(_)) => b,
        (Number::Zero(x), Number::Zero(y)) => {
            if x == y {
                a
            } else {
                cancelled
            }
        }
        (Number::Zero(_), _) => b,
        (_, Number::Zero(_)) => a,
        (Number::Finite(x), Number::Finite(y)) => {
            let (big, small) = if x.top() < y.top() { (y, x) } else { (x, y) };
            let big = big.lifted(125);
            let drop = big.exponent - small.exponent;
            // Of the smaller number's bits below the larger one's last, only whether there are any is kept. If there
            // are, it is far smaller (its 106 bits at most do not reach into the upper 19), so nothing cancels.
            let (part, more) = match drop {
                ..=0 => (small.whole << -drop, false),
                1..=127 => (small.whole >> drop, small.whole & ((1 << drop) - 1) != 0),
                _ => (0, true),
            };
            let whole = if big.negative == small.negative {
                Some(big.whole + part)
            } else {
                // Subtracting `part` and `more` is subtracting one more, and adding `more`. With equal leading bits the
                // second number may be the larger.
                big.whole.checked_sub(part + u128::from(more))
            };
            let (negative, whole) = match whole {
                Some(whole) => (big.negative, whole),
                None => (small.negative, part - big.whole),
            };
            if whole == 0 {
                return cancelled;
            }
            Number::Finite(Exact {
                negative,
                whole,
                exponent: big.exponent,
                more,
            })
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::interp::canonical;

    /// Numbers of every kind: both signs, the ends of every range, few and many digits.
    fn structured(ty: Prim) -> Vec<u64> {
        let f = Format::of(ty);
        let hidden = 1u64 << (f.digits - 1);
        let one = (f.infinity >> 1) / hidden * hidden;
        let mut magnitudes = vec![0, 1, 2, 3, hidden / 2, f.infinity, f.nan];
        for at in [
            hidden,
            2 * hidden,
            one,
            one + hidden,
            one - hidden,
            f.infinity,
        ] {
            magnitudes.extend([at - 2, at - 1, at, at + 1, at + 2]);
        }
        for exponent in [1, 30, 60, f.digits as u64, 2 * f.digits as u64] {
            magnitudes.push(one + exponent * hidden);
            magnitudes.push((one - exponent * hidden) | 0x1357_9bdf & (hidden - 1));
        }
        let negative = magnitudes.clone().into_iter().map(|m| m | f.sign);
        magnitudes.iter().copied().chain(negative).collect()
    }

    struct Random(u64);
    impl Random {
        fn next(&mut self) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0
        }
    }

    /// Triples of structured numbers, thinned, and random ones: any bits, and numbers of similar exponents.
    pub(crate) fn triples(ty: Prim) -> Vec<[u64; 3]> {
        let values = structured(ty);
        let mut rows = Vec::new();
        for (i, &a) in values.iter().enumerate() {
            for &b in &values {
                for &c in values.iter().skip(i % 3).step_by(3) {
                    rows.push([a, b, c]);
                }
            }
        }
        let random = &mut Random(0x9e37_79b9_7f4a_7c15);
        let format = Format::of(ty);
        let all = format.sign | (format.sign - 1);
        for _ in 0..200_000 {
            rows.push([0; 3].map(|_| random.next() & all));
            let near = format.infinity / 2;
            let small = [0; 3].map(|_| near ^ (random.next() & all & ((near / 16) | format.sign)));
            rows.push(small);
        }
        rows
    }

    #[test]
    fn to_nearest_it_is_the_processor() {
        for ty in [Prim::F64, Prim::F32] {
            let format = Format::of(ty);
            for [a, b, c] in triples(ty) {
                for arith in Arith::ALL {
                    let got = one(arith, Mode::Nearest, format, [a, b, c]);
                    macro_rules! native {
                        ($t:ident, $bits:ident) => {{
                            let [a, b, c] = [a, b, c].map(|x| $t::from_bits(x as $bits));
                            let r = match arith {
                                Arith::Add => a + b,
                                Arith::Sub => a - b,
                                Arith::Mul => a * b,
                                Arith::Div => a / b,
                                Arith::Recip => 1.0 / a,
                                Arith::Sqrt => a.sqrt(),
                                Arith::Fma => a.mul_add(b, c),
                            };
                            canonical(ty, r.to_bits().into())
                        }};
                    }
                    let want = if ty == Prim::F64 {
                        native!(f64, u64)
                    } else {
                        native!(f32, u32)
                    };
                    assert_eq!(got, want, "{arith:?} of {a:x}, {b:x}, {c:x}");
                }
            }
        }
    }

    #[test]
    fn the_standard_s_cases() {
        use Direction::{Down, Up, Zero};
        let d = |arith, direction, bits: [f64; 3]| {
            let format = Format::of(Prim::F64);
            let bits = one(
                arith,
                Mode::Directed(direction),
                format,
                bits.map(f64::to_bits),
            );
            f64::from_bits(bits)
        };
        let (max, tiny) = (f64::MAX, f64::from_bits(1));
        for (arith, bits, want) in [
            (Arith::Add, [1.0, -1.0, 0.0], [0.0, 0.0, -0.0]),
            (Arith::Add, [0.0, -0.0, 0.0], [0.0, 0.0, -0.0]),
            (Arith::Add, [-0.0, -0.0, 0.0], [-0.0, -0.0, -0.0]),
            (Arith::Add, [max, max, 0.0], [max, f64::INFINITY, max]),
            (
                Arith::Sub,
                [-max, max, 0.0],
                [-max, -max, f64::NEG_INFINITY],
            ),
            (Arith::Mul, [tiny, tiny, 0.0], [0.0, tiny, 0.0]),
            (Arith::Mul, [tiny, -tiny, 0.0], [-0.0, -0.0, -tiny]),
            (Arith::Mul, [0.0, -1.0, 0.0], [-0.0, -0.0, -0.0]),
            (Arith::Recip, [tiny, 0.0, 0.0], [max, f64::INFINITY, max]),
            (Arith::Recip, [-0.0, 0.0, 0.0], [f64::NEG_INFINITY; 3]),
            (Arith::Sqrt, [-0.0, 0.0, 0.0], [-0.0, -0.0, -0.0]),
            (Arith::Fma, [2.0, 3.0, -6.0], [0.0, 0.0, -0.0]),
            (Arith::Fma, [tiny, tiny, -0.0], [0.0, tiny, 0.0]),
            (Arith::Fma, [tiny, tiny, max], [max, f64::INFINITY, max]),
        ] {
            for (direction, want) in [Zero, Up, Down].into_iter().zip(want) {
                let got = d(arith, direction, bits);
                assert_eq!(
                    got.to_bits(),
                    want.to_bits(),
                    "{arith:?} {direction:?} of {bits:?}"
                );
            }
        }
    }
}
