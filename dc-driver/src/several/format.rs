//! Formats of numbers: their bits, their neighbours, and the words that stand for them in columns.

use dc_runtime::model::neighbours::Neighbours;
use dc_runtime::model::signature::Number;
use dc_runtime::model::space::InputSpace;
use dc_runtime::model::stored::{self, Stored};

/// A format.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    pub number: Number,
    /// The bits of a significand.
    pub digits: i32,
    /// The exponent of the smallest normal number.
    pub least: i32,
    /// The exponent of the largest number.
    pub most: i32,
    /// The bits of a number.
    pub width: u32,
}

impl Format {
    pub const fn of(number: Number) -> Format {
        let (digits, most, width) = match number {
            Number::F32 => (24, 127, 32),
            Number::F16 => (11, 15, 16),
            Number::Bf16 => (8, 127, 16),
            Number::F64 | Number::Integer(_) => (53, 1023, 64),
        };
        Format {
            number,
            digits,
            least: 1 - most,
            most,
            width,
        }
    }

    const fn stored(self) -> Option<stored::Format> {
        self.number.stored()
    }

    /// The word of the number with these bits.
    pub fn word(self, bits: u64) -> u64 {
        match self.stored() {
            Some(format) => format.widened(bits as u16).into(),
            None => bits,
        }
    }

    /// The bits of the number of a word.
    pub fn bits(self, word: u64) -> u64 {
        match self.stored() {
            Some(format) => format.nearest(word as u32).into(),
            None => word,
        }
    }

    /// The value of a word.
    pub fn value(self, word: u64) -> f64 {
        self.number.precision().value_of_bits(word)
    }

    /// The word of a number near a value.
    pub fn near(self, x: f64) -> u64 {
        match (self.number, self.stored()) {
            (Number::F64 | Number::Integer(_), _) => x.to_bits(),
            (_, None) => (x as f32).to_bits().into(),
            (_, Some(format)) => self.word(format.nearest((x as f32).to_bits()).into()),
        }
    }

    /// The bits of the infinity: those below are finite.
    pub fn infinity(self) -> u64 {
        self.bits(self.near(f64::INFINITY))
    }

    /// The bit of the sign.
    pub const fn sign(self) -> u64 {
        1 << (self.width - 1)
    }

    /// The word of a number `steps` away from zero, or toward it: within its sign.
    pub fn moved(self, word: u64, steps: i64) -> u64 {
        let bits = self.bits(word);
        let magnitude = (bits & !self.sign()).saturating_add_signed(steps);
        self.word(bits & self.sign() | magnitude.min(self.infinity()))
    }

    /// The words of the numbers before and after one, in the order of the reals.
    pub fn around(self, word: u64) -> [Option<u64>; 2] {
        let precision = self.number.precision();
        let (space, key) = match self.stored() {
            None => (
                InputSpace::Numbers(precision),
                Some(precision.key_of_bits(word)),
            ),
            Some(format) => {
                let pairs = false;
                let stored = Stored { format, pairs };
                (InputSpace::Stored(stored), stored.number(&[word]).ok())
            }
        };
        let around = key.map(|key| Neighbours::of(space, key).around[0]);
        let around = around.unwrap_or_default();
        around.map(|key| space.words(key?).next())
    }

    /// The unit roundoff times two: the distance of 1 and the next number.
    pub fn epsilon(self) -> f64 {
        (1.0 - f64::from(self.digits)).exp2()
    }
}
