//! The tests of NEON on an x86-64 machine: cross-compiled, and run under qemu's user emulation.

use std::path::Path;
use std::process::Command;

use crate::counts::{Counts, count};
use crate::emulator::{PROGRAMS, programs};
use crate::error::{Error, Result};
use crate::process::{self, Show, cargo, root, shown};
use crate::setup::{NEON, Only, Tool, Tools, ensure};
use crate::targets;

pub const TARGET: &str = "aarch64-unknown-linux-gnu";
/// The folder of the C library's `lib`.
pub const LIBRARIES: &str = "/usr/aarch64-linux-gnu";
/// qemu runs machine code at a tenth of its speed or less, so the number of random cases is divided by this.
pub const SCALE: u32 = 20;

/// Parts of the names of the tests that run: those of NEON, and those of all instruction sets of a processor at once.
const TESTS: [&str; 10] = [
    "neon",
    "choices_of_zeros",
    "digests_are_those_recorded",
    "run::tests",
    "fenv::tests",
    "engine::tests::environment",
    "of_other_targets_are_absent",
    "one_by_one::tests",
    "the_interpreter_and_every_instruction_set_here_pass",
    "filter::tests",
];

/// Tests that have `neon` in their names as that of an emulated instruction: they run natively, on every input of some binades.
const NOT_THESE: [&str; 2] = ["tests::rcp_neon", "tests::rsqrt_neon"];

/// `cargo xtask neon`.
pub fn run() -> Result<()> {
    let tools = ensure(&[Only::Neon]);
    tools.print();
    let counts = test_neon(&tools, Path::new("/dev/null"))?;
    println!("{counts}");
    Ok(())
}

/// Builds the tests of the runtime and of the instruction sets for AArch64 and runs those of NEON.
pub fn test_neon(tools: &Tools, skips: &Path) -> Result<Counts> {
    if let Some(missing) = tools.missing().find(|t| NEON.contains(t)) {
        return Err(Error(format!(
            "{} is not available, see above",
            missing.name()
        )));
    }
    target()?;
    let mut build = cargo();
    build
        .arg("test")
        .args(PROGRAMS)
        .args(["--target", TARGET])
        .args(["--message-format", "json-render-diagnostics"]);
    cross(&mut build)?;
    println!("$ {}", shown(&build));
    let mut all = Counts::default();
    for tests in programs(&mut build, 2)? {
        let mut command = Command::new(tool(Tool::Qemu)?);
        command
            .args(["-L", LIBRARIES])
            .arg(&tests)
            .args(TESTS)
            .current_dir(root().join("dc-runtime"))
            .env("CRUNCH_REQUIRE", "neon")
            .env("CRUNCH_SKIP_LOG", skips)
            .env("DC_TEST_SCALE", SCALE.to_string())
            .env("RUST_BACKTRACE", "0");
        for name in NOT_THESE {
            command.args(["--skip", name]);
        }
        let (counts, outcome) = count(&mut command, Show::AtTheEnd)?;
        outcome?;
        if counts.passed == 0 {
            return Err(Error(format!(
                "no test of NEON ran: {} has none with `neon` in its name",
                tests.display()
            )));
        }
        all = all + counts;
    }
    Ok(all)
}

/// The linker and the settings of a build for AArch64 whose programs run once, under qemu.
pub fn cross(build: &mut Command) -> Result<()> {
    build
        .env(
            "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER",
            tool(Tool::CrossGcc)?,
        )
        // Clippy does not see these tests (`targets.rs`), so their warnings are errors here.
        .env(
            "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUSTFLAGS",
            format!("-Dwarnings {}", process::without_alias_metadata()),
        )
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_PROFILE_DEV_OPT_LEVEL", "1")
        .env("CARGO_PROFILE_DEV_DEBUG", "none");
    Ok(())
}

/// Whether the target's standard library is here, after an attempt to install it.
pub fn target() -> std::result::Result<(), String> {
    targets::installed(TARGET).map_err(|e| format!("{TARGET}: {e}"))
}

pub fn tool(tool: Tool) -> Result<std::path::PathBuf> {
    tool.find()
        .ok_or_else(|| Error(format!("{} is not available", tool.name())))
}
