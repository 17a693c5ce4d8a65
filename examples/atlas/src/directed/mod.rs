//! Functions of one argument in binary64. All 2^64 inputs are out of reach, so the result is the largest error that a timed search
//! ([`timed`]) finds, which is a lower bound of the largest error.

mod markdown;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use doublecrunch::backend::discover;
use doublecrunch::driver;
use doublecrunch::search::block::FaultKind;
use doublecrunch::search::engine::{Device, Stop};
use doublecrunch::search::evaluator::PointEvaluator;
use doublecrunch::search::key::Precision;
use doublecrunch::search::range::Range;
use doublecrunch::search::timed::{self, Timed};
use doublecrunch::search::{Candidate, machine, show};
use doublecrunch::sweep::Sweep;
use serde_json::{Map, Value, json};

use crate::libraries::Function;
use crate::{Args, Entry};

/// The seconds of a function's search, unless the time is given.
pub const SECONDS: u64 = 60;

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
        if kept(&path, entry, args.seconds)?.is_some() {
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
        let found = search(entry, args.seconds, &device)?;
        let text = serde_json::to_string_pretty(&found).map_err(|e| e.to_string())?;
        let new = path.with_extension("new");
        let written = std::fs::write(&new, text).and_then(|()| std::fs::rename(&new, &path));
        written.map_err(|e| format!("{}: {e}", path.display()))?;
        println!(
            "{number}: {} inputs and {} combinations; largest error found {} ULP",
            found["inputs"], found["combinations"], found["error"]
        );
    }
    Ok(())
}

/// What the file has, if it is of this version of the library and of a search of this many seconds.
fn kept(path: &Path, entry: &Entry, seconds: u64) -> Result<Option<Value>, String> {
    let at = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(at(&e)),
    };
    let found: Value = serde_json::from_str(&text).map_err(|e| at(&e))?;
    let same = found["version"] == (entry.library.version)() && found["seconds"] == seconds;
    Ok(same.then_some(found))
}

/// The sweep of an entry, and the name of its function.
fn sweep(entry: &Entry) -> Result<(Sweep, &'static str), String> {
    let Function::Host(function) = entry.routine.function else {
        return Err("functions of devices are searched in binary32 alone".into());
    };
    let reference = driver::reference(entry.routine.computes, Precision::F64)
        .ok_or_else(|| format!("{} has no reference", entry.routine.computes))?;
    let name = format!("{}.{}", entry.routine.computes, entry.library.name);
    // It lives as long as the process: there are as many as searches.
    let sweep = Sweep::accuracy_only(name.leak(), Candidate::Host(function), reference, "all");
    Ok((sweep, function.name()))
}

fn search(entry: &Entry, seconds: u64, device: &Device) -> Result<Value, String> {
    let (sweep, routine) = sweep(entry)?;
    let whole = Range::parse(sweep.range(), Precision::F64).map_err(|e| e.to_string())?;
    let (devices, time) = (std::slice::from_ref(device), Duration::from_secs(seconds));
    let searched = timed::search(&sweep, &whole, devices, time, &Stop::new(), &mut |_| {});
    let searched = searched.map_err(|e| e.to_string())?;
    let mut found = document(&sweep, &searched)?;
    found["function"] = entry.routine.computes.into();
    found["library"] = entry.library.name.into();
    found["version"] = (entry.library.version)().into();
    found["routine"] = routine.into();
    found["seconds"] = seconds.into();
    found["threads"] = device.workers.into();
    found["processor"] = machine::processor().into();
    Ok(found)
}

/// A number, in three forms.
fn word(bits: u64) -> Value {
    json!({
        "decimal": show::decimal(Precision::F64, bits),
        "hex": show::hex_float(Precision::F64, bits),
        "bits": show::bits(Precision::F64, bits),
    })
}

/// Evaluates an input. If its error is larger than the one that was found, it takes its place.
fn put_worst(sweep: &Sweep, key: i64, found: &mut Value) -> Result<(), String> {
    let points = PointEvaluator::plain(sweep).evaluate(&[key]);
    let point = points.map_err(|e| e.to_string())?[0];
    let known = match &found["error"] {
        Value::Null => -1.0,
        Value::String(_) => f64::INFINITY,
        error => error.as_f64().unwrap_or(-1.0),
    };
    let error = point.error.abs();
    if error > known {
        // An infinite error is a text: JSON has no infinity.
        found["error"] = match error {
            e if e.is_finite() => json!(e),
            _ => json!("inf"),
        };
        found["input"] = word(Precision::F64.bits_of_key(key));
        found["result"] = word(point.result_bits);
    }
    Ok(())
}

/// An earlier search of the same version may have found a larger error.
fn put_earlier(entry: &Entry, before: &Value, found: &mut Value) -> Result<(), String> {
    let bits = before["input"]["bits"].as_str();
    let bits = bits.and_then(|b| u64::from_str_radix(b.strip_prefix("0x")?, 16).ok());
    match bits {
        Some(bits) if before["version"] == found["version"] => {
            let (sweep, _) = sweep(entry)?;
            put_worst(&sweep, Precision::F64.key_of_bits(bits), found)
        }
        _ => Ok(()),
    }
}

/// What was found, with the worst input evaluated once more.
fn document(sweep: &Sweep, searched: &Timed) -> Result<Value, String> {
    let result = &searched.result;
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
        "combinations": searched.combined.inputs,
    });
    if result.max.exists() {
        put_worst(sweep, result.max.key, &mut found)?;
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
        let here: Option<Value> = text.ok().and_then(|t| serde_json::from_str(&t).ok());
        let before = before.iter().find(is_it);
        rows.push(match (here, before) {
            (Some(mut here), Some(before)) => {
                put_earlier(entry, before, &mut here)?;
                here
            }
            (Some(here), None) => here,
            (None, Some(before)) => before.clone(),
            (None, None) => continue,
        });
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
