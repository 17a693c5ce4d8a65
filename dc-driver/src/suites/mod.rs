//! `cargo crunch`: runs, accepts or compares the suites of a workspace, with a table for reviewers.

mod table;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use clap::{Args, Parser, Subcommand, ValueEnum};

use dc_runtime::suite::baseline::{self, Baseline, Known};
use dc_runtime::suite::report::{Outcome, Report, Test};

use crate::args::list;
use crate::one_line;

/// Runs the suites of a workspace: see `doublecrunch::suite!`
#[derive(Debug, Parser)]
#[command(
    name = "cargo crunch",
    bin_name = "cargo crunch",
    version,
    after_help = "\
Exit codes: 0 all is well, 1 a finding, 2 wrong usage, 4 something failed"
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Task>,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Run all suites and print the table (the default)
    Run(RunArgs),
    /// Run all suites and accept their results: writes accuracy.toml
    Bless(RunArgs),
    /// Compare accuracy.toml with that of another revision, without running anything
    Diff(DiffArgs),
}

#[derive(Debug, Args)]
struct RunArgs {
    /// Only these packages [default: the workspace]
    #[arg(long, short, value_name = "PACKAGE")]
    package: Vec<String>,
    /// How to print the table
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Inputs per sweep, as a number or 2^k [default: as declared in each suite]
    #[arg(long, value_name = "N", value_parser = inputs)]
    inputs: Option<String>,
    /// Backends that must be available, such as `avx2,opencl:pocl` [default: CRUNCH_REQUIRE]
    #[arg(long, value_name = "LIST", value_parser = list)]
    require: Option<String>,
    /// Further arguments for `cargo test`, after `--`: features, a profile
    #[arg(last = true, value_name = "ARGS")]
    cargo: Vec<String>,
}

#[derive(Debug, Args)]
struct DiffArgs {
    /// The revision to compare with
    #[arg(long, value_name = "REVISION", default_value = "HEAD")]
    base: String,
    /// How to print the table
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Aligned columns
    Text,
    /// A Markdown table for a pull request
    Github,
    /// The tests' reports as one JSON array
    Json,
}

fn inputs(text: &str) -> Result<String, String> {
    match dc_runtime::suite::number(text) {
        Some(n) if n > 0 => Ok(text.into()),
        _ => Err("write a number, 1 or more, or a power such as 2^24".into()),
    }
}

/// The reason why it ends with another code than 0.
struct Failure {
    code: u8,
    /// Empty if everything has been printed.
    text: String,
    /// Whether standard output has its document already.
    documented: bool,
}

impl Failure {
    fn new(code: u8, text: impl Into<String>) -> Failure {
        Failure {
            code,
            text: text.into(),
            documented: false,
        }
    }
}

impl From<String> for Failure {
    fn from(text: String) -> Self {
        Failure::new(4, text)
    }
}

/// The program `cargo-crunch`.
#[must_use]
pub fn main() -> ExitCode {
    let mut args: Vec<std::ffi::OsString> = std::env::args_os().collect();
    // cargo passes the subcommand's name again.
    if args.get(1).is_some_and(|a| a == "crunch") {
        args.remove(1);
    }
    let json = wants_json(&args);
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        // Help and version are not errors.
        Err(e) if !e.use_stderr() => e.exit(),
        Err(e) => {
            if json {
                println!("{}", document(2, &one_line(&e)));
            }
            // Nothing can be done about a closed stderr.
            let _ = e.print();
            return ExitCode::from(2);
        }
    };
    let ended = match &cli.command {
        None => run(&cli.run, false),
        Some(Task::Run(args)) => run(args, false),
        Some(Task::Bless(args)) => run(args, true),
        Some(Task::Diff(args)) => diff(args),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if json && !failure.documented {
                println!("{}", document(failure.code, &failure.text));
            }
            if !failure.text.is_empty() {
                eprintln!("error: {}", failure.text);
            }
            ExitCode::from(failure.code)
        }
    }
}

/// Whether the arguments request JSON, even if others are wrong. What follows `--` is for `cargo test`.
fn wants_json(args: &[std::ffi::OsString]) -> bool {
    let own: Vec<_> = args.iter().take_while(|a| *a != "--").collect();
    own.iter().any(|a| *a == "--format=json")
        || own.windows(2).any(|w| w[0] == "--format" && w[1] == "json")
}

/// The document where there is no other.
fn document(code: u8, message: &str) -> serde_json::Value {
    serde_json::json!({ "error": { "code": code, "message": message } })
}

fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs a program and returns its output.
fn output(command: &mut Command) -> Result<String, String> {
    let o = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| format!("{command:?}: {e}"))?;
    if !o.status.success() {
        return Err(format!("{command:?} failed ({})", o.status));
    }
    Ok(String::from_utf8_lossy(&o.stdout).into_owned())
}

/// Folders of the workspace's packages.
fn folders() -> Result<Vec<PathBuf>, String> {
    let text = output(cargo().args(["metadata", "--no-deps", "--format-version", "1"]))?;
    let value: serde_json::Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    let packages = value["packages"].as_array().into_iter().flatten();
    let manifests = packages.filter_map(|p| p["manifest_path"].as_str());
    Ok(manifests
        .filter_map(|m| Path::new(m).parent().map(Into::into))
        .collect())
}

fn run(args: &RunArgs, bless: bool) -> Result<(), Failure> {
    let folder = std::env::temp_dir().join(format!("cargo-crunch-{}", std::process::id()));
    let reports = test(args, bless, &folder);
    // An old folder is not needed.
    let _ = std::fs::remove_dir_all(&folder);
    let (reports, passed, log) = reports?;
    if reports.is_empty() {
        let why = if passed {
            "no suite was found: declare one with doublecrunch::suite! and keep it under test"
                .into()
        } else {
            format!("`cargo test` failed before any suite ran:\n{log}")
        };
        return Err(Failure::new(4, why));
    }
    // If some packages or tests are left out, stale tables are unknown.
    let stale = if args.package.is_empty() && args.cargo.is_empty() {
        stale(&reports)?
    } else {
        Vec::new()
    };
    let failed: Vec<&Report> = reports.iter().filter(|r| r.outcome.is_failure()).collect();
    for r in &failed {
        match args.format {
            Format::Text => println!("{}", r.text),
            // Standard output contains only the table or the document.
            Format::Github | Format::Json => eprintln!("{}", r.text),
        }
    }
    let rows = table::rows(&reports);
    let backends = table::backends(&reports);
    match args.format {
        Format::Text => {
            let lines = table::lines(&rows, table::Marks::Words);
            print!("{}", table::by_suite(&table::COLUMNS, &lines));
            println!("backends\n{}", backends.join("\n"));
        }
        Format::Github => {
            let lines = table::lines(&rows, table::Marks::Signs);
            print!("{}", table::github(&table::COLUMNS, &lines));
            println!("\n```text\n{}\n```", backends.join("\n"));
        }
        Format::Json => {
            let text = serde_json::to_string_pretty(&reports).map_err(|e| e.to_string())?;
            println!("{text}");
        }
    }
    eprintln!("{}", summary(&reports));
    for s in &stale {
        eprintln!("error: {s}");
    }
    let text = match !passed && failed.is_empty() {
        true => format!("`cargo test` failed:\n{log}"),
        false => String::new(),
    };
    match passed && stale.is_empty() {
        true => Ok(()),
        false => Err(Failure {
            documented: true,
            ..Failure::new(1, text)
        }),
    }
}

/// Runs the tests that `suite!` made: returns their reports, whether all passed, and their output.
fn test(args: &RunArgs, bless: bool, folder: &Path) -> Result<(Vec<Report>, bool, String), String> {
    let mut command = cargo();
    command.arg("test");
    if args.package.is_empty() {
        command.arg("--workspace");
    }
    for p in &args.package {
        command.args(["--package", p]);
    }
    command
        .arg("--no-fail-fast")
        .args(&args.cargo)
        .arg("crunch_suite");
    command.env("CRUNCH_REPORT", folder);
    command.env("CRUNCH_BLESS", if bless { "1" } else { "0" });
    if let Some(n) = &args.inputs {
        command.env("CRUNCH_INPUTS", n);
    }
    if let Some(list) = &args.require {
        command.env("CRUNCH_REQUIRE", list);
    }
    let o = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| format!("{command:?}: {e}"))?;
    let mut reports = Vec::new();
    if let Ok(entries) = std::fs::read_dir(folder) {
        for entry in entries {
            let path = entry.map_err(|e| e.to_string())?.path();
            let text = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
            reports
                .push(serde_json::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?);
        }
    }
    reports.sort_by(|a: &Report, b: &Report| a.entry.cmp(&b.entry));
    Ok((
        reports,
        o.status.success(),
        String::from_utf8_lossy(&o.stdout).into_owned(),
    ))
}

/// The numbers of tests that ran and that did not, on one line.
fn summary(reports: &[Report]) -> String {
    let count = |outcome| reports.iter().filter(|r| r.outcome == outcome).count();
    let failed = reports.iter().filter(|r| r.outcome.is_failure()).count();
    let sweeps: BTreeSet<&str> = reports.iter().map(|r| r.entry.as_str()).collect();
    let all = |r: &&Report| matches!(&r.test, Test::Accuracy { found, .. } if found.exhaustive);
    format!(
        "{} {}, {} of all inputs of their range and the others of a sample: {} tests passed, {} failed, {} ran nothing",
        sweeps.len(),
        if sweeps.len() == 1 { "sweep" } else { "sweeps" },
        reports.iter().filter(all).count(),
        count(Outcome::Passed),
        failed,
        count(Outcome::Skipped)
    )
}

/// Tables in the workspace's files that no suite reported.
fn stale(reports: &[Report]) -> Result<Vec<String>, String> {
    let mut stale = Vec::new();
    for folder in folders()? {
        let path = folder.join(baseline::FILE);
        let baseline = Baseline::read(&path).map_err(|e| e.to_string())?;
        let ran = |name: &str| reports.iter().any(|r| r.entry == name);
        stale.extend(baseline.0.keys().filter(|k| !ran(k)).map(|k| {
            format!(
                "{}: [{k:?}]: no suite has this sweep; take it out",
                path.display()
            )
        }));
    }
    Ok(stale)
}

fn diff(args: &DiffArgs) -> Result<(), Failure> {
    let mut rows = Vec::new();
    let mut all = Vec::new();
    for folder in folders()? {
        let path = folder.join(baseline::FILE);
        let now = Baseline::read(&path).map_err(|e| e.to_string())?;
        let then = at(&args.base, &folder)?;
        let names: BTreeSet<&String> = now.0.keys().chain(then.0.keys()).collect();
        for name in names {
            let (a, b) = (then.0.get(name), now.0.get(name));
            if a != b {
                let (suite, sweep) = table::split(name);
                rows.push((suite.to_string(), changed(sweep, a, b)));
                all.push(serde_json::json!({ "entry": name, "was": a, "is": b }));
            }
        }
    }
    let rows: Vec<table::Line> = (rows.iter())
        .map(|(suite, cells)| (suite.as_str(), cells.clone()))
        .collect();
    match args.format {
        Format::Json => println!("{}", serde_json::Value::Array(all)),
        _ if rows.is_empty() => println!("accuracy.toml is as at {}", args.base),
        Format::Text => print!("{}", table::by_suite(&CHANGES, &rows)),
        Format::Github => print!("{}", table::github(&CHANGES, &rows)),
    }
    Ok(())
}

/// A folder's file at a revision.
fn at(revision: &str, folder: &Path) -> Result<Baseline, Failure> {
    let git = |args: &[&str]| {
        let o = Command::new("git")
            .arg("-C")
            .arg(folder)
            .args(args)
            .output();
        o.map_err(|e| format!("git: {e}"))
    };
    let commit = format!("{revision}^{{commit}}");
    if !git(&["rev-parse", "--quiet", "--verify", &commit])?
        .status
        .success()
    {
        let text = format!(
            "--base {revision}: git has no such revision; name a branch, a tag or a commit"
        );
        return Err(Failure::new(2, text));
    }
    let o = git(&["show", &format!("{revision}:./{}", baseline::FILE)])?;
    if !o.status.success() {
        // The file did not exist then.
        return Ok(Baseline::default());
    }
    let path = PathBuf::from(format!(
        "{revision}:{}",
        folder.join(baseline::FILE).display()
    ));
    let text = String::from_utf8_lossy(&o.stdout);
    Ok(Baseline::parse(&text, &path).map_err(|e| e.to_string())?)
}

/// The columns of `diff`.
const CHANGES: [&str; 5] = ["sweep", "worst ULP", "was", "at", "inputs"];

/// The cells of a table that was changed, in the order of [`CHANGES`].
fn changed(sweep: &str, was: Option<&Known>, is: Option<&Known>) -> Vec<String> {
    let mut cells = vec![sweep.to_string()];
    let Some(now) = is else {
        let error = was.map_or(String::new(), |k| table::short(k.error));
        cells.extend(["no table".to_string(), error, String::new(), String::new()]);
        return cells;
    };
    let verdict = match was {
        Some(then) if now.error > then.error => " worse",
        Some(then) if now.error < then.error => " better",
        _ => "",
    };
    let all = if now.exhaustive { "all " } else { "" };
    let at = now.worst.first().map_or("", String::as_str);
    cells.extend([
        format!("{}{verdict}", table::short(now.error)),
        was.map_or("new".into(), |then| table::was(now, then)),
        at.replace("bits:", ""),
        format!("{all}{}", dc_runtime::model::show::count(now.inputs.into())),
    ]);
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_fit_a_hundred_columns() {
        let known = |error: f64, inputs| Known {
            range: "1.0..2.0".into(),
            error,
            worst: vec!["bits:0x40068577474d9add".into()],
            inputs,
            exhaustive: inputs == 1 << 52,
            faults: Vec::new(),
            kernels: Vec::new(),
        };
        let (a, b) = (known(2.323_618_322_492_491_4, 1 << 20), known(2.5, 1 << 52));
        let name = "reciprocal_root";
        let suite = "own_crate::promises_of_routines";
        let lines = [
            (suite, changed(name, Some(&a), Some(&b))),
            (suite, changed("gone", Some(&a), None)),
            (suite, changed("added", None, Some(&b))),
            ("other", changed("one", Some(&b), Some(&a))),
        ];
        let (text, page) = (
            table::by_suite(&CHANGES, &lines),
            table::github(&CHANGES, &lines),
        );
        for table in [&text, &page] {
            assert!(table.lines().all(|l| l.chars().count() <= 100), "{table}");
            assert_eq!(table.matches("promises").count(), 1, "{table}");
        }
        let row = format!(
            "| {name} | 2.5000000 worse | +0.176382 | 0x40068577474d9add | all 4,503,599,627,370,496 |\n"
        );
        assert!(page.contains(&row), "{page}");
        assert!(
            page.contains("| gone | no table | 2.3236183 |  |  |\n"),
            "{page}"
        );
        assert!(text.contains("2.3236183 better"), "{text}");
    }
}
