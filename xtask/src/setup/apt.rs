//! Debian's packages.

use std::io::IsTerminal;
use std::process::{Command, Stdio};

use super::tool::{Failure, Tool};
use crate::process::{create, output, shown, toolchain, which};

/// Installs the packages of the missing tools, after printing which and why. Returns the failures.
pub fn install(missing: &[Tool]) -> Vec<Failure> {
    let missing: Vec<(Tool, &str)> = missing
        .iter()
        .filter_map(|t| Some((*t, t.package()?)))
        .collect();
    if missing.is_empty() {
        return Vec::new();
    }
    let fail = |reason: &str| {
        missing
            .iter()
            .map(|m| Failure {
                tool: m.0,
                reason: reason.into(),
            })
            .collect()
    };
    let Some(apt) = Apt::here() else {
        return fail("no apt-get here to install it with");
    };
    let Ok(apt) = apt else {
        return fail("installing needs root, or sudo");
    };
    for (tool, package) in &missing {
        println!("Installing {package} with apt-get: {}.", tool.purpose());
    }
    // A fresh machine's lists may be empty; old lists name packages that no longer exist. Without a network the
    // packages may still be in apt's cache, so a failure here is not final.
    let updated = apt.call(&["update"]);
    let all: Vec<&str> = missing.iter().map(|m| m.1).collect();
    if apt.install(&all).is_ok() {
        return Vec::new();
    }
    // A package that is not available must not prevent the others.
    missing
        .iter()
        .filter_map(|(tool, package)| {
            let reason = apt.install(&[package]).err()?;
            let reason = match &updated {
                Ok(()) => reason,
                Err(update) => format!("{update}; then {reason}"),
            };
            Some(Failure {
                tool: *tool,
                reason,
            })
        })
        .collect()
}

/// How apt-get is called as root.
struct Apt {
    prefix: &'static [&'static str],
}

impl Apt {
    /// `None` without apt-get, an error without the right to use it.
    fn here() -> Option<Result<Self, ()>> {
        which("apt-get")?;
        let root = output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
        Some(match (root, which("sudo")) {
            (true, _) => Ok(Apt { prefix: &[] }),
            (false, None) => Err(()),
            // If nobody can type a password, sudo must not ask for one.
            (false, Some(_)) if std::io::stdin().is_terminal() => Ok(Apt { prefix: &["sudo"] }),
            (false, Some(_)) => Ok(Apt {
                prefix: &["sudo", "-n"],
            }),
        })
    }

    fn install(&self, packages: &[&str]) -> Result<(), String> {
        let mut args = vec!["install", "-y", "--no-install-recommends"];
        args.extend(packages);
        self.call(&args)
    }

    /// Runs apt-get; its output is written to a log, the end of which is in the error.
    fn call(&self, args: &[&str]) -> Result<(), String> {
        let log = toolchain().join("apt.log");
        let mut words = self.prefix.to_vec();
        // Through `env`, since sudo drops variables.
        words.extend(["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]);
        words.extend(["-o", "DPkg::Lock::Timeout=300", "-o", "Acquire::Retries=3"]);
        words.extend(args);
        let mut command = Command::new(words[0]);
        command.args(&words[1..]);
        let file = create(&log).map_err(|e| e.to_string())?;
        let errors = file.try_clone().map_err(|e| e.to_string())?;
        let status = command
            .stdin(if self.prefix == ["sudo"] {
                Stdio::inherit()
            } else {
                Stdio::null()
            })
            .stdout(file)
            .stderr(errors)
            .status()
            .map_err(|e| format!("`{}` could not be started: {e}", shown(&command)))?;
        if status.success() {
            return Ok(());
        }
        let text = std::fs::read_to_string(&log).unwrap_or_default();
        let line = text
            .lines()
            .rev()
            .find(|l| l.starts_with("E:"))
            .unwrap_or("it printed nothing");
        Err(format!(
            "apt-get {} failed: {line} (all of it: {})",
            args[0],
            log.display()
        ))
    }
}
