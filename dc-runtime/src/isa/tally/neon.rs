//! Words of NEON: the two registers of a unit. A single register has only two lanes, so the bytes of a chunk's histogram would overflow
//! (`scan/reduce.rs`). NEON has 32 registers, so two registers per word are affordable.

use core::arch::aarch64::*;

use super::Tally;
use crate::isa::Neon;
use crate::isa::group::group;
use crate::isa::operations::column;
use crate::isa::registers::{pair, registers};

macro_rules! load_word {
    ($name:ident(i64) = $f:expr;) => {
        #[inline(always)]
        fn $name(self, x: &[i64]) -> Self::Word {
            let x = &x[..Self::WORD];
            // SAFETY: the token `self` exists only where the processor has the feature; `x` has the elements.
            unsafe { [$f(x.as_ptr()), $f(x.as_ptr().add(2))] }
        }
    };
}
macro_rules! store_word {
    ($name:ident(i64) = $f:expr;) => {
        #[inline(always)]
        fn $name(self, w: Self::Word, out: &mut [i64]) {
            let out = &mut out[..Self::WORD];
            // SAFETY: as in `load_word`.
            unsafe {
                $f(out.as_mut_ptr(), w[0]);
                $f(out.as_mut_ptr().add(2), w[1]);
            }
        }
    };
}
/// Methods with an expression that may contain intrinsics.
macro_rules! method {
    ($name:ident$(<const $n:ident>)?($($a:ident: $t:ty),+) -> $r:ty = $e:expr) => {
        #[inline(always)]
        fn $name$(<const $n: u32>)?(self, $($a: $t),+) -> $r {
            // SAFETY: the token `self` exists only where the processor has the feature.
            #[allow(unused_unsafe, reason = "where the target has the feature, most intrinsics are safe")]
            unsafe { $e }
        }
    };
}
macro_rules! splat_word {
    ($name:ident(i64) = $f:expr;) => { method!($name(x: i64) -> Self::Word = pair($f(x))); };
}
macro_rules! words {
    ($name:ident($($a:ident),+) = $f:expr;) => {
        method!($name($($a: Self::Word),+) -> Self::Word = [$f($($a[0]),+), $f($($a[1]),+)]);
    };
}
macro_rules! is_zero {
    ($name:ident($a:ident) = $f:expr;) => { method!($name($a: Self::Word) -> bool = $f(vorrq_s64($a[0], $a[1]))); };
}
macro_rules! shr_word {
    ($name:ident($a:ident) = $f:expr;) => {
        method!($name<const N>($a: Self::Word) -> Self::Word = [$f($a[0], N), $f($a[1], N)]);
    };
}
macro_rules! beyond {
    ($name:ident($t:ident) = $f:expr;) => {
        method!($name(w: Self::Word, a: Self::$t, limit: Self::$t) -> Self::Word = {
            let mut w = w;
            for (unit, limit) in a.iter().zip(&limit) {
                w = [$f(w[0], unit[0], limit[0]), $f(w[1], unit[1], limit[1])];
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
                w = [$f(w[0], unit[0]), $f(w[1], unit[1])];
            }
            w
        });
    };
}

/// The larger number; the second if neither is larger. FMAX would order zeros.
#[target_feature(enable = "neon")]
#[inline]
fn greater(a: float64x2_t, b: float64x2_t) -> int64x2_t {
    vreinterpretq_s64_f64(vbslq_f64(vcgtq_f64(a, b), a, b))
}
/// The smaller number; the second if neither is smaller.
#[target_feature(enable = "neon")]
#[inline]
fn less(a: float64x2_t, b: float64x2_t) -> int64x2_t {
    vreinterpretq_s64_f64(vbslq_f64(vcltq_f64(a, b), a, b))
}

impl<const G: usize> Tally for Neon<G> {
    type Word = [int64x2_t; 2];
    const WORD: usize = 4;

    #[inline(always)]
    fn counted_on(self, w: Self::Word, step: i64) -> Self::I64 {
        let mut next = w;
        core::array::from_fn(|_| {
            let now = next;
            next = self.add_word(now, self.splat_word(step));
            now
        })
    }
    counting!(column, neon);
}
