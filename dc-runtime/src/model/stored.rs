//! Numbers of formats that are only used for storage: binary16 and bfloat16. There are so few numbers, and pairs of them, that all can be
//! searched.

use super::key::Precision;
use super::show;
use crate::builtins::half::{bfloat_bits, bfloat_number, half_bits, half_number};

/// A format of 16 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// binary16, with 10 fraction bits.
    Half,
    /// bfloat16: the upper half of binary32.
    Bfloat,
}

/// Inputs of a routine that loads numbers of a format: one argument, or two. Keys are numbers from 0 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stored {
    /// The format.
    pub format: Format,
    /// Whether there are two arguments.
    pub pairs: bool,
}

impl Format {
    /// The bits of the binary32 number with the value of these bits. All NaNs become the canonical one.
    #[must_use]
    pub fn widened(self, bits: u16) -> u32 {
        let x = match self {
            Format::Bfloat => bfloat_number(bits),
            Format::Half => half_number(bits),
        };
        x.to_bits()
    }

    /// The bits of the nearest number of the format.
    #[must_use]
    pub fn nearest(self, bits: u32) -> u16 {
        let number = f32::from_bits(bits);
        match self {
            Format::Bfloat => bfloat_bits(number),
            Format::Half => half_bits(number),
        }
    }

    /// The bits of a binary32 number in the format, if it is exact there.
    #[must_use]
    pub fn narrowed(self, bits: u32) -> Option<u16> {
        let narrow = self.nearest(bits);
        (self.widened(narrow) == bits).then_some(narrow)
    }

    /// The number that is `steps` away from this one, in the order of the reals, both as bits of binary32. `None` beyond the infinities, and
    /// for NaN.
    #[must_use]
    pub fn beside(self, bits: u32, steps: i16) -> Option<u32> {
        if f32::from_bits(bits).is_nan() {
            return None;
        }
        let sign_last = |bits: u16| {
            (bits.cast_signed() ^ ((bits.cast_signed() >> 15) & 0x7fff)).cast_unsigned()
        };
        // The order of the reals is that of signed integers, if the magnitude of negative numbers is turned.
        let place = sign_last(self.nearest(bits)).cast_signed();
        let bits = self.widened(sign_last(place.checked_add(steps)?.cast_unsigned()));
        (!f32::from_bits(bits).is_nan()).then_some(bits)
    }
}

impl Stored {
    /// The largest key.
    #[must_use]
    pub const fn last(self) -> i64 {
        if self.pairs {
            u32::MAX as i64
        } else {
            u16::MAX as i64
        }
    }

    /// The signature as on the command line and in run files.
    #[must_use]
    pub const fn signature(self) -> &'static str {
        match (self.format, self.pairs) {
            (Format::Half, false) => "half",
            (Format::Bfloat, false) => "bfloat",
            (Format::Half, true) => "half,half",
            (Format::Bfloat, true) => "bfloat,bfloat",
        }
    }

    /// The arguments for a key, as bits of binary32. Their order is pseudo-random, so every prefix is a uniform
    /// sample.
    #[must_use]
    pub fn words(self, number: i64) -> [u64; 2] {
        let wide = |bits: u16| u64::from(self.format.widened(bits));
        if self.pairs {
            let mixed = mix(number as u32);
            [wide((mixed >> 16) as u16), wide(mixed as u16)]
        } else {
            [wide((number as u32).wrapping_mul(FACTORS[0]) as u16), 0]
        }
    }

    /// The key of these arguments, given as bits of binary32.
    ///
    /// # Errors
    /// If one of them is not a number of the format. The error names it.
    pub fn number(self, words: &[u64]) -> Result<i64, StoredError> {
        let narrow = |word: u64| {
            let bits = word as u32;
            (self.format.narrowed(bits)).ok_or(StoredError::NoNumber { bits })
        };
        match words {
            [x, y] if self.pairs => {
                let both = u32::from(narrow(*x)?) << 16 | u32::from(narrow(*y)?);
                Ok(i64::from(unmixed(both)))
            }
            [x] if !self.pairs => {
                let bits = u32::from(narrow(*x)?);
                Ok(i64::from(bits.wrapping_mul(inverse(FACTORS[0])) as u16))
            }
            _ => Err(StoredError::Arguments {
                given: words.len(),
                expected: if self.pairs { 2 } else { 1 },
            }),
        }
    }
}

/// The reason why arguments have no key among stored numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoredError {
    /// An argument is not a number of the format.
    #[error("{} is no number of the format", show::decimal(Precision::F32, (*bits).into()))]
    NoNumber {
        /// Its bits, as binary32.
        bits: u32,
    },
    /// The function has another number of arguments.
    #[error("{given} arguments in place of {expected}")]
    Arguments {
        /// The number of arguments.
        given: usize,
        /// The function's number of arguments.
        expected: usize,
    },
}

/// A permutation of words: shifts and odd factors, each of which is invertible.
const fn mix(mut n: u32) -> u32 {
    n ^= n >> 16;
    n = n.wrapping_mul(FACTORS[0]);
    n ^= n >> 15;
    n = n.wrapping_mul(FACTORS[1]);
    n ^ (n >> 16)
}

/// The inverse of [`mix`].
const fn unmixed(mut n: u32) -> u32 {
    n ^= n >> 16;
    n = n.wrapping_mul(inverse(FACTORS[1]));
    n ^= (n >> 15) ^ (n >> 30);
    n = n.wrapping_mul(inverse(FACTORS[0]));
    n ^ (n >> 16)
}

/// Arbitrary odd numbers with many ones and zeros.
const FACTORS: [u32; 2] = [0x9e37_79b1, 0x85eb_ca6b];

/// The inverse of an odd number modulo 2^32. Each step doubles the number of correct bits; the number itself has 3.
const fn inverse(a: u32) -> u32 {
    let mut x = a;
    let mut right = 3;
    while right < 32 {
        x = x.wrapping_mul(2u32.wrapping_sub(a.wrapping_mul(x)));
        right *= 2;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_numbers_of_one_argument_are_there() {
        for format in [Format::Half, Format::Bfloat] {
            let all = Stored {
                format,
                pairs: false,
            };
            let value = |n: i64| f32::from_bits(all.words(n)[0] as u32);
            let values: Vec<f32> = (0..=all.last()).map(value).collect();
            let mut numbers: Vec<&f32> = values.iter().filter(|x| !x.is_nan()).collect();
            numbers.sort_by(|a, b| a.total_cmp(b));
            assert!(numbers.windows(2).all(|w| w[0].total_cmp(w[1]).is_lt()));
            let infinity = if format == Format::Half {
                0x7c00
            } else {
                0x7f80
            };
            assert_eq!(numbers.len(), 2 * (infinity + 1));
            for x in [0.0f32, -0.0, 1.0, -2.5, f32::INFINITY] {
                let n = all.number(&[x.to_bits().into()]).expect("a number of it");
                assert_eq!(value(n).to_bits(), x.to_bits());
            }
            assert!(all.number(&[1.000_001f32.to_bits().into()]).is_err());
        }
    }

    #[test]
    fn every_pair_has_one_number() {
        let pairs = Stored {
            format: Format::Half,
            pairs: true,
        };
        for n in (0..=u32::MAX).step_by(65_521).chain([u32::MAX]) {
            assert_eq!(unmixed(mix(n)), n);
        }
        let words = [1.5f32, -0.25].map(|x| u64::from(x.to_bits()));
        let n = pairs.number(&words).expect("a pair");
        assert_eq!(pairs.words(n), words);
        // A prefix is distributed over both arguments.
        let first: Vec<[u64; 2]> = (0..1000).map(|n| pairs.words(n)).collect();
        for argument in 0..2 {
            let small = first
                .iter()
                .filter(|w| f32::from_bits(w[argument] as u32).abs() < 1.0);
            let n = small.count();
            assert!((350..650).contains(&n), "{n}");
        }
    }
}
