//! AVX-512 (F, VL, DQ and BW): units of sixteen lanes, which are two registers of 64-bit values or one of 32-bit values.
//!
//! So every register is full, and every value has the same number of lanes. A mask has one bit per lane, in the mask
//! registers of both widths. Floating-point operations round as set in MXCSR. Rust assumes its default
//! state: to nearest even, subnormals kept, no traps.

mod register;

use core::arch::x86_64::*;

use self::register as r;
use super::group::{count, gather, group, instruction, iota, load, splat, store, units};
use super::operations::{column, operations};
use super::registers::{fences, order, pair, registers};
use super::{Direction, Isa, WithIsa, detect, fence};

/// AVX-512 in groups of `G` units (1, 2 or 4) of sixteen lanes. A value of this type is the proof that the processor
/// has F, VL, DQ and BW.
#[derive(Clone, Copy, Debug)]
pub struct Avx512<const G: usize>(());

impl<const G: usize> Avx512<G> {
    /// The token, without a check of the processor.
    ///
    /// # Safety
    ///
    /// The processor must have AVX-512 F, VL, DQ and BW, AVX2 and FMA, and the operating system must save the registers.
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

/// Trait methods from an intrinsic that takes a rounding, on each register of a unit, which has one or two of them.
macro_rules! directed {
    ($($name:ident($($a:ident: $t:ident),+) -> $r:ident = $f:ident $registers:ident;)+) => {$(
        #[inline(always)]
        fn $name(self, d: Direction, $($a: Self::$t),+) -> Self::$r {
            group!(G, Self::$r, k => match d {
                Direction::Zero => directed!(@$registers $f, TO_ZERO, k, $($a),+),
                Direction::Up => directed!(@$registers $f, UP, k, $($a),+),
                Direction::Down => directed!(@$registers $f, DOWN, k, $($a),+),
            })
        }
    )+};
    (@one $f:ident, $r:ident, $k:ident, $($a:ident),+) => { $f::<$r>($($a[$k]),+) };
    (@two $f:ident, $r:ident, $k:ident, $($a:ident),+) => {
        [$f::<$r>($($a[$k][0]),+), $f::<$r>($($a[$k][1]),+)]
    };
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
        detect::avx512().then_some(Self(()))
    }

    #[inline]
    fn run<W: WithIsa<Self>>(self, f: W) -> W::Output {
        // SAFETY: the token `self` exists only where the processor has the features.
        unsafe { entry(self, f) }
    }

    #[inline(always)]
    fn of_unit(self) -> Avx512<1> {
        Avx512(())
    }

    operations!(column, avx512);
}
