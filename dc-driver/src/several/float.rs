//! MPFR's numbers as true values.

use dc_runtime::mpfr::rug::Float;
use dc_runtime::mpfr::rug::float::Constant;
use dc_runtime::reductions::accumulator::Accumulator;

use super::truth::{Expected, LEAST, MOST, Value, add_scaled};

/// The number of bits of a computation.
pub const BITS: u32 = 320;
/// The smallest number of known bits of a result: few bits are lost.
pub const KNOWN: i32 = 300;

/// A value of which this many bits are known.
pub fn expected(part: &Float, bits: i32) -> Expected {
    if part.is_nan() {
        return Expected::Any;
    }
    if part.is_infinite() {
        return Expected::Infinity(Some(part.is_sign_negative()));
    }
    let mut sum = Accumulator::ZERO;
    let mut rest = part.clone();
    // A piece has 53 bits. Of a value beyond all numbers the first is enough.
    for _ in 0..=BITS / 53 {
        let (m, e) = rest.to_f64_exp();
        add_scaled(&mut sum, m, e);
        rest -= Float::with_val(53, m) << e;
        if !(LEAST..=MOST).contains(&rest.get_exp().unwrap_or(0)) || e > MOST {
            break;
        }
    }
    let value = Value::exact(sum, Some(part.is_sign_negative()));
    Expected::Value(value.known_to(bits))
}

/// `n` quarters of π.
pub fn quarters(n: i32) -> Expected {
    let pi = Float::with_val(BITS, Constant::Pi);
    expected(&(pi * n / 4), KNOWN)
}
