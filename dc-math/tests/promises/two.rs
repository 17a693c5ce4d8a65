//! Two arguments in binary32: a sample of pairs, compared with the double-double reference. A result that is not the nearest number is at most
//! 2^-26 ULP beyond a midpoint, so a sample does not contain such a pair by chance.

use dc_runtime::builtins::reference::{Function, binary64::*};
use dc_runtime::kernel::CrunchFn;
use dc_runtime::prelude::*;
use kernels_gen::ir::Kernel;

use crate::cases::neighbours;
use crate::check::{ERROR, bits};
use crate::inputs::{random, unit};

/// A function of two arguments.
pub struct TwoCase {
    pub name: &'static str,
    #[cfg_attr(not(feature = "mpfr"), expect(dead_code, reason = "only MPFR asks"))]
    pub function: Function,
    pub kernel: &'static Kernel,
    pub wide: &'static Kernel,
    pub one: fn(f32, f32) -> f32,
    pub double: fn(f64, f64) -> f64,
    pub truth: fn(f64, f64) -> DoubleDouble,
}

macro_rules! cases {
    ($($name:ident $function:ident { $f32:ident $($f32_more:literal)* } { $f64:ident $($f64_more:literal)* };)+) => {
        /// All of them.
        pub const TWO: &[TwoCase] = &[$(TwoCase {
            name: stringify!($name),
            function: Function::$function,
            kernel: <dc_math::f32::$name as CrunchFn>::KERNEL,
            wide: <dc_math::f64::$name as CrunchFn>::KERNEL,
            one: dc_math::f32::$name,
            double: dc_math::f64::$name,
            truth: $f64::eval,
        }),+];
    };
}
dc_runtime::__references_of_two!(cases);

/// Pairs of any magnitudes in binary32 and in binary64, of moderate size, and of small numbers of quarters.
pub fn pairs() -> Vec<(f64, f64)> {
    let mut word = random(77);
    let mut all = Vec::new();
    for n in 0..400 {
        let any = |w: u64| f64::from(f32::from_bits((w >> 32) as u32));
        all.push((any(word()), any(word())));
        all.push((f64::from_bits(word()), f64::from_bits(word())));
        all.push((16.0 * unit(word()), 60.0 * unit(word()) - 30.0));
        all.push((2.0 * unit(word()) - 1.0, 2.0 * unit(word()) - 1.0));
        all.push((f64::from(n % 20) / 4.0, f64::from(n / 20) / 4.0 - 2.5));
    }
    all
}

/// Pairs with subnormal numbers of binary64, which the lengths and quotients of these alone take apart; with both results, which are exact.
pub fn small() -> [(f64, f64, f64, f64); 2] {
    let unit = 2f64.powi(-1030);
    let normal = 2f64.powi(-1000);
    [
        (3.0 * unit, 4.0 * unit, 5.0 * unit, 0.75),
        (
            3.0 * unit,
            4.0 * normal,
            4.0 * normal,
            0.75 * 2f64.powi(-30),
        ),
    ]
}

#[test]
fn subnormal_pairs_of_binary64() {
    for (x, y, length, quotient) in small() {
        assert_eq!(dc_math::f64::hypot(x, y), length, "{x:e}, {y:e}");
        assert_eq!(dc_math::f64::div(x, y), quotient, "{x:e}, {y:e}");
    }
}

#[test]
fn pairs_of_binary32() {
    let mut wrong = Vec::new();
    for case in TWO {
        let mut decided = 0;
        for (x, y) in pairs() {
            let (x, y) = (x as f32, y as f32);
            let truth = (case.truth)(f64::from(x), f64::from(y));
            let (lower, upper) = neighbours::eval(truth, 0.0, ERROR);
            // Ties are of small numbers.
            if bits(lower) == bits(upper) {
                decided += 1;
                let z = (case.one)(x, y);
                if bits(z) != bits(lower) {
                    wrong.push(format!("{}({x:e}, {y:e}): {z:e}, not {lower:e}", case.name));
                }
            }
        }
        assert!(decided > 1550, "{}: {decided}", case.name);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
