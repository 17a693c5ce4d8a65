//! Mathematical functions inside kernels: methods of lanes, with the bits of `doublecrunch::math` on every backend.

#[path = "support/same_bits.rs"]
mod same_bits;
mod support;

use doublecrunch::backend::KernelRef;
use doublecrunch::kernel::CrunchFn;
use doublecrunch::math;
use doublecrunch::prelude::*;
use doublecrunch::search::points::Points;
use kernels_gen::emit::{self, CorrectF32Divide, Options};
use same_bits::same_bits;

/// Methods of binary32, one within another's argument, and one of two arguments.
#[crunch]
fn narrow(x: DcFloat, y: DcFloat) -> (DcFloat, DcFloat) {
    let angle = y.atan2(x);
    ((x * x + angle.sin()).exp() + y.tanh(), x.abs().log())
}

/// The same names in binary64.
#[crunch]
fn wide(x: DcDouble) -> DcDouble {
    (0.5 * x).sin() + x.exp2().log1p()
}

/// A function called by its path, also of 16 bits.
#[crunch]
fn by_path(x: DcFloat, h: DcHalf) -> (DcFloat, DcHalf) {
    (math::f32::cbrt(x), math::f16::exp(h))
}

/// Functions whose kernels have tables, or exceptions in one.
#[crunch]
fn tables(x: DcFloat) -> (DcFloat, DcFloat, DcFloat) {
    (x.sinh() - x.cosh(), x.expm1(), x.atan() + x.log1p())
}

/// Exact functions, some with an exponent or with two results.
#[crunch]
fn exactly(x: DcDouble, y: DcDouble) -> (DcDouble, DcFloat, DcInt) {
    let (m, n) = math::f64::frexp(math::f64::fmod(x, y));
    let (part, whole) = math::f64::modf(math::f64::ldexp(m, n - 3));
    let (sin, cos) = math::f32::sincos((part + whole).to_f32());
    (math::f64::remainder(x, y) + whole, sin - cos, n)
}

#[test]
fn methods_are_the_functions() {
    for x in [0.0f32, -0.0, 0.3, -1.5, 20.0, f32::INFINITY, f32::NAN] {
        for y in [0.0f32, 1.0, -2.5, f32::NAN] {
            let (a, b) = narrow::eval(x, y);
            let angle = math::f32::atan2(y, x);
            let by_hand = math::f32::exp(x * x + math::f32::sin(angle)) + math::f32::tanh(y);
            assert!(a == by_hand || a.is_nan() && by_hand.is_nan(), "{x} {y}");
            let by_hand = math::f32::log(x.abs());
            assert!(b == by_hand || b.is_nan() && by_hand.is_nan(), "{x} {y}");
        }
    }
    for x in [0.0f64, 0.3, -1.5, 200.0] {
        let by_hand = math::f64::sin(0.5 * x) + math::f64::log1p(math::f64::exp2(x));
        assert_eq!(wide::eval(x), by_hand);
    }
    let (root, power) = by_path::eval(27.0, 0x3c00);
    assert_eq!((root, power), (3.0, math::f16::exp(0x3c00)));
}

#[test]
fn functions_have_the_same_bits_on_every_backend() {
    let backends = support::backends("math", "all");
    for kernel in [
        KernelRef::of::<narrow>(),
        KernelRef::of::<wide>(),
        KernelRef::of::<by_path>(),
        KernelRef::of::<tables>(),
        KernelRef::of::<exactly>(),
    ] {
        let mut points = Points::of(&kernel, 2000, 43).expect("it is lowered");
        if kernel.kernel.name == "by_path" {
            // Numbers of binary16 alone are arguments of that type.
            for word in &mut points.columns[1] {
                let x = round_to_half::eval(f32::from_bits(*word as u32));
                *word = u64::from(x.to_bits());
            }
        }
        same_bits(&kernel, &points, &backends);
    }
}

/// A kernel's text for a device has the functions that it calls.
#[test]
fn the_text_has_the_functions() {
    let program = kernels_gen::lower(narrow::KERNEL).expect("it is lowered");
    let functions: Vec<&str> = program.funcs.iter().map(|f| f.name.as_str()).collect();
    for name in ["sin", "atan2_f32_reference", "exp", "tanh", "log"] {
        assert!(functions.contains(&name), "{name} in {functions:?}");
    }
    for options in [Options::cuda(), Options::opencl(CorrectF32Divide::Native)] {
        let text = emit::point_kernel(&program, &options).text;
        for name in &functions {
            assert!(text.contains(name), "{name} in {options:?}");
        }
    }
}

/// The list that the macro knows is that of the functions, but for those that are operations.
#[test]
fn the_macro_knows_the_functions() {
    use doublecrunch::builtins::reference::{REFERENCES, REFERENCES_OF_TWO};
    let operations = ["sqrt", "recip", "div"];
    let all = REFERENCES.iter().map(|r| (r.name, 1));
    let all: Vec<(&str, usize)> = all
        .chain(REFERENCES_OF_TWO.iter().map(|r| (r.name, 2)))
        .filter(|(name, _)| !operations.contains(name))
        .collect();
    let mut known = kernels_gen::ops::FUNCTIONS.to_vec();
    let mut all = all;
    known.sort_unstable();
    all.sort_unstable();
    assert_eq!(known, all);
}
