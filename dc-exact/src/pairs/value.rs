//! The values of an evaluation over a box of pairs.

use std::rc::Rc;

use kernels_gen::ops::Op;

use super::poly::Poly;
use crate::num::Interval;
use crate::num::float::{exponent, grid};

/// The real number that a value was before its rounding.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Before {
    Sum(Poly),
    Quotient(Poly, Poly),
    Root(Poly),
    /// The root, rounded to odd in binary64.
    OddRoot(Poly),
    /// A number near the polynomial: their distance is at most `factor 2^(grid - 1)`.
    Near {
        of: Poly,
        grid: i32,
        factor: f64,
    },
}

/// A floating-point number.
#[derive(Debug, Clone)]
pub(super) struct Float {
    /// Its value is that of the polynomial for all pairs of the box. `None` if it is or may be infinite or NaN.
    pub poly: Option<Poly>,
    /// All results are in this range.
    pub range: Interval,
    /// All results have at most this many significant bits.
    pub bits: u32,
    /// All results are multiples of `2^grid`.
    pub grid: i32,
    /// The exact value that was rounded to nearest, once, and whether by an addition, which does not underflow.
    pub before: Option<(Before, bool)>,
    /// It is the root of the polynomial, rounded to odd in binary64.
    pub odd_root_of: Option<Poly>,
    /// It is the neighbour of the first number in the direction of the sign of the second.
    pub toward: Option<[Rc<Float>; 2]>,
}

impl Float {
    /// A single number.
    pub fn number(x: f64) -> Float {
        Float {
            poly: x.is_finite().then(|| Poly::number(x)),
            range: Interval { lo: x, hi: x },
            bits: bits_of(x),
            grid: if x.is_finite() { grid(x) } else { ANY_GRID },
            before: None,
            odd_root_of: None,
            toward: None,
        }
    }

    /// Any number of a range.
    pub fn of_range(range: Interval) -> Float {
        Float {
            poly: None,
            range,
            bits: 53,
            grid: ANY_GRID,
            ..Float::number(0.0)
        }
    }

    /// The number, if it is the same for all pairs.
    pub fn constant(&self) -> Option<f64> {
        match &self.poly {
            _ if self.range.lo == self.range.hi => Some(self.range.lo),
            None => None,
            Some(poly) => poly.constant(),
        }
    }
}

/// All numbers are multiples of `2^ANY_GRID`.
const ANY_GRID: i32 = -1074;

/// The number of significant bits of a number.
fn bits_of(x: f64) -> u32 {
    if x == 0.0 || !x.is_finite() {
        return 1;
    }
    (exponent(x) - grid(x) + 1) as u32
}

/// An argument of the kernel, or [`super::space::ORDER`].
pub(super) type Argument = usize;

/// A truth value.
#[derive(Debug, Clone)]
pub(super) enum Mask {
    Known(bool),
    /// It is not the same for all pairs. A box with fewer numbers of this argument may decide it.
    Varies(Option<Argument>),
    /// The same. It is decided where all magnitudes of this argument, or none, are below `2^e`.
    Cut(Argument, i32),
    /// `value < limit` (`Lt`), or another comparison with a constant.
    Compared(Op, Rc<Float>, f64),
    /// `value > 0`, `value < 0`.
    Positive(Rc<Float>),
    Negative(Rc<Float>),
    /// `value != 0`, `value == 0`.
    NotZero(Rc<Float>),
    Zero(Rc<Float>),
    /// The last bit of the value is 0.
    Even(Rc<Float>),
    /// Both: the value `rest` is not 0, and the last bit of `of` is 0.
    InexactAndEven {
        rest: Rc<Float>,
        of: Rc<Float>,
    },
}

/// The meaning of an integer besides its range.
#[derive(Debug, Clone)]
pub(super) enum Meaning {
    Any,
    /// The bits of a number plus a constant.
    Bits(Rc<Float>, i64),
    /// The bits of a number, shifted right: its exponent field.
    Field(Rc<Float>),
    /// The same, shifted back to its place.
    Placed(Rc<Float>),
    /// The last bit of a number.
    LastBit(Rc<Float>),
    /// The bits of `of`, moved by one in the direction of the sign of `rest`.
    Toward {
        of: Rc<Float>,
        rest: Rc<Float>,
    },
}

/// An integer, sign-extended.
#[derive(Debug, Clone)]
pub(super) struct Int {
    pub lo: i64,
    pub hi: i64,
    pub meaning: Meaning,
    /// A box with fewer numbers of this argument makes it more precise.
    pub of: Option<Argument>,
}

impl Int {
    pub fn number(n: i64) -> Int {
        Int {
            lo: n,
            hi: n,
            meaning: Meaning::Any,
            of: None,
        }
    }

    pub fn constant(&self) -> Option<i64> {
        (self.lo == self.hi).then_some(self.lo)
    }
}

#[derive(Debug, Clone)]
pub(super) enum Val {
    Float(Rc<Float>),
    Int(Int),
    Mask(Mask),
}

/// The reason why a box has no bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// A box with fewer numbers of an argument, 0 or 1, may have one. For 2: a box in which it is known which argument is larger.
    Split(usize),
    /// The same, with the numbers of the argument parted at this power of two.
    Cut(usize, i32),
    /// The reason.
    No(&'static str),
}

pub(super) type Result<T> = std::result::Result<T, Refusal>;

pub(super) const NOT_FINITE: Refusal = Refusal::No("an intermediate result may overflow");
