//! Arc sine and arc cosine in binary64, of the half angle above 1/2.
//!
//! Up to 1/2, `asin |x| = v + v z p(z)` with `v = |x|` and `z = x²`. Above 1/2, it is `π/2 - 2 asin v` with `z = (1 - |x|)/2`, which is exact, and `v = √z`. So
//! z is at most 1/4, and v z p(z) at most 0.024.
//!
//! v and x² have two words. The second word of a root is `(z - w²) / (2 w)`, whose numerator is exact. `p(z) = 1/6 + z q(z)`. The head is `v + v z / 6`, which
//! does not wait for the polynomial, in two words. The tail is `v z² q(z)`, at most 0.003, with the second words. Its roundings and the omitted products of second
//! words are below 0.042 units of the result. The last sum has an error of half a unit.

use super::common::{TINY, quads};
use super::tables::{HALF_PI_HI, HALF_PI_LO, PI_HI, PI_LO};
use dc_runtime::prelude::*;

const SIXTH_HI: f64 = 1.0 / 6.0;
/// 1/6 minus its first word: 2^-54 of that word.
const SIXTH_LO: f64 = SIXTH_HI / 18_014_398_509_481_984.0;
/// π minus its first word, relative to that word.
const PI_PART: f64 = PI_LO / PI_HI;
/// Replaces a z of 0. The least other one above 1/2 is 2^-54.
const LEAST: f64 = f64::from_bits((1023 - 80) << 52);

/// ((asin √z / √z - 1) / z - 1/6) / z, the lowest power first: minimax for the relative error of the arc sine, which is 2^-59.6 (`scripts/binary32.py`).
const SERIES: [f64; 12] = [
    f64::from_bits(0x3fb3_3333_3333_18f7),
    f64::from_bits(0x3fa6_db6d_b6fe_760a),
    f64::from_bits(0x3f9f_1c71_b49a_9f23),
    f64::from_bits(0x3f96_e8bc_d263_dc08),
    f64::from_bits(0x3f91_c4b1_1499_819e),
    f64::from_bits(0x3f8c_a06a_c526_53b4),
    f64::from_bits(0x3f87_6429_facd_fe24),
    f64::from_bits(0x3f85_d5c0_7cf6_8b7b),
    f64::from_bits(0x3f70_e97d_1f6e_54c0),
    f64::from_bits(0x3f95_3afc_31f8_4c64),
    f64::from_bits(0xbf94_285e_be35_67b2),
    f64::from_bits(0x3fa0_4db3_8000_ad7d),
];

/// Whether a is at most 1/2, and `asin v` in two words.
#[crunch]
fn half(a: DcDouble) -> (DcMask, DcDouble, DcDouble) {
    let small = a <= 0.5;
    let square = a * a;
    let z = if small { square } else { a.mul_add(-0.5, 0.5) };
    let z_low = if small { a.mul_add(a, -square) } else { 0.0 };
    let root = z.sqrt();
    let rest = (-root).mul_add(root, z) * (root * (0.5 / z.max(LEAST)));
    let v = if small { a } else { root };
    let v_low = if small { 0.0 } else { rest };
    let cube = v * z;
    let cube_low = v.mul_add(z_low, v_low.mul_add(z, v.mul_add(z, -cube)));
    let (head, tail) = words(z, v, cube, cube_low.mul_add(SIXTH_HI, v_low));
    (small, head, tail)
}

/// `v + v z p(z) + low` in two words. `cube` is `v z`.
#[crunch]
fn words(z: DcDouble, v: DcDouble, cube: DcDouble, low: DcDouble) -> (DcDouble, DcDouble) {
    let head = cube.mul_add(SIXTH_HI, v);
    let below = cube.mul_add(SIXTH_HI, v - head) + low;
    // The second word of 1/6 is added before z q(z) is rounded.
    let s = z.mul_add(quads(z, &SERIES), SIXTH_LO);
    (head, cube.mul_add(s, below))
}

/// `half` for a up to 1/2. No root is needed.
#[crunch]
fn half_of_small(a: DcDouble) -> (DcDouble, DcDouble) {
    let z = a * a;
    let cube = a * z;
    let cube_low = a.mul_add(a.mul_add(a, -z), a.mul_add(z, -cube));
    words(z, a, cube, cube_low * SIXTH_HI)
}

/// `half` for a between 1/2 and 1.
#[crunch]
fn half_of_large(a: DcDouble) -> (DcDouble, DcDouble) {
    let z = a.mul_add(-0.5, 0.5);
    let root = z.sqrt();
    let rest = (-root).mul_add(root, z) * (root * (0.5 / z));
    let cube = root * z;
    let cube_low = rest.mul_add(z, root.mul_add(z, -cube));
    words(z, root, cube, cube_low.mul_add(SIXTH_HI, rest))
}

/// Whether the magnitude of x is above 1/2
#[crunch]
pub fn is_not_small(x: DcDouble) -> DcMask {
    !(x.abs() <= 0.5)
}

/// or not between 1/2 and 1.
#[crunch]
pub fn is_not_large(x: DcDouble) -> DcMask {
    let a = x.abs();
    !((a > 0.5) & (a < 1.0))
}

/// asin x for a magnitude up to 1/2,
#[crunch]
pub fn asin_of_small(x: DcDouble) -> DcDouble {
    let (head, tail) = half_of_small(x);
    if x.abs() < TINY { x } else { head + tail }
}

/// and between 1/2 and 1.
#[crunch]
pub fn asin_of_large(x: DcDouble) -> DcDouble {
    let (head, tail) = half_of_large(x.abs());
    less_than_half_pi(head, tail).copysign(x)
}

/// `π/2 - 2 (head + tail)`.
#[crunch]
fn less_than_half_pi(head: DcDouble, tail: DcDouble) -> DcDouble {
    let y = head.mul_add(-2.0, HALF_PI_HI);
    let below = head.mul_add(-2.0, HALF_PI_HI - y) + HALF_PI_LO;
    y + tail.mul_add(-2.0, below)
}

/// acos x for a magnitude up to 1/2,
#[crunch]
pub fn acos_of_small(x: DcDouble) -> DcDouble {
    let (head, tail) = half_of_small(x);
    base_and_steps(HALF_PI_HI, -1.0, head, tail)
}

/// and between 1/2 and 1.
#[crunch]
pub fn acos_of_large(x: DcDouble) -> DcDouble {
    let (head, tail) = half_of_large(x.abs());
    let steps: DcDouble = if x < 0.0 { -2.0 } else { 2.0 };
    // π if x is negative, or 0.
    let base = steps.mul_add(-0.25, 0.5) * PI_HI;
    base_and_steps(base, steps, head, tail)
}

/// `base + steps (head + tail)`, for a base of π, π/2 or 0, whose second word is a part of the first.
#[crunch]
fn base_and_steps(base: DcDouble, steps: DcDouble, head: DcDouble, tail: DcDouble) -> DcDouble {
    let y = head.mul_add(steps, base);
    let below = base.mul_add(PI_PART, head.mul_add(steps, base - y));
    y + tail.mul_add(steps, below)
}

/// asin x, error at most 0.55 ULP.
#[crunch]
pub fn asin(x: DcDouble) -> DcDouble {
    let a = x.abs();
    let (small, head, tail) = half(a);
    let large = less_than_half_pi(head, tail);
    let y = if small { head + tail } else { large };
    let y = if a < TINY { a } else { y };
    y.copysign(x)
}

/// acos x, error at most 0.55 ULP.
#[crunch]
pub fn acos(x: DcDouble) -> DcDouble {
    let (small, head, tail) = half(x.abs());
    let behind = x < 0.0;
    // π/2 minus the arc sine; with the half angle, twice that arc sine, or π minus that.
    let steps = if small { -1.0 } else { 2.0 };
    let steps = if behind { -steps } else { steps };
    let far = if behind { PI_HI } else { 0.0 };
    let base = if small { HALF_PI_HI } else { far };
    base_and_steps(base, steps, head, tail)
}
