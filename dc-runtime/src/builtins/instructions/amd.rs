//! AMD's `RCPPS` and `RSQRTPS`, as implemented by Zen 3 and Zen 5 (also the scalar and the VEX forms).
//!
//! AMD documents only a bound: relative error at most 1.5 · 2^-12 (*AMD64 Architecture Programmer's Manual*, volume 4).
//! Both are additive bipartite tables of the 12 significant bits: the upper eight bits select a value, and the upper four
//! together with the lower four select a correction (Das Sarma and Matula, *Faithful Bipartite ROM Reciprocal Tables*, 1995; Schulte
//! and Stine, *Approximating Elementary Functions with Symmetric Bipartite Tables*, 1999). The tables were measured.

use super::amd_tables::{RCP_N, RCP_P, RSQRT_N, RSQRT_P};
use super::{rcp_flushed, rsqrt_flushed};
use crate::prelude::*;

/// AMD's `RCPPS`: an estimate of `1 / x` accurate to 12 bits.
///
/// Largest error in `[1, 2)`: 4762.275673 · 2^-24, at `3f8697ff`.
///
/// ±0 and ±subnormal give ±∞; `|x| >= 2^126` and ±∞ give ±0; NaN gives NaN.
#[crunch]
pub fn rcpps_amd(x: DcFloat) -> DcFloat {
    let bits = x.to_bits();
    let value = RCP_P[bits.shr_logical(15) & 0xff];
    let correction = RCP_N[(bits.shr_logical(15) & 0xf0) | (bits.shr_logical(11) & 0xf)];
    rcp_flushed(x, (value + correction - 4096) << 11)
}

/// AMD's `RSQRTPS`: an estimate of `1 / √x` accurate to 12 bits.
///
/// Largest error in `[1, 2)`: 2940.204879 · 2^-24, at `3f8867ff`; in `[2, 4)`: 2887.028746 · 2^-24, at `4002f7ff`.
///
/// ±0 and ±subnormal give ±∞; other negative numbers and NaN give NaN; +∞ gives +0.
#[crunch]
pub fn rsqrtps_amd(x: DcFloat) -> DcFloat {
    let bits = x.to_bits();
    let value = RSQRT_P[bits.shr_logical(15) & 0x1ff];
    let correction = RSQRT_N[(bits.shr_logical(15) & 0x1f0) | (bits.shr_logical(11) & 0xf)];
    rsqrt_flushed(x, (value + correction - 4096) << 11)
}
