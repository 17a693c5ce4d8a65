//! Softmax and the logarithm of a sum of exponentials: special values, strata, planted faults, and true values compared with MPFR.

use super::*;
use crate::sweeps::reductions::{
    logsumexp_8, logsumexp_8_unshifted, plain_exp, softmax_8, softmax_8_pairwise,
    softmax_8_unshifted,
};

const INF: f64 = f64::INFINITY;

fn inputs(function: Function, precision: Precision, length: usize) -> Inputs {
    Inputs {
        function,
        precision,
        length,
        seed: 0,
    }
}

#[test]
fn special_values_of_exponentials_have_one_meaning() {
    use Fault::{Overflow, Special, ZeroSign};
    let lse = |numbers: &[f64], result: f64| {
        truth(Function::LogSumExp, Precision::F64, numbers)
            .judge(result)
            .fault
    };
    for (numbers, result, want) in [
        (&[0.0][..], 0.0, None),
        (&[0.0], -0.0, Some(ZeroSign)),
        (&[0.0, -INF], 0.0, None),
        (&[-INF, -INF], -INF, None),
        (&[-INF, -INF], f64::NAN, Some(Special)),
        (&[INF, 1.0], INF, None),
        (&[INF, -INF], INF, None),
        (&[INF, 1.0], f64::NAN, Some(Special)),
        (&[f64::NAN, INF], f64::NAN, None),
        (&[f64::NAN, 1.0], 1.0, Some(Special)),
        (&[800.0, 800.0], INF, Some(Overflow)),
        (&[-800.0, -800.0], -INF, Some(Overflow)),
        (&[f64::MAX, f64::MAX], f64::MAX, None),
        (&[f64::MAX, f64::MAX], INF, Some(Overflow)),
        (&[1.0, 2.0], f64::NAN, Some(Overflow)),
    ] {
        assert_eq!(lse(numbers, result), want, "{numbers:?} gives {result:?}");
    }
    let softmax = |numbers: &[f64], results: &[f64]| -> Vec<Option<Fault>> {
        let all = Truth::each(Function::Softmax, Precision::F64, numbers);
        assert_eq!(all.len(), results.len());
        let judged = all.iter().zip(results).map(|(t, r)| t.judge(*r).fault);
        judged.collect()
    };
    assert_eq!(softmax(&[0.0, -INF], &[1.0, 0.0]), [None, None]);
    assert_eq!(softmax(&[0.0, -INF], &[1.0, -0.0]), [None, Some(ZeroSign)]);
    // Where all numbers are -∞, or one is +∞, there is no value.
    for numbers in [[-INF, -INF], [INF, 1.0], [INF, -INF]] {
        for results in [[f64::NAN; 2], [1.0, 0.0], [0.5, 0.5]] {
            assert_eq!(softmax(&numbers, &results), [None, None], "{numbers:?}");
        }
    }
    let nan = f64::NAN;
    assert_eq!(softmax(&[nan, 1.0], &[nan, 0.0]), [None, Some(Special)]);
    assert_eq!(softmax(&[800.0, 1.0], &[nan, 0.0]), [Some(Overflow), None]);
    // By hand: e^-1 / (1 + e^-1), and its error in u (1 + 1) y.
    let y = 0.2689414213699951;
    let all = Truth::each(Function::Softmax, Precision::F64, &[1.0, 0.0]);
    let above = all[1].judge(y * (1.0 + 4.0 * f64::EPSILON));
    assert!((above.error.expect("one") - 4.0).abs() < 1.0, "{above:?}");
    assert_eq!(all[1].show(), format!("{y:?}"));
    // A result far from a small one.
    let tiny = Truth::each(Function::Softmax, Precision::F64, &[0.0, -740.0]);
    let ulp = tiny[1].judge(0.0).ulp.expect("known");
    assert!(
        (-85.0..-83.0).contains(&ulp),
        "e^-740 is 84 times 2^-1074: {ulp}"
    );
}

#[test]
fn strata_of_exponentials_are_there() {
    let of = inputs(Function::LogSumExp, Precision::F64, 8);
    let mut seen = std::collections::BTreeSet::new();
    let (mut near, mut beyond, mut below) = (0, 0, 0);
    for number in 0..2000 {
        seen.insert(of.stratum(number));
        assert_eq!(of.words(number), of.words(number));
        let numbers = of.numbers(number);
        let largest = numbers.iter().copied().fold(-INF, f64::max);
        let Truth::Near(value) = truth(of.function, of.precision, &numbers) else {
            continue;
        };
        near += u32::from(value.value().to_f64().abs() < 1e-9 * largest.abs());
        beyond += u32::from((709.8..800.0).contains(&largest));
        below += u32::from((-800.0..-708.5).contains(&largest));
    }
    assert_eq!(seen.len(), 17, "{seen:?}");
    assert!(
        near > 30 && beyond > 50 && below > 50,
        "{near} {beyond} {below}"
    );
}

/// The fourth result is that of another number.
#[crunch]
fn softmax_8_wrong(x: [f64; 8]) -> [f64; 8] {
    let mut y: [f64; 8] = softmax_8(x);
    y[3] *= 1.0000000001;
    y
}

/// The sum is taken to be a number.
#[crunch]
fn softmax_8_zeroed(x: [f64; 8]) -> [f64; 8] {
    let mut y: [f64; 8] = softmax_8(x);
    for i in 0..8 {
        if y[i].is_nan() {
            y[i] = 0.0;
        }
    }
    y
}

/// In binary32, by exponentials in binary64.
#[crunch]
fn softmax_2_f32(x: [f32; 2]) -> [f32; 2] {
    let most = if x[1] > x[0] { x[1] } else { x[0] };
    let a: f64 = plain_exp((x[0] - most) as f64);
    let b: f64 = plain_exp((x[1] - most) as f64);
    [(a / (a + b)) as f32, (b / (a + b)) as f32]
}

#[test]
fn every_result_is_judged() {
    let right = [Order::of::<softmax_8>("right").within(15.0)];
    let found = compared(Function::Softmax, &right, &scalar());
    assert!(!found.orders[0].error.exceeds(15.0));
    assert_eq!(found.orders[0].faults, [Count::default(); 3]);
    let wrong = [Order::of::<softmax_8_wrong>("wrong")];
    let found = compared(Function::Softmax, &wrong, &scalar());
    let (error, ulp) = (found.orders[0].error, found.orders[0].ulp);
    assert!(error.value > 1e5 && error.result == 3, "{error:?}");
    assert!(ulp.value > 1e5 && ulp.result == 3, "{ulp:?}");
    let number = error.number.expect("a vector");
    assert_eq!(found.inputs.place(number, 3), format!("{number}[3]"));
    let zeroed = [Order::of::<softmax_8_zeroed>("zeroed")];
    let found = compared(Function::Softmax, &zeroed, &scalar());
    assert!(found.orders[0].faults[1].count > 0, "NaN is lost");
    // A result's bits on another backend.
    let backends = swapped("softmax_8", KernelRef::of::<softmax_8_wrong>());
    let found = compared(Function::Softmax, &right, &backends);
    let difference = found.backends[2].difference.expect("a difference");
    assert_eq!(difference.result, 3);
    let narrow = [Order::of::<softmax_2_f32>("narrow").within(2.0)];
    let found = compared(Function::Softmax, &narrow, &scalar());
    let error = found.orders[0].error;
    assert!(!error.exceeds(2.0) && error.value.abs() > 0.4, "{error:?}");
    let why = |orders: &[Order]| {
        let reduction = Reduction {
            name: "test",
            function: Function::Softmax,
            orders,
        };
        reduction.shape().expect_err("refused").to_string()
    };
    assert_eq!(
        why(&[Order::of::<sum_8>("one")]),
        "`sum_8` computes no softmax of numbers: its result is none of 8 numbers; return [f64; 8]"
    );
}

/// Without the subtraction of the largest number exponentials overflow, and all of them underflow.
#[test]
fn what_is_not_subtracted_is_found() {
    for (function, orders) in [
        (
            Function::Softmax,
            [
                Order::of::<softmax_8_pairwise>("shifted").within(11.0),
                Order::of::<softmax_8_unshifted>("unshifted"),
            ],
        ),
        (
            Function::LogSumExp,
            [
                Order::of::<logsumexp_8>("shifted").within(16.0),
                Order::of::<logsumexp_8_unshifted>("unshifted"),
            ],
        ),
    ] {
        let found = compared(function, &orders, &scalar());
        let [shifted, unshifted] = &found.orders[..] else {
            panic!("two orders");
        };
        assert!(!shifted.error.exceeds(16.0), "{function:?} {shifted:?}");
        assert_eq!(shifted.faults[0], Count::default(), "{function:?}");
        let overflow = unshifted.faults[0];
        assert!(overflow.count > 300, "{function:?} {overflow:?}");
        let at = found.inputs.numbers(overflow.first.expect("one"));
        assert!(at.iter().any(|x| x.abs() > 700.0), "{at:?}");
    }
}

/// The value by MPFR is within the radius, at every stratum.
#[cfg(feature = "mpfr")]
#[test]
fn true_values_are_those_of_mpfr() {
    use crate::mpfr::rug::Float;

    const BITS: u32 = 2600;
    let wide = |x: f64| Float::with_val(BITS, x);
    let (mut compared, mut narrow) = (0, 0);
    for function in [Function::LogSumExp, Function::Softmax] {
        for precision in [Precision::F32, Precision::F64] {
            for length in [1, 2, 8] {
                let inputs = inputs(function, precision, length);
                for number in 0..220 {
                    let x = inputs.numbers(number);
                    let mut sum = Float::new(BITS);
                    x.iter().for_each(|&x| sum += wide(x).exp());
                    for (k, truth) in Truth::each(function, precision, &x).into_iter().enumerate() {
                        let Truth::Near(near) = truth else { continue };
                        // Beyond the exponents of MPFR the value is within 2^-1000 of the largest number, or below 2^-1900.
                        let true_value = match function {
                            Function::LogSumExp => sum.clone().ln(),
                            _ => wide(x[k]).exp() / &sum,
                        };
                        if !true_value.is_finite() {
                            continue;
                        }
                        let [value, radius] = near.parts().map(|parts| {
                            let mut sum = Float::new(BITS);
                            parts.0.iter().for_each(|w| sum += *w);
                            sum << parts.1
                        });
                        let apart = Float::with_val(BITS, &value - &true_value).abs();
                        // MPFR's own roundings.
                        let apart = apart - (Float::with_val(BITS, 1) >> 2400);
                        assert!(apart <= radius, "{inputs:?} {number}[{k}] {x:?}: {near:?}");
                        compared += 1;
                        narrow += u32::from(radius <= value.abs() >> 94);
                    }
                }
            }
        }
    }
    assert!(
        compared > 5000 && narrow * 5 > compared * 4,
        "{compared} {narrow}"
    );
}
