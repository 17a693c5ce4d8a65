//! True values compared with rationals of any size; kernels and backends with planted faults; special values.

#![allow(
    clippy::needless_range_loop,
    reason = "the order of additions is that of the indices"
)]

use std::sync::Arc;

use dashu_base::{Abs, BitTest, SquareRoot, UnsignedAbs};
use dashu_int::IBig;

mod exponentials;

use super::accumulator::Scaled;
use super::inputs::Inputs;
use super::*;
use crate::backend::{Backend, PointKernel, SweepKernel, discover};
use crate::prelude::*;
use crate::sweep::Sweep;
use crate::sweeps::reductions::{ALL, dot_8, dot_8_fused, sum_8, sum_8_by_8, sum_8_pairwise};

/// The number of bits behind the point of every integer here.
const POINT: usize = 1400;

/// A finite double times 2^`POINT`.
fn fixed(x: f64) -> IBig {
    let bits = x.to_bits();
    let (field, low) = ((bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
    let m = if field == 0 { low } else { low | 1 << 52 };
    let size = IBig::from(m) << (POINT - 1075 + field.max(1) as usize);
    if x.is_sign_negative() { -size } else { size }
}

/// The quotient as a double, with about 80 bits before the last rounding.
fn quotient(a: &IBig, b: &IBig) -> f64 {
    if *a == IBig::ZERO {
        return 0.0;
    }
    let shift = 80 + b.bit_len() as i32 - a.bit_len() as i32;
    let (a, b) = match shift {
        0.. => (a << shift as usize, b.clone()),
        _ => (a.clone(), b << (-shift) as usize),
    };
    let m = (a / b).to_f64().value();
    Scaled { m, e: -shift }.to_f64()
}

/// The true value times 2^`POINT`, rounded down beyond that, and the scale of errors.
fn rational(function: Function, numbers: &[f64]) -> (IBig, IBig) {
    let n = numbers.len() / function.vectors();
    let (x, y) = numbers.split_at(n);
    let sum = |terms: Vec<IBig>| terms.into_iter().fold(IBig::ZERO, |a, b| a + b);
    let x: Vec<IBig> = x.iter().map(|x| fixed(*x)).collect();
    let y: Vec<IBig> = y.iter().map(|y| fixed(*y)).collect();
    let abs = |all: &[IBig]| sum(all.iter().map(|x| x.clone().abs()).collect());
    let count = IBig::from(n);
    let total = sum(x.clone());
    match function {
        Function::Sum => (total, abs(&x)),
        Function::Mean => (total / &count, abs(&x) / count),
        Function::Dot => {
            let terms: Vec<IBig> = x.iter().zip(&y).map(|(x, y)| (x * y) >> POINT).collect();
            (sum(terms.clone()), abs(&terms))
        }
        Function::Norm => {
            let squares = sum(x.iter().map(|x| x * x).collect());
            let root = IBig::from(squares.unsigned_abs().sqrt());
            (root.clone(), root)
        }
        Function::Variance | Function::SampleVariance => {
            let less = usize::from(function == Function::SampleVariance);
            // From the definition, with the deviations from the mean times n.
            let far = x.iter().map(|x| x * &count - &total);
            let squares = sum(far.map(|d| &d * &d).collect()) >> POINT;
            let scale = sum(x.iter().map(|x| x * x).collect()) >> POINT;
            let by = IBig::from(n - less);
            (squares / (&count * &count * &by), scale / by)
        }
        Function::Softmax | Function::LogSumExp => unreachable!("no exact value"),
    }
}

/// The true value of a function with one result.
fn truth(function: Function, precision: Precision, numbers: &[f64]) -> Truth {
    let mut all = Truth::each(function, precision, numbers);
    assert_eq!(all.len(), 1);
    all.remove(0)
}

fn all_functions() -> impl Iterator<Item = Inputs> {
    let of = |function, precision| {
        [1usize, 2, 7, 8, 16].map(|length| Inputs {
            function,
            precision,
            length,
            seed: 5,
        })
    };
    let both = move |f| [Precision::F32, Precision::F64].map(|p| of(f, p));
    let exact = Function::ALL.into_iter().filter(|f| !f.is_exponential());
    let all = exact.flat_map(both).flatten();
    all.filter(|i| i.length > 1 || i.function != Function::SampleVariance)
}

/// A result near the true value, or far from it.
fn result(precision: Precision, near: f64, kind: u64) -> f64 {
    let near = match precision {
        Precision::F32 => f64::from(near as f32),
        Precision::F64 => near,
    };
    let step = near * (1.0 + 1e-6 * (kind as f64 - 2.0));
    let x = match kind {
        0 => near,
        1 => -near,
        2 => 0.0,
        _ => step,
    };
    match precision {
        Precision::F32 => f64::from(x as f32),
        Precision::F64 => x,
    }
}

/// Errors are those of rationals, for every function, both precisions and every stratum.
#[test]
fn errors_are_those_of_rationals() {
    let mut compared = 0;
    for inputs in all_functions() {
        let p = match inputs.precision {
            Precision::F32 => 24_i32,
            Precision::F64 => 53,
        };
        let least: i32 = match inputs.precision {
            Precision::F32 => -126,
            Precision::F64 => -1022,
        };
        for number in (0..250).chain(1000..1100) {
            let numbers = inputs.numbers(number);
            assert_eq!(numbers.len(), inputs.length * inputs.function.vectors());
            let truth = truth(inputs.function, inputs.precision, &numbers);
            if numbers.iter().any(|x| !x.is_finite()) {
                continue;
            }
            let (value, scale) = rational(inputs.function, &numbers);
            // Of a square below 2^-1400 too few bits are left here.
            if scale != IBig::ZERO && scale.bit_len() < 250 {
                continue;
            }
            let one = IBig::ONE << POINT;
            let near = quotient(&value, &one);
            let power = |e: i32| IBig::ONE << (POINT as i32 + e) as usize;
            let lost = power(least) * IBig::from(inputs.length);
            let unit = (&scale + lost) >> p as usize;
            let mut exponent = least;
            while exponent < 2200 && value.clone().abs() >= power(exponent + 1) {
                exponent += 1;
            }
            for kind in 0..5 {
                let r = result(inputs.precision, near, kind);
                if !r.is_finite() {
                    continue;
                }
                let judged = truth.judge(r);
                let error = fixed(r) - &value;
                let close = |got: f64, want: f64| {
                    let far = (got - want).abs();
                    // The integers end at the 1400th bit, of which the smallest unit is the 1075th.
                    got == want || far <= 1e-9 * want.abs() + 1e-12
                };
                let want = quotient(&error, &unit);
                let what = format!("{inputs:?} vector {number}, {r:?} for {near:?}: {judged:?}");
                let got = judged.error.expect("both are finite");
                assert!(close(got, want), "{what}, not {want}");
                let ulp = power(exponent + 1 - p);
                match judged.ulp {
                    Some(got) => {
                        let want = quotient(&error, &ulp);
                        assert!(close(got, want), "{what}, not {want} ULP");
                    }
                    None => assert!(value == IBig::ZERO && r != 0.0, "{what}"),
                }
                let twice = value.clone().abs() * 2;
                if scale != IBig::ZERO && (quotient(&twice, &scale) - 1.0).abs() > 1e-9 {
                    assert_eq!(judged.well_conditioned, twice >= scale, "{what}");
                }
                compared += 1;
            }
        }
    }
    assert!(compared > 50_000, "{compared}");
}

#[test]
fn special_values_have_one_meaning() {
    let (inf, nan, max) = (f64::INFINITY, f64::NAN, f64::MAX);
    let tiny = 5e-324;
    let fault = |function, numbers: &[f64], result: f64| {
        truth(function, Precision::F64, numbers).judge(result).fault
    };
    use Fault::{Overflow, Special, ZeroSign};
    use Function::{Dot, Mean, Norm, SampleVariance, Sum, Variance};
    for (function, numbers, result, want) in [
        (Sum, &[-0.0, -0.0][..], -0.0, None),
        (Sum, &[-0.0, -0.0], 0.0, Some(ZeroSign)),
        (Sum, &[0.0, -0.0], 0.0, None),
        (Sum, &[1.0, -1.0], -0.0, Some(ZeroSign)),
        (Sum, &[max, max, -max], inf, Some(Overflow)),
        (Sum, &[max, max, -max], max, None),
        (Sum, &[max, max], inf, None),
        (Sum, &[max, max], -inf, Some(Overflow)),
        (Sum, &[max, max], nan, Some(Overflow)),
        (Sum, &[1.0, 2.0], nan, Some(Overflow)),
        (Sum, &[inf, 1.0], inf, None),
        (Sum, &[inf, 1.0], max, Some(Special)),
        (Sum, &[inf, -inf], nan, None),
        (Sum, &[inf, -inf], inf, Some(Special)),
        (Sum, &[nan, 1.0], 1.0, Some(Special)),
        (Mean, &[max, max], inf, Some(Overflow)),
        (Mean, &[max, max], max, None),
        (Mean, &[-inf, 0.0], -inf, None),
        // x0, x1, y0, y1
        (Dot, &[0.0, 1.0, inf, 1.0], nan, None),
        (Dot, &[0.0, 1.0, inf, 1.0], inf, Some(Special)),
        (Dot, &[max, max, 2.0, -2.0], nan, Some(Overflow)),
        (Dot, &[max, max, 2.0, -2.0], 0.0, None),
        (Dot, &[-0.0, 0.0, 1.0, -1.0], 0.0, Some(ZeroSign)),
        (Dot, &[tiny, 0.0, -tiny, 0.0], -0.0, None),
        (Norm, &[1e200, 0.0], inf, Some(Overflow)),
        (Norm, &[1e200, 0.0], 1e200, None),
        (Norm, &[max, max], inf, None),
        (Norm, &[-inf, 1.0], inf, None),
        (Norm, &[-inf, nan], inf, Some(Special)),
        (Norm, &[-0.0, -0.0], -0.0, Some(ZeroSign)),
        (Variance, &[inf, 1.0], nan, None),
        (Variance, &[1.0, 1.0], -0.0, Some(ZeroSign)),
        (SampleVariance, &[1e200, -1e200], inf, None),
        (Variance, &[1e150, 1e150], inf, Some(Overflow)),
    ] {
        let got = fault(function, numbers, result);
        assert_eq!(got, want, "{function:?} {numbers:?} gives {result:?}");
    }
    // Half a unit past the largest number rounds to an infinity; below, to the largest number.
    let half = 2f64.powi(970);
    assert_eq!(fault(Sum, &[max, half], inf), None);
    assert_eq!(fault(Sum, &[max, half, -tiny], inf), Some(Overflow));
    // Where the true value is zero, other results have no error in ULP.
    let judged = truth(Sum, Precision::F64, &[1.0, -1.0]).judge(tiny);
    assert_eq!((judged.ulp, judged.fault), (None, None));
    // Underflow of a product: the true value is 2^-2148.
    let judged = truth(Dot, Precision::F64, &[tiny, tiny]).judge(0.0);
    assert_eq!(judged.fault, None);
    assert!(
        judged.error.is_some_and(|e| e.abs() < 1e-300)
            && judged.ulp.is_some_and(|u| u.abs() < 1e-300)
    );
}

/// Every stratum is there, and vectors are functions of their number, seed and shape alone.
#[test]
fn strata_are_there() {
    for function in [Function::Sum, Function::Dot] {
        let of = |seed| Inputs {
            function,
            precision: Precision::F64,
            length: 8,
            seed,
        };
        let inputs = of(0);
        let mut seen = std::collections::BTreeSet::new();
        let mut other = 0;
        for number in 0..2000 {
            seen.insert(inputs.stratum(number));
            assert_eq!(inputs.words(number), inputs.words(number));
            other += u32::from(inputs.words(number) != of(1).words(number));
        }
        assert_eq!(seen.len(), 17, "{seen:?}");
        assert!(other > 1700, "{other}");
        let depth = |number| {
            let numbers = inputs.numbers(number);
            let (value, scale) = rational(function, &numbers);
            match value == IBig::ZERO {
                true => f64::INFINITY,
                false => quotient(&scale, &value.abs()),
            }
        };
        let of_stratum = |name: &str| -> Vec<u64> {
            let all = (0..4000).filter(|n| inputs.stratum(*n) == name);
            all.collect()
        };
        let deepest = |name: &str| of_stratum(name).into_iter().map(depth).fold(0.0, f64::max);
        assert!(deepest("cancellation to a random depth") > 2f64.powi(40));
        let remainder = of_stratum("remainder of a sum").into_iter().map(depth);
        assert!(remainder.filter(|d| *d > 2f64.powi(45)).count() > 100);
    }
}

#[crunch]
fn sum_8_without_one(x: [f64; 8]) -> f64 {
    let mut sum = x[0];
    for i in 1..5 {
        sum += x[i];
    }
    for i in 6..8 {
        sum += x[i];
    }
    sum
}

#[crunch]
fn sum_8_without_nan(x: [f64; 8]) -> f64 {
    let mut sum = x[0];
    for i in 1..8 {
        if !x[i].is_nan() {
            sum += x[i];
        }
    }
    sum
}

#[crunch]
fn sum_of_words(x: [i64; 8]) -> f64 {
    x[0] as f64
}

fn scalar() -> Vec<Arc<dyn Backend>> {
    discover(&"scalar".parse().expect("a filter")).backends
}

fn compared(function: Function, orders: &[Order], backends: &[Arc<dyn Backend>]) -> Found {
    let reduction = Reduction {
        name: "test",
        function,
        orders,
    };
    (reduction.compare(backends, &Wanted::new(1 << 13))).expect("compared")
}

/// A backend that takes another kernel for one of them.
struct Swapped {
    inner: Arc<dyn Backend>,
    from: &'static str,
    to: KernelRef,
}

impl crate::model::backend::sealed::Sealed for Swapped {}

impl Backend for Swapped {
    fn id(&self) -> &str {
        "swapped"
    }
    fn describe(&self) -> String {
        format!("{} is another kernel", self.from)
    }
    fn load(&self, kernel: &KernelRef) -> Result<Box<dyn PointKernel>, BackendError> {
        match kernel.kernel.name == self.from {
            true => self.inner.load(&self.to),
            false => self.inner.load(kernel),
        }
    }
    fn load_sweep(&self, sweep: &Sweep) -> Result<Box<dyn SweepKernel>, BackendError> {
        self.inner.load_sweep(sweep)
    }
}

fn swapped(from: &'static str, to: KernelRef) -> Vec<Arc<dyn Backend>> {
    let mut all = scalar();
    let inner = all[0].clone();
    all.push(Arc::new(Swapped { inner, from, to }));
    all
}

#[test]
fn an_element_that_is_left_out_is_seen() {
    let right = [Order::of::<sum_8>("right").within(7.0)];
    let found = compared(Function::Sum, &right, &scalar());
    assert!(found.orders[0].error.value.abs() <= 7.0);
    assert_eq!(found.orders[0].faults[1], Count::default());
    let wrong = [Order::of::<sum_8_without_one>("wrong")];
    let found = compared(Function::Sum, &wrong, &scalar());
    assert!(found.orders[0].error.value.abs() > 1e15);
    let wrong = [Order::of::<sum_8_without_nan>("wrong")];
    let found = compared(Function::Sum, &wrong, &scalar());
    let special = found.orders[0].faults[1];
    assert!(special.count > 0, "{special:?}");
    let numbers = found.inputs.numbers(special.first.expect("one"));
    assert!(numbers.iter().any(|x| x.is_nan()), "{numbers:?}");
}

#[test]
fn another_order_is_seen_on_a_backend_and_beside_the_first() {
    let order = [Order::of::<sum_8_pairwise>("pairwise")];
    let backends = swapped("sum_8_pairwise", KernelRef::of::<sum_8_by_8>());
    let found = compared(Function::Sum, &order, &backends);
    // The plain function is compared, too.
    let names: Vec<&str> = found.backends.iter().map(|b| b.backend.as_str()).collect();
    assert_eq!(names, ["scalar", "rust", "swapped"]);
    assert_eq!(found.backends[1].difference, None);
    let difference = found.backends[2].difference.expect("another order");
    let reduction = Reduction {
        name: "test",
        function: Function::Sum,
        orders: &[
            Order::of::<sum_8_pairwise>("pairwise"),
            Order::of::<sum_8_by_8>("by-8"),
        ],
    };
    let at = reduction.at(difference.number, 0).expect("a vector");
    assert_eq!(at.results, difference.bits.map(|bits| [bits]));
    let beside = compared(Function::Sum, reduction.orders, &scalar());
    let differing = beside.orders[1].differing;
    assert_eq!(differing.first, Some(difference.number));
    assert!(differing.count > 1000, "{differing:?}");
    assert_eq!(beside.orders[0].differing, Count::default());
}

#[test]
fn contraction_of_a_dot_product_is_seen() {
    let order = [Order::of::<dot_8>("sequential")];
    let backends = swapped("dot_8", KernelRef::of::<dot_8_fused>());
    let found = compared(Function::Dot, &order, &backends);
    let difference = found.backends[2].difference.expect("a contraction");
    assert_ne!(difference.bits[0], difference.bits[1]);
}

/// The built-in ones give the same bits wherever they run without a compiler, and keep their bounds.
#[test]
fn built_in_reductions_keep_their_bounds() {
    let here = discover(
        &"scalar,avx2,avx512,neon,interpreter"
            .parse()
            .expect("a filter"),
    );
    for reduction in ALL {
        let wanted = Wanted {
            slow: [600, 600],
            ..Wanted::new(3000)
        };
        let found = (reduction.compare(&here.backends, &wanted)).expect(reduction.name);
        for backend in &found.backends {
            let id = &backend.backend;
            assert_eq!(backend.difference, None, "{} on {id}", reduction.name);
            assert!(backend.inputs >= 600);
        }
        for (order, measured) in reduction.orders.iter().zip(&found.orders) {
            let name = format!("{} {}", reduction.name, order.name);
            let (error, special) = (measured.error, measured.faults[1]);
            assert_eq!(special, Count::default(), "{name}");
            if let Some(within) = order.within {
                assert!(error.value.abs() <= within, "{name}: {error:?}");
                // A bound that no vector comes near would hide a fault.
                assert!(error.value.abs() > 0.4, "{name}: {error:?}");
            }
        }
    }
}

#[test]
fn kernels_that_do_not_fit_are_refused() {
    let why = |function, orders: &[Order]| {
        let reduction = Reduction {
            name: "test",
            function,
            orders,
        };
        let error = reduction.compare(&scalar(), &Wanted::new(1));
        error.expect_err("refused").to_string()
    };
    let sum = Order::of::<sum_8>("sum");
    let text = why(Function::Sum, &[Order::of::<sum_of_words>("words")]);
    assert_eq!(
        text,
        "`sum_of_words` computes no sum of numbers: a parameter is not of f64, as the result; take arrays of f64"
    );
    let text = why(Function::Sum, &[sum, Order::of::<dot_8>("dot")]);
    assert!(
        text.contains("it takes 16 numbers of f64, the first order 8"),
        "{text}"
    );
    let text = why(Function::Sum, &[]);
    assert!(text.contains("has no order"), "{text}");
    let text = why(Function::Sum, &[Order::of::<two_sum>("pair")]);
    assert!(
        text.contains("its result is no single f64; return one"),
        "{text}"
    );
    let reduction = Reduction {
        name: "test",
        function: Function::Sum,
        orders: &[sum],
    };
    let nothing = reduction.compare(&scalar(), &Wanted::new(0));
    assert!(
        nothing
            .expect_err("refused")
            .to_string()
            .contains("0 inputs")
    );
    let nothing = reduction.compare(&[], &Wanted::new(1));
    assert!(
        nothing
            .expect_err("refused")
            .to_string()
            .contains("no backend")
    );
}
