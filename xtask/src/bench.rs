//! Our search loops, compared with alternatives in C, plain Rust and MPFR: compiles `benches/rivals/` and runs
//! `benches/limit/`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{Error, Result};
use crate::process::{self, cargo, root};
use crate::setup::{self, Only};

/// Options of `cargo xtask bench`.
#[derive(clap::Args)]
pub struct Args {
    /// The kernels: reciprocal, log_polynomial, exp, reciprocal_f32 [default: all]
    names: Vec<OsString>,
    /// The number of rounds; in each, all programs run in turn.
    #[arg(long, default_value_t = 15)]
    rounds: u32,
    /// Unroll in two ways instead of all, which saves a minute of compilation.
    #[arg(long)]
    quick: bool,
    /// Measure instead how much a kernel adds to the time of a release build, and to the start of a process that evaluates one.
    #[arg(long)]
    compile_time: bool,
}

const KERNELS: [&str; 4] = ["reciprocal", "log_polynomial", "exp", "reciprocal_f32"];
/// As an expert would compile, for the processor that `-march` names, and without contraction, which would change results.
const FLAGS: [&str; 5] = ["-O3", "-ffp-contract=off", "-shared", "-fPIC", "-Wall"];

/// `cargo xtask bench`.
pub fn run(args: &Args) -> Result<()> {
    if args.compile_time {
        return crate::compile_time::run(args.rounds);
    }
    let tools = setup::ensure(&[Only::Pocl, Only::Mpfr]);
    tools.print();
    let folder = process::toolchain().join("rivals");
    // Programs built on another machine or from an older source must not be used.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|e| Error(format!("{}: {e}", folder.display())))?;
    let sets: &[&str] = if process::has_avx512() {
        &["avx2", "avx512"]
    } else {
        println!("!! avx512: not on this processor, neither ours nor rivals");
        &["avx2"]
    };
    let sets: Vec<_> = sets.iter().map(|set| (*set, "native")).collect();
    let compiled = compile_all(&folder, &sets, args.quick)?.number;
    println!("{compiled} rivals compiled");
    let mut command = cargo();
    command.args(["bench", "--quiet", "--bench", "limit"]);
    let features = setup::features();
    if !features.is_empty() {
        command.args(["--features", &features.join(",")]);
    }
    command.arg("--").arg("--rivals").arg(&folder);
    command
        .args(["--rounds", &args.rounds.to_string()])
        .args(&args.names);
    // One thread of a device is compared with one thread of ours.
    command.env("POCL_MAX_PTHREAD_COUNT", "1");
    process::run(tools.export(&mut command))
}

/// Rivals that were compiled.
pub struct Compiled {
    /// How many.
    pub number: usize,
    /// The compilers' own names for themselves.
    pub compilers: Vec<String>,
    /// Compilers that are not here.
    pub missing: Vec<&'static str>,
}

/// Compiles the rivals into a folder, by all compilers that are here, for instruction sets with the processor that the
/// compiler is told.
pub fn compile_all(folder: &Path, sets: &[(&str, &str)], quick: bool) -> Result<Compiled> {
    let mut all = Compiled {
        number: 0,
        compilers: Vec::new(),
        missing: Vec::new(),
    };
    let mut jobs = Vec::new();
    for (compiler, program) in [("gcc", gcc()), ("clang", clang())] {
        let Some(program) = program else {
            println!("!! {compiler}: not found, no rivals by it");
            all.missing.push(compiler);
            continue;
        };
        let version = process::output(Command::new(&program).arg("--version"))?;
        all.compilers
            .push(version.lines().next().unwrap_or(compiler).trim().into());
        for &set in sets {
            for kernel in KERNELS {
                for variant in variants(kernel, quick) {
                    jobs.push((program.clone(), compiler, set, kernel, variant));
                }
            }
        }
    }
    all.number = jobs.len();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let part = jobs.len().div_ceil(threads).max(1);
        let work = jobs.chunks(part).map(|jobs| {
            scope.spawn(move || {
                jobs.iter()
                    .try_for_each(|(program, compiler, set, kernel, variant)| {
                        compile(program, compiler, *set, kernel, variant, folder)
                    })
            })
        });
        let work: Vec<_> = work.collect();
        work.into_iter()
            .try_for_each(|w| w.join().unwrap_or_else(|p| std::panic::resume_unwind(p)))
    })?;
    Ok(all)
}

/// The number of registers per value, whether kernels and metric are one loop, whether only the maximum is computed.
struct Variant {
    registers: u32,
    fused: bool,
    maximum: bool,
}

fn variants(kernel: &str, quick: bool) -> Vec<Variant> {
    let mut all = Vec::new();
    let registers: &[u32] = if quick { &[2, 4] } else { &[1, 2, 4, 8] };
    for &registers in registers {
        // Its routine needs at least two registers at a time.
        if kernel == "reciprocal_f32" && registers == 1 {
            continue;
        }
        for fused in [false, true] {
            for maximum in [false, true] {
                all.push(Variant {
                    registers,
                    fused,
                    maximum,
                });
            }
        }
    }
    all
}

fn compile(
    program: &Path,
    compiler: &str,
    (set, processor): (&str, &str),
    kernel: &str,
    variant: &Variant,
    folder: &Path,
) -> Result<()> {
    let passes = if variant.fused { "fused" } else { "passes" };
    let only = if variant.maximum { "-maximum" } else { "" };
    let name = format!(
        "{kernel}.{set}.{compiler}.{}-{passes}{only}.so",
        variant.registers
    );
    let mut command = Command::new(program);
    command
        .args(FLAGS)
        .arg(format!("-march={processor}"))
        .arg(format!("-DU={}", variant.registers));
    let defines = [
        ("-DFUSED", variant.fused),
        ("-DMAXIMUM_ONLY", variant.maximum),
        ("-DRIVAL_AVX512", set == "avx512"),
    ];
    command.args(defines.iter().filter(|d| d.1).map(|d| d.0));
    command.arg("-o").arg(folder.join(name));
    command.arg(root().join(format!("benches/rivals/{kernel}.c")));
    let output = command
        .output()
        .map_err(|e| Error(format!("{}: {e}", program.display())))?;
    if !output.status.success() {
        let log = String::from_utf8_lossy(&output.stderr);
        return Err(Error(format!("{}:\n{log}", process::shown(&command))));
    }
    Ok(())
}

fn gcc() -> Option<PathBuf> {
    first_that_runs(["gcc", "cc"].map(String::from))
}

fn clang() -> Option<PathBuf> {
    let versions = (14..25).rev().map(|n| format!("clang-{n}"));
    first_that_runs(std::iter::once("clang".into()).chain(versions))
}

fn first_that_runs(names: impl IntoIterator<Item = String>) -> Option<PathBuf> {
    let runs = |name: &String| {
        let version = Command::new(name).arg("--version").output();
        version.is_ok_and(|o| o.status.success())
    };
    names.into_iter().find(runs).map(PathBuf::from)
}
