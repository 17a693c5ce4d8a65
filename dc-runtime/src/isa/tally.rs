//! Sums of a search over many inputs, in as few registers as possible.
//!
//! A group's values may be added up lane by lane. But a unit of vectors is two registers of 64-bit lanes, so a loop
//! with eight sums would need sixteen registers for them, which is all that AVX2 has. A [`Tally::Word`] is one
//! register, for any width of the group: every register of a group is added to the same word. It does not matter to
//! which lane a value is added, because each operation here is associative and commutative. These operations are not
//! part of the language.

use super::Isa;

/// An instruction set with operations for counting in registers.
pub trait Tally: Isa {
    /// One register of 64-bit lanes, or the two registers of a unit if a register has only two lanes.
    type Word: Copy;
    /// The number of lanes of a word, which divides [`Isa::LANES`].
    const WORD: usize;

    /// Lane k is `x[k]`; panics where `x` is shorter than [`Tally::WORD`].
    fn load_word(self, x: &[i64]) -> Self::Word;
    /// `out[k]` becomes lane k; panics where `out` is shorter than [`Tally::WORD`].
    fn store_word(self, w: Self::Word, out: &mut [i64]);
    /// Every lane `x`.
    fn splat_word(self, x: i64) -> Self::Word;
    /// The sum of two words, wrapping.
    fn add_word(self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// `a & b`
    fn and_word(self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// Whether all lanes are 0.
    fn is_zero(self, a: Self::Word) -> bool;
    /// `a >> n` with zeros shifted in, `n` below 64.
    fn shr_word<const N: u32>(self, a: Self::Word) -> Self::Word;

    /// The word with all lanes added to it, wrapping.
    fn tally_add(self, w: Self::Word, a: Self::I64) -> Self::Word;
    /// The word, combined by a bitwise "or" with all lanes.
    fn tally_or(self, w: Self::Word, a: Self::I64) -> Self::Word;
    /// The word with nonzero values in the lanes where a lane of `a` is larger than that of `limit`, or either is NaN; other lanes do not change.
    fn tally_beyond(self, w: Self::Word, a: Self::F64, limit: Self::F64) -> Self::Word;
    /// The maximum of the word, read as binary64 numbers, and the lanes; unspecified if one is NaN.
    fn tally_max(self, w: Self::Word, a: Self::F64) -> Self::Word;
    /// The minimum of the word, read as binary64 numbers, and the lanes; unspecified if one is NaN.
    fn tally_min(self, w: Self::Word, a: Self::F64) -> Self::Word;

    /// A group that continues counting from the word of its first lanes: lane k is lane `k % WORD` of the word plus `k / WORD * step`,
    /// wrapping.
    fn counted_on(self, w: Self::Word, step: i64) -> Self::I64;
    /// `1 << 4 * n`, where n is the low 32 bits of a lane. Unspecified in lanes with n above 7.
    fn nibble(self, n: Self::I64) -> Self::I64;
}

/// The implementation of each operation, one column per set, as in `operations.rs`. A word of plain Rust has a lane for each lane of the group.
macro_rules! counting {
    ($take:ident, $set:ident) => { $take! { { $set }
        load_word load_word(i64) = [|p: *const i64| *p] [|p: *const i64| _mm256_loadu_si256(p.cast())] [|p| _mm512_loadu_epi64(p)] [|p: *const i64| vld1q_s64(p)];
        store_word store_word(i64) = [|p: *mut i64, w| *p = w] [|p: *mut i64, w| _mm256_storeu_si256(p.cast(), w)] [|p, w| _mm512_storeu_epi64(p, w)] [|p: *mut i64, w| vst1q_s64(p, w)];
        splat_word splat_word(i64) = [|x| x] [_mm256_set1_epi64x] [_mm512_set1_epi64] [vdupq_n_s64];
        words add_word(a, b) = [i64::wrapping_add] [_mm256_add_epi64] [_mm512_add_epi64] [vaddq_s64];
        words and_word(a, b) = [|a: i64, b: i64| a & b] [_mm256_and_si256] [_mm512_and_si512] [vandq_s64];
        is_zero is_zero(a) = [|a: i64| a == 0] [|a| _mm256_testz_si256(a, a) != 0] [|a| _mm512_test_epi64_mask(a, a) == 0] [|a| vmaxvq_u32(vreinterpretq_u32_s64(a)) == 0];
        shr_word shr_word(a) =
            [|a: i64, n| (a as u64 >> n) as i64]
            [|a, n| _mm256_srl_epi64(a, _mm_cvtsi32_si128(n as i32))]
            [|a, n| _mm512_srl_epi64(a, _mm_cvtsi32_si128(n as i32))]
            [|a, n| vreinterpretq_s64_u64(vshlq_u64(vreinterpretq_u64_s64(a), vdupq_n_s64(-i64::from(n))))];

        // Of the word and a register of the group.
        taken_in tally_add(I64) = [i64::wrapping_add] [_mm256_add_epi64] [_mm512_add_epi64] [vaddq_s64];
        taken_in tally_or(I64) = [|w: i64, a: i64| w | a] [_mm256_or_si256] [_mm512_or_si512] [vorrq_s64];
        // A mask is not carried from one step to the next: LLVM moves masks of AVX-512 through the integer registers.
        beyond tally_beyond(F64) =
            [|w: i64, a: f64, limit: f64| w | -i64::from(a.partial_cmp(&limit).is_none_or(Ordering::is_gt))]
            [|w, a, limit| _mm256_or_si256(w, _mm256_castpd_si256(_mm256_cmp_pd::<_CMP_NLE_UQ>(a, limit)))]
            [|w, a, limit| _mm512_mask_set1_epi64(w, _mm512_cmp_pd_mask::<_CMP_NLE_UQ>(a, limit), -1)]
            [|w, a, limit| vornq_s64(w, vreinterpretq_s64_u64(vcleq_f64(a, limit)))];
        // The second operand where either is NaN.
        taken_in tally_max(F64) =
            [|w: i64, a: f64| (if a > number(w) { a } else { number(w) }).to_bits() as i64]
            [|w, a| _mm256_castpd_si256(_mm256_max_pd(a, _mm256_castsi256_pd(w)))]
            [|w, a| _mm512_castpd_si512(_mm512_max_pd(a, _mm512_castsi512_pd(w)))]
            [|w, a| greater(a, vreinterpretq_f64_s64(w))];
        taken_in tally_min(F64) =
            [|w: i64, a: f64| (if a < number(w) { a } else { number(w) }).to_bits() as i64]
            [|w, a| _mm256_castpd_si256(_mm256_min_pd(a, _mm256_castsi256_pd(w)))]
            [|w, a| _mm512_castpd_si512(_mm512_min_pd(a, _mm512_castsi512_pd(w)))]
            [|w, a| less(a, vreinterpretq_f64_s64(w))];

        // The counts are those of the low halves of lanes, four times as large; a count of 32 and more gives zero.
        registers nibble(n: I64) -> I64 =
            [|n: i64| 1i64.wrapping_shl((n as u32).wrapping_mul(4))]
            [|n| _mm256_sllv_epi32(_mm256_set1_epi64x(1), _mm256_slli_epi32::<2>(n))]
            [|n| _mm512_sllv_epi32(_mm512_set1_epi64(1), _mm512_slli_epi32::<2>(n))]
            [|n| vreinterpretq_s64_u32(vshlq_u32(vreinterpretq_u32_s64(vdupq_n_s64(1)), vshlq_n_s32::<2>(vreinterpretq_s32_s64(n))))];
    } };
}

/// Words that are whole groups, computed lane by lane.
mod plain {
    use core::cmp::Ordering;

    use super::Tally;
    use crate::isa::Scalar;
    use crate::isa::group::{group, units as registers};
    use crate::isa::operations::column;

    fn number(bits: i64) -> f64 {
        f64::from_bits(bits as u64)
    }

    macro_rules! load_word {
        ($name:ident(i64) = $f:expr;) => {
            #[inline(always)]
            fn $name(self, x: &[i64]) -> Self::Word {
                let x = &x[..G];
                group!(G, Self::Word, k => $f(x.as_ptr().add(k)))
            }
        };
    }
    macro_rules! store_word {
        ($name:ident(i64) = $f:expr;) => {
            #[inline(always)]
            fn $name(self, w: Self::Word, out: &mut [i64]) {
                let out = &mut out[..G];
                let _: [(); G] = group!(G, [(); G], k => $f(out.as_mut_ptr().add(k), w[k]));
            }
        };
    }
    macro_rules! splat_word {
        ($name:ident(i64) = $f:expr;) => {
            #[inline(always)]
            fn $name(self, x: i64) -> Self::Word {
                group!(G, Self::Word, k => { let _ = k; $f(x) })
            }
        };
    }
    macro_rules! words {
        ($name:ident($($a:ident),+) = $f:expr;) => {
            #[inline(always)]
            fn $name(self, $($a: Self::Word),+) -> Self::Word {
                group!(G, Self::Word, k => $f($($a[k]),+))
            }
        };
    }
    macro_rules! is_zero {
        ($name:ident($a:ident) = $f:expr;) => {
            #[inline(always)]
            fn $name(self, $a: Self::Word) -> bool {
                $a.into_iter().all($f)
            }
        };
    }
    macro_rules! shr_word {
        ($name:ident($a:ident) = $f:expr;) => {
            #[inline(always)]
            fn $name<const N: u32>(self, $a: Self::Word) -> Self::Word {
                group!(G, Self::Word, k => $f($a[k], N))
            }
        };
    }
    macro_rules! beyond {
        ($name:ident($t:ident) = $f:expr;) => {
            #[inline(always)]
            fn $name(self, w: Self::Word, a: Self::$t, limit: Self::$t) -> Self::Word {
                group!(G, Self::Word, k => $f(w[k], a[k], limit[k]))
            }
        };
    }
    macro_rules! taken_in {
        ($name:ident($t:ident) = $f:expr;) => {
            #[inline(always)]
            fn $name(self, w: Self::Word, a: Self::$t) -> Self::Word {
                group!(G, Self::Word, k => $f(w[k], a[k]))
            }
        };
    }

    impl<const G: usize> Tally for Scalar<G> {
        type Word = [i64; G];
        const WORD: usize = G;

        #[inline(always)]
        fn counted_on(self, w: Self::Word, _step: i64) -> Self::I64 {
            w
        }
        counting!(column, scalar);
    }
}

/// Words that are one register.
#[cfg(target_arch = "x86_64")]
mod vectors {
    use core::arch::x86_64::*;

    use super::Tally;
    use crate::isa::group::group;
    use crate::isa::operations::column;
    use crate::isa::registers::registers;
    use crate::isa::{Avx2, Avx512};

    macro_rules! load_word {
        ($name:ident(i64) = $f:expr;) => {
            #[inline(always)]
            fn $name(self, x: &[i64]) -> Self::Word {
                let x = &x[..Self::WORD];
                // SAFETY: the token `self` exists only where the processor has the features; `x` has the elements.
                unsafe { $f(x.as_ptr()) }
            }
        };
    }
    macro_rules! store_word {
        ($name:ident(i64) = $f:expr;) => {
            #[inline(always)]
            fn $name(self, w: Self::Word, out: &mut [i64]) {
                let out = &mut out[..Self::WORD];
                // SAFETY: as in `load_word`.
                unsafe { $f(out.as_mut_ptr(), w) }
            }
        };
    }
    /// Methods with an expression that may contain intrinsics.
    macro_rules! method {
        ($name:ident$(<const $n:ident>)?($($a:ident: $t:ty),+) -> $r:ty = $e:expr) => {
            #[inline(always)]
            fn $name$(<const $n: u32>)?(self, $($a: $t),+) -> $r {
                // SAFETY: the token `self` exists only where the processor has the features.
                unsafe { $e }
            }
        };
    }
    macro_rules! splat_word {
        ($name:ident(i64) = $f:expr;) => { method!($name(x: i64) -> Self::Word = $f(x)); };
    }
    macro_rules! words {
        ($name:ident($($a:ident),+) = $f:expr;) => {
            method!($name($($a: Self::Word),+) -> Self::Word = $f($($a),+));
        };
    }
    macro_rules! is_zero {
        ($name:ident($a:ident) = $f:expr;) => { method!($name($a: Self::Word) -> bool = $f($a)); };
    }
    macro_rules! shr_word {
        ($name:ident($a:ident) = $f:expr;) => {
            method!($name<const N>($a: Self::Word) -> Self::Word = $f($a, N));
        };
    }
    macro_rules! beyond {
        ($name:ident($t:ident) = $f:expr;) => {
            method!($name(w: Self::Word, a: Self::$t, limit: Self::$t) -> Self::Word = {
                let mut w = w;
                for (unit, limits) in a.iter().zip(&limit) {
                    for (&register, &limit) in unit.iter().zip(limits) {
                        w = $f(w, register, limit);
                    }
                }
                w
            });
        };
    }
    macro_rules! taken_in {
        ($name:ident($t:ident) = $f:expr;) => {
            method!($name(w: Self::Word, a: Self::$t) -> Self::Word = {
                let mut w = w;
                for unit in &a {
                    for &register in unit {
                        w = $f(w, register);
                    }
                }
                w
            });
        };
    }

    macro_rules! tally {
        ($($isa:ident: $set:ident, $word:ty, $lanes:literal;)+) => {$(
            impl<const G: usize> Tally for $isa<G> {
                type Word = $word;
                const WORD: usize = $lanes;

                #[inline(always)]
                fn counted_on(self, w: Self::Word, step: i64) -> Self::I64 {
                    let mut next = w;
                    core::array::from_fn(|_| {
                        core::array::from_fn(|_| {
                            let now = next;
                            next = self.add_word(now, self.splat_word(step));
                            now
                        })
                    })
                }
                counting!(column, $set);
            }
        )+};
    }
    tally! {
        Avx2: avx2, __m256i, 4;
        Avx512: avx512, __m512i, 8;
    }
}

/// Words that are two registers.
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod neon;
