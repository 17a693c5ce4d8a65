//! e^x as in fdlibm (Sun Microsystems, 1993): after a reduction with ln 2 in two words, a rational function of one even
//! polynomial. The comment at the head of its `e_exp.c` has the method and the coefficients.

use crate::prelude::*;

/// ln 2 in two words, the first of 33 bits, and 1 / ln 2.
const LN2_HI: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000); // 6.93147180369123816490e-1
const LN2_LO: f64 = f64::from_bits(0x3dea_39ef_3579_3c76); // 1.90821492927058770002e-10
const INV_LN2: f64 = f64::from_bits(0x3ff7_1547_652b_82fe); // 1.44269504088896338700
/// `r - r²P(r²) = 2 - 2r / (e^r - 1) + …`: `R(z) = r (e^r + 1) / (e^r - 1) ~ 2 + P1 z + … + P5 z⁵`, `z = r²`, within 2^-59.
const P1: f64 = f64::from_bits(0x3fc5_5555_5555_553e); // 1.66666666666666019037e-1
const P2: f64 = f64::from_bits(0xbf66_c16c_16be_bd93); // -2.77777777770155933842e-3
const P3: f64 = f64::from_bits(0x3f11_566a_af25_de2c); // 6.61375632143793436117e-5
const P4: f64 = f64::from_bits(0xbebb_bd41_c5d2_6bf1); // -1.65339022054652515390e-6
const P5: f64 = f64::from_bits(0x3e66_3769_72be_a4d0); // 4.13813679705723846039e-8
/// The first numbers that are reduced, and that are reduced by more than one ln 2: ½ ln 2 and 3/2 ln 2, compared by
/// their upper words as in fdlibm.
const REDUCED: f64 = f64::from_bits(0x3fd6_2e43_0000_0000);
const REDUCED_BY_MORE: f64 = f64::from_bits(0x3ff0_a2b2_0000_0000);
/// 2^-28: below it the result is 1 + x.
const TINY: f64 = f64::from_bits((1023 - 28) << 52);
/// The limit above which e^x overflows, and the one below which it is less than half of the smallest subnormal.
const LARGE: f64 = 710.0;
const SMALL: f64 = -746.0;

/// e^x by fdlibm's method: `x = k ln 2 + r`, `|r| <= ½ ln 2`, `r = hi - lo`;
/// `e^r = 1 - ((lo - r c / (2 - c)) - hi)`, `c = r - r² P(r²)`.
///
/// fdlibm has a special case for k = 0, which gives the same bits. Its scaling rounds once. This one rounds once too, in two
/// steps, the first of which is exact.
#[crunch]
pub fn exp_fdlibm(x: DcDouble) -> DcDouble {
    // A NaN passes both.
    let x = if x > LARGE { LARGE } else { x };
    let x = if x < SMALL { SMALL } else { x };
    let one = if x < 0.0 { -1.0 } else { 1.0 };
    let size = x.abs();
    let k = (INV_LN2 * x + 0.5 * one).trunc();
    let k = if size < REDUCED_BY_MORE { one } else { k };
    let k = if size < REDUCED { 0.0 } else { k };
    let hi = x - k * LN2_HI;
    let lo = k * LN2_LO;
    let r = hi - lo;
    let z = r * r;
    let c = r - z * (P1 + z * (P2 + z * (P3 + z * (P4 + z * P5))));
    let y = 1.0 - ((lo - (r * c) / (2.0 - c)) - hi);
    let y = if size < TINY { 1.0 + x } else { y };
    let n = k.to_i64();
    let half = n >> 1;
    let first = DcDouble::from_bits((half + 1023) << 52);
    let second = DcDouble::from_bits((n - half + 1023) << 52);
    y * first * second
}
