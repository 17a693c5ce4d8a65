//! MPFR as the reference of a routine. It is slow, but works for any routine that computes one of the functions.

use rug::Float;

use super::function::Function;
use super::key::Precision;
use crate::builtins::reference::BITS;

/// A function in MPFR, as the reference of a routine in a precision.
///
/// Its value is rounded to [`BITS`] bits and then to the reference's words. For a routine in binary32 this is a double. For a routine in
/// binary64 it is two doubles and a scale, so that no bit of the second double is lost in tiny results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MpfrReference {
    function: Function,
    precision: Precision,
}

/// Results beyond 2^±900 have a scale.
const ORDINARY: i32 = 900;
/// The scale, in both directions.
const SCALE: i32 = 600;
/// Results from 2^1030 on are infinite: they overflow in binary64 in any rounding.
const INFINITE: i32 = 1030;

impl MpfrReference {
    /// The reference of a function, for routines in that precision.
    #[must_use]
    pub const fn new(function: Function, precision: Precision) -> MpfrReference {
        MpfrReference {
            function,
            precision,
        }
    }

    /// The function.
    #[must_use]
    pub const fn function(&self) -> Function {
        self.function
    }

    /// The number of columns of its results: a double, or two and a scale.
    #[must_use]
    pub const fn words(&self) -> usize {
        match self.precision {
            Precision::F32 => 1,
            Precision::F64 => 3,
        }
    }

    /// Evaluates it at columns of doubles, as bits, one for each argument. NaNs are canonical.
    ///
    /// # Panics
    /// If the number of columns is not the number of arguments.
    pub fn eval(&self, inputs: &[&[u64]], outputs: &mut [Vec<u64>]) {
        outputs.iter_mut().for_each(Vec::clear);
        for i in 0..inputs[0].len() {
            let number = |column: &[u64]| Float::with_val(BITS, f64::from_bits(column[i]));
            let value = match inputs {
                [x] => self.function.of(number(x)),
                [x, y] => self.function.of_two(number(x), number(y)),
                columns => panic!(
                    "{} was given {} columns of arguments",
                    self.function,
                    columns.len()
                ),
            };
            match self.precision {
                Precision::F32 => outputs[0].push(bits(value.to_f64())),
                Precision::F64 => {
                    for (column, word) in outputs.iter_mut().zip(three_words(value)) {
                        column.push(word);
                    }
                }
            }
        }
    }
}

/// The bits, with the same bits for all NaNs.
fn bits(x: f64) -> u64 {
    match x.is_nan() {
        true => 0x7ff8_0000_0000_0000,
        false => x.to_bits(),
    }
}

/// A value as `(hi + lo) 2^scale`.
fn three_words(value: Float) -> [u64; 3] {
    let scale = match value.get_exp() {
        None => 0,
        Some(e) if e > INFINITE => {
            let infinite = f64::INFINITY.copysign(value.to_f64());
            return [bits(infinite), 0, 0];
        }
        Some(e) if e > ORDINARY => SCALE,
        // A result far below the least double has a scale with which both words are normal numbers, and is below it
        // nevertheless.
        Some(e) if e < -ORDINARY => (e - 1).clamp(-1100, -SCALE),
        Some(_) => 0,
    };
    let scaled = value >> scale;
    let hi = scaled.to_f64();
    let lo = match hi.is_finite() {
        true => Float::with_val(BITS, &scaled - hi).to_f64(),
        false => 0.0,
    };
    [bits(hi), bits(lo), i64::from(scale) as u64]
}
