//! Functions of devices as candidates: `crunch run --device`, on PoCL. The results are verified in two ways: by
//! functions whose correct results are the C library's bit for bit, and by the digest of a search of the same function
//! called elsewhere.
#![cfg(all(feature = "opencl", target_os = "linux"))]

#[macro_use]
#[path = "support/run.rs"]
mod run;

use std::path::{Path, PathBuf};
use std::process::Command;

use doublecrunch::backend::discover;
use doublecrunch::backend::skip::skip;
use doublecrunch::search::run_file::Reader;

use run::Run;

/// `crunch` without OpenCL's emulator, which each process would probe: the folder of vendors is the system's where it is that of
/// `cargo xtask`, which adds it.
fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crunch"));
    command.env_remove("CRUNCH_REQUIRE");
    let vendors = std::env::var_os("OCL_ICD_VENDORS").unwrap_or_default();
    if Path::new(&vendors).ends_with("toolchain/opencl-vendors") {
        command.env_remove("OCL_ICD_VENDORS");
    }
    command
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }
    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
    fn crunch(&self, args: &str) -> Run {
        Run::of(program().args(args.split(' ')).current_dir(self.0.path()))
    }
    /// A run that must complete: its digest, and what the run file records of the candidate.
    fn digest(&self, args: &str, file: &str) -> (u64, String) {
        let run = self.crunch(&format!("run {args} -q -o {file}"));
        assert_eq!(run.code, Some(0), "{args}: {}{}", run.out, run.err);
        let reader = Reader::open(&self.path(file)).expect("a run file");
        let status = reader.status().expect("its status");
        assert!(status.is_complete());
        let source = reader.header().identity.kernels[0].source.clone();
        (status.result.digest, source)
    }
}

/// Whether PoCL is available. A test that continues without it is recorded as skipped, and fails where PoCL is
/// required.
fn pocl() -> bool {
    let found = discover(&"opencl:pocl".parse().expect("a backend"));
    let here = !found.backends.is_empty();
    if !here {
        skip("opencl:pocl", "no such device");
    }
    here
}

#[test]
fn correctly_rounded_functions_have_the_c_librarys_digest() {
    if !pocl() {
        return;
    }
    let folder = Folder::new();
    // With subnormals and infinity, and of two arguments with all special values: batches that are not full, and NaNs.
    for (i, (signature, device, library, computes, range)) in [
        (
            "f32",
            "sqrt",
            "sqrtf",
            "sqrt",
            "-0.0..=0x1p-142,0.25..0.3,0x1.fffep127..=inf",
        ),
        ("f64", "sqrt", "sqrt", "sqrt", "1.0..=0x1.0000001p0"),
        ("f32,f32", "fmod", "fmodf", "div", "2^17 of all"),
        ("f64,f64", "fmod", "fmod", "div", "2^16 of all"),
    ]
    .into_iter()
    .enumerate()
    {
        let digest = |from: &str, symbol: &str, file: String| {
            let mut args: Vec<String> = "run -q --block 2^17".split(' ').map(Into::into).collect();
            args.extend(from.split(' ').map(String::from));
            args.extend(["--symbol", symbol, "--signature", signature].map(String::from));
            args.extend(["--computes", computes, "--range", range, "-o", &file].map(String::from));
            let output = program()
                .args(&args)
                .current_dir(folder.0.path())
                .output()
                .expect("the program");
            let err = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{args:?}: {err}");
            let reader = Reader::open(&folder.path(&file)).expect("a run file");
            let result = reader.status().expect("its status").result;
            (result.count, result.digest)
        };
        let ours = digest("--device opencl:pocl", device, format!("{i}.device"));
        let theirs = digest("--library libm.so.6", library, format!("{i}.library"));
        assert!(ours.0 > 1 << 15);
        assert_eq!(ours, theirs, "{device} of {signature}");
    }
}

#[test]
fn a_function_is_searched_and_resumed_and_its_device_is_in_the_file() {
    if !pocl() {
        return;
    }
    let folder = Folder::new();
    let args = "--device opencl:pocl --symbol native_exp --signature f32 --computes exp --range 0.5..1.0 --block 2^20";
    let (digest, source) = folder.digest(args, "one.crunch");
    for begin in [
        "signature f32",
        "language OpenCL C",
        "device ",
        "driver ",
        "options none",
    ] {
        assert!(
            source.lines().any(|l| l.starts_with(begin)),
            "{begin}: {source}"
        );
    }
    contains!(source, "const float y = native_exp(x0);");
    // In two shards, of which the second is resumed, and on another instruction set.
    for (shard, file) in [("1/2", "a.crunch"), ("2/2", "b.crunch")] {
        let run = folder.crunch(&format!(
            "run {args} -q --shard {shard} -b scalar -o {file}"
        ));
        assert_eq!(run.code, Some(0), "{}", run.err);
    }
    let resumed = folder.crunch("resume b.crunch");
    assert_eq!(resumed.code, Some(0), "{}", resumed.err);
    assert!(resumed.out.contains("complete already"), "{}", resumed.out);
    let merged = folder.crunch("merge all.crunch a.crunch b.crunch");
    assert_eq!(merged.code, Some(0), "{}", merged.err);
    let reader = Reader::open(&folder.path("all.crunch")).expect("a run file");
    assert_eq!(reader.status().expect("its status").result.digest, digest);
}

#[test]
fn functions_of_the_device_and_of_a_library_stand_beside_each_other() {
    if !pocl() {
        return;
    }
    let folder = Folder::new();
    let same = folder
        .crunch("verify --differ opencl:pocl/0:rint:f32 libm.so.6:rintf:f32 --range 0.5..=4.0 -q");
    assert_eq!(same.code, Some(0), "{}{}", same.out, same.err);
    contains!(same.out, "rint of opencl:pocl/0 and rintf of ");
    // For negative arguments the processor's NaN has a sign; all NaNs count as the same.
    let nans = folder.crunch(
        "verify --differ opencl:pocl/0:sqrt:f32 libm.so.6:sqrtf:f32 --range=-1.0..=-0.99,1.0..=1.01 -q",
    );
    assert_eq!(nans.code, Some(0), "{}{}", nans.out, nans.err);
    let other = folder
        .crunch("verify --differ opencl:pocl/0:rint:f32 libm.so.6:roundf:f32 --range 0.5..=4.0 -q");
    assert_eq!(other.code, Some(1), "{}{}", other.out, other.err);
    // One rounds halves to even, the other up: only 0.5 and 2.5 differ.
    assert!(other.out.contains("differ        2 "), "{}", other.out);
}

/// Of one argument and of two, with their neighbours, also beside the edge of the numbers.
#[test]
fn single_inputs_are_shown_with_their_neighbours() {
    if !pocl() {
        return;
    }
    let folder = Folder::new();
    let at = |words: &str| {
        let run = folder.crunch(&format!("at --device opencl:pocl {words}"));
        assert_eq!(run.code, Some(0), "{words}: {}{}", run.out, run.err);
        run.out
    };
    let roots = at("--symbol sqrt --signature f32 --computes sqrt 4 inf");
    let lines: Vec<&str> = roots.lines().collect();
    assert_eq!(lines.len(), 11, "{roots}");
    for (n, line) in [
        (1, "result        2.0 = 0x1p1 (0x40000000)"),
        (3, "error         0 ULP: rounded correctly"),
        (4, "before        3.9999998 gives 1.9999999, error "),
        (5, "after         4.0000005 gives 2.0, error "),
        (7, "result        inf = inf (0x7f800000)"),
        (10, "before        3.4028235e38 gives 1.8446743e19, error "),
    ] {
        assert!(lines[n].starts_with(line), "{line}: {roots}");
    }
    let powers = at("--symbol pow --signature f64,f64 --computes pow 2,3");
    for line in [
        "result        8.0 = 0x1p3 (0x4020000000000000)",
        "x before      1.9999999999999998 gives 7.99999999999999",
        "x after       2.0000000000000004 gives 8.00000000000000",
        "y before      2.9999999999999996 gives 7.99999999999999",
        "y after       3.0000000000000004 gives 8.00000000000000",
    ] {
        assert!(powers.contains(line), "{line}: {powers}");
    }
    // A function of the language that has few digits.
    let coarse = at("--symbol half_exp --signature f32 --computes exp 1.5");
    assert!(coarse.contains("error  "), "{coarse}");
    let refused =
        folder.crunch("at --device opencl:pocl --symbol sqrt --signature f32 --computes sqrt 1,2");
    assert_eq!(refused.code, Some(2), "{}", refused.out);
}

#[test]
fn what_the_compiler_refuses_is_shown_with_its_log() {
    if !pocl() {
        return;
    }
    let folder = Folder::new();
    let run = |device: &str, symbol: &str, signature: &str, computes: &str| {
        folder.crunch(&format!(
            "run --device {device} --symbol {symbol} --signature {signature} --computes {computes} --range 1.0..=1.0 -o x.crunch"
        ))
    };
    for (device, symbol, signature, computes, code, says) in [
        (
            "opencl:pocl",
            "native_expp",
            "f32",
            "exp",
            2,
            &[
                "(near it: native_exp",
                "undeclared identifier 'native_expp'",
            ][..],
        ),
        (
            "opencl:pocl",
            "native_exp",
            "f64",
            "exp",
            2,
            &[
                "`native_exp` of f64",
                "native_exp gives no double of double arguments",
            ],
        ),
        (
            "opencl:pocl",
            "ilogb",
            "f32",
            "log2",
            2,
            &["ilogb gives no float of float arguments"],
        ),
        (
            "opencl:pocl",
            "pow",
            "f32",
            "exp",
            2,
            &["`pow` of f32", "no matching function"],
        ),
        (
            "opencl:pocl",
            "exp(x)+",
            "f32",
            "exp",
            2,
            &["is no name of a function"],
        ),
        (
            "opencl:pocl",
            "exp",
            "f32,f32",
            "pow",
            2,
            &["`exp` of f32,f32"],
        ),
        (
            "opencl:nonesuch",
            "exp",
            "f32",
            "exp",
            3,
            &["opencl:nonesuch"],
        ),
        (
            "cuda-host",
            "expf",
            "f32",
            "exp",
            3,
            &[
                "the C library's and not the device's",
                "--library libm.so.6",
            ],
        ),
    ] {
        let e = run(device, symbol, signature, computes);
        assert_eq!(e.code, Some(code), "{device} {symbol}: {}{}", e.out, e.err);
        for part in says {
            assert!(e.err.contains(part), "{device} {symbol}, {part}: {}", e.err);
        }
        assert!(!folder.path("x.crunch").exists(), "{device} {symbol}");
    }
}

/// The texts for CUDA, compiled as for a device: CUDA's defaults apply, under which some operations are approximate,
/// and a function that does not have the given signature is refused.
#[test]
#[cfg(feature = "cuda")]
fn cudas_functions_are_compiled_with_cudas_defaults() {
    use doublecrunch::backend::BackendError;
    use doublecrunch::backend::cuda::{compile_ptx, function_ptx};
    use kernels_gen::emit::{Dialect, function_kernel};
    use kernels_gen::ops::Prim;

    let text = |name: &str, prim, arguments| {
        let source = function_kernel(name, prim, arguments, Dialect::Cuda);
        source.expect("a text").text
    };
    let ptx = |name: &str, prim, arguments| function_ptx(&text(name, prim, arguments), "sm_90");
    if let Err(BackendError::Unavailable { reason, .. }) = ptx("expf", Prim::F32, 1) {
        skip("nvrtc", &reason);
        return;
    }
    for (name, prim, arguments, has, has_not) in [
        ("expf", Prim::F32, 1, "fma.rn.f32", ".f64"),
        ("__expf", Prim::F32, 1, "ex2.approx.f32", "fma.rn.f32"),
        ("exp", Prim::F32, 1, "fma.rn.f32", ".f64"),
        ("exp", Prim::F64, 1, "fma.rn.f64", "approx.f32"),
        ("sqrtf", Prim::F32, 1, "sqrt.rn.f32", "approx"),
        ("__fdividef", Prim::F32, 2, "div.approx.f32", "fma"),
        ("powf", Prim::F32, 2, "fma.rn.f32", ".f64"),
        ("pow", Prim::F64, 2, "fma.rn.f64", "approx.f32"),
    ] {
        let ptx = ptx(name, prim, arguments).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(ptx.contains(has) && !ptx.contains(has_not), "{name}: {ptx}");
        assert!(ptx.contains(".entry dc_function_point"), "{name}: {ptx}");
    }
    // Under these options a product and a sum may be fused, under those for kernels not.
    let contracted = "extern \"C\" __global__ void k(float *x) { x[0] = x[1] * x[2] + x[3]; }";
    let fused = |ptx: Result<String, _>| ptx.expect("it compiles").contains("fma.rn.f32");
    assert!(fused(function_ptx(contracted, "sm_90")));
    assert!(!fused(compile_ptx(contracted, "sm_90")));
    for (name, prim, arguments, says) in [
        (
            "__expf",
            Prim::F64,
            1,
            "__expf gives no double of double arguments",
        ),
        (
            "ilogbf",
            Prim::F32,
            1,
            "ilogbf gives no float of float arguments",
        ),
        ("expff", Prim::F32, 1, "identifier \"expff\" is undefined"),
        ("exp", Prim::F32, 2, "matches the argument list"),
    ] {
        let error = ptx(name, prim, arguments).expect_err(name).to_string();
        assert!(error.contains(says), "{name}: {error}");
    }
}
