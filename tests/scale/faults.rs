//! Faults of a shared folder and of clocks, by a library that is loaded before the system's: a disk that is full, a file system
//! that is read-only, a clock that jumps, a table of mounts without locks.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use doublecrunch::backend::skip::skip;
use doublecrunch::search::run_file::Reader;

use super::folder::{RANGE, begin_with, file, hold, run, shard};
use super::{crunch, output, records, said, same_as_unsharded, signal, succeed, text};

/// `FAULT_FULL`: while there is a file `full` in this folder, writes to run files and journals in it find no space.
/// `FAULT_REFUSED` and `FAULT_ERROR`: opening a file in this folder for writing is this error.
/// `FAULT_CLOCK`: seconds by which the clock is ahead; behind a `~`, ahead and behind in turn.
/// `FAULT_MOUNTS`: a file in place of the table of mounts.
const SOURCE: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

static int full(int fd) {
    const char *folder = getenv("FAULT_FULL");
    char link[64], name[4096], flag[4096];
    if (!folder) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, name, sizeof name - 1);
    if (n < 0) return 0;
    name[n] = 0;
    snprintf(flag, sizeof flag, "%s/full", folder);
    if (strncmp(name, folder, strlen(folder)) != 0 || access(flag, F_OK) != 0) return 0;
    errno = ENOSPC;
    return 1;
}
ssize_t pwrite(int fd, const void *b, size_t n, off_t at) { return full(fd) ? -1 : REAL(pwrite)(fd, b, n, at); }
ssize_t pwrite64(int fd, const void *b, size_t n, off64_t at) { return full(fd) ? -1 : REAL(pwrite64)(fd, b, n, at); }
ssize_t write(int fd, const void *b, size_t n) { return full(fd) ? -1 : REAL(write)(fd, b, n); }

static int refused(const char *path, int flags) {
    const char *folder = getenv("FAULT_REFUSED"), *error = getenv("FAULT_ERROR");
    if (!folder || !error || strncmp(path, folder, strlen(folder)) != 0) return 0;
    if ((flags & O_ACCMODE) == O_RDONLY && !(flags & O_CREAT)) return 0;
    errno = atoi(error);
    return 1;
}
static const char *instead(const char *path) {
    const char *mounts = getenv("FAULT_MOUNTS");
    return mounts && strcmp(path, "/proc/self/mountinfo") == 0 ? mounts : path;
}
#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        va_list a; va_start(a, flags); mode_t mode = va_arg(a, mode_t); va_end(a); \
        return refused(path, flags) ? -1 : REAL(name)(instead(path), flags, mode); \
    }
#define OPENAT(name) \
    int name(int at, const char *path, int flags, ...) { \
        va_list a; va_start(a, flags); mode_t mode = va_arg(a, mode_t); va_end(a); \
        return refused(path, flags) ? -1 : REAL(name)(at, instead(path), flags, mode); \
    }
OPEN(open) OPEN(open64) OPENAT(openat) OPENAT(openat64)

int clock_gettime(clockid_t id, struct timespec *t) {
    static int calls;
    int r = REAL(clock_gettime)(id, t);
    const char *jump = getenv("FAULT_CLOCK");
    if (r != 0 || !jump || id != CLOCK_REALTIME) return r;
    long s = atol(jump + (*jump == '~'));
    t->tv_sec += *jump == '~' && __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED) % 2 ? -s : s;
    return r;
}
"#;

fn library(dir: &Path) -> Option<String> {
    let (source, library) = (dir.join("faults.c"), dir.join("faults.so"));
    std::fs::write(&source, SOURCE).expect("a source");
    let mut gcc = Command::new("gcc");
    gcc.args(["-shared", "-fPIC", "-o"])
        .args([&library, &source])
        .arg("-ldl");
    match gcc.output() {
        Ok(o) => {
            assert!(o.status.success(), "{}", said(&o));
            Some(text(&library).into())
        }
        Err(e) => {
            skip("gcc", &format!("faults of folders and clocks: {e}"));
            None
        }
    }
}

/// A folder for the library, one for run files, by the name that the system has for it.
fn folders() -> Option<(tempfile::TempDir, PathBuf, String)> {
    let root = tempfile::tempdir().expect("a folder");
    let library = library(root.path())?;
    let dir = std::fs::canonicalize(root.path())
        .expect("its name")
        .join("runs");
    std::fs::create_dir(&dir).expect("a folder");
    Some((root, dir, library))
}

/// Ended with this code, and one line of errors that has these words.
fn failed(o: &Output, code: i32, words: &[&str]) {
    let errors = String::from_utf8_lossy(&o.stderr);
    assert_eq!(o.status.code(), Some(code), "{}", said(o));
    assert_eq!(errors.lines().count(), 1, "{errors}");
    for w in words {
        assert!(errors.contains(w), "{errors} lacks {w}");
    }
}

fn task(dir: &Path, i: u32, variables: &[(&str, &str)]) -> Output {
    let words = shard(dir, i);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    output(crunch(&words).envs(variables.iter().copied()))
}

fn submit(dir: &Path, variables: &[(&str, &str)]) -> Output {
    let search = [
        "submit",
        "mpi",
        "reciprocal",
        "--range",
        RANGE,
        "--tasks",
        "4",
    ];
    output(
        crunch(&search)
            .args(["--dir", text(dir)])
            .envs(variables.iter().copied()),
    )
}

#[test]
fn a_full_or_read_only_folder_ends_a_task_with_one_line() {
    let Some((_root, dir, library)) = folders() else {
        return;
    };
    let full = [("LD_PRELOAD", &*library), ("FAULT_FULL", text(&dir))];
    let writer = begin_with(&dir, 1, &full);
    hold(&writer, &dir, 1);
    let status = || {
        let status = Reader::open(Path::new(&file(&dir, 1))).and_then(|r| r.status());
        status.expect("its status")
    };
    let before = status();
    let flag = dir.join("full");
    std::fs::write(&flag, "").expect("a file");
    signal("-CONT", writer.id());
    let o = writer.wait_with_output().expect("its end");
    failed(
        &o,
        4,
        &[
            "reciprocal.1-of-4.crunch: ",
            "the disk is full",
            "make room",
        ],
    );
    let after = status();
    assert!(before.blocks > 0 && after.blocks >= before.blocks && !after.is_complete());
    failed(
        &task(&dir, 1, &full),
        4,
        &["reciprocal.1-of-4.crunch", "the disk is full"],
    );
    failed(
        &task(&dir, 2, &full),
        4,
        &["reciprocal.2-of-4.crunch", "the disk is full"],
    );
    failed(
        &submit(&dir, &full),
        4,
        &["cannot be written", "No space left"],
    );
    let names = std::fs::read_dir(&dir).expect("the folder").flatten();
    let names: Vec<_> = names.map(|f| f.file_name().into_string()).collect();
    let left = |n: &&Result<String, _>| n.as_ref().is_ok_and(|n| n.contains("2-of-4"));
    assert_eq!(names.iter().find(left), None, "{names:?}");
    std::fs::remove_file(&flag).expect("room");

    // Read-only, and closed to this user.
    for (error, words) in [
        ("30", "is read-only here; mount it"),
        ("13", "change its owner or mode"),
    ] {
        let refused = [
            ("LD_PRELOAD", &*library),
            ("FAULT_REFUSED", text(&dir)),
            ("FAULT_ERROR", error),
        ];
        let of = |i| format!("reciprocal.{i}-of-4.crunch");
        failed(&task(&dir, 1, &refused), 4, &[&*of(1), words]);
        failed(&task(&dir, 2, &refused), 4, &[&*of(2), words]);
        failed(&submit(&dir, &refused), 4, &["cannot be written"]);
        let read = crunch(&["status", text(&dir)]).envs(refused).output();
        let read = read.expect("the program");
        assert!(read.status.success(), "{}", said(&read));
        assert!(
            said(&read).contains("1 killed, 3 missing"),
            "{}",
            said(&read)
        );
    }

    // Nothing that was committed is lost, and the task goes on.
    run(&dir, 1);
    let other = dir.join("other");
    std::fs::create_dir(&other).expect("a folder");
    run(&other, 1);
    let (a, b) = (
        records(Path::new(&file(&dir, 1))),
        records(Path::new(&file(&other, 1))),
    );
    assert!(a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a.same(b)));
}

/// A run whose clock jumps by a day back and forth has the same rows; a reader whose clock is a day off calls nothing stale that
/// was written just now.
#[test]
fn clocks_that_jump_change_nothing() {
    let Some((_root, dir, library)) = folders() else {
        return;
    };
    let clock = |jump| [("LD_PRELOAD", &*library), ("FAULT_CLOCK", jump)];
    let mut writer = begin_with(&dir, 1, &clock("~86400"));
    hold(&writer, &dir, 1);
    for jump in ["86400", "-86400", "~86400"] {
        let status = succeed(crunch(&["status", text(&dir)]).envs(clock(jump)));
        assert!(status.contains("1 running, 3 missing"), "{jump}: {status}");
    }
    writer.kill().expect("to kill it");
    writer.wait().expect("its end");
    for i in 1..=4 {
        let o = task(&dir, i, &clock("~86400"));
        assert!(o.status.success(), "{}", said(&o));
    }
    let merged = dir.join("merged.crunch");
    succeed(crunch(&["merge", text(&merged), text(&dir)]).envs(clock("~86400")));
    same_as_unsharded(&merged, RANGE);
}

/// Where locks stay on each machine, a folder is refused, and a single file is noted.
#[test]
fn mounts_without_locks_are_refused() {
    let Some((root, dir, library)) = folders() else {
        return;
    };
    let table = root.path().join("mounts");
    let mount = |kind: &str, options: &str| {
        let point = text(&dir).replace(' ', "\\040");
        let table_text = format!(
            "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 0:50 / {point} rw - {kind} server:/runs {options}\n"
        );
        std::fs::write(&table, table_text).expect("a table");
    };
    let variables = [("LD_PRELOAD", &*library), ("FAULT_MOUNTS", text(&table))];
    mount("nfs", "rw,vers=3,nolock");
    let why = "nfs mounted with `nolock`";
    let begun = task(&dir, 1, &variables);
    assert!(
        begun.status.success() && said(&begun).contains(why),
        "{}",
        said(&begun)
    );
    let (one, folder, out) = (file(&dir, 1), text(&dir), root.path().join("out"));
    for args in [
        &["status", folder][..],
        &["format", folder],
        &["plot", folder],
        &["merge", text(&out), folder],
    ] {
        let o = output(crunch(args).envs(variables));
        failed(&o, 2, &[folder, why, "mount it with locks"]);
    }
    failed(&submit(&dir, &variables), 2, &[folder, why]);
    // Tasks that claim shards cannot do without.
    let o = output(crunch(&["run", "reciprocal", "--shards", "2", "-o", folder]).envs(variables));
    failed(
        &o,
        2,
        &[folder, why, "two machines could take the same shard"],
    );
    for command in ["status", "format", "resume"] {
        let o = output(crunch(&[command, &one]).envs(variables));
        assert!(
            o.status.success() && said(&o).contains(why),
            "{command}: {}",
            said(&o)
        );
    }
    mount("nfs", "rw,vers=3,local_lock=none");
    let o = output(crunch(&["status", folder]).envs(variables));
    assert!(
        o.status.success() && !said(&o).contains(why),
        "{}",
        said(&o)
    );
}
