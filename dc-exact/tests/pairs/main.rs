//! Bounds over all pairs: they are at least the errors that are found by running pairs, and close to them. A kernel that does not compute
//! the function has no bound.

extern crate dc_runtime as doublecrunch;

mod length;

use dc_exact::num::float::{BINARY32, BINARY64, Format};
use dc_exact::pairs::{Function, PairBox, PairsBound, Sign, Span, bound_pairs};
use dc_runtime::builtins::reference::binary64::hypot_reference;
use dc_runtime::computes;
use dc_runtime::kernel::CrunchFn;
use dc_runtime::prelude::*;
use dc_runtime::search::evaluator::PointEvaluator;
use dc_runtime::search::range::Range;
use dc_runtime::sweep::Sweep;
use kernels_gen::ir::Kernel;
use kernels_gen::lower;

fn magnitudes(format: Format) -> Span {
    let least = match format == BINARY32 {
        true => f64::from(f32::from_bits(1)),
        false => f64::from_bits(1),
    };
    Span {
        lo: least,
        hi: format.max(),
        sign: Sign::Any,
    }
}

fn boxes(spans: [Span; 2]) -> Vec<PairBox> {
    let pair = |x: Span| {
        spans.map(|y| PairBox {
            spans: [x, y],
            first_is_larger: None,
        })
    };
    spans.into_iter().flat_map(pair).collect()
}

fn all(format: Format) -> Vec<PairBox> {
    boxes([Span::ZERO, magnitudes(format)])
}

fn span(lo: f64, hi: f64) -> Span {
    Span {
        lo,
        hi,
        sign: Sign::Any,
    }
}

fn square(lo: f64, hi: f64) -> Vec<PairBox> {
    vec![PairBox {
        spans: [span(lo, hi); 2],
        first_is_larger: None,
    }]
}

fn bound_of(kernel: &'static Kernel, function: Function, boxes: &[PairBox]) -> PairsBound {
    let program = lower(kernel).expect("a kernel");
    bound_pairs(&program, function, boxes, 20_000, 0, &|| false)
}

/// The bound of all pairs of boxes.
fn complete(kernel: &'static Kernel, function: Function, boxes: &[PairBox]) -> f64 {
    let bound = bound_of(kernel, function, boxes);
    assert_eq!(bound.without(), 0, "{bound:?}");
    bound.verdict.expect("a bound").bound
}

/// The largest error of finite results among the first pairs of a range.
fn found(sweep: &Sweep, range: &str, pairs: i64) -> f64 {
    let range = Range::parse(range, sweep.inputs()).expect("a range");
    let of_range = sweep.over(range.space());
    let mut evaluator = PointEvaluator::plain(&of_range);
    let keys: Vec<i64> = (0..pairs).collect();
    let p = sweep.precision();
    let results = evaluator.evaluate(&keys).expect("results");
    let finite = |r: &&dc_runtime::search::evaluator::PointResult| {
        p.value_of_bits(r.result_bits).is_finite()
            && range
                .space()
                .words(r.key)
                .all(|w| p.value_of_bits(w).is_finite())
    };
    let errors = results.iter().filter(finite).map(|r| r.error.abs());
    errors.fold(0.0, f64::max)
}

#[crunch]
fn hypot_wide(x: DcFloat, y: DcFloat) -> DcFloat {
    let (a, b) = (x.to_f64(), y.to_f64());
    let length = a.mul_add(a, b * b).sqrt().to_f32();
    let infinite = (x.abs() == f32::INFINITY) | (y.abs() == f32::INFINITY);
    if infinite { f32::INFINITY } else { length }
}

#[crunch]
fn hypot_short(x: DcFloat, y: DcFloat) -> DcFloat {
    x.mul_add(x, y * y).sqrt()
}

#[crunch]
fn hypot_plain(x: DcFloat, y: DcFloat) -> DcFloat {
    (x * x + y * y).sqrt()
}

#[crunch]
fn hypot_words(x: DcDouble, y: DcDouble) -> DcDouble {
    let z = hypot_reference(x, y);
    z.hi + z.lo
}

#[crunch]
fn div_by_recip(x: DcDouble, y: DcDouble) -> DcDouble {
    x * y.recip()
}

#[crunch]
fn div_corrected(x: DcDouble, y: DcDouble) -> DcDouble {
    let q = x * y.recip();
    let rest = (-q).mul_add(y, x);
    rest.mul_add(y.recip(), q)
}

#[crunch]
fn div(x: DcFloat, y: DcFloat) -> DcFloat {
    x / y
}

/// A sweep, the range of its sample, the kernel and its function, the same pairs as boxes, and an upper bound of their bound.
type Case<'a> = (
    &'a Sweep,
    &'a str,
    &'static Kernel,
    Function,
    Vec<PairBox>,
    f64,
);

#[test]
fn bounds_hold_and_are_close() {
    let hypot = Function::Hypot;
    let cases: &[Case<'_>] = &[
        (
            &Sweep::computing::<hypot_wide, computes::hypot>("wide", "all"),
            "all",
            hypot_wide::KERNEL,
            hypot,
            all(BINARY32),
            0.500_000_1,
        ),
        (
            &Sweep::computing::<hypot_short, computes::hypot>("short", "all"),
            "0x1p-50..=0x1p50 x 0x1p-50..=0x1p50",
            hypot_short::KERNEL,
            hypot,
            square(2f64.powi(-50), 2f64.powi(50)),
            2.1,
        ),
        (
            &Sweep::computing::<hypot_plain, computes::hypot>("plain", "all"),
            "0x1p-50..=0x1p50 x 0x1p-50..=0x1p50",
            hypot_plain::KERNEL,
            hypot,
            square(2f64.powi(-50), 2f64.powi(50)),
            2.6,
        ),
        (
            &Sweep::computing::<hypot_words, computes::hypot>("words", "all"),
            "1.0..4.0 x 1.0..4.0",
            hypot_words::KERNEL,
            hypot,
            square(1.0, 4f64.next_down()),
            0.500_000_000_001,
        ),
        (
            &Sweep::computing::<div_by_recip, computes::div>("recip", "all"),
            "0x1p-500..=0x1p500 x 0x1p-500..=0x1p500",
            div_by_recip::KERNEL,
            Function::Div,
            square(2f64.powi(-500), 2f64.powi(500)),
            2.000_01,
        ),
        (
            &Sweep::computing::<div_corrected, computes::div>("corrected", "all"),
            "0x1p-400..=0x1p400 x 0x1p-400..=0x1p400",
            div_corrected::KERNEL,
            Function::Div,
            square(2f64.powi(-400), 2f64.powi(400)),
            0.500_001,
        ),
    ];
    for (sweep, range, kernel, function, boxes, most) in cases {
        let bound = complete(kernel, *function, boxes);
        let found = found(sweep, range, 1 << 16);
        assert!(found <= bound, "{}: {found} > {bound}", sweep.name());
        assert!(bound <= *most, "{}: {bound}", sweep.name());
        assert!(
            found > 0.45 && found > 0.35 * bound,
            "{}: {found}",
            sweep.name()
        );
    }
}

/// A quotient is rounded once, whatever its size; only zero divisors are left out.
#[test]
fn one_rounding_is_to_nearest() {
    let bound = bound_of(div::KERNEL, Function::Div, &all(BINARY32));
    let verdict = bound.verdict.expect("a bound");
    assert!(verdict.nearest && verdict.bound == 0.5, "{verdict:?}");
    let numbers = magnitudes(BINARY32).count(BINARY32) + 2;
    let left: Vec<_> = bound
        .left_out
        .iter()
        .map(|(why, (n, _))| (*why, *n))
        .collect();
    assert_eq!(
        left,
        [
            ("a divisor is 0", 4),
            ("a divisor may be 0", 2 * numbers - 4)
        ]
    );
}

/// The library's `hypot` of binary32, and others that differ from it in one place.
mod rounded_to_odd {
    use super::*;

    macro_rules! variant {
        ($name:ident, $up:literal, $down:literal, $last:literal) => {
            #[crunch]
            fn $name(x: DcFloat, y: DcFloat) -> DcFloat {
                let (x, y) = (x.to_f64(), y.to_f64());
                let s = two_sum(x * x, y * y);
                let root = s.hi.sqrt();
                let exact = (-root).mul_add(root, s.hi);
                let rest = exact + s.lo;
                let bits = root.to_bits();
                let odd = if rest > 0.0 { bits + $up } else { bits + $down };
                let inexact = (rest > 0.0) | (rest < 0.0);
                let even = (bits & 1) == $last;
                let length = if inexact & even {
                    DcDouble::from_bits(odd)
                } else {
                    root
                };
                length.to_f32()
            }
        };
    }
    variant!(right, 1, -1, 0);
    variant!(backwards, -1, 1, 0);
    variant!(two_steps, 2, -1, 0);
    variant!(of_odd_ones, 1, -1, 1);

    #[crunch]
    fn without_the_low_word(x: DcFloat, y: DcFloat) -> DcFloat {
        let (x, y) = (x.to_f64(), y.to_f64());
        let s = two_sum(x * x, y * y);
        let root = s.hi.sqrt();
        let rest = (-root).mul_add(root, s.hi);
        let bits = root.to_bits();
        let odd = if rest > 0.0 { bits + 1 } else { bits - 1 };
        let inexact = (rest > 0.0) | (rest < 0.0);
        let even = (bits & 1) == 0;
        let length = if inexact & even {
            DcDouble::from_bits(odd)
        } else {
            root
        };
        length.to_f32()
    }

    fn is_nearest(kernel: &'static Kernel) -> bool {
        let bound = bound_of(
            kernel,
            Function::Hypot,
            &boxes([span(1.0, 8.0), span(16.0, 64.0)]),
        );
        bound.without() == 0 && bound.verdict.is_some_and(|v| v.nearest)
    }

    #[test]
    fn only_the_right_one_rounds_correctly() {
        assert!(is_nearest(right::KERNEL));
        for wrong in [
            backwards::KERNEL,
            two_steps::KERNEL,
            of_odd_ones::KERNEL,
            without_the_low_word::KERNEL,
        ] {
            assert!(!is_nearest(wrong), "{}", wrong.name);
        }
        let all = bound_of(right::KERNEL, Function::Hypot, &all(BINARY32));
        assert_eq!(all.without(), 0, "{all:?}");
        assert!(all.verdict.is_some_and(|v| v.nearest && v.bound == 0.5));
    }
}

/// Kernels of other functions have no bound.
mod of_other_functions {
    use super::*;

    #[crunch]
    fn difference(x: DcDouble, y: DcDouble) -> DcDouble {
        (x * x - y * y).abs().sqrt()
    }
    #[crunch]
    fn longer(x: DcDouble, y: DcDouble) -> DcDouble {
        x.mul_add(x, y * y).sqrt() * 1.01
    }
    #[crunch]
    fn negative(x: DcDouble, y: DcDouble) -> DcDouble {
        -(x.mul_add(x, y * y).sqrt())
    }
    #[crunch]
    fn inverse(x: DcDouble, y: DcDouble) -> DcDouble {
        y / x
    }

    #[test]
    fn nothing_is_proven() {
        for (kernel, function) in [
            (difference::KERNEL, Function::Hypot),
            (longer::KERNEL, Function::Hypot),
            (negative::KERNEL, Function::Hypot),
            (inverse::KERNEL, Function::Div),
        ] {
            let bound = bound_of(kernel, function, &square(1.0, 3.0));
            assert_eq!(bound.verdict, None, "{}", kernel.name);
            assert_eq!(bound.without(), bound.pairs, "{}", kernel.name);
        }
    }

    /// A bound knows a factor that is too large by a few units.
    #[crunch]
    fn units_off(x: DcFloat, y: DcFloat) -> DcFloat {
        x.mul_add(x, y * y).sqrt() * 1.000_000_238_418_579_1
    }

    #[test]
    fn a_wrong_factor_is_in_the_bound() {
        let bound = complete(units_off::KERNEL, Function::Hypot, &square(1.0, 1.5));
        assert!(bound > 4.0 && bound < 12.0, "{bound}");
    }
}

/// Where intermediate results overflow or underflow there is no bound, or one that says so.
#[test]
fn overflow_and_underflow_are_seen() {
    let large = bound_of(hypot_short::KERNEL, Function::Hypot, &square(1e25, 1e30));
    assert_eq!(large.verdict, None, "{large:?}");
    let small = bound_of(hypot_short::KERNEL, Function::Hypot, &square(1e-30, 1e-25));
    assert_eq!(small.verdict, None, "{small:?}");
    let both = bound_of(hypot_short::KERNEL, Function::Hypot, &square(1.0, 1e30));
    assert!(both.verdict.is_some() && both.without() > 0, "{both:?}");
    let wide = bound_of(
        hypot_wide::KERNEL,
        Function::Hypot,
        &square(1.0, f64::from(f32::MAX)),
    );
    assert!(wide.verdict.is_some_and(|v| v.overflows), "{wide:?}");
    assert!(wide.may_overflow > 0);
}

/// Boxes that are not examined are counted.
#[test]
fn what_is_not_examined_is_left_out() {
    let program = lower(hypot_words::KERNEL).expect("a kernel");
    let boxes = square(1.0, 1024.0);
    let bound = bound_pairs(&program, Function::Hypot, &boxes, 3, 1, &|| false);
    assert_eq!(bound.without(), bound.pairs);
    let ended = bound_pairs(&program, Function::Hypot, &boxes, 1000, 1, &|| true);
    assert_eq!(ended.without(), ended.pairs);
    assert!(ended.left_out.contains_key("they were not examined"));
}

/// One binade of the first argument, all of the second: what all others are like.
#[test]
fn words_over_all_of_the_second_argument() {
    let boxes = vec![PairBox {
        spans: [span(1.0, 2.0 - f64::EPSILON), magnitudes(BINARY64)],
        first_is_larger: None,
    }];
    let program = lower(hypot_words::KERNEL).expect("a kernel");
    let bound = bound_pairs(&program, Function::Hypot, &boxes, 100_000, 0, &|| false);
    // Only lengths next to the largest number are left out.
    let left: Vec<&PairBox> = bound.left_out.values().flat_map(|(_, b)| b).collect();
    assert!(
        left.iter().all(|b| b.spans[1].lo == 2f64.powi(1023)),
        "{left:?}"
    );
    assert!(bound.verdict.is_some_and(|v| v.bound < 0.5 + 1e-12));
}
