//! Kernels as Rust source, compiled in batches and run by a program of their own ([`crate::child`]).
//!
//! cargo builds that program: the binary `batch` of this package, whose one line includes the file that the variable
//! `RANDOM_KERNELS_BATCH` names. So the kernels meet the same `#[crunch]`, the same library and the same profile as
//! everything else, and what they depend on is compiled once. Each kernel is a file of its own: when rustc refuses one,
//! the message names it, and the others are built without it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use kernels_gen::identity::identity_hex;

use crate::ast::Unit;
use crate::child;
use crate::compare::{Finding, What};
use crate::rust_source::source;
use crate::tree;

/// Kernels of one program: linking takes some seconds whatever their number, and memory grows with it.
pub const TOGETHER: usize = 120;

/// Compiles and runs batches.
#[derive(Debug)]
pub struct Builder {
    /// Where sources are written.
    folder: PathBuf,
    /// `release`, `dev`.
    profile: String,
    /// Features of this package besides `batch`.
    features: Vec<&'static str>,
    /// Backends whose forms are compiled.
    forms: Vec<&'static str>,
    /// More of rustc's flags for the program alone.
    flags: Vec<String>,
}

/// Programs of batches that were compiled earlier, on a machine with a compiler.
#[derive(Debug, Clone)]
pub struct Prebuilt {
    /// Where they are.
    pub folder: PathBuf,
    /// The seed of the kernels.
    pub seed: u64,
    /// The number of the first kernel of those that are run.
    pub from: u64,
}

impl Prebuilt {
    /// The program of the batch whose first kernel is the `first`-th of those that are run.
    #[must_use]
    pub fn program(&self, first: usize) -> PathBuf {
        let name = format!("kernels-{}-{}", self.seed, self.from + first as u64);
        self.folder.join(name)
    }

    /// Runs a batch as [`Builder::run`] does.
    ///
    /// # Errors
    /// When there is no such program, or it does not end well.
    pub fn run(
        &self,
        first: usize,
        units: &[Unit],
        seed: u64,
        rows: usize,
    ) -> Result<Outcome, String> {
        let program = self.program(first);
        if !program.is_file() {
            return Err(format!(
                "{} is no file: these kernels were not compiled",
                program.display()
            ));
        }
        let mut outcome = Outcome::default();
        execute(&program, units, seed, rows, &mut outcome)?;
        Ok(outcome)
    }
}

/// What a batch showed.
#[derive(Debug, Default)]
pub struct Outcome {
    /// What went wrong.
    pub findings: Vec<Finding>,
    /// Kernel-input evaluations of each backend.
    pub evaluations: BTreeMap<String, u64>,
}

/// A kernel, and one in whose place `backend` runs the other: a injected fault.
#[derive(Debug, Clone)]
pub struct InjectedFault {
    /// Which backend.
    pub backend: String,
    /// What it runs.
    pub unit: Unit,
}

impl Builder {
    /// With sources in that folder.
    #[must_use]
    pub fn new(folder: &Path, profile: &str) -> Self {
        let here = |name: &&str| match *name {
            #[cfg(target_arch = "x86_64")]
            "avx2" => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            "avx512" => is_x86_feature_detected!("avx512dq"),
            name => name == "scalar",
        };
        Builder {
            folder: folder.into(),
            profile: profile.into(),
            // Those of this program, or what the batch depends on would be compiled a second time.
            features: [
                ("opencl", cfg!(feature = "opencl")),
                ("cuda", cfg!(feature = "cuda")),
            ]
            .into_iter()
            .filter_map(|(name, given)| given.then_some(name))
            .collect(),
            forms: child::BACKENDS.split(',').filter(here).collect(),
            flags: Vec::new(),
        }
    }

    /// The same with the forms of all instruction sets, for other processors than this one, and with flags for rustc
    /// that concern the program alone, as those of linking do.
    #[must_use]
    pub fn for_all_processors(self, flags: &[String]) -> Self {
        Builder {
            forms: child::BACKENDS.split(',').collect(),
            flags: flags.to_vec(),
            ..self
        }
    }

    /// The program of these kernels, for [`Prebuilt`]; cargo overwrites it with the next one.
    ///
    /// # Errors
    /// When it does not build.
    pub fn program(&self, units: &[Unit]) -> Result<PathBuf, String> {
        let all: Vec<usize> = (0..units.len()).collect();
        let file = self.write(units, &vec![None; units.len()], &all)?;
        match self.build(&file)? {
            Built::Program(program) => Ok(program),
            Built::Refused(log) => Err(format!("the batch does not build:\n{log}")),
        }
    }

    /// Runs each kernel at `rows` rows of the inputs of a seed, and compares its tree as `#[crunch]` wrote it with ours.
    ///
    /// # Errors
    /// When cargo does not build the program for another reason than a kernel, or the program does not end well.
    pub fn run(
        &self,
        units: &[Unit],
        injected: &[Option<InjectedFault>],
        seed: u64,
        rows: usize,
    ) -> Result<Outcome, String> {
        let mut outcome = Outcome::default();
        let mut left: Vec<usize> = (0..units.len()).collect();
        let program = loop {
            if left.is_empty() {
                return Ok(outcome);
            }
            let file = self.write(units, injected, &left)?;
            match self.build(&file)? {
                Built::Program(program) => break program,
                Built::Refused(log) => {
                    let refused: Vec<usize> = left
                        .iter()
                        .copied()
                        .filter(|n| log.contains(&format!("unit_{n}.rs")))
                        .collect();
                    if refused.is_empty() {
                        let start: String = log.chars().take(4000).collect();
                        return Err(format!("the batch does not build:\n{start}"));
                    }
                    for &unit in &refused {
                        outcome.findings.push(Finding {
                            unit,
                            backend: "rustc".into(),
                            what: What::Refused(about(&log, &format!("unit_{unit}.rs"))),
                        });
                    }
                    left.retain(|n| !refused.contains(n));
                }
            }
        };
        execute(&program, units, seed, rows, &mut outcome)?;
        Ok(outcome)
    }

    fn write(
        &self,
        units: &[Unit],
        injected: &[Option<InjectedFault>],
        which: &[usize],
    ) -> Result<PathBuf, String> {
        let io = |e: std::io::Error| format!("{}: {e}", self.folder.display());
        std::fs::create_dir_all(&self.folder).map_err(io)?;
        let mut batch = String::from(
            "use random_kernels::child;\nuse doublecrunch::backend::{CpuPoint, KernelRef};\n\
             use doublecrunch::isa::{Avx2, Avx512, Scalar};\n\
             use doublecrunch::kernel::CrunchFn;\nuse doublecrunch::run::{WideAvx2, WideAvx512, WideScalar, columns};\n\n",
        );
        let mut module = |name: &str, unit: &Unit| -> Result<(), String> {
            let path = self.folder.join(format!("{name}.rs"));
            std::fs::write(&path, source(unit)).map_err(io)?;
            let _ = writeln!(batch, "#[path = {path:?}]\nmod {name};");
            Ok(())
        };
        let mut entries = String::new();
        for &n in which {
            module(&format!("unit_{n}"), &units[n])?;
            let own = format!("unit_{n}::{}", units[n].entry().name);
            let mut other = None;
            if let Some(Some(p)) = injected.get(n) {
                let name = format!("unit_{n}_injected");
                module(&name, &p.unit)?;
                other = Some((
                    p.backend.as_str(),
                    format!("{name}::{}", p.unit.entry().name),
                ));
            }
            let form = |backend: &str, wide: &str| match &other {
                _ if !self.forms.contains(&backend) => "child::absent".to_string(),
                Some((b, other)) if *b == backend => format!("columns::<{other}, {wide}>"),
                _ => format!("columns::<{own}, {wide}>"),
            };
            // Register groups as wide as in a search take rustc three times as long.
            let [scalar, avx2, avx512] = match n % 4 {
                0 => ["WideScalar", "WideAvx2", "WideAvx512"],
                _ => ["Scalar<1>", "Avx2<1>", "Avx512<1>"],
            };
            let _ = writeln!(
                entries,
                "    child::Compiled {{ number: {n}, columns: &{:?}, kernel: KernelRef {{\n        \
                 kernel: <{own} as CrunchFn>::KERNEL,\n        \
                 cpu: CpuPoint {{ scalar: {}, avx2: {}, avx512: {} }},\n        \
                 written: None,\n    }} }},",
                units[n].columns(),
                form("scalar", scalar),
                form("avx2", avx2),
                form("avx512", avx512),
            );
        }
        let _ = write!(
            batch,
            "\nstatic KERNELS: &[child::Compiled] = &[\n{entries}];\n\n\
             fn main() -> std::process::ExitCode {{\n    child::main(KERNELS)\n}}\n"
        );
        let file = self.folder.join("batch.rs");
        std::fs::write(&file, batch).map_err(io)?;
        Ok(file)
    }

    fn build(&self, file: &Path) -> Result<Built, String> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut features = vec!["batch"];
        features.extend(&self.features);
        let out = Command::new(cargo)
            .args(["rustc", "--offline", "--package", "random-kernels"])
            .args(["--bin", "batch", "--profile", &self.profile])
            .args(["--features", &features.join(",")])
            .args(["--message-format", "json-render-diagnostics"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .env("RANDOM_KERNELS_BATCH", file)
            // Every batch is new.
            .env("CARGO_INCREMENTAL", "0")
            .args([
                "--config",
                &format!("profile.{}.package.random-kernels.debug=0", self.profile),
            ])
            .arg("--")
            .args(&self.flags)
            .stdin(Stdio::null())
            .output()
            .map_err(|e| format!("cargo could not be started: {e}"))?;
        if !out.status.success() {
            let log = String::from_utf8_lossy(&out.stderr).into_owned();
            return Ok(Built::Refused(log));
        }
        let messages = String::from_utf8_lossy(&out.stdout);
        let program = messages.lines().rev().find_map(|line| {
            let rest = line.split_once("\"executable\":\"")?.1;
            rest.split('"').next()
        });
        match program {
            Some(program) => Ok(Built::Program(program.into())),
            None => Err("cargo names no program".into()),
        }
    }
}

/// Runs the program of a batch and reads its lines.
fn execute(
    program: &Path,
    units: &[Unit],
    seed: u64,
    rows: usize,
    outcome: &mut Outcome,
) -> Result<(), String> {
    let out = Command::new(program)
        .args([seed.to_string(), rows.to_string()])
        // A pipe that is closed at once: there may be no /dev/null.
        .stdin(Stdio::piped())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| format!("the batch could not be started: {e}"))?;
    let stdout = String::from_utf8_lossy(&out.stdout);
    if !out.status.success() || !stdout.ends_with("end\n") {
        return Err(format!("the batch ended with {}", out.status));
    }
    for line in stdout.lines() {
        read(line, units, outcome);
    }
    Ok(())
}

enum Built {
    Program(PathBuf),
    Refused(String),
}

/// The messages of a log that name a file.
fn about(log: &str, file: &str) -> String {
    let messages = log.split("\n\n").filter(|m| m.contains(file));
    messages.collect::<Vec<_>>().join("\n\n")
}

/// Takes in a line of [`child::main`]'s.
fn read(line: &str, units: &[Unit], outcome: &mut Outcome) {
    let mut words = line.split(' ');
    let (Some(what), Some(unit)) = (
        words.next(),
        words.next().and_then(|w| w.parse::<usize>().ok()),
    ) else {
        return;
    };
    // A program that was compiled earlier may have more kernels than are wanted.
    if unit >= units.len() {
        return;
    }
    let mut word = || words.next().unwrap_or_default();
    match what {
        "identity" => {
            let theirs = word();
            let ours = kernels_gen::lower(tree::kernel(&units[unit])).map(|p| identity_hex(&p));
            if ours.as_deref() != Ok(theirs) {
                outcome.findings.push(Finding {
                    unit,
                    backend: "#[crunch]".into(),
                    what: What::Refused(format!(
                        "its tree lowers to {theirs}, the generated one to {ours:?}"
                    )),
                });
            }
        }
        "ran" => {
            let backend = word().to_string();
            let rows: u64 = word().parse().unwrap_or_default();
            *outcome.evaluations.entry(backend).or_default() += rows;
        }
        "differs" => {
            let backend = word().to_string();
            let (row, result) = (word(), word());
            let hex = |w: &str| u64::from_str_radix(w.trim_start_matches("0x"), 16);
            let (want, got) = (hex(word()), hex(word()));
            outcome.findings.push(Finding {
                unit,
                backend,
                what: What::Differs {
                    row: row.parse().unwrap_or_default(),
                    result: result.parse().unwrap_or_default(),
                    want: want.unwrap_or_default(),
                    got: got.unwrap_or_default(),
                },
            });
        }
        "refused" => {
            let backend = word().to_string();
            let why: Vec<&str> = words.collect();
            outcome.findings.push(Finding {
                unit,
                backend,
                what: What::Refused(why.join(" ")),
            });
        }
        _ => {}
    }
}
