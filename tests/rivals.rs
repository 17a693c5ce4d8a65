//! The rivals of `cargo xtask bench` compute the same blocks, bit for bit: the comparison of times is between equals.
//!
//! The rivals are an independent implementation in C of four routines, their references and the metric.

#[path = "../benches/limit/cuda.rs"]
mod cuda;
#[allow(
    dead_code,
    reason = "the benchmark and the command use what this does not"
)]
#[path = "../benches/limit/cuda_text.rs"]
mod cuda_text;
#[allow(dead_code, reason = "the benchmark uses what this does not")]
#[path = "../benches/limit/rivals.rs"]
mod rivals;

use std::path::Path;
use std::process::Command;

use doublecrunch::backend::discover;
use doublecrunch::backend::skip::skip;
use doublecrunch::search::block::BlockResult;
use doublecrunch::search::key::Precision;
use doublecrunch::sweeps;
use rivals::Rival;

const KERNELS: [(&str, &str); 4] = [
    ("reciprocal", "reciprocal"),
    ("log_polynomial", "log-polynomial"),
    ("exp", "exp"),
    ("reciprocal_f32", "reciprocal-f32"),
];

/// Compiles a rival; the error is the compiler's output.
fn compile(kernel: &str, options: &[&str], out: &Path) -> Result<(), String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("benches/rivals/{kernel}.c"));
    let output = Command::new("gcc")
        .args([
            "-O2",
            "-ffp-contract=off",
            "-shared",
            "-fPIC",
            "-Wall",
            "-Werror",
        ])
        .args(options)
        .arg("-o")
        .args([out, &source])
        .output()
        .map_err(|e| e.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&output.stderr).into())
}

/// Around every power of two of both signs, zeros, infinities and NaNs, and two longer stretches.
fn stretches(precision: Precision) -> Vec<(i64, u64)> {
    let fraction = match precision {
        Precision::F64 => 52,
        Precision::F32 => 23,
    };
    let powers = precision.max_key() >> fraction;
    let mut all: Vec<(i64, u64)> = (-powers..=powers)
        .map(|p| ((p << fraction) - 40, 80))
        .collect();
    let one = match precision {
        Precision::F64 => 1f64.to_bits() as i64,
        Precision::F32 => i64::from(1f32.to_bits()),
    };
    all.push((one, 100_003));
    all.push((-one - 50_000, 100_003));
    all
}

#[test]
fn they_give_our_blocks() {
    if Command::new("gcc").arg("--version").output().is_err() {
        skip("gcc", "the rivals in C: no gcc here");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let unused = folder.path().join("unused.o");
    for (kernel, name) in KERNELS {
        for (variant, options) in [
            ("2-passes", &["-mavx2", "-mfma", "-DU=2"][..]),
            ("4-fused", &["-mavx2", "-mfma", "-DU=4", "-DFUSED"]),
        ] {
            let file = folder
                .path()
                .join(format!("{kernel}.avx2.gcc.{variant}.so"));
            compile(kernel, options, &file).unwrap_or_else(|e| panic!("{kernel}: {e}"));
        }
        let wide = ["-march=skylake-avx512", "-DRIVAL_AVX512", "-DU=4"];
        compile(kernel, &wide, &unused).unwrap_or_else(|e| panic!("{kernel}: {e}"));
        if !(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")) {
            skip("avx2", "the rivals in C were compiled, not run");
            continue;
        }
        let sweep = sweeps::ALL
            .iter()
            .find(|s| s.name() == name)
            .expect("a built-in sweep");
        let rivals = Rival::all(folder.path(), &["avx2", "avx512"]);
        let rivals: Vec<&Rival> = rivals.iter().filter(|r| r.kernel == kernel).collect();
        assert_eq!(rivals.len(), 2);
        for (first, count) in stretches(sweep.precision()) {
            let want: BlockResult = (sweep.compiled().scalar)(first, count);
            for rival in &rivals {
                let got = rival.search(first, count);
                assert_eq!(
                    got, want,
                    "{kernel} {}: {count} keys from {first}",
                    rival.variant
                );
            }
        }
    }
}

/// The rivals in CUDA, on the processor.
#[test]
fn those_in_cuda_give_our_blocks() {
    let found = discover(&"cuda-host".parse().expect("a backend"));
    let Some(backend) = found.get("cuda-host") else {
        skip("cuda-host", "the rivals in CUDA: no C++ compiler here");
        return;
    };
    for (kernel, name) in KERNELS {
        let sweep = sweeps::ALL.iter().find(|s| s.name() == name);
        let sweep = sweep.expect("a built-in sweep");
        // SAFETY: the text is the rival's search, which writes the same buffers as ours.
        let mut rival = unsafe { backend.load_text(&cuda::source(kernel)) }
            .unwrap_or_else(|e| panic!("{kernel}: {e}"));
        let mut ours = backend.load_sweep(sweep).expect("it compiles");
        for (first, count) in stretches(sweep.precision()) {
            let want: BlockResult = (sweep.compiled().scalar)(first, count);
            for (whose, device) in [("the rival", &mut rival), ("ours", &mut ours)] {
                let got = device.run(first, count).expect("it runs");
                assert_eq!(got, want, "{kernel}, {whose}: {count} keys from {first}");
            }
        }
    }
}

/// The search by which a device's limit is measured takes the metric's short way at each input: no error, nothing undecided.
#[test]
fn the_search_of_the_limit_is_ordinary() {
    let found = discover(&"cuda-host".parse().expect("a backend"));
    let Some(backend) = found.get("cuda-host") else {
        skip("cuda-host", "the search of the limit: no C++ compiler here");
        return;
    };
    // SAFETY: the text is a search of the rivals', which writes the same buffers as ours.
    let mut limit = unsafe { backend.load_text(&cuda::source("binary64_limit")) }
        .unwrap_or_else(|e| panic!("{e}"));
    let first = 1f64.to_bits() as i64 + 1;
    let got = limit.run(first, 1 << 12).expect("it runs");
    assert_eq!((got.count, got.max.error()), (1 << 12, 0.0));
    assert_eq!((got.undecided, got.misrounded), (0, 0));
    // All are in the first bin.
    assert_eq!(got.histogram[0], 1 << 12);
}
