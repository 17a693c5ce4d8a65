//! AMD's `PFRCP` and `PFRSQRT` (3DNow!: K6-2 to family 10h).
//!
//! Source of the special cases: *3DNow! Technology Manual*, AMD 21928, and *AMD64 Architecture Programmer's Manual*, volume 5. The
//! fractions are additive bipartite tables with a closed form, from which a test computes them. Of the 15 bits used, the upper ten select
//! the value `P` for the last of 32 inputs. The upper five and the lower five select a correction `N`, the mean of the corrections for the
//! first and the last of 32 such groups.
//!
//! The manual leaves the results for infinities and NaNs undefined. Here ±∞ gives ±0 and NaN gives NaN.

use super::threednow_tables::{RCP_N, RCP_P, RSQRT_N, RSQRT_P};
use crate::prelude::*;

/// AMD's `PFRCP`: an estimate of `1 / x` accurate to almost 15 bits.
///
/// Largest error in `[1, 2)`: 532.261236 · 2^-24, at `3f83e0ff`.
///
/// ±0 and ±subnormal give the largest number with that sign; `|x| >= 2^126` gives ±0.
#[crunch]
pub fn pfrcp_3dnow(x: DcFloat) -> DcFloat {
    let bits = x.to_bits();
    let sign = bits & 0x8000_0000;
    let exponent = bits.shr_logical(23) & 0xff;
    let value = RCP_P[bits.shr_logical(13) & 0x3ff];
    let correction = RCP_N[(bits.shr_logical(13) & 0x3e0) | (bits.shr_logical(8) & 0x1f)];
    let fraction = (value + correction - 0x1_0000) << 7;
    let mut result = sign | ((253 - exponent) << 23) | fraction;
    if exponent == 0 {
        result = sign | 0x7f7f_ffff;
    }
    if exponent >= 253 {
        result = sign;
    }
    if x.is_nan() {
        result = 0x7fc0_0000;
    }
    DcFloat::from_bits(result)
}

/// AMD's `PFRSQRT`: an estimate of `1 / √|x|`, with the sign of `x`, accurate to almost 15 bits.
///
/// ±0 and ±subnormal give the largest number with that sign.
#[crunch]
pub fn pfrsqrt_3dnow(x: DcFloat) -> DcFloat {
    let bits = x.to_bits();
    let sign = bits & 0x8000_0000;
    let exponent = bits.shr_logical(23) & 0xff;
    let value = RSQRT_P[bits.shr_logical(13) & 0x7ff];
    let correction = RSQRT_N[(bits.shr_logical(13) & 0x7e0) | (bits.shr_logical(8) & 0x1f)];
    let fraction = (value + correction - 0x1_0000) << 7;
    let mut result = sign | ((380 - exponent).shr_logical(1) << 23) | fraction;
    if exponent == 0 {
        result = sign | 0x7f7f_ffff;
    }
    if exponent == 255 {
        result = sign;
    }
    if x.is_nan() {
        result = 0x7fc0_0000;
    }
    DcFloat::from_bits(result)
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::{RCP_N, RCP_P, RSQRT_N, RSQRT_P};

    /// The fraction bits of the fixed-point numbers from which the tables are computed.
    const Q: u32 = 32;
    /// More than the sum of all truncation errors, in units of 2^-Q times the scale in use. No value may be so close to the next integer
    /// that these errors matter.
    const SLACK: i128 = 64;

    /// `2^16 / A`, with `A = 1 + i / 2^15`.
    fn rcp(i: u64) -> i128 {
        (1i128 << (31 + Q)) / (32_768 + i as i128)
    }

    /// `2^16 / √A`; `even`: `2^16 / √(2A)`.
    fn rsqrt(i: u64, even: bool) -> i128 {
        let d = (32_768 + i as u128) << even as u32;
        ((1u128 << (47 + 2 * Q)) / d).isqrt() as i128
    }

    /// The tabulated function, and the addend `c` of the final rounding in hundredths.
    #[derive(Clone, Copy)]
    enum Function {
        Rcp,
        RsqrtOdd,
        RsqrtEven,
    }

    impl Function {
        /// `F(h, mid, l)`: twice the mean of the function over the interval of an index.
        fn at(self, h: u64, mid: u64, l: u64) -> i128 {
            let i = 1024 * h + 32 * mid + l;
            match self {
                Function::Rcp => rcp(i) + rcp(i + 1),
                Function::RsqrtOdd => rsqrt(i, false) + rsqrt(i + 1, false),
                Function::RsqrtEven => rsqrt(i, true) + rsqrt(i + 1, true),
            }
        }
        /// `D(h, mid, l)`
        fn step(self, h: u64, mid: u64, l: u64) -> i128 {
            self.at(h, mid, l) - self.at(h, mid, 0)
        }
        /// `2 av(h, l)`
        fn twice_average(self, h: u64, l: u64) -> i128 {
            self.step(h, 0, l) + self.step(h, 31, l)
        }
        /// `c` at a scale.
        fn c(self, scale: u32) -> i128 {
            let hundredths = match self {
                Function::Rcp => 50,
                Function::RsqrtOdd | Function::RsqrtEven => 55,
            };
            (hundredths << scale) / 100
        }
        /// `P(h, mid) = floor(F(h, mid, 0) + (D(h, mid, 31) - av(h, 31)) / 2 + c)`
        fn value(self, h: u64, mid: u64) -> i128 {
            let x = 4 * self.at(h, mid, 0) + 2 * self.step(h, mid, 31) - self.twice_average(h, 31);
            floor(x + self.c(Q + 2), Q + 2)
        }
        /// `N(h, l) = -floor(-av(h, l) + c)`, modulo 2^32
        fn correction(self, h: u64, l: u64) -> u32 {
            (-floor(self.c(Q + 1) - self.twice_average(h, l), Q + 1)) as u32
        }
    }

    /// The integer part, which the truncation errors cannot change.
    fn floor(x: i128, scale: u32) -> i128 {
        let rest = x & ((1 << scale) - 1);
        assert!(
            SLACK < rest && rest < (1 << scale) - SLACK,
            "too near to an integer"
        );
        x >> scale
    }

    /// `P` for 1024 groups.
    fn values(f: Function) -> [u32; 1024] {
        std::array::from_fn(|i| f.value(i as u64 >> 5, i as u64 & 31) as u32)
    }

    /// `N` for 32 values of the upper and of the lower five bits.
    fn corrections(f: Function) -> [u32; 1024] {
        std::array::from_fn(|i| f.correction(i as u64 >> 5, i as u64 & 31))
    }

    #[test]
    fn the_tables_are_those_of_their_closed_form() {
        assert!(RCP_P == values(Function::Rcp) && RCP_N == corrections(Function::Rcp));
        let (even, odd) = (Function::RsqrtEven, Function::RsqrtOdd);
        assert!(RSQRT_P[..1024] == values(even) && RSQRT_P[1024..] == values(odd));
        assert!(RSQRT_N[..1024] == corrections(even) && RSQRT_N[1024..] == corrections(odd));
    }
}
