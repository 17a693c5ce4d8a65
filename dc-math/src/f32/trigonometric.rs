//! Sine, cosine and tangent in binary32.
//!
//! `x = n π + r`, where n is an integer for the sine and half an odd integer for the cosine. So |r| <= π/2 (1 + 2^-10), and both functions are `±sin r = ±r
//! p(r²)`, without tables. n is rounded in binary32. Its products with the two words of π are subtracted in two fused operations, so the relative error of r is
//! about 2^-53. This holds up to 2^14. Beyond, the functions are the references, rounded, with their exceptions.
//!
//! The coefficients are minimax for the relative error, which is 2^-52.6. Then last places were changed until no input up to 2^14 was misrounded
//! (`scripts/binary32.py`).
//!
//! For the tangent `x = n π/2 + r`, where n is an integer. So |r| <= π/4 (1 + 2^-10), and the tangent is `tan r`, or `-1 / tan r` for an odd n. Both are one
//! quotient, because `tan r = r p(r²) / q(r²)`. p and q are minimax for the relative error, which is 2^-55.5. They misround no input up to 2^14.

use super::exceptions::{COS_AT, COS_TO, TAN_AT, TAN_TO, patched};
use dc_runtime::builtins::reference::binary32::{
    cos_f32_reference, sin_f32_reference, tan_f32_reference,
};
use dc_runtime::prelude::*;

/// 1.5 2^23: added to a number below 2^22, it rounds the number to an integer, which is in the low bits of the sum.
const INTEGER: f32 = 12_582_912.0;
/// `INTEGER` and 1/2, which has no place there in binary32.
const BETWEEN: f64 = 12_582_912.5;
/// Up to this magnitude n is exact enough.
const NEAR: f32 = 16_384.0;
/// 1/π, and π negated in two words.
const INVERSE_PI: f32 = core::f32::consts::FRAC_1_PI;
const PI_HI: f64 = -core::f64::consts::PI;
const PI_LO: f64 = -f64::from_bits(0x3ca1_a626_3314_5c07);

/// sin r / r in r², the lowest power first, for the sine
const SINE: [f64; 8] = [
    f64::from_bits(0x3ff0_0000_0000_0000),
    f64::from_bits(0xbfc5_5555_5555_54b5),
    f64::from_bits(0x3f81_1111_1110_94f0),
    f64::from_bits(0xbf2a_01a0_199b_9867),
    f64::from_bits(0x3ec7_1de3_7dbd_5e37),
    f64::from_bits(0xbe5a_e634_a74c_39cc),
    f64::from_bits(0x3de6_0e50_89ef_6037),
    f64::from_bits(0xbd69_ed61_b89a_33d1),
];
/// and the same less 1, in r², for the cosine.
const COSINE: [f64; 7] = [
    f64::from_bits(0xbfc5_5555_5555_5455),
    f64::from_bits(0x3f81_1111_1110_8e3d),
    f64::from_bits(0xbf2a_01a0_199b_0453),
    f64::from_bits(0x3ec7_1de3_7d94_ec2e),
    f64::from_bits(0xbe5a_e634_9828_0aef),
    f64::from_bits(0x3de6_0e51_60d8_e9fc),
    f64::from_bits(0xbd69_ee6a_d5de_3c55),
];
/// `tan r / r = p / q` in r², the lowest power first.
const NUMERATOR: [f64; 4] = [
    1.0,
    f64::from_bits(0xbfc0_6b99_0b66_9677),
    f64::from_bits(0x3f66_fc79_2413_cd28),
    f64::from_bits(0xbedf_63ab_bb09_3fe0),
];
const DENOMINATOR: [f64; 4] = [
    1.0,
    f64::from_bits(0xbfdd_8b21_db08_a05d),
    f64::from_bits(0x3f97_e7bb_2c27_a3f5),
    f64::from_bits(0xbf2b_5270_50e6_b844),
];
/// 2/π, and π/2 negated in two words.
const INVERSE_HALF_PI: f32 = core::f32::consts::FRAC_2_PI;
const HALF_PI_HI: f64 = PI_HI / 2.0;
const HALF_PI_LO: f64 = PI_LO / 2.0;

/// Whether x needs a longer reduction.
#[crunch]
pub fn is_far(x: DcFloat) -> DcMask {
    !(x.abs() <= NEAR)
}

/// `x - n π`
#[crunch]
fn reduced(x: DcFloat, n: DcDouble) -> DcDouble {
    n.mul_add(PI_LO, n.mul_add(PI_HI, x.to_f64()))
}

/// y, negated if the integer in the low bits of `t` is odd.
#[crunch]
fn turned(y: DcDouble, t: DcFloat) -> DcFloat {
    DcFloat::from_bits(y.to_f32().to_bits() ^ (t.to_bits() << 31))
}

/// sin x for |x| up to `NEAR`.
#[crunch]
pub fn sin_short(x: DcFloat) -> DcFloat {
    let t = x.mul_add(INVERSE_PI, INTEGER);
    let r = reduced(x, (t - INTEGER).to_f64());
    turned(r * horner(r * r, &SINE), t)
}

/// cos x for |x| up to `NEAR`. Two chains of operations evaluate the polynomial, because n has one operation more than for the sine.
#[crunch]
pub fn cos_short(x: DcFloat) -> DcFloat {
    let t = x.mul_add(INVERSE_PI, 0.5) + INTEGER;
    let r = reduced(x, t.to_f64() - BETWEEN);
    let square = r * r;
    turned((square * r).mul_add(even_odd(square, &COSINE), r), t)
}

/// tan x for |x| up to `NEAR`.
#[crunch]
pub fn tan_short(x: DcFloat) -> DcFloat {
    let t = x.mul_add(INVERSE_HALF_PI, INTEGER);
    let odd = (t.to_bits() & 1) == 1;
    let n = (t - INTEGER).to_f64();
    let r = n.mul_add(HALF_PI_LO, n.mul_add(HALF_PI_HI, x.to_f64()));
    let square = r * r;
    let sine = r * horner(square, &NUMERATOR);
    let cosine = horner(square, &DENOMINATOR);
    let above = if odd { cosine } else { sine };
    let below = if odd { sine } else { cosine };
    let y = (above / below).to_f32();
    DcFloat::from_bits(y.to_bits() ^ (t.to_bits() << 31))
}

/// sin x.
#[crunch]
pub fn sin(x: DcFloat) -> DcFloat {
    let far = sin_f32_reference(x.to_f64()).to_f32();
    let near = sin_short(x);
    if is_far(x) { far } else { near }
}

/// cos x.
#[crunch]
pub fn cos(x: DcFloat) -> DcFloat {
    let far = patched(x, cos_f32_reference(x.to_f64()).to_f32(), &COS_AT, &COS_TO);
    let near = cos_short(x);
    if is_far(x) { far } else { near }
}

/// tan x.
#[crunch]
pub fn tan(x: DcFloat) -> DcFloat {
    let far = patched(x, tan_f32_reference(x.to_f64()).to_f32(), &TAN_AT, &TAN_TO);
    let near = tan_short(x);
    if is_far(x) { far } else { near }
}
