//! The compilers that make LLVM IR from a source. They are searched for on this machine, never bundled.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{Inline, Options};

/// The reason why a tool gave no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolError(pub String);

impl std::fmt::Display for ToolError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ToolError {}

/// The first of these programs that runs.
fn found(names: impl Iterator<Item = String>) -> Option<String> {
    names.into_iter().find(|name| {
        let run = Command::new(name)
            .arg("--version")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        run.is_ok_and(|s| s.success())
    })
}

/// The names of a tool with LLVM's versions 22 to 14, as on Debian.
fn versions(tool: &str) -> impl Iterator<Item = String> {
    (14..=22).rev().map(move |v| format!("{tool}-{v}"))
}

/// The clang that the variable `CLANG` names, otherwise the newest of versions 22 to 14.
#[must_use]
pub fn clang() -> Option<String> {
    found(
        std::env::var("CLANG")
            .into_iter()
            .chain(std::iter::once("clang".to_string()))
            .chain(versions("clang")),
    )
}

/// All clangs of this machine. The one of [`clang`] comes first: an older one does not compile the text of a newer LLVM.
fn clangs() -> Vec<String> {
    let all = clang().into_iter().chain(versions("clang"));
    let mut runs: Vec<String> = Vec::new();
    for name in all {
        if !runs.contains(&name) && found(std::iter::once(name.clone())).is_some() {
            runs.push(name);
        }
    }
    runs
}

/// The llvm-dis that the variable `LLVM_DIS` names, otherwise the newest of versions 22 to 14. Newer versions read the bitcode of older
/// ones.
#[must_use]
pub fn llvm_dis() -> Option<String> {
    found(
        std::env::var("LLVM_DIS")
            .into_iter()
            .chain(versions("llvm-dis"))
            .chain(std::iter::once("llvm-dis".to_string())),
    )
}

/// The rustc that the variable `RUSTC` names, otherwise the one on the path.
#[must_use]
pub fn rustc() -> Option<String> {
    found(
        std::env::var("RUSTC")
            .into_iter()
            .chain(std::iter::once("rustc".to_string())),
    )
}

/// The origin of a program's IR, and the files that run the program for comparison.
#[derive(Debug)]
pub struct Made {
    /// The text of each module.
    pub texts: Vec<String>,
    /// Files that a C compiler links: objects, sources or IR, and the flags that they need.
    pub original: Vec<PathBuf>,
    /// Flags for these files.
    pub flags: Vec<String>,
    /// The originals' objects, which are compiled at the first comparison.
    objects: OnceCell<Vec<PathBuf>>,
    /// The command that made the IR, without this machine's folders.
    pub command: String,
}

impl Made {
    /// The originals' objects. They are compiled as in a build of the original: from the source, not from the IR that was lifted.
    pub(crate) fn objects(
        &self,
        clang: &str,
        contract: bool,
        folder: &Path,
    ) -> Result<&[PathBuf], ToolError> {
        if let Some(objects) = self.objects.get() {
            return Ok(objects);
        }
        let mut objects = Vec::new();
        for (n, original) in self.original.iter().enumerate() {
            if original.extension().is_some_and(|e| e == "o") {
                objects.push(original.clone());
                continue;
            }
            let object = folder.join(format!("original{n}.o"));
            let text = original.extension().is_some_and(|e| e == "ll");
            let compile = |clang: &str| self.compile(clang, original, &object, text, contract);
            let mut made = compile(clang);
            if text && made.is_err() {
                // Of another LLVM's text the first error says nothing.
                let others = clangs().into_iter().skip(1);
                if let Some(done) = others.map(|c| compile(&c)).find(Result::is_ok) {
                    made = done;
                }
            }
            made?;
            objects.push(object);
        }
        Ok(self.objects.get_or_init(|| objects))
    }

    fn compile(
        &self,
        clang: &str,
        original: &Path,
        object: &Path,
        text: bool,
        contract: bool,
    ) -> Result<(), ToolError> {
        let mut command = Command::new(clang);
        command
            .args(["-c", "-O2", "-w", "-fPIC", "-fno-math-errno", "-o"])
            .arg(object);
        if !text {
            let contraction = if contract {
                "-ffp-contract=on"
            } else {
                "-ffp-contract=off"
            };
            command
                .args(["-fno-builtin", contraction])
                .args(&self.flags);
        }
        if contract {
            command.arg("-mfma");
        }
        run(command.arg(original), original)
    }
}

pub(crate) const NO_CLANG: &str =
    "clang is not installed; install Debian's `clang` or `clang-19`, or name it in CLANG";

const NO_LLVM_DIS: &str =
    "llvm-dis is not installed; install Debian's `llvm` or `llvm-19`, or name it in LLVM_DIS";

/// Makes LLVM IR from sources, all of the same kind: C or C++ by clang, Rust by rustc, `.bc` by llvm-dis, and `.ll` unchanged. `flags` are for the
/// compiler. The options state whether products and sums may be fused, and whether the compiler leaves calls as they are.
///
/// # Errors
/// If a file cannot be read or a compiler rejects it.
pub fn make(
    sources: &[PathBuf],
    flags: &[String],
    options: &Options,
    folder: &Path,
) -> Result<Made, ToolError> {
    // Functions that the compiler has inlined are none that a kernel could be made of.
    let inlines = options.inline == Inline::All;
    let mut made = Made {
        texts: Vec::new(),
        original: Vec::new(),
        flags: flags.to_vec(),
        objects: OnceCell::new(),
        command: String::new(),
    };
    for (n, source) in sources.iter().enumerate() {
        let extension = source
            .extension()
            .and_then(|e| e.to_str())
            .unwrap_or_default();
        if !source.is_file() {
            return Err(ToolError(format!(
                "{} is not a file; name the source",
                source.display()
            )));
        }
        let out = folder.join(format!("{n}.ll"));
        match extension {
            "ll" => {
                made.original.push(source.clone());
                made.texts.push(read(source)?);
                made.command = "LLVM IR as it is".into();
                continue;
            }
            "bc" => {
                let dis = llvm_dis().ok_or_else(|| ToolError(NO_LLVM_DIS.into()))?;
                run(Command::new(dis).arg(source).arg("-o").arg(&out), source)?;
                made.original.push(out.clone());
                made.command = "llvm-dis".into();
            }
            "rs" => {
                let rustc = rustc().ok_or_else(|| {
                    ToolError("rustc is not installed; install Rust, or name it in RUSTC".into())
                })?;
                let object = folder.join(format!("{n}.o"));
                let mut fixed = vec![
                    "--crate-type=lib",
                    "--edition=2021",
                    "-Copt-level=2",
                    "-Ccodegen-units=1",
                    "-Cno-vectorize-loops",
                    "-Cno-vectorize-slp",
                    "-Cdebuginfo=1",
                    "-Clink-dead-code",
                    "-Cpanic=abort",
                    "--cap-lints=allow",
                ];
                if !inlines {
                    fixed.extend(RUST_CALLS);
                }
                made.command = format!("rustc {} --emit=llvm-ir", fixed.join(" "));
                let emit = format!("--emit=llvm-ir={},obj={}", out.display(), object.display());
                run(
                    Command::new(rustc)
                        .args(&fixed)
                        .args(flags)
                        .arg(emit)
                        .arg(source),
                    source,
                )?;
                made.original.push(object);
                made.flags.clear();
            }
            "c" | "cc" | "cpp" | "cxx" | "C" => {
                let clang = clang().ok_or_else(|| ToolError(NO_CLANG.into()))?;
                let contraction = match options.contract {
                    Some(false) => "-ffp-contract=off",
                    _ => "-ffp-contract=on",
                };
                let mut fixed = vec![
                    "-S",
                    "-emit-llvm",
                    "-O2",
                    "-g",
                    "-fno-discard-value-names",
                    "-fno-vectorize",
                    "-fno-slp-vectorize",
                    "-fno-unroll-loops",
                    "-fno-builtin",
                    "-fno-math-errno",
                    "-w",
                    contraction,
                ];
                if !inlines {
                    fixed.push("-fno-inline");
                }
                made.command = format!("clang {}", fixed.join(" "));
                run(
                    Command::new(clang)
                        .args(&fixed)
                        .args(flags)
                        .arg("-o")
                        .arg(&out)
                        .arg(source),
                    source,
                )?;
                made.original.push(source.clone());
            }
            other => {
                let what = format!(
                    "{}: the extension `.{other}` does not name a language; give .c, .cpp, .rs, .ll or .bc",
                    source.display()
                );
                return Err(ToolError(what));
            }
        }
        made.texts.push(read(&out)?);
    }
    Ok(made)
}

/// Flags with which rustc leaves calls as they are, as far as it can.
const RUST_CALLS: [&str; 3] = [
    "-Cllvm-args=-inline-threshold=-10000",
    "-Cllvm-args=-inlinehint-threshold=-10000",
    "-Cllvm-args=-inlinecold-threshold=-10000",
];

fn read(path: &Path) -> Result<String, ToolError> {
    std::fs::read_to_string(path).map_err(|e| ToolError(format!("{}: {e}", path.display())))
}

/// Runs a compiler. If it fails, the error holds its messages.
pub(crate) fn run(command: &mut Command, about: &Path) -> Result<(), ToolError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let out = command.stdin(Stdio::null()).output();
    let out = out.map_err(|e| ToolError(format!("{program} could not be started: {e}")))?;
    if out.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&out.stderr);
    let short: Vec<&str> = text.lines().take(20).collect();
    Err(ToolError(format!(
        "{}: {program} refuses it:\n{}",
        about.display(),
        short.join("\n")
    )))
}
