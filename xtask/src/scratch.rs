//! A folder in memory for what tests write. Run files are synchronised with the disk at every commit: of 70 s of the test
//! that flips bits of a run file, 64 were spent in waiting for a slow disk.

use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process;

/// Where Linux has a file system in memory.
const MEMORY: &str = "/dev/shm";

/// Free space below which the disk is used, in MiB.
const ENOUGH: u64 = 4096;

/// A folder in memory; it is removed when the value is dropped.
pub struct Scratch(PathBuf);

impl Scratch {
    /// A new folder, or the reason why there is none.
    pub fn new() -> Result<Self, String> {
        if std::env::var_os("TMPDIR").is_some() {
            return Err("TMPDIR is set".into());
        }
        let mounts = std::fs::read_to_string("/proc/mounts").map_err(|e| e.to_string())?;
        usable(&mounts)?;
        let free = process::output(
            Command::new("df")
                .args(["--output=avail", "--block-size=1M"])
                .arg(MEMORY),
        );
        let free = free.ok().and_then(|text| last_number(&text)).unwrap_or(0);
        if free < ENOUGH {
            return Err(format!("{MEMORY} has {free} MiB free, {ENOUGH} are needed"));
        }
        let folder = Path::new(MEMORY).join(format!("crunch-tests-{}", std::process::id()));
        // Programs that are compiled into temporary folders are refused where others can write.
        std::fs::DirBuilder::new()
            .mode(0o700)
            .create(&folder)
            .map_err(|e| format!("{}: {e}", folder.display()))?;
        Ok(Scratch(folder))
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What remains takes memory until the next start of the machine; there is nothing else to do about it.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Whether the mounts have a file system in memory from which programs can be run.
fn usable(mounts: &str) -> Result<(), String> {
    let mut options = mounts.lines().rev().filter_map(|line| {
        let fields: Vec<&str> = line.split(' ').collect();
        (fields.get(1) == Some(&MEMORY))
            .then(|| (fields.get(2) == Some(&"tmpfs"), fields.get(3).copied()))
    });
    let Some((true, Some(options))) = options.next() else {
        return Err(format!("{MEMORY} is no file system in memory"));
    };
    match options.split(',').find(|o| ["ro", "noexec"].contains(o)) {
        Some(option) => Err(format!("{MEMORY} is mounted with `{option}`")),
        None => Ok(()),
    }
}

/// The number in the last line.
fn last_number(text: &str) -> Option<u64> {
    text.lines().last()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{last_number, usable};

    #[test]
    fn only_memory_from_which_programs_run_is_used() {
        let mount = |kind: &str, options: &str| {
            format!("/dev/vda / ext4 rw 0 0\n{kind} /dev/shm {kind} {options} 0 0\n")
        };
        assert_eq!(usable(&mount("tmpfs", "rw,nosuid,nodev")), Ok(()));
        assert!(usable(&mount("tmpfs", "rw,noexec")).is_err_and(|e| e.contains("noexec")));
        assert!(usable(&mount("tmpfs", "ro")).is_err_and(|e| e.contains("`ro`")));
        assert!(usable(&mount("ext4", "rw")).is_err());
        assert!(usable("/dev/vda / ext4 rw 0 0\n").is_err());
        assert_eq!(last_number("Avail\n 24105\n"), Some(24105));
        assert_eq!(last_number("Avail\n"), None);
    }
}
