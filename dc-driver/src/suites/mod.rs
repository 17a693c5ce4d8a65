//! `cargo crunch`: the suites of a workspace are run, accepted or compared, with a table for reviewers.

mod table;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use clap::{Args, Parser, Subcommand, ValueEnum};

use dc_runtime::search::format::number;
use dc_runtime::suite::baseline::{self, Baseline, Known};
use dc_runtime::suite::report::{Outcome, Report, Test};

use crate::args::list;

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
    /// Run all suites and accept what they find: writes accuracy.toml
    Bless(RunArgs),
    /// Compare accuracy.toml with another revision's, without running anything
    Diff(DiffArgs),
}

#[derive(Debug, Args)]
struct RunArgs {
    /// Only these packages [default: the workspace]
    #[arg(long, short, value_name = "PACKAGE")]
    package: Vec<String>,
    /// How the table is printed
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Inputs per sweep, as a number or 2^k [default: as declared in each suite]
    #[arg(long, value_name = "N", value_parser = inputs)]
    inputs: Option<String>,
    /// Backends that must be available, as `avx2,opencl:pocl` [default: CRUNCH_REQUIRE]
    #[arg(long, value_name = "LIST", value_parser = list)]
    require: Option<String>,
    /// More arguments for `cargo test`, after `--`: features, a profile
    #[arg(last = true, value_name = "ARGS")]
    cargo: Vec<String>,
}

#[derive(Debug, Args)]
struct DiffArgs {
    /// The revision to compare with
    #[arg(long, value_name = "REVISION", default_value = "HEAD")]
    base: String,
    /// How the table is printed
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
        _ => Err("write a number from 1 up, or a power as in 2^24".into()),
    }
}

/// The reason why it ends with another code than 0.
struct Failure(u8, String);

impl From<String> for Failure {
    fn from(text: String) -> Self {
        Failure(4, text)
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
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(e) => e.exit(),
    };
    let ended = match &cli.command {
        None => run(&cli.run, false),
        Some(Task::Run(args)) => run(args, false),
        Some(Task::Bless(args)) => run(args, true),
        Some(Task::Diff(args)) => diff(args),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure(code, text)) => {
            if !text.is_empty() {
                eprintln!("error: {text}");
            }
            ExitCode::from(code)
        }
    }
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
    // If there are no reports, the document is the error.
    let document = |Failure(code, message): Failure| {
        if matches!(args.format, Format::Json) {
            let error = serde_json::json!({ "error": { "code": code, "message": message } });
            println!("{error}");
        }
        Failure(code, message)
    };
    let (reports, passed, log) = reports.map_err(|e| document(e.into()))?;
    if reports.is_empty() {
        let why = if passed {
            "no suite was found: declare one with doublecrunch::suite! and keep it under test"
                .into()
        } else {
            format!("`cargo test` failed before any suite ran:\n{log}")
        };
        return Err(document(Failure(4, why)));
    }
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
            print!("{}", table::by_suite(&rows));
            println!("backends\n{}", backends.join("\n"));
        }
        Format::Github => {
            let cells = rows.iter().map(|(n, r)| r.cells(n, table::Marks::Signs));
            let cells: Vec<Vec<String>> = cells.collect();
            print!("{}", table::github(&table::COLUMNS, &cells));
            println!("\n```text\n{}\n```", backends.join("\n"));
        }
        Format::Json => {
            let text = serde_json::to_string_pretty(&reports).map_err(|e| e.to_string())?;
            println!("{text}");
        }
    }
    eprintln!("{}", summary(&reports));
    // If some packages or tests are left out, stale tables are unknown.
    let stale = if args.package.is_empty() && args.cargo.is_empty() {
        stale(&reports)?
    } else {
        Vec::new()
    };
    for s in &stale {
        eprintln!("error: {s}");
    }
    if !passed && failed.is_empty() {
        return Err(Failure(1, format!("`cargo test` failed:\n{log}")));
    }
    if passed && stale.is_empty() {
        Ok(())
    } else {
        Err(Failure(1, String::new()))
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
                rows.push(changed(name, a, b));
                all.push(serde_json::json!({ "entry": name, "was": a, "is": b }));
            }
        }
    }
    let head = ["sweep", "worst ULP", "was", "at", "inputs"];
    match args.format {
        Format::Json => println!("{}", serde_json::Value::Array(all)),
        _ if rows.is_empty() => println!("accuracy.toml is as at {}", args.base),
        Format::Text => print!("{}", table::text(&head, &rows)),
        Format::Github => print!("{}", table::github(&head, &rows)),
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
        return Err(Failure(2, text));
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

fn changed(name: &str, was: Option<&Known>, is: Option<&Known>) -> Vec<String> {
    let error = |k: Option<&Known>| k.map_or("none".into(), |k| number(k.error));
    let verdict = match (was, is) {
        (Some(a), Some(b)) if b.error > a.error => " worse",
        (Some(a), Some(b)) if b.error < a.error => " better",
        _ => "",
    };
    vec![
        name.into(),
        format!("{}{verdict}", error(is)),
        error(was),
        is.and_then(|k| k.worst.first().cloned())
            .unwrap_or_default(),
        is.map_or(String::new(), |k| {
            let all = if k.exhaustive { ", all" } else { "" };
            format!("{}{all}", dc_runtime::model::show::count(k.inputs.into()))
        }),
    ]
}
