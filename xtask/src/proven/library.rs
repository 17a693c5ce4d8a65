//! The libraries of the atlas of proofs: names of their functions, and each library as one text.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::error::{Error, Result};
use crate::process::run as run_command;

/// A library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Library {
    /// musl, of C
    Musl,
    /// The crate libm, of Rust
    Libm,
    /// PoCL's kernel library, of OpenCL C
    Pocl,
    /// AMD's library for devices, of OpenCL C
    Ocml,
}

/// Where the sources of libraries are.
pub struct Sources<'a> {
    pub musl: Option<&'a Path>,
    pub libm: Option<&'a Path>,
    pub pocl: &'a Path,
    pub ocml: &'a Path,
    /// Where texts are made.
    pub folder: &'a Path,
}

impl Library {
    pub const ALL: [Library; 4] = [Library::Musl, Library::Libm, Library::Pocl, Library::Ocml];

    /// As it is written.
    pub fn title(self) -> &'static str {
        match self {
            Library::Musl => "musl",
            Library::Libm => "libm",
            Library::Pocl => "PoCL",
            Library::Ocml => "ocml",
        }
    }
    pub fn name(self) -> &'static str {
        match self {
            Library::Musl => "musl",
            Library::Libm => "libm",
            Library::Pocl => "pocl",
            Library::Ocml => "ocml",
        }
    }
    /// The function's name in the library.
    pub fn symbol(self, function: &str, double: bool) -> String {
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
            (Library::Ocml, _) => {
                format!("__ocml_{function}_{}", if double { "f64" } else { "f32" })
            }
        }
    }
}

/// The one file that holds a library, made in the folder if it is not there; nothing if its source is not here.
pub fn source(
    library: Library,
    sources: &Sources<'_>,
    functions: &[&str],
) -> Result<Option<PathBuf>> {
    let file = sources.folder.join(format!("{}.ll", library.name()));
    if file.is_file() {
        return Ok(Some(file));
    }
    match (library, sources.musl) {
        (Library::Libm, _) => return Ok(sources.libm.map(|f| f.join("src/lib.rs"))),
        (Library::Musl, Some(musl)) => musl_text(musl, sources.folder, &file)?,
        (Library::Pocl, _) if sources.pocl.is_file() => {
            only(library, functions, sources.pocl, &file)?;
        }
        (Library::Ocml, Some(_)) if sources.ocml.is_dir() => {
            let Some(musl) = source(Library::Musl, sources, functions)? else {
                return Ok(None);
            };
            ocml_text(sources, &musl, functions, &file)?;
        }
        _ => return Ok(None),
    }
    Ok(Some(file))
}

/// Those functions of a module, with what they need.
fn only(library: Library, functions: &[&str], from: &Path, to: &Path) -> Result<()> {
    let names: Vec<String> = functions
        .iter()
        .flat_map(|f| [false, true].map(|d| library.symbol(f, d)))
        .collect();
    let mut opt = Command::new(tool("opt")?);
    opt.arg("-S").arg("-passes=internalize,globaldce");
    opt.arg(format!("-internalize-public-api-list={}", names.join(",")));
    run_command(opt.arg(from).arg("-o").arg(to))
}

/// The newest of a tool of LLVM: an older one does not read the bitcode of a newer one.
pub fn tool(name: &str) -> Result<String> {
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
        if !is_c || without_comments(&text).contains("long double") {
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

fn without_comments(text: &str) -> String {
    let mut parts = text.split("/*");
    let first = parts.next().unwrap_or_default().to_string();
    let rest = parts.filter_map(|p| Some(p.split_once("*/")?.1));
    rest.fold(first, |all, part| all + part)
}

/// The parts of ocml: itself, and the constants of one device and of exact results.
const PARTS: [&str; 7] = [
    "ocml",
    "oclc_finite_only_off",
    "oclc_unsafe_math_off",
    "oclc_daz_opt_off",
    "oclc_correctly_rounded_sqrt_on",
    "oclc_isa_version_906",
    "oclc_wavefrontsize64_on",
];

/// What the device's instructions compute.
const INSTRUCTIONS: &str = include_str!("amdgcn.c");

/// ocml as a text for the host: the device's instructions are functions.
fn ocml_text(sources: &Sources<'_>, musl: &Path, functions: &[&str], file: &Path) -> Result<()> {
    let folder = sources.folder;
    let write = |name: &str, text: &str| -> Result<PathBuf> {
        let file = folder.join(name);
        std::fs::write(&file, text).map_err(|e| Error(format!("{}: {e}", file.display())))?;
        Ok(file)
    };
    let mut parts = Vec::new();
    for part in PARTS {
        let bitcode = sources.ocml.join(format!("{part}.bc"));
        let text = Command::new(tool("llvm-dis")?)
            .arg(&bitcode)
            .args(["-o", "-"])
            .output()
            .map_err(|e| Error(format!("llvm-dis: {e}")))?;
        if !text.status.success() {
            return Err(Error(format!("{}: llvm-dis refuses it", bitcode.display())));
        }
        let text = for_host(&String::from_utf8_lossy(&text.stdout));
        parts.push(write(&format!("ocml-{part}.ll"), &text)?);
    }
    let shim = write("amdgcn.c", INSTRUCTIONS)?;
    let shim_text = folder.join("amdgcn.ll");
    let mut clang = Command::new(tool("clang")?);
    clang.args(["-S", "-emit-llvm", "-O2", "-w", "-ffp-contract=off"]);
    clang.args([
        "-fno-vectorize",
        "-fno-slp-vectorize",
        "-fno-builtin",
        "-fno-math-errno",
    ]);
    run_command(clang.arg(&shim).arg("-o").arg(&shim_text))?;
    let all = folder.join("ocml-all.ll");
    let mut link = Command::new(tool("llvm-link")?);
    link.args(["-S", "-o"]).arg(&all).args(parts);
    run_command(link.arg(shim_text).arg(musl))?;
    only(Library::Ocml, functions, &all, file)
}

/// A device's module as one of the host.
fn for_host(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        if line.starts_with("target ") {
            continue;
        }
        // Those of the device's processor.
        if let Some((group, _)) = line
            .split_once(" = {")
            .filter(|_| line.starts_with("attributes "))
        {
            out.push_str(group);
            out.push_str(" = { nounwind }\n");
            continue;
        }
        let mut line = line.replace("linkonce_odr ", "").replace("protected ", "");
        for space in 1..=5 {
            line = line.replace(&format!(", addrspace({space})"), "");
            line = line.replace(&format!(" addrspace({space})"), "");
            line = line.replace(&format!(".p{space}"), ".p0");
        }
        line = line.replace("addrspacecast", "bitcast");
        line = line
            .replace("@llvm.exp2.f32", "@exp2f")
            .replace("@llvm.log2.f32", "@log2f");
        // The same classes by another name.
        line = line.replace("@llvm.amdgcn.class.", "@llvm.is.fpclass.");
        line = line.replace("@llvm.canonicalize.", "@llvm.amdgcn.canonicalize.");
        while let Some(at) = line.find("@llvm.amdgcn.") {
            let name = &line[at + "@llvm.".len()..];
            let end = name.find('(').unwrap_or(name.len());
            let name = name[..end].to_string();
            let plain = format!("@crunch_{}", name.replace('.', "_"));
            line = line.replacen(&format!("@llvm.{name}"), &plain, 1);
        }
        if line.contains("@crunch_") {
            line = line.replace(" immarg", "");
        }
        out.push_str(&line);
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_is_no_code() {
        let text = "int a; /* for\n long double */ int b; /* two */";
        assert_eq!(without_comments(text), "int a;  int b; ");
    }

    #[test]
    fn a_device_s_module_is_one_of_the_host() {
        let text = "target triple = \"amdgcn\"\n\
                    define linkonce_odr protected float @f(float %x) #2 {\n\
                    %p = alloca float, align 4, addrspace(5)\n\
                    %r = call float @llvm.amdgcn.rcp.f32(float %x)\n\
                    %c = call i1 @llvm.amdgcn.class.f32(float %r, i32 3)\n\
                    %e = call float @llvm.exp2.f32(float %r)\n\
                    call void @llvm.lifetime.start.p5(i64 4, ptr addrspace(5) %p)\n\
                    attributes #2 = { nounwind \"target-cpu\"=\"gfx906\" }\n";
        let want = "define float @f(float %x) #2 {\n\
                    %p = alloca float, align 4\n\
                    %r = call float @crunch_amdgcn_rcp_f32(float %x)\n\
                    %c = call i1 @llvm.is.fpclass.f32(float %r, i32 3)\n\
                    %e = call float @exp2f(float %r)\n\
                    call void @llvm.lifetime.start.p0(i64 4, ptr %p)\n\
                    attributes #2 = { nounwind }\n";
        assert_eq!(for_host(text), want);
    }
}
