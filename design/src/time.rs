//! The times of finalists, interleaved: each is measured in every round. So if the processor changes its speed, this affects all of them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use kernels_gen::emit::{Options, plain_c};
use kernels_gen::program::Program;

use crate::judge::Candidate;
use crate::strips::STRIP;

/// How times were measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum By {
    /// A C++ compiler's loop over the kernel's text.
    Compiled(String),
    /// The strips, with the reason why there is no better method. Times are upper bounds.
    Strips(String),
}

impl By {
    /// A description in words.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            By::Compiled(compiler) => {
                format!("the kernel's text in a loop, compiled by {compiler}")
            }
            By::Strips(why) => format!(
                "operation by operation over columns, an upper bound of a compiled kernel's ({why})"
            ),
        }
    }
}

/// A measured program: called with the inputs, the results and their number.
type Loop = unsafe extern "C" fn(*const f32, *mut f32, u64);

/// Nanoseconds for each value.
///
/// # Errors
/// If a candidate does not run.
pub fn measure(
    candidates: &[&Candidate],
    sources: &[Program],
    inputs: &[f32],
    folder: &Path,
) -> Result<(Vec<f64>, By), String> {
    match compiled(sources, folder) {
        Ok((library, compiler)) => {
            let times = loops(&library, sources.len(), inputs)?;
            Ok((times, By::Compiled(compiler)))
        }
        Err(why) => Ok((strips(candidates, inputs)?, By::Strips(why))),
    }
}

/// Rounds, of which the fastest counts.
const ROUNDS: usize = 40;
/// Values of a round: in the first-level cache.
const VALUES: usize = 2048;
const REPEATS: usize = 8;

fn loops(library: &libloading::Library, count: usize, inputs: &[f32]) -> Result<Vec<f64>, String> {
    let mut entries = Vec::new();
    for i in 0..count {
        // SAFETY: `text` defines this function with this type.
        let entry = unsafe { library.get::<Loop>(format!("dc_loop_{i}").as_bytes()) };
        entries.push(*entry.map_err(|e| e.to_string())?);
    }
    let xs: Vec<f32> = inputs.iter().copied().cycle().take(VALUES).collect();
    let mut ys = vec![0f32; VALUES];
    let mut best = vec![f64::INFINITY; count];
    for _ in 0..ROUNDS {
        for (entry, best) in entries.iter().zip(&mut best) {
            let start = Instant::now();
            for _ in 0..REPEATS {
                // SAFETY: both columns have `VALUES` numbers.
                unsafe { entry(xs.as_ptr(), ys.as_mut_ptr(), VALUES as u64) };
            }
            let time = start.elapsed().as_nanos() as f64 / (REPEATS * VALUES) as f64;
            *best = best.min(time);
        }
    }
    Ok(best)
}

fn strips(candidates: &[&Candidate], inputs: &[f32]) -> Result<Vec<f64>, String> {
    let mut all = Vec::new();
    for c in candidates {
        let mut strips = c.strips()?;
        let xs = inputs.iter().copied().cycle().take(STRIP);
        for (to, x) in strips.inputs_f32().iter_mut().zip(xs) {
            *to = x;
        }
        all.push(strips);
    }
    let mut best = vec![f64::INFINITY; all.len()];
    for _ in 0..ROUNDS {
        for (strips, best) in all.iter_mut().zip(&mut best) {
            let start = Instant::now();
            for _ in 0..REPEATS {
                strips.run(STRIP);
            }
            let time = start.elapsed().as_nanos() as f64 / (REPEATS * STRIP) as f64;
            *best = best.min(time);
        }
    }
    Ok(best)
}

/// The text of all kernels, each with a loop over its values.
fn text(sources: &[Program]) -> Result<String, String> {
    let mut text = HEADS.to_string();
    for (i, program) in sources.iter().enumerate() {
        let source = plain_c(program, &Options::cuda());
        // The statement that keeps a compiler from fusing a sign into a product keeps it from using vectors, too. It is about the
        // sign of a zero, which no time depends on. The kernel is called without what makes NaNs canonical, as a loop of Rust has it.
        let body = source.text.replace("__asm__(\"\" : \"+x\"(x))", "");
        let call = body
            .lines()
            .find_map(|l| l.trim().strip_prefix("const float y = "));
        let name = call
            .and_then(|c| c.split_once('('))
            .ok_or("the emitted text has no call of its kernel")?
            .0
            .to_string();
        // Headers stand outside of namespaces.
        let body: Vec<&str> = body
            .lines()
            .filter(|l| !l.starts_with("#include"))
            .collect();
        text += &format!(
            "namespace dc_{i} {{\n{}\n}}\nextern \"C\" void dc_loop_{i}(const float *__restrict x, float *__restrict y, unsigned long \
             n) {{\n    for (unsigned long i = 0; i < n; ++i) y[i] = dc_{i}::{name}(x[i]);\n}}\n",
            body.join("\n"),
        );
    }
    Ok(text)
}

const HEADS: &str = "#include <fenv.h>\n#include <float.h>\n#include <math.h>\n#include <stdbool.h>\n#include <string.h>\n";

/// The compiler that `CXX` names, or the first of the usual ones that starts, with the first line about itself.
fn compiler() -> Result<(PathBuf, String), String> {
    let named = std::env::var_os("CXX").filter(|p| !p.is_empty());
    let candidates: Vec<PathBuf> = match named {
        Some(program) => vec![program.into()],
        None => ["g++", "c++", "clang++"].map(PathBuf::from).into(),
    };
    candidates
        .iter()
        .find_map(|program| {
            let out = Command::new(program).arg("--version").output().ok()?;
            let text = String::from_utf8_lossy(&out.stdout).into_owned();
            let line = text.lines().next().unwrap_or_default().trim().to_string();
            out.status.success().then(|| (program.clone(), line))
        })
        .ok_or_else(|| "there is no C++ compiler".into())
}

fn compiled(sources: &[Program], folder: &Path) -> Result<(libloading::Library, String), String> {
    let (program, version) = compiler()?;
    let (cpp, so) = (folder.join("finalists.cpp"), folder.join("finalists.so"));
    std::fs::write(&cpp, text(sources)?).map_err(|e| format!("{}: {e}", cpp.display()))?;
    let out = Command::new(&program)
        .args([
            "-O3",
            "-march=native",
            "-mprefer-vector-width=512",
            "-ffp-contract=off",
            "-fno-math-errno",
            "-fno-trapping-math",
            "-w",
            "-shared",
            "-fPIC",
        ])
        .arg(&cpp)
        .arg("-o")
        .arg(&so)
        .output()
        .map_err(|e| e.to_string())?;
    if !out.status.success() {
        let log = String::from_utf8_lossy(&out.stderr).into_owned();
        let first = log
            .lines()
            .find(|l| l.contains("error"))
            .unwrap_or("no message");
        return Err(format!("the C++ compiler refused the text: {first}"));
    }
    // SAFETY: the library was built from emitted text and has no initialisers.
    let library = unsafe { libloading::Library::new(&so) }.map_err(|e| e.to_string())?;
    Ok((library, version))
}
