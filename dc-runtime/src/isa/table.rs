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

/// The look-ups of an instruction set: of entries of 64 and of 32 bits, by 64-bit and by 32-bit indices. `$isa` is the macro for its
/// functions, `$wide` and `$narrow` are registers of 64-bit and of 32-bit integers, and the functions after them make registers of
/// floating-point numbers from registers of bits.
///
/// The module that calls this has, for its registers:
/// - `MOST_64`, `look_up_64`, `place64`, `place64_by32`, and the same of 32 bits: look-ups in tables that fit registers, and their indices;
/// - `index64`, `index32`: indices, wrapped or clamped to the table;
/// - `common64`, `common32`: the index, if all lanes have the same; `splat64`, `splat32`: one entry in each lane;
/// - `wide64`, `wide32`, `narrow64`, `narrow32`: entries of 64 and of 32 bits, loaded separately. They are unsafe: every lane must be an
///   index of the table.
macro_rules! look_ups {
    ($isa:ident: $wide:ty, $narrow:ty, [f64: $f64:ty, $of_f64:path], [f32: $f32:ty, $of_f32:path]) => {
        crate::isa::table::look_ups! {
            wide $isa $wide, $narrow, [f64: $f64, crate::isa::table::bits_f64, $of_f64], gather_f64, gather32_f64
        }
        crate::isa::table::look_ups! {
            wide $isa $wide, $narrow, [i64: $wide, core::convert::identity, core::convert::identity], gather_i64, gather32_i64
        }
        crate::isa::table::look_ups! {
            narrow $isa $wide, $narrow, [f32: $f32, crate::isa::table::bits_f32, $of_f32], gather_f32, gather32_f32
        }
        crate::isa::table::look_ups! {
            narrow $isa $wide, $narrow, [i32: $narrow, core::convert::identity, core::convert::identity], gather_i32, gather32_i32
        }
    };
    (wide $isa:ident $wide:ty, $narrow:ty, [$x:ty: $r:ty, $bits:path, $of:path], $name:ident, $name32:ident) => {
        $isa! {
            fn $name(t: &[$x], i: [$wide; 2]) -> [$r; 2] {
                assert!(!t.is_empty());
                let t = $bits(t);
                if t.len() <= MOST_64 {
                    let i = place64(i, t.len());
                    return [$of(look_up_64(t, i[0])), $of(look_up_64(t, i[1]))];
                }
                let i = [index64(i[0], t.len()), index64(i[1], t.len())];
                if let Some(k) = common64(i) {
                    // SAFETY: every lane of `i` is an index of `t`.
                    return [$of(splat64(unsafe { *t.get_unchecked(k) })); 2];
                }
                // SAFETY: every lane of `i` is an index of `t`.
                unsafe { [$of(wide64(t, i[0])), $of(wide64(t, i[1]))] }
            }
            fn $name32(t: &[$x], i: $narrow) -> [$r; 2] {
                if !crate::isa::table::fits_i32(t.len()) {
                    return $name(t, i32_to_i64(i));
                }
                assert!(!t.is_empty());
                let t = $bits(t);
                if t.len() <= MOST_64 {
                    let i = place64_by32(i, t.len());
                    return [$of(look_up_64(t, i[0])), $of(look_up_64(t, i[1]))];
                }
                let i = index32(i, t.len());
                if let Some(k) = common32(i) {
                    // SAFETY: every lane of `i` is an index of `t`.
                    return [$of(splat64(unsafe { *t.get_unchecked(k) })); 2];
                }
                // SAFETY: every lane of `i` is an index of `t`.
                let [low, high] = unsafe { wide32(t, i) };
                [$of(low), $of(high)]
            }
        }
    };
    (narrow $isa:ident $wide:ty, $narrow:ty, [$x:ty: $r:ty, $bits:path, $of:path], $name:ident, $name32:ident) => {
        $isa! {
            fn $name(t: &[$x], i: [$wide; 2]) -> $r {
                assert!(!t.is_empty());
                let t = $bits(t);
                if t.len() <= MOST_32 {
                    return $of(look_up_32(t, place32_by64(i, t.len())));
                }
                let i = [index64(i[0], t.len()), index64(i[1], t.len())];
                if let Some(k) = common64(i) {
                    // SAFETY: every lane of `i` is an index of `t`.
                    return $of(splat32(unsafe { *t.get_unchecked(k) }));
                }
                // SAFETY: every lane of `i` is an index of `t`.
                $of(unsafe { narrow64(t, i) })
            }
            fn $name32(t: &[$x], i: $narrow) -> $r {
                if !crate::isa::table::fits_i32(t.len()) {
                    return $name(t, i32_to_i64(i));
                }
                assert!(!t.is_empty());
                let t = $bits(t);
                if t.len() <= MOST_32 {
                    return $of(look_up_32(t, place32(i, t.len())));
                }
                let i = index32(i, t.len());
                if let Some(k) = common32(i) {
                    // SAFETY: every lane of `i` is an index of `t`.
                    return $of(splat32(unsafe { *t.get_unchecked(k) }));
                }
                // SAFETY: every lane of `i` is an index of `t`.
                $of(unsafe { narrow32(t, i) })
            }
        }
    };
}
pub(super) use look_ups;
