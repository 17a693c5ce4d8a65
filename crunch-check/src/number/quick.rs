//! Sums and products of numbers of at most three words, rounded in one direction. The library's operations have no such limit, and
//! allocate.

use dashu_base::Sign;
use dashu_float::Repr;
use dashu_int::{IBig, UBig, Word};

/// The same type as everywhere in the crate. It is declared here again so that at most two files import each other.
type Number = Repr<2>;

/// The largest number of bits of an operand, and of a result.
const BITS: usize = 192;
/// An operand that lies below the other one's leading bit by more than this counts only by its sign: all bits of the other operand and of
/// the result are above it.
const FAR: isize = BITS as isize + 64;
/// Words of an exact sum or product: `FAR` and `BITS` bits, and a carry.
const WORDS: usize = 8;

/// `(-1)^negative words 2^exponent`
#[derive(Clone, Copy)]
struct Exact {
    negative: bool,
    words: [u64; WORDS],
    exponent: isize,
}

/// A number of at most `BITS` bits.
#[allow(
    clippy::unnecessary_cast,
    reason = "a word has 32 bits on some processors"
)]
fn short(x: &Number) -> Option<Exact> {
    const WORD: usize = Word::BITS as usize;
    let (sign, all) = x.significand().as_sign_words();
    if all.len() > BITS / WORD {
        return None;
    }
    let mut words = [0u64; WORDS];
    for (i, &word) in all.iter().enumerate() {
        words[i * WORD / 64] |= (word as u64) << (i * WORD % 64);
    }
    Some(Exact {
        negative: sign == Sign::Negative,
        words,
        exponent: x.exponent(),
    })
}

/// The number of bits.
fn length(words: &[u64; WORDS]) -> usize {
    let top = words.iter().rposition(|&w| w != 0);
    top.map_or(0, |i| 64 * i + 64 - words[i].leading_zeros() as usize)
}

/// The words times `2^by`, if this loses no bits.
fn left(words: &[u64; WORDS], by: usize) -> [u64; WORDS] {
    let (skip, by) = (by / 64, by % 64);
    let mut moved = [0; WORDS];
    for i in skip..WORDS {
        moved[i] = words[i - skip] << by;
        if by > 0 && i > skip {
            moved[i] |= words[i - skip - 1] >> (64 - by);
        }
    }
    moved
}

/// The words divided by `2^by`, rounded down, and whether bits were lost.
fn right(words: &[u64; WORDS], by: usize) -> ([u64; WORDS], bool) {
    let (skip, by) = (by / 64, by % 64);
    let mut moved = [0; WORDS];
    for i in skip..WORDS {
        moved[i - skip] = words[i] >> by;
        if by > 0 && i + 1 < WORDS {
            moved[i - skip] |= words[i + 1] << (64 - by);
        }
    }
    let lost = words[..skip].iter().any(|&w| w != 0) || words[skip] & ((1 << by) - 1) != 0;
    (moved, lost)
}

/// The sum of two magnitudes or, with `minus`, the difference of the first and a smaller one.
fn sum(a: &[u64; WORDS], b: &[u64; WORDS], minus: bool) -> [u64; WORDS] {
    let (mut all, mut carry) = ([0; WORDS], false);
    for i in 0..WORDS {
        let ((part, first), second);
        if minus {
            (part, first) = a[i].overflowing_sub(b[i]);
            (all[i], second) = part.overflowing_sub(carry.into());
        } else {
            (part, first) = a[i].overflowing_add(b[i]);
            (all[i], second) = part.overflowing_add(carry.into());
        }
        carry = first | second;
    }
    all
}

impl Exact {
    /// The nearest number with the given number of bits that is not below the exact one or, without `up`, not above it.
    fn rounded(mut self, bits: usize, up: bool) -> Number {
        let drop = length(&self.words).saturating_sub(bits);
        if drop > 0 {
            let (kept, lost) = right(&self.words, drop);
            self.words = kept;
            self.exponent += drop as isize;
            if lost && up != self.negative {
                let mut one = [0; WORDS];
                one[0] = 1;
                self.words = sum(&self.words, &one, false);
            }
        }
        let Some(low) = self.words.iter().position(|&w| w != 0) else {
            return Number::zero();
        };
        // Numbers are odd multiples of powers of two.
        let zeros = 64 * low + self.words[low].trailing_zeros() as usize;
        let words = right(&self.words, zeros).0;
        let magnitude = if words[2] == 0 {
            UBig::from(u128::from(words[1]) << 64 | u128::from(words[0]))
        } else {
            let mut bytes = [0; 32];
            for (to, word) in bytes.chunks_exact_mut(8).zip(words) {
                to.copy_from_slice(&word.to_le_bytes());
            }
            UBig::from_le_bytes(&bytes)
        };
        let sign = if self.negative {
            Sign::Negative
        } else {
            Sign::Positive
        };
        let significand = IBig::from_parts(sign, magnitude);
        Number::new(significand, self.exponent + zeros as isize)
    }
}

/// A number of at most 64 bits: its sign, its significand and its exponent.
fn word(x: &Number) -> Option<(bool, u64, isize)> {
    const MOST: usize = (u64::BITS / Word::BITS) as usize;
    let (sign, all) = x.significand().as_sign_words();
    if all.len() > MOST {
        return None;
    }
    let all = all.iter().rev();
    // One word, or two of a smaller machine.
    let magnitude = all.fold(0u128, |sum, &w| sum << Word::BITS | w as u128) as u64;
    Some((sign == Sign::Negative, magnitude, x.exponent()))
}

/// A positive integer of few bits.
pub(super) fn integer(x: &Number) -> Option<u32> {
    let (negative, magnitude, exponent) = word(x)?;
    if negative || magnitude == 0 || !(0..16).contains(&exponent) {
        return None;
    }
    u32::try_from(magnitude).ok()?.checked_mul(1 << exponent)
}

/// `(-1)^negative magnitude 2^exponent`, rounded as by [`Exact::rounded`].
fn rounded<const P: usize>(
    negative: bool,
    mut magnitude: u128,
    mut exponent: isize,
    up: bool,
) -> Number {
    if magnitude == 0 {
        return Number::zero();
    }
    let drop = (128 - magnitude.leading_zeros()).saturating_sub(P as u32);
    if drop > 0 {
        let lost = magnitude & ((1 << drop) - 1) != 0;
        magnitude = (magnitude >> drop) + u128::from(lost && up != negative);
        exponent += drop as isize;
    }
    let zeros = magnitude.trailing_zeros();
    let sign = if negative {
        Sign::Negative
    } else {
        Sign::Positive
    };
    let significand = IBig::from_parts(sign, UBig::from(magnitude >> zeros));
    Number::new(significand, exponent + zeros as isize)
}

/// `a b`, rounded to P bits; `None` if a number or the result is too long.
pub(super) fn product<const P: usize>(a: &Number, b: &Number, up: bool) -> Option<Number> {
    if P > BITS {
        return None;
    }
    if let (Some(a), Some(b)) = (word(a), word(b)) {
        let magnitude = u128::from(a.1) * u128::from(b.1);
        return Some(rounded::<P>(a.0 != b.0, magnitude, a.2 + b.2, up));
    }
    let (a, b) = (short(a)?, short(b)?);
    let mut words = [0; WORDS];
    for i in 0..BITS / 64 {
        let mut carry = 0;
        for j in 0..BITS / 64 {
            let all =
                u128::from(a.words[i]) * u128::from(b.words[j]) + u128::from(words[i + j]) + carry;
            words[i + j] = all as u64;
            carry = all >> 64;
        }
        words[i + BITS / 64] = carry as u64;
    }
    let exact = Exact {
        negative: a.negative != b.negative,
        words,
        exponent: a.exponent + b.exponent,
    };
    Some(exact.rounded(P, up))
}

/// `a + b` or, with `minus`, `a - b`, rounded to P bits; `None` if a number or the result is too long.
pub(super) fn total<const P: usize>(
    a: &Number,
    b: &Number,
    minus: bool,
    up: bool,
) -> Option<Number> {
    if P > BITS {
        return None;
    }
    if let (Some(a), Some(b)) = (word(a), word(b)) {
        let least = a.2.min(b.2);
        let part = |(negative, magnitude, exponent): (bool, u64, isize)| {
            // With 62 more bits, a sum has 127 and a sign.
            let by = exponent - least;
            let part = (by <= 62).then(|| i128::from(magnitude) << by)?;
            Some(if negative { -part } else { part })
        };
        if let (Some(a), Some(b)) = (part(a), part(b)) {
            let sum = if minus { a - b } else { a + b };
            return Some(rounded::<P>(sum < 0, sum.unsigned_abs(), least, up));
        }
    }
    let (a, mut b) = (short(a)?, short(b)?);
    b.negative ^= minus;
    let (of_a, of_b) = (length(&a.words), length(&b.words));
    if of_a == 0 || of_b == 0 {
        return Some(if of_a == 0 { b } else { a }.rounded(P, up));
    }
    let (top_a, top_b) = (a.exponent + of_a as isize, b.exponent + of_b as isize);
    let (high, mut low, top) = if top_a >= top_b {
        (a, b, top_a)
    } else {
        (b, a, top_b)
    };
    if top_a.min(top_b) < top - FAR {
        // It decides the direction alone, as does any smaller number of its sign.
        low.words = [0; WORDS];
        low.words[0] = 1;
        low.exponent = top - FAR;
    }
    let exponent = high.exponent.min(low.exponent);
    let x = left(&high.words, (high.exponent - exponent) as usize);
    let y = left(&low.words, (low.exponent - exponent) as usize);
    let differ = high.negative != low.negative;
    // If the leading bits are equal, either may be the larger.
    let turned = differ && x.iter().rev().lt(y.iter().rev());
    let exact = Exact {
        negative: high.negative != turned,
        words: if turned {
            sum(&y, &x, true)
        } else {
            sum(&x, &y, differ)
        },
        exponent,
    };
    Some(exact.rounded(P, up))
}

#[cfg(test)]
mod tests {
    use dashu_base::{Abs, BitTest};

    use super::super::{exact, exponent, negative, power, zero};
    use super::*;
    use crate::kernels::Words;

    /// A number of up to this many bits, often with long runs of ones or zeros.
    fn number(random: &mut Words, bits: u64) -> Number {
        let mut all = IBig::ZERO;
        for _ in 0..bits.div_ceil(64) {
            let word = random.next();
            all =
                (all << 64) + IBig::from([word, 0, u64::MAX, 1, 1 << 63][random.below(5) as usize]);
        }
        let all = all >> random.below(bits) as usize;
        let e = random.of(&[0isize, -3, 64, -190, 250, -256, 257, 300, -1100]);
        let near = random.below(5) as isize;
        Number::new(if random.below(2) == 0 { -all } else { all }, e + near)
    }

    /// Compares operations with exact ones: each result must have at most P bits, be on its side of the exact one, and be less than a unit in
    /// the last place away. Returns how many were compared.
    fn compare<const P: usize>(a: &Number, b: &Number) -> usize {
        let all = [
            (product::<P>(a, b, false), a * b, false),
            (product::<P>(a, b, true), a * b, true),
            (total::<P>(a, b, false, false), a + b, false),
            (total::<P>(a, b, false, true), a + b, true),
            (total::<P>(a, b, true, false), a - b, false),
            (total::<P>(a, b, true, true), a - b, true),
        ];
        let mut compared = 0;
        for (got, exact, upward) in all {
            let Some(got) = got else { continue };
            compared += 1;
            let bits = |x: &Number| x.significand().clone().abs().bit_len();
            let off = match upward {
                true => &got - &exact,
                false => &exact - &got,
            };
            let least = exponent(&exact) - P as i32 + 1;
            let near = zero(&off) || bits(&exact) > P && off < power(least);
            assert!(
                bits(&got) <= P && !negative(&off) && near,
                "{a:?} {b:?} {P} {got:?} {exact:?}"
            );
            // An odd multiple of a power of two.
            assert!(zero(&got) || got == Number::new(got.significand().clone(), got.exponent()));
        }
        compared
    }

    #[test]
    fn operations_are_the_exact_ones_rounded() {
        let mut random = Words(1);
        let mut compared = 0;
        for _ in 0..60_000 {
            let mut one = || number(&mut random, 192);
            let (a, b) = (one(), one());
            // Neighbours of a number cancel it except for the last bits.
            let b = match random.below(4) {
                0 => &a + &power(exponent(&a) - random.below(300) as i32),
                1 => -(&a - &power(exponent(&a) - random.below(190) as i32)),
                _ => b,
            };
            compared += compare::<64>(&a, &b) + compare::<192>(&a, &b);
            compared += compare::<53>(&a, &b) + compare::<1>(&a, &b);
        }
        assert!(compared > 500_000, "{compared}");
    }

    #[test]
    fn integers_are_what_they_are() {
        for (x, is) in [
            (1.0, Some(1)),
            (96.0, Some(96)),
            (0.0, None),
            (0.5, None),
            (-3.0, None),
            (2.5, None),
        ] {
            assert_eq!(integer(&exact(x)), is, "{x}");
        }
        // Whose bits beyond 64 were lost.
        for x in [
            65_537.0 * 65_536.0,
            2f64.powi(75) + 2f64.powi(30),
            2f64.powi(60) + 2f64.powi(15),
        ] {
            assert_eq!(integer(&exact(x)), None, "{x}");
        }
    }

    #[test]
    fn long_numbers_are_left_to_the_library() {
        let long = Number::new((IBig::ONE << 192) + 1, 0);
        let one = exact(1.0);
        assert!(product::<64>(&long, &one, true).is_none());
        assert!(total::<64>(&one, &long, true, true).is_none());
        let most = Number::new((IBig::ONE << 192) - 1, 0);
        assert!(product::<64>(&most, &most, true).is_some());
        assert!(product::<193>(&one, &one, true).is_none());
    }
}
