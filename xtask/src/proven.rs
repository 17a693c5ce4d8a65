//! `cargo xtask atlas --proven`: functions of libraries as they stand, lifted, compared with their compiled originals, and bounded and
//! proven in binary64.
//!
//! Each answer is kept in a folder, and is not asked for again: the same command goes on where it was stopped.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::Parser;
use serde_json::Value;

use crate::error::{Error, Result};
use crate::process::{cargo, root, run as run_command};

/// What to prove.
#[derive(Parser)]
#[command(name = "cargo xtask atlas --proven")]
pub struct Args {
    /// The libraries that are asked about [default: those that are found]
    #[arg(value_enum)]
    libraries: Vec<Library>,
    /// Ignored: it has led here
    #[arg(long, hide = true)]
    proven: bool,
    /// Stop after so many minutes; the same command goes on
    #[arg(long, value_name = "N", default_value = "60")]
    minutes: f64,
    /// The seconds of a bound, and of a proof
    #[arg(long, value_name = "N", default_value = "60")]
    seconds: u32,
    /// Of all inputs of binary32, compare every how-many-th
    #[arg(long, value_name = "N", default_value = "1")]
    every: u64,
    /// musl's source, unpacked (`apt-get source musl`)
    #[arg(long, value_name = "FOLDER")]
    musl: Option<PathBuf>,
    /// The source of the crate `libm`, unpacked
    #[arg(long, value_name = "FOLDER")]
    libm: Option<PathBuf>,
    /// PoCL's kernel library (Debian's libpocl2-common)
    #[arg(
        long,
        value_name = "FILE",
        default_value = "/usr/share/pocl/kernel-x86_64-pc-linux-gnu-avx2.bc"
    )]
    pocl: PathBuf,
    /// Where answers and certificates are kept [default: target/atlas-proven]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Only lift and compare; prove nothing
    #[arg(long)]
    lift_only: bool,
    /// Ask nothing: write the page from the answers in the folder
    #[arg(long)]
    write: bool,
}

/// A library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Library {
    /// musl, of C
    Musl,
    /// The crate libm, of Rust
    Libm,
    /// PoCL's kernel library, of OpenCL C
    Pocl,
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

/// The most iterations of a loop that depend on the input: Payne and Hanek's reduction, and the remainder's steps.
fn unroll(function: &str, double: bool) -> u32 {
    match (function, double) {
        ("fmod", false) => 280,
        (_, true) => 7,
        _ => 4,
    }
}

impl Library {
    fn name(self) -> &'static str {
        match self {
            Library::Musl => "musl",
            Library::Libm => "libm",
            Library::Pocl => "pocl",
        }
    }
    /// The function's name in the library.
    fn symbol(self, function: &str, double: bool) -> String {
        let two = matches!(function, "atan2" | "pow" | "hypot" | "fmod");
        let single = format!("{function}f");
        match (self, double) {
            (Library::Musl, true) => function.into(),
            (Library::Musl, false) => single,
            (Library::Libm, true) => {
                let module = if function == "erfc" { "erf" } else { function };
                format!("libm::math::{module}::{function}")
            }
            (Library::Libm, false) => {
                let module = match function {
                    "erfc" => "erff",
                    // Both widths are instances of one generic function.
                    "sqrt" | "fmod" => function,
                    _ => &single,
                };
                format!("libm::math::{module}::{single}")
            }
            (Library::Pocl, _) => {
                let name = format!("_cl_{function}");
                let one = if double { "d" } else { "f" };
                let types = one.repeat(if two { 2 } else { 1 });
                format!("_Z{}{name}{types}", name.len())
            }
        }
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
        run_command(cargo().args(["build", "--release", "--features", "cli", "--bin", "crunch"]))?;
        run_command(cargo().args(["build", "--release", "-p", "crunch-check"]))?;
        ask(args, &folder)?;
    }
    let page = page(&folder);
    let file = root().join("docs/book/src/evidence/atlas-proven.md");
    std::fs::write(&file, page).map_err(|e| Error(format!("{}: {e}", file.display())))?;
    println!("written: {}", file.display());
    Ok(())
}

fn ask(args: &Args, folder: &Path) -> Result<()> {
    let end = Instant::now() + Duration::from_secs_f64(args.minutes * 60.0);
    let all = [Library::Musl, Library::Libm, Library::Pocl];
    let wanted = all
        .iter()
        .filter(|l| args.libraries.is_empty() || args.libraries.contains(l));
    let mut sources = Vec::new();
    for &library in wanted {
        match source(library, args, folder)? {
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
                lift(args, folder, (library, source), function, double);
            }
        }
    }
    for &(function, range) in FUNCTIONS.iter().filter(|f| !f.1.is_empty()) {
        for &(library, ref source) in &sources {
            if args.lift_only || late() {
                return Ok(());
            }
            prove(args, folder, (library, source), function, range);
        }
    }
    Ok(())
}

/// The one file that holds a library, made in the folder if it is not there.
fn source(library: Library, args: &Args, folder: &Path) -> Result<Option<PathBuf>> {
    match library {
        Library::Libm => Ok(args.libm.as_ref().map(|f| f.join("src/lib.rs"))),
        Library::Musl => {
            let Some(musl) = &args.musl else {
                return Ok(None);
            };
            let file = folder.join("musl.ll");
            if !file.is_file() {
                musl_text(musl, folder, &file)?;
            }
            Ok(Some(file))
        }
        Library::Pocl => {
            let file = folder.join("pocl.ll");
            if args.pocl.is_file() && !file.is_file() {
                let names: Vec<String> = FUNCTIONS
                    .iter()
                    .flat_map(|f| [false, true].map(|d| Library::Pocl.symbol(f.0, d)))
                    .collect();
                let mut opt = Command::new(tool("opt")?);
                opt.arg("-S").arg("-passes=internalize,globaldce");
                opt.arg(format!("-internalize-public-api-list={}", names.join(",")));
                run_command(opt.arg(&args.pocl).arg("-o").arg(&file))?;
            }
            Ok(file.is_file().then_some(file))
        }
    }
}

/// The newest of a tool of LLVM: an older one does not read the bitcode of a newer one.
fn tool(name: &str) -> Result<String> {
    let names = (14..=22).rev().map(|v| format!("{name}-{v}"));
    let runs = |n: &String| {
        let mut version = Command::new(n);
        version.arg("--version").stdout(Stdio::null());
        version
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|s| s.success())
    };
    names.chain([name.to_string()]).find(runs).ok_or_else(|| {
        Error(format!(
            "`{name}` is not installed; install Debian's llvm (cargo xtask setup installs clang)"
        ))
    })
}

/// musl's math functions as one text: each file compiled, all linked.
fn musl_text(musl: &Path, folder: &Path, file: &Path) -> Result<()> {
    let include = folder.join("musl-include/bits");
    std::fs::create_dir_all(&include).map_err(|e| Error(format!("{}: {e}", include.display())))?;
    // musl makes this header of two files.
    let sed = Command::new("sed")
        .arg("-f")
        .arg(musl.join("tools/mkalltypes.sed"))
        .arg(musl.join("arch/x86_64/bits/alltypes.h.in"))
        .arg(musl.join("include/alltypes.h.in"))
        .output();
    let header = sed.map_err(|e| Error(format!("sed: {e}")))?.stdout;
    std::fs::write(include.join("alltypes.h"), header)
        .map_err(|e| Error(format!("{}: {e}", include.display())))?;
    let clang = tool("clang")?;
    let math = musl.join("src/math");
    let entries =
        std::fs::read_dir(&math).map_err(|e| Error(format!("{}: {e}", math.display())))?;
    let mut parts = Vec::new();
    for entry in entries.flatten() {
        let path = entry.path();
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let is_c = path.extension().is_some_and(|e| e == "c");
        // 80 bits are no width of kernels.
        if !is_c || text.contains("long double") {
            continue;
        }
        let part = folder.join(path.with_extension("ll").file_name().unwrap_or_default());
        let mut command = Command::new(&clang);
        command.args([
            "-S",
            "-emit-llvm",
            "-O2",
            "-g1",
            "-w",
            "-std=c99",
            "-nostdinc",
        ]);
        command.args(["-ffreestanding", "-fno-vectorize", "-fno-slp-vectorize"]);
        command.args(["-fno-unroll-loops", "-fno-builtin", "-fno-math-errno"]);
        command.args(["-ffp-contract=off", "-D_XOPEN_SOURCE=700", "-I"]);
        command.arg(folder.join("musl-include"));
        for sub in [
            "arch/x86_64",
            "arch/generic",
            "src/include",
            "src/internal",
            "include",
        ] {
            command.arg("-I").arg(musl.join(sub));
        }
        run_command(command.arg("-o").arg(&part).arg(&path))?;
        parts.push(part);
    }
    run_command(
        Command::new(tool("llvm-link")?)
            .args(["-S", "-o"])
            .arg(file)
            .args(parts),
    )
}

/// `crunch` with a function of a source, its answer as JSON kept in `name.json`, its messages in `name.err`.
fn crunch(folder: &Path, name: &str, args: &[&str]) {
    let file = folder.join(format!("{name}.json"));
    if file.is_file() {
        return;
    }
    println!("{name}");
    let out = Command::new(root().join("target/release/crunch"))
        // Before options of the compiler, which follow `--`.
        .arg(args[0])
        .arg("--json")
        .args(&args[1..])
        .env("CLANG", tool("clang").unwrap_or_default())
        .current_dir(folder)
        .output();
    if let Ok(out) = out {
        let _ = std::fs::write(folder.join(format!("{name}.err")), &out.stderr);
        let _ = std::fs::write(file, &out.stdout);
    }
}

type Place<'a> = (Library, &'a Path);

fn lift(args: &Args, folder: &Path, (library, source): Place<'_>, function: &str, double: bool) {
    let width = if double { "f64" } else { "f32" };
    let name = format!("{}-{function}-{width}.lift", library.name());
    let (source, symbol) = (
        source.display().to_string(),
        library.symbol(function, double),
    );
    let (unroll, every) = (unroll(function, double).to_string(), args.every.to_string());
    let mut all = vec!["lift", &source, "--function", &symbol, "--contract", "off"];
    all.extend(["--unroll", &unroll, "--every", &every, "-o", "kernel.rs"]);
    if library == Library::Libm {
        all.extend(["--", "--crate-name=libm"]);
    }
    crunch(folder, &name, &all);
}

fn prove(args: &Args, folder: &Path, (library, source): Place<'_>, function: &str, range: &str) {
    let place = format!("{}:{}", source.display(), library.symbol(function, true));
    let (range_, time) = (format!("--range={range}"), format!("{}s", args.seconds));
    let unroll = unroll(function, true).to_string();
    let mut common = vec![
        "--lift",
        &place,
        "--computes",
        function,
        "--contract",
        "off",
    ];
    common.extend(["--unroll", &unroll, &range_, "--time", &time]);
    if library == Library::Libm {
        common.push("--compiler-flag=--crate-name=libm");
    }
    let name = format!("{}-{function}-{range}", library.name());
    let bound = [&["bound"], &common[..]].concat();
    crunch(folder, &format!("{name}.bound"), &bound);
    let certificate = format!("{name}.cert");
    let rest = ["--no-check", "--certificate", &certificate];
    let exact = [&["exact"], &common[..], &rest].concat();
    crunch(folder, &format!("{name}.exact"), &exact);
    let checked = folder.join(format!("{name}.checked"));
    if folder.join(&certificate).is_file() && !checked.is_file() {
        let out = Command::new(root().join("target/release/crunch-check"))
            .arg(&certificate)
            .current_dir(folder)
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

fn read(folder: &Path, name: &str) -> Option<Value> {
    let text = std::fs::read_to_string(folder.join(format!("{name}.json"))).ok()?;
    serde_json::from_str(&text).ok()
}

/// `4194304` as `4,194,304`.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// One lifted function in a cell: its operations and what was compared, or why there is none.
fn lifted(answer: Option<&Value>) -> (bool, String) {
    let Some(answer) = answer else {
        return (false, "–".into());
    };
    let compared = &answer["compared"];
    match (answer["operations"].as_u64(), compared["inputs"].as_u64()) {
        (Some(n), Some(inputs)) => {
            let all = if compared["all"] == true { "all " } else { "" };
            match compared["differ"].as_u64() {
                Some(0) => (true, format!("{n} · {all}{}", grouped(inputs))),
                _ => (false, format!("{n} · DIFFERS")),
            }
        }
        (Some(n), None) => (false, format!("{n} · not compared")),
        _ => {
            let message = answer["error"]["message"].as_str().unwrap_or("no answer");
            // The reason alone: the place names a folder, what follows is the remedy.
            let reason = message.rsplit("`: ").next().unwrap_or(message);
            (
                false,
                reason.split(';').next().unwrap_or(reason).replace('|', "/"),
            )
        }
    }
}

/// The page.
fn page(folder: &Path) -> String {
    let mut out = String::from(
        "# Atlas of proofs\n\n\
         Functions of libraries as they stand: lifted ([how](../tasks/lift.md)), compared with their compiled originals, and in binary64 \
         bounded and proven. `cargo xtask atlas --proven` makes this page; `--help` names what it needs. Nothing of the libraries is in this \
         repository. Sources: musl 1.2.3 (Debian's source package), the crate `libm` 0.2.16, PoCL 3.1's kernel library (Debian).\n\n\
         ## Lifted\n\n\
         Number of operations · number of inputs at which the lifted program and the compiled original have the same bits (`all`: every \
         input). Otherwise the reason; `–` is not asked yet. Where it DIFFERS, `lift` reports the first such input, and nothing is proven of it.\n",
    );
    for (double, title) in [(false, "binary32"), (true, "binary64")] {
        let width = if double { "f64" } else { "f32" };
        let libraries = [Library::Musl, Library::Libm, Library::Pocl];
        let mut good = [0; 3];
        let mut rows = String::new();
        for &(function, _) in FUNCTIONS {
            let answers =
                libraries.map(|l| read(folder, &format!("{}-{function}-{width}.lift", l.name())));
            if answers.iter().all(Option::is_none) {
                continue;
            }
            let mut cells = Vec::new();
            for (answer, good) in answers.iter().zip(&mut good) {
                let (same, text) = lifted(answer.as_ref());
                *good += u32::from(same);
                cells.push(text);
            }
            let _ = writeln!(rows, "| `{function}` | {} |", cells.join(" | "));
        }
        if !rows.is_empty() {
            let sums = good.map(|n| format!("**{n}**")).join(" | ");
            let _ = write!(
                out,
                "\n### {title}\n\n| function | musl | libm | PoCL |\n|---|---|---|---|\n{rows}| **of {}** | {sums} |\n",
                FUNCTIONS.len()
            );
        }
    }
    out.push_str(
        "\n## Proven\n\n\
         The largest error in ULP of binary64 over a stretch. *bound*: no error is larger (`bound`). *largest*: [L, U] of `exact`; one \
         number where it is exact. *certificate*: what `crunch-check` says, a program that shares no code with the search. `–`: not reached in the time of `--seconds`.\n\n\
         | library | function | inputs | bound | largest | certificate |\n|---|---|---|---:|---:|---|\n",
    );
    let (mut bounds, mut exact, mut none) = (0, 0, 0);
    for &(function, range) in FUNCTIONS.iter().filter(|f| !f.1.is_empty()) {
        for library in [Library::Musl, Library::Libm, Library::Pocl] {
            let name = format!("{}-{function}-{range}", library.name());
            let Some(bound) = read(folder, &format!("{name}.bound")) else {
                continue;
            };
            let number = |v: &Value| v.as_f64().filter(|b| b.is_finite() && *b < 1e6);
            let shown = number(&bound["bound"]).map_or("–".into(), |b| format!("{b:.4}"));
            bounds += u32::from(number(&bound["bound"]).is_some());
            let answer = read(folder, &format!("{name}.exact")).unwrap_or_default();
            let largest = match (number(&answer["lower"]), number(&answer["upper"])) {
                (Some(l), _) if answer["exact"] == true => format!("**{l:.9}**"),
                (Some(l), Some(u)) => format!("[{l:.4}, {u:.4}]"),
                _ => "–".into(),
            };
            if shown == "–" && largest == "–" {
                none += 1;
                continue;
            }
            let checked = std::fs::read_to_string(folder.join(format!("{name}.checked")));
            let checked = checked.unwrap_or_else(|_| "–".into());
            exact += u32::from(answer["exact"] == true);
            let _ = writeln!(
                out,
                "| {} | `{function}` | {range} | {shown} | {largest} | {checked} |",
                library.name()
            );
        }
    }
    let _ = write!(
        out,
        "\n{bounds} bounds, {exact} exact maxima; {none} more were asked, without an answer in that time.\n\n\
         You are responsible for the licences of what you lift; these permit it.\n"
    );
    out
}
