//! File systems whose locks are invisible to other machines.
//!
//! Two locks protect a run file from readers and a second writer: SQLite's lock on the file, which prevents a reader from rolling back an
//! active commit, and our lock on `FILE.lock`. On a file system that machines share, both hold only if the mount passes locks on to the
//! server. If a mount keeps them on the machine, its options show it.

use std::path::Path;

/// The reason why locks on files in `folder` do not hold between machines. `None` if they hold, if the file system is not shared, or if
/// nothing is known about it.
#[must_use]
pub fn local_locks(folder: &Path) -> Option<String> {
    let table = std::fs::read_to_string("/proc/self/mountinfo").ok()?;
    let folder = std::fs::canonicalize(folder).ok()?;
    reason(&table, &folder)
}

/// The same for the folder of a file.
#[must_use]
pub fn local_locks_of_file(file: &Path) -> Option<String> {
    local_locks(match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    })
}

/// The reason according to a table of mounts as in `/proc/self/mountinfo`; see proc(5).
fn reason(table: &str, folder: &Path) -> Option<String> {
    let mut found: Option<(usize, &str, &str)> = None;
    for line in table.lines() {
        let Some((left, right)) = line.split_once(" - ") else {
            continue;
        };
        let Some(point) = left.split(' ').nth(4).map(unescape) else {
            continue;
        };
        let mut right = right.split(' ');
        let (Some(kind), Some(options)) = (right.next(), right.nth(1)) else {
            continue;
        };
        // Of two mounts at one place the later one is visible.
        if folder.starts_with(&point) && found.is_none_or(|f| f.0 <= point.len()) {
            found = Some((point.len(), kind, options));
        }
    }
    let (_, kind, options) = found?;
    let set = |wanted: &[&str]| {
        let option = options.split(',').find(|o| wanted.contains(o))?;
        Some(format!("{kind} mounted with `{option}`"))
    };
    match kind {
        "nfs" | "nfs4" => set(&[
            "nolock",
            "local_lock=all",
            "local_lock=posix",
            "local_lock=flock",
        ]),
        "lustre" => match options.split(',').any(|o| o == "flock") {
            true => None,
            false => Some("lustre mounted without `flock`".into()),
        },
        "cifs" | "smb3" => set(&["nobrl"]),
        "fuse.sshfs" | "fuse.s3fs" | "fuse.gcsfuse" | "fuse.rclone" | "fuse.goofys" => {
            Some(format!("{kind}, which has no locks between machines"))
        }
        _ => None,
    }
}

/// A mount point, in which blanks and a few other characters are octal.
fn unescape(text: &str) -> String {
    ["\\040", "\\011", "\\012", "\\134"]
        .iter()
        .zip([" ", "\t", "\n", "\\"])
        .fold(text.to_string(), |t, (code, c)| t.replace(code, c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mounts_that_keep_locks_to_themselves_are_told_apart() {
        let line = |point: &str, kind: &str, options: &str| {
            format!("36 35 98:0 / {point} rw,noatime shared:1 - {kind} server:/x {options}\n")
        };
        let at = |kind: &str, options: &str| {
            let table = line("/", "ext4", "rw") + &line("/shared\\040disk", kind, options);
            assert_eq!(reason(&table, Path::new("/usr/a")), None);
            reason(&table, Path::new("/shared disk/runs"))
        };
        for (kind, options) in [
            ("ext4", "rw"),
            ("nfs4", "rw,vers=4.2,local_lock=none"),
            ("nfs", "rw,vers=3,local_lock=none"),
            ("lustre", "rw,flock,lazystatfs"),
            ("cifs", "rw,vers=3.1.1"),
        ] {
            assert_eq!(at(kind, options), None, "{kind} {options}");
        }
        for (kind, options, says) in [
            ("nfs", "rw,vers=3,nolock", "nfs mounted with `nolock`"),
            ("nfs4", "rw,local_lock=all", "`local_lock=all`"),
            ("lustre", "rw,localflock", "without `flock`"),
            ("lustre", "rw,noflock", "without `flock`"),
            ("cifs", "rw,nobrl", "`nobrl`"),
            ("fuse.sshfs", "rw", "no locks"),
        ] {
            let reason = at(kind, options).unwrap_or_else(|| panic!("{kind} {options}"));
            assert!(reason.contains(says), "{reason}");
        }
        // The last of two mounts at one place counts.
        let twice = line("/a", "lustre", "rw") + &line("/a", "ext4", "rw");
        assert_eq!(reason(&twice, Path::new("/a/b")), None);
    }
}
