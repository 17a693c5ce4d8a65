//! The identity of a compiler beyond its name and version: its files.
//!
//! They are part of the key of a compiled program. A compiler that was replaced, damaged or repaired has other files, even if it prints the
//! same version. So it compiles the probe again.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest as _, Sha256};

use crate::model::patience;

/// Files up to this size, such as scripts around a compiler, are in the key with their content.
const SMALL: u64 = 1 << 16;

/// A hash as text.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// The identity of a file: its path, and properties that change when its content is written, replaced or restored. A user cannot set the
/// time of the last status change.
#[cfg(unix)]
fn file(path: &Path) -> String {
    use std::os::unix::fs::MetadataExt as _;
    let Ok(meta) = std::fs::metadata(path) else {
        return format!("{}: missing\n", path.display());
    };
    let content = match meta.len() {
        0..=SMALL => content(path),
        _ => String::new(),
    };
    format!(
        "{}: {} {}.{} {}.{} {} {} {content}\n",
        path.display(),
        meta.len(),
        meta.mtime(),
        meta.mtime_nsec(),
        meta.ctime(),
        meta.ctime_nsec(),
        meta.dev(),
        meta.ino()
    )
}

#[cfg(not(unix))]
fn file(path: &Path) -> String {
    let Ok(meta) = std::fs::metadata(path) else {
        return format!("{}: missing\n", path.display());
    };
    let content = match meta.len() {
        0..=SMALL => content(path),
        _ => String::new(),
    };
    let (modified, made) = (meta.modified().ok(), meta.created().ok());
    format!(
        "{}: {} {modified:?} {made:?} {content}\n",
        path.display(),
        meta.len()
    )
}

fn content(path: &Path) -> String {
    let mut bytes = Vec::new();
    match File::open(path).and_then(|f| f.take(SMALL).read_to_end(&mut bytes)) {
        Ok(_) => hex(&Sha256::digest(&bytes)),
        Err(e) => e.to_string(),
    }
}

/// Environment variables from which compilers and loaders take files.
const VARIABLES: [&str; 7] = [
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "GCC_EXEC_PREFIX",
    "COMPILER_PATH",
    "LIBRARY_PATH",
    "CPATH",
    "CPLUS_INCLUDE_PATH",
];

/// Programs that a C++ compiler starts.
const PROGRAMS: [&str; 4] = ["cc1plus", "collect2", "as", "ld"];
/// Files that it links, or reads options from.
const FILES: [&str; 6] = [
    "specs",
    "crti.o",
    "crtbeginS.o",
    "libgcc.a",
    "libstdc++.so",
    "libm.so.6",
];

/// The identity of a C++ compiler, given the name with which it is started.
pub(super) fn cxx(program: &Path) -> String {
    let mut text = variables();
    text += &file(&resolve(program));
    let ask = |option: String| {
        let mut command = Command::new(program);
        let output = patience::output(command.arg(option), patience::limit()).ok()?;
        let answer = String::from_utf8(output.stdout).ok()?;
        Some(PathBuf::from(answer.trim()))
    };
    // This also works for a script: the compiler that it starts answers.
    let programs = PROGRAMS.iter().map(|p| format!("-print-prog-name={p}"));
    let files = FILES.iter().map(|f| format!("-print-file-name={f}"));
    for path in programs.chain(files).filter_map(ask) {
        // For a file that is not found the answer is its bare name.
        text += &file(&resolve(&path));
    }
    text
}

/// The path of a program, as the system finds it by name.
fn resolve(program: &Path) -> PathBuf {
    if program.components().count() > 1 {
        return program.into();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut found = std::env::split_paths(&path).map(|dir| dir.join(program));
    found
        .find(|p| p.is_file())
        .unwrap_or_else(|| program.into())
}

fn variables() -> String {
    let value = |v: &&str| format!("{v}={:?}\n", std::env::var_os(v).unwrap_or_default());
    VARIABLES.iter().map(value).collect()
}

/// The shared libraries that are now loaded in this process.
#[cfg(any(feature = "opencl", feature = "cuda"))]
pub(super) fn loaded() -> Vec<PathBuf> {
    // On other systems drivers are identified by their version alone.
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let mut files: Vec<PathBuf> = maps
        .lines()
        .filter_map(|line| line.find('/').map(|at| PathBuf::from(&line[at..])))
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    files.dedup();
    files
}

/// The identity of libraries.
#[cfg(any(feature = "opencl", feature = "cuda"))]
pub(super) fn libraries<'a>(files: impl IntoIterator<Item = &'a PathBuf>) -> String {
    files.into_iter().map(|p| file(p)).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_touched_in_any_way_is_another() {
        let dir = std::env::temp_dir().join(format!("crunch-identity-{}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("a folder");
        let path = dir.join("cxx");
        let mut seen = Vec::new();
        let mut differs = |what: &str| {
            let now = file(&path);
            assert!(!seen.contains(&now), "{what}: {now}");
            seen.push(now);
        };
        differs("missing");
        std::fs::write(&path, "exec g++ \"$@\"").expect("writable");
        differs("made");
        let time = std::fs::metadata(&path)
            .and_then(|m| m.modified())
            .expect("a time");
        // The same length and time of modification.
        std::fs::write(&path, "exec g-- \"$@\"").expect("writable");
        let put_back = || {
            File::options()
                .write(true)
                .open(&path)
                .and_then(|f| f.set_modified(time))
        };
        put_back().expect("a time");
        differs("other content");
        // The old content with the time at which it was restored, which nobody can set; its resolution is some
        // milliseconds.
        std::thread::sleep(std::time::Duration::from_millis(50));
        std::fs::write(&path, "exec g++ \"$@\"").expect("writable");
        put_back().expect("a time");
        differs("put back");
        assert_eq!(
            file(&path),
            file(&path),
            "and the same while it is left alone"
        );
        std::fs::remove_dir_all(dir).expect("it was made above");
    }
}
