//! Tests one by one, with and without faults.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::{Fate, Fault, appended, error};
use crate::{Error, Result};

/// A test of a program of tests.
#[derive(Clone)]
pub struct Test {
    program: PathBuf,
    folder: PathBuf,
    name: String,
    pub takes: Duration,
    reached: BTreeSet<usize>,
}

impl Test {
    /// The tests of a program, without those that are ignored.
    pub fn of(program: &Path, folder: &Path) -> Result<Vec<Test>> {
        let list = |more: &[&str]| -> Result<Vec<String>> {
            let mut command = Command::new(program);
            command
                .current_dir(folder)
                .args(["--list", "--format", "terse"])
                .args(more);
            let output = command
                .output()
                .map_err(|e| error("a program of tests", e))?;
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            Ok(text
                .lines()
                .filter_map(|l| l.strip_suffix(": test"))
                .map(String::from)
                .collect())
        };
        let ignored = list(&["--ignored"])?;
        let mut names = list(&[])?;
        names.retain(|n| !ignored.contains(n));
        let test = |name| Test {
            program: program.into(),
            folder: folder.into(),
            name,
            takes: Duration::ZERO,
            reached: BTreeSet::new(),
        };
        Ok(names.into_iter().map(test).collect())
    }

    /// Whether it passes, with this variable; `None` if it takes longer than this.
    fn passes(&self, variable: (&str, &str), limit: Duration) -> Result<Option<bool>> {
        let mut command = Command::new(&self.program);
        command
            .current_dir(&self.folder)
            .args([&self.name, "--exact"])
            .env(variable.0, variable.1);
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| error(&self.name, e))?;
        let begun = Instant::now();
        loop {
            if let Some(status) = child.try_wait().map_err(|e| error(&self.name, e))? {
                return Ok(Some(status.success()));
            }
            if begun.elapsed() > limit {
                let _ = child.kill();
                let _ = child.wait();
                return Ok(None);
            }
            std::thread::sleep(Duration::from_millis(3));
        }
    }
}

/// Calls a function for all numbers below `count`, with so many threads, until it fails or the time is over.
fn in_parallel(
    count: usize,
    jobs: usize,
    until: Option<Instant>,
    f: impl Fn(usize) -> Result<()> + Sync,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= count || until.is_some_and(|u| Instant::now() >= u) {
                        return;
                    }
                    if let Err(e) = f(i) {
                        *failed.lock().expect("no thread panics") = Some(e);
                        next.store(count, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    match failed.into_inner().expect("no thread panics") {
        Some(e) => Err(e),
        None => Ok(()),
    }
}

/// How long a test takes, and the faults that it reaches.
type Reached = (Duration, BTreeSet<usize>);

/// Runs all tests without a fault, and notes what each reaches.
/// Those that take longer than `limit` are left out.
pub fn reached(
    mut tests: Vec<Test>,
    folder: &Path,
    jobs: usize,
    limit: Duration,
) -> Result<Vec<Test>> {
    let done: Vec<Mutex<Option<Reached>>> = tests.iter().map(|_| Mutex::new(None)).collect();
    in_parallel(tests.len(), jobs, None, |i| {
        let file = folder.join(format!("reached-{i}.txt"));
        let _ = std::fs::remove_file(&file);
        let path = file
            .to_str()
            .ok_or_else(|| Error("the folder's name is no text".into()))?;
        let test = &tests[i];
        let name = &test.name;
        let fails = || Error(format!("{name} fails without a fault"));
        match test.passes(("MUTANTS_REACHED", path), limit)? {
            Some(true) => {}
            Some(false) => return Err(fails()),
            None => {
                println!("left out: {name} takes more than {} s", limit.as_secs());
                return Ok(());
            }
        }
        let begun = Instant::now();
        if test.passes(("MUTANT", &usize::MAX.wrapping_sub(3).to_string()), limit)? == Some(false) {
            return Err(fails());
        }
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let numbers = text.lines().filter_map(|l| l.parse().ok()).collect();
        *done[i].lock().expect("no thread panics") = Some((begun.elapsed(), numbers));
        let _ = std::fs::remove_file(&file);
        Ok(())
    })?;
    for (test, done) in tests.iter_mut().zip(done) {
        if let Some((takes, reached)) = done.into_inner().expect("no thread panics") {
            (test.takes, test.reached) = (takes, reached);
        }
    }
    tests.retain(|t| !t.reached.is_empty());
    tests.sort_by_key(|t| t.takes);
    Ok(tests)
}

/// Tries the faults of these numbers, and appends what became of them to a file.
pub fn all(
    faults: &[Fault],
    open: &[usize],
    tests: &[Test],
    jobs: usize,
    until: Option<Instant>,
    path: &Path,
) -> Result<()> {
    let file = Mutex::new(appended(path)?);
    in_parallel(open.len(), jobs, until, |i| {
        let n = open[i];
        let (fate, by) = tried(n, tests)?;
        let line = format!("{}\t{}\t{by}\n", fate.word(), faults[n].name());
        let mut file = file.lock().expect("no thread panics");
        file.write_all(line.as_bytes())
            .map_err(|e| error("the results", e))?;
        if fate != Fate::Caught {
            print!("{} of {}: {line}", i + 1, open.len());
        }
        Ok(())
    })
}

fn tried(n: usize, tests: &[Test]) -> Result<(Fate, String)> {
    let mut fate = Fate::Unreached;
    for test in tests.iter().filter(|t| t.reached.contains(&n)) {
        fate = Fate::Survived;
        let limit = 5 * test.takes + Duration::from_secs(10);
        // A test that does not end has noticed the fault, too.
        if test.passes(("MUTANT", &n.to_string()), limit)? != Some(true) {
            return Ok((Fate::Caught, test.name.clone()));
        }
    }
    Ok((fate, String::new()))
}
