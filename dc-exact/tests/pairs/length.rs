//! The length of binary64, scaled by comparisons: the kernel of the library, and kernels with one fault.

use super::*;

/// The kernel itself: this crate does not depend on the library.
#[path = "../../../dc-math/src/f64/length.rs"]
mod kernel;

const SHORT: f64 = f64::from_bits((1023 - 300) << 52);
const LONG: f64 = f64::from_bits((1023 + 400) << 52);
const UP: f64 = f64::from_bits((1023 + 700) << 52);
const DOWN: f64 = f64::from_bits((1023 - 700) << 52);
const SUBNORMAL: f64 = f64::from_bits((1023 - 322) << 52);
const LEAST: f64 = f64::from_bits((1023 - 380) << 52);

/// A half of the factor, twice and four times the unit, and other limits.
const HALF: f64 = f64::from_bits((1023 - 701) << 52);
const TWICE: f64 = f64::from_bits((1023 - 321) << 52);
const LESS: f64 = f64::from_bits((1023 - 323) << 52);
const BELOW_UNIT: f64 = f64::from_bits((1023 - 350) << 52);
const TOO_SHORT: f64 = f64::from_bits((1023 - 600) << 52);
const TOO_LONG: f64 = f64::from_bits((1023 + 512) << 52);

/// The largest bound that counts as the right kernel's.
const MOST: f64 = 0.500_000_1;

macro_rules! variant {
    ($name:ident, $short:ident $long:ident $down:ident $limit:ident $unit:ident, $low:literal $half:literal, $longer:ident) => {
        #[crunch]
        fn $name(x: DcDouble, y: DcDouble) -> DcDouble {
            let (a, b) = (x.abs(), y.abs());
            let infinite = (a == f64::INFINITY) | (b == f64::INFINITY);
            let long = a.$longer(b);
            let (under, over) = (long < $short, long >= $long);
            let scale = under.select(UP, over.select(DOWN, 1.0));
            let back = under.select($down, over.select(UP, 1.0));
            let (a, b) = (a * scale, b * scale);
            let p = a * a;
            let q = b * b;
            let s = two_sum(p, q);
            let low = (s.lo + (a.mul_add(a, -p) + b.mul_add(b, -q))) * $low;
            let root = s.hi.sqrt();
            let rest = (-root).mul_add(root, s.hi) + low;
            let step = rest * ($half / root.max(LEAST));
            let length = root + step;
            let tiny = length < $limit;
            let unit = tiny.select($unit, 0.0);
            let head = two_sum(unit, root);
            let once = (head.hi + (step + head.lo)) - unit;
            let y = tiny.select(once, length) * back;
            if infinite { f64::INFINITY } else { y }
        }
    };
}
variant!(right, SHORT LONG DOWN SUBNORMAL SUBNORMAL, 1.0 0.5, max);
variant!(other_factor, SHORT LONG HALF SUBNORMAL SUBNORMAL, 1.0 0.5, max);
variant!(without_low, SHORT LONG DOWN SUBNORMAL SUBNORMAL, 0.0 0.5, max);
variant!(twice_the_step, SHORT LONG DOWN SUBNORMAL SUBNORMAL, 1.0 1.0, max);
variant!(unit_too_large, SHORT LONG DOWN SUBNORMAL TWICE, 1.0 0.5, max);
variant!(unit_too_small, SHORT LONG DOWN LESS LESS, 1.0 0.5, max);
variant!(limit_too_high, SHORT LONG DOWN TWICE SUBNORMAL, 1.0 0.5, max);
variant!(squares_underflow, TOO_SHORT LONG DOWN SUBNORMAL SUBNORMAL, 1.0 0.5, max);
variant!(unit_without_scaling, BELOW_UNIT LONG DOWN SUBNORMAL SUBNORMAL, 1.0 0.5, max);
variant!(squares_overflow, SHORT TOO_LONG DOWN SUBNORMAL SUBNORMAL, 1.0 0.5, max);
variant!(scaled_by_the_shorter, SHORT LONG DOWN SUBNORMAL SUBNORMAL, 1.0 0.5, min);

/// The kernel with two roundings of subnormal results.
#[crunch]
fn without_a_unit(x: DcDouble, y: DcDouble) -> DcDouble {
    let (a, b) = (x.abs(), y.abs());
    let infinite = (a == f64::INFINITY) | (b == f64::INFINITY);
    let long = a.max(b);
    let (under, over) = (long < SHORT, long >= LONG);
    let scale = under.select(UP, over.select(DOWN, 1.0));
    let back = under.select(DOWN, over.select(UP, 1.0));
    let (a, b) = (a * scale, b * scale);
    let (p, q) = (a * a, b * b);
    let s = two_sum(p, q);
    let low = s.lo + (a.mul_add(a, -p) + b.mul_add(b, -q));
    let root = s.hi.sqrt();
    let rest = (-root).mul_add(root, s.hi) + low;
    let y = (root + rest * (0.5 / root.max(LEAST))) * back;
    if infinite { f64::INFINITY } else { y }
}

#[test]
fn the_length_of_binary64_has_a_bound_over_all_pairs() {
    for kernel in [kernel::hypot::KERNEL, right::KERNEL] {
        let bound = bound_of(kernel, Function::Hypot, &all(BINARY64));
        assert_eq!(bound.without(), 0, "{bound:?}");
        let verdict = bound.verdict.expect("a bound");
        println!("{verdict:?}, {} boxes", bound.boxes);
        assert!(verdict.bound <= 0.5 + 1e-14, "{verdict:?}");
        assert!(verdict.overflows && !verdict.nearest, "{verdict:?}");
        assert!(bound.boxes <= 16, "{} boxes", bound.boxes);
    }
}

/// Not one of them is right for all pairs, and none has the bound of the right one.
#[test]
fn kernels_with_a_fault_have_no_such_bound() {
    for wrong in [
        other_factor::KERNEL,
        without_low::KERNEL,
        twice_the_step::KERNEL,
        unit_too_large::KERNEL,
        unit_too_small::KERNEL,
        limit_too_high::KERNEL,
        squares_underflow::KERNEL,
        unit_without_scaling::KERNEL,
        squares_overflow::KERNEL,
        scaled_by_the_shorter::KERNEL,
        without_a_unit::KERNEL,
    ] {
        let program = lower(wrong).expect("a kernel");
        let boxes = all(BINARY64);
        let bound = bound_pairs(&program, Function::Hypot, &boxes, 300, 0, &|| false);
        let most = bound.verdict.map(|v| v.bound);
        println!(
            "{}: {most:?}, {:e} left out",
            wrong.name,
            bound.without() as f64
        );
        assert!(
            bound.without() > 0 || most.is_none_or(|b| b > MOST),
            "{}: {most:?}",
            wrong.name
        );
    }
}
