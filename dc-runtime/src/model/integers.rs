//! Integers as arguments: all integers of 32 bits, and a stratified sample of those of 64 bits.

use super::keys::Order;
use super::pairs::{below, word};
use super::show;

/// A type of integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Int {
    /// `int32_t`
    I32,
    /// `uint32_t`
    U32,
    /// `int64_t`
    I64,
    /// `uint64_t`
    U64,
}

/// Integers as the inputs of a function. In columns they are words of 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Integers {
    /// Their type.
    pub int: Int,
    /// Whether a key is an integer, or the number of an integer in the sample. The key of an integer is the integer, minus 2^63 for
    /// `uint64_t`.
    pub order: Order,
}

/// The number of significand bits of bfloat16, binary16, binary32 and binary64.
const SIGNIFICANDS: [u64; 4] = [8, 11, 24, 53];

impl Int {
    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Int::I32 => "i32",
            Int::U32 => "u32",
            Int::I64 => "i64",
            Int::U64 => "u64",
        }
    }

    /// The number of its bits.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Int::I32 | Int::U32 => 32,
            Int::I64 | Int::U64 => 64,
        }
    }

    const fn is_signed(self) -> bool {
        matches!(self, Int::I32 | Int::I64)
    }

    /// The least and the largest integer.
    #[must_use]
    pub const fn range(self) -> [i128; 2] {
        let half = 1i128 << (self.bits() - 1);
        match self.is_signed() {
            true => [-half, half - 1],
            false => [0, 2 * half - 1],
        }
    }

    /// The integer in a word.
    #[must_use]
    pub const fn value(self, word: u64) -> i128 {
        match self.is_signed() {
            true => word.cast_signed() as i128,
            false => word as i128,
        }
    }

    /// The integer with this key.
    #[must_use]
    pub const fn of_key(self, key: i64) -> i128 {
        match self {
            Int::U64 => key as i128 + (1 << 63),
            _ => key as i128,
        }
    }

    /// The key of an integer of the type.
    #[must_use]
    pub fn key(self, value: i128) -> Option<i64> {
        let [least, most] = self.range();
        let key = match self {
            Int::U64 => value - (1 << 63),
            _ => value,
        };
        i64::try_from(key)
            .ok()
            .filter(|_| (least..=most).contains(&value))
    }

    /// Two doubles whose sum is the integer in a word. For 32 bits, the second is 0.
    #[must_use]
    pub fn doubles(self, word: u64) -> [f64; 2] {
        let hi = match self.is_signed() {
            true => word.cast_signed() as f64,
            false => word as f64,
        };
        [hi, (self.value(word) - hi as i128) as f64]
    }

    /// The integer in a word, in decimal and as bits: `-2 = 0xfffffffe`.
    #[must_use]
    pub fn show(self, word: u64) -> String {
        format!("{} = {}", self.value(word), self.hex(word))
    }

    /// Its bits.
    #[must_use]
    pub fn hex(self, word: u64) -> String {
        match self.bits() {
            32 => format!("0x{:08x}", word as u32),
            _ => format!("0x{word:016x}"),
        }
    }
}

impl Integers {
    /// All integers of a type, or a sample of them.
    #[must_use]
    pub const fn of(int: Int) -> Integers {
        Integers {
            int,
            order: match int.bits() {
                32 => Order::Every,
                _ => Order::Sample,
            },
        }
    }

    /// The smallest and the largest key.
    #[must_use]
    pub fn keys(self) -> [i64; 2] {
        match self.order {
            Order::Sample => [0, i64::MAX],
            Order::Every => self
                .int
                .range()
                .map(|n| self.int.key(n).unwrap_or_default()),
        }
    }

    /// The word for a key.
    #[must_use]
    pub fn word(self, key: i64) -> u64 {
        let value = match self.order {
            Order::Every => self.int.of_key(key),
            Order::Sample => self.sampled(key.cast_unsigned()),
        };
        value as u64
    }

    /// A description of this many integers, if they are a sample.
    #[must_use]
    pub fn describe(self, count: u64) -> Option<String> {
        (self.order == Order::Sample).then(|| {
            format!(
                "{} integers, a sample of 2^{}, not exhaustive",
                show::count(count.into()),
                self.int.bits()
            )
        })
    }

    /// The integer with this number in the sample. Special ones come first. Then, in turn: random ones of random length, those at and
    /// beside a halfway point of a format, powers of two and their neighbours, and small ones.
    fn sampled(self, number: u64) -> i128 {
        let [least, most] = self.int.range();
        let special = [
            0,
            1,
            most,
            least,
            most - 1,
            least + 1,
            most / 2,
            most / 2 + 1,
        ];
        if let Some(&n) = special.get(number as usize) {
            return n;
        }
        let random = &mut { number };
        let bits = u64::from(self.int.bits()) - u64::from(self.int.is_signed());
        // From all bits down to one.
        let long = |random: &mut u64| word(random) >> below(64, random);
        let size = match number % 4 {
            0 => long(random),
            1 => {
                let significand = SIGNIFICANDS[below(4, random) as usize];
                // One bit more than the significand has, with the last bit set: a halfway point if zeros follow.
                let odd = (word(random) >> (63 - significand)) | 1 | 1 << significand;
                let room = bits.saturating_sub(significand + 1);
                let middle = odd << below(room + 1, random);
                middle.wrapping_add(below(3, random)).wrapping_sub(1)
            }
            2 => (1u64 << below(bits, random))
                .wrapping_add(below(5, random))
                .wrapping_sub(2),
            _ => word(random) >> (48 + below(16, random)),
        };
        let size = i128::from(size) & most;
        match self.int.is_signed() && word(random) >> 63 == 1 {
            true => -size,
            false => size,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_integers_in_order() {
        for int in [Int::I32, Int::U32, Int::I64, Int::U64] {
            let [least, most] = int.range();
            let all = Integers {
                int,
                order: Order::Every,
            };
            for n in [least, least + 1, 0, 1, most - 1, most] {
                let key = int.key(n).expect("one of the type");
                assert_eq!(
                    (int.of_key(key), int.value(all.word(key))),
                    (n, n),
                    "{int:?}"
                );
                let [hi, lo] = int.doubles(all.word(key));
                assert_eq!(hi as i128 + lo as i128, n, "{int:?}");
                assert!(int.bits() != 32 || lo == 0.0, "{int:?}");
            }
            assert_eq!(all.keys().map(|k| int.of_key(k)), [least, most]);
            assert_eq!((int.key(least - 1), int.key(most + 1)), (None, None));
        }
        assert_eq!(Int::I32.show(-2i64 as u64), "-2 = 0xfffffffe");
        assert_eq!(
            Int::U64.show(u64::MAX),
            "18446744073709551615 = 0xffffffffffffffff"
        );
    }

    /// Every kind is there, and all are of the type.
    #[test]
    fn the_sample_has_ties_of_every_format() {
        for int in [Int::I64, Int::U64] {
            let sample = Integers::of(int);
            let [least, most] = int.range();
            let values: Vec<i128> = (0..1 << 16).map(|n| int.value(sample.word(n))).collect();
            assert!(values.iter().all(|n| (least..=most).contains(n)), "{int:?}");
            for bits in SIGNIFICANDS {
                let tie = |n: &&i128| {
                    let length = 128 - n.unsigned_abs().leading_zeros();
                    length > bits as u32 + 1
                        && n.unsigned_abs().trailing_zeros() == length - bits as u32 - 1
                };
                let beside = |n: &&i128| tie(&&(**n + 1)) || tie(&&(**n - 1));
                assert!(values.iter().filter(tie).count() > 500, "{int:?} {bits}");
                assert!(values.iter().filter(beside).count() > 500, "{int:?} {bits}");
            }
            let small = values.iter().filter(|n| n.unsigned_abs() < 256).count();
            let large = values.iter().filter(|n| n.unsigned_abs() > 1 << 60).count();
            assert!(small > 2000 && large > 2000, "{int:?} {small} {large}");
            let negative = values.iter().filter(|n| **n < 0).count();
            assert_eq!(negative > 20_000, int == Int::I64);
        }
    }
}
