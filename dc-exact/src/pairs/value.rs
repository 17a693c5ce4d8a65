//! The values of an evaluation over a box of pairs.

use std::rc::Rc;

use super::poly::Poly;
use crate::num::Interval;

/// The real number that a value was before its rounding.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Before {
    Sum(Poly),
    Quotient(Poly, Poly),
    Root(Poly),
    /// The root, rounded to odd in binary64.
    OddRoot(Poly),
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

/// The number of significant bits of a number.
fn bits_of(x: f64) -> u32 {
    if x == 0.0 || !x.is_finite() {
        return 1;
    }
    (crate::num::float::exponent(x) - crate::num::float::grid(x) + 1) as u32
}

/// An argument of the kernel, or [`super::space::ORDER`].
pub(super) type Argument = usize;

/// A truth value.
#[derive(Debug, Clone)]
pub(super) enum Mask {
    Known(bool),
    /// It is not the same for all pairs. A box with fewer numbers of this argument may decide it.
    Varies(Option<Argument>),
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
    /// The reason.
    No(&'static str),
}

pub(super) type Result<T> = std::result::Result<T, Refusal>;

pub(super) const NOT_FINITE: Refusal = Refusal::No("an intermediate result may overflow");
