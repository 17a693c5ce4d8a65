//! Tests one by one, with and without faults.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant, UNIX_EPOCH};

use super::fault::{Fate, Fault, appended, error};
use crate::error::{Error, Result};

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

    /// Whether its crate's folder contains a text.
    pub fn is_of(&self, text: &str) -> bool {
        self.folder.to_string_lossy().contains(text)
    }

    /// What names it, and the build of its program, in the file of what tests reach.
    fn key(&self) -> String {
        let changed = std::fs::metadata(&self.program).and_then(|m| m.modified());
        let changed = changed.ok().and_then(|t| t.duration_since(UNIX_EPOCH).ok());
        let program = self.program.file_name().unwrap_or_default().display();
        format!(
            "{program} {} {}",
            changed.unwrap_or_default().as_nanos(),
            self.name
        )
    }

    /// Whether it passes, with these variables; `None` if it takes longer than this.
    fn passes(&self, variables: &[(&str, &str)], limit: Duration) -> Result<Option<bool>> {
        let mut command = Command::new(&self.program);
        command
            .current_dir(&self.folder)
            .args([&self.name, "--exact"])
            .envs(variables.iter().copied());
        let mut child = command
            .process_group(0)
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
                // With the programs that it started.
                let group = format!("-{}", child.id());
                let _ = Command::new("kill").args(["-9", "--", &group]).status();
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

/// Where tests of crunch-check find certificates that were made before: no fault of the checker changes them.
#[derive(Clone, Copy)]
pub struct Kept<'a>(pub Option<&'a str>);

impl<'a> Kept<'a> {
    fn with(self, variable: (&'a str, &'a str)) -> Vec<(&'a str, &'a str)> {
        let folder = self.0.map(|folder| ("CERTIFICATES", folder));
        folder.into_iter().chain([variable]).collect()
    }
}

/// How many times as long a test may take while it notes what it reaches.
const NOTING: u32 = 20;

/// Runs all tests without a fault, and notes what each reaches, but for those of an earlier run of the same programs.
/// Those that take longer than `limit` are left out.
pub fn reached(
    mut tests: Vec<Test>,
    folder: &Path,
    kept: Kept,
    jobs: usize,
    limit: Duration,
) -> Result<Vec<Test>> {
    let list = folder.join(match kept.0 {
        Some(_) => "reached-with-certificates.txt",
        None => "reached.txt",
    });
    let known: BTreeMap<String, Reached> = std::fs::read_to_string(&list)
        .unwrap_or_default()
        .lines()
        .filter_map(|line| {
            let mut words = line.split('\t');
            let key = words.next()?.to_string();
            let takes = Duration::from_millis(words.next()?.parse().ok()?);
            let numbers = words.next()?.split(' ').filter_map(|n| n.parse().ok());
            Some((key, (takes, numbers.collect())))
        })
        .collect();
    let list = Mutex::new(appended(&list)?);
    let done: Vec<Mutex<Option<Reached>>> = tests.iter().map(|_| Mutex::new(None)).collect();
    in_parallel(tests.len(), jobs, None, |i| {
        let test = &tests[i];
        let (name, key) = (&test.name, test.key());
        let set = |reached| *done[i].lock().expect("no thread panics") = Some(reached);
        if let Some(reached) = known.get(&key) {
            set(reached.clone());
            return Ok(());
        }
        let fails = || Error(format!("{name} fails without a fault"));
        let none = usize::MAX.wrapping_sub(3).to_string();
        // Once for the certificates that it makes, once for the time that it takes.
        let mut begun = Instant::now();
        for _ in 0..2 {
            begun = Instant::now();
            match test.passes(&kept.with(("MUTANT", &none)), limit)? {
                Some(true) => {}
                Some(false) => return Err(fails()),
                None => {
                    println!("left out: {name} takes more than {} s", limit.as_secs());
                    return Ok(());
                }
            }
        }
        let takes = begun.elapsed();
        let file = folder.join(format!("reached-{i}.txt"));
        let _ = std::fs::remove_file(&file);
        let path = file
            .to_str()
            .ok_or_else(|| Error("the folder's name is no text".into()))?;
        match test.passes(&kept.with(("MUTANTS_REACHED", path)), NOTING * limit)? {
            Some(true) => {}
            Some(false) => return Err(fails()),
            None => {
                println!("left out: {name} does not end while it notes what it reaches");
                return Ok(());
            }
        }
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let numbers: BTreeSet<usize> = text.lines().filter_map(|l| l.parse().ok()).collect();
        let _ = std::fs::remove_file(&file);
        let words: Vec<String> = numbers.iter().map(usize::to_string).collect();
        let line = format!("{key}\t{}\t{}\n", takes.as_millis(), words.join(" "));
        let mut list = list.lock().expect("no thread panics");
        list.write_all(line.as_bytes())
            .map_err(|e| error("the file of what tests reach", e))?;
        set((takes, numbers));
        Ok(())
    })?;
    for (test, done) in tests.iter_mut().zip(done) {
        if let Some((takes, reached)) = done.into_inner().expect("no thread panics") {
            (test.takes, test.reached) = (takes, reached);
        }
    }
    tests.retain(|t| !t.reached.is_empty() && t.takes <= limit);
    tests.sort_by_key(|t| t.takes);
    Ok(tests)
}

/// Tries the faults of these numbers, and appends what became of them to a file.
pub fn all(
    faults: &[Fault],
    open: &[usize],
    tests: &[Test],
    kept: Kept,
    jobs: usize,
    until: Option<Instant>,
    path: &Path,
) -> Result<()> {
    let file = Mutex::new(appended(path)?);
    // How many faults each test was tried with and noticed so far.
    let luck: Vec<[AtomicUsize; 2]> = tests.iter().map(|_| Default::default()).collect();
    in_parallel(open.len(), jobs, until, |i| {
        let n = open[i];
        let (fate, by) = tried(n, tests, &luck, kept)?;
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

fn tried(
    n: usize,
    tests: &[Test],
    luck: &[[AtomicUsize; 2]],
    kept: Kept,
) -> Result<(Fate, String)> {
    let reach: Vec<usize> = (0..tests.len())
        .filter(|&t| tests[t].reached.contains(&n))
        .collect();
    // The time until a test notices a fault, if it is as lucky as so far.
    let price = |&t: &usize| {
        let [tried, noticed] = [0, 1].map(|i| luck[t][i].load(Ordering::Relaxed) as f64);
        (tests[t].takes.as_secs_f64() + 0.01) * (tried + 2.0) / (noticed + 1.0)
    };
    let mut order: Vec<(f64, usize)> = reach.iter().map(|t| (price(t), *t)).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut fate = Fate::Unreached;
    for (_, t) in order {
        let test = &tests[t];
        fate = Fate::Survived;
        let limit = 5 * test.takes + Duration::from_secs(10);
        luck[t][0].fetch_add(1, Ordering::Relaxed);
        // A test that does not end has noticed the fault, too.
        let passes = test.passes(&kept.with(("MUTANT", &n.to_string())), limit)?;
        if passes != Some(true) {
            luck[t][1].fetch_add(1, Ordering::Relaxed);
            let how = if passes.is_none() { " (no end)" } else { "" };
            return Ok((Fate::Caught, format!("{}{how}", test.name)));
        }
    }
    Ok((fate, String::new()))
}
