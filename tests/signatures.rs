//! Functions of libraries with other types than `float f(float)`: a right function, and one with a fault that is planted, for each kind of
//! signature.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

#[path = "support/c_library.rs"]
mod c_library;
#[macro_use]
#[path = "support/run.rs"]
mod run;

use std::path::Path;
use std::process::Command;

use c_library::Library;
use run::Run;

/// The right functions, and those with a fault.
const SOURCE: &str = r#"
#include <math.h>
#include <stdint.h>
#include <string.h>
static uint32_t bits(float x) { uint32_t u; memcpy(&u, &x, 4); return u; }
static float number(uint32_t u) { float x; memcpy(&x, &u, 4); return x; }

/* bfloat16 is the upper half of binary32. */
static float of_bf16(uint16_t b) { return number((uint32_t)b << 16); }
uint16_t to_bf16(float x) {
    uint32_t u = bits(x);
    if (x != x) return 0x7fc0;
    return (u + 0x7fff + (u >> 16 & 1)) >> 16;
}
uint16_t to_bf16_truncates(float x) { return bits(x) >> 16; }
uint16_t to_bf16_ties_away(float x) { return x != x ? 0x7fc0 : (bits(x) + 0x8000) >> 16; }
uint16_t bf16_exp(uint16_t b) { return to_bf16((float)exp(of_bf16(b))); }
uint16_t bf16_exp_of_float(uint16_t b) { return to_bf16(expf(of_bf16(b))) + (b == 0x3f80); }
uint16_t bf16_sum(uint16_t a, uint16_t b) { return to_bf16(of_bf16(a) + of_bf16(b)); }
uint16_t bf16_sum_truncates(uint16_t a, uint16_t b) { return to_bf16_truncates(of_bf16(a) + of_bf16(b)); }
uint16_t bf16_double(double x) {
    /* Rounded to odd first. */
    float f = (float)x;
    if (f != x && fabs((double)f) > fabs(x)) f = nextafterf(f, 0);
    if (f != x && f == f && !isinf(f)) f = number(bits(f) | 1);
    return to_bf16(f);
}
uint16_t bf16_double_twice(double x) { return to_bf16((float)x); }

/* binary16, by the compiler. */
uint16_t to_f16(float x) { _Float16 h = x; uint16_t u; memcpy(&u, &h, 2); return u; }
static float of_f16(uint16_t u) { _Float16 h; memcpy(&h, &u, 2); return h; }
uint16_t to_f16_flushes(float x) { return fabsf(x) < 0x1p-14f ? bits(x) >> 16 & 0x8000 : to_f16(x); }
uint16_t f16_sqrt(uint16_t u) { return to_f16(sqrtf(of_f16(u))); }
uint16_t f16_sqrt_once_wrong(uint16_t u) { return u == 0x4001 ? to_f16(sqrtf(of_f16(u))) + 1 : to_f16(sqrtf(of_f16(u))); }
float f16_widened(uint16_t u) { return of_f16(u); }

float narrowed(double x) { return (float)x; }
float narrowed_toward_zero(double x) { float f = (float)x; return fabs((double)f) > fabs(x) ? nextafterf(f, 0) : f; }
double widened_sin(float x) { return sin((double)x); }
double sin_of_float(float x) { return sinf(x); }

/* Integers. */
float from_u64(uint64_t n) { return (float)n; }
float from_u64_twice(uint64_t n) { return (float)(double)n; }
double from_i64(int64_t n) { return (double)n; }
uint16_t from_i32(int32_t n) { return bf16_double((double)n); }
uint16_t from_i32_twice(int32_t n) { return to_bf16((float)n); }
int64_t nearest(double x) { return llrint(x); }
int32_t nearest32(float x) { return (int32_t)lrintf(x); }
int32_t truncated32(float x) { return (int32_t)x; }
int32_t away32(float x) { return (int32_t)lroundf(x); }
uint32_t square(int32_t n) { return (uint32_t)n * (uint32_t)n; }

/* Vectors. */
typedef float v4 __attribute__((vector_size(16)));
typedef float v8 __attribute__((vector_size(32)));
typedef float v16 __attribute__((vector_size(64)));
typedef double d4 __attribute__((vector_size(32)));
typedef double d8 __attribute__((vector_size(64)));
float inverse(float x) { return 1.0f / x; }
v4 inverse4(v4 x) { return 1.0f / x; }
__attribute__((target("avx2"))) v8 inverse8(v8 x) { return 1.0f / x; }
__attribute__((target("avx2"))) v8 inverse8_lane(v8 x) {
    v8 y = 1.0f / x;
    if (x[5] == 1.03125f) y[5] = nextafterf(y[5], 0);
    return y;
}
__attribute__((target("avx2"))) d4 quotient4(d4 x, d4 y) { return x / y; }
__attribute__((target("avx512f"))) v16 inverse16(v16 x) { return 1.0f / x; }
__attribute__((target("avx512f"))) d8 inverse8d(d8 x) { return 1.0 / x; }
"#;

/// The library; without a compiler that has `_Float16` it has no path.
static LIBRARY: Library = Library::new(SOURCE, &[]);

/// `crunch` with these words; `LIB` stands for the library.
fn crunch(folder: &Path, words: &str) -> Option<Run> {
    let library = LIBRARY.path()?.to_str().expect("UTF-8");
    let mut args: Vec<String> = Vec::new();
    for (i, part) in words.split('"').enumerate() {
        match i % 2 {
            0 => args.extend(part.split_whitespace().map(|w| w.replace("LIB", library))),
            _ => args.push(part.into()),
        }
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_crunch"));
    command
        .args(args)
        .current_dir(folder)
        .env_remove("CRUNCH_REQUIRE");
    Some(Run::of(&mut command))
}

/// A search of a function of the library.
fn search(symbol: &str, signature: &str, more: &str) -> Option<Run> {
    let folder = tempfile::tempdir().expect("a folder");
    let words = format!(
        "run --library LIB --symbol {symbol} --signature {signature} {more} -o found.crunch"
    );
    let run = crunch(folder.path(), &words)?;
    assert!(matches!(run.code, Some(0 | 1)), "{words}: {}", run.text());
    Some(run)
}

/// The searched function rounds correctly everywhere.
fn is_right(symbol: &str, signature: &str, more: &str) {
    let Some(run) = search(symbol, signature, more) else {
        return;
    };
    assert!(
        run.line("misrounded").trim().starts_with("0 of"),
        "{symbol}: {}",
        run.text()
    );
    assert_eq!(
        run.line("faults").trim(),
        "none",
        "{symbol}: {}",
        run.text()
    );
    assert!(!run.out.contains("undecided"), "{symbol}: {}", run.text());
}

/// Lines of the search of a function with a fault.
fn finds(symbol: &str, signature: &str, more: &str, lines: &[&str]) {
    let Some(run) = search(symbol, signature, more) else {
        return;
    };
    for line in lines {
        let squeezed: Vec<String> = (run.out.lines())
            .map(|l| l.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        assert!(
            squeezed.iter().any(|l| l.contains(line)),
            "{symbol}, {line}: {}",
            run.text()
        );
    }
}

#[test]
fn sixteen_bits_are_searched_whole() {
    is_right("bf16_exp", "bf16", "--computes exp");
    // The formula does not say that the root of minus infinity is a NaN.
    let lines = ["misrounded 0 of 65,536", "undecided 1:", "first at -inf"];
    finds("f16_sqrt", "f16", "--computes sqrt", &lines);
    is_right("f16_widened", "f16->f32", "--against-expression x");
    // One number of 65,536, by an ULP of the format.
    finds(
        "f16_sqrt_once_wrong",
        "f16",
        "--computes sqrt",
        &["misrounded 1 of 65,536", "at 2.0019531", "of all 65,536"],
    );
    finds(
        "bf16_exp_of_float",
        "bf16",
        "--computes exp",
        &["misrounded 1 of 65,536", "at 1.0"],
    );
}

/// Sums that are halfway between two numbers are undecided: the formula's sum has a radius.
#[test]
fn pairs_of_sixteen_bits() {
    let sum = "--against-expression \"x + y\" --range 2^20";
    let lines = [
        "misrounded 0 of 1,048,576",
        "worst error 0.5 ULP",
        "pairs of all 4,294,967,296",
    ];
    finds("bf16_sum", "bf16,bf16", sum, &lines);
    finds(
        "bf16_sum_truncates",
        "bf16,bf16",
        sum,
        &["worst error 0.99"],
    );
}

/// Integers of 64 bits are compared in two words: a conversion by way of a double is wrong beside halfway points.
#[test]
fn integers_as_arguments() {
    is_right(
        "from_u64",
        "\"u64->f32\"",
        "--against-expression x --range \"2^20 of all\"",
    );
    is_right(
        "from_i64",
        "\"i64->f64\"",
        "--against-expression x --range \"2^20 of all\"",
    );
    is_right(
        "from_i32",
        "\"i32->bf16\"",
        "--against-expression x --range 16000000..17000000",
    );
    is_right(
        "from_i32",
        "\"i32->bf16\"",
        "--against-expression x --range -2147483648..=-2147000000",
    );
    let one = "--against-expression x --range 0x8234508000000001..=0x8234508000000001";
    is_right("from_u64", "\"u64->f32\"", one);
    finds(
        "from_u64_twice",
        "\"u64->f32\"",
        one,
        &["misrounded 1 of 1", "at 9382212434405621761"],
    );
    finds(
        "from_u64_twice",
        "\"u64->f32\"",
        "--against-expression x",
        &[
            "16,777,216 integers, a sample of 2^64",
            "misrounded 96,101 of",
        ],
    );
    finds(
        "from_i32_twice",
        "\"i32->bf16\"",
        "--against-expression x --range 16842753..=16842753",
        &["misrounded 1 of 1"],
    );
    finds(
        "from_u64",
        "\"i64->f32\"",
        "--against-expression x --range -5..5",
        &["misrounded 5 of 10"],
    );
    let folder = tempfile::tempdir().expect("a folder");
    let words = "run --library LIB --symbol from_i32 --signature \"i32->bf16\" --against-expression x --range 1.5..2";
    let Some(run) = crunch(folder.path(), words) else {
        return;
    };
    assert!(
        run.code == Some(2) && run.err.contains("`1.5` is no integer"),
        "{}",
        run.text()
    );
}

#[test]
fn integers_as_results() {
    is_right(
        "nearest",
        "\"f64->i64\"",
        "--against-expression x --range 1.0..1.00000000004",
    );
    is_right(
        "nearest",
        "\"f64->i64\"",
        "--against-expression x --range 2.4999999999999..=2.5000000000001",
    );
    is_right(
        "nearest32",
        "\"f32->i32\"",
        "--against-expression x --range -8.0..-1.0",
    );
    finds(
        "truncated32",
        "\"f32->i32\"",
        "--against-expression x --range 2.0..8.0",
        &["worst error 1 ULP", "result 2.0", "shares below 1 ULP all"],
    );
    // Half rounds to the even number, not up.
    finds(
        "away32",
        "\"f32->i32\"",
        "--against-expression x --range 2.0..3.0",
        &["misrounded 1 of", "worst error 0.5 ULP"],
    );
    is_right(
        "square",
        "\"i32->u32\"",
        "--against-expression x*x --range 0..65536",
    );
}

/// Integers are other than the numbers whose order, sign and neighbours a property is about.
#[test]
fn properties_of_integers_are_refused() {
    for (symbol, signature) in [
        ("square", "\"i32->u32\""),
        ("from_i32", "\"i32->bf16\""),
        ("nearest32", "\"f32->i32\""),
    ] {
        for option in ["--even", "--odd", "--monotone", "--results 0.0..=1.0"] {
            let name = option.split(' ').next().unwrap_or_default();
            let words = format!(
                "run --library LIB --symbol {symbol} --signature {signature} --against-expression x {option}"
            );
            let folder = tempfile::tempdir().expect("a folder");
            let Some(run) = crunch(folder.path(), &words) else {
                return;
            };
            let says = format!(
                "error: {name}: properties are for functions of numbers with results in the same format"
            );
            assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{words}");
            assert!(run.err.starts_with(&says), "{words}: {}", run.text());
            assert!(
                run.err.trim_end().ends_with("leave it out"),
                "{}",
                run.text()
            );
        }
    }
}

/// A function that only formulas have is no reference.
#[test]
fn a_formula_is_named_where_there_is_no_reference() {
    let words = "run --library LIB --symbol nearest32 --signature f32 --computes round";
    let folder = tempfile::tempdir().expect("a folder");
    let Some(run) = crunch(folder.path(), words) else {
        return;
    };
    contains!(
        run.err,
        "; a formula can use it: --against-expression \"round(x)\""
    );
}

/// Differences are counted in steps of the format of the result.
#[test]
fn differences_have_the_unit_of_the_result() {
    let folder = tempfile::tempdir().expect("a folder");
    for (pair, wanted) in [
        (
            "LIB:to_bf16:\"f32->bf16\" LIB:to_bf16_truncates:\"f32->bf16\" --range 1.0..2.0",
            "1 ULP",
        ),
        ("LIB:f16_sqrt:f16 LIB:f16_sqrt_once_wrong:f16", "1 ULP"),
        (
            "LIB:nearest32:\"f32->i32\" LIB:truncated32:\"f32->i32\" --range 1.0..2.0",
            "1",
        ),
        (
            "LIB:from_u64:\"u64->f32\" LIB:from_u64_twice:\"u64->f32\"",
            "1 ULP",
        ),
    ] {
        // The quotes belong to the signature alone.
        let pair = pair.replace('"', "");
        let Some(run) = crunch(folder.path(), &format!("verify --differ {pair}")) else {
            return;
        };
        assert_eq!(run.code, Some(1), "{pair}: {}", run.text());
        assert_eq!(run.line("largest").trim(), wanted, "{pair}: {}", run.text());
    }
    let Some(run) = crunch(
        folder.path(),
        "verify --differ LIB:f16_sqrt:f16 LIB:f16_widened:f16->f32",
    ) else {
        return;
    };
    contains!(run.err, "one gives f16 and the other f32");
}

/// Every lane of a vector function is called with every input.
#[test]
fn vector_functions() {
    let near = "--computes recip --range 1.0..1.0625";
    let same = "each input has the same bits in all";
    finds(
        "inverse4",
        "f32x4",
        near,
        &["misrounded 0 of", same, "all 4"],
    );
    if !std::arch::is_x86_feature_detected!("avx2") {
        return;
    }
    finds(
        "inverse8",
        "f32x8",
        near,
        &["misrounded 0 of", "524,288 inputs", same, "all 8"],
    );
    finds(
        "quotient4",
        "f64x4,f64x4",
        "--computes div --range \"2^16 of all\"",
        &["misrounded 0 of", same],
    );
    // One lane is an ULP off, for one input of a million.
    finds(
        "inverse8_lane",
        "f32x8",
        near,
        &[
            "lanes DIFFER at 1 input, first at 1.03125",
            "in lane 0",
            "in lane 5",
        ],
    );
    finds(
        "inverse8",
        "f32x8",
        "--computes recip --range 1.0..=1.0",
        &["1 inputs", same],
    );
    let folder = tempfile::tempdir().expect("a folder");
    let asked = "--signature f32x8 --computes recip";
    for (symbol, code) in [("inverse8", 0), ("inverse8_lane", 1)] {
        for words in [
            // Lane 0 is right: it is no difference of the two functions.
            format!("verify --differ LIB:{symbol}:f32x8 LIB:inverse:f32 --range 1.0..1.0625"),
            format!(
                "run --library LIB --symbol {symbol} {asked} --range 1.0..1.0625 -o {symbol}.crunch"
            ),
            format!(
                "run --library LIB --symbol {symbol} {asked} --range 1.03125..=1.03126 --time 1s"
            ),
            format!("at --library LIB --symbol {symbol} {asked} 1.03125"),
        ] {
            let Some(run) = crunch(folder.path(), &words) else {
                return;
            };
            assert_eq!(run.code, Some(code), "{words}: {}", run.text());
            let differs = run.text().contains("DIFFER at 1 input");
            assert_eq!(differs, code == 1, "{words}: {}", run.text());
        }
    }
    let words =
        "verify --differ LIB:inverse8_lane:f32x8 LIB:inverse:f32 --range 1.0..1.0625 --json";
    if let Some(run) = crunch(folder.path(), words) {
        assert_eq!(run.code, Some(1), "{}", run.text());
        let found: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
        assert_eq!(found["differing"], 0, "{found}");
        assert_eq!(found["lanes"][0]["differing"], 1, "{found}");
    }
    if std::arch::is_x86_feature_detected!("avx512f") {
        finds(
            "inverse16",
            "f32x16",
            near,
            &["misrounded 0 of", same, "all 16"],
        );
        finds(
            "inverse8d",
            "f64x8",
            "--computes recip --range 1.0..1.00000000001",
            &["misrounded 0 of", same],
        );
    }
}

#[test]
fn a_name_states_the_type_of_a_vector_function() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = "run --library libm.so.6 --symbol _ZGVdN8v_sinf --signature f32 --computes sin";
    let Some(run) = crunch(folder.path(), words) else {
        return;
    };
    assert_eq!(run.code, Some(2), "{}", run.text());
    contains!(
        run.err,
        "by its name it takes f32x8; write --signature f32x8"
    );
}

/// A run file names the signature, and goes on with it.
#[test]
fn a_run_file_is_resumed_with_its_signature() {
    let folder = tempfile::tempdir().expect("a folder");
    for (symbol, signature, range) in [
        ("to_bf16_ties_away", "f32->bf16", "1.0..1.25"),
        ("from_u64_twice", "u64->f32", "2^16 of all"),
        ("inverse4", "f32x4", "1.0..1.25"),
    ] {
        let file = format!("{symbol}.crunch");
        let begin = format!(
            "run --library LIB --symbol {symbol} --signature \"{signature}\" --against-expression x --range \"{range}\" -o {file}"
        );
        let Some(run) = crunch(folder.path(), &begin) else {
            return;
        };
        let resumed = crunch(folder.path(), &format!("resume {file}")).expect("a compiler");
        assert_eq!(resumed.code, Some(0), "{symbol}: {}", resumed.text());
        for line in ["worst error", "misrounded", "digest"] {
            assert_eq!(resumed.line(line), run.line(line), "{symbol}");
        }
        let status = crunch(folder.path(), &format!("status {file}")).expect("a compiler");
        assert_eq!(status.code, Some(0), "{symbol}: {}", status.text());
    }
}

#[test]
fn conversions_decide_ties() {
    let near = "--against-expression x --range 1.0..1.25";
    is_right("to_bf16", "\"f32->bf16\"", near);
    is_right("to_f16", "\"f32->f16\"", near);
    // Subnormal numbers of the result, both infinities, NaNs of all bits.
    is_right(
        "to_f16",
        "\"f32->f16\"",
        "--against-expression x --range 0x1p-26..0x1p-23",
    );
    is_right(
        "to_f16",
        "\"f32->f16\"",
        "--against-expression x --range 65500.0..65536.0",
    );
    is_right(
        "to_bf16",
        "\"f32->bf16\"",
        "--against-expression x --range bits:0x7f7f0000..=bits:0x7f90ffff",
    );
    is_right(
        "narrowed",
        "\"f64->f32\"",
        "--against-expression x --range 1.0..1.00000000004",
    );
    finds(
        "to_bf16_ties_away",
        "\"f32->bf16\"",
        near,
        &["worst error 0.5 ULP", "misrounded 16 of"],
    );
    finds("to_bf16_truncates", "\"f32->bf16\"", near, &["below"]);
    finds(
        "to_bf16_truncates",
        "\"f32->bf16\"",
        "--against-expression x --range bits:0x7f800001..=bits:0x7f80ffff",
        &["65,535 nan"],
    );
    finds(
        "to_f16_flushes",
        "\"f32->f16\"",
        "--against-expression x --range 0x1p-26..0x1p-23",
        &["worst error 2"],
    );
}

#[test]
fn rounding_twice_is_seen() {
    // Above the halfway point by less than binary32 shows.
    let one = "--against-expression x --range 0x1.01000001p0..=0x1.01000001p0";
    is_right("bf16_double", "\"f64->bf16\"", one);
    finds(
        "bf16_double_twice",
        "\"f64->bf16\"",
        one,
        &["misrounded 1 of 1"],
    );
}
