//! Outer arrays as tables: constants, statics, slices and references; passed to helpers; indexed by counters,
//! constants and lanes.
#![deny(warnings)]
use doublecrunch::prelude::*;

const COEFFS: [f64; 4] = [1.0, 2.0, 3.0, 4.0];
const SLICE: &[f64] = &[0.5, 0.25];
const REFERENCE: &[f64; 2] = &[8.0, 16.0];
static STATIC: [f64; 2] = [10.0, 20.0];
static WORDS: [u64; 2] = [0x3ff0_0000_0000_0000, 0x4000_0000_0000_0000];
const INTS: [i32; 2] = [-1, 7];
const LAST: usize = COEFFS.len() - 1;

mod elsewhere {
    pub const TABLE: [f64; 1] = [100.0];
}

#[crunch]
pub fn horner(x: DcDouble, c: &[f64]) -> DcDouble {
    let mut r = c[c.len() - 1];
    for i in (0..c.len() - 1).rev() {
        r = r.mul_add(x, c[i]);
    }
    r
}

#[crunch]
pub fn passed_on(x: DcDouble, c: &[f64]) -> DcDouble {
    horner(x, c)
}

#[crunch]
pub fn of_four(x: DcDouble, c: &[f64; 4]) -> DcDouble {
    x * c[3] + c[0]
}

#[crunch]
pub fn all(x: DcDouble) -> DcDouble {
    let four = passed_on(x, &COEFFS) + horner(x, &elsewhere::TABLE) + of_four(x, &COEFFS);
    let two = horner(x, SLICE) + horner(x, REFERENCE) + horner(x, &STATIC);
    let bits = x.to_i64() & 1;
    let lanes = STATIC[bits] + DcDouble::from_bits(WORDS[bits]) + INTS[x.to_i32() & 1].to_f64();
    four + two + lanes + COEFFS[LAST] + COEFFS[LAST - 1] + COEFFS[2 * 1 - 1]
}

fn main() {
    let x = 3.0;
    let poly = 1.0 + x * (2.0 + x * (3.0 + x * 4.0));
    let two = (0.5 + x * 0.25) + (8.0 + 16.0 * x) + (10.0 + 20.0 * x);
    let expected = poly + 100.0 + (x * 4.0 + 1.0) + two + (20.0 + 2.0 + 7.0) + 4.0 + 3.0 + 2.0;
    assert_eq!(all::eval(x), expected);
}
