//! Values over a box of pairs.

use super::atoms::Range;
use super::poly::{Atom, Poly};
use crate::number::{Number, exponent, on_grid, power};
use crate::typing::Type;

/// A binary format: its precision, the exponent of its least number, and the exponent of the first power of two above its largest number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    pub precision: i32,
    pub least: i32,
    pub end: i32,
}

pub const BINARY32: Format = Format {
    precision: 24,
    least: -149,
    end: 128,
};
pub const BINARY64: Format = Format {
    precision: 53,
    least: -1074,
    end: 1024,
};

impl Format {
    pub fn of(ty: Type) -> Option<Format> {
        match ty {
            Type::F32 => Some(BINARY32),
            Type::F64 => Some(BINARY64),
            _ => None,
        }
    }

    /// The bits of a number of the format. The bits of magnitudes have the order of the magnitudes.
    pub fn bits(self, x: f64) -> u64 {
        match self == BINARY32 {
            true => (x as f32).to_bits().into(),
            false => x.to_bits(),
        }
    }

    /// The number with these bits.
    pub fn number(self, bits: u64) -> f64 {
        match self == BINARY32 {
            true => f32::from_bits(bits as u32).into(),
            false => f64::from_bits(bits),
        }
    }

    /// The index of [`super::atoms::Known::fits`].
    pub fn index(self) -> usize {
        usize::from(self == BINARY32)
    }

    /// The largest number.
    pub fn most(self) -> Number {
        power(self.end) - power(self.end - self.precision)
    }

    /// The least normal number.
    pub fn normal(self) -> Number {
        power(self.least + self.precision - 1)
    }

    /// Half a unit of 1: the largest relative error of a rounding.
    pub fn half_unit(self) -> Number {
        power(-self.precision)
    }

    /// The exponent of the unit in the last place of numbers next to x.
    pub fn place(self, x: &Number) -> i32 {
        (exponent(x) - self.precision + 1).max(self.least)
    }

    /// An interval that holds all roundings of an interval's numbers: its ends rounded to nearest, and outward in a tie.
    pub fn outward(self, x: &Range) -> Range {
        let below = |x: &Number| {
            let place = self.place(x);
            let below = on_grid(x, place);
            match x - &below > power(place - 1) {
                true => below + power(place),
                false => below,
            }
        };
        Range {
            lo: below(&x.lo),
            hi: -below(&-x.hi.clone()),
        }
    }
}

/// The real number whose single rounding to nearest gave a value.
#[derive(Debug, Clone)]
pub enum Before {
    /// A polynomial, its range, and whether it is a sum of two numbers of the format. Such a sum keeps its sign, and does not underflow.
    Real(Poly, Range, bool),
    Quotient(Poly, Poly),
    Root(Poly),
    /// The root of the polynomial, rounded to odd first. The value is this root rounded to nearest.
    Odd(Poly),
    /// The value is not the rounding of the polynomial, but this near to it.
    Near(Poly, Number),
}

/// A finite number, except possibly as the last result.
#[derive(Debug, Clone)]
pub struct Float {
    /// The number's value. `None` if it may be infinite, or if only its steps are known.
    pub poly: Option<Poly>,
    pub range: Range,
    /// The number is an integer of at most `bits` bits, times `2^grid` or a larger power of two.
    pub bits: i32,
    pub grid: i32,
    /// Its last rounding, in its own format.
    pub before: Option<Before>,
    /// The number is this many steps between neighbouring doubles away from this root.
    pub steps: Option<(Atom, i64)>,
}

/// A value.
#[derive(Debug, Clone)]
#[allow(
    clippy::large_enum_variant,
    reason = "nearly all values of a kernel are numbers"
)]
pub enum Value {
    Float(Float),
    Infinity(f64),
    Integer(i64),
    /// The bits of a root, and steps from it.
    Bits(Atom, i64),
    /// The last bit of a root.
    LastBit(Atom),
    Mask(bool),
    /// A value that the checker does not follow. It is allowed only if it is not used.
    Unknown,
}

impl Float {
    pub fn number(x: Number) -> Float {
        let bits = exponent(&x) + 1 - x.exponent() as i32;
        Float {
            poly: Some(Poly::constant(x.clone())),
            bits: if x == Number::zero() { 0 } else { bits },
            grid: x.exponent() as i32,
            range: Range::of(x),
            before: None,
            steps: None,
        }
    }

    /// A value without a polynomial.
    pub fn only(before: Option<Before>, steps: Option<(Atom, i64)>) -> Float {
        Float {
            poly: None,
            before,
            steps,
            ..Float::number(Number::zero())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::exact;

    #[test]
    fn ends_are_rounded_to_nearest_and_outward_in_a_tie() {
        let unit = 2f64.powi(-23);
        for (x, lo, hi) in [
            (1.0, 1.0, 1.0),
            (1.0 + 0.4 * unit, 1.0, 1.0),
            (1.0 + 0.5 * unit, 1.0, 1.0 + unit),
            (1.0 + 0.6 * unit, 1.0 + unit, 1.0 + unit),
            (-1.0 - 0.4 * unit, -1.0, -1.0),
            (-1.0 - 1.5 * unit, -1.0 - 2.0 * unit, -1.0 - unit),
            (2.0 - 0.4 * unit, 2.0, 2.0),
            (2f64.powi(-150), 0.0, 2f64.powi(-149)),
            (2f64.powi(-151), 0.0, 0.0),
            (-(2f64.powi(-150)), -(2f64.powi(-149)), 0.0),
        ] {
            let range = BINARY32.outward(&Range::double(x));
            assert_eq!((range.lo, range.hi), (exact(lo), exact(hi)), "{x:e}");
        }
    }
}
