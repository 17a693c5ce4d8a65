//! Functions of one argument in binary64. All 2^64 inputs are out of reach, so the result is the largest error that a directed search
//! finds, which is a lower bound of the largest error.
//!
//! A quarter of the inputs is a stratified sample ([`Sample`]: of the binades of input and result). The others are around the worst inputs
//! found, in rounds. Each round has stretches at random distances, of all magnitudes, from the worst of all earlier inputs ([`climb`]). The
//! places depend only on the names, so the same search finds the same inputs and has the same digest.

mod markdown;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use doublecrunch::backend::discover;
use doublecrunch::driver;
use doublecrunch::search::block::{BlockResult, FaultKind};
use doublecrunch::search::engine::{self, Device, Job, Stop};
use doublecrunch::search::evaluator::PointEvaluator;
use doublecrunch::search::key::Precision;
use doublecrunch::search::plan::Plan;
use doublecrunch::search::range::Range;
use doublecrunch::search::record::Record;
use doublecrunch::search::sample::{Found, Sample, Wanted, climb, without};
use doublecrunch::search::{Candidate, machine, show};
use doublecrunch::sweep::Sweep;
use serde_json::{Map, Value, json};

use crate::libraries::Function;
use crate::{Args, Entry};

/// Inputs of a function, unless the number is given.
pub const INPUTS: u64 = 1 << 28;
/// Climbs from the worst inputs, which share what the sample leaves of the inputs.
const CLIMBS: u64 = 6;

/// What was found of a function is kept in this file.
fn file(folder: &Path, entry: &Entry) -> PathBuf {
    let name = format!(
        "{}.{}.binary64.json",
        entry.routine.computes, entry.library.name
    );
    folder.join(name)
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
    let time = Duration::try_from_secs_f64(60.0 * minutes).ok();
    let deadline = time.map(|t| Instant::now() + t);
    for (i, entry) in entries.iter().enumerate() {
        let name = format!("{}.{}", entry.routine.computes, entry.library.name);
        let number = format!("{} of {}: {name}", i + 1, entries.len());
        let path = file(&args.out, entry);
        if kept(&path, entry, args.inputs)?.is_some() {
            println!("{number}: complete already");
            continue;
        }
        if deadline.is_some_and(|d| Instant::now() >= d) {
            println!(
                "{i} of {} are done; the same command goes on",
                entries.len()
            );
            break;
        }
        let found = search(entry, args.inputs, &device)?;
        let text = serde_json::to_string_pretty(&found).map_err(|e| e.to_string())?;
        let new = path.with_extension("new");
        let written = std::fs::write(&new, text).and_then(|()| std::fs::rename(&new, &path));
        written.map_err(|e| format!("{}: {e}", path.display()))?;
        println!(
            "{number}: {} inputs in {}; largest error found {} ULP",
            found["inputs"], found["seconds"], found["error"]
        );
    }
    Ok(())
}

/// What the file has, if it is of this version of the library and of so many inputs.
fn kept(path: &Path, entry: &Entry, inputs: u64) -> Result<Option<Value>, String> {
    let at = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(at(&e)),
    };
    let found: Value = serde_json::from_str(&text).map_err(|e| at(&e))?;
    let same = found["version"] == (entry.library.version)() && found["asked"] == inputs;
    Ok(same.then_some(found))
}

fn search(entry: &Entry, inputs: u64, device: &Device) -> Result<Value, String> {
    let Function::Host(function) = entry.routine.function else {
        return Err("functions of devices are searched in binary32 alone".into());
    };
    let reference = driver::reference(entry.routine.computes, Precision::F64)
        .ok_or_else(|| format!("{} has no reference", entry.routine.computes))?;
    let name = format!("{}.{}", entry.routine.computes, entry.library.name);
    // It lives as long as the process: there are as many as searches.
    let sweep = Sweep::accuracy_only(name.leak(), Candidate::Host(function), reference, "all");
    let begun = Instant::now();
    let whole = Range::parse(sweep.range(), Precision::F64).map_err(|e| e.to_string())?;
    let sample = Sample::of_stretches(&sweep, &whole, &Wanted::of(&sweep, inputs / 4));
    let (mut result, mut worst): (BlockResult, Vec<Found>) = (BlockResult::EMPTY, Vec::new());
    let mut run = |range: &Range, worst: &mut Vec<Found>| -> Result<(), String> {
        let found = block(&sweep, range, device, worst)?;
        result = result.merge(&found);
        Ok(())
    };
    run(&sample.range, &mut worst)?;
    let mut left = without(&whole, &sample.range);
    for n in 0..CLIMBS {
        let each = (inputs - inputs / 4) / CLIMBS;
        let seed = sample.seed ^ (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let done = climb(&left, each, seed, &mut worst, &mut run)?;
        left = without(&left, &done);
    }
    let seconds = begun.elapsed().as_secs_f64();
    let mut found = document(&sweep, &result)?;
    found["function"] = entry.routine.computes.into();
    found["library"] = entry.library.name.into();
    found["version"] = (entry.library.version)().into();
    found["routine"] = function.name().into();
    found["asked"] = inputs.into();
    found["seconds"] = json!(format!("{seconds:.1}"));
    found["inputs_per_second"] = json!((result.count as f64 / seconds).round());
    found["processor"] = machine::processor().into();
    Ok(found)
}

/// Searches a part of the range.
fn block(
    sweep: &Sweep,
    range: &Range,
    device: &Device,
    worst: &mut Vec<Found>,
) -> Result<BlockResult, String> {
    let plan = Plan::new(range.clone(), None).map_err(|e| e.to_string())?;
    let job = Job::new(sweep, &plan, vec![device.clone()]);
    let mut records: Vec<Record> = Vec::new();
    engine::run(&job, &mut records, &Stop::new(), &mut |_| {}).map_err(|e| e.to_string())?;
    let maxima = records.iter().map(|r| r.result.max);
    worst.extend(maxima.filter(|m| m.exists()).map(|m| (m.key, m.error())));
    let results = records.iter().map(|r| &r.result);
    Ok(results.fold(BlockResult::EMPTY, |sum, r| sum.merge(r)))
}

/// What was found, with the worst input evaluated once more.
fn document(sweep: &Sweep, result: &BlockResult) -> Result<Value, String> {
    let word = |bits: u64| {
        json!({
            "decimal": show::decimal(Precision::F64, bits),
            "hex": show::hex_float(Precision::F64, bits),
            "bits": show::bits(Precision::F64, bits),
        })
    };
    let at = |key: i64| word(Precision::F64.bits_of_key(key));
    let faults: Map<String, Value> = FaultKind::ALL
        .iter()
        .zip(&result.faults)
        .filter(|(_, f)| f.count > 0)
        .map(|(kind, f)| {
            let fault = json!({ "count": f.count, "first": at(f.first_key) });
            (kind.name().into(), fault)
        })
        .collect();
    let mut found = json!({
        "inputs": result.count,
        "misrounded": result.misrounded,
        "undecided": result.undecided,
        "faults": faults,
        "digest": format!("{:016x}", result.digest),
    });
    if result.max.exists() {
        let key = result.max.key;
        let points = PointEvaluator::plain(sweep).evaluate(&[key]);
        let point = points.map_err(|e| e.to_string())?[0];
        // An infinite error is a text: JSON has no infinity.
        found["error"] = match point.error.abs() {
            e if e.is_finite() => json!(e),
            _ => json!("inf"),
        };
        found["input"] = at(key);
        found["result"] = word(point.result_bits);
    }
    Ok(found)
}

/// Writes the documents of all that is found; what they have already, and was not searched here, they keep.
pub fn write(entries: &[Entry], runs: &Path, folder: &Path) -> Result<(), String> {
    let path = folder.join("atlas-binary64.json");
    let before = crate::write::kept(&path)?;
    let mut rows = Vec::new();
    for entry in entries {
        let is_it = |v: &&Value| {
            v["function"] == entry.routine.computes && v["library"] == entry.library.name
        };
        let text = std::fs::read_to_string(file(runs, entry));
        let here = text.ok().and_then(|t| serde_json::from_str(&t).ok());
        rows.extend(here.or_else(|| before.iter().find(is_it).cloned()));
    }
    if rows.is_empty() {
        return Err(format!("{} has no search of binary64", runs.display()));
    }
    let document = json!({ "precision": "f64", "searches": rows });
    let json = serde_json::to_string_pretty(&document).map_err(|e| e.to_string())? + "\n";
    for (name, text) in [
        ("atlas-binary64.md", markdown::document(&rows)),
        ("atlas-binary64.json", json),
    ] {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
        println!("{}", path.display());
    }
    let missing = entries.len() - rows.len();
    println!("{} searches; {missing} are missing", rows.len());
    Ok(())
}
