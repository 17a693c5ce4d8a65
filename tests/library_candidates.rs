//! Functions of shared libraries as candidates: `crunch run --library`. The libraries are made here and do what a
//! foreign library may do: crash, end the process, never return, change the floating-point environment.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

#[macro_use]
#[path = "support/run.rs"]
mod run;

use std::path::{Path, PathBuf};
use std::process::Command;

use doublecrunch::backend::skip::skip;
use doublecrunch::driver;
use doublecrunch::search::engine::{self, Device, Groups, Job, Stop};
use doublecrunch::search::plan::Plan;
use doublecrunch::search::range::Range;
use doublecrunch::search::run_file::{Reader, Record};
use doublecrunch::search::{Candidate, HostFunction};
use doublecrunch::sweep::Sweep;

use run::{Run, words};

/// All compute 1 + x, which approximates e^x for small x, except for what each does at 2^-8 (0x3b800000).
const FUNCTIONS: &str = r#"
#include <stdlib.h>
#include <unistd.h>
#define AT 0.00390625f
float good(float x) { return 1.0f + x; }
double good_double(double x) { return 1.0 + x; }
float segfaults(float x) { if (x == AT) *(volatile int *)8 = 1; return 1.0f + x; }
float divides(float x) { volatile int zero = x == AT ? 0 : 1; volatile int seven = 7 / zero; return 1.0f + x; }
float aborts(float x) { if (x == AT) abort(); return 1.0f + x; }
float leaves(float x) { if (x == AT) exit(3); return 1.0f + x; }
float hangs(float x) { while (x == AT) pause(); return 1.0f + x; }
float tires(float x) { static int calls; if (++calls == 500) abort(); return 1.0f + x; }
float flushes(float x) {
    if (x == AT) { unsigned word = 0x9fc0; __asm__ volatile("ldmxcsr %0" : : "m"(word)); }
    return 1.0f + x;
}
float prints(float x) { if (x == AT) { write(1, "noise", 5); write(2, "noise", 5); } return 1.0f + x; }
double exp(double);
double wrong_exp(double x) {
    double y = exp(x);
    if (x == 0x1.8000000012345p0) return y * (1 + 0x1p-40);
    if (x == 0x1.8000000100001p0) return y * (1 - 0x1p-42);
    if (x == 0x1.80000003fffffp0) return y - y + (0.0 / (y - y));
    return y;
}
int variable = 7;
float quotient(float x, float y) { if (x == 3.0f && y == 3.0f) *(volatile int *)8 = 1; return x / y; }
double quotient_double(double x, double y) { return x / y; }
"#;

/// Sets flushing of subnormals as soon as it is loaded, like gcc's `-ffast-math` in older versions.
const FAST: &str = r#"
__attribute__((constructor)) static void fast(void) {
    unsigned word = 0x9fc0;
    __asm__ volatile("ldmxcsr %0" : : "m"(word));
}
float good(float x) { return 1.0f + x; }
"#;

/// Ends the process when it is loaded.
const FATAL: &str = "#include <stdlib.h>\n__attribute__((constructor)) static void fatal(void) { abort(); }\nfloat good(float x) { return x; }\n";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }
    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
    fn crunch(&self, args: &[&str]) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crunch"));
        command
            .args(args)
            .current_dir(self.0.path())
            .env_remove("CRUNCH_REQUIRE")
            .env("CRUNCH_TIMEOUT", "1");
        Run::of(&mut command)
    }
    /// `run` with a function of one of the libraries made here, on one thread, so that everything before a failure is committed.
    fn run(&self, library: &str, symbol: &str, file: &str, more: &[&str]) -> Run {
        let library = self.path(library);
        let library = library.to_str().expect("UTF-8");
        let args = format!(
            "run --library {library} --symbol {symbol} --signature f32 --computes exp -b scalar -j 1 --block 2^12 -o {file}"
        );
        let args = words(&args);
        let range: &[&str] = match more.contains(&"--range") {
            true => &[],
            false => &["--range", "0x1.ep-9..0x1.2p-8"],
        };
        self.crunch(&[&args[..], range, more].concat())
    }
    /// A library with this source; `None` without a compiler.
    fn library(&self, name: &str, source: &str, options: &[&str]) -> Option<()> {
        let text = self.path(&format!("{name}.c"));
        std::fs::write(&text, source).expect("writable");
        let built = Command::new("g++")
            .args(["-x", "c", "-shared", "-fPIC", "-O1", "-Wl,-soname,lib1.so"])
            .args(options)
            .arg(&text)
            .arg("-o")
            .arg(self.path(name))
            .output();
        let why = match built {
            Ok(output) if output.status.success() => return Some(()),
            Ok(output) => String::from_utf8_lossy(&output.stderr).into_owned(),
            Err(e) => format!("no g++: {e}"),
        };
        skip("cuda-host", &why);
        None
    }
    fn functions(&self) -> Option<()> {
        self.library("one.so", FUNCTIONS, &["-Wl,--build-id"])
    }
}

const ONLY: &str = "so no backends were compared";

/// The digest for a function of this process.
fn digest_here(function: HostFunction, computes: &str, range: &str) -> String {
    let reference = driver::reference(computes, function.inputs()).expect("a reference");
    let sweep = Sweep::accuracy_only("here", Candidate::Host(function), reference, "all");
    let range = Range::parse(range, sweep.inputs()).expect("a range");
    let sweep = sweep.over(range.space());
    let plan = Plan::new(range, Some(16)).expect("a plan");
    let scalar = doublecrunch::backend::discover(&"scalar".parse().expect("a list"));
    let device = Device::new(scalar.backends[0].clone(), 2);
    let job = Job {
        sweep: &sweep,
        plan: &plan,
        pending: std::iter::once(0..plan.blocks()).collect(),
        spread: None,
        parts: Vec::new(),
        devices: vec![device],
        groups: Groups::default(),
        limit: None,
        recheck: true,
        sampling: None,
    };
    let mut records: Vec<Record> = Vec::new();
    let outcome = engine::run(&job, &mut records, &Stop::new(), &mut |_| {}).expect("it runs");
    format!("{:016x}", outcome.progress.result.digest)
}

/// The largest errors, their inputs and the faults are those of a full search, and a polynomial decides almost all inputs.
#[test]
fn the_largest_errors_alone() {
    let folder = Folder::new();
    if folder.functions().is_none() {
        return;
    }
    let near = "0x1.8p0..=0x1.80000004p0";
    // The last has values without a polynomial: they are next to 0, subnormal, infinite or NaN.
    for (library, symbol, range, most) in [
        ("libm.so.6", "exp", near, 0.2),
        ("./one.so", "wrong_exp", near, 0.2),
        ("libm.so.6", "lgamma", "1.7..=0x1.b3333334p0", 0.2),
        (
            "libm.so.6",
            "log",
            "-0x1p-1055..0x1p-1055, 1.0..0x1.00000001p0, 0x1.fffffffffp1023..=inf",
            // A worst input is evaluated again.
            1.01,
        ),
    ] {
        let computes = symbol.trim_start_matches("wrong_");
        let of = |measure: &str| -> serde_json::Value {
            let run = folder.crunch(&[
                "--json",
                "run",
                "--library",
                library,
                "--symbol",
                symbol,
                "--signature",
                "f64",
                "--computes",
                computes,
                "--range",
                range,
                "--measure",
                measure,
                "-q",
                // Each block has records of its own.
                "--block",
                "2^20",
                "-o",
                &format!("{symbol}.{measure}"),
            ]);
            serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{e}: {}", run.text()))
        };
        let [full, maxima] = ["full", "maxima"].map(of);
        for same in ["max_error", "max_positive", "max_negative", "faults"] {
            assert_eq!(
                full["result"][same], maxima["result"][same],
                "{symbol}: {same}"
            );
        }
        assert!(maxima["result"]["misrounded"].is_null(), "{maxima}");
        assert_eq!(full["inputs"], maxima["inputs"]);
        let number = |field: &str| maxima[field].as_f64().expect(field);
        let share = number("reference_evaluated") / number("inputs");
        assert!(share <= most, "{symbol}: {share}");
        if symbol == "wrong_exp" {
            let error = |side: &str| maxima["result"][side]["error"].as_f64().expect(side);
            assert!(
                error("max_positive") > 4096.0 && error("max_negative") > 1024.0,
                "{maxima}"
            );
            assert_eq!(maxima["result"]["faults"]["nan"]["count"], 1, "{maxima}");
        }
    }
}

#[test]
fn the_largest_errors_alone_are_refused_with_a_reason() {
    let folder = Folder::new();
    for (symbol, signature, range, reference, reason) in [
        (
            "expf",
            "f32",
            "1.0..=1.0000001",
            ["--computes", "exp"],
            "in binary32 a call costs more than the reference",
        ),
        (
            "pow",
            "f64,f64",
            "2^12 of 1.0..2.0 x 1.0..2.0",
            ["--computes", "pow"],
            "routines of one number",
        ),
        (
            "exp",
            "f64",
            "1.0..=1.0000001",
            ["--against-expression", "exp(x)"],
            "Name the function with --computes",
        ),
    ] {
        let run = folder.crunch(
            &[
                &words!("run --library libm.so.6 --symbol {symbol} --signature {signature} -b scalar -o refused.crunch")[..],
                &reference,
                &["--range", range, "--measure", "maxima"],
            ]
            .concat(),
        );
        assert!(
            run.code != Some(0) && run.err.contains(reason),
            "{}",
            run.text()
        );
        assert!(!folder.path("refused.crunch").exists());
    }
}

#[test]
fn the_c_library_s_expf_is_what_rust_calls() {
    let folder = Folder::new();
    let range = "-0x1.8p6..=-0x1.7fp6, 0.5..0x1.1p-1";
    let run = folder.crunch(
        &[
            &words("run --library libm.so.6 --symbol expf --signature f32 --computes exp")[..],
            &["--range", range],
        ]
        .concat(),
    );
    assert_eq!(run.code, Some(0), "{}", run.text());
    assert!(run.line("accuracy only").contains(ONLY), "{}", run.text());
    let here = digest_here(HostFunction::f32("f32::exp", f32::exp), "exp", range);
    assert_eq!(run.line("digest        "), here, "{}", run.text());

    // The rest is read from the file.
    let status = folder.crunch(&["status", "expf.crunch"]);
    let about = "expf: expf against exp_f32_reference, f32, inputs ";
    assert!(status.out.starts_with(about), "{}", status.text());
    contains!(status.out, ", accuracy only\n");
    let resumed = folder.crunch(&["resume", "expf.crunch"]);
    contains!(resumed.out, "expf: complete already");
    let report = folder.crunch(&["plot", "expf.crunch", "-o", "expf.html"]);
    assert_eq!(report.code, Some(0), "{}", report.text());
    let html = std::fs::read_to_string(folder.path("expf.html")).expect("the report");
    assert!(html.contains("A function of the library /"), "{html}");
    contains!(html, "soname libm.so.6\nversion GLIBC_2.");
    let json = folder.crunch(&["--json", "status", "expf.crunch"]);
    assert!(json.out.contains("library:expf:f32:"), "{}", json.text());
}

#[test]
fn functions_of_two_arguments_are_searched_on_a_sample() {
    let folder = Folder::new();
    let run = |library: &str, symbol: &str, signature: &str, computes: &str, more: &[&str]| {
        let args = format!("run --library {library} --symbol {symbol} --computes {computes}");
        folder.crunch(&[&words(&args)[..], &["--signature", signature], more].concat())
    };
    let sample = "2^16 of all";
    let pow = run("libm.so.6", "powf", "f32,f32", "pow", &["--range", sample]);
    assert_eq!(pow.code, Some(0), "{}", pow.text());
    let of = "65,536 pairs, a sample of 2^64, not exhaustive";
    assert_eq!(pow.line("inputs        "), of, "{}", pow.text());
    assert!(
        pow.line("  at          ").starts_with('('),
        "{}",
        pow.text()
    );
    let powf = HostFunction::f32_two("f32::powf", f32::powf);
    let here = digest_here(powf, "pow", sample);
    assert_eq!(pow.line("digest        "), here, "{}", pow.text());
    let status = folder.crunch(&["status", "powf.crunch"]);
    let about = "powf: powf against pow_f32_reference, f32,f32, inputs 2^16 of all, accuracy only";
    assert!(status.out.starts_with(about), "{}", status.text());
    assert_eq!(status.line("inputs        "), of, "{}", status.text());
    let resumed = folder.crunch(&["resume", "powf.crunch"]);
    contains!(resumed.out, "powf: complete already");

    // References and signatures that do not fit together.
    for (signature, computes, says) in [
        ("f32,f64", "pow", "`f32,f64` is not a signature"),
        (
            "f32",
            "pow",
            "there is no reference of `pow` for functions of f32;",
        ),
        (
            "f32,f32",
            "exp",
            "there is no reference of `exp` for functions of f32,f32;",
        ),
        ("f32,f32", "powf", "near it: pow"),
    ] {
        let refused = run("libm.so.6", "powf", signature, computes, &[]);
        assert_eq!(refused.code, Some(2), "{}", refused.text());
        assert!(refused.err.contains(says), "{}", refused.text());
    }
    let whole = run(
        "libm.so.6",
        "powf",
        "f32,f32",
        "pow",
        &["--range", "1.0..2.0"],
    );
    assert_eq!(whole.code, Some(2), "{}", whole.text());
    contains!(whole.err, "is a range of one argument");

    // Every pair of a box; the report of a crash names both arguments.
    let Some(()) = folder.functions() else { return };
    let one = folder.path("one.so").display().to_string();
    let every = "every of 1.0..=1.001 x 3.0..=3.0";
    let quotient = run(&one, "quotient", "f32, f32", "div", &["--range", every]);
    assert_eq!(quotient.code, Some(0), "{}", quotient.text());
    let error = |run: &Run| -> f64 {
        let text = run.line("worst error   ").trim_end_matches(" ULP");
        text.parse().expect("a number")
    };
    let all = "8,390 pairs of all 8,390";
    assert_eq!(quotient.line("inputs        "), all, "{}", quotient.text());
    assert!(
        (0.3..=0.5).contains(&error(&quotient)),
        "{}",
        quotient.text()
    );
    let more = [
        "--range",
        "every of 2.999..=3.001 x 3.0..=3.0",
        "-o",
        "crash.crunch",
        "-q",
    ];
    let crash = run(&one, "quotient", "f32,f32", "div", &more);
    assert_eq!(crash.code, Some(4), "{}", crash.text());
    let at = "at (3.0 = 0x1.8p1 (0x40400000), 3.0 = 0x1.8p1 (0x40400000)) was killed by signal 11";
    assert!(crash.err.contains(at), "{}", crash.text());
    let double = run(
        &one,
        "quotient_double",
        "f64,f64",
        "div",
        &["--range", "2^14 of all"],
    );
    assert_eq!(double.code, Some(0), "{}", double.text());
    assert!((0.4..=0.5).contains(&error(&double)), "{}", double.text());
    assert_eq!(double.line("faults        "), "none", "{}", double.text());

    let differ = format!("{one}:quotient:f32,f32");
    let beside = folder.crunch(&[
        "verify",
        "--differ",
        "libm.so.6:powf:f32,f32",
        &differ,
        "--range",
        "1000 of all",
    ]);
    assert_eq!(beside.code, Some(1), "{}", beside.text());
    contains!(beside.out, "1,000 pairs, a sample of 2^64");
}

/// A symbol has no types: `exp` called as a function of floats gives 0 nearly everywhere, and `sin` its argument.
#[test]
fn a_function_that_is_called_with_the_other_precision_is_noticed() {
    let folder = Folder::new();
    let run = |symbol: &str, signature: &str, computes: &str| {
        folder.crunch(&words!(
            "run --library libm.so.6 --symbol {symbol} --signature {signature} \
                    --computes {computes} --range 0.5..=0.5001 -o \
                    {symbol}-{signature}.crunch"
        ))
    };
    for symbol in ["exp", "sin", "log"] {
        let wrong = run(symbol, "f32", symbol);
        assert_eq!(wrong.code, Some(2), "{}", wrong.text());
        let says = format!(
            "is right as `double {symbol}(double)` and wrong as `float {symbol}(float)`: write --signature f64"
        );
        assert!(wrong.err.contains(&says), "{}", wrong.text());
    }
    // The other way round, the lower half of the double is the float.
    for symbol in ["expf", "sinf", "logf"] {
        let wrong = run(symbol, "f64", symbol.trim_end_matches('f'));
        assert_eq!(wrong.code, Some(2), "{}", wrong.text());
        let says = format!(
            "is right as `float {symbol}(float)` and wrong as `double {symbol}(double)`: write --signature f32"
        );
        assert!(wrong.err.contains(&says), "{}", wrong.text());
    }
    for symbol in ["expf", "sinf", "fabsf"] {
        let computes = symbol.trim_end_matches('f').replace("fabs", "exp");
        let right = run(symbol, "f32", &computes);
        assert_eq!(right.code, Some(0), "{}", right.text());
    }
}

#[test]
fn functions_that_give_no_result_are_named_and_nothing_is_lost() {
    let folder = Folder::new();
    let Some(()) = folder.functions() else { return };
    let one = folder.path("one.so").display().to_string();
    let at = "0.00390625 = 0x1p-8 (0x3b800000)";
    for (symbol, says) in [
        ("segfaults", format!("at {at} was killed by signal 11 (SIGSEGV)\n")),
        ("divides", format!("at {at} was killed by signal 8 (SIGFPE)\n")),
        ("aborts", format!("at {at} was killed by signal 6 (SIGABRT)\n")),
        ("leaves", format!("at {at} ended its process with code 3\n")),
        ("hangs", format!("at {at} has not returned after 1 s; CRUNCH_TIMEOUT")),
        ("flushes", format!("at {at} changed the floating-point environment to MXCSR 0x9fc0: ")),
        // The crash does not depend on the input.
        ("tires", "was killed by signal 6 (SIGABRT), though not when it is called with this input alone; the 499 inputs \
                   before it began at ".into()),
    ] {
        let file = format!("{symbol}.crunch");
        // 512 blocks, the last of which has the input: it is the last in the order of a search, too.
        let range = ["--range", "0x1.c002p-9..0x1.0002p-8", "-q"];
        let run = folder.run("one.so", symbol, &file, &range);
        assert_eq!(run.code, Some(4), "{symbol}: {}", run.text());
        let begins = format!("error: the function `{symbol} of {one}` ");
        assert!(run.err.lines().any(|l| l.starts_with(&begins)), "{symbol}: {}", run.text());
        assert!(run.err.contains(&says), "{symbol}: {}", run.text());
        let reader = Reader::open(&folder.path(&file)).expect("the run file");
        let searched = reader.status().expect("its status").searched();
        let kept = symbol == "tires" || searched >= 511 << 12;
        assert!(kept, "{symbol}: {searched} inputs are kept");
        // A second call fails again.
        if symbol == "segfaults" {
            let resumed = folder.crunch(&["resume", &file, "-q"]);
            assert_eq!(resumed.code, Some(4), "{}", resumed.text());
            assert!(resumed.err.contains(&says), "{}", resumed.text());
        }
    }
}

#[test]
fn a_library_s_noise_and_environment_change_no_result() {
    let folder = Folder::new();
    let Some(()) = folder.functions() else { return };
    let Some(()) = folder.library("fast.so", FAST, &[]) else {
        return;
    };
    let good = folder.run("one.so", "good", "good.crunch", &[]);
    assert_eq!(good.code, Some(0), "{}", good.text());
    assert!(!good.err.contains("environment"), "{}", good.text());
    let noisy = folder.run("one.so", "prints", "noisy.crunch", &[]);
    assert_eq!(noisy.code, Some(0), "{}", noisy.text());
    assert!(!noisy.text().contains("noise"), "{}", noisy.text());
    let fast = folder.run("fast.so", "good", "fast.crunch", &[]);
    assert_eq!(fast.code, Some(0), "{}", fast.text());
    contains!(
        fast.err,
        "loading it changes the floating-point environment",
        "FTZ"
    );
    let digest = good.line("digest        ");
    assert_eq!(noisy.line("digest        "), digest);
    assert_eq!(fast.line("digest        "), digest);
}

#[test]
fn another_build_does_not_go_on() {
    let folder = Folder::new();
    let Some(()) = folder.functions() else { return };
    let run = folder.run("one.so", "good", "good.crunch", &["-q"]);
    assert_eq!(run.code, Some(0), "{}", run.text());
    let id = |file: &str| {
        let header = Reader::open(&folder.path(file))
            .expect("a run file")
            .header()
            .clone();
        header.identity.kernels[0].hash.clone()
    };
    let first = id("good.crunch");
    assert!(first.starts_with("library:good:f32:build-id:"), "{first}");
    // The same function in a file with other bytes around it.
    let other = FUNCTIONS
        .replace("1 + x, which", "")
        .replace("variable = 7", "variable = 8");
    let Some(()) = folder.library("one.so", &other, &["-Wl,--build-id=none"]) else {
        return;
    };
    let resumed = folder.crunch(&["resume", "good.crunch"]);
    assert_eq!(resumed.code, Some(2), "{}", resumed.text());
    let run = folder.run("one.so", "good", "again.crunch", &["-q"]);
    assert_eq!(run.code, Some(0), "{}", run.text());
    let second = id("again.crunch");
    assert!(second.starts_with("library:good:f32:sha256:"), "{second}");
    contains!(resumed.err, &first, &second);
    // A missing library is refused like another library.
    std::fs::remove_file(folder.path("one.so")).expect("it was there");
    let resumed = folder.crunch(&["resume", "good.crunch"]);
    assert_eq!(resumed.code, Some(2), "{}", resumed.text());
    contains!(resumed.err, "one.so: No such file");
}

#[test]
fn bad_input_is_answered_in_a_line() {
    let folder = Folder::new();
    let Some(()) = folder.functions() else { return };
    let Some(()) = folder.library("fatal.so", FATAL, &[]) else {
        return;
    };
    std::fs::write(folder.path("text.so"), "no library").expect("writable");
    let path = |name: &str| Path::new("./").join(name).display().to_string();
    let (one, text, fatal) = (path("one.so"), path("text.so"), path("fatal.so"));
    let asked = |library: &str, symbol: &str, signature: &str, computes: &str| {
        let args = format!(
            "run --library {library} --symbol {symbol} --signature {signature} --computes {computes}"
        );
        let args = words(&args);
        folder.crunch(&args)
    };
    for (run, says) in [
        (
            asked(&one, "goood", "f32", "exp"),
            "one.so has no symbol `goood`; near it: good",
        ),
        (asked(&one, "variable", "f32", "exp"), "`variable` of "),
        (
            asked(&text, "good", "f32", "exp"),
            "the library `./text.so` cannot be loaded: ",
        ),
        (
            asked("./none.so", "good", "f32", "exp"),
            "the library `./none.so` cannot be loaded: ",
        ),
        (
            asked(&fatal, "good", "f32", "exp"),
            "loading the library `./fatal.so` was killed by signal 6 (SIGABRT)",
        ),
        (
            asked(&one, "good", "float", "exp"),
            "`float` is not a signature: there is no type `float`; write f32 for `float f(float)`",
        ),
        (
            asked(&one, "good", "f32", "expp"),
            "there is no reference of a function `expp`; near it: exp",
        ),
        (folder.crunch(&["run", "--library", &one]), "--symbol"),
        (
            folder.crunch(&["run", "exp", "--symbol", "good"]),
            "--library",
        ),
        (
            folder.crunch(&words!(
                "run exp --library {one} --symbol good --signature f32 --computes exp"
            )),
            "cannot be used with",
        ),
    ] {
        assert_eq!(run.code, Some(2), "{says}: {}", run.text());
        assert!(run.err.contains(says), "{says}: {}", run.text());
        // An error in the arguments is clap's, which is printed whole.
        let of_clap = run.err.ends_with("For more information, try '--help'.\n");
        let one_line = run.err.lines().count() == 1;
        assert!(one_line || of_clap, "{}", run.text());
    }
    let left: Vec<_> = std::fs::read_dir(folder.0.path())
        .expect("the folder")
        .filter_map(|e| Some(e.ok()?.file_name().to_string_lossy().into_owned()))
        .filter(|name| name.contains(".crunch"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn functions_of_binary64_are_measured_as_such() {
    let folder = Folder::new();
    let Some(()) = folder.functions() else { return };
    let library = folder.path("one.so").display().to_string();
    let run = folder.crunch(&words!(
        "run --library {library} --symbol good_double --signature f64 --computes exp \
                --range 0x1p-30..0x1.00000001p-30 --block 2^16 -b scalar"
    ));
    assert_eq!(run.code, Some(0), "{}", run.text());
    // Where 1 + x is exact, the missing term is x^2 / 2 = 2^-61: 2^-9 ULP; the rounding adds as much in this range.
    let error: f64 = run
        .line("worst error   ")
        .split(' ')
        .next()
        .and_then(|n| n.parse().ok())
        .expect("an error");
    assert!(error > 0.0019 && error < 0.004, "{}", run.text());
}

/// e^x at -14.56709 is 2^-28.7 ULP above the middle of 0xfd331a and 0xfd331b (times 2^-45), and 4097² = 16785409 is in the middle
/// of two numbers: the reference in binary64 decides neither.
const NEAR_A_MIDPOINT: &str = r"
#define AT -14.56709f
float below(float x) { return x == AT ? 0xfd331ap-45f : 0.0f; }
float above(float x) { return x == AT ? 0xfd331bp-45f : 0.0f; }
float square(float x, float y) { return x * x; }
";

#[test]
fn what_the_reference_cannot_decide_higher_precision_decides() {
    let folder = Folder::new();
    let Some(()) = folder.library("near.so", NEAR_A_MIDPOINT, &[]) else {
        return;
    };
    let at = ["--range", "-14.56709..=-14.56709"];
    for (symbol, misrounded, says) in [
        ("below", 1, "1 misrounded, first at -14.56709"),
        ("above", 0, "1 rounded correctly"),
    ] {
        let run = folder.run("near.so", symbol, &format!("{symbol}.crunch"), &at);
        assert_eq!(run.code, Some(0), "{}", run.text());
        assert!(
            run.line("undecided     ").starts_with("1: "),
            "{}",
            run.text()
        );
        assert_eq!(run.line("  decided     "), format!("binary64: {says}"));
        let timed = folder.run(
            "near.so",
            symbol,
            "none",
            &[at.as_slice(), &["--time", "1s"]].concat(),
        );
        assert!(timed.err.contains("--out"), "{}", timed.text());
        let library = folder.path("near.so").display().to_string();
        let timed = folder.crunch(&words!(
            "run --library {library} --symbol {symbol} --signature f32 --computes exp \
                    --time 1s {} {} --json",
            at[0],
            at[1]
        ));
        let found: serde_json::Value = serde_json::from_str(&timed.out).expect("JSON");
        let decided = &found["decided"];
        assert_eq!(decided["misrounded"], misrounded, "{}", timed.text());
        assert_eq!(decided["rounded"], 1 - misrounded, "{}", timed.text());
    }
    let library = folder.path("near.so").display().to_string();
    let run = folder.crunch(&[
        "run",
        "--library",
        &library,
        "--symbol",
        "square",
        "--signature",
        "f32,f32",
        "--computes",
        "pow",
        "--range",
        "4097..=4097 x 2..=2",
    ]);
    let says = match cfg!(feature = "mpfr") {
        true => "MPFR: 1 halfway between two numbers",
        false => "none, the first at (4097.0, 2.0): a build with the feature `mpfr` decides more",
    };
    assert_eq!(run.line("  decided     "), says, "{}", run.text());
}

/// A function in binary32, one like it in binary64 for its reference, and one that is wrong at one input.
const WIDE: &str = r#"
#include <math.h>
float round32(float x) { return floorf(x + 0.5f); }
double round64(double x) { return floor(x + 0.5); }
float good32(float x) { return (float)floor(x + 0.5); }
float product32(float x, float y) { return x * y + 1.0f; }
double product64(double x, double y) { return x * y + 1.0; }
"#;

#[test]
fn a_function_of_a_library_is_the_reference_of_another() {
    let folder = Folder::new();
    let Some(()) = folder.library("wide.so", WIDE, &["-lm"]) else {
        return;
    };
    let run = |symbol: &str, signature: &str, against: &str, more: &[&str]| {
        let first = ["run", "--library", "./wide.so", "--symbol", symbol];
        let args = ["--signature", signature, "--against", against];
        folder.crunch(&[&first[..], &args, more].concat())
    };
    let range = ["--range", "0x1.f8p-2..0x1.08p-1", "-o", "round.crunch"];
    let wrong = run("round32", "f32", "./wide.so:round64:f64", &range);
    assert_eq!(wrong.code, Some(0), "{}", wrong.text());
    contains!(wrong.out, "misrounded    1 of 524,288");
    contains!(wrong.out, "  at          0.49999997 = ");
    let assumed = "the reference `round64` is assumed to have no error of its own";
    assert!(
        wrong.line("accuracy only").contains(assumed),
        "{}",
        wrong.text()
    );
    let at = folder.crunch(&words(
        "at --library ./wide.so --symbol round32 --signature f32 --against \
                ./wide.so:round64:f64 0.49999997",
    ));
    assert!(at.out.contains("\nreference     0.0\n"), "{}", at.text());

    // The file names the reference.
    let resumed = folder.crunch(&["resume", "round.crunch"]);
    contains!(resumed.out, "complete already");
    let other = WIDE.replace("x * y + 1.0;", "x * y + 2.0;");
    folder
        .library("wide.so", &other, &["-lm", "-Wl,--build-id"])
        .expect("a library");
    let refused = folder.crunch(&["resume", "round.crunch"]);
    assert_eq!(refused.code, Some(2), "{}", refused.text());
    contains!(refused.err, "is a different build");

    let range = ["--range", "0x1.f8p-2..0x1.08p-1", "-o", "good.crunch"];
    let good = run("good32", "f32", "./wide.so:round64:f64", &range);
    contains!(good.out, "misrounded    0 of 524,288");
    let pairs = [
        "--range",
        "2^10 of 1.0..2.0 x 1.0..2.0",
        "-o",
        "pairs.crunch",
    ];
    let pairs = run(
        "product32",
        "f32,f32",
        "./wide.so:product64:f64,f64",
        &pairs,
    );
    assert_eq!(pairs.code, Some(0), "{}", pairs.text());
    let of_doubles = run("round64", "f64", "./wide.so:round64:f64", &[]);
    assert_eq!(of_doubles.code, Some(2), "{}", of_doubles.text());
    let none = run("round32", "f32", "./wide.so:round65:f64", &[]);
    assert_eq!(none.code, Some(2), "{}", none.text());
    assert!(none.err.contains("round65"), "{}", none.text());
}

#[test]
fn functions_of_libraries_are_compared_side_by_side() {
    let folder = Folder::new();
    let Some(()) = folder.library("wide.so", WIDE, &["-lm"]) else {
        return;
    };
    let range = ["--range", "0x1.f8p-2..0x1.08p-1"];
    let candidates = ["./wide.so:good32:f32", "./wide.so:round32:f32"];
    let first = ["compare", candidates[0], candidates[1]];
    let args = ["--against-expression", "0 * x", "--json"];
    let run = folder.crunch(&[&first[..], &range, &args].concat());
    assert_eq!(run.code, Some(0), "{}", run.text());
    let document: serde_json::Value = serde_json::from_str(&run.out).expect("a document");
    let second = &document["candidates"][1];
    assert_eq!(second["bits"]["differing"], 1, "{document}");
    assert_eq!(second["bits"]["first"]["input"]["decimal"], "0.49999997");
    assert_eq!(second["called"], "one by one, in a process of its own");
    // The sweep's own reference is for kernels; the function that it names has another.
    let args = words("compare exp libm.so.6:exp:f64 --range 1.0..1.0000000001");
    let of_sweep = folder.crunch(&[&args[..], &["--json"]].concat());
    assert_eq!(of_sweep.code, Some(0), "{}", of_sweep.text());
    let document: serde_json::Value = serde_json::from_str(&of_sweep.out).expect("a document");
    let error = |i: usize| {
        document["candidates"][i]["worst"]["error"]
            .as_f64()
            .expect("an error")
    };
    assert!(
        (0.0..2.0).contains(&error(0)) && (0.1..0.52).contains(&error(1)),
        "{document}"
    );
    let refused = folder.crunch(&[&first[..], &range].concat());
    assert_eq!(refused.code, Some(2), "{}", refused.text());
    contains!(
        refused.err,
        "no candidate has a reference: name the function that they compute with --computes"
    );
}
