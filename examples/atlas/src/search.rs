//! The searches, one after the other, each into its run file.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use doublecrunch::backend::discover;
use doublecrunch::driver;
use doublecrunch::search::engine::{Device, Groups, Stop};
use doublecrunch::search::key::Precision;
use doublecrunch::search::plan::Plan;
use doublecrunch::search::range::Range;
use doublecrunch::search::run::{self, Settings};
use doublecrunch::search::run_file::Reader;
use doublecrunch::search::shard::Shard;
use doublecrunch::search::{Candidate, machine, show};
use doublecrunch::sweep::Sweep;

use crate::{Args, Entry};

/// Inputs of a block: some thousand blocks a run, which are the steps of its envelope.
const BLOCK_LOG2: u32 = 20;

/// The run file of a function of a library.
pub fn file(folder: &Path, entry: &Entry) -> PathBuf {
    folder.join(format!(
        "{}.{}.crunch",
        entry.routine.computes, entry.library.name
    ))
}

/// What is searched. Names live as long as the process: there are as many as functions.
fn sweep(entry: &Entry) -> Result<Sweep, String> {
    let function = entry.routine.function;
    let leak = |text: String| -> &'static str { text.leak() };
    let named = format!("{} of {}", function.name(), (entry.library.version)());
    let reference = driver::reference(entry.routine.computes, function.precision())
        .ok_or_else(|| format!("{} has no reference", entry.routine.computes))?;
    Ok(Sweep::accuracy_only(
        leak(format!("{}.{}", entry.routine.computes, entry.library.name)),
        Candidate::Host(function.named(leak(named))),
        reference,
        "all",
    ))
}

/// Searches what is missing.
pub fn all(entries: &[Entry], args: &Args) -> Result<(), String> {
    std::fs::create_dir_all(&args.out).map_err(|e| format!("{}: {e}", args.out.display()))?;
    let threads = args.threads.unwrap_or_else(machine::cores);
    let filter = "scalar,avx2,avx512".parse().map_err(|e| format!("{e}"))?;
    // They come from narrow to wide.
    let widest = discover(&filter).backends.pop();
    let device = Device::new(widest.ok_or("no backend is here")?, threads);
    let minutes = args.minutes.unwrap_or(f64::INFINITY);
    let deadline = Duration::try_from_secs_f64(60.0 * minutes)
        .ok()
        .map(|d| Instant::now() + d);
    for (i, entry) in entries.iter().enumerate() {
        if deadline.is_some_and(|d| Instant::now() >= d) {
            println!(
                "{} of {} are done or begun; the same command goes on",
                i,
                entries.len()
            );
            break;
        }
        let line = one(entry, &args.out, &device, deadline)?;
        println!("{} of {}: {line}", i + 1, entries.len());
    }
    Ok(())
}

/// Searches one function to its end, or as long as there is time; what there is to tell of it.
fn one(
    entry: &Entry,
    folder: &Path,
    device: &Device,
    deadline: Option<Instant>,
) -> Result<String, String> {
    let path = file(folder, entry);
    let begun = path.exists();
    if begun {
        let reader = Reader::open(&path).map_err(|e| e.to_string())?;
        let status = reader.status().map_err(|e| e.to_string())?;
        if status.is_complete() {
            return Ok(format!(
                "{}: complete already",
                reader.header().identity.sweep
            ));
        }
    }
    let sweep = sweep(entry)?;
    let writer = if begun {
        run::open(&path, &sweep)
    } else {
        let range = Range::parse(sweep.range, Precision::F32).map_err(|e| e.to_string())?;
        let plan = Plan::new(range, Some(BLOCK_LOG2)).map_err(|e| e.to_string())?;
        run::create(&path, &sweep, sweep.range, plan, Shard::WHOLE)
    };
    let mut writer = writer.map_err(|e| e.to_string())?;
    let settings = Settings {
        devices: vec![device.clone()],
        groups: Groups::default(),
        command: "cargo xtask atlas".into(),
    };
    let stop = Stop::new();
    let outcome = run::proceed(&mut writer, &sweep, &settings, &stop, &mut |_| {
        if deadline.is_some_and(|d| Instant::now() >= d) && !stop.asked() {
            stop.ask();
        }
    })
    .map_err(|e| e.to_string())?;
    let progress = outcome.progress;
    let seconds = progress.elapsed.as_secs_f64();
    Ok(format!(
        "{}: {} inputs in {}, {}inputs/s; largest error {} ULP{}",
        sweep.name,
        show::count(progress.inputs.into()),
        show::seconds(seconds),
        show::si(progress.inputs as f64 / seconds.max(1e-9)),
        progress.result.max.error(),
        if outcome.complete {
            ""
        } else {
            "; not complete"
        }
    ))
}
