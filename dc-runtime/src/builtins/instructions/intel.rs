//! Intel's `RCPPS` and `RSQRTPS` (also the scalar `RCPSS`, `RSQRTSS` and the VEX forms).
//!
//! Intel documents only a bound: relative error at most 1.5 · 2^-12 (*Software Developer's Manual*, volume 2). Both instructions are tables
//! of 2048 entries of 12 bits. Every entry is a rounded value at the midpoint of its interval, so the tables are computed here. The same
//! entries are the 12-bit estimates of ARM's FEAT_RPRES.

use super::{rcp_flushed, rsqrt_flushed};
use crate::prelude::*;

/// The result's fractions, by the upper 11 bits `i` of the input's fraction: `1 / (1 + (2i + 1) / 2^12)`, rounded.
const RCP: [u32; 2048] = {
    let mut table = [0; 2048];
    let mut i = 0;
    while i < 2048 {
        let rounded = ((1u32 << 26) / (4097 + 2 * i as u32) + 1) >> 1;
        table[i] = (rounded - 4096) << 11;
        i += 1;
    }
    table
};

/// Fractions of the results, by the exponent's parity and the upper 10 bits `i` of the fraction:
/// `1 / √(1 + (2i + 1) / 2^11)` for odd exponents, the upper half, and `1 / √2` times that for even ones, rounded.
const RSQRT: [u32; 2048] = {
    let mut table = [0; 2048];
    let mut i = 0;
    while i < 2048 {
        let odd = 2049 + 2 * (i as u64 & 1023);
        let d = if i < 1024 { 2 * odd } else { odd };
        let rounded = (((1u64 << 39) / d).isqrt() + 1) >> 1;
        table[i] = (rounded as u32 - 4096) << 11;
        i += 1;
    }
    table
};

/// Intel's `RCPPS`: an estimate of `1 / x` accurate to almost 12 bits.
///
/// Largest error in `[1, 2)`: 4995.549501 · 2^-24, at `3f810fff`.
///
/// ±0 and ±subnormal give ±∞; `|x| >= 2^126` and ±∞ give ±0; NaN gives NaN.
#[crunch]
pub fn rcpps_intel(x: DcFloat) -> DcFloat {
    let fraction = RCP[x.to_bits().shr_logical(12) & 0x7ff];
    rcp_flushed(x, fraction)
}

/// Intel's `RSQRTPS`: an estimate of `1 / √x` accurate to almost 12 bits.
///
/// Largest error in `[1, 2)`: 4980.260264 · 2^-24, at `3f81bfff`; in `[2, 4)`: 3843.274843 · 2^-24, at `4000ffff`.
///
/// ±0 and ±subnormal give ±∞; other negative numbers and NaN give NaN; +∞ gives +0.
#[crunch]
pub fn rsqrtps_intel(x: DcFloat) -> DcFloat {
    let fraction = RSQRT[x.to_bits().shr_logical(13) & 0x7ff];
    rsqrt_flushed(x, fraction)
}
