//! AVX-512 (F, VL, DQ and BW): units of sixteen lanes, which are two registers of 64-bit values or one of 32-bit values.
//!
//! So every register is full, and every value has the same number of lanes. A mask has one bit per lane, in the mask
//! registers of both widths. Floating-point operations round as set in MXCSR, which Rust assumes to be in its default
//! state: to nearest even, subnormals kept, no traps.

mod register;

use core::arch::x86_64::*;

use self::register as r;
use super::group::{gather, group, load, splat, store, units};
use super::registers::{fences, pair, registers};
use super::{Direction, Isa, WithIsa, fence};

/// AVX-512 in groups of `G` units (1, 2 or 4) of sixteen lanes. A value of this type is the proof that the processor
/// has F, VL, DQ and BW.
#[derive(Clone, Copy, Debug)]
pub struct Avx512<const G: usize>(());

impl<const G: usize> Avx512<G> {
    /// The token, without a check of the processor.
    ///
    /// # Safety
    ///
    /// The processor has AVX-512 F, VL, DQ and BW, AVX2 and FMA, and the operating system saves the registers.
    #[must_use]
    pub const unsafe fn new_unchecked() -> Self {
        Self(())
    }
}

/// The one function of a kernel that is compiled with the features; everything else is inlined into it.
///
/// # Safety
///
/// The processor has the features.
#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
unsafe fn entry<const G: usize, W: WithIsa<Avx512<G>>>(isa: Avx512<G>, f: W) -> W::Output {
    fence::aligned_frame();
    f.call(isa)
}

/// The codes of roundings in instructions, with exceptions suppressed.
const TO_ZERO: i32 = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
const UP: i32 = _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC;
const DOWN: i32 = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;

/// Trait methods from an intrinsic that takes a rounding, on every register of a unit.
macro_rules! directed {
    ($($name:ident($($a:ident),+): $t:ident = $f:ident, [$($i:tt)+];)+) => {$(
        #[inline(always)]
        fn $name(self, d: Direction, $($a: Self::$t),+) -> Self::$t {
            group!(G, Self::$t, k => match d {
                Direction::Zero => directed!(@unit $f, TO_ZERO, k, [$($a),+], $($i)+),
                Direction::Up => directed!(@unit $f, UP, k, [$($a),+], $($i)+),
                Direction::Down => directed!(@unit $f, DOWN, k, [$($a),+], $($i)+),
            })
        }
    )+};
    (@unit $f:ident, $r:ident, $k:ident, [$($a:ident),+], one) => { $f::<$r>($($a[$k]),+) };
    (@unit $f:ident, $r:ident, $k:ident, [$($a:ident),+], two) => { [$f::<$r>($($a[$k][0]),+), $f::<$r>($($a[$k][1]),+)] };
}

impl<const G: usize> Isa for Avx512<G> {
    type F64 = [[__m512d; 2]; G];
    type F32 = [__m512; G];
    type I64 = [[__m512i; 2]; G];
    type I32 = [__m512i; G];
    type Mask = [r::Mask; G];
    type Unit = Avx512<1>;

    const LANES: usize = 16 * G;
    const UNITS: usize = G;
    const NAME: &'static str = "avx512";

    fn detect() -> Option<Self> {
        let all = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma");
        all.then_some(Self(()))
    }

    #[inline]
    fn run<W: WithIsa<Self>>(self, f: W) -> W::Output {
        // SAFETY: the token `self` exists only where the processor has the features.
        unsafe { entry(self, f) }
    }

    splat! {
        splat_f64(f64) -> F64 = |x| pair(_mm512_set1_pd(x));
        splat_f32(f32) -> F32 = _mm512_set1_ps;
        splat_i64(i64) -> I64 = |x| pair(_mm512_set1_epi64(x));
        splat_i32(i32) -> I32 = _mm512_set1_epi32;
        splat_mask(bool) -> Mask = r::splat_mask;
    }
    load! {
        load_f64(f64) -> F64 = r::load_f64;
        load_f32(f32) -> F32 = _mm512_loadu_ps;
        load_i64(i64) -> I64 = r::load_i64;
        load_i32(i32) -> I32 = _mm512_loadu_epi32;
        load_mask(bool) -> Mask = r::load_mask;
    }
    store! {
        store_f64(F64, f64) = r::store_f64;
        store_f32(F32, f32) = _mm512_storeu_ps;
        store_i64(I64, i64) = r::store_i64;
        store_i32(I32, i32) = _mm512_storeu_epi32;
        store_mask(Mask, bool) = r::store_mask;
    }

    #[inline(always)]
    fn iota_i64(self, start: i64) -> Self::I64 {
        group!(G, Self::I64, k => r::iota_i64(start.wrapping_add(16 * k as i64)))
    }
    #[inline(always)]
    fn iota_i32(self, start: i32) -> Self::I32 {
        group!(G, Self::I32, k => r::iota_i32(start.wrapping_add(16 * k as i32)))
    }

    #[inline(always)]
    fn of_unit(self) -> Avx512<1> {
        Avx512(())
    }
    #[inline(always)]
    fn order_f64(self, before: &mut Self::F64, after: &mut Self::F64) {
        // SAFETY: the token `self` exists only where the processor has the features.
        [before[0], after[0]] = unsafe { fence::m512d([before[0], after[0]]) };
    }
    #[inline(always)]
    fn order_f32(self, before: &mut Self::F32, after: &mut Self::F32) {
        // SAFETY: the token `self` exists only where the processor has the features.
        [before[0], after[0]] = unsafe { fence::m512([before[0], after[0]]) };
    }

    fences! {
        fence_f64(F64) = fence::m512d;
        fence_f32(F32) = fence::m512;
    }

    directed! {
        add_directed_f64(a, b): F64 = _mm512_add_round_pd, [two];
        mul_directed_f64(a, b): F64 = _mm512_mul_round_pd, [two];
        div_directed_f64(a, b): F64 = _mm512_div_round_pd, [two];
        sqrt_directed_f64(a): F64 = _mm512_sqrt_round_pd, [two];
        fma_directed_f64(a, b, c): F64 = _mm512_fmadd_round_pd, [two];
        add_directed_f32(a, b): F32 = _mm512_add_round_ps, [one];
        mul_directed_f32(a, b): F32 = _mm512_mul_round_ps, [one];
        div_directed_f32(a, b): F32 = _mm512_div_round_ps, [one];
        sqrt_directed_f32(a): F32 = _mm512_sqrt_round_ps, [one];
        fma_directed_f32(a, b, c): F32 = _mm512_fmadd_round_ps, [one];
    }

    registers! {
        add_f64(a: F64, b: F64) -> F64 = _mm512_add_pd;
        sub_f64(a: F64, b: F64) -> F64 = _mm512_sub_pd;
        mul_f64(a: F64, b: F64) -> F64 = _mm512_mul_pd;
        fma_f64(a: F64, b: F64, c: F64) -> F64 = |a, b, c| fence::opaque_m512d(_mm512_fmadd_pd(a, b, c));

        div_f64(a: F64, b: F64) -> F64 = _mm512_div_pd;
        sqrt_f64(a: F64) -> F64 = _mm512_sqrt_pd;
        neg_f64(a: F64) -> F64 = r::neg_f64;
        abs_f64(a: F64) -> F64 = r::abs_f64;
        copysign_f64(a: F64, b: F64) -> F64 = r::copysign_f64;
        // MINPD and MAXPD give their second operand where the comparison is false: on NaN and on zeros of two signs.
        min_f64(a: F64, b: F64) -> F64 = _mm512_min_pd;
        max_f64(a: F64, b: F64) -> F64 = _mm512_max_pd;
        floor_f64(a: F64) -> F64 = r::floor_f64;
        ceil_f64(a: F64) -> F64 = r::ceil_f64;
        trunc_f64(a: F64) -> F64 = r::trunc_f64;
        round_ties_even_f64(a: F64) -> F64 = r::round_ties_even_f64;
        canonical_f64(a: F64) -> F64 = r::canonical_f64;

        bits_f64(a: F64) -> I64 = _mm512_castpd_si512;
        f64_from_bits(a: I64) -> F64 = _mm512_castsi512_pd;
        f64_to_i64(a: F64) -> I64 = r::f64_to_i64;
        i64_to_f64(a: I64) -> F64 = _mm512_cvtepi64_pd;

        add_i64(a: I64, b: I64) -> I64 = _mm512_add_epi64;
        sub_i64(a: I64, b: I64) -> I64 = _mm512_sub_epi64;
        mul_i64(a: I64, b: I64) -> I64 = _mm512_mullo_epi64;
        and_i64(a: I64, b: I64) -> I64 = _mm512_and_si512;
        or_i64(a: I64, b: I64) -> I64 = _mm512_or_si512;
        xor_i64(a: I64, b: I64) -> I64 = _mm512_xor_si512;
        shl_i64(a: I64, n: I64) -> I64 = r::shl_i64;
        shr_i64(a: I64, n: I64) -> I64 = r::shr_i64;
        shr_logical_i64(a: I64, n: I64) -> I64 = r::shr_logical_i64;
    }

    units! {
        add_f32(a: F32, b: F32) -> F32 = _mm512_add_ps;
        sub_f32(a: F32, b: F32) -> F32 = _mm512_sub_ps;
        mul_f32(a: F32, b: F32) -> F32 = _mm512_mul_ps;
        fma_f32(a: F32, b: F32, c: F32) -> F32 = |a, b, c| fence::opaque_m512(_mm512_fmadd_ps(a, b, c));

        lt_f64(a: F64, b: F64) -> Mask = r::lt_f64;
        le_f64(a: F64, b: F64) -> Mask = r::le_f64;
        eq_f64(a: F64, b: F64) -> Mask = r::eq_f64;
        ne_f64(a: F64, b: F64) -> Mask = r::ne_f64;
        select_f64(m: Mask, a: F64, b: F64) -> F64 = r::select_f64;

        div_f32(a: F32, b: F32) -> F32 = _mm512_div_ps;
        sqrt_f32(a: F32) -> F32 = _mm512_sqrt_ps;
        neg_f32(a: F32) -> F32 = r::neg_f32;
        abs_f32(a: F32) -> F32 = r::abs_f32;
        copysign_f32(a: F32, b: F32) -> F32 = r::copysign_f32;
        min_f32(a: F32, b: F32) -> F32 = _mm512_min_ps;
        max_f32(a: F32, b: F32) -> F32 = _mm512_max_ps;
        floor_f32(a: F32) -> F32 = r::floor_f32;
        ceil_f32(a: F32) -> F32 = r::ceil_f32;
        trunc_f32(a: F32) -> F32 = r::trunc_f32;
        round_ties_even_f32(a: F32) -> F32 = r::round_ties_even_f32;
        lt_f32(a: F32, b: F32) -> Mask = r::lt_f32;
        le_f32(a: F32, b: F32) -> Mask = r::le_f32;
        eq_f32(a: F32, b: F32) -> Mask = r::eq_f32;
        ne_f32(a: F32, b: F32) -> Mask = r::ne_f32;
        select_f32(m: Mask, a: F32, b: F32) -> F32 = r::select_f32;
        canonical_f32(a: F32) -> F32 = r::canonical_f32;
        bits_f32(a: F32) -> I32 = _mm512_castps_si512;
        f32_from_bits(a: I32) -> F32 = _mm512_castsi512_ps;

        f64_to_f32(a: F64) -> F32 = r::f64_to_f32;
        f32_to_f64(a: F32) -> F64 = r::f32_to_f64;
        f64_to_i32(a: F64) -> I32 = r::f64_to_i32;
        f32_to_i64(a: F32) -> I64 = r::f32_to_i64;
        f32_to_i32(a: F32) -> I32 = r::f32_to_i32;
        i64_to_f32(a: I64) -> F32 = r::i64_to_f32;
        i32_to_f64(a: I32) -> F64 = r::i32_to_f64;
        i32_to_f32(a: I32) -> F32 = _mm512_cvtepi32_ps;
        i32_to_i64(a: I32) -> I64 = r::i32_to_i64;
        i64_to_i32(a: I64) -> I32 = r::i64_to_i32;

        lt_i64(a: I64, b: I64) -> Mask = r::lt_i64;
        eq_i64(a: I64, b: I64) -> Mask = r::eq_i64;
        select_i64(m: Mask, a: I64, b: I64) -> I64 = r::select_i64;
        increment_i64(m: Mask, a: I64) -> I64 = r::increment_i64;
        decrement_i64(m: Mask, a: I64) -> I64 = r::decrement_i64;

        add_i32(a: I32, b: I32) -> I32 = _mm512_add_epi32;
        sub_i32(a: I32, b: I32) -> I32 = _mm512_sub_epi32;
        mul_i32(a: I32, b: I32) -> I32 = _mm512_mullo_epi32;
        and_i32(a: I32, b: I32) -> I32 = _mm512_and_si512;
        or_i32(a: I32, b: I32) -> I32 = _mm512_or_si512;
        xor_i32(a: I32, b: I32) -> I32 = _mm512_xor_si512;
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
