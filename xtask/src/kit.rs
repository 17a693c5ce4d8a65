//! A folder that proves and measures on any x86-64 Linux with glibc 2.36, without Rust, a compiler or a network:
//! docs/book/src/contribute/kit.md. The program in it that does so is `measure/`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::bench::{self, Compiled};
use crate::elf::{self, Glibc};
use crate::error::{Error, Result};
use crate::process::{self, cargo, root};
use crate::{emulator, sass, setup};

/// Options of `cargo xtask kit`.
#[derive(clap::Args)]
pub struct Args {
    /// The folder to make; an existing kit in it is replaced.
    #[arg(long, default_value = "target/kit")]
    out: PathBuf,
    /// The number of random kernels, which are compiled here: 0.4 s each.
    #[arg(long, default_value_t = 500)]
    kernels: u64,
    /// Also pack what `measure --device-day` needs: the tests of the language as a program and, where libOpenCL is present, a command line with
    /// OpenCL. The rivals in C are left out.
    #[arg(long)]
    device_day: bool,
    /// Unroll the rivals in two ways instead of all.
    #[arg(long)]
    quick: bool,
}

/// What the folder may be at most.
const MOST: u64 = 50 << 20;
/// The one program that may need the loader of OpenCL.
const WITH_OPENCL: &str = "bin/crunch-opencl";
/// The C library that it must run with.
const GLIBC: Glibc = Glibc(2, 36);
/// The processors that the rivals are compiled for: this one's instructions are not the other machine's.
const SETS: [(&str, &str); 2] = [("avx2", "x86-64-v3"), ("avx512", "x86-64-v4")];
/// The seed of the random kernels.
const SEED: u64 = 16;
/// The architectures for which instructions are counted, where NVIDIA's compilers are here.
const ARCHS: [&str; 3] = ["sm_80", "sm_90", "sm_100"];
/// An explicit target, so that the compiler flags of a static program do not apply to build scripts.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// `cargo xtask kit`.
pub fn run(args: &Args) -> Result<()> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err(Error("a kit is for x86-64 Linux and is made there".into()));
    }
    let out = root().join(&args.out);
    let marker = out.join("kit.json");
    if out.exists() && !marker.is_file() && fs::read_dir(&out).is_ok_and(|e| e.count() > 0) {
        return Err(Error(format!(
            "{} is not empty and no kit: name another folder",
            out.display()
        )));
    }
    let _ = fs::remove_dir_all(&out);
    let folder = |name: &str| -> Result<PathBuf> {
        let path = out.join(name);
        fs::create_dir_all(&path).map_err(|e| io(&path, &e))?;
        Ok(path)
    };
    // From here on the folder is a kit, though not a finished one.
    folder("bin")?;
    write(&marker, "{}\n")?;

    let link = link_folder()?;
    let build = |package: &str, what: &[&str]| -> Result<PathBuf> { program(package, what, &link) };
    let crunch = build("doublecrunch", &["--bin", "crunch", "--features", "cli"])?;
    copy(&crunch, &out.join("bin/crunch"))?;
    let limit = build("doublecrunch", &["--bench", "limit"])?;
    copy(&limit, &out.join("bin/limit"))?;
    let kernels = build(
        "random-kernels",
        &["--bin", "random-kernels", "--features", "cuda"],
    )?;
    copy(&kernels, &out.join("bin/random-kernels"))?;
    copy(&measure()?, &out.join("measure"))?;
    if args.device_day {
        let language = build("doublecrunch", &["--test", "language"])?;
        copy(&language, &out.join("bin/language"))?;
        if setup::features().contains(&"opencl") {
            let crunch = build(
                "doublecrunch",
                &["--bin", "crunch", "--features", "cli,opencl"],
            )?;
            copy(&crunch, &out.join(WITH_OPENCL))?;
        }
    }

    // The programs of random kernels are linked in the same way.
    process::run(
        Command::new(&kernels)
            .args(["prebuild", "--seed", &SEED.to_string()])
            .args(["--kernels", &args.kernels.to_string()])
            .arg("--into")
            .arg(folder("kernels")?)
            .args(link_flags(&link).iter().map(|f| format!("--flag={f}"))),
    )?;
    let sets: &[_] = match args.device_day {
        true => &[],
        false => &SETS,
    };
    let rivals = bench::compile_all(&folder("rivals/c")?, sets, args.quick)?;
    cuda_texts(&folder("rivals/cuda")?)?;
    let mut missing: Vec<String> = rivals
        .missing
        .iter()
        .map(|c| format!("rivals by {c}: it was not found"))
        .collect();
    let counts = sass::loops::binary64(&crunch, &ARCHS);
    match counts {
        Ok(text) => write(&out.join("rivals/binary64.tsv"), &text)?,
        Err(Error(e)) => missing.push(format!(
            "instructions per input on a GPU: {}",
            first_line(&e)
        )),
    }
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        copy(&root().join(name), &out.join(name))?;
    }
    write(&out.join("README.txt"), README)?;
    write(&marker, &about(args, &rivals, &missing))?;
    for text in &missing {
        println!("!! {text}");
    }
    check(&out)
}

const README: &str = "\
DoubleCrunch, measured on this machine: ./measure

It needs an x86-64 Linux with glibc 2.36 or newer and nothing else. With an NVIDIA GPU it looks for NVRTC, which is too large
to be here: `pip install nvidia-cuda-nvrtc`, a CUDA toolkit, a copy in the folder nvrtc/ beside this file, or --nvrtc FILE.
./measure --help has the options. Results are in measured/measured.md and measured/measured.json.
";

/// Builds a program with what it needs besides the C library in it.
fn program(package: &str, what: &[&str], link: &Path) -> Result<PathBuf> {
    let mut command = cargo();
    command.args(["rustc", "--release", "--package", package]);
    command.args(what);
    command.args(["--message-format", "json-render-diagnostics"]);
    command.arg("--").args(link_flags(link));
    println!("$ {}", process::shown(&command));
    // `--bin NAME`, `--bench NAME`.
    emulator::program(&mut command, what[1])
}

fn link_flags(link: &Path) -> Vec<String> {
    vec![
        format!("-Lnative={}", link.display()),
        "-Cstrip=symbols".into(),
    ]
}

/// A folder in which the linker finds, in place of the shared library `libgcc_s`, the static ones: of the machines that have
/// the C library, not all have it.
fn link_folder() -> Result<PathBuf> {
    let folder = root().join("target/kit-link");
    fs::create_dir_all(&folder).map_err(|e| io(&folder, &e))?;
    write(
        &folder.join("libgcc_s.so"),
        "/* A linker script. */\nGROUP ( -lgcc_eh -lgcc -lc )\n",
    )?;
    Ok(folder)
}

/// Builds `measure`, a static program.
fn measure() -> Result<PathBuf> {
    let mut command = cargo();
    command.args(["build", "--release", "--package", "measure"]);
    command.args(["--target", TARGET]);
    command.args(["--message-format", "json-render-diagnostics"]);
    command.env(
        "RUSTFLAGS",
        "-C target-feature=+crt-static -C strip=symbols",
    );
    println!("$ {}", process::shown(&command));
    emulator::program(&mut command, "measure")
}

/// The rivals in CUDA, with what they include.
fn cuda_texts(to: &Path) -> Result<()> {
    let from = root().join("benches/rivals");
    let entries = fs::read_dir(&from).map_err(|e| io(&from, &e))?;
    for entry in entries.flatten() {
        let name = entry.file_name();
        let extension = Path::new(&name).extension().unwrap_or_default();
        if ["cu", "cuh", "h"].iter().any(|e| extension == *e) {
            copy(&entry.path(), &to.join(&name))?;
        }
    }
    Ok(())
}

/// `kit.json`.
fn about(args: &Args, rivals: &Compiled, missing: &[String]) -> String {
    let one = |command: &mut Command| {
        let text = process::output(command.current_dir(root())).unwrap_or_default();
        first_line(&text).to_string()
    };
    let changed = !one(Command::new("git").args(["status", "--porcelain"])).is_empty();
    let commit = one(Command::new("git").args(["rev-parse", "--short=12", "HEAD"]));
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let document = serde_json::json!({
        "version": env!("CARGO_PKG_VERSION"),
        "commit": format!("{commit}{}", if changed { ", changed" } else { "" }),
        "rustc": one(Command::new(rustc).arg("--version")),
        "compilers": rivals.compilers,
        "flags": format!("-O3 -ffp-contract=off, -march={} and {}", SETS[0].1, SETS[1].1),
        "rivals": rivals.number,
        "seed": SEED,
        "kernels": args.kernels,
        "missing": missing,
    });
    format!("{document:#}\n")
}

/// Holds the size, and what the programs and libraries need.
fn check(out: &Path) -> Result<()> {
    let mut files = Vec::new();
    list(out, &mut files)?;
    let (mut size, mut newest, mut wrong) = (0, None, Vec::new());
    let (mut programs, mut by_folder) = (0, std::collections::BTreeMap::<PathBuf, u64>::new());
    for path in &files {
        let bytes = fs::read(path).map_err(|e| io(path, &e))?;
        size += bytes.len() as u64;
        let name = path.strip_prefix(out).unwrap_or(path);
        *by_folder
            .entry(name.parent().unwrap_or(name).into())
            .or_default() += bytes.len() as u64;
        if !elf::is_elf(&bytes) {
            continue;
        }
        programs += 1;
        let needs = elf::needs(&bytes).map_err(|e| Error(format!("{}: {e}", path.display())))?;
        let (mut lacking, needed) = needs.beyond(GLIBC);
        if name == Path::new(WITH_OPENCL) {
            lacking.retain(|what| !what.starts_with("libOpenCL.so"));
        }
        newest = newest.max(needed);
        if !lacking.is_empty() {
            wrong.push(format!("{}: {}", name.display(), lacking.join(", ")));
        }
    }
    for (folder, size) in by_folder {
        println!("{:>6.1} MiB  {}/", mib(size), folder.display());
    }
    println!(
        "{}: {} files, {:.1} MiB of {} allowed; {programs} programs and libraries need glibc {} at most, {GLIBC} allowed",
        out.display(),
        files.len(),
        mib(size),
        MOST >> 20,
        newest.map_or("of any version".into(), |n| n.to_string())
    );
    if !wrong.is_empty() {
        return Err(Error(format!(
            "with glibc {GLIBC} and nothing else these do not start, for want of\n{}",
            wrong.join("\n")
        )));
    }
    if size > MOST {
        return Err(Error(format!("it is larger than {} MiB", MOST >> 20)));
    }
    Ok(())
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).map_err(|e| io(folder, &e))? {
        let path = entry.map_err(|e| io(folder, &e))?.path();
        match path.is_dir() {
            true => list(&path, files)?,
            false => files.push(path),
        }
    }
    files.sort();
    Ok(())
}

fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

fn io(path: &Path, e: &std::io::Error) -> Error {
    Error(format!("{}: {e}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).map_err(|e| io(path, &e))
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).map(|_| ()).map_err(|e| io(from, &e))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program that needs libgcc_s, as any that rustc links without `link_folder`, and a file that is too large.
    #[test]
    fn a_kit_that_would_not_start_elsewhere_is_refused() {
        let folder = std::env::temp_dir().join(format!("xtask-kit-{}", std::process::id()));
        fs::create_dir_all(folder.join("bin")).expect("writable");
        write(&folder.join("README.txt"), "no program").expect("writable");
        assert!(check(&folder).is_ok());
        let own = std::env::current_exe().expect("a test has a program");
        fs::copy(own, folder.join("bin/own")).expect("writable");
        let Error(text) = check(&folder).expect_err("it needs libgcc_s");
        assert!(text.contains("bin/own: libgcc_s.so.1"), "{text}");
        fs::remove_file(folder.join("bin/own")).expect("ours");
        // It has no blocks on the disk.
        let large = fs::File::create(folder.join("large")).expect("writable");
        large.set_len(MOST).expect("writable");
        let Error(text) = check(&folder).expect_err("too large");
        assert_eq!(text, "it is larger than 50 MiB");
        fs::remove_dir_all(folder).expect("ours");
    }
}
