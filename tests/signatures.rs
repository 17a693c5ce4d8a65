//! Functions of libraries with other types than `float f(float)`: a right function, and one with a fault that is planted, for each kind of
//! signature.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

#[path = "support/run.rs"]
mod run;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use doublecrunch::backend::skip::skip;

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
"#;

/// The library; `None` without a compiler that has `_Float16`.
fn library() -> Option<&'static Path> {
    static MADE: OnceLock<Option<(tempfile::TempDir, PathBuf)>> = OnceLock::new();
    let made = MADE.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let source = folder.path().join("signatures.c");
        std::fs::write(&source, SOURCE).expect("writable");
        let library = folder.path().join("libsignatures.so");
        let options = ["-O2", "-ffp-contract=off", "-shared", "-fPIC"];
        let built = Command::new("gcc")
            .args(options)
            .arg(&source)
            .arg("-o")
            .arg(&library)
            .arg("-lm")
            .output();
        let why = match built {
            Ok(output) if output.status.success() => return Some((folder, library)),
            Ok(output) => String::from_utf8_lossy(&output.stderr).into_owned(),
            Err(e) => format!("no gcc: {e}"),
        };
        skip("gcc", &why);
        None
    });
    made.as_ref().map(|(_, library)| library.as_path())
}

/// `crunch` with these words; `LIB` stands for the library.
fn crunch(folder: &Path, words: &str) -> Option<Run> {
    let library = library()?.to_str().expect("UTF-8");
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
    is_right("f16_sqrt", "f16", "--computes sqrt");
    is_right("f16_widened", "f16->f32", "--against-expression x");
    // One number of 65,536, by an ULP of the format.
    finds(
        "f16_sqrt_once_wrong",
        "f16",
        "--computes sqrt",
        &["misrounded 1 of 65,536", "at 2.001953125", "of all 65,536"],
    );
    finds(
        "bf16_exp_of_float",
        "bf16",
        "--computes exp",
        &["misrounded 1 of 65,536", "at 1.0"],
    );
}

#[test]
fn pairs_of_sixteen_bits() {
    is_right(
        "bf16_sum",
        "bf16,bf16",
        "--against-expression \"x + y\" --range 2^20",
    );
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
