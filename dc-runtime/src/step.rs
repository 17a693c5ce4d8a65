//! Steps: kernels that are evaluated unit by unit if a group has several units.
//!
//! A group of several registers per value hides the latency of a chain of dependent operations, if the loop's body is short. But
//! evaluated operation by operation on the whole group, it needs several times as many registers for its intermediate values. A step
//! (`#[crunch(step)]`, called in the loop's body) is computed for the first unit, then for the second. The processor executes out of
//! order over hundreds of operations and still overlaps them, and only the loop's own variables need several registers. The bits are the
//! same.
//!
//! On Zen 3, with 16 registers, the logarithm's compensated Horner scheme on groups of four takes 10.5 ns per input
//! without a step and 9.35 ns with it.

use crate::isa::Isa;
use crate::kernel::{Anchor, Kind, LaneFn};

/// Whether a step is evaluated unit by unit on this instruction set.
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

/// Unit `k`, which must not begin before the previous one is `done`.
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
        // Integers, or numbers of two widths: their order is left to the compiler.
        _ => {}
    }
    K::call::<I::Unit>(args)
}

// They compare columns of bits.
#[cfg(all(test, feature = "std"))]
mod tests {
    use kernels_gen::interp::Interpreter;

    use crate::isa::Isa;
    use crate::isa::sets::for_each_isa;
    use crate::isa::tests::level;
    use crate::kernel::LaneFn;
    use crate::prelude::*;
    use crate::run::columns;

    /// A step with arguments and results of every type; each unit has other values.
    #[crunch(step)]
    fn all_types(
        bits: DcInt,
        x: DcDouble,
        y: DcFloat,
        pair: (DcLong, DcMask),
        both: DcDoubleDouble,
    ) -> ((DcMask, DcLong), DcDoubleDouble, DcFloat, DcInt, DcDouble) {
        let (long, mask) = pair;
        let sum = dd_add_f64(both, x);
        let z = if mask { sum.hi } else { x - sum.lo };
        let mut n = bits;
        if y > 1.0 {
            n = bits ^ 77;
        }
        ((!mask, long + 1), sum, y * y, n, z)
    }

    /// A step with two widths, so no result of one unit can be ordered before an argument of the next.
    #[crunch(step)]
    fn widened<const N: usize>(x: DcFloat) -> DcDouble {
        let mut sum: DcDouble = 0.0;
        for _ in 0..N {
            sum = sum + x.to_f64();
        }
        sum
    }

    /// A step without floating-point numbers.
    #[crunch(step)]
    fn whole(i: DcLong) -> DcLong {
        i * 3 - 1
    }

    const DELTAS: [i32; 5] = [3, 1, 4, 1, 5];

    #[crunch]
    fn walk(x: DcDouble, y: DcFloat, long: DcLong) -> (DcDouble, DcDouble, DcFloat, DcLong) {
        let mut state = (x, DcDoubleDouble::new(x, 0.25), y);
        let mut n = long;
        let mut k = long.to_i32();
        for i in 0..5 {
            let mask = state.0 < 0.5;
            let ((m, l), dd, f, k_next, z) = all_types(k, state.0, state.2, (n, mask), state.1);
            n = whole(if m { l } else { n });
            k = k_next + DELTAS[i];
            state = (z, dd, f);
        }
        let (x, dd, y) = state;
        (x + widened::<3>(y), dd.lo, y, n + k.to_i64())
    }

    fn as_the_interpreter<K: LaneFn, I: Isa>() {
        let mut word = 1u64;
        let mut random = || {
            word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(99);
            word >> 11
        };
        let number = |k: u64| (k as f64 / (1u64 << 52) as f64 - 0.7).to_bits();
        let x: Vec<u64> = (0..200).map(|_| number(random())).collect();
        let narrow = |&x: &u64| u64::from((f64::from_bits(x) as f32).to_bits());
        let y: Vec<u64> = x.iter().rev().map(narrow).collect();
        let long: Vec<u64> = (0..200).map(|_| random()).collect();
        let inputs = [&x[..], &y, &long];
        let program = kernels_gen::lower(K::KERNEL).expect("it can be lowered");
        let mut want = vec![Vec::new(); program.entry().results.len()];
        let mut got = want.clone();
        Interpreter::new(&program).run(&inputs, &mut want);
        columns::<K, I>(&inputs, &mut got);
        assert_eq!(got, want, "{} of {} lanes", I::NAME, I::LANES);
    }

    macro_rules! steps_give_the_same {
        ($({ $field:ident $token:ident $level:ident $map:ident $($more:tt)* })+) => {$(
            #[test]
            fn $field() {
                use crate::isa::$token;
                if level::<$token<1>>(concat!(module_path!(), "::", stringify!($field))).is_some() {
                    as_the_interpreter::<walk, $token<1>>();
                    as_the_interpreter::<walk, $token<2>>();
                    as_the_interpreter::<walk, $token<4>>();
                }
            }
        )+};
    }
    mod steps_give_the_same {
        use super::*;
        for_each_isa!([steps_give_the_same!]);
    }
}
