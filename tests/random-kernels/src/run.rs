//! A run: slices of kernels, each in a process of its own, since trees are leaked and a compiled kernel may crash.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use doublecrunch::backend::{Backend, Discovery, Filter, discover};
use doublecrunch::search::points;

use crate::ast::Unit;
use crate::compare::{Finding, What};
use crate::{compare, cpu, fault_injection, generate, inputs, regressions, shrink};

/// What is run.
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    /// Stop after so many minutes, at the end of a slice.
    #[arg(long)]
    pub minutes: Option<f64>,
    /// Stop after so many kernels; 1000 if no time is given either.
    #[arg(long)]
    pub kernels: Option<u64>,
    /// Other kernels, other inputs. A number in decimal.
    #[arg(long)]
    pub seed: Option<u64>,
    /// Number of the first kernel.
    #[arg(long, default_value_t = 0)]
    pub from: u64,
    /// Inputs of each kernel.
    #[arg(long, default_value_t = 4096)]
    pub rows: usize,
    /// Backends, as on `crunch`'s command line.
    #[arg(long, default_value = "all")]
    pub backends: String,
    /// Only trees on interpreter and emitted text, or only Rust source compiled by rustc.
    #[arg(long)]
    pub only: Option<Only>,
    /// Inject a fault, to see that it is found: `list` names them.
    #[arg(long)]
    pub inject: Option<String>,
    /// Where what is found is saved, made small.
    #[arg(long)]
    pub save: Option<PathBuf>,
    /// The profile that Rust source is compiled in.
    #[arg(long, default_value = "release")]
    pub profile: String,
    /// A folder of programs that `prebuild` wrote, which are run in place of Rust source: no compiler is needed.
    #[arg(long)]
    pub prebuilt: Option<PathBuf>,
}

/// Which half.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Only {
    /// Interpreter and emitted text.
    Text,
    /// Compiled by rustc.
    Rust,
}

/// Kernels of a slice. Backends are probed in each, which costs some seconds.
pub const SLICE: u64 = 4 * cpu::TOGETHER as u64;

/// Runs slices until time or kernels are used up or something is found.
#[must_use]
pub fn run(args: &Args) -> ExitCode {
    if args.inject.as_deref() == Some("list") {
        for fault in fault_injection::ALL {
            println!("{:<34} {}", fault.name, fault.what);
        }
        return ExitCode::SUCCESS;
    }
    let seed = args.seed.unwrap_or_else(|| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        now.map_or(1, |t| t.as_secs())
    });
    let kernels = args.kernels.unwrap_or(match args.minutes {
        Some(_) => u64::MAX,
        None => 1000,
    });
    println!("seed {seed}");
    let folder = std::env::temp_dir().join(format!("random-kernels-{}", std::process::id()));
    let begun = Instant::now();
    let mut total = Total::default();
    let mut done = 0;
    let time_left = || {
        args.minutes
            .is_none_or(|m| begun.elapsed() < Duration::from_secs_f64(60.0 * m))
    };
    while done < kernels && time_left() {
        let count = SLICE.min(kernels - done);
        if let Err(reason) = slice_process(args, &folder, seed, args.from + done, count, &mut total)
        {
            println!("{reason}");
            total.failures += 1;
        }
        done += count;
        println!("{:>7} s: {}", begun.elapsed().as_secs(), total.line());
        if total.failures > 0 {
            break;
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    println!("{}", total.table());
    if total.failures > 0 {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

/// What all slices showed.
#[derive(Debug, Default)]
struct Total {
    kernels: u64,
    failures: u64,
    evaluations: BTreeMap<String, u64>,
    /// What was not here, with the reason.
    absent: BTreeMap<String, String>,
}

impl Total {
    fn line(&self) -> String {
        format!(
            "{} kernels, {:.3e} evaluations, {} failures",
            self.kernels,
            self.evaluations.values().sum::<u64>() as f64,
            self.failures
        )
    }

    fn table(&self) -> String {
        let mut out = String::new();
        for (backend, n) in &self.evaluations {
            let _ = writeln!(out, "{backend:<24} {n:>14}");
        }
        for (backend, reason) in &self.absent {
            let _ = writeln!(out, "{backend:<24} not run: {reason}");
        }
        let all: u64 = self.evaluations.values().sum();
        let _ = write!(
            out,
            "{:<24} {all:>14} evaluations of {} kernels, {} failures",
            "all", self.kernels, self.failures
        );
        out
    }
}

/// Runs a slice in a process of its own, and reads its report.
fn slice_process(
    args: &Args,
    folder: &Path,
    seed: u64,
    from: u64,
    count: u64,
    total: &mut Total,
) -> Result<(), String> {
    // Without /proc a program does not know its path, but how it was started.
    let own = std::env::current_exe()
        .or_else(|e| std::env::args_os().next().map(PathBuf::from).ok_or(e))
        .map_err(|e| format!("this program has no path: {e}"))?;
    let mut command = Command::new(own);
    command
        .arg("slice")
        .args(["--seed", &seed.to_string()])
        .args(["--from", &from.to_string()])
        .args(["--kernels", &count.to_string()])
        .args(["--rows", &args.rows.to_string()])
        .args(["--backends", &args.backends])
        .args(["--profile", &args.profile]);
    if let Some(only) = args.only {
        command.args(["--only", if only == Only::Text { "text" } else { "rust" }]);
    }
    if let Some(fault) = &args.inject {
        command.args(["--inject", fault]);
    }
    if let Some(save) = &args.save {
        command.arg("--save").arg(save);
    }
    if let Some(folder) = &args.prebuilt {
        command.arg("--prebuilt").arg(folder);
    }
    let out = command
        .env("RANDOM_KERNELS_FOLDER", folder)
        // Nobody compiles any of this twice.
        .env("CRUNCH_CACHE_DIR", "")
        .env("POCL_CACHE_DIR", folder.join("pocl"))
        // A pipe that is closed at once: there may be no /dev/null.
        .stdin(Stdio::piped())
        .stderr(Stdio::inherit())
        .output();
    let out = out.map_err(|e| format!("a slice could not be started: {e}"))?;
    let stdout = String::from_utf8_lossy(&out.stdout);
    let mut ended = false;
    for line in stdout.lines() {
        let mut words = line.splitn(3, '\t');
        match (words.next(), words.next(), words.next()) {
            (Some("@evaluations"), Some(backend), Some(n)) => {
                *total.evaluations.entry(backend.into()).or_default() +=
                    n.parse::<u64>().unwrap_or_default();
            }
            (Some("@absent"), Some(backend), Some(why)) => {
                total.absent.insert(backend.into(), why.into());
            }
            (Some("@end"), Some(failures), _) => {
                ended = true;
                total.failures += failures.parse::<u64>().unwrap_or(1);
            }
            _ => println!("{line}"),
        }
    }
    if !out.status.success() || !ended {
        return Err(format!(
            "kernels {from} to {} of seed {seed}: the process ended with {}",
            from + count - 1,
            out.status
        ));
    }
    total.kernels += count;
    Ok(())
}

/// The seed of a slice's inputs.
fn inputs_seed(seed: u64, from: u64) -> u64 {
    seed ^ from.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Runs a slice here.
#[must_use]
pub fn slice(args: &Args) -> ExitCode {
    let seed = args.seed.unwrap_or(1);
    let count = args.kernels.unwrap_or(SLICE);
    let units: Vec<Unit> = (args.from..args.from + count)
        .map(|n| generate::unit(seed, n))
        .collect();
    let slice = Slice {
        units,
        seed: inputs_seed(seed, args.from),
        rows: args.rows,
        folder: std::env::var_os("RANDOM_KERNELS_FOLDER").map_or_else(
            || std::env::temp_dir().join("random-kernels"),
            PathBuf::from,
        ),
        profile: args.profile.clone(),
        prebuilt: args.prebuilt.clone().map(|folder| cpu::Prebuilt {
            folder,
            seed,
            from: args.from,
        }),
    };
    let filter: Filter = match args.backends.parse() {
        Ok(filter) => filter,
        Err(e) => {
            eprintln!("{e}");
            return ExitCode::FAILURE;
        }
    };
    let fault = match args.inject.as_deref().map(fault_injection::named) {
        None => None,
        Some(Some(fault)) => Some(fault),
        Some(None) => {
            eprintln!("there is no such fault; `--inject list` names them");
            return ExitCode::FAILURE;
        }
    };
    let mut outcome = match slice.run(&filter, args.only, fault) {
        Ok(outcome) => outcome,
        Err(e) => {
            eprintln!("{e}");
            return ExitCode::FAILURE;
        }
    };
    for (backend, n) in &outcome.evaluations {
        println!("@evaluations\t{backend}\t{n}");
    }
    for (backend, reason) in &outcome.absent {
        println!("@absent\t{backend}\t{}", reason.replace(['\n', '\t'], " "));
    }
    outcome.findings.sort_by_key(|f| f.unit);
    // One for each backend is made small: the others are mostly the same.
    let mut seen: Vec<&str> = Vec::new();
    for finding in &outcome.findings {
        let number = args.from + finding.unit as u64;
        println!(
            "kernel {number} of seed {seed}: {}",
            slice.describe(finding)
        );
        if seen.contains(&finding.backend.as_str()) {
            continue;
        }
        seen.push(&finding.backend);
        slice.small(
            finding,
            &outcome.backends,
            fault,
            number,
            args.save.as_deref(),
        );
    }
    println!("@end\t{}", outcome.findings.len());
    ExitCode::SUCCESS
}

/// Kernels and how they are run.
#[derive(Debug)]
pub struct Slice {
    /// The kernels.
    pub units: Vec<Unit>,
    /// The seed of the inputs.
    pub seed: u64,
    /// How many inputs.
    pub rows: usize,
    /// Where generated source is written.
    pub folder: PathBuf,
    /// What it is compiled in.
    pub profile: String,
    /// The programs in place of generated source.
    pub prebuilt: Option<cpu::Prebuilt>,
}

/// Compiles kernels for all processors, into programs that [`Args::prebuilt`] names; `flags` are rustc's for the programs.
///
/// # Errors
/// When they do not build or cannot be written.
pub fn prebuild(args: &Args, into: &Path, flags: &[String]) -> Result<(), String> {
    let (seed, count) = (args.seed.unwrap_or(1), args.kernels.unwrap_or(SLICE));
    let io = |e: std::io::Error| format!("{}: {e}", into.display());
    std::fs::create_dir_all(into).map_err(io)?;
    let folder = std::env::temp_dir().join(format!("random-kernels-{}", std::process::id()));
    let builder = cpu::Builder::new(&folder, &args.profile).for_all_processors(flags);
    let programs = cpu::Prebuilt {
        folder: into.into(),
        seed,
        from: args.from,
    };
    for first in (0..count).step_by(SLICE as usize) {
        let numbers = args.from + first..args.from + count.min(first + SLICE);
        let units: Vec<Unit> = numbers.map(|n| generate::unit(seed, n)).collect();
        let program = builder.program(&units)?;
        std::fs::copy(program, programs.program(first as usize)).map_err(io)?;
        println!("{} of {count} kernels compiled", first + units.len() as u64);
    }
    let _ = std::fs::remove_dir_all(&folder);
    Ok(())
}

/// What a slice showed.
#[derive(Default)]
pub struct Outcome {
    /// What went wrong.
    pub findings: Vec<Finding>,
    /// Kernel-input evaluations of each backend.
    pub evaluations: BTreeMap<String, u64>,
    /// What was not here.
    pub absent: BTreeMap<String, String>,
    /// The backends that need no rustc, the interpreter first.
    pub backends: Vec<Arc<dyn Backend>>,
}

/// The backends that need no rustc: interpreter first.
#[must_use]
pub fn text_backends(found: &Discovery) -> Vec<Arc<dyn Backend>> {
    let (mut oracle, others): (Vec<_>, Vec<_>) = found
        .backends
        .iter()
        .filter(|b| !crate::child::BACKENDS.split(',').any(|c| c == b.id()))
        .cloned()
        .partition(|b| b.id() == "interpreter");
    oracle.extend(others);
    oracle
}

impl Slice {
    /// Runs all kernels on the requested backends that are present.
    ///
    /// # Errors
    /// When generated source does not build for another reason than a kernel.
    pub fn run(
        &self,
        filter: &Filter,
        only: Option<Only>,
        fault: Option<&'static fault_injection::Fault>,
    ) -> Result<Outcome, String> {
        let mut outcome = Outcome::default();
        let found = discover(filter);
        for absent in &found.absent {
            outcome
                .absent
                .insert(absent.id.clone(), absent.reason.clone());
        }
        for (id, error) in &found.refused {
            outcome.absent.insert(id.clone(), error.to_string());
        }
        let backends = fault_injection::with_fault(text_backends(&found), fault);
        let columns = inputs::columns(self.seed, self.rows);
        let injected: Vec<_> = self
            .units
            .iter()
            .map(|u| fault_injection::in_rust(u, fault))
            .collect();
        let rust_wanted = only != Some(Only::Text)
            && crate::child::BACKENDS.split(',').any(|b| filter.matches(b));
        let (text, rust) = std::thread::scope(|scope| {
            let rust = scope.spawn(|| {
                let builder = cpu::Builder::new(&self.folder, &self.profile);
                rust_wanted.then(|| self.rust(&builder, &injected))
            });
            let text = if only == Some(Only::Rust) || backends.len() < 2 {
                Vec::new()
            } else {
                compare::compare(&self.units, &columns, &backends)
            };
            let rust = rust.join().unwrap_or_else(|p| std::panic::resume_unwind(p));
            (text, rust)
        });
        if only != Some(Only::Rust) {
            for backend in &backends {
                let n = self.units.len() * self.rows;
                outcome.evaluations.insert(backend.id().into(), n as u64);
            }
        }
        outcome.findings.extend(text);
        if let Some(rust) = rust {
            let rust = rust?;
            outcome.findings.extend(rust.findings);
            outcome.evaluations.extend(rust.evaluations);
        }
        outcome.backends = backends;
        Ok(outcome)
    }

    /// Batch after batch.
    fn rust(
        &self,
        builder: &cpu::Builder,
        injected: &[Option<cpu::InjectedFault>],
    ) -> Result<cpu::Outcome, String> {
        let mut all = cpu::Outcome::default();
        // What every program has besides its kernels is larger than they are, so those compiled earlier are few.
        let together = match self.prebuilt {
            Some(_) => SLICE as usize,
            None => cpu::TOGETHER,
        };
        for (n, units) in self.units.chunks(together).enumerate() {
            let first = n * together;
            let injected = &injected[first..first + units.len()];
            let mut outcome = match &self.prebuilt {
                Some(_) if injected.iter().any(Option::is_some) => {
                    return Err("a fault in Rust source needs a compiler: no --prebuilt".into());
                }
                Some(programs) => programs.run(first, units, self.seed, self.rows)?,
                None => builder.run(units, injected, self.seed, self.rows)?,
            };
            outcome.findings.iter_mut().for_each(|f| f.unit += first);
            all.findings.append(&mut outcome.findings);
            for (backend, n) in outcome.evaluations {
                *all.evaluations.entry(backend).or_default() += n;
            }
        }
        Ok(all)
    }

    /// A finding in a few words.
    fn describe(&self, finding: &Finding) -> String {
        let unit = &self.units[finding.unit];
        describe(unit, finding, &inputs::columns(self.seed, self.rows))
    }

    /// Makes what was found small, shows it and saves it.
    fn small(
        &self,
        finding: &Finding,
        backends: &[Arc<dyn Backend>],
        fault: Option<&'static fault_injection::Fault>,
        number: u64,
        save: Option<&Path>,
    ) {
        let unit = &self.units[finding.unit];
        let columns = inputs::columns(self.seed, self.rows);
        let Some(backend) = backends.iter().find(|b| b.id() == finding.backend) else {
            return self.small_in_rust(unit, finding, fault, &columns, number, save);
        };
        let mut oracle = TextOracle {
            columns: &columns,
            backends: &[backends[0].clone(), backend.clone()],
        };
        let small = shrink::shrink(unit, &mut oracle);
        let findings = compare::compare(std::slice::from_ref(&small), &columns, oracle.backends);
        self.report(
            &small,
            findings.first().unwrap_or(finding),
            &columns,
            number,
            save,
        );
    }

    fn small_in_rust(
        &self,
        unit: &Unit,
        finding: &Finding,
        fault: Option<&'static fault_injection::Fault>,
        columns: &[Vec<u64>],
        number: u64,
        save: Option<&Path>,
    ) {
        if self.prebuilt.is_some() {
            println!("not made small: that needs a compiler");
            return;
        }
        let mut oracle = RustOracle {
            slice: self,
            builder: cpu::Builder::new(&self.folder, &self.profile),
            backend: &finding.backend,
            fault,
        };
        let small = shrink::shrink(unit, &mut oracle);
        let found = oracle.findings(std::slice::from_ref(&small));
        self.report(
            &small,
            found.first().unwrap_or(finding),
            columns,
            number,
            save,
        );
    }

    fn report(
        &self,
        small: &Unit,
        finding: &Finding,
        columns: &[Vec<u64>],
        number: u64,
        save: Option<&Path>,
    ) {
        let operations = shrink::operations(small).unwrap_or_default();
        let describe = describe(small, finding, columns);
        println!("made small, {operations} operations: {describe}");
        let name = format!("k{number}_{:x}", self.seed & 0xffff_ffff);
        let text = regressions::file(small, finding, columns, &describe);
        println!("{text}");
        if let Some(folder) = save
            && let Err(e) = regressions::save(folder, &name, &text)
        {
            println!("it could not be saved in {}: {e}", folder.display());
        }
    }
}

/// Kernels as trees, on the backend that differs and the one it differs from.
pub struct TextOracle<'a> {
    /// The inputs.
    pub columns: &'a [Vec<u64>],
    /// The two.
    pub backends: &'a [Arc<dyn Backend>],
}

impl shrink::Oracle for TextOracle<'_> {
    fn together(&self) -> usize {
        compare::TOGETHER
    }
    fn fails(&mut self, units: &[Unit]) -> Vec<bool> {
        let findings = compare::compare(units, self.columns, self.backends);
        failing(units.len(), &findings)
    }
}

/// Kernels as Rust source; of a refusal, any.
struct RustOracle<'a> {
    slice: &'a Slice,
    builder: cpu::Builder,
    backend: &'a str,
    fault: Option<&'static fault_injection::Fault>,
}

impl RustOracle<'_> {
    fn findings(&self, units: &[Unit]) -> Vec<Finding> {
        let injected: Vec<_> = units
            .iter()
            .map(|u| fault_injection::in_rust(u, self.fault))
            .collect();
        let outcome = self
            .builder
            .run(units, &injected, self.slice.seed, self.slice.rows);
        let mut findings = outcome.map(|o| o.findings).unwrap_or_default();
        findings.retain(|f| f.backend == self.backend);
        findings
    }
}

impl shrink::Oracle for RustOracle<'_> {
    fn together(&self) -> usize {
        cpu::TOGETHER
    }
    fn fails(&mut self, units: &[Unit]) -> Vec<bool> {
        failing(units.len(), &self.findings(units))
    }
}

fn failing(units: usize, findings: &[Finding]) -> Vec<bool> {
    let mut fails = vec![false; units];
    for f in findings {
        fails[f.unit] = true;
    }
    fails
}

/// A finding in a few words.
#[must_use]
pub fn describe(unit: &Unit, finding: &Finding, columns: &[Vec<u64>]) -> String {
    let backend = &finding.backend;
    match &finding.what {
        What::Refused(why) => format!("{backend}: {why}"),
        What::Differs {
            row,
            result,
            want,
            got,
        } => {
            let inputs: Vec<String> = unit
                .columns()
                .iter()
                .map(|&c| points::text(inputs::prim(c), columns[c][*row]))
                .collect();
            let prim = unit.entry().ret.prims()[*result];
            format!(
                "result {result} of {} is {} on {backend}, {} on the interpreter",
                inputs.join(", "),
                points::text(prim, *got),
                points::text(prim, *want)
            )
        }
    }
}
