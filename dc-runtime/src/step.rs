//! Steps: kernels that are evaluated for one unit of lanes after the other, where a group has several.
//!
//! A group of registers a value hides the latency of a chain of dependent operations, if a loop's body is short. Operation
//! after operation on the whole group, it also needs that many times the registers for what it computes on the way. A step
//! (`#[crunch(step)]`, called in the loop's body) is computed for the first unit, then for the second: the processor, which
//! looks hundreds of operations ahead, overlaps them all the same, and only the loop's own variables are there several times.
//! The bits are the same.
//!
//! On Zen 3, with 16 registers, the logarithm's compensated Horner scheme on groups of four takes 10.5 ns an input without and
//! 9.35 ns with it.

use crate::isa::Isa;
use crate::kernel::{Anchor, Kind, LaneFn};

/// Whether a step is cut into units on this instruction set.
#[must_use]
pub const fn cut<I: Isa>() -> bool {
    I::UNITS > 1
}

/// A step on a group, unit by unit.
#[inline(always)]
pub fn by_unit<K: LaneFn, I: Isa>(
    isa: I,
    args: <K::Args as Kind>::Lanes<I>,
) -> <K::Ret as Kind>::Lanes<I> {
    const { assert!(matches!(I::UNITS, 1 | 2 | 4)) };
    let mut done = [K::call::<I::Unit>(K::Args::unit::<I>(args, 0)); 4];
    done[1] = next::<K, I>(isa, args, &mut done[0], 1);
    if const { I::UNITS > 2 } {
        done[2] = next::<K, I>(isa, args, &mut done[1], 2);
        done[3] = next::<K, I>(isa, args, &mut done[2], 3);
    }
    K::Ret::of_units(isa, done)
}

/// Unit `k`, which must not begin before the last one is `done`.
#[inline(always)]
fn next<K: LaneFn, I: Isa>(
    isa: I,
    args: <K::Args as Kind>::Lanes<I>,
    done: &mut <K::Ret as Kind>::Lanes<I::Unit>,
    k: usize,
) -> <K::Ret as Kind>::Lanes<I::Unit> {
    let mut args = K::Args::unit::<I>(args, k);
    let isa = isa.of_unit();
    match (
        K::Ret::anchor::<I::Unit>(done),
        K::Args::anchor::<I::Unit>(&mut args),
    ) {
        (Some(Anchor::F64(before)), Some(Anchor::F64(after))) => {
            isa.order_f64(&mut before.v, &mut after.v);
        }
        (Some(Anchor::F32(before)), Some(Anchor::F32(after))) => {
            isa.order_f32(&mut before.v, &mut after.v);
        }
        // Integers, or two widths of numbers: the compiler orders them as it likes.
        _ => {}
    }
    K::call::<I::Unit>(args)
}
