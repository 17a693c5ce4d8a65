//! The places of installed tools, and the variables by which tests and backends find them (docs/book/src/reference/toolchain.md lists
//! them).

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use super::tool::{State, Tool};
use super::tools;
use crate::process::{create, toolchain};

/// The available tools.
#[derive(Default)]
pub struct Tools {
    states: Vec<(Tool, State)>,
}

impl Tools {
    /// Whether this one is among them, available or not.
    pub(super) fn contain(&self, tool: Tool) -> bool {
        self.states.iter().any(|s| s.0 == tool)
    }

    /// With these as well. Writes the files that other programs read.
    pub(super) fn with(mut self, states: Vec<(Tool, State)>) -> Self {
        self.states.extend(states);
        let text = self
            .variables()
            .iter()
            .fold(String::new(), |text, (name, value)| {
                // Folders may contain spaces, so they are quoted for a shell.
                text + &format!(
                    "export {name}='{}'\n",
                    value.to_string_lossy().replace('\'', r"'\''")
                )
            });
        if let Err(error) = write_if_changed(&toolchain().join("env"), &text) {
            eprintln!(
                "xtask: {} cannot be written: {error}",
                toolchain().join("env").display()
            );
        }
        self
    }

    /// Prints one line per tool.
    pub fn print(&self) {
        for (tool, state) in &self.states {
            let name = tool.name();
            match state {
                State::Present(path) => println!("  {name:<14} present      {}", path.display()),
                State::Installed(path) => println!("  {name:<14} installed    {}", path.display()),
                State::Unavailable { reason, remedy } => {
                    println!("  {name:<14} UNAVAILABLE  {reason}. {remedy}.")
                }
            }
        }
        let missing: Vec<&str> = self.missing().map(Tool::name).collect();
        if !missing.is_empty() {
            println!(
                "!! {} of {} tools UNAVAILABLE: {}",
                missing.len(),
                self.states.len(),
                missing.join(", ")
            );
        }
    }

    /// Prints how to set the variables in a shell.
    pub fn print_variables(&self) {
        println!(
            "For `cargo test` and `crunch` by hand: . {}",
            toolchain().join("env").display()
        );
    }

    /// The requested tools that are not available.
    pub fn missing(&self) -> impl Iterator<Item = Tool> {
        self.states
            .iter()
            .filter(|s| matches!(s.1, State::Unavailable { .. }))
            .map(|s| s.0)
    }

    /// Gives a child the variables for the compilers.
    pub fn export<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.envs(self.variables())
    }

    /// Gives a child oclgrind's platform in addition to the system's. It is slow: it runs a few hundred thousand inputs
    /// per second.
    ///
    /// The loader uses one folder of vendor files, so this one contains copies of the system's.
    pub fn export_oclgrind(&self, command: &mut Command) -> io::Result<()> {
        let Some(library) = tools::oclgrind() else {
            return Ok(());
        };
        let dir = toolchain().join("opencl-vendors");
        fs::create_dir_all(&dir)?;
        let system = tools::vendors();
        if system != dir {
            for stale in tools::vendor_files(&dir) {
                fs::remove_file(stale)?;
            }
            for file in tools::vendor_files(&system) {
                if let Some(name) = file.file_name() {
                    fs::copy(&file, dir.join(name))?;
                }
            }
        }
        fs::write(dir.join("oclgrind.icd"), format!("{}\n", library.display()))?;
        command.env("OCL_ICD_VENDORS", dir);
        Ok(())
    }

    /// The variables, whether or not the tools were requested this time.
    fn variables(&self) -> Vec<(&'static str, OsString)> {
        [
            (Tool::Nvrtc, "CRUNCH_NVRTC"),
            (Tool::Ptxas, "CRUNCH_PTXAS"),
            (Tool::Nvdisasm, "CRUNCH_NVDISASM"),
            (Tool::Schemas, "CRUNCH_KUBERNETES_SCHEMAS"),
        ]
        .into_iter()
        .filter_map(|(tool, name)| Some((name, tool.find()?.into_os_string())))
        .collect()
    }
}

fn write_if_changed(path: &Path, text: &str) -> io::Result<()> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    io::Write::write_all(&mut create(path)?, text.as_bytes())
}
