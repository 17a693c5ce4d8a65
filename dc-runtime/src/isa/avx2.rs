//! AVX2 with FMA: units of eight lanes, which are two registers of 64-bit values or one of 32-bit values.
//!
//! So every register is full, and every value has the same number of lanes. A mask has all ones or all zeros in each
//! lane, in both widths. Floating-point operations round as set in MXCSR, which Rust assumes to be in its default
//! state: to nearest even, subnormals kept, no traps.

mod register;

use core::arch::x86_64::*;

use self::register as r;
use super::group::{gather, group, load, splat, store, units};
use super::registers::{fences, pair, registers};
use super::{Isa, WithIsa, fence};

/// AVX2 and FMA in groups of `G` units (1, 2 or 4) of eight lanes. A value of this type is the proof that the processor
/// has them.
#[derive(Clone, Copy, Debug)]
pub struct Avx2<const G: usize>(());

impl<const G: usize> Avx2<G> {
    /// The token, without a check of the processor.
    ///
    /// # Safety
    ///
    /// The processor has AVX2 and FMA, and the operating system saves the registers.
    #[must_use]
    pub const unsafe fn new_unchecked() -> Self {
        Self(())
    }
}

/// The one function of a kernel that is compiled with the features; everything else is inlined into it.
///
/// # Safety
///
/// The processor has AVX2 and FMA.
#[target_feature(enable = "avx2,fma")]
unsafe fn entry<const G: usize, W: WithIsa<Avx2<G>>>(isa: Avx2<G>, f: W) -> W::Output {
    fence::aligned_frame();
    f.call(isa)
}

impl<const G: usize> Isa for Avx2<G> {
    type F64 = [[__m256d; 2]; G];
    type F32 = [__m256; G];
    type I64 = [[__m256i; 2]; G];
    type I32 = [__m256i; G];
    type Mask = [r::Mask; G];
    type Unit = Avx2<1>;

    const LANES: usize = 8 * G;
    const UNITS: usize = G;
    const NAME: &'static str = "avx2";

    fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some(Self(()))
    }

    #[inline]
    fn run<W: WithIsa<Self>>(self, f: W) -> W::Output {
        // SAFETY: the token `self` exists only where the processor has AVX2 and FMA.
        unsafe { entry(self, f) }
    }

    splat! {
        splat_f64(f64) -> F64 = |x| pair(_mm256_set1_pd(x));
        splat_f32(f32) -> F32 = _mm256_set1_ps;
        splat_i64(i64) -> I64 = |x| pair(_mm256_set1_epi64x(x));
        splat_i32(i32) -> I32 = _mm256_set1_epi32;
        splat_mask(bool) -> Mask = r::splat_mask;
    }
    load! {
        load_f64(f64) -> F64 = r::load_f64;
        load_f32(f32) -> F32 = _mm256_loadu_ps;
        load_i64(i64) -> I64 = r::load_i64;
        load_i32(i32) -> I32 = r::load_i32;
        load_mask(bool) -> Mask = r::load_mask;
    }
    store! {
        store_f64(F64, f64) = r::store_f64;
        store_f32(F32, f32) = _mm256_storeu_ps;
        store_i64(I64, i64) = r::store_i64;
        store_i32(I32, i32) = r::store_i32;
        store_mask(Mask, bool) = r::store_mask;
    }

    #[inline(always)]
    fn iota_i64(self, start: i64) -> Self::I64 {
        group!(G, Self::I64, k => r::iota_i64(start.wrapping_add(8 * k as i64)))
    }
    #[inline(always)]
    fn iota_i32(self, start: i32) -> Self::I32 {
        group!(G, Self::I32, k => r::iota_i32(start.wrapping_add(8 * k as i32)))
    }

    #[inline(always)]
    fn of_unit(self) -> Avx2<1> {
        Avx2(())
    }
    #[inline(always)]
    fn order_f64(self, before: &mut Self::F64, after: &mut Self::F64) {
        // SAFETY: the token `self` exists only where the processor has the features.
        [before[0], after[0]] = unsafe { fence::m256d([before[0], after[0]]) };
    }
    #[inline(always)]
    fn order_f32(self, before: &mut Self::F32, after: &mut Self::F32) {
        // SAFETY: the token `self` exists only where the processor has the features.
        [before[0], after[0]] = unsafe { fence::m256([before[0], after[0]]) };
    }

    fences! {
        fence_f64(F64) = fence::m256d;
        fence_f32(F32) = fence::m256;
    }

    registers! {
        add_f64(a: F64, b: F64) -> F64 = _mm256_add_pd;
        sub_f64(a: F64, b: F64) -> F64 = _mm256_sub_pd;
        mul_f64(a: F64, b: F64) -> F64 = _mm256_mul_pd;
        fma_f64(a: F64, b: F64, c: F64) -> F64 = |a, b, c| fence::opaque_m256d(_mm256_fmadd_pd(a, b, c));

        div_f64(a: F64, b: F64) -> F64 = _mm256_div_pd;
        sqrt_f64(a: F64) -> F64 = _mm256_sqrt_pd;
        neg_f64(a: F64) -> F64 = r::neg_f64;
        abs_f64(a: F64) -> F64 = r::abs_f64;
        copysign_f64(a: F64, b: F64) -> F64 = r::copysign_f64;
        // MINPD and MAXPD give their second operand where the comparison is false: on NaN and on zeros of two signs.
        min_f64(a: F64, b: F64) -> F64 = _mm256_min_pd;
        max_f64(a: F64, b: F64) -> F64 = _mm256_max_pd;
        floor_f64(a: F64) -> F64 = _mm256_floor_pd;
        ceil_f64(a: F64) -> F64 = _mm256_ceil_pd;
        trunc_f64(a: F64) -> F64 = r::trunc_f64;
        round_ties_even_f64(a: F64) -> F64 = r::round_ties_even_f64;
        canonical_f64(a: F64) -> F64 = r::canonical_f64;

        bits_f64(a: F64) -> I64 = _mm256_castpd_si256;
        f64_from_bits(a: I64) -> F64 = _mm256_castsi256_pd;
        f64_to_i64(a: F64) -> I64 = r::f64_to_i64;
        i64_to_f64(a: I64) -> F64 = r::i64_to_f64;

        add_i64(a: I64, b: I64) -> I64 = _mm256_add_epi64;
        sub_i64(a: I64, b: I64) -> I64 = _mm256_sub_epi64;
        mul_i64(a: I64, b: I64) -> I64 = r::mul_i64;
        and_i64(a: I64, b: I64) -> I64 = _mm256_and_si256;
        or_i64(a: I64, b: I64) -> I64 = _mm256_or_si256;
        xor_i64(a: I64, b: I64) -> I64 = _mm256_xor_si256;
        shl_i64(a: I64, n: I64) -> I64 = r::shl_i64;
        shr_i64(a: I64, n: I64) -> I64 = r::shr_i64;
        shr_logical_i64(a: I64, n: I64) -> I64 = r::shr_logical_i64;
    }

    units! {
        add_f32(a: F32, b: F32) -> F32 = _mm256_add_ps;
        sub_f32(a: F32, b: F32) -> F32 = _mm256_sub_ps;
        mul_f32(a: F32, b: F32) -> F32 = _mm256_mul_ps;
        fma_f32(a: F32, b: F32, c: F32) -> F32 = |a, b, c| fence::opaque_m256(_mm256_fmadd_ps(a, b, c));

        lt_f64(a: F64, b: F64) -> Mask = r::lt_f64;
        le_f64(a: F64, b: F64) -> Mask = r::le_f64;
        eq_f64(a: F64, b: F64) -> Mask = r::eq_f64;
        ne_f64(a: F64, b: F64) -> Mask = r::ne_f64;
        select_f64(m: Mask, a: F64, b: F64) -> F64 = r::select_f64;

        div_f32(a: F32, b: F32) -> F32 = _mm256_div_ps;
        sqrt_f32(a: F32) -> F32 = _mm256_sqrt_ps;
        neg_f32(a: F32) -> F32 = r::neg_f32;
        abs_f32(a: F32) -> F32 = r::abs_f32;
        copysign_f32(a: F32, b: F32) -> F32 = r::copysign_f32;
        min_f32(a: F32, b: F32) -> F32 = _mm256_min_ps;
        max_f32(a: F32, b: F32) -> F32 = _mm256_max_ps;
        floor_f32(a: F32) -> F32 = _mm256_floor_ps;
        ceil_f32(a: F32) -> F32 = _mm256_ceil_ps;
        trunc_f32(a: F32) -> F32 = r::trunc_f32;
        round_ties_even_f32(a: F32) -> F32 = r::round_ties_even_f32;
        lt_f32(a: F32, b: F32) -> Mask = r::lt_f32;
        le_f32(a: F32, b: F32) -> Mask = r::le_f32;
        eq_f32(a: F32, b: F32) -> Mask = r::eq_f32;
        ne_f32(a: F32, b: F32) -> Mask = r::ne_f32;
        select_f32(m: Mask, a: F32, b: F32) -> F32 = r::select_f32;
        canonical_f32(a: F32) -> F32 = r::canonical_f32;
        bits_f32(a: F32) -> I32 = _mm256_castps_si256;
        f32_from_bits(a: I32) -> F32 = _mm256_castsi256_ps;

        f64_to_f32(a: F64) -> F32 = r::f64_to_f32;
        f32_to_f64(a: F32) -> F64 = r::f32_to_f64;
        f64_to_i32(a: F64) -> I32 = r::f64_to_i32;
        f32_to_i64(a: F32) -> I64 = r::f32_to_i64;
        f32_to_i32(a: F32) -> I32 = r::f32_to_i32;
        i64_to_f32(a: I64) -> F32 = r::i64_to_f32;
        i32_to_f64(a: I32) -> F64 = r::i32_to_f64;
        i32_to_f32(a: I32) -> F32 = _mm256_cvtepi32_ps;
        i32_to_i64(a: I32) -> I64 = r::i32_to_i64;
        i64_to_i32(a: I64) -> I32 = r::i64_to_i32;

        lt_i64(a: I64, b: I64) -> Mask = r::lt_i64;
        eq_i64(a: I64, b: I64) -> Mask = r::eq_i64;
        select_i64(m: Mask, a: I64, b: I64) -> I64 = r::select_i64;
        increment_i64(m: Mask, a: I64) -> I64 = r::increment_i64;
        decrement_i64(m: Mask, a: I64) -> I64 = r::decrement_i64;

        add_i32(a: I32, b: I32) -> I32 = _mm256_add_epi32;
        sub_i32(a: I32, b: I32) -> I32 = _mm256_sub_epi32;
        mul_i32(a: I32, b: I32) -> I32 = _mm256_mullo_epi32;
        and_i32(a: I32, b: I32) -> I32 = _mm256_and_si256;
        or_i32(a: I32, b: I32) -> I32 = _mm256_or_si256;
        xor_i32(a: I32, b: I32) -> I32 = _mm256_xor_si256;
        shl_i32(a: I32, n: I32) -> I32 = r::shl_i32;
        shr_i32(a: I32, n: I32) -> I32 = r::shr_i32;
        shr_logical_i32(a: I32, n: I32) -> I32 = r::shr_logical_i32;
        lt_i32(a: I32, b: I32) -> Mask = r::lt_i32;
        eq_i32(a: I32, b: I32) -> Mask = r::eq_i32;
        select_i32(m: Mask, a: I32, b: I32) -> I32 = r::select_i32;

        and_mask(a: Mask, b: Mask) -> Mask = r::and_mask;
        or_mask(a: Mask, b: Mask) -> Mask = r::or_mask;
        xor_mask(a: Mask, b: Mask) -> Mask = r::xor_mask;
        not_mask(a: Mask) -> Mask = r::not_mask;
        select_mask(m: Mask, a: Mask, b: Mask) -> Mask = r::select_mask;
    }

    #[inline(always)]
    fn any(self, m: Self::Mask) -> bool {
        self.count(m) != 0
    }
    #[inline(always)]
    fn count(self, m: Self::Mask) -> u32 {
        let counts: [u32; G] = group!(G, [u32; G], k => r::mask_bits(m[k]).count_ones());
        counts.iter().sum()
    }

    gather! {
        gather_f64(f64, I64) -> F64 = r::gather_f64;
        gather_f32(f32, I64) -> F32 = r::gather_f32;
        gather_i64(i64, I64) -> I64 = r::gather_i64;
        gather_i32(i32, I64) -> I32 = r::gather_i32;
        gather32_f64(f64, I32) -> F64 = r::gather32_f64;
        gather32_f32(f32, I32) -> F32 = r::gather32_f32;
        gather32_i64(i64, I32) -> I64 = r::gather32_i64;
        gather32_i32(i32, I32) -> I32 = r::gather32_i32;
    }
}
