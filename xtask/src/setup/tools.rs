//! Finds installed tools by their files and not by a package manager, because a tool may have been installed in another
//! way.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{output, which};

/// The C++ compiler: `$CXX`, else the first of the usual names.
pub fn cxx() -> Option<PathBuf> {
    match std::env::var_os("CXX").filter(|c| !c.is_empty()) {
        Some(named) => which(named),
        None => ["g++", "c++", "clang++"].into_iter().find_map(which),
    }
}

/// `libOpenCL.so` as the linker finds it. The loader alone has only `libOpenCL.so.1`, with which nothing links.
pub fn loader() -> Option<PathBuf> {
    library_folders()
        .map(|dir| dir.join("libOpenCL.so"))
        .find(|p| p.exists())
}

/// `mpfr.h`, if `gmp.h` and both libraries for the linker are present too.
pub fn mpfr() -> Option<PathBuf> {
    let header = |name: &str| {
        include_folders()
            .map(|dir| dir.join(name))
            .find(|p| p.exists())
    };
    let linked = |name: &str| library_folders().any(|dir| dir.join(name).exists());
    header("gmp.h")?;
    header("mpfr.h").filter(|_| linked("libgmp.so") && linked("libmpfr.so"))
}

/// The C library for AArch64, to link with and to load.
pub fn cross_libc() -> Option<PathBuf> {
    let folder = Path::new("/usr/aarch64-linux-gnu/lib");
    let there = |name: &str| folder.join(name).exists();
    (there("libc.so") && there("ld-linux-aarch64.so.1")).then(|| folder.into())
}

/// Slurm's controller, if its node daemon, its commands and munge are there too. Daemons are not on everybody's `PATH`.
pub fn slurm() -> Option<PathBuf> {
    let daemon = |name: &str| {
        which(name).or_else(|| Some(Path::new("/usr/sbin").join(name)).filter(|p| p.is_file()))
    };
    daemon("munged")?;
    daemon("slurmd")?;
    which("sbatch")?;
    daemon("slurmctld")
}

/// GNU parallel, and not another program of this name.
pub fn parallel() -> Option<PathBuf> {
    let path = which("parallel")?;
    let version = output(Command::new(&path).arg("--version")).ok()?;
    version.starts_with("GNU parallel").then_some(path)
}

/// Python's module for YAML: of the first `python3`, or of the system's, which has what apt installs.
pub fn yaml() -> Option<PathBuf> {
    let pythons = which("python3")
        .into_iter()
        .chain(["/usr/bin/python3".into()]);
    pythons.into_iter().find_map(|python| {
        let print = ["-c", "import yaml; print(yaml.__file__)"];
        let file = output(Command::new(python).args(print)).ok()?;
        Some(PathBuf::from(file.trim()))
    })
}

/// PoCL: a vendor file that names its library.
pub fn pocl() -> Option<PathBuf> {
    vendor_files(&vendors()).into_iter().find(|file| {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        text.contains("pocl") && library_exists(Path::new(text.trim()))
    })
}

/// oclgrind's library that an OpenCL loader can load. Debian's package has no vendor file for it: see `environment.rs`.
pub fn oclgrind() -> Option<PathBuf> {
    library_folders()
        .map(|dir| dir.join("oclgrind/liboclgrind-rt-icd.so"))
        .find(|p| p.exists())
}

/// The folder in which the OpenCL loader looks for vendor files.
pub fn vendors() -> PathBuf {
    std::env::var_os("OCL_ICD_VENDORS")
        .filter(|dir| !dir.is_empty())
        .map_or_else(|| "/etc/OpenCL/vendors".into(), PathBuf::from)
}

/// The vendor files in a folder, in order of their names.
pub fn vendor_files(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|e| e.path())
        .filter(|p| p.extension().is_some_and(|x| x == "icd"))
        .collect();
    files.sort();
    files
}

fn library_exists(name: &Path) -> bool {
    // The loader searches for a bare name.
    name.is_absolute() && name.exists() || library_folders().any(|dir| dir.join(name).exists())
}

/// The folders in which the C compiler looks for headers.
fn include_folders() -> impl Iterator<Item = PathBuf> {
    let named: Vec<PathBuf> = ["CPATH", "C_INCLUDE_PATH"]
        .into_iter()
        .filter_map(std::env::var_os)
        .flat_map(|list| std::env::split_paths(&list).collect::<Vec<_>>())
        .filter(|dir| !dir.as_os_str().is_empty())
        .collect();
    let triple = format!("/usr/include/{}-linux-gnu", std::env::consts::ARCH);
    named
        .into_iter()
        .chain([triple.into(), "/usr/include".into()])
        .chain(["/usr/local/include".into()])
}

/// The folders in which linker and loader look: those of the variables, then the usual ones of Debian and of others.
fn library_folders() -> impl Iterator<Item = PathBuf> {
    let triple = format!("{}-linux-gnu", std::env::consts::ARCH);
    let named: Vec<PathBuf> = ["LIBRARY_PATH", "LD_LIBRARY_PATH"]
        .into_iter()
        .filter_map(std::env::var_os)
        .flat_map(|list| std::env::split_paths(&list).collect::<Vec<_>>())
        .filter(|dir| !dir.as_os_str().is_empty())
        .collect();
    let usual = [
        format!("/usr/lib/{triple}"),
        format!("/lib/{triple}"),
        "/usr/lib64".into(),
        "/usr/lib".into(),
    ];
    named
        .into_iter()
        .chain(usual.into_iter().map(PathBuf::from))
        .chain(["/usr/local/lib".into()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_vendor_files_are_listed_and_in_order() {
        let dir = std::env::temp_dir().join(format!("crunch-xtask-{}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("temporary folder");
        for name in ["b.icd", "a.icd", "notes.txt"] {
            std::fs::write(dir.join(name), "").expect("temporary file");
        }
        let names: Vec<_> = vendor_files(&dir)
            .iter()
            .filter_map(|p| p.file_name().map(ToOwned::to_owned))
            .collect();
        std::fs::remove_dir_all(&dir).expect("temporary folder");
        assert_eq!(names, ["a.icd", "b.icd"]);
        assert!(vendor_files(Path::new("/nonexistent")).is_empty());
    }
}
