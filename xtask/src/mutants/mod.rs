//! Mutation testing of `dc-exact` and `crunch-check`: each comparison, guard, sum, pad and call is made wrong in turn, and the tests
//! must notice.
//!
//! All faults are compiled at once, each behind a switch that an environment variable turns on: one build in place of thousands. A
//! first run of each test notes which faults it reaches; a fault is then tried with those tests alone, first those that notice most
//! for their time. Faults that were read and are harmless (`read.rs`) are not tried.

mod fault;
mod read;
mod run;
mod sites;
mod tree;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use crate::error::Result;
use crate::process::root;
use fault::{Fate, Fault, error};

/// The crates whose faults could make a claim false.
const CRATES: [&str; 2] = ["crunch-check", "dc-exact"];

/// Options of `cargo xtask mutants`.
#[derive(clap::Args)]
pub struct Args {
    /// Only files whose path contains this text.
    #[arg(long, default_value = "")]
    file: String,
    /// Stop after this many minutes; the same command continues.
    #[arg(long)]
    minutes: Option<u64>,
    /// Only tests of crates whose folder contains this text.
    #[arg(long, default_value = "")]
    tests: String,
    /// Leave out tests that take longer than this many seconds.
    #[arg(long, default_value_t = 600)]
    longest: u64,
    /// The number of processes that run at the same time.
    #[arg(short, long, default_value_t = 2)]
    jobs: usize,
    /// Try the surviving faults again, with longer or new tests.
    #[arg(long)]
    again: bool,
    /// Also try the faults that are known to be harmless.
    #[arg(long)]
    harmless: bool,
    /// List the faults, by their names in `harmless.tsv`, and run nothing.
    #[arg(long)]
    list: bool,
}

/// `cargo xtask mutants`.
pub fn run(args: &Args) -> Result<()> {
    let begun = Instant::now();
    let mut faults = tree::faults(&CRATES)?;
    if args.list {
        for (fault, key) in faults.iter().zip(read::keys(&faults)) {
            if fault.is_in(&args.file) {
                println!("{}\t{key}", fault.site.line);
            }
        }
        return Ok(());
    }
    // Before those that do not compile are left out: the numbers in keys count them.
    let harmless = read::harmless(&faults)?;
    let harmless: BTreeMap<String, char> = (harmless.into_iter())
        .map(|(n, class)| (faults[n].name(), class))
        .collect();
    let folder = root().join("target/mutants");
    let tests = tree::built(&mut faults, &CRATES, &folder)?;
    println!("{} faults compile, {} tests", faults.len(), tests.len());
    let certificates = folder.join("certificates");
    std::fs::create_dir_all(&certificates).map_err(|e| error("a folder", e))?;
    // Only where all faults are the checker's: a fault of the search may change its certificates.
    let kept = args.file.starts_with("crunch-check");
    let kept = run::Kept(certificates.to_str().filter(|_| kept));
    let longest = Duration::from_secs(args.longest);
    let mut tests = run::reached(tests, &folder, kept, args.jobs, longest)?;
    tests.retain(|t| t.is_of(&args.tests));
    let slowest = tests.iter().map(|t| t.takes).max().unwrap_or_default();
    let all: Duration = tests.iter().map(|t| t.takes).sum();
    println!(
        "all tests take {:.0} s, the slowest {:.0} s",
        all.as_secs_f64(),
        slowest.as_secs_f64()
    );

    let path = folder.join("results.txt");
    let mut known = known(&path);
    let mut open: Vec<usize> = (0..faults.len())
        .filter(|&n| faults[n].is_in(&args.file))
        .filter(|&n| args.harmless || !harmless.contains_key(&faults[n].name()))
        .filter(|&n| match known.get(&faults[n].name()) {
            None => true,
            Some(fate) => args.again && *fate != Fate::Caught,
        })
        .collect();
    // A run that is stopped has seen a sample of all files.
    open.sort_by_key(|n| (*n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let until = args.minutes.map(|m| begun + Duration::from_secs(60 * m));
    run::all(&faults, &open, &tests, kept, args.jobs, until, &path)?;
    known.extend(self::known(&path));
    print!("{}", table(&faults, &known, &harmless, &args.file));
    let survived = faults
        .iter()
        .filter(|f| known.get(&f.name()) == Some(&Fate::Survived))
        .filter(|f| !harmless.contains_key(&f.name()))
        .count();
    println!("{survived} survived: {} names them", path.display());
    Ok(())
}

/// The results of earlier runs: `FATE<tab>NAME<tab>TEST` a line.
fn known(path: &std::path::Path) -> BTreeMap<String, Fate> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let line = |line: &str| {
        let mut words = line.split('\t');
        let fate = Fate::of(words.next()?)?;
        Some((words.next()?.to_string(), fate))
    };
    text.lines().filter_map(line).collect()
}

/// Counts by file. A harmless fault counts as caught if a test caught it.
fn table(
    faults: &[Fault],
    known: &BTreeMap<String, Fate>,
    harmless: &BTreeMap<String, char>,
    only: &str,
) -> String {
    let mut counts: BTreeMap<String, [usize; 6]> = BTreeMap::new();
    for fault in faults.iter().filter(|f| f.is_in(only)) {
        let name = fault.name();
        let column = match (known.get(&name), harmless.get(&name)) {
            (Some(Fate::Caught), _) => 0,
            (_, Some('a')) => 1,
            (_, Some(_)) => 2,
            (Some(Fate::Survived), None) => 3,
            (Some(Fate::Unreached), None) => 4,
            (None, None) => 5,
        };
        for key in [fault.file.display().to_string(), "all".to_string()] {
            counts.entry(key).or_default()[column] += 1;
        }
    }
    let mut out = String::new();
    let heads = ["caught", "a", "b", "survived", "unreached", "not tried"];
    let mut row = |file: &str, columns: [String; 6]| {
        let _ = write!(out, "{file:<44}");
        for column in columns {
            let _ = write!(out, " {column:>9}");
        }
        out.push('\n');
    };
    row("file", heads.map(String::from));
    for (file, columns) in counts {
        row(&file, columns.map(|n| n.to_string()));
    }
    out
}
