//! Approximate instructions, emulated bit for bit.

use crate::prelude::*;

/// The estimate of each of VRECPE's 256 intervals, as the fraction bits of the result.
///
/// `RecipEstimate` of the ARM Architecture Reference Manual: for `a` in 256..512 the rounded reciprocal of the
/// interval's midpoint, `round(2^19 / (2a + 1))` with the halving done last.
const RECIP_ESTIMATE: [u32; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        let a = 256 + i as u32;
        let estimate = ((1 << 19) / (2 * a + 1) + 1) >> 1;
        table[i] = (estimate & 255) << 15;
        i += 1;
    }
    table
};

/// ARM's `VRECPE.F32` (Advanced SIMD, AArch32): an estimate of `1 / x` good to 8 bits.
///
/// Subnormal inputs count as zeros and give ±∞; `|x| >= 2^126`, whose reciprocal would be subnormal, gives ±0; ±∞
/// gives ±0; NaN gives the default NaN.
#[crunch]
pub fn rcp_neon(x: DcFloat) -> DcFloat {
    let bits = x.to_bits();
    let sign = bits & 0x8000_0000;
    let exponent = bits.shr_logical(23) & 0xff;
    let fraction = RECIP_ESTIMATE[bits.shr_logical(15) & 0xff];
    let mut result = sign | ((253 - exponent) << 23) | fraction;
    if exponent == 0 {
        result = sign | 0x7f80_0000;
    }
    if exponent >= 253 {
        result = sign;
    }
    if x.is_nan() {
        result = 0x7fc0_0000;
    }
    DcFloat::from_bits(result)
}
