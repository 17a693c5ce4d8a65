//! The kernels' text in loops, compiled by a C++ compiler into a shared library.

use std::path::{Path, PathBuf};
use std::process::Command;

use dc_runtime::kernel::CrunchFn;
use dc_runtime::prelude::{bfloat_to_f32, f32_to_bfloat, f32_to_half, half_to_f32};
use kernels_gen::emit::{Options, plain_c};
use kernels_gen::program::Program;

use crate::spec::Format;
use crate::target::Target;

/// The name of a kernel's function in C, and its text without headers.
fn body(program: &Program) -> Result<(String, String), String> {
    let source = plain_c(program, &Options::cuda());
    // The statement that keeps a compiler from fusing a sign into a product keeps it from using vectors, too. It is about the
    // sign of a zero, which no time depends on. The kernel is called without what makes NaNs canonical, as a loop of Rust has it.
    let body = source.text.replace("__asm__(\"\" : \"+x\"(x))", "");
    let body = converted(&body);
    // The entry's first line calls the kernel.
    let entry = format!("{}(", source.entry);
    let is_entry = |l: &&str| l.contains(&entry) && l.ends_with('{');
    let mut lines = body.lines().skip_while(|l| !is_entry(l)).skip(1);
    let call = lines.next().and_then(|l| l.split_once(" y = "));
    let name = call
        .and_then(|c| c.1.split_once('('))
        .ok_or("the emitted text has no call of its kernel")?
        .0
        .to_string();
    // Headers stand outside of namespaces.
    let lines: Vec<&str> = body
        .lines()
        .filter(|l| !l.starts_with("#include"))
        .collect();
    Ok((name, lines.join("\n")))
}

/// The text with C's conversions to integers, for which there are vector instructions. The kernels' own conversions saturate. Numbers
/// beyond all integers do not occur among the inputs that are timed.
fn converted(text: &str) -> String {
    const HEAD: &str = "dc_f32_to_i32(float x) {\n";
    let found = text.split_once(HEAD);
    let found = found.and_then(|(before, rest)| Some((before, rest.split_once("\n}")?.1)));
    match found {
        Some((before, after)) => {
            format!("{before}{HEAD}    return (unsigned int)(int)x;\n}}{after}")
        }
        None => text.into(),
    }
}

/// The text of all kernels, each with a loop over its values. Values of 16 bits are loaded and stored by the kernels of the prelude, or by
/// the processor's conversions if it has vector instructions for them.
fn text(sources: &[Program], format: Format, target: Target) -> Result<String, String> {
    let mut text = HEADS.to_string();
    let conversions = match format {
        Format::F16 => Some((half_to_f32::KERNEL, f32_to_half::KERNEL)),
        Format::Bf16 => Some((bfloat_to_f32::KERNEL, f32_to_bfloat::KERNEL)),
        Format::F32 | Format::F64 => None,
    };
    let plain = if format == Format::F64 {
        "double"
    } else {
        "float"
    };
    let (mut ty, mut load, mut store) = (plain, "x[i]".to_string(), String::new());
    if let Some((from, to)) = conversions {
        for (namespace, kernel, at) in [("dc_load", from, &mut load), ("dc_store", to, &mut store)]
        {
            let program = kernels_gen::lower(kernel).map_err(|e| format!("{e:?}"))?;
            let (name, body) = body(&program)?;
            text += &format!("namespace {namespace} {{\n{body}\n}}\n");
            *at = format!("{namespace}::{name}");
        }
        load = format!("{load}((int)x[i])");
        store = format!("(unsigned short){store}");
        ty = "unsigned short";
    }
    let by_processor = format == Format::F16 && target != Target::Scalar;
    if by_processor {
        text += BY_PROCESSOR;
    }
    for (i, program) in sources.iter().enumerate() {
        let (name, body) = body(program)?;
        let each = format!(
            "for (unsigned long i = 0; i < n; ++i) y[i] = {store}(dc_{i}::{name}({load}));"
        );
        let all = match by_processor {
            false => each,
            true => format!(
                "\n#ifdef __F16C__\n    dc_blocks(x, y, n, [](const float *a, float *b) {{ for (int i = 0; i < DC_BLOCK; ++i) b[i] = \
                 dc_{i}::{name}(a[i]); }});\n#else\n    {each}\n#endif\n"
            ),
        };
        text += &format!(
            "namespace dc_{i} {{\n{body}\n}}\nextern \"C\" void dc_loop_{i}(const {ty} *__restrict x, {ty} *__restrict y, unsigned long \
             n) {{\n    {all}\n}}\n",
        );
    }
    Ok(text)
}

const HEADS: &str = "#include <fenv.h>\n#include <float.h>\n#include <math.h>\n#include <stdbool.h>\n#include <string.h>\n";

/// Numbers of binary16, a block at a time, since compilers do not vectorize the conversions in a loop. The number of values is a multiple of
/// the block. The bits are those of the prelude's kernels, except for NaNs.
const BY_PROCESSOR: &str = "#ifdef __F16C__
typedef short dc_halves __attribute__((vector_size(16), aligned(2)));
typedef float dc_floats __attribute__((vector_size(32), aligned(4)));
enum { DC_BLOCK = 128 };
template <class F>
static inline __attribute__((always_inline)) void dc_blocks(const unsigned short *x, unsigned short *y, unsigned long n, F each) {
    float a[DC_BLOCK], b[DC_BLOCK];
    for (unsigned long i = 0; i < n; i += DC_BLOCK) {
        for (int j = 0; j < DC_BLOCK; j += 8)
            *(dc_floats *)(a + j) = __builtin_ia32_vcvtph2ps256(*(const dc_halves *)(x + i + j));
        each(a, b);
        for (int j = 0; j < DC_BLOCK; j += 8)
            *(dc_halves *)(y + i + j) = __builtin_ia32_vcvtps2ph256(*(const dc_floats *)(b + j), 0);
    }
}
#endif
";

/// The compiler that `CXX` names, or the first of the usual ones that starts, with the first line about itself.
fn compiler() -> Result<(PathBuf, String), String> {
    let set = std::env::var_os("CXX").filter(|p| !p.is_empty());
    let named = set.is_some();
    let candidates: Vec<PathBuf> = match set {
        Some(program) => vec![program.into()],
        None => ["g++", "c++", "clang++"].map(PathBuf::from).into(),
    };
    let mut missing = Vec::new();
    for program in candidates {
        let why = match Command::new(&program).arg("--version").output() {
            Ok(out) if out.status.success() => {
                let text = String::from_utf8_lossy(&out.stdout).into_owned();
                let line = text.lines().next().unwrap_or_default().trim().to_string();
                return Ok((program, line));
            }
            Ok(out) => out.status.to_string(),
            Err(e) => e.to_string(),
        };
        missing.push(format!("{}: {why}", program.display()));
    }
    let remedy = match named {
        true => "correct the variable `CXX`, or remove it",
        false => "install one, or name one in the variable `CXX`",
    };
    let missing = missing.join(", ");
    Err(format!("no C++ compiler starts: {missing}; {remedy}"))
}

/// The loops, and the compiler in words.
pub(super) fn compiled(
    sources: &[Program],
    format: Format,
    target: Target,
    folder: &Path,
) -> Result<(libloading::Library, String), String> {
    let (program, version) = compiler()?;
    let (cpp, so) = (folder.join("finalists.cpp"), folder.join("finalists.so"));
    std::fs::write(&cpp, text(sources, format, target)?)
        .map_err(|e| format!("{}: {e}", cpp.display()))?;
    let out = Command::new(&program)
        .args([
            "-O3",
            "-ffp-contract=off",
            "-fno-math-errno",
            "-fno-trapping-math",
            "-w",
            "-shared",
            "-fPIC",
        ])
        .args(target.options())
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

#[cfg(test)]
mod tests {
    use super::super::Loop;
    use super::*;
    use doublecrunch::prelude::*;

    #[crunch]
    fn whole(x: DcFloat) -> DcFloat {
        (x * 2.0).to_i32().to_f32()
    }

    #[crunch]
    fn same(x: DcFloat) -> DcFloat {
        x * 1.0
    }

    #[crunch]
    fn third(x: DcFloat) -> DcFloat {
        x * 0.333_333_34
    }

    /// The loop over numbers of binary16 with the processor's conversions has the results of the prelude's kernels.
    #[test]
    fn numbers_of_binary16_are_converted_alike() {
        if let Err(why) = compiler() {
            eprintln!("skipped: {why}");
            return;
        }
        let lower = |kernel| kernels_gen::lower(kernel).expect("a program");
        let sources = [lower(same::KERNEL), lower(third::KERNEL)];
        let xs: Vec<u16> = (0..=u16::MAX).collect();
        let results = |target: Target| {
            let folder = std::env::temp_dir();
            let folder = folder.join(format!("dc-halves-{target:?}-{}", std::process::id()));
            std::fs::create_dir_all(&folder).expect("a folder");
            let (library, _) = compiled(&sources, Format::F16, target, &folder).expect("compiled");
            let run = |i: usize| {
                let mut ys = vec![0u16; xs.len()];
                // SAFETY: `text` defines these functions with this type, and both columns have as many numbers.
                unsafe {
                    let name = format!("dc_loop_{i}");
                    let entry = library.get::<Loop>(name.as_bytes()).expect("a loop");
                    entry(xs.as_ptr().cast(), ys.as_mut_ptr().cast(), xs.len() as u64);
                }
                ys
            };
            let all = [run(0), run(1)];
            drop(library);
            let _ = std::fs::remove_dir_all(&folder);
            all
        };
        let (widest, scalar) = (results(Target::Widest), results(Target::Scalar));
        let nan = |bits: u16| bits & 0x7fff > 0x7c00;
        for (widest, scalar) in widest.iter().zip(&scalar) {
            let mut both = widest.iter().zip(scalar);
            assert!(both.all(|(&w, &s)| w == s || nan(w) && nan(s)));
        }
        let mut kept = scalar[0].iter().zip(&xs);
        assert!(kept.all(|(&y, &x)| y == x || nan(x) && nan(y)));
    }

    /// Fault: the saturating conversion has no vector instruction, and a kernel with it takes ten times as long as the formulas that people
    /// copy.
    #[test]
    fn conversions_to_integers_are_those_of_c() {
        let program = kernels_gen::lower(whole::KERNEL).expect("a program");
        let (_, text) = body(&program).expect("a body");
        assert!(text.contains("return (unsigned int)(int)x;"), "{text}");
        assert!(!text.contains("capped"), "{text}");
        assert!(text.contains("k_whole(const float x) {"), "{text}");
    }
}
