//! The tests of AVX-512 on a processor without it: in an emulator (`avx512-emulator/run.sh`).

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::counts::{Counts, count};
use crate::error::{Error, Result};
use crate::process::{Show, cargo, root, shown};

/// The emulator runs about 30 million instructions per second, so the number of random cases is divided by this.
pub const SCALE: u32 = 10;

/// The static program is built for this explicit target, so that the compiler flags do not apply to the dependencies'
/// build scripts.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The tests that run on an emulated processor: those of the runtime, and those of the instruction sets.
pub const PROGRAMS: [&str; 5] = [
    "--package=dc-runtime",
    "--package=instruction-sets",
    "--lib",
    "--features=dc-runtime/search",
    "--no-run",
];

/// Builds these tests as static programs and runs those of AVX-512 in the emulator.
pub fn test_avx512(skips: &Path) -> Result<Counts> {
    if !cfg!(target_arch = "x86_64") {
        return Err(Error("the emulator's programs are for x86-64".into()));
    }
    let mut all = Counts::default();
    for program in build()? {
        let mut command = Command::new("bash");
        command
            .arg(root().join("xtask/avx512-emulator/run.sh"))
            .arg(root().join("target/avx512-emulator"))
            .arg(&program)
            .arg("avx512")
            .env("CRUNCH_REQUIRE", "avx512")
            .env("CRUNCH_SKIP_LOG", skips)
            .env("DC_TEST_SCALE", SCALE.to_string())
            .env("RUST_BACKTRACE", "0")
            // Other tests run in parallel.
            .env("AVX512_TIMEOUT", "1200");
        let (counts, outcome) = count(&mut command, Show::AtTheEnd)?;
        outcome?;
        if counts.passed == 0 {
            return Err(Error(format!(
                "no test of AVX-512 ran: {} has none with `avx512` in its name",
                program.display()
            )));
        }
        all = all + counts;
    }
    Ok(all)
}

/// The paths of the programs, from cargo's messages.
fn build() -> Result<Vec<PathBuf>> {
    let mut command = cargo();
    command
        .arg("test")
        .args(PROGRAMS)
        .args(["--target", TARGET])
        .args(["--message-format", "json-render-diagnostics"])
        .env("RUSTFLAGS", "-C target-feature=+crt-static")
        // The build takes longer than the tests, of which there are few here.
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_PROFILE_DEV_OPT_LEVEL", "1")
        .env("CARGO_PROFILE_DEV_DEBUG", "none");
    println!(
        "$ RUSTFLAGS='-C target-feature=+crt-static' {}",
        shown(&command)
    );
    programs(&mut command, 2)
}

/// Builds tests by a command that prints cargo's messages, and returns the paths of the programs, which must be so many.
pub fn programs(command: &mut Command, expected: usize) -> Result<Vec<PathBuf>> {
    let found = built(command)?;
    if found.len() == expected {
        Ok(found)
    } else {
        Err(Error(format!(
            "cargo names {} test programs, not {expected}",
            found.len()
        )))
    }
}

/// Builds by such a command, and returns the path of the program of a name: with a benchmark cargo names the package's programs as well.
pub fn program(command: &mut Command, name: &str) -> Result<PathBuf> {
    let found = built(command)?.into_iter().find(|path| is_of(path, name));
    found.ok_or_else(|| Error(format!("cargo names no program {name}")))
}

/// Whether a path is a program's: its name alone, or with cargo's hash, which has no `-`.
fn is_of(path: &Path, name: &str) -> bool {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    file == name || file.rsplit_once('-').is_some_and(|(stem, _)| stem == name)
}

/// Builds by a command that prints cargo's messages, and returns the paths of the programs.
fn built(command: &mut Command) -> Result<Vec<PathBuf>> {
    let out = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| Error(format!("cargo could not be started: {e}")))?;
    if !out.status.success() {
        return Err(Error(format!("the build failed: {}", out.status)));
    }
    Ok(executables(&String::from_utf8_lossy(&out.stdout)))
}

/// The paths of the programs in cargo's lines of JSON; they contain no characters that JSON escapes, since they are in the
/// build's own folder.
fn executables(messages: &str) -> Vec<PathBuf> {
    let start = "\"executable\":\"";
    messages
        .lines()
        .filter_map(|line| line.split_once(start)?.1.split('"').next())
        .map(PathBuf::from)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{executables, is_of};
    use std::path::Path;

    #[test]
    fn the_programs_are_found_among_cargos_messages() {
        let messages = "{\"reason\":\"compiler-artifact\",\"executable\":null,\"fresh\":true}\n\
             {\"reason\":\"compiler-artifact\",\"executable\":\"/t/dc-1\",\"fresh\":true}\n\
             {\"reason\":\"compiler-artifact\",\"executable\":\"/t/sets-2\",\"fresh\":true}\n\
             {\"reason\":\"build-finished\",\"success\":true}\n";
        let expected = ["/t/dc-1", "/t/sets-2"].map(Path::new);
        assert_eq!(executables(messages), expected);
        assert!(executables("{\"executable\":null}\n").is_empty());
        for (path, name, is) in [
            ("/t/limit-65ace212", "limit", true),
            ("/t/crunch", "crunch", true),
            ("/t/cargo-crunch", "crunch", false),
            ("/t/random-kernels", "random-kernels", true),
            ("/t/limits-65ace212", "limit", false),
        ] {
            assert_eq!(is_of(Path::new(path), name), is, "{path}");
        }
    }
}
