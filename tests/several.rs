//! Functions of libraries with three arguments, with two results, and of complex numbers: right functions, and ones with a fault that is
//! planted.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

#[path = "support/c_library.rs"]
mod c_library;
#[macro_use]
#[path = "support/run.rs"]
mod run;

use std::process::Command;

use c_library::Library;
use run::Run;

/// The right functions, and those with a fault.
const SOURCE: &str = r#"
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static uint32_t bits(float x) { uint32_t u; memcpy(&u, &x, 4); return u; }
static float number(uint32_t u) { float x; memcpy(&x, &u, 4); return x; }
static float of_bf16(uint16_t b) { return number((uint32_t)b << 16); }
static uint16_t to_bf16(float x) {
    uint32_t u = bits(x);
    return x != x ? 0x7fc0 : (u + 0x7fff + (u >> 16 & 1)) >> 16;
}

/* Three arguments. */
double fma_unfused(double x, double y, double z) { return x * y + z; }
float fmaf_unfused(float x, float y, float z) { return x * y + z; }
float fmaf_by_double(float x, float y, float z) { return (float)((double)x * y + z); }
double fma_zero(double x, double y, double z) { double r = fma(x, y, z); return r == 0 ? fabs(r) : r; }
double fma_crash(double x, double y, double z) { if (x == 3.0 && y == 2.0 && z == 1.0) abort(); return fma(x, y, z); }
float lerpf_right(float x, float y, float t) { return (float)fma(t, y, fma(-(double)t, x, x)); }
float lerpf_usual(float x, float y, float t) { return x + t * (y - x); }
float lerpf_ends(float x, float y, float t) { return (1 - t) * x + t * y; }
float clampf_right(float x, float a, float b) { return x < a ? a : x > b ? b : x; }
float clampf_minmax(float x, float a, float b) { return fminf(fmaxf(x, a), b); }
/* Of bfloat16 a product is exact in binary32, and a sum of doubles is rounded to odd for the last rounding. */
uint16_t bf16_fma(uint16_t x, uint16_t y, uint16_t z) {
    double p = (double)of_bf16(x) * of_bf16(y), c = of_bf16(z), s = p + c, b = s - p, e = (p - (s - b)) + (c - b);
    uint64_t u;
    memcpy(&u, &s, 8);
    if (isfinite(s) && e != 0 && !(u & 1)) { u += (e > 0) == (s > 0) ? 1 : -1; memcpy(&s, &u, 8); }
    float f = (float)s;
    if (isfinite(s) && f != s && !(bits(f) & 1)) {
        f = fabs((double)f) < fabs(s) ? nextafterf(f, copysignf(INFINITY, f)) : nextafterf(f, 0);
        if (f == 0 && s != 0) f = copysignf(number(1), (float)s);
    }
    return to_bf16(f);
}
uint16_t bf16_fma_twice(uint16_t x, uint16_t y, uint16_t z) { return to_bf16(of_bf16(x) * of_bf16(y) + of_bf16(z)); }

/* Two results. */
void both(double x, double *s, double *c) { *s = sin(x); *c = cos(x); }
void both_swapped(double x, double *s, double *c) { *c = sin(x); *s = cos(x); }
void both_one(double x, double *s, double *c) { *s = sin(x); }
void bothf(float x, float *s, float *c) { *s = (float)sin(x); *c = (float)cos(x); }
void bothf_once(float x, float *s, float *c) { bothf(x, s, c); if (x == 2.0f) *c = nextafterf(*c, 1); }

/* Complex numbers. */
double _Complex right_exp(double _Complex z) { return cexp(z); }
double _Complex swapped_exp(double _Complex z) { double _Complex w = cexp(z); return CMPLX(cimag(w), creal(w)); }
double _Complex naive_exp(double _Complex z) { double r = exp(creal(z)); return CMPLX(r * cos(cimag(z)), r * sin(cimag(z))); }
double _Complex log_cut(double _Complex z) { return clog(CMPLX(creal(z), cimag(z) + 0.0)); }
double _Complex naive_log(double _Complex z) { return CMPLX(log(hypot(creal(z), cimag(z))), atan2(cimag(z), creal(z))); }
double _Complex sqrt_cut(double _Complex z) { double _Complex w = csqrt(z); return cimag(z) == 0 && creal(z) < 0 ? conj(w) : w; }
double _Complex acos_cut(double _Complex z) { return cimag(z) == 0 && creal(z) > 1 ? conj(cacos(z)) : cacos(z); }
float _Complex expf_by_double(float _Complex z) {
    double _Complex w = cexp(CMPLX(crealf(z), cimagf(z)));
    return CMPLXF((float)creal(w), (float)cimag(w));
}
double _Complex power(double _Complex z, double _Complex w) { return cpow(z, w); }
double _Complex power_turned(double _Complex z, double _Complex w) { return cpow(w, z); }
double _Complex square_or_power(double _Complex z, double _Complex w) {
    if (creal(w) == 2 && cimag(w) == 0)
        return CMPLX(fma(creal(z), creal(z), -cimag(z) * cimag(z)), 2 * creal(z) * cimag(z));
    return cpow(z, w);
}
"#;

/// The library; without a compiler it has no path.
static LIBRARY: Library = Library::new(SOURCE, &["-fno-builtin"]);

/// `crunch` with these words; `LIB` stands for the library.
fn crunch(words: &str) -> Option<Run> {
    let library = LIBRARY.path()?.to_str().expect("UTF-8");
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_crunch"));
    command
        .args(words.split_whitespace().map(|w| w.replace("LIB", library)))
        .current_dir(folder.path())
        .env_remove("CRUNCH_REQUIRE");
    Some(Run::of(&mut command))
}

/// What `run --json` of a function finds.
fn found(of: &str, symbol: &str, signature: &str, more: &str) -> Option<serde_json::Value> {
    let words =
        format!("run --json --library {of} --symbol {symbol} --signature {signature} {more}");
    let run = crunch(&words)?;
    assert_eq!(run.code, Some(0), "{words}: {}", run.text());
    let document: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(document["exhaustive"], false, "{words}");
    Some(document)
}

/// The size of the largest error of a part, in ULP; infinite if it is not a number in JSON.
fn worst(found: &serde_json::Value, part: usize) -> f64 {
    let error = &found["parts"][part]["worst"]["error"];
    error.as_f64().unwrap_or(f64::INFINITY).abs()
}

/// The counts of the faults of a part: a NaN, an infinity, a number for zero, a zero of the wrong sign.
fn faults(found: &serde_json::Value, part: usize) -> [u64; 4] {
    [0, 1, 2, 3].map(|n| {
        let count = &found["parts"][part]["faults"][n]["count"];
        count.as_u64().expect("a count")
    })
}

/// Every number is the nearest, and there are no faults.
fn is_right(of: &str, symbol: &str, signature: &str, more: &str) {
    let Some(found) = found(of, symbol, signature, more) else {
        return;
    };
    for (n, part) in found["parts"].as_array().expect("parts").iter().enumerate() {
        assert_eq!(
            part["numbers"], part["correctly_rounded"],
            "{symbol}: {part}"
        );
        assert!(part["numbers"].as_u64() > Some(100_000), "{symbol}: {part}");
        assert_eq!(faults(&found, n), [0; 4], "{symbol}: {part}");
        assert_eq!(part["undecided"], 0, "{symbol}: {part}");
    }
}

#[test]
fn fused_multiply_add() {
    is_right("libm.so.6", "fma", "f64,f64,f64", "--computes fma");
    is_right("libm.so.6", "fmaf", "f32,f32,f32->f32", "--computes fma");
    is_right("LIB", "bf16_fma", "bf16,bf16,bf16", "--computes fma");
    let of = |symbol: &str, signature: &str| found("LIB", symbol, signature, "--computes fma");
    // Cancellation, and overflow of the product.
    let Some(unfused) = of("fma_unfused", "f64,f64,f64") else {
        return;
    };
    assert!(worst(&unfused, 0) > 1e10, "{unfused}");
    assert!(faults(&unfused, 0)[1] > 1000, "{unfused}");
    let unfused = of("fmaf_unfused", "f32,f32,f32").expect("a library");
    assert!(worst(&unfused, 0) > 1e6, "{unfused}");
    // Rounded twice, first to binary64: half an ULP and a little, at some ties.
    let twice = of("fmaf_by_double", "f32,f32,f32").expect("a library");
    let part = &twice["parts"][0];
    let wrong = part["numbers"].as_u64().expect("a count")
        - part["correctly_rounded"].as_u64().expect("a count");
    assert!((10..100_000).contains(&wrong), "{twice}");
    assert!((0.5..0.51).contains(&worst(&twice, 0)), "{twice}");
    let twice = of("bf16_fma_twice", "bf16,bf16,bf16").expect("a library");
    assert!(
        twice["parts"][0]["numbers"] != twice["parts"][0]["correctly_rounded"],
        "{twice}"
    );
    // The sign of zeros alone.
    let zero = of("fma_zero", "f64,f64,f64").expect("a library");
    let [nan, infinity, number, sign] = faults(&zero, 0);
    assert!(nan + infinity + number == 0 && sign > 10, "{zero}");
}

#[test]
fn lerp_and_clamp() {
    let of = |symbol: &str, computes: &str| found("LIB", symbol, "f32,f32,f32", computes);
    let Some(usual) = of("lerpf_usual", "--computes lerp") else {
        return;
    };
    // At t = 1 it is not y, and y - x overflows.
    assert!(
        worst(&usual, 0) > 1e6 && faults(&usual, 0)[1] > 100,
        "{usual}"
    );
    let ends = of("lerpf_ends", "--computes lerp").expect("a library");
    assert!(worst(&ends, 0) > 1e3, "{ends}");
    // In binary64, rounded once more: far better, but for results that cancel.
    let right = of("lerpf_right", "--computes lerp").expect("a library");
    let share = |found: &serde_json::Value| {
        let part = &found["parts"][0];
        part["correctly_rounded"].as_f64().expect("a count")
            / part["numbers"].as_f64().expect("a count")
    };
    assert!(
        share(&right) > share(&ends) && share(&right) > 0.98,
        "{right}"
    );
    is_right("LIB", "clampf_right", "f32,f32,f32", "--computes clamp");
    // fmax drops NaN.
    let minmax = of("clampf_minmax", "--computes clamp").expect("a library");
    let [nan, infinity, number, sign] = faults(&minmax, 0);
    assert!(nan > 10 && infinity + number + sign == 0, "{minmax}");
}

#[test]
fn two_results() {
    let Some(right) = found("libm.so.6", "sincos", "f64->f64,f64", "--computes sincos") else {
        return;
    };
    for part in [0, 1] {
        assert!((0.5..0.6).contains(&worst(&right, part)), "{right}");
        assert_eq!(faults(&right, part), [0; 4], "{right}");
    }
    let swapped =
        found("LIB", "both_swapped", "f64->f64,f64", "--computes sincos").expect("a library");
    assert!(
        worst(&swapped, 0) > 1e6 && worst(&swapped, 1) > 1e6,
        "{swapped}"
    );
    // A result that is never written is NaN.
    let one = found("LIB", "both_one", "f64->f64,f64", "--computes sincos").expect("a library");
    assert_eq!(faults(&one, 0), [0; 4], "{one}");
    assert!(faults(&one, 1)[0] > 100_000, "{one}");
    let narrow = found("LIB", "bothf", "f32->f32,f32", "--computes sincos").expect("a library");
    assert!(
        worst(&narrow, 0) < 0.500_001 && worst(&narrow, 1) < 0.500_001,
        "{narrow}"
    );
}

/// Each of two results alone is a function of one argument: it is searched whole, and compared with others.
#[test]
fn one_of_two_results() {
    let searched = |symbol: &str, signature: &str, computes: &str| {
        crunch(&format!(
            "run --library LIB --symbol {symbol} --signature {signature} --computes {computes} --range 1.0..4.0"
        ))
    };
    for (signature, computes) in [("f32->f32,_", "sin"), ("f32->_,f32", "cos")] {
        let Some(run) = searched("bothf", signature, computes) else {
            return;
        };
        assert!(
            run.line("misrounded").trim().starts_with("0 of 16,777,216"),
            "{}",
            run.text()
        );
    }
    let run = searched("bothf_once", "f32->_,f32", "cos").expect("a library");
    assert!(
        run.line("misrounded").trim().starts_with("1 of"),
        "{}",
        run.text()
    );
    let run = searched("bothf_once", "f32->f32,_", "sin").expect("a library");
    assert!(
        run.line("misrounded").trim().starts_with("0 of"),
        "{}",
        run.text()
    );
    for (pair, code) in [
        ("libm.so.6:sincos:f64->f64,_ libm.so.6:sin:f64", 0),
        ("libm.so.6:sincos:f64->_,f64 libm.so.6:cos:f64", 0),
        ("libm.so.6:sincos:f64->f64,_ libm.so.6:cos:f64", 1),
    ] {
        let run = crunch(&format!("verify --differ {pair} --inputs 2^18")).expect("a library");
        assert_eq!(run.code, Some(code), "{pair}: {}", run.text());
    }
}

#[test]
fn a_run_file_of_one_of_two_results_is_resumed() {
    let Some(library) = LIBRARY.path() else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crunch"));
        command
            .args(args)
            .current_dir(folder.path())
            .env_remove("CRUNCH_REQUIRE");
        Run::of(&mut command)
    };
    let library = library.to_str().expect("UTF-8");
    let searched = run(&words!(
        "run --library {library} --symbol bothf_once --signature f32->_,f32 \
                --computes cos --range 1.0..4.0 -o found.crunch"
    ));
    assert_eq!(searched.code, Some(0), "{}", searched.text());
    let again = run(&["resume", "found.crunch"]);
    assert_eq!(
        again.line("misrounded"),
        searched.line("misrounded"),
        "{}",
        again.text()
    );
}

#[test]
fn candidates_are_compared() {
    for (pair, code, says) in [
        (
            "libm.so.6:fma:f64,f64,f64 libm.so.6:fma:f64,f64,f64",
            0,
            "differ        0",
        ),
        (
            "libm.so.6:fma:f64,f64,f64 LIB:fma_unfused:f64,f64,f64",
            1,
            "one of both, at",
        ),
        (
            "libm.so.6:fmaf:f32,f32,f32 LIB:fmaf_by_double:f32,f32,f32",
            1,
            "largest       1 ULP",
        ),
        (
            "libm.so.6:cexp:cf64 LIB:right_exp:cf64",
            0,
            "complex numbers, a stratified sample",
        ),
        ("libm.so.6:cexp:cf64 LIB:swapped_exp:cf64", 1, "largest"),
        ("libm.so.6:csqrt:cf64 LIB:sqrt_cut:cf64", 1, "first"),
        (
            "libm.so.6:sincos:f64->f64,f64 LIB:both:f64->f64,f64",
            0,
            "numbers, a stratified sample",
        ),
        (
            "libm.so.6:cpow:cf64,cf64 LIB:power_turned:cf64,cf64",
            1,
            "pairs of complex numbers",
        ),
    ] {
        let Some(run) = crunch(&format!("verify --differ {pair} --inputs 2^17")) else {
            return;
        };
        assert_eq!(run.code, Some(code), "{pair}: {}", run.text());
        assert!(run.out.contains(says), "{pair}: {}", run.text());
    }
    for (pair, says) in [
        (
            "libm.so.6:fma:f64,f64,f64 libm.so.6:exp:f64",
            "another candidate is not",
        ),
        (
            "libm.so.6:fma:f64,f64,f64 libm.so.6:fmaf:f32,f32,f32",
            "one is a function of f64,f64,f64 and another of f32,f32,f32",
        ),
        (
            "libm.so.6:cexp:cf64 libm.so.6:cexp:c64",
            "cf64 is `double _Complex`",
        ),
    ] {
        let run = crunch(&format!("verify --differ {pair}")).expect("a library");
        assert_eq!(run.code, Some(2), "{pair}: {}", run.text());
        assert!(run.err.contains(says), "{pair}: {}", run.text());
    }
}

/// A function in binary64 is the reference of one in binary32, also without MPFR.
#[test]
fn a_wider_function_is_the_reference() {
    let against = "--against libm.so.6:cexp:cf64";
    let Some(right) = found("LIB", "expf_by_double", "cf32", against) else {
        return;
    };
    for part in [0, 1] {
        assert!(worst(&right, part) <= 0.5, "{right}");
        assert_eq!(faults(&right, part), [0; 4], "{right}");
    }
    let wrong = found(
        "LIB",
        "expf_by_double",
        "cf32",
        "--against LIB:swapped_exp:cf64",
    )
    .expect("a library");
    assert!(worst(&wrong, 0) > 1e3, "{wrong}");
    is_right("libm.so.6", "fmaf", "f32,f32,f32", "--computes fma");
    let twice = found(
        "libm.so.6",
        "fmaf",
        "f32,f32,f32",
        "--against libm.so.6:fma:f64,f64,f64",
    )
    .expect("a library");
    assert!(worst(&twice, 0) <= 0.5, "{twice}");
}

#[test]
fn single_inputs() {
    let of = "at --library LIB --symbol fma_unfused --signature f64,f64,f64 --computes fma";
    let Some(run) = crunch(&format!(
        "{of} 4097,4097,0x1p-30 0x1.0000002p0,0x1.0000002p0,-1 0,-1,0 nan,1,1"
    )) else {
        return;
    };
    assert_eq!(run.code, Some(0), "{}", run.text());
    for says in [
        "fma_unfused at (4097.0, 4097.0, 9.313225746154785e-10)",
        "reference   16785409.0",
        "rounded correctly",
        "not the nearest number",
    ] {
        assert!(run.out.contains(says), "{says}: {}", run.text());
    }
    // In each argument the numbers before and after, with the others fixed.
    let run = crunch(&format!("{of} 4097,4097,0x1p-30")).expect("a library");
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines.len(), 10, "{}", run.text());
    for (line, begins) in lines[4..].iter().zip([
        "x before      4096.999999999999 gives 16785408.999999996, error ",
        "x after       4097.000000000001 gives 16785409.000000004, error ",
        "y before      4096.999999999999 gives ",
        "y after       4097.000000000001 gives ",
        "z before      9.313225746154784e-10 gives 16785409.0, error -0.2",
        "z after       9.313225746154787e-10 gives 16785409.0, error ",
    ]) {
        assert!(line.starts_with(begins), "{begins}: {}", run.text());
    }
    let words = "at --library LIB --symbol bothf_once --signature f32->f32,f32 --computes sincos";
    let run = crunch(&format!("{words} 1.9999999 --json")).expect("a library");
    let found: serde_json::Value = serde_json::from_str(&run.out).expect("a document");
    let after = &found[0]["neighbours"][1];
    assert_eq!(
        (&after["neighbour"], &after["input"][0]["decimal"]),
        (&"after".into(), &"2.0".into())
    );
    assert_eq!(after["parts"][0]["verdict"], "rounded correctly");
    assert_eq!(after["parts"][1]["verdict"], "not the nearest number");
    let words =
        "at --library LIB --symbol bf16_fma --signature bf16,bf16,bf16 --computes fma inf,1,0";
    let run = crunch(words).expect("a library");
    let names: Vec<&str> = run.out.lines().skip(4).map(|l| &l[..9]).collect();
    assert_eq!(
        names,
        [
            "x before ",
            "y before ",
            "y after  ",
            "z before ",
            "z after  "
        ],
        "{}",
        run.text()
    );
    assert_eq!(
        run.line("y after       "),
        "1.0078125 gives inf, error rounded correctly"
    );
    for (input, says) in [
        (
            "1,2",
            "has 2 numbers, and an input of a function of f64,f64,f64 has 3",
        ),
        ("1,2,x", "`x`"),
    ] {
        let run = crunch(&format!("{of} {input}")).expect("a library");
        assert!(
            run.code == Some(2) && run.err.contains(says),
            "{}",
            run.text()
        );
    }
    let run = crunch(
        "at --library LIB --symbol bf16_fma --signature bf16,bf16,bf16 --computes fma 1.001,1,1",
    )
    .expect("a library");
    assert!(
        run.code == Some(2) && run.err.contains("`1.001` is not a number in bf16"),
        "{}",
        run.text()
    );
}

/// A crash ends the search, with the triple.
#[test]
fn a_crash_is_reported_with_its_arguments() {
    let words = "run --library LIB --symbol fma_crash --signature f64,f64,f64 --computes fma";
    let Some(run) = crunch(words) else { return };
    assert_eq!(run.code, Some(4), "{}", run.text());
    contains!(run.err, "SIGABRT", "(3.0 = ");
}

#[test]
fn complex_functions_need_mpfr() {
    let run = crunch("run --library libm.so.6 --symbol cexp --signature cf64 --computes exp");
    if let (Some(run), false) = (run, cfg!(feature = "mpfr")) {
        assert_eq!(run.code, Some(3), "{}", run.text());
        contains!(run.err, "build with `--features mpfr`");
    }
}

/// The C library's functions have small errors, and the values of the standard at infinities, NaN and branch cuts.
#[cfg(feature = "mpfr")]
#[test]
fn complex_functions_of_the_c_library() {
    for name in [
        "exp", "log", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh",
        "asinh", "acosh", "atanh",
    ] {
        let Some(found) = found(
            "libm.so.6",
            &format!("c{name}"),
            "cf64",
            &format!("--computes {name}"),
        ) else {
            return;
        };
        for part in [0, 1] {
            assert!(
                (0.5..10.0).contains(&worst(&found, part)),
                "{name}: {found}"
            );
            assert_eq!(faults(&found, part), [0; 4], "{name}: {found}");
        }
        let norm = found["norm"]["worst"]["error"].as_f64().expect("a number");
        assert!((0.4..5.0).contains(&norm), "{name}: {found}");
    }
}

#[cfg(feature = "mpfr")]
#[test]
fn complex_functions_with_faults() {
    let of = |symbol: &str, computes: &str| {
        found("LIB", symbol, "cf64", &format!("--computes {computes}"))
    };
    let Some(swapped) = of("swapped_exp", "exp") else {
        return;
    };
    assert!(
        worst(&swapped, 0) > 1e6 && worst(&swapped, 1) > 1e6,
        "{swapped}"
    );
    // An intermediate overflow, and zeros times infinities.
    let naive = of("naive_exp", "exp").expect("a library");
    assert!(faults(&naive, 0)[0] + faults(&naive, 1)[0] > 10, "{naive}");
    assert!(faults(&naive, 0)[1] > 10, "{naive}");
    // Near the unit circle the logarithm cancels; its direction is right.
    let naive = of("naive_log", "log").expect("a library");
    assert!(worst(&naive, 0) > 1e6 && worst(&naive, 1) < 2.0, "{naive}");
    // The sign of a zero is lost: the other side of the branch cut.
    let cut = of("log_cut", "log").expect("a library");
    assert!(worst(&cut, 0) < 10.0 && worst(&cut, 1) > 1e15, "{cut}");
    assert!(faults(&cut, 1)[3] > 10, "{cut}");
    for (symbol, name) in [("sqrt_cut", "sqrt"), ("acos_cut", "acos")] {
        let cut = of(symbol, name).expect("a library");
        assert!(worst(&cut, 0) < 10.0 && worst(&cut, 1) > 1e15, "{cut}");
    }
    let power = found("LIB", "power_turned", "cf64,cf64", "--computes pow").expect("a library");
    assert!(worst(&power, 0) > 1e6, "{power}");
    // A square by products has real parts that are exact where cpow's are not.
    let at = |symbol: &str| {
        let run = crunch(&format!(
            "at --library LIB --symbol {symbol} --signature cf64,cf64 --computes pow 1,1,2,0"
        ));
        run.expect("a library").out
    };
    for (symbol, says) in [
        ("square_or_power", "0 ULP: rounded correctly"),
        ("power", "a number where the value is zero"),
    ] {
        let shown = at(symbol);
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(
            lines[3].trim_start(),
            format!("error       {says}"),
            "{shown}"
        );
        // Two neighbours of each part of both numbers.
        let begins = [
            "re x before",
            "re x after",
            "im x before",
            "im x after",
            "re y before",
            "re y after",
            "im y before",
            "im y after",
        ];
        assert_eq!(lines.len(), 7 + begins.len(), "{shown}");
        for (line, begins) in lines[7..].iter().zip(begins) {
            assert!(line.starts_with(begins), "{begins}: {shown}");
        }
    }
}

/// Errors, times and bits of several functions, at the same sample.
#[test]
fn functions_are_compared_side_by_side() {
    let candidates =
        "LIB:fma_zero:f64,f64,f64 libm.so.6:fma:f64,f64,f64 LIB:fma_unfused:f64,f64,f64";
    let words = format!("compare {candidates} --computes fma --time 0.1s");
    let Some(run) = crunch(&format!("{words} --json")) else {
        return;
    };
    assert_eq!(run.code, Some(0), "{}", run.text());
    let found: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    let all = found["candidates"].as_array().expect("candidates");
    assert_eq!(
        (all.len(), &found["exhaustive"]),
        (3, &false.into()),
        "{found}"
    );
    let number = |v: &serde_json::Value| v.as_f64().expect("a number");
    let [zero, right, unfused] = &all[..] else {
        panic!("{found}")
    };
    // All at the same inputs: the first differs in signs of zeros alone.
    assert_eq!(zero["inputs"], right["inputs"]);
    assert!(number(&right["inputs"]) > 1e6, "{found}");
    let part = &right["parts"][0];
    assert_eq!(part["numbers"], part["correctly_rounded"], "{right}");
    assert_eq!(faults(right, 0), [0; 4]);
    let signs = faults(zero, 0)[3];
    assert!(signs > 0, "{zero}");
    assert_eq!(right["bits"]["differing"], signs, "{found}");
    assert!(zero["bits"].is_null(), "{found}");
    assert!(
        worst(unfused, 0) > 1e10 && number(&unfused["bits"]["differing"]) > 1e4,
        "{found}"
    );
    assert_eq!(zero["ratio"], 1.0);
    for c in all {
        assert!(
            number(&c["nanoseconds"]) > 0.0 && number(&c["ratio"]) > 0.0,
            "{c}"
        );
        let quartiles = [0, 1].map(|n| number(&c["ratio_quartiles"][n]));
        assert!(
            quartiles[0] <= number(&c["ratio"]) && number(&c["ratio"]) <= quartiles[1],
            "{c}"
        );
    }
    let run = crunch(&words).expect("a library");
    for says in [
        "3 candidates, ",
        " triples, a stratified sample (not exhaustive)\nreference     fma: x y + z, exact\n",
        "worst         fma_unfused of ",
        "a zero of the wrong sign, first at (",
        "first         fma of ",
        "25 rounds in turn on one thread",
    ] {
        assert!(run.out.contains(says), "{says}: {}", run.text());
    }
    // Each of two results.
    let pair = "LIB:bothf:f32->f32,f32 LIB:bothf_once:f32->f32,f32";
    let run = crunch(&format!(
        "compare {pair} --computes sincos --time 0.1s --json"
    ));
    let run = run.expect("a library");
    let found: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    let second = &found["candidates"][1];
    // 2 is in the sample some times, and nothing else differs.
    let differing = number(&second["bits"]["differing"]);
    assert!((1.0..100.0).contains(&differing), "{found}");
    assert_eq!(second["bits"]["first"]["input"][0]["decimal"], "2.0");
    assert!(
        worst(second, 0) < 0.51 && worst(second, 1) > 0.51,
        "{found}"
    );
    for (words, says) in [
        (
            format!("compare {candidates}"),
            "need the function that they are meant to compute: --computes FUNCTION, such as --computes fma",
        ),
        (
            format!("compare {candidates} --computes sin"),
            "for functions of f64,f64,f64 there are fma, lerp, clamp",
        ),
        (
            format!("compare {candidates} --computes fma --range 1..2"),
            "--range: functions of f64,f64,f64 are called in libraries with",
        ),
        (
            format!("compare exp {candidates} --computes fma"),
            "another candidate is not; compare functions of the same types",
        ),
        (
            format!("compare {candidates} libm.so.6:fmaf:f32,f32,f32 --computes fma"),
            "one is a function of f64,f64,f64 and another of f32,f32,f32",
        ),
    ] {
        let run = crunch(&words).expect("a library");
        assert!(
            run.code == Some(2) && run.err.contains(says),
            "{words}: {}",
            run.text()
        );
    }
}
