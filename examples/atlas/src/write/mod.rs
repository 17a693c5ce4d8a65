//! The documents: the results of the complete run files, as `atlas.md` and `atlas.json`, and next to the run files as `atlas.html`, a page
//! with a picture of each.

mod html;
mod json;
mod kept;
mod markdown;
mod published;

pub use kept::read as kept;
pub use published::{SOURCE_BINARY64 as PUBLISHED_BINARY64, published_binary64};

use std::path::{Path, PathBuf};

use doublecrunch::search::block::{BlockResult, FaultKind, Worst};
use doublecrunch::search::identity::KernelIdentity;
use doublecrunch::search::run_file::{Reader, Status};
use doublecrunch::search::{machine, show};

use serde_json::Value;

use crate::Entry;
use crate::libraries::Library;
use crate::search::file;

/// What a run file has of a function of a library.
pub struct Row {
    pub library: &'static Library,
    pub computes: &'static str,
    /// As in the run file: the function, and the version of its library.
    pub name: String,
    /// Its run file; none of a search that the documents have and that was not made here.
    pub path: Option<PathBuf>,
    pub result: BlockResult,
    pub worst: Option<Worst>,
    /// Inputs a second of a thread.
    pub rate: Option<f64>,
    pub machine: Machine,
}

/// What it was searched on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    /// Without the host's name.
    pub processor: String,
    pub backend: String,
    /// The day.
    pub date: String,
}

/// Writes the documents of all that is complete. What they have already, and no run file here has, they keep.
pub fn all(entries: &[Entry], runs: &Path, folder: &Path) -> Result<(), String> {
    let before = kept::read(&folder.join("atlas.json"))?;
    let mut rows = Vec::new();
    for entry in entries {
        rows.extend(row(entry, runs)?.or_else(|| kept::row(entry, &before)));
    }
    if rows.is_empty() {
        return Err(format!("{} has no complete run", runs.display()));
    }
    let kept = rows.iter().filter(|r| r.path.is_none()).count();
    let is_of = |v: &&Value, r: &Row| v["function"] == r.computes && v["library"] == r.library.name;
    let lost = |v: &&Value| !rows.iter().any(|r| is_of(v, r));
    if let Some(search) = before.iter().find(lost) {
        return Err(format!(
            "the search of {} of {} would be lost: write without --functions and --libraries",
            search["function"], search["library"]
        ));
    }
    let missing = entries.len() - rows.len();
    let put = |folder: &Path, name: &str, text: String| {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
        println!("{}", path.display());
        Ok::<(), String>(())
    };
    put(folder, "atlas.md", markdown::document(&rows))?;
    put(folder, "atlas.json", json::document(&rows))?;
    put(runs, "atlas.html", html::document(&rows)?)?;
    println!(
        "{} searches, {kept} of them kept from {}; {missing} are missing or not complete",
        rows.len(),
        folder.join("atlas.json").display()
    );
    Ok(())
}

fn row(entry: &Entry, runs: &Path) -> Result<Option<Row>, String> {
    let path = file(runs, entry);
    if !path.exists() {
        return Ok(None);
    }
    let reader = Reader::open(&path).map_err(|e| e.to_string())?;
    let status = reader.status().map_err(|e| e.to_string())?;
    if !status.is_complete() || status.of_inputs != 1 << 32 {
        return Ok(None);
    }
    Ok(Some(Row {
        library: entry.library,
        computes: entry.routine.computes,
        name: named(&reader.header().identity.kernels[0]),
        path: Some(path),
        result: status.result,
        worst: status.worst,
        rate: rate(&status),
        machine: searched_on(&status),
    }))
}

/// The function with its library's version: of a function of a device, those of driver and compiler.
fn named(candidate: &KernelIdentity) -> String {
    if !candidate.is_of_device() {
        return candidate.name.clone();
    }
    let fact = |name: &str| {
        let mut lines = candidate.source.lines();
        lines.find_map(|l| l.strip_prefix(name)).unwrap_or_default()
    };
    format!(
        "{} of {}, on {}",
        candidate.name,
        versions(fact("driver ")),
        fact("device ")
    )
}

/// PoCL's version and its LLVM's, of all that it reports of itself; of another driver all.
fn versions(driver: &str) -> String {
    let word_after = |name: &str| {
        let rest = driver.split_once(name)?.1;
        let word = rest.split([' ', ',']).next()?;
        Some(format!("{name}{word}"))
    };
    match (word_after("PoCL "), word_after("LLVM ")) {
        (Some(pocl), Some(llvm)) => format!("{pocl}, {llvm}"),
        _ => driver.into(),
    }
}

fn rate(status: &Status) -> Option<f64> {
    let devices = || status.sessions.iter().flat_map(|s| &s.devices);
    let inputs: u64 = devices().map(|d| d.inputs).sum();
    let seconds: f64 = devices().map(|d| d.seconds).sum();
    (seconds > 0.0).then(|| inputs as f64 / seconds)
}

fn searched_on(status: &Status) -> Machine {
    let last = status.sessions.last();
    let text = |f: fn(&doublecrunch::search::run_file::Session) -> String| {
        last.map_or_else(String::new, f)
    };
    Machine {
        // `host: processor, …`
        processor: text(|s| {
            let all = s
                .machine
                .split_once(": ")
                .map_or(&*s.machine, |(_, rest)| rest);
            all.split(", ").next().unwrap_or(all).into()
        }),
        backend: text(|s| {
            s.devices
                .first()
                .map_or_else(String::new, |d| d.backend.clone())
        }),
        date: text(|s| {
            machine::utc(s.started)
                .split(' ')
                .next()
                .unwrap_or_default()
                .into()
        }),
    }
}

impl Row {
    /// The function's own name.
    pub fn routine(&self) -> &str {
        self.name.split(" of ").next().unwrap_or(&self.name)
    }

    /// The version of its library.
    pub fn version(&self) -> &str {
        self.name
            .split_once(" of ")
            .map_or("", |(_, version)| version)
    }

    /// The largest error in as many digits as people read; above a million, its magnitude.
    pub fn error(&self) -> String {
        self.worst
            .as_ref()
            .map_or_else(|| "none".into(), |w| short(w.error))
    }

    /// Wrong special values, kind by kind.
    pub fn faults(&self) -> Vec<String> {
        let kinds = FaultKind::ALL.iter().zip(&self.result.faults);
        kinds
            .filter(|(_, f)| f.count > 0)
            .map(|(kind, f)| format!("{} {}", show::count(f.count.into()), kind.name()))
            .collect()
    }

    pub fn digest(&self) -> String {
        format!("{:016x}", self.result.digest)
    }

    /// Inputs whose result is not the nearest number: how many, and which part of all.
    pub fn misrounded(&self) -> String {
        misrounded(self.result.misrounded, self.result.count)
    }
}

pub fn misrounded(inputs: u64, of: u64) -> String {
    match inputs {
        0 => "none".into(),
        n if n < of / 10_000 => show::count(n.into()),
        n => format!("{:.2} %", 100.0 * n as f64 / of as f64),
    }
}

/// An error: digits that tell it from one half, and few of what is beyond all use.
pub fn short(error: f64) -> String {
    match error {
        e if e.is_infinite() => "inf".into(),
        e if e >= 1e6 => format!("{e:.1e}"),
        e if e >= 1000.0 => format!("{e:.0}"),
        e if e >= 100.0 => format!("{e:.1}"),
        e => format!("{e:.4}"),
    }
}

/// The rows of each function, in order.
pub fn by_function(rows: &[Row]) -> impl Iterator<Item = &[Row]> {
    rows.chunk_by(|a, b| a.computes == b.computes)
}

#[cfg(test)]
mod tests {
    use super::{misrounded, short, versions};

    #[test]
    fn versions_of_drivers_are_short() {
        let pocl = "Portable Computing Language, OpenCL 3.0 PoCL 3.1+debian  Linux, None+Asserts, LLVM 15.0.6, SLEEF, 3.1+debian";
        assert_eq!(versions(pocl), "PoCL 3.1+debian, LLVM 15.0.6");
        let cuda = "NVRTC 13.0, driver for CUDA 13.0";
        assert_eq!(versions(cuda), cuda);
    }

    #[test]
    fn few_inputs_are_counted() {
        assert_eq!(misrounded(0, 1 << 32), "none");
        assert_eq!(misrounded(1234, 1 << 32), "1,234");
        assert_eq!(misrounded(1 << 30, 1 << 32), "25.00 %");
    }

    #[test]
    fn errors_are_short() {
        for (error, text) in [
            (0.5000000037, "0.5000"),
            (0.50164, "0.5016"),
            (123.456, "123.5"),
            (12345.6, "12346"),
            (4.5e15, "4.5e15"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(short(error), text);
        }
    }
}
