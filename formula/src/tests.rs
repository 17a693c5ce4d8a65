//! Values and radii of formulas.

use kernels_gen::interp::eval_batch;

use super::*;

#[cfg(feature = "mpfr")]
mod against_mpfr;

/// Two words and the radius at each input.
fn radii(text: &str, xs: &[f64]) -> Vec<[f64; 3]> {
    let formula = Formula::parse(text, 1).expect(text);
    let kernel = formula.kernel(Precision::F64, Form::Radius).expect(text);
    let bits: Vec<u64> = xs.iter().map(|x| x.to_bits()).collect();
    let mut outputs = vec![Vec::new(); 3];
    (kernel.cpu.scalar)(&[&bits], &mut outputs);
    (0..xs.len())
        .map(|i| [0, 1, 2].map(|c| f64::from_bits(outputs[c][i])))
        .collect()
}

/// Whether the values are known to 2^-20 ULP of that precision, for each input.
fn scales(text: &str, precision: Precision, xs: &[f64]) -> Vec<bool> {
    let formula = Formula::parse(text, 1).expect(text);
    let kernel = formula.kernel(precision, Form::Guarded).expect(text);
    let bits: Vec<u64> = xs.iter().map(|x| x.to_bits()).collect();
    let mut outputs = vec![Vec::new(); 3];
    (kernel.cpu.scalar)(&[&bits], &mut outputs);
    let bits_of = if precision == Precision::F32 { 24 } else { 53 };
    (0..xs.len())
        .map(|i| {
            let [v, r] = [0, 2].map(|c| f64::from_bits(outputs[c][i]));
            r == 0.0 || r.is_finite() && r <= v.abs() * 2f64.powi(-20 - bits_of)
        })
        .collect()
}

#[test]
fn the_kernel_and_its_columns_are_the_same() {
    let xs: Vec<f64> = (-400..400)
        .map(|i| 0.37 * f64::from(i))
        .chain([
            0.0,
            -0.0,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            1e-300,
        ])
        .collect();
    let bits: Vec<u64> = xs.iter().map(|x| x.to_bits()).collect();
    for text in [
        "log(1 + exp(x))",
        "0.1 * x - x^3 / 6",
        "asinh(x * x - 2) / cosh(3 * x)",
        "if_none(x)",
        "erf(x / 3) * pow(x * x + 1, 0.3) - pi",
        "max(tan(2 * x), min(x, 1)) * sqrt(abs(x) + 1)",
    ] {
        let Ok(formula) = Formula::parse(text, 1) else {
            assert_eq!(text, "if_none(x)");
            continue;
        };
        for form in [Form::Radius, Form::Guarded, Form::Value] {
            let kernel = formula.kernel(Precision::F64, form).expect(text);
            let program = kernels_gen::lower(kernel.kernel).expect(text);
            let words = program.entry().results.len();
            let mut columns = vec![Vec::new(); words];
            (kernel.cpu.scalar)(&[&bits], &mut columns);
            let mut interpreted = vec![Vec::new(); words];
            eval_batch(&program, &[&bits], &mut interpreted);
            assert_eq!(columns, interpreted, "{text} {form:?}");
        }
    }
}

#[test]
fn values_that_are_known() {
    // By hand: ln(1 + e^20.000000000000004) = 20.000000002061157 to the digits of a double.
    let [hi, _, r] = radii("log(1 + exp(x))", &[20.000000000000004])[0];
    assert_eq!(hi, 20.000000002061157);
    assert!(r < 1e-28);
    // Constants are not rounded to a double.
    let [hi, lo, _] = radii("0.1 * x", &[3.0])[0];
    assert_eq!((hi, lo < 0.0), (0.3, false));
    assert!((hi - 0.3) + lo > 1.1e-17, "0.3 is 0.3f64 + 1.1e-17: {lo}");
    assert_eq!(radii("x - 1 / x", &[2.0])[0][0], 1.5);
    assert_eq!(radii("-x^2", &[3.0])[0][0], -9.0);
    assert_eq!(radii("x^-2", &[2.0])[0][0], 0.25);
}

#[test]
fn what_cancels_is_not_known() {
    let known = |text: &str, x: f64| scales(text, Precision::F64, &[x])[0];
    // exp(x) - 1 is expm1(x), and not a difference.
    assert!(known("exp(x) - 1", 1e-30) && known("1 - exp(x)", 1e-30));
    assert!(known("log(1 + x)", 1e-30) && known("log(1 + exp(x))", -600.0));
    // The cosine's words are lost in 1 - cos x.
    assert!(known("1 - cos(x)", 0.5) && !known("1 - cos(x)", 1e-9));
    assert!(!known("(x + 1e40) - 1e40", 0.1));
    // Beyond the largest double the exponential is not known, although the logarithm of the sum would be; without the 1 it is softplus.
    assert!(known("log(2 + exp(x))", 709.0) && !known("log(2 + exp(x))", 710.0));
    assert!(known("log(1 + exp(x))", 710.0) && known("log(exp(x / 3) + 1)", 3000.0));
    // Not defined there, and too large a value: both are known.
    assert!(known("log(x - 2)", 1.0) && known("exp(x * x)", 100.0));
    // A binary32 routine needs less.
    let narrow = |text: &str, x: f64| scales(text, Precision::F32, &[x])[0];
    assert!(narrow("1 - cos(x)", 1e-8) && !narrow("1 - cos(x)", 1e-12));
}

/// Ties, and results that are numbers of the format, are decided: an operation that rounds nothing has no radius.
#[test]
fn what_rounds_nothing_has_no_radius() {
    let tiny = 2f64.powi(-149);
    let floats = [
        1.0,
        -3.0,
        1.000_000_119_209_289_6,
        tiny,
        5.0 * tiny,
        -(2f64.powi(-126) - tiny),
        f32::MAX.into(),
    ];
    for (text, value) in [
        ("x * 0.5", (|x| x * 0.5) as fn(f64) -> f64),
        ("x / 4", |x| x / 4.0),
        ("-x / 2 + x", |x| x / 2.0),
        ("x + x", |x| x + x),
        ("3 * x - x", |x| 2.0 * x),
        ("x * x * 0.125", |x| x * x * 0.125),
        ("sqrt(x * x) / 2", |x| x.abs() / 2.0),
        ("(x + 0x1p100) - 0x1p100", |x| x),
        ("0.5 * (x + 3e10) - 1.5e10", |x| 0.5 * x),
        ("fmod(x, 1) * 0", |_| 0.0),
    ] {
        for (x, [hi, lo, r]) in floats.iter().zip(radii(text, &floats)) {
            assert_eq!(r, 0.0, "{text} at {x:e}");
            assert_eq!((hi, lo), (value(*x), 0.0), "{text} at {x:e}");
        }
    }
    // Of two words, by a power of two.
    for (text, xs) in [
        ("(x + 0x1p-70) * 0.25 - x / 4", [1.0, 3.0]),
        ("0.125 * (x + 0x1p-70)", [1.0, 3.0]),
        ("(x + 0x1p-70) / 8", [1.0, 3.0]),
        ("(x + 0x1p-70) - (0x1p-70 + 0x1p-160)", [1.0, 3.0]),
    ] {
        assert!(radii(text, &xs).iter().all(|v| v[2] == 0.0), "{text}");
    }
    for (text, x) in [
        ("x / 3", 1.0),
        ("0.1 * x", 3.0),
        ("x / 10", 1.0),
        ("sqrt(x)", 2.0),
        // 159 bits, and the words of a third.
        ("x^3", 1.000_000_000_000_000_2),
        ("x + 1 / 3", 1.0),
        ("(x + 0x1p-100) * (x + 0x1p-100)", 3.0),
        ("(x + 0x1p-70) * 0.75", 1.0),
        ("(x + 0x1p-100) + 0x1.8p-200", 1.0),
        // Half of the smallest double, and words below it.
        ("x * 0.5", 5e-324),
        ("x / 4", 1.5e-323),
        ("x * x", 1e-160),
        ("(x + 0x1p-960) * 0x1p-100", 1.0),
        ("(x + 0x1p-960) / 0x1p100", 1.0),
    ] {
        let [hi, lo, r] = radii(text, &[x])[0];
        assert!(r > 0.0, "{text} at {x}: {hi:e} + {lo:e} within {r:e}");
    }
}

/// The radius is large enough: the same formula, rewritten so that it does not cancel, is within it.
#[test]
fn radii_hold_the_difference_of_two_ways() {
    let xs: Vec<f64> = (1..2000).map(|i| 0.003_7 * f64::from(i)).collect();
    for (a, b) in [
        ("1 - cos(x)", "2 * sin(x / 2)^2"),
        ("sqrt(x + 1) - sqrt(x)", "1 / (sqrt(x + 1) + sqrt(x))"),
        ("log(x * x + 1)", "log1p(x * x)"),
        ("exp(x) * exp(-x)", "1 + 0 * x"),
        ("exp(x / 3)^3", "exp(x)"),
        ("tan(x / 7)", "sin(x / 7) / cos(x / 7)"),
        ("sinh(x / 3)", "(exp(x / 3) - exp(-x / 3)) / 2"),
        ("tanh(x / 3)", "sinh(x / 3) / cosh(x / 3)"),
        ("asin(sin(x / 6))", "x / 6"),
        ("acos(cos(x / 3))", "x / 3"),
        ("atan(tan(x / 6))", "x / 6"),
        ("acosh(cosh(x / 3))", "x / 3"),
        ("asinh(sinh(x / 3))", "x / 3"),
        ("atanh(tanh(x / 30))", "x / 30"),
        ("cbrt(x / 3)", "pow(x / 3, 1 / 3)"),
        ("log2(x / 3)", "log(x / 3) / log(2)"),
        ("exp2(x / 3)", "pow(2, x / 3)"),
        ("erf(x / 3)", "1 - erfc(x / 3)"),
        ("erf(x / 3)", "erf(x * 5 / 15)"),
        ("hypot(x / 3, 2)", "sqrt(x^2 / 9 + 4)"),
        ("atan2(x / 3, 2)", "atan(x / 6)"),
        ("sigmoid(x / 3)", "1 - sigmoid(-x / 3)"),
        ("softplus(x / 3)", "log(1 + exp(x / 3))"),
        ("logit(sigmoid(x / 9))", "x / 9"),
        ("gelu(x / 3)", "x / 3 * (1 + erf(x / 3 / sqrt(2))) / 2"),
        ("sinpi(x / 3)", "sin(x / 3 * pi)"),
        ("abs(-x / 3)", "max(x / 3, -x / 3)"),
        ("min(x / 3, 1)", "-max(-x / 3, -1)"),
    ] {
        let (first, second) = (radii(a, &xs), radii(b, &xs));
        let mut known = 0;
        for (x, (p, q)) in xs.iter().zip(first.iter().zip(&second)) {
            let apart = ((p[0] - q[0]) + (p[1] - q[1])).abs();
            assert!(
                apart <= p[2] + q[2],
                "{a} and {b} at {x}: {apart:e}, {p:?} {q:?}"
            );
            known += u32::from(p[2] <= 1e-22 * p[0].abs());
        }
        assert!(known > 1500, "{a}: {known} of {} are known", xs.len());
    }
}

use dc_runtime::kernel::CrunchFn;
use doublecrunch::prelude::*;

/// A polynomial with fused steps, a choice and a division.
#[crunch]
fn plain_f64(x: DcDouble, y: DcDouble) -> DcDouble {
    let p = x.mul_add(0.041_666_666_666_666_664, 0.1).mul_add(x, -0.5);
    let q = (p * y - x.abs()) / (y.max(-2.5) + 3.0);
    let inside = (x < y) & !(q != 1.0) | x.is_nan();
    let whole = q.floor() - (q * 1.7).ceil() * (x * y).trunc();
    inside.select(q.sqrt(), -q.copysign(y).min(x) + whole)
}

#[crunch]
fn plain_f32(x: DcFloat) -> DcFloat {
    let r = x.recip();
    let e = r.mul_add(-x, 1.0);
    (x > 0.1).select(e.mul_add(r, r), x * 0.3)
}

/// Operations in binary32 between those in binary64, with constants, a comparison and a choice of each.
#[crunch]
fn mixed_f64(x: DcDouble, y: DcDouble) -> DcDouble {
    let n = x.to_f32();
    let p = n.mul_add(0.1, 1.5) * n - n.sqrt();
    let below = (p < -0.3) | (x < 0.1);
    let chosen = below.select(p, n * 0.7).to_f64();
    (chosen * y - 0.1).copysign(x) + (y * 0.3).to_f32().to_f64()
}

#[crunch]
fn mixed_f32(x: DcFloat) -> DcFloat {
    let w = x.to_f64();
    let near = w * w > 0.1;
    let v = (near.select(w, 0.1) * 0.7).to_f32();
    (v * x).to_f64().mul_add(0.1, w).to_f32() - x
}

#[crunch]
fn widening(x: DcFloat) -> DcDouble {
    x.to_f64() * 0.1
}

#[crunch]
fn with_bits(x: DcDouble) -> DcDouble {
    DcDouble::from_bits(x.to_bits() + 1)
}

fn bits_of(program: &kernels_gen::program::Program, columns: &[&[u64]]) -> Vec<u64> {
    let mut out = vec![Vec::new()];
    eval_batch(program, columns, &mut out);
    out.remove(0)
}

/// A kernel, its text in FPCore, and the routine that is read from that text have the same bits.
#[test]
fn kernels_go_round_through_fpcore() {
    let values = [
        0.0,
        1.0,
        -1.0,
        0.5,
        3.25,
        -2.5,
        1e-310,
        1e300,
        f64::INFINITY,
        f64::NAN,
        0.1,
        -0.0,
        7e-5,
        // Between the double and the float next to 0.1.
        0.100_000_000_5,
    ];
    let mut columns = [Vec::new(), Vec::new()];
    for (i, a) in values.iter().enumerate() {
        for (j, b) in values.iter().enumerate() {
            for (column, x) in columns
                .iter_mut()
                .zip([a * 0.97f64.powi(j as i32), b * 1.3f64.powi(i as i32)])
            {
                column.push(x);
            }
        }
    }
    let wide = columns
        .clone()
        .map(|c| c.iter().map(|x| x.to_bits()).collect::<Vec<u64>>());
    let narrow = columns.map(|c| {
        c.iter()
            .map(|x| u64::from((*x as f32).to_bits()))
            .collect::<Vec<u64>>()
    });
    for (kernel, given) in [
        (
            <plain_f64 as CrunchFn>::KERNEL,
            vec![&wide[0][..], &wide[1]],
        ),
        (<plain_f32 as CrunchFn>::KERNEL, vec![&narrow[0][..]]),
        (
            <mixed_f64 as CrunchFn>::KERNEL,
            vec![&wide[0][..], &wide[1]],
        ),
        (<mixed_f32 as CrunchFn>::KERNEL, vec![&narrow[0][..]]),
    ] {
        let program = kernels_gen::lower(kernel).expect("a kernel");
        let text = write::fpcore(&program, kernel.name).expect("plain operations");
        let cores = fpcore::read(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
        let [core] = &cores[..] else { panic!("{text}") };
        let routine = core.routine().expect("a routine");
        let again = kernels_gen::lower(routine.kernel).expect("a kernel");
        assert_eq!(bits_of(&program, &given), bits_of(&again, &given), "{text}");
        let mut compiled = vec![Vec::new()];
        (routine.cpu.scalar)(&given, &mut compiled);
        assert_eq!(compiled[0], bits_of(&program, &given), "{text}");
        // The text of that routine is the text.
        let text_again = write::fpcore(&again, kernel.name).expect("plain");
        assert_eq!(
            text_again.lines().count(),
            text.lines().count(),
            "{text}{text_again}"
        );
    }
    let program = kernels_gen::lower(<with_bits as CrunchFn>::KERNEL).expect("a kernel");
    let e = write::fpcore(&program, "with_bits").expect_err("bits");
    assert!(e.contains("FPCore has no form for"), "{e}");
    let program = kernels_gen::lower(<widening as CrunchFn>::KERNEL).expect("a kernel");
    let e = write::fpcore(&program, "widening").expect_err("a wider result");
    assert!(e.contains("convert it to binary32 at the end"), "{e}");
}

/// Casts stand where the standard requires them, and each rounds once.
#[test]
fn casts_are_those_of_the_standard() {
    let program = kernels_gen::lower(<mixed_f64 as CrunchFn>::KERNEL).expect("a kernel");
    let text = write::fpcore(&program, "mixed").expect("a text");
    for part in [
        "[t0 (! :precision binary32 (cast x))]",
        "(! :precision binary32 (fma t0 0x1.99999ap-4 0x1.8p0))",
        "(! :precision binary32 (< ",
        "(cast t",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Halfway between two floats, and a little above: rounded once, from the double.
    let (tie, above) = (1.0 + 2f64.powi(-24), 1.0 + 2f64.powi(-24) + 2f64.powi(-50));
    for (body, x, y) in [
        ("(! :precision binary32 (cast x))", tie, 1.0),
        (
            "(! :precision binary32 (cast x))",
            above,
            1.0 + 2f64.powi(-23),
        ),
        ("(cast x)", above, above),
        // A choice and a name round nothing; a number and an operation do.
        ("(! :precision binary32 (if (< 0 x) x 1))", above, above),
        (
            "(let ([a (* x x)]) (! :precision binary32 (if TRUE a a)))",
            tie,
            tie * tie,
        ),
        ("(! :precision binary32 0.1)", 0.0, 0.1f32.into()),
        (
            "(* 3 (! :precision binary32 (+ (cast x) 0.1)))",
            tie,
            3.0 * f64::from(1.0f32 + 0.1f32),
        ),
        (
            "(! :precision binary32 (exp (cast x)))",
            above,
            f64::from(f64::from(above as f32).exp() as f32),
        ),
    ] {
        let text = format!("(FPCore (x) :precision binary64 {body})");
        assert_eq!(
            evaluated(&text, &[x])[0].to_bits(),
            f64::to_bits(y),
            "{text}"
        );
    }
    // In real arithmetic a cast rounds nothing.
    let meant = one("(FPCore (x) (! :precision binary32 (cast x)))").expect("a benchmark");
    let kernel = meant.meant(Form::Radius).expect("a formula");
    let mut outputs = vec![Vec::new(); 3];
    (kernel.cpu.scalar)(&[&[above.to_bits()]], &mut outputs);
    assert_eq!(f64::from_bits(outputs[0][0]), above);
    for (body, says) in [
        (
            "(! :precision binary32 (+ x 1))",
            "an operation in binary32 has an operand in binary64",
        ),
        (
            "(! :precision binary16 (cast x))",
            "the precisions are binary32 and binary64",
        ),
        ("(! :round toZero (cast x))", "the rounding is nearestEven"),
        ("(cast x 1)", "`cast` takes 1 operands, and this is 2"),
    ] {
        let text = format!("(FPCore (x) :precision binary64 {body})");
        let routine = one(&text).and_then(|core| core.routine().map(|_| ()));
        let e = routine.expect_err(&text);
        assert!(e.contains(says), "{text}: {e}");
    }
    let e = one("(FPCore (x) :precision binary32 (! :precision binary64 (* x x)))")
        .and_then(|core| core.routine().map(|_| ()))
        .expect_err("a wider body");
    assert!(e.contains("write (cast …) around the body"), "{e}");
}

fn one(text: &str) -> Result<Core, String> {
    Ok(fpcore::read(text)?.remove(0))
}

fn evaluated(text: &str, xs: &[f64]) -> Vec<f64> {
    let core = one(text).unwrap_or_else(|e| panic!("{e}: {text}"));
    let routine = core.routine().expect(text);
    let bits: Vec<u64> = xs.iter().map(|x| x.to_bits()).collect();
    let mut out = vec![Vec::new()];
    (routine.cpu.scalar)(&[&bits], &mut out);
    out[0].iter().map(|b| f64::from_bits(*b)).collect()
}

#[test]
fn fpcore_means_what_it_says() {
    for (body, x, y) in [
        ("(+ x 1/3)", 1.0, 1.0 + 1.0 / 3.0),
        ("(let ([a 2] [b x]) (* a b))", 3.0, 6.0),
        ("(let ([x 2] [y x]) (+ (* 10 x) y))", 3.0, 23.0),
        ("(let* ([x 2] [y x]) (+ (* 10 x) y))", 3.0, 22.0),
        ("(if (< 0 x 2) 1 (if (or (== x 2) (!= x x)) 2 3))", 1.0, 1.0),
        ("(if (< 0 x 2) 1 (if (or (== x 2) (!= x x)) 2 3))", 2.0, 2.0),
        (
            "(if (and (> x 0) (not (<= x 5))) 1 INFINITY)",
            4.0,
            f64::INFINITY,
        ),
        ("(- (* x PI))", 1.0, -std::f64::consts::PI),
        ("(fma x x -1)", 1.5, 1.25),
        ("(fdim x 3)", 5.0, 2.0),
        ("(fmax NAN x)", 5.0, 5.0),
        ("(exp (! :precision binary64 x))", 1.0, std::f64::consts::E),
        ("(pow x 0.5)", 2.0, std::f64::consts::SQRT_2),
        ("(log1p (copysign 0.25 x))", -7.0, (-0.25f64).ln_1p()),
        ("(if TRUE x (/ x 0))", 7.0, 7.0),
    ] {
        let text = format!("(FPCore (x) :precision binary64 {body})");
        assert_eq!(evaluated(&text, &[x]), [y], "{text}");
    }
    let core = one("(FPCore (x) :precision binary32 (* 0.1 (exp x)))").expect("a benchmark");
    let routine = core.routine().expect("a routine");
    let mut out = vec![Vec::new()];
    (routine.cpu.scalar)(&[&[u64::from(1f32.to_bits())]], &mut out);
    assert_eq!(
        f32::from_bits(out[0][0] as u32),
        0.1f32 * std::f32::consts::E
    );
}

#[test]
fn preconditions_that_are_intervals() {
    let range = |pre: &str| {
        let text = format!("(FPCore (x y) :pre {pre} (+ x y))");
        one(&text).expect(&text).range.expect("a precondition")
    };
    assert_eq!(
        range("(and (<= 1 x 2) (< 0x1p-3 y 1))").as_deref(),
        Ok("0x1p0..=0x1p1 x 0x1.0000000000001p-3..=0x1.fffffffffffffp-1")
    );
    assert_eq!(
        range("(and (>= 0.1 x 0) (<= y 4) (> y -4))").as_deref(),
        Ok("-0x0p0..=0x1.9999999999999p-4 x -0x1.fffffffffffffp1..=0x1p2")
    );
    for pre in [
        "(< x y)",
        "(< (* x x) 2)",
        "(or (< x 1) (> x 2))",
        "(< 2 x 1)",
    ] {
        assert!(range(pre).is_err(), "{pre}");
    }
    let one_sided = one("(FPCore (x) :precision binary32 :pre (> x 0) x)").expect("a benchmark");
    assert_eq!(
        one_sided.range.expect("there").as_deref(),
        Ok("0x0.000002p-126..=0x1.fffffep127")
    );
}

#[test]
fn fpcore_that_is_refused_says_why() {
    for (text, says) in [
        (
            "(FPCore (x) (while (< x 1) ([x x (+ x 1)]) x))",
            "line 1, column 14: `while`: a loop whose length depends",
        ),
        (
            "(FPCore (x) (sni x))",
            "there is no operator `sni`; near it: sin",
        ),
        (
            "(FPCore (x) (+ x yy))",
            "column 18: there is no variable or constant `yy`",
        ),
        ("(FPCore (x) (+ x PII))", "near it: PI"),
        (
            "(FPCore (x) (sin x x))",
            "`sin` takes 1 operands, and this is 2",
        ),
        (
            "(FPCore (x)\n (+ x 1 2))",
            "line 2, column 3: `+` takes 2 operands",
        ),
        (
            "(FPCore (x) (+ x 1)",
            "line 1, column 1: this `(` is not closed",
        ),
        ("(FPCore (x) (+ x 1]))", "this `(` is closed by `]`"),
        ("(FPCore (x y z) x)", "it has 3 arguments"),
        ("(FPCore () 1)", "it has 0 arguments"),
        (
            "(FPCore (x) :precision binary16 x)",
            "the precisions are binary32 and binary64",
        ),
        (
            "(FPCore (x) :round toZero x)",
            "the rounding is nearestEven",
        ),
        ("(FPCore (x) (if x 1 2))", "a condition is expected"),
        ("(FPCore (x) (+ (< x 1) 2))", "a number is expected"),
        (
            "(FPCore (x) (round x))",
            "`round`: rounding to whole numbers",
        ),
        (
            "(FPCore (x) (! :precision binary80 x))",
            "column 27: the precisions are binary32 and binary64",
        ),
        ("(lambda (x) x)", "a benchmark begins with FPCore"),
        ("", "it has no (FPCore …)"),
        ("(FPCore (x) 1.2.3)", "`1.2.3` is no number"),
    ] {
        let e = fpcore::read(text).map(|_| ()).expect_err(text);
        assert!(e.contains(says), "{text}: {e}");
    }
    // Comments, names, other properties and brackets.
    let core = one("; a note (\n(FPCore t (x) :cite (a b) :name \"x \\\"(\" [+ x 1]) ; the end")
        .expect("a benchmark");
    assert_eq!(
        (
            core.name.as_deref(),
            core.text.starts_with("(FPCore t"),
            core.text.ends_with("[+ x 1])")
        ),
        (Some("t"), true, true)
    );
}
