//! Gappa's proofs about kernels, compared with the results of searches: no error exceeds the proved bound, and a script
//! that does not describe the kernel is detected.
#![cfg(feature = "search")]

use doublecrunch::__private_v0_2::CrunchFn;
use doublecrunch::backend::skip::skip;
use doublecrunch::prelude::*;
use doublecrunch::search::block::BlockResult;
use doublecrunch::search::gappa::{Bounds, Gappa, GappaError, Step, profile, script};
use doublecrunch::search::key::Precision;
use doublecrunch::search::range::Range;
use doublecrunch::search::sample::{Sample, Wanted};
use doublecrunch::sweep::Sweep;
use doublecrunch::sweeps::{self, LOG_COEFFICIENTS, log_polynomial};
use kernels_gen::emit::GappaScript;

const HINTS: &str = include_str!("../examples/data/log_polynomial.hints");

/// Gappa; without it the test is skipped.
fn gappa() -> Option<Gappa> {
    let found = Gappa::find();
    if found.is_none() {
        skip("gappa", "not on the path; as root: apt-get install gappa");
    }
    found
}

fn range(text: &str, precision: Precision) -> Range {
    Range::parse(text, precision).expect(text)
}

fn sweep(name: &str) -> &'static Sweep {
    let found = sweeps::ALL.iter().find(|s| s.name() == name);
    found.expect("a built-in sweep")
}

/// The script of a sweep's routine.
fn script_of(sweep: &Sweep, text: &str, hints: &str) -> GappaScript {
    let range = range(text, sweep.precision());
    script(
        sweep.candidate().kernel().expect("a kernel").kernel,
        &[range],
        &[],
        hints,
    )
    .expect("the routine has a form in Gappa")
}

fn only(bounds: Result<Vec<Bounds>, GappaError>) -> Bounds {
    match &bounds.expect("Gappa takes the script")[..] {
        [one] => *one,
        several => panic!("{several:?}"),
    }
}

/// Searches part of a range.
fn search(sweep: &Sweep, range: &Range, inputs: u64) -> BlockResult {
    let sample = Sample::of_stretches(sweep, range, &Wanted::of(sweep, inputs)).range;
    let spans = sample.spans().iter();
    spans.fold(BlockResult::EMPTY, |sum, s| {
        sum.merge(&(sweep.compiled().scalar)(s.first, s.count() as u64))
    })
}

/// The proof of the reference's accuracy shows that its error is smaller.
const REFERENCE: f64 = 1e-13;

#[test]
fn no_error_of_the_polynomial_is_above_gappas_bound() {
    let Some(gappa) = gappa() else { return };
    let sweep = sweep("log-polynomial");
    // A whole binade of the result, where the bound is tightest in ULP, and all of the range.
    for text in [
        "1.2840254166877417..=1.414213562373095",
        "0.75..=0.8",
        sweep.range(),
    ] {
        let bound = only(gappa.bounds(&script_of(sweep, text, HINTS)));
        let found = search(sweep, &range(text, sweep.precision()), 1 << 20);
        let worst = found.max.error();
        println!(
            "{text}: {worst:.6} ULP found, {:.6} proved; {bound:?}",
            bound.ulp()
        );
        assert!(worst > 0.5 && worst <= bound.ulp() + REFERENCE, "{text}");
        assert!(
            bound.ulp() < 2.0,
            "{text}: a bound this far off is of no use"
        );
    }
}

#[test]
fn every_stretch_is_below_its_step_of_the_profile() {
    let Some(gappa) = gappa() else { return };
    let sweep = sweep("log-polynomial");
    let whole = range(sweep.range(), sweep.precision());
    let steps = profile(
        &gappa,
        sweep.candidate().kernel().expect("a kernel").kernel,
        &whole,
        4,
        HINTS,
    )
    .expect("bounds");
    assert_eq!(steps.len(), 4);
    let mut next = whole.spans()[0].first;
    for &Step { first, last, ulp } in &steps {
        assert_eq!(first, next, "the steps leave nothing out");
        next = last + 1;
        let stretch = whole_of(sweep.precision(), first, last);
        let worst = search(sweep, &stretch, 1 << 16).max.error();
        println!("{stretch}: {worst:.6} ULP found, {ulp:.6} proved");
        assert!(worst <= ulp + REFERENCE, "{stretch}: {worst} above {ulp}");
        assert!(ulp < 1.25, "{stretch}: {ulp}");
    }
    assert_eq!(next, whole.spans()[0].last + 1);
}

fn whole_of(precision: Precision, first: i64, last: i64) -> Range {
    let span = doublecrunch::search::range::Span { first, last };
    Range::from_spans(precision, vec![span]).expect("a stretch")
}

/// The polynomial, rounded after each product as well.
#[crunch]
fn log_without_fma(x: DcDouble) -> DcDouble {
    let t = x - 1.0;
    let p = horner_no_fma(t, &LOG_COEFFICIENTS);
    let tp = t * p;
    t * tp + t
}

const TABLE_F32: [f32; 5] = [1.0, -0.5, 0.333_333_3, -0.25, 0.2];

/// Operations that the polynomial does not have: binary32, conversions, a division, a root, a sign, an absolute value.
#[crunch]
fn mixture(x: DcDouble) -> DcDouble {
    let narrow = x.to_f32();
    let p = horner_f32(narrow, &TABLE_F32).to_f64();
    let root = (-x).abs().sqrt();
    (p / root + root.recip()) * x
}

/// Its exact value.
#[crunch]
fn mixture_reference(x: DcDouble) -> DcDoubleDouble {
    let mut p = DcDoubleDouble::new(TABLE_F32[4].to_f64(), 0.0);
    for i in (0..4).rev() {
        p = dd_add_f64(dd_mul_f64(p, x), TABLE_F32[i].to_f64());
    }
    let root = dd_sqrt_f64(x);
    let one: DcDouble = 1.0;
    let sum = dd_add(dd_div(p, root), dd_div(DcDoubleDouble::new(one, 0.0), root));
    dd_mul_f64(sum, x)
}

const MIXTURE: Sweep = Sweep::new::<mixture, mixture_reference>("mixture", "1.0..2.0");

#[test]
fn no_error_of_a_mixture_is_above_gappas_bound() {
    let Some(gappa) = gappa() else { return };
    for text in ["1.0..2.0", "1.5..1.5001", "0.25..0.3"] {
        let script = script_of(&MIXTURE, text, "");
        let bound = only(gappa.bounds(&script));
        let whole = range(text, Precision::F64);
        let found = search(&MIXTURE, &whole, 1 << 18);
        println!(
            "{text}: {} ULP found, {} proved",
            found.max.error(),
            bound.ulp()
        );
        assert!(found.max.error() <= bound.ulp(), "{text}: {bound:?}");
        // Rounding to binary32 has 2^29 times the error.
        assert!(
            found.max.error() > 1e6 && bound.ulp() < 1e4 * found.max.error(),
            "{text}"
        );
    }
}

/// Each operation rounded up: up to twice the error of rounding to nearest.
#[crunch]
fn upward(x: DcDouble) -> DcDouble {
    x.sqrt_ru().mul_ru(x).add_ru(x)
}

#[crunch]
fn upward_reference(x: DcDouble) -> DcDoubleDouble {
    dd_add_f64(dd_mul_f64(dd_sqrt_f64(x), x), x)
}

const UPWARD: Sweep = Sweep::new::<upward, upward_reference>("upward", "1.0..1.125");

#[test]
fn a_direction_is_in_the_script() {
    let Some(gappa) = gappa() else { return };
    let script = script_of(&UPWARD, UPWARD.range(), "");
    let bound = only(gappa.bounds(&script)).ulp();
    let whole = range(UPWARD.range(), Precision::F64);
    let found = search(&UPWARD, &whole, 1 << 18).max.error();
    println!("{found:.6} ULP found, {bound:.6} proved");
    assert!(found > 1.0 && found <= bound, "{found} {bound}");
    // The control: the bound proved for rounding to nearest does not hold.
    let text = script.text.replace("float<ieee_64,up>", "f64");
    let nearest = only(gappa.bounds(&GappaScript { text, ..script })).ulp();
    assert!(nearest < found, "{nearest} {found}");
}

/// The bound for a script with one text replaced by another; the text must occur.
fn changed(
    gappa: &Gappa,
    script: &GappaScript,
    from: &str,
    to: &str,
) -> Result<Vec<Bounds>, GappaError> {
    assert!(
        script.text.contains(from),
        "{from} is not in\n{}",
        script.text
    );
    let text = script.text.replacen(from, to, 1);
    gappa.bounds(&GappaScript {
        text,
        ..script.clone()
    })
}

/// The control: a script that omits roundings proves a bound that errors exceed; one with a wrong operation proves no
/// useful bound.
#[test]
fn faults_in_a_script_are_seen() {
    let Some(gappa) = gappa() else { return };
    let sweep = sweep("log-polynomial");
    let text = "1.3..=1.4142";
    let script = script_of(sweep, text, HINTS);
    let worst = search(sweep, &range(text, sweep.precision()), 1 << 18)
        .max
        .error();
    let right = only(gappa.bounds(&script)).ulp();
    assert!(worst <= right, "{worst} {right}");

    // The rounding of the last operation is half an ULP of the bound.
    let dropped = only(changed(
        &gappa,
        &script,
        "result = f64(t * tp + t)",
        "result = t * tp + t",
    ));
    assert!(
        dropped.ulp() < worst,
        "{worst} ULP found, {} proved without a rounding",
        dropped.ulp()
    );
    // A wrong sign: the two values are unrelated.
    let sign = changed(&gappa, &script, "tp = f64(t * p)", "tp = f64(-t * p)");
    assert!(sign.as_ref().is_ok_and(|b| b[0].ulp() > 1e10), "{sign:?}");
    // One fused operation in place of two in the kernel: smaller than the kernel's error, but not zero.
    let separate =
        Sweep::new::<log_without_fma, sweeps::log_polynomial_reference>("separate", "1.0..2.0");
    let separate_bound = only(gappa.bounds(&script_of(&separate, text, "")));
    assert!(separate_bound.ulp() > right, "{separate_bound:?}");
}

#[test]
fn what_gappa_cannot_check_is_no_bound() {
    let Some(gappa) = gappa() else { return };
    let sweep = sweep("log-polynomial");
    let with = |hints: &str| gappa.bounds(&script_of(sweep, "1.25..1.5", hints));
    let e = with("Mresult -> Mt * Mtp;").expect_err("t is missing");
    assert!(
        matches!(&e, GappaError::Unproved(why) if why.contains("Mresult")),
        "{e}"
    );
    let e = with("tp -> t * tp / t;").expect_err("t may be 0 for all it knows");
    assert!(matches!(e, GappaError::Unproved(_)), "{e}");
    let e = with("Mresult ->").expect_err("no rule");
    assert!(matches!(e, GappaError::Refused(_)), "{e}");
    let one = range("1.25..1.5", Precision::F64);
    let given = ["t >= 1".to_string()];
    let script = script(<log_polynomial as CrunchFn>::KERNEL, &[one], &given, "");
    let e = gappa
        .bounds(&script.expect("a script"))
        .expect_err("t is below 1");
    assert!(matches!(e, GappaError::NoInputs), "{e}");
}

/// The coefficients equal those that the checked-in script computes.
#[test]
fn sollya_gives_the_coefficients() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/dc-runtime/scripts/log.sollya");
    let Ok(output) = std::process::Command::new("sollya").arg(script).output() else {
        return skip("sollya", "not on the path; as root: apt-get install sollya");
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = text.lines().filter_map(|l| l.strip_prefix("0x"));
    let found: Vec<u64> = lines
        .map(|l| u64::from_str_radix(l, 16).expect("bits"))
        .collect();
    assert_eq!(found, LOG_COEFFICIENTS.map(f64::to_bits), "{text}");
    assert!(
        text.contains("relative error in units of 2^-53: from 0.16155"),
        "{text}"
    );
}
