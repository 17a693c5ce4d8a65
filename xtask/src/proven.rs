//! `cargo xtask atlas --proven`: functions of libraries as they stand, lifted, compared with their compiled originals, searched at all
//! inputs in binary32, and bounded and proven in binary64.
//!
//! Each answer is kept in a folder, and is not asked for again: the same command goes on where it was stopped.

mod library;
mod page;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use clap::Parser;

use crate::error::{Error, Result};
use crate::process::{built, root};
use library::{Library, Sources, source, tool};

/// What to prove.
#[derive(Parser)]
#[command(name = "cargo xtask atlas --proven")]
pub struct Args {
    /// The libraries to examine [default: those that are found]
    #[arg(value_enum)]
    libraries: Vec<Library>,
    /// Ignored: this option has selected this program
    #[arg(long, hide = true)]
    proven: bool,
    /// Stop after this many minutes; the same command continues
    #[arg(long, value_name = "N", default_value = "60")]
    minutes: f64,
    /// The time of a bound, and of a proof, in seconds
    #[arg(long, value_name = "N", default_value = "60")]
    seconds: u32,
    /// The time of a proof over all doubles, in seconds; 0 proves none
    #[arg(long, value_name = "N", default_value = "1200")]
    whole_seconds: u32,
    /// Compare every N-th of all inputs of binary32
    #[arg(long, value_name = "N", default_value = "257")]
    every: u64,
    /// Then compare all inputs, if that takes at most this many seconds
    #[arg(long, value_name = "N", default_value = "60")]
    all_within: f64,
    /// The time of a search of pairs in binary32, in seconds: pairs are too many to search all of them
    #[arg(long, value_name = "N", default_value = "20")]
    pair_seconds: u32,
    /// The unpacked source of musl (`apt-get source musl`)
    #[arg(long, value_name = "FOLDER")]
    musl: Option<PathBuf>,
    /// The unpacked source of the crate `libm`
    #[arg(long, value_name = "FOLDER")]
    libm: Option<PathBuf>,
    /// PoCL's kernel library (Debian's libpocl2-common)
    #[arg(
        long,
        value_name = "FILE",
        default_value = "/usr/share/pocl/kernel-x86_64-pc-linux-gnu-avx2.bc"
    )]
    pocl: PathBuf,
    /// AMD's ocml (Debian's rocm-device-libs): a folder of bitcode. It also needs --musl
    #[arg(
        long,
        value_name = "FOLDER",
        default_value = "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode"
    )]
    ocml: PathBuf,
    /// The folder for answers and certificates [default: target/atlas-proven]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Only lift and compare; prove nothing
    #[arg(long)]
    lift_only: bool,
    /// Write the page from the answers in the folder, and compute none
    #[arg(long)]
    write: bool,
}

/// Thirty functions: the name, and a binade or more in which its largest error is looked for.
const FUNCTIONS: &[(&str, &str)] = &[
    ("exp", "0.5..1.0"),
    ("exp2", "0.5..1.0"),
    ("exp10", "0.5..1.0"),
    ("expm1", "0.5..1.0"),
    ("log", "2.0..4.0"),
    ("log2", "2.0..4.0"),
    ("log10", "2.0..4.0"),
    ("log1p", "1.0..2.0"),
    ("sin", "0.25..0.5"),
    ("cos", "0.25..0.5"),
    ("tan", "0.25..0.5"),
    ("sinh", "0.5..1.0"),
    ("cosh", "0.5..1.0"),
    ("tanh", "0.5..1.0"),
    ("asin", "0.25..0.5"),
    ("acos", "0.25..0.5"),
    ("atan", "0.5..1.0"),
    ("asinh", "1.0..2.0"),
    ("acosh", "4.0..8.0"),
    ("atanh", "0.25..0.5"),
    ("cbrt", "1.0..2.0"),
    ("sqrt", "1.0..4.0"),
    ("erf", "0.25..0.5"),
    ("erfc", "0.25..0.5"),
    ("tgamma", "4.0..8.0"),
    ("lgamma", "4.0..8.0"),
    ("atan2", ""),
    ("pow", ""),
    ("hypot", ""),
    ("fmod", ""),
];

/// More functions of PoCL alone, whose largest errors are looked for: the name, what it computes, and a binade.
const FORMULAS: &[(&str, &str, &str)] = &[
    ("degrees", "x*180/pi", "1.0..2.0"),
    ("radians", "x*pi/180", "1.0..2.0"),
];

/// Functions whose largest error is looked for over all doubles at which it is a finite number and not 0, in up to
/// `--whole-seconds` each.
const WHOLE: &[(Library, &str, &str)] = &[
    (Library::Musl, "exp", "-745.2..709.8"),
    (Library::Musl, "exp2", "-1075.0..1024.0"),
    (Library::Ocml, "exp2", "-1075.0..1024.0"),
    (Library::Musl, "log", "5e-324..0x1.fffffffffffffp1023"),
];

/// The cells that may be examined over all doubles: a table of 128 entries has as many for each exponent.
const WHOLE_CELLS: &str = "4000000";

/// The most iterations of a loop that depend on the input: Payne and Hanek's reduction, and the remainder's steps.
fn unroll(function: &str, double: bool) -> u32 {
    match (function, double) {
        ("fmod", false) => 280,
        (_, true) => 7,
        _ => 4,
    }
}

/// `cargo xtask atlas --proven`.
pub fn run(args: &Args) -> Result<()> {
    let folder = args
        .folder
        .clone()
        .unwrap_or_else(|| root().join("target/atlas-proven"));
    std::fs::create_dir_all(&folder).map_err(|e| Error(format!("{}: {e}", folder.display())))?;
    if !args.write {
        let at = Answers {
            folder: &folder,
            crunch: built(false, &["--features", "cli"], "crunch")?,
            check: built(false, &["-p", "crunch-check"], "crunch-check")?,
        };
        ask(args, &at)?;
    }
    let page = page::page(&folder, FUNCTIONS, FORMULAS, WHOLE);
    let file = root().join("docs/book/src/evidence/atlas-proven.md");
    std::fs::write(&file, page).map_err(|e| Error(format!("{}: {e}", file.display())))?;
    println!("written: {}", file.display());
    Ok(())
}

/// The folder for answers, and the programs that give them.
struct Answers<'a> {
    folder: &'a Path,
    crunch: PathBuf,
    check: PathBuf,
}

fn ask(args: &Args, at: &Answers<'_>) -> Result<()> {
    let end = Instant::now() + Duration::from_secs_f64(args.minutes * 60.0);
    let wanted = Library::ALL
        .iter()
        .filter(|l| args.libraries.is_empty() || args.libraries.contains(l));
    let texts = Sources {
        musl: args.musl.as_deref(),
        libm: args.libm.as_deref(),
        pocl: &args.pocl,
        ocml: &args.ocml,
        folder: at.folder,
    };
    let formulas = FORMULAS.iter().map(|f| f.0);
    let names: Vec<&str> = FUNCTIONS.iter().map(|f| f.0).chain(formulas).collect();
    let mut sources = Vec::new();
    for &library in wanted {
        match source(library, &texts, &names)? {
            Some(source) => sources.push((library, source)),
            None => println!("{}: its source is not here; see --help", library.name()),
        }
    }
    let late = || Instant::now() >= end;
    for double in [false, true] {
        for &(library, ref source) in &sources {
            for &(function, _) in FUNCTIONS {
                if late() {
                    println!("the time is up; the same command goes on");
                    return Ok(());
                }
                lift(args, at, (library, source), function, double);
            }
        }
    }
    for &(library, ref source) in &sources {
        for &(function, _) in FUNCTIONS {
            if args.lift_only || late() {
                return Ok(());
            }
            // It is exact: all that can be said of it is in the comparison.
            if function != "fmod" {
                search(args, at, (library, source), function);
            }
        }
    }
    // The question to `crunch`, of each function.
    let all = FUNCTIONS.iter().filter(|f| !f.1.is_empty());
    let all = all.map(|f| (f.0, ["--computes", f.0], f.1));
    let formulas = FORMULAS.iter();
    let formulas = formulas.map(|f| (f.0, ["--against-expression", f.1], f.2));
    for (function, meant, range) in all.chain(formulas) {
        for &(library, ref source) in &sources {
            if args.lift_only || late() {
                return Ok(());
            }
            if meant[0] == "--computes" || library == Library::Pocl {
                let place = (library, source.as_path());
                let prover = Prover::new(args, at, place, function, meant, range);
                prover.bound();
                prover.exact();
            }
        }
    }
    for &(library, function, range) in WHOLE {
        let Some((_, source)) = sources.iter().find(|s| s.0 == library) else {
            continue;
        };
        if late() || args.whole_seconds == 0 {
            return Ok(());
        }
        let meant = ["--computes", function];
        let mut prover = Prover::new(args, at, (library, source), function, meant, range);
        prover.seconds = args.whole_seconds;
        prover.cells = Some(WHOLE_CELLS);
        prover.exact();
    }
    Ok(())
}

/// `crunch` with a function of a source, its answer as JSON kept in `name.json`, its messages in `name.err`.
fn crunch(at: &Answers<'_>, name: &str, args: &[&str]) {
    let file = at.folder.join(format!("{name}.json"));
    if file.is_file() {
        return;
    }
    println!("{name}");
    let out = Command::new(&at.crunch)
        // Before options of the compiler, which follow `--`.
        .arg(args[0])
        .arg("--json")
        .args(&args[1..])
        .env("CLANG", tool("clang").unwrap_or_default())
        .current_dir(at.folder)
        .output();
    if let Ok(out) = out {
        let _ = std::fs::write(at.folder.join(format!("{name}.err")), &out.stderr);
        let _ = std::fs::write(file, &out.stdout);
    }
}

type Place<'a> = (Library, &'a Path);

fn lift(args: &Args, at: &Answers<'_>, (library, source): Place<'_>, function: &str, double: bool) {
    let width = if double { "f64" } else { "f32" };
    let name = format!("{}-{function}-{width}.lift", library.name());
    let (source, symbol) = (
        source.display().to_string(),
        library.symbol(function, double),
    );
    let unroll = unroll(function, double).to_string();
    let ask = |name: &str, every: u64| {
        let every = every.to_string();
        let mut all = vec!["lift", &source, "--function", &symbol, "--contract", "off"];
        all.extend(["--unroll", &unroll, "--every", &every, "-o", "kernel.rs"]);
        if library == Library::Libm {
            all.extend(["--", "--crate-name=libm"]);
        }
        crunch(at, name, &all);
    };
    ask(&name, args.every);
    // A function of one number, whose answer says how long a part of its inputs took.
    let answer = page::read(at.folder, &name).unwrap_or_default();
    let seconds = answer["compared"]["seconds"].as_f64();
    let is_one = !double && !is_of_two(function);
    let same = answer["compared"]["differ"] == 0;
    if let Some(seconds) = seconds.filter(|_| is_one && same && args.every > 1)
        && seconds * args.every as f64 <= args.all_within
    {
        ask(&page::of_all(&name), 1);
    }
}

/// The largest error of a function in binary32: at all inputs, or at those pairs that fit into the time.
fn search(args: &Args, at: &Answers<'_>, (library, source): Place<'_>, function: &str) {
    let place = format!("{}:{}", source.display(), library.symbol(function, false));
    let unroll = unroll(function, false).to_string();
    let name = format!("{}-{function}-f32.run", library.name());
    let time = format!("{}s", args.pair_seconds);
    let mut all = vec!["run", "--lift", &place, "--contract", "off"];
    all.extend(["--computes", function, "--unroll", &unroll, "--quiet"]);
    if is_of_two(function) {
        all.extend(["--time", &time]);
    } else {
        all.extend(["--out", &name]);
    }
    if library == Library::Libm {
        all.push("--compiler-flag=--crate-name=libm");
    }
    crunch(at, &name, &all);
}

/// Whether it is a function of two numbers.
fn is_of_two(function: &str) -> bool {
    matches!(function, "atan2" | "pow" | "hypot" | "fmod")
}

/// Questions about the largest error of a function in binary64.
struct Prover<'a> {
    at: &'a Answers<'a>,
    /// The answers' name.
    name: String,
    common: Vec<String>,
    seconds: u32,
    cells: Option<&'a str>,
}

impl<'a> Prover<'a> {
    fn new(
        args: &Args,
        at: &'a Answers<'a>,
        (library, source): Place<'_>,
        function: &str,
        meant: [&str; 2],
        range: &str,
    ) -> Self {
        let place = format!("{}:{}", source.display(), library.symbol(function, true));
        let unroll = unroll(function, true).to_string();
        let mut common = vec!["--lift", &place, "--contract", "off"];
        common.extend(meant);
        common.extend(["--unroll", &unroll]);
        let range_ = format!("--range={range}");
        common.push(&range_);
        if library == Library::Libm {
            common.push("--compiler-flag=--crate-name=libm");
        }
        Self {
            at,
            name: format!("{}-{function}-{range}", library.name()),
            common: common.into_iter().map(String::from).collect(),
            seconds: args.seconds,
            cells: None,
        }
    }

    fn ask(&self, command: &str, more: &[&str]) {
        let time = format!("{}s", self.seconds);
        let mut all = vec![command];
        all.extend(self.common.iter().map(String::as_str));
        all.extend(["--time", &time]);
        all.extend(self.cells.iter().flat_map(|n| ["--cells", n]));
        all.extend(more);
        crunch(self.at, &format!("{}.{command}", self.name), &all);
    }

    fn bound(&self) {
        self.ask("bound", &[]);
    }

    /// The largest error, and what `crunch-check` says of it.
    fn exact(&self) {
        let certificate = format!("{}.cert", self.name);
        self.ask("exact", &["--no-check", "--certificate", &certificate]);
        let checked = self.at.folder.join(format!("{}.checked", self.name));
        if !self.at.folder.join(&certificate).is_file() || checked.is_file() {
            return;
        }
        let out = Command::new(&self.at.check)
            .arg(&certificate)
            .current_dir(self.at.folder)
            .output();
        if let Ok(out) = out {
            let verdict = if out.status.success() {
                "proven"
            } else {
                "refused"
            };
            let _ = std::fs::write(checked, verdict);
        }
    }
}
