//! Plain Rust, `G` lanes per value: the meaning of every operation, on any processor.
//!
//! The results of the vector instruction sets are tested against the same standard-library operations.

use super::group::{gather, group, load, splat, store, units};
use super::{Isa, WithIsa};

/// Plain Rust in groups of `G` lanes, for every type: [`Isa::LANES`] is `G`, and a unit is one lane.
///
/// The crate uses two widths: 1 for single points, and 4 for columns and the search, whose chunk must be a multiple of `G`.
#[derive(Clone, Copy, Debug)]
pub struct Scalar<const G: usize>(());

impl<const G: usize> Scalar<G> {
    /// The token; every processor has it.
    #[must_use]
    pub const fn new() -> Self {
        Self(())
    }
}

impl<const G: usize> Default for Scalar<G> {
    fn default() -> Self {
        Self::new()
    }
}

/// Compiled with FMA, so that `mul_add` is one instruction and not a call of the C library's `fma`.
///
/// # Safety
///
/// The processor has AVX and FMA.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx,fma")]
unsafe fn entry_with_fma<const G: usize, W: WithIsa<Scalar<G>>>(isa: Scalar<G>, f: W) -> W::Output {
    f.call(isa)
}

/// The index at which a table of `len` entries is read; it has at least one entry.
#[inline(always)]
fn wrap(i: i64, len: usize) -> usize {
    if len.is_power_of_two() {
        i as usize & (len - 1)
    } else {
        i.clamp(0, len as i64 - 1) as usize
    }
}

/// The canonical form of NaN, by integer comparison, which no floating-point optimization changes.
#[inline(always)]
fn canonical64(a: f64) -> f64 {
    let bits = a.to_bits();
    let nan = bits & 0x7fff_ffff_ffff_ffff > 0x7ff0_0000_0000_0000;
    f64::from_bits(if nan { 0x7ff8_0000_0000_0000 } else { bits })
}

#[inline(always)]
fn canonical32(a: f32) -> f32 {
    let bits = a.to_bits();
    f32::from_bits(if bits & 0x7fff_ffff > 0x7f80_0000 {
        0x7fc0_0000
    } else {
        bits
    })
}

/// A value about which LLVM can assume nothing. Its assumption about `fma(x, x, c)` is wrong; see [`super::fence`].
macro_rules! unknown {
    ($name:ident, $t:ty) => {
        #[inline(always)]
        fn $name(x: $t) -> $t {
            #[cfg(target_arch = "x86_64")]
            {
                let mut x = x;
                // SAFETY: the template is a comment, and the operand is unchanged.
                unsafe {
                    core::arch::asm!(
                        "/* {} */",
                        inout(xmm_reg) x,
                        options(pure, nomem, nostack, preserves_flags),
                    );
                }
                x
            }
            #[cfg(not(target_arch = "x86_64"))]
            core::hint::black_box(x)
        }
    };
}
unknown!(unknown64, f64);
unknown!(unknown32, f32);

impl<const G: usize> Isa for Scalar<G> {
    type F64 = [f64; G];
    type F32 = [f32; G];
    type I64 = [i64; G];
    type I32 = [i32; G];
    type Mask = [bool; G];
    type Unit = Scalar<1>;

    const LANES: usize = G;
    // Whether LLVM vectorizes lanes is left to it.
    const UNITS: usize = 1;
    const NAME: &'static str = "scalar";

    fn detect() -> Option<Self> {
        Some(Self::new())
    }

    #[inline]
    fn run<W: WithIsa<Self>>(self, f: W) -> W::Output {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx") && is_x86_feature_detected!("fma") {
            // SAFETY: the features have just been detected.
            return unsafe { entry_with_fma(self, f) };
        }
        f.call(self)
    }

    #[inline(always)]
    fn of_unit(self) -> Scalar<1> {
        Scalar(())
    }

    splat! {
        splat_f64(f64) -> F64 = |x| x;
        splat_f32(f32) -> F32 = |x| x;
        splat_i64(i64) -> I64 = |x| x;
        splat_i32(i32) -> I32 = |x| x;
        splat_mask(bool) -> Mask = |x| x;
    }
    load! {
        load_f64(f64) -> F64 = |p: *const f64| *p;
        load_f32(f32) -> F32 = |p: *const f32| *p;
        load_i64(i64) -> I64 = |p: *const i64| *p;
        load_i32(i32) -> I32 = |p: *const i32| *p;
        load_mask(bool) -> Mask = |p: *const bool| *p;
    }
    store! {
        store_f64(F64, f64) = |p: *mut f64, v| *p = v;
        store_f32(F32, f32) = |p: *mut f32, v| *p = v;
        store_i64(I64, i64) = |p: *mut i64, v| *p = v;
        store_i32(I32, i32) = |p: *mut i32, v| *p = v;
        store_mask(Mask, bool) = |p: *mut bool, v| *p = v;
    }

    #[inline(always)]
    fn iota_i64(self, start: i64) -> Self::I64 {
        group!(G, Self::I64, k => start.wrapping_add(k as i64))
    }
    #[inline(always)]
    fn iota_i32(self, start: i32) -> Self::I32 {
        group!(G, Self::I32, k => start.wrapping_add(k as i32))
    }

    units! {
        add_f64(a: F64, b: F64) -> F64 = |a: f64, b: f64| a + b;
        sub_f64(a: F64, b: F64) -> F64 = |a: f64, b: f64| a - b;
        mul_f64(a: F64, b: F64) -> F64 = |a: f64, b: f64| a * b;
        div_f64(a: F64, b: F64) -> F64 = |a: f64, b: f64| a / b;
        fma_f64(a: F64, b: F64, c: F64) -> F64 = |a: f64, b, c| unknown64(a.mul_add(b, c));
        sqrt_f64(a: F64) -> F64 = f64::sqrt;
        neg_f64(a: F64) -> F64 = |a: f64| -a;
        abs_f64(a: F64) -> F64 = f64::abs;
        copysign_f64(a: F64, b: F64) -> F64 = f64::copysign;
        min_f64(a: F64, b: F64) -> F64 = |a: f64, b: f64| if a < b { a } else { b };
        max_f64(a: F64, b: F64) -> F64 = |a: f64, b: f64| if a > b { a } else { b };
        floor_f64(a: F64) -> F64 = f64::floor;
        ceil_f64(a: F64) -> F64 = f64::ceil;
        trunc_f64(a: F64) -> F64 = f64::trunc;
        round_ties_even_f64(a: F64) -> F64 = f64::round_ties_even;
        lt_f64(a: F64, b: F64) -> Mask = |a: f64, b: f64| a < b;
        le_f64(a: F64, b: F64) -> Mask = |a: f64, b: f64| a <= b;
        eq_f64(a: F64, b: F64) -> Mask = |a: f64, b: f64| a == b;
        ne_f64(a: F64, b: F64) -> Mask = |a: f64, b: f64| a != b;
        select_f64(m: Mask, a: F64, b: F64) -> F64 = |m: bool, a, b| if m { a } else { b };
        canonical_f64(a: F64) -> F64 = canonical64;
        bits_f64(a: F64) -> I64 = |a: f64| a.to_bits() as i64;
        f64_from_bits(a: I64) -> F64 = |a: i64| f64::from_bits(a as u64);

        add_f32(a: F32, b: F32) -> F32 = |a: f32, b: f32| a + b;
        sub_f32(a: F32, b: F32) -> F32 = |a: f32, b: f32| a - b;
        mul_f32(a: F32, b: F32) -> F32 = |a: f32, b: f32| a * b;
        div_f32(a: F32, b: F32) -> F32 = |a: f32, b: f32| a / b;
        fma_f32(a: F32, b: F32, c: F32) -> F32 = |a: f32, b, c| unknown32(a.mul_add(b, c));
        sqrt_f32(a: F32) -> F32 = f32::sqrt;
        neg_f32(a: F32) -> F32 = |a: f32| -a;
        abs_f32(a: F32) -> F32 = f32::abs;
        copysign_f32(a: F32, b: F32) -> F32 = f32::copysign;
        min_f32(a: F32, b: F32) -> F32 = |a: f32, b: f32| if a < b { a } else { b };
        max_f32(a: F32, b: F32) -> F32 = |a: f32, b: f32| if a > b { a } else { b };
        floor_f32(a: F32) -> F32 = f32::floor;
        ceil_f32(a: F32) -> F32 = f32::ceil;
        trunc_f32(a: F32) -> F32 = f32::trunc;
        round_ties_even_f32(a: F32) -> F32 = f32::round_ties_even;
        lt_f32(a: F32, b: F32) -> Mask = |a: f32, b: f32| a < b;
        le_f32(a: F32, b: F32) -> Mask = |a: f32, b: f32| a <= b;
        eq_f32(a: F32, b: F32) -> Mask = |a: f32, b: f32| a == b;
        ne_f32(a: F32, b: F32) -> Mask = |a: f32, b: f32| a != b;
        select_f32(m: Mask, a: F32, b: F32) -> F32 = |m: bool, a, b| if m { a } else { b };
        canonical_f32(a: F32) -> F32 = canonical32;
        bits_f32(a: F32) -> I32 = |a: f32| a.to_bits() as i32;
        f32_from_bits(a: I32) -> F32 = |a: i32| f32::from_bits(a as u32);

        f64_to_f32(a: F64) -> F32 = |a: f64| a as f32;
        f32_to_f64(a: F32) -> F64 = |a: f32| f64::from(a);
        f64_to_i64(a: F64) -> I64 = |a: f64| a as i64;
        f64_to_i32(a: F64) -> I32 = |a: f64| a as i32;
        f32_to_i64(a: F32) -> I64 = |a: f32| a as i64;
        f32_to_i32(a: F32) -> I32 = |a: f32| a as i32;
        i64_to_f64(a: I64) -> F64 = |a: i64| a as f64;
        i64_to_f32(a: I64) -> F32 = |a: i64| a as f32;
        i32_to_f64(a: I32) -> F64 = |a: i32| f64::from(a);
        i32_to_f32(a: I32) -> F32 = |a: i32| a as f32;
        i32_to_i64(a: I32) -> I64 = |a: i32| i64::from(a);
        i64_to_i32(a: I64) -> I32 = |a: i64| a as i32;

        add_i64(a: I64, b: I64) -> I64 = i64::wrapping_add;
        sub_i64(a: I64, b: I64) -> I64 = i64::wrapping_sub;
        mul_i64(a: I64, b: I64) -> I64 = i64::wrapping_mul;
        and_i64(a: I64, b: I64) -> I64 = |a: i64, b: i64| a & b;
        or_i64(a: I64, b: I64) -> I64 = |a: i64, b: i64| a | b;
        xor_i64(a: I64, b: I64) -> I64 = |a: i64, b: i64| a ^ b;
        shl_i64(a: I64, n: I64) -> I64 = |a: i64, n: i64| a.wrapping_shl(n as u32);
        shr_i64(a: I64, n: I64) -> I64 = |a: i64, n: i64| a.wrapping_shr(n as u32);
        shr_logical_i64(a: I64, n: I64) -> I64 = |a: i64, n: i64| (a as u64).wrapping_shr(n as u32) as i64;
        lt_i64(a: I64, b: I64) -> Mask = |a: i64, b: i64| a < b;
        eq_i64(a: I64, b: I64) -> Mask = |a: i64, b: i64| a == b;
        select_i64(m: Mask, a: I64, b: I64) -> I64 = |m: bool, a, b| if m { a } else { b };

        add_i32(a: I32, b: I32) -> I32 = i32::wrapping_add;
        sub_i32(a: I32, b: I32) -> I32 = i32::wrapping_sub;
        mul_i32(a: I32, b: I32) -> I32 = i32::wrapping_mul;
        and_i32(a: I32, b: I32) -> I32 = |a: i32, b: i32| a & b;
        or_i32(a: I32, b: I32) -> I32 = |a: i32, b: i32| a | b;
        xor_i32(a: I32, b: I32) -> I32 = |a: i32, b: i32| a ^ b;
        shl_i32(a: I32, n: I32) -> I32 = |a: i32, n: i32| a.wrapping_shl(n as u32);
        shr_i32(a: I32, n: I32) -> I32 = |a: i32, n: i32| a.wrapping_shr(n as u32);
        shr_logical_i32(a: I32, n: I32) -> I32 = |a: i32, n: i32| (a as u32).wrapping_shr(n as u32) as i32;
        lt_i32(a: I32, b: I32) -> Mask = |a: i32, b: i32| a < b;
        eq_i32(a: I32, b: I32) -> Mask = |a: i32, b: i32| a == b;
        select_i32(m: Mask, a: I32, b: I32) -> I32 = |m: bool, a, b| if m { a } else { b };

        and_mask(a: Mask, b: Mask) -> Mask = |a: bool, b: bool| a & b;
        or_mask(a: Mask, b: Mask) -> Mask = |a: bool, b: bool| a | b;
        xor_mask(a: Mask, b: Mask) -> Mask = |a: bool, b: bool| a ^ b;
        not_mask(a: Mask) -> Mask = |a: bool| !a;
        select_mask(m: Mask, a: Mask, b: Mask) -> Mask = |m: bool, a: bool, b: bool| if m { a } else { b };
    }

    #[inline(always)]
    fn any(self, m: Self::Mask) -> bool {
        m.contains(&true)
    }
    #[inline(always)]
    fn count(self, m: Self::Mask) -> u32 {
        m.iter().map(|&lane| u32::from(lane)).sum()
    }
    units! {
        increment_i64(m: Mask, a: I64) -> I64 = |m: bool, a: i64| a.wrapping_add(i64::from(m));
        decrement_i64(m: Mask, a: I64) -> I64 = |m: bool, a: i64| a.wrapping_sub(i64::from(m));
    }

    gather! {
        gather_f64(f64, I64) -> F64 = |t: &[f64], i| t[wrap(i, t.len())];
        gather_f32(f32, I64) -> F32 = |t: &[f32], i| t[wrap(i, t.len())];
        gather_i64(i64, I64) -> I64 = |t: &[i64], i| t[wrap(i, t.len())];
        gather_i32(i32, I64) -> I32 = |t: &[i32], i| t[wrap(i, t.len())];
        gather32_f64(f64, I32) -> F64 = |t: &[f64], i| t[wrap(i64::from(i), t.len())];
        gather32_f32(f32, I32) -> F32 = |t: &[f32], i| t[wrap(i64::from(i), t.len())];
        gather32_i64(i64, I32) -> I64 = |t: &[i64], i| t[wrap(i64::from(i), t.len())];
        gather32_i32(i32, I32) -> I32 = |t: &[i32], i| t[wrap(i64::from(i), t.len())];
    }
}
