//! `cargo xtask lockstep`: the example's world on every backend, the processor of another architecture included, as one table.

use std::process::Command;

use crate::emulator;
use crate::error::{Error, Result};
use crate::neon;
use crate::process::{cargo, output, shown};
use crate::setup::{self, Only, Tool, ensure};

/// The backends that must have the digest.
const BACKENDS: [&str; 6] = [
    "scalar",
    "avx2",
    "avx512",
    "neon",
    "opencl:pocl/0",
    "cuda-host",
];
/// The example's package.
const PACKAGE: &str = "lockstep";

/// A digest with what computed it.
type Line = (String, String);

/// The lines of the example's output that are of backends, each with its digest: `fab76145c5e0fcc0  scalar`.
fn digests(output: &str) -> Vec<Line> {
    let pairs = output.lines().filter_map(|line| line.split_once("  "));
    let is_digest = |d: &str| d.len() == 16 && d.chars().all(|c| c.is_ascii_hexdigit());
    pairs
        .filter(|(digest, by)| is_digest(digest) && !by.starts_with("std"))
        .map(|(digest, by)| (digest.to_string(), by.to_string()))
        .collect()
}

/// What is wrong with the digests: a backend without one, or another digest than the first.
fn verdict(lines: &[Line]) -> Result<()> {
    for backend in BACKENDS {
        if !lines
            .iter()
            .any(|(_, by)| by.split(' ').next() == Some(backend))
        {
            return Err(Error(format!(
                "{backend} has no digest: `cargo xtask setup` installs what it needs, unless the processor lacks it"
            )));
        }
    }
    match lines.iter().find(|(digest, _)| *digest != lines[0].0) {
        Some((digest, by)) => Err(Error(format!(
            "{by} has the digest {digest}, and {} has {}",
            lines[0].1, lines[0].0
        ))),
        None => Ok(()),
    }
}

/// `cargo xtask lockstep`.
pub fn run() -> Result<()> {
    let tools = ensure(&[Only::Cxx, Only::Pocl, Only::Neon]);
    tools.print();
    let mut native = cargo();
    native.args(["run", "--quiet", "--package", PACKAGE]);
    if setup::features().contains(&"opencl") {
        native.args(["--features", "opencl"]);
    }
    println!("$ {}", shown(&native));
    let mut lines = digests(&output(tools.export(&mut native))?);
    let mut emulated = Command::new(neon::tool(Tool::Qemu)?);
    emulated.args(["-L", neon::LIBRARIES]).arg(program()?);
    for (digest, by) in digests(&output(&mut emulated)?) {
        // The same interpreter is no other backend.
        if by == "scalar" || by == "neon" {
            lines.push((digest, format!("{by} (AArch64, under qemu)")));
        }
    }
    println!("\n| digest of the last state | backend |\n|---|---|");
    for (digest, by) in &lines {
        println!("| `{digest}` | {by} |");
    }
    verdict(&lines)
}

/// The example for AArch64.
fn program() -> Result<std::path::PathBuf> {
    neon::target().map_err(Error)?;
    let mut build = cargo();
    build
        .args(["build", "--package", PACKAGE, "--target", neon::TARGET])
        .args(["--message-format", "json-render-diagnostics"]);
    neon::cross(&mut build)?;
    println!("$ {}", shown(&build));
    emulator::program(&mut build, PACKAGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> String {
        let backend = |b: &str| format!("fab76145c5e0fcc0  {b}\n");
        "256 ships, 600 ticks\n".to_string() + &BACKENDS.map(backend).concat()
    }

    #[test]
    fn six_equal_digests_are_needed() {
        let text = all()
            + "8fba72e146a8ae0c  std, which takes this platform's C library\nnot here          cuda: none\n";
        let mut lines = digests(&text);
        assert_eq!(lines.len(), 6);
        verdict(&lines).expect("they are equal");
        lines[3] = (
            "fab76145c5e0fcc1".into(),
            "neon (AArch64, under qemu)".into(),
        );
        let error = verdict(&lines).expect_err("another digest").0;
        assert!(error.starts_with("neon"), "{error}");
        lines.remove(3);
        let error = verdict(&lines).expect_err("one is missing").0;
        assert!(error.starts_with("neon has no digest"), "{error}");
    }
}
