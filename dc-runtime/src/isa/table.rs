//! Functions for table look-ups that instruction sets share.

/// Whether 32-bit indices reach every entry of a table of `len` entries.
#[inline(always)]
pub(super) fn fits_i32(len: usize) -> bool {
    len <= 1 << 31
}

/// Whether a look-up in registers of `row` entries wraps the index of a table of this length by itself: all index bits that it uses are
/// within the length.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
pub(super) fn wraps(len: usize, row: usize) -> bool {
    len.is_power_of_two() && len >= row
}

/// The bits of a table of doubles.
#[inline(always)]
pub(super) fn bits_f64(t: &[f64]) -> &[i64] {
    // SAFETY: same length, and f64 and i64 have one size, one alignment and no invalid bits.
    unsafe { core::slice::from_raw_parts(t.as_ptr().cast(), t.len()) }
}
/// The bits of a table of floats.
#[inline(always)]
pub(super) fn bits_f32(t: &[f32]) -> &[i32] {
    // SAFETY: as for doubles.
    unsafe { core::slice::from_raw_parts(t.as_ptr().cast(), t.len()) }
}
