//! `map` of the kernels. Rustc compiles their sources, in a crate of their own and with this library, into a shared library.
//!
//! The compiled parts of this library are kept in the user's cache for the next design. The crate has a different name in each process, so
//! that two designs do not write the same files.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

use dc_runtime::backend::cache::Cache;

use crate::target::Target;

/// The library of the functions `dc_loop_0` and so on, and the compiler in words.
///
/// # Errors
/// If cargo does not start, or if the crate does not compile. In the latter case, the error is the first error of the compiler.
pub(super) fn compiled(
    kernels: &[String],
    target: Target,
    folder: &Path,
) -> Result<(libloading::Library, String), String> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("dc-scratch-{}-{number}", std::process::id());
    let place = folder.join("scratch");
    write(&place.join("Cargo.toml"), &manifest(&name))?;
    write(&place.join("src/lib.rs"), &text(kernels, target))?;
    // The packages that the library was tested with, where its checkout is here.
    let lock = checkout().map(|c| c.join("Cargo.lock"));
    if let Some(lock) = lock.filter(|l| l.is_file()) {
        std::fs::copy(&lock, place.join("Cargo.lock")).map_err(|e| at(&lock, &e))?;
    }
    let built = match Cache::from_env().private_dir() {
        Some(cache) => cache.join("scratch"),
        None => place.join("target"),
    };
    let cargo = |arguments: &[&str]| {
        let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        Command::new(&program)
            .args(arguments)
            .arg("--manifest-path")
            .arg(place.join("Cargo.toml"))
            .env("CARGO_TARGET_DIR", &built)
            // A checkout's settings are about its own tests.
            .current_dir(&place)
            .output()
            .map_err(|e| {
                format!(
                    "{}: {e}; times of `map` need cargo: install it, or leave --times out",
                    program.display()
                )
            })
    };
    let out = cargo(&["build", "--release", "--quiet"])?;
    if !out.status.success() {
        return Err(format!(
            "cargo refused the kernels: {}; leave --times out for times of their text in C",
            first_error(&out)
        ));
    }
    let file = format!(
        "{}{}{}",
        std::env::consts::DLL_PREFIX,
        name.replace('-', "_"),
        std::env::consts::DLL_SUFFIX
    );
    let from = built.join("release").join(file);
    let so = folder.join("mapped.so");
    std::fs::copy(&from, &so).map_err(|e| at(&from, &e))?;
    // What stays in the cache is the library, and none of the kernels.
    let _ = cargo(&["clean", "--release", "--quiet", "-p", &name]);
    // SAFETY: the library was built from emitted text and has no initialisers.
    let library = unsafe { libloading::Library::new(&so) }.map_err(|e| e.to_string())?;
    Ok((library, rustc()))
}

/// The repository of this library, if it is where this crate was compiled.
fn checkout() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    let is_there = root.join("dc-runtime/Cargo.toml").is_file();
    is_there.then(|| root.to_path_buf())
}

fn manifest(name: &str) -> String {
    let of = match checkout() {
        Some(root) => format!("path = {:?}", root.display().to_string()),
        None => format!("version = \"={}\"", env!("CARGO_PKG_VERSION")),
    };
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[lib]\ncrate-type = [\"cdylib\"]\n\n\
         [dependencies]\ndoublecrunch = {{ {of}, default-features = false, features = [\"std\"] }}\n\n[workspace]\n"
    )
}

/// The kernels in modules, and a function that maps each over two columns.
fn text(kernels: &[String], target: Target) -> String {
    let mut text = String::new();
    for (i, kernel) in kernels.iter().enumerate() {
        let map = match set(target) {
            None => format!("k{i}::{KERNEL}::map(x, y)"),
            Some(set) => format!(
                "doublecrunch::run::map_on::<k{i}::{KERNEL}, _>(<doublecrunch::isa::{set} as \
                 doublecrunch::isa::Isa>::detect().unwrap(), (x,), y)"
            ),
        };
        text += &format!(
            "mod k{i} {{\n{kernel}\n}}\n#[unsafe(no_mangle)]\nunsafe extern \"C\" fn dc_loop_{i}(x: *const u8, y: *mut u8, n: u64) {{\n    \
             let n = n as usize;\n    // SAFETY: the caller has two columns of that many numbers.\n    let (x, y) = unsafe {{ \
             (std::slice::from_raw_parts(x.cast(), n), std::slice::from_raw_parts_mut(y.cast(), n)) }};\n    {map};\n}}\n"
        );
    }
    text
}

/// The name of each kernel in its module.
pub const KERNEL: &str = "designed";

/// The type of an instruction set in `map`.
const fn set(target: Target) -> Option<&'static str> {
    match target {
        Target::Widest => None,
        Target::Scalar => Some("Scalar<4>"),
        Target::Avx2 => Some("Avx2<1>"),
        Target::Avx512 => Some("Avx512<2>"),
        Target::Neon => Some("Neon<2>"),
    }
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    let folder = file.parent().expect("a file of the crate");
    std::fs::create_dir_all(folder).map_err(|e| at(folder, &e))?;
    std::fs::write(file, text).map_err(|e| at(file, &e))
}

fn at(file: &Path, e: &std::io::Error) -> String {
    format!("{}: {e}", file.display())
}

fn first_error(out: &Output) -> String {
    let log = String::from_utf8_lossy(&out.stderr).into_owned();
    let error = log.lines().find(|l| l.starts_with("error"));
    error.unwrap_or("no message").to_string()
}

/// The compiler's line about itself.
fn rustc() -> String {
    let program = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let out = Command::new(program).arg("--version").output();
    let line = out.ok().and_then(|o| String::from_utf8(o.stdout).ok());
    line.map_or_else(|| "rustc".into(), |l| l.trim().to_string())
}

#[cfg(test)]
mod tests {
    use super::super::Loop;
    use super::*;

    const TWICE: &str = "use doublecrunch::prelude::*;\n#[crunch]\npub fn designed(x: DcFloat) -> DcFloat {\n    x * 2.0\n}";
    const HALF: &str = "use doublecrunch::prelude::*;\n#[crunch]\npub fn designed(x: DcFloat) -> DcFloat {\n    x * 0.5\n}";

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("dc-scratch-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    /// Every kernel is mapped on every instruction set of this processor, each by its own function.
    #[test]
    fn kernels_are_mapped_on_the_set_that_was_asked_for() {
        let folder = folder("maps");
        let xs: Vec<f32> = (0..37).map(|i| i as f32 - 7.0).collect();
        let named = ["scalar", "avx2", "avx512", "neon"].map(Target::by_name);
        for target in [Ok(Target::Widest)].into_iter().chain(named).flatten() {
            let kernels = [TWICE.to_string(), HALF.to_string()];
            let (library, by) = compiled(&kernels, target, &folder).expect("compiled");
            assert!(by.starts_with("rustc "), "{by}");
            for (i, factor) in [2.0, 0.5].into_iter().enumerate() {
                let mut ys = vec![0f32; xs.len()];
                // SAFETY: `text` defines these functions with this type, and both columns have as many numbers.
                unsafe {
                    let entry = library.get::<Loop>(format!("dc_loop_{i}").as_bytes());
                    let entry = entry.expect("a function");
                    entry(xs.as_ptr().cast(), ys.as_mut_ptr().cast(), xs.len() as u64);
                }
                let mut both = xs.iter().zip(&ys);
                assert!(both.all(|(x, y)| x * factor == *y), "{target:?} {i}");
            }
        }
        let _ = std::fs::remove_dir_all(&folder);
    }

    #[test]
    fn a_kernel_that_is_no_rust_is_named_by_the_compiler() {
        let folder = folder("refuses");
        let kernels = [TWICE.replace("2.0", "two")];
        let why = compiled(&kernels, Target::Widest, &folder).map(|_| ());
        let why = why.expect_err("no kernel");
        assert!(why.starts_with("cargo refused the kernels: error"), "{why}");
        assert!(why.ends_with("leave --times out for times of their text in C"));
        let _ = std::fs::remove_dir_all(&folder);
    }
}
