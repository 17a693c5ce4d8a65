//! The fast paths, compared with the metric, and the metric, compared with integers.

use super::*;
use crate::DoubleDouble;
use crate::model::block::{
    FLAG_EXCLUDED, FLAG_INFINITY, FLAG_MISROUNDED, FLAG_NAN, FLAG_UNDECIDED, FLAG_ZERO_SIGN,
};

/// Numbers of every kind, and numbers close to them.
fn numbers() -> impl Iterator<Item = f64> {
    let powers = [
        0u64, 1, 51, 52, 53, 896, 897, 1000, 1023, 1150, 1151, 2046, 2047,
    ];
    let near = |p: u64| (-3..=3).map(move |i: i64| (p << 52).wrapping_add_signed(i));
    let bits = powers.into_iter().flat_map(near);
    let mut state = 1u64;
    let random = std::iter::repeat_with(move || {
        state = state.wrapping_mul(KEY_FACTOR as u64 | 5).wrapping_add(7);
        state ^ (state >> 29)
    });
    let all = bits.chain(random.take(400));
    all.flat_map(|b| [f64::from_bits(b), -f64::from_bits(b)])
}

/// Whether the fast path held; its results must then be the metric's.
fn same(measured: (f64, i64, i64, i64), short: (f64, i64, bool, i64, bool), what: &str) -> bool {
    let (error, bin, misrounded, mixed, holds) = short;
    let says = holds && error.abs() < 2.0;
    if says {
        assert_eq!(error.to_bits(), measured.0.to_bits(), "{what}");
        assert_eq!(bin & 7, measured.1, "{what}");
        assert_eq!(
            i64::from(misrounded) * FLAG_MISROUNDED,
            measured.2,
            "{what}"
        );
        // The loops count misrounded inputs by this property.
        assert_eq!(misrounded, measured.1 >= 2, "{what}");
        assert_eq!(mixed, measured.3, "{what}");
    }
    says
}

#[test]
fn short_forms_equal_the_metrics() {
    let (mut held, mut key) = ([0, 0], 3i64);
    for hi in numbers() {
        let ulp = f64::from_bits(hi.abs().to_bits() + 1) - hi.abs();
        let steps = [
            0.0,
            0.25,
            0.5,
            -0.125,
            0.75,
            1.0,
            -1.0,
            -1.5,
            2.0,
            2.25,
            f64::NAN,
        ];
        let tails = [0.0, -0.0, 0.25, -0.25, 0.499, f64::INFINITY, f64::NAN];
        for (step, tail) in steps.into_iter().flat_map(|s| tails.map(|t| (s, t))) {
            key = key.wrapping_mul(-7).wrapping_add(11);
            let (lo, result) = (tail * ulp, hi + step * ulp);
            for result in [result, -result, f64::INFINITY, 0.0] {
                let weight = key.wrapping_mul(KEY_FACTOR);
                let r = DoubleDouble { hi, lo };
                let what = format!("{result:e} for {hi:e} + {lo:e}");
                let measured = ulp_error_f64::eval(key, result, r, 0);
                let short = gpu_fast_path_f64::eval(weight, result, r);
                held[0] += u32::from(same(measured, short, &what));
                let narrow = result as f32;
                let measured = ulp_error_f32::eval(key, narrow, hi);
                let short = gpu_fast_path_f32::eval(weight, narrow, hi);
                held[1] += u32::from(same(measured, short, &what));
            }
        }
    }
    assert!(held[0] > 5_000 && held[1] > 500, "{held:?}");
}

/// PointResult: error and flags.
fn measured(result: f64, hi: f64, lo: f64, scale: i64) -> (f64, i64) {
    let (error, bin, flags, _) = ulp_error_f64::eval(5, result, DoubleDouble { hi, lo }, scale);
    if flags & FLAG_EXCLUDED == 0 {
        let bin = u64::try_from(bin).expect("a bin") as usize;
        let floor = crate::model::block::bin_floor;
        let within = floor(bin) <= error.abs() && (bin == 15 || error.abs() < floor(bin + 1));
        assert!(within, "{error} in bin {bin}");
    }
    (error, flags)
}

/// `x 2^e` for a number that stays normal.
fn times(x: f64, e: i64) -> f64 {
    x * 2f64.powi((e / 2) as i32) * 2f64.powi((e - e / 2) as i32)
}

#[test]
fn a_scale_changes_nothing_but_where_the_words_are() {
    let mut random = 7u64;
    let mut next = || crate::search::points::split_mix(&mut random);
    for i in 0..100_000 {
        // References around one, results that differ by a few ULP, both scaled by powers of two.
        let hi = f64::from_bits(0x3ff0_0000_0000_0000 | next() >> 12);
        let lo = hi * f64::EPSILON * ((next() >> 11) as f64 * 2f64.powi(-54) - 0.25);
        let result = f64::from_bits(hi.to_bits().wrapping_add(next() % 9).wrapping_sub(4));
        let want = measured(result, hi, lo, 0);
        let (power, scale) = ((next() % 1600) as i64 - 700, (next() % 2201) as i64 - 1100);
        let total = power + scale;
        if !(-1021..1022).contains(&total) {
            continue;
        }
        let got = measured(
            times(result, total),
            times(hi, power),
            times(lo, power),
            scale,
        );
        assert_eq!(
            got, want,
            "{i}: {result:e} for {hi:e} + {lo:e}, 2^{power}, 2^{scale}"
        );
    }
}

#[test]
fn subnormal_results_are_measured_by_the_unrounded_reference() {
    let tiny = f64::from_bits;
    let (right, wrong) = (0, FLAG_MISROUNDED);
    for (result, hi, lo, scale, want) in [
        // References of 2.25 and 2.75 times the least subnormal, results of 2 and 3 times.
        (tiny(2), 2.25, 0.0, -1074, (-0.25, right)),
        (tiny(3), 2.25, 0.0, -1074, (0.75, wrong)),
        (tiny(3), 2.75, 0.0, -1074, (0.25, right)),
        (tiny(2), 2.75, 0.0, -1074, (-0.75, wrong)),
        (-tiny(2), -2.75, 0.0, -1074, (0.75, wrong)),
        // Below the least subnormal, towards zero and away from it.
        (0.0, 0.25, 0.0, -1074, (-0.25, right)),
        (tiny(1), 0.25, 0.0, -1074, (0.75, wrong)),
        (tiny(1), 0.75, 0.0, -1074, (0.25, right)),
        (0.0, 0.75, 0.0, -1074, (-0.75, wrong)),
        // Far below.
        (0.0, 1.0, 0.0, -1094, (-(2f64.powi(-20)), right)),
        // The last place of the second word matters: 1.5 - 2^-40.
        (
            tiny(1),
            1.5,
            -(2f64.powi(-40)),
            -1074,
            (-0.5 + 2f64.powi(-40), right),
        ),
        (
            tiny(2),
            1.5,
            -(2f64.powi(-40)),
            -1074,
            (0.5 + 2f64.powi(-40), wrong),
        ),
        // In the least normal binade the unit is the same; from 2^-1021 on it is twice as large.
        (
            f64::MIN_POSITIVE,
            1.0,
            2f64.powi(-54),
            -1022,
            (-0.25, right),
        ),
        (
            f64::MIN_POSITIVE * 2.0,
            1.0,
            2f64.powi(-54),
            -1021,
            (-0.25, right),
        ),
        // Zero with the wrong sign.
        (-0.0, 0.25, 0.0, -1074, (-0.25, FLAG_ZERO_SIGN)),
        (0.0, -0.25, 0.0, -1074, (0.25, FLAG_ZERO_SIGN)),
        (-0.0, 0.0, 0.0, -1074, (0.0, FLAG_ZERO_SIGN)),
        (0.0, 0.0, 0.0, 77, (0.0, right)),
        (tiny(1), 0.0, 0.0, 77, (1.0, wrong)),
        (tiny(1), 0.0, 0.0, -77, (1.0, wrong)),
    ] {
        let got = measured(result, hi, lo, scale);
        assert_eq!(got, want, "{result:e} for ({hi} + {lo:e}) 2^{scale}");
    }
}

/// One overflow is a fault, and no error that is larger than all others: up to 2 ULP from the power of two it counts as that.
#[test]
fn an_infinite_result_has_no_error_that_hides_the_others() {
    let fault = FLAG_MISROUNDED | FLAG_INFINITY;
    let steps = |x: f64, n: u64| f64::from_bits(x.to_bits() - n);
    for (reference, error) in [
        (f64::MAX, 1.0),
        (steps(f64::MAX, 1), 0.0),
        (f64::MAX / 2.0, 0.0),
        (1.0, 0.0),
        (f64::MIN_POSITIVE, 0.0),
    ] {
        let excluded = if error == 0.0 { FLAG_EXCLUDED } else { 0 };
        for sign in [1.0, -1.0] {
            let got = measured(sign * f64::INFINITY, sign * reference, 0.0, 0);
            assert_eq!(got, (sign * error, fault | excluded), "{reference:e}");
        }
        let narrow = |x: f32, y: f64| {
            let (error, _, flags, _) = ulp_error_f32::eval(5, x, y);
            (error, flags)
        };
        let size = if reference == f64::MAX {
            f32::MAX.into()
        } else {
            2f64.powi(100)
        };
        assert_eq!(narrow(f32::INFINITY, size), (error, fault | excluded));
    }
    // Of the other sign it is as far away as can be.
    let got = measured(-f64::INFINITY, f64::MAX, 0.0, 0);
    assert_eq!(got, (0.0, fault | FLAG_EXCLUDED));
}

#[test]
fn what_rounds_to_infinity_is_infinite() {
    let infinity = f64::INFINITY;
    // 2^1023 (2 - 2^-53) is half an ULP above the largest number.
    let (top, half) = (2f64.next_down(), 2f64.powi(-53));
    let fault = FLAG_MISROUNDED | FLAG_INFINITY;
    for (result, hi, lo, scale, want) in [
        (f64::MAX, top, half / 2.0, 1023, (-0.25, 0)),
        (infinity, top, half / 2.0, 1023, (0.75, fault)),
        (infinity, 2.0, -half / 2.0, 1023, (0.0, FLAG_EXCLUDED)),
        (
            f64::MAX,
            2.0,
            -half / 2.0,
            1023,
            (0.0, fault | FLAG_EXCLUDED),
        ),
        (-infinity, -2.0, 0.0, 1023, (0.0, FLAG_EXCLUDED)),
        (infinity, -2.0, 0.0, 1023, (0.0, fault | FLAG_EXCLUDED)),
        (infinity, 1.5, 0.0, 1050, (0.0, FLAG_EXCLUDED)),
        // Without a scale.
        (f64::MAX, f64::MAX, 2f64.powi(969), 0, (-0.25, 0)),
        (infinity, f64::MAX, 2f64.powi(969), 0, (0.75, fault)),
        (infinity, infinity, f64::NAN, 0, (0.0, FLAG_EXCLUDED)),
        (
            f64::NAN,
            1.0,
            0.0,
            0,
            (0.0, FLAG_MISROUNDED | FLAG_NAN | FLAG_EXCLUDED),
        ),
    ] {
        let got = measured(result, hi, lo, scale);
        assert_eq!(got, want, "{result:e} for ({hi:e} + {lo:e}) 2^{scale}");
    }
}

#[test]
fn what_the_reference_cannot_decide_is_undecided() {
    let near = 0.5 * f64::EPSILON;
    let (coarse, plain) = (FLAG_UNDECIDED | FLAG_EXCLUDED, 0);
    let one = ONE_WORD;
    for (result, hi, lo, scale, want) in [
        // Ties, and errors 2^-46 and 2^-44 ULP beside them.
        (1.0, 1.0, near, 0, (-0.5, FLAG_UNDECIDED)),
        (
            1.0,
            1.0,
            near * (1.0 + 2f64.powi(-45)),
            0,
            (-0.5 - 2f64.powi(-46), FLAG_UNDECIDED),
        ),
        (
            1.0,
            1.0,
            near * (1.0 - 2f64.powi(-45)),
            0,
            (-0.5 + 2f64.powi(-46), FLAG_UNDECIDED),
        ),
        (
            1.0,
            1.0,
            near * (1.0 + 2f64.powi(-43)),
            0,
            (-0.5 - 2f64.powi(-44), FLAG_MISROUNDED),
        ),
        (
            1.0,
            1.0,
            near * (1.0 - 2f64.powi(-43)),
            0,
            (-0.5 + 2f64.powi(-44), 0),
        ),
        (f64::from_bits(2), 2.5, 0.0, -1074, (-0.5, FLAG_UNDECIDED)),
        (0.0, 0.5, 0.0, -1074, (-0.5, FLAG_UNDECIDED)),
        (-0.0, 0.5, 0.0, -1074, (-0.5, FLAG_UNDECIDED)),
        // Half an ULP above the largest number: the reference is infinite, unless this is within its error.
        (
            f64::MAX,
            2f64.next_down(),
            2f64.powi(-53),
            1023,
            (0.0, coarse),
        ),
        (
            f64::INFINITY,
            2f64.next_down(),
            2f64.powi(-53),
            1023,
            (0.0, coarse),
        ),
        // The reference is too coarse: it has no second word, or an invalid scale.
        (1e-310, 1e-310, 0.0, 0, (0.0, coarse)),
        (1e-310, 2f64.powi(-972), 0.0, 0, (0.0, coarse)),
        (2f64.powi(-971), 2f64.powi(-971), 0.0, 0, (0.0, plain)),
        (1.0, 1.0, 0.0, 1101, (0.0, coarse)),
        (1.0, 1.0, 0.0, -1101, (0.0, coarse)),
        (1.0, 1.0, 0.0, i64::MAX, (0.0, coarse)),
        (1.0, 2f64.powi(1023), 0.0, -1023, (0.0, coarse)),
        (1.0, 2f64.powi(1022), 0.0, -1022, (0.0, plain)),
        // Zero and a reference of one word are not.
        (0.0, 0.0, 0.0, 0, (0.0, plain)),
        (
            f64::from_bits(3),
            f64::from_bits(5),
            0.0,
            one,
            (-2.0, FLAG_MISROUNDED),
        ),
        (1.5, 1.5, 0.0, one, (0.0, plain)),
    ] {
        let got = measured(result, hi, lo, scale);
        assert_eq!(got, want, "{result:e} for ({hi:e} + {lo:e}) 2^{scale}");
    }
    let f32_measured = |result: f32, reference: f64| ulp_error_f32::eval(5, result, reference);
    let half = f64::from(f32::EPSILON) / 2.0;
    assert_eq!(f32_measured(1.0, 1.0 + half).2, FLAG_UNDECIDED);
    assert_eq!(
        f32_measured(1.0, 1.0 + half * (1.0 + 1e-8)).2,
        FLAG_MISROUNDED
    );
    assert_eq!(f32_measured(1.0, 1.0 + half * (1.0 - 1e-8)).2, 0);
    assert_eq!(f32_measured(-0.0, 1e-46).2, FLAG_ZERO_SIGN);
    assert_eq!(f32_measured(0.0, 1e-46).2, 0);
}
