//! The search's results for single inputs compared with MPFR at 200 bits, from the least subnormal result to overflow:
//! the error within 2^-20 ULP, correct rounding, infinity.
//!
//! Of the built-in references, those of exp and 1/x have such results. The logarithm's polynomial on [√½, √2] gives
//! none below 2^-54 but 0, and square roots and their reciprocals have none for any input.

use std::f64::consts::LN_2;

use doublecrunch::builtins::reference::Function;
use doublecrunch::mpfr::rug::Float;
use doublecrunch::prelude::*;
use doublecrunch::search::block::{
    FLAG_EXCLUDED, FLAG_INFINITY, FLAG_MISROUNDED, FLAG_NAN, FLAG_UNDECIDED, FLAG_ZERO_SIGN,
};
use doublecrunch::search::evaluator::{PointEvaluator, PointResult};
use doublecrunch::search::key::Precision;
use doublecrunch::sweep::Sweep;
use doublecrunch::sweeps::{self, recip_reference};

use crate::inputs::{Rng, power};
use crate::measure::inputs;

const BITS: u32 = 200;

/// 1/x rounded, and moved by up to two ULP; an infinity by none or one.
#[crunch]
fn recip_beside(x: DcDouble) -> DcDouble {
    let (y, bits) = (x.recip(), x.to_bits());
    let by = (y.abs() < f64::INFINITY).select((bits & 3) - 1, -(bits & 1));
    DcDouble::from_bits(y.to_bits() + by)
}

const RECIPROCAL: Sweep = Sweep::new::<recip_beside, recip_reference>("recip-beside", "all");

fn exp() -> &'static Sweep {
    let exp = sweeps::ALL.iter().find(|s| s.name() == "exp");
    exp.expect("a built-in sweep")
}

/// The measurement of a range.
#[derive(Debug, Default)]
struct Found {
    inputs: u64,
    /// The largest difference of the two errors in ULP, where, and how many results were subnormal or zero.
    difference: f64,
    at: u64,
    small: u64,
    infinite: u64,
}

/// Compares one result with the true value.
fn look(found: &mut Found, j: &PointResult, truth: &Float) {
    let x = Precision::F64.bits_of_key(j.key);
    let result = f64::from_bits(j.result_bits);
    // MPFR rounds to the nearest double, subnormals and overflow included.
    let rounded = truth.to_f64();
    found.inputs += 1;
    found.small += u64::from(!result.is_normal());
    let context = || format!("{x:#x}: {j:?}, truth {truth:e}");
    assert_eq!(
        j.flags & (FLAG_NAN | FLAG_ZERO_SIGN | FLAG_UNDECIDED),
        0,
        "{}",
        context()
    );
    let flag = |flag| j.flags & flag != 0;
    assert_eq!(flag(FLAG_MISROUNDED), result != rounded, "{}", context());
    let infinite = [result, rounded].map(f64::is_infinite);
    assert_eq!(
        flag(FLAG_INFINITY),
        infinite[0] != infinite[1],
        "{}",
        context()
    );
    assert_eq!(flag(FLAG_EXCLUDED), infinite[1], "{}", context());
    if infinite[1] {
        found.infinite += 1;
        return;
    }
    let exponent = truth.get_exp().expect("not zero") - 1;
    let counted = match infinite[0] {
        true => Float::with_val(BITS, result.signum()) << 1024,
        false => Float::with_val(BITS, result),
    };
    let error = (counted - truth) >> (exponent - 52).max(-1074);
    let difference = (Float::with_val(BITS, j.error) - error).abs().to_f64();
    if difference > found.difference {
        (found.difference, found.at) = (difference, x);
    }
}

fn check(sweep: &Sweep, inputs: &[f64], function: fn(&mut Float)) -> Found {
    let mut evaluator = PointEvaluator::plain(sweep);
    let mut found = Found::default();
    for xs in inputs.chunks(4096) {
        let keys: Vec<i64> = xs
            .iter()
            .map(|x| Precision::F64.key_of_bits(x.to_bits()))
            .collect();
        for (x, j) in xs.iter().zip(evaluator.evaluate(&keys).expect("results")) {
            let mut truth = Float::with_val(BITS, *x);
            function(&mut truth);
            look(&mut found, &j, &truth);
        }
    }
    let Found {
        inputs,
        difference,
        at,
        small,
        infinite,
    } = found;
    println!(
        "{}: {inputs} inputs, results subnormal or zero {small}, truth infinite {infinite}; errors within 2^{:.2} ULP of \
         MPFR's, at {at:#018x}",
        sweep.name(),
        difference.log2()
    );
    assert!(difference <= power(-20), "{found:?}");
    found
}

/// Inputs per range.
fn count() -> usize {
    (inputs() / 16) as usize
}

/// Forty ranges of the result's binades, from below the least subnormal to overflow.
#[test]
fn exp_in_forty_ranges() {
    const RANGES: usize = 40;
    let mut rng = Rng(60);
    let edge = |i: usize| (-1075.0 + 2099.0 * i as f64 / RANGES as f64) * LN_2;
    for i in 0..RANGES {
        // Slightly beyond overflow, too.
        let (low, high) = (
            edge(i),
            edge(i + 1) + if i + 1 == RANGES { 0.5 } else { 0.0 },
        );
        let xs: Vec<f64> = (0..count())
            .map(|_| low + (rng.word() >> 11) as f64 * power(-53) * (high - low))
            .collect();
        print!("e^{low:.2} to e^{high:.2}: ");
        let found = check(exp(), &xs, Float::exp_mut);
        assert_eq!(found.small > found.infinite, i <= 1, "{found:?}");
        assert_eq!(found.infinite > 0, i + 1 == RANGES, "{found:?}");
    }
}

/// Results between the least subnormal and 2^-960, and next to 2^1024.
#[test]
fn the_ends() {
    let mut rng = Rng(61);
    let mut between = |a: f64, b: f64| -> Vec<f64> {
        let (a, b) = (a.to_bits().min(b.to_bits()), a.to_bits().max(b.to_bits()));
        (0..count())
            .map(|_| f64::from_bits(a + rng.below(b - a + 1)))
            .collect()
    };
    let tiny = between(-745.133_219_101_941_2, -960.0 * LN_2);
    let top = between(1023.0 * LN_2, 709.79);
    for xs in [tiny, top] {
        check(exp(), &xs, Float::exp_mut);
    }
    // 1/x is no smaller than 2^-1024.
    let tiny = between(power(960), f64::MAX);
    let top = between(power(-1025), power(-1022));
    for xs in [&tiny, &top] {
        let negative: Vec<f64> = xs.iter().map(|x| -x).collect();
        for xs in [xs, &negative] {
            let found = check(&RECIPROCAL, xs, Float::recip_mut);
            assert!(found.small > 0 || found.infinite > 0, "{found:?}");
        }
    }
}

/// Inputs for which version 0.1 reported errors of whole ULP: it reported 2 for both, at another input.
#[test]
fn errors_of_tiny_results_are_no_whole_numbers() {
    let x = f64::from_bits(0xc086_2000_0000_04a0);
    let found = check(exp(), &[x], Float::exp_mut);
    assert_eq!(found.inputs, 1);
    let key = Precision::F64.key_of_bits(x.to_bits());
    let j = PointEvaluator::plain(exp())
        .evaluate(&[key])
        .expect("a result")[0];
    assert!((j.error.abs() - 1.591_842_194_52).abs() < 1e-11, "{j:?}");

    let keys = [-708.0, -707.999_999_9f64].map(|x| Precision::F64.key_of_bits(x.to_bits()));
    let count = keys[1].abs_diff(keys[0]) + 1;
    let block = (exp().compiled().scalar)(keys[0], count);
    assert_eq!(
        Precision::F64.bits_of_key(block.max.key),
        0xc086_1fff_ffff_c466
    );
    assert!((block.max.error() - 1.656_04).abs() < 5e-6, "{block:?}");
}

/// MPFR in place of a reference gives the same results: the same flags, errors within 2^-20 ULP, from the least
/// subnormal result to overflow.
#[test]
fn mpfr_in_place_of_a_reference() {
    let mut rng = Rng(62);
    let mut between = |a: f64, b: f64| -> Vec<f64> {
        let mut part = || (rng.word() >> 11) as f64 * power(-53);
        (0..512).map(|_| a + part() * (b - a)).collect()
    };
    let mut xs = vec![0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1.0];
    for (a, b) in [
        (-746.0, -700.0),
        (-1.0, 1.0),
        (700.0, 709.7),
        (709.7, 712.0),
        (720.0, 1e300),
    ] {
        xs.extend(between(a, b));
    }
    let keys = xs
        .iter()
        .map(|x| Precision::F64.key_of_bits(x.to_bits()))
        .collect::<Vec<i64>>();
    for (sweep, function) in [(exp(), Function::Exp), (&RECIPROCAL, Function::Recip)] {
        let by_mpfr = sweep.against_mpfr(function);
        assert!(by_mpfr.kernels().is_none());
        let measure = |sweep: &Sweep| {
            let points = PointEvaluator::plain(sweep).evaluate(&keys);
            points.expect("results")
        };
        for (a, b) in measure(sweep).iter().zip(measure(&by_mpfr)) {
            assert_eq!(a.flags, b.flags, "{}: {a:?}, {b:?}", sweep.name());
            assert_eq!(a.result_bits, b.result_bits);
            let near = (a.error - b.error).abs() <= power(-20);
            assert!(
                near || a.error.to_bits() == b.error.to_bits(),
                "{}: {a:?}, {b:?}",
                sweep.name()
            );
        }
    }
}

/// `crunch run --mpfr` finds the same as with the reference, is resumed with MPFR as well, and is refused where MPFR lacks the function.
#[cfg(feature = "cli")]
#[test]
fn a_run_with_mpfr() {
    let folder = tempfile::tempdir().expect("a folder");
    let crunch = |args: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_crunch"));
        let command = command.current_dir(&folder).args(args.split(' '));
        let output = command.output().expect("crunch runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        (
            output.status.success(),
            text(output.stdout) + &text(output.stderr),
        )
    };
    let line = |text: &str, begin: &str| {
        let found = text.lines().find(|l| l.starts_with(begin));
        found
            .unwrap_or_else(|| panic!("{begin}: {text}"))
            .to_string()
    };
    let range = "--range 231.0..=231.0000000001 --block 2^10 -b scalar";
    let (_, plain) = crunch(&format!("run exp {range} -o plain.crunch"));
    let (_, mpfr) = crunch(&format!("run exp {range} -o mpfr.crunch --mpfr"));
    let (done, resumed) = crunch("resume mpfr.crunch");
    assert!(done, "{resumed}");
    for begin in ["worst error", "misrounded", "faults"] {
        assert_eq!(line(&plain, begin), line(&mpfr, begin));
        assert_eq!(line(&plain, begin), line(&resumed, begin));
    }
    // The digest includes the reference's words, whose last bits differ.
    assert_eq!(line(&mpfr, "digest"), line(&resumed, "digest"));
    assert!(mpfr.contains("the reference is `exp x` in MPFR"), "{mpfr}");
    let (done, refused) = crunch("run log-polynomial --mpfr");
    assert!(
        !done && refused.contains("does not name the function"),
        "{refused}"
    );
}
