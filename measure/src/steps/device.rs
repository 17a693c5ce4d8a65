//! Tests that only a GPU can answer, apart from speed: the language's own tests on it, every sweep at 2^32 inputs, its functions at all
//! inputs, and its approximate instructions in files from which they can be emulated.

use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use serde_json::{Value, json};

use super::functions::{FUNCTIONS, Function, TABLES, Table};
use super::kit::{Kit, backends};
use crate::child::{self, Ended, Problem};
use crate::record::Record;

/// The first CUDA device, or the reason why the step is left out.
pub fn cuda(record: &mut Record, what: &str) -> Option<String> {
    let device = backends(record)
        .into_iter()
        .find(|b| b.starts_with("cuda:"));
    if device.is_none() {
        record.missing(format!("{what}: no CUDA device"));
    }
    device
}

/// The number of processes that use the device at a time, so that their compilations overlap.
fn together() -> usize {
    std::thread::available_parallelism().map_or(2, |n| (n.get() / 2).clamp(1, 8))
}

/// The tests of the language, each operation on its edge cases, with the device required.
pub fn conformance(kit: &Kit, end: Instant, record: &mut Record) -> Result<(), String> {
    if cuda(record, "conformance").is_none() {
        return Ok(());
    }
    let program = kit.folder.join("bin/language");
    if !program.is_file() {
        record.missing("conformance: the kit has no program of tests".into());
        return Ok(());
    }
    let mut command = kit.program("language");
    command.env("CRUNCH_REQUIRE", "cuda");
    let ended = child::run(&mut command, end);
    let line = |start: &str| ended.stdout.lines().find(|l| l.starts_with(start));
    let result = line("test result").unwrap_or("no result").to_string();
    match &ended.problem {
        Some(Problem::TimedOut(text)) => record.incomplete(format!("conformance: {text}")),
        Some(Problem::Failed(text)) => {
            print!("{}", ended.stdout);
            record.failure(format!("conformance: {text}: {result}"));
        }
        None if !result.contains(" 0 failed") || result.contains(" 0 passed") => {
            record.failure(format!("conformance: {result}"));
        }
        None => println!("{result}"),
    }
    let passed = result.split(' ').nth(3).unwrap_or("0").to_string();
    record
        .summary
        .push(format!("{passed} tests of the language pass"));
    record
        .found
        .insert("conformance".into(), json!({ "result": result }));
    Ok(())
}

/// Runs jobs side by side until the time is up. Returns their results in the order of the jobs; `None` for jobs that were not begun.
fn side_by_side<J: Sync, T: Send>(
    jobs: &[J],
    end: Instant,
    run: impl Fn(&J) -> T + Sync,
) -> Vec<Option<T>> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Option<T>>> = Mutex::new(jobs.iter().map(|_| None).collect());
    std::thread::scope(|scope| {
        for _ in 0..together().min(jobs.len()) {
            scope.spawn(|| {
                while Instant::now() < end {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(i) else { return };
                    let result = run(job);
                    if let Ok(mut done) = done.lock() {
                        done[i] = Some(result);
                    }
                }
            });
        }
    });
    done.into_inner().unwrap_or_default()
}

/// Records a program that did not end well.
fn note(what: &str, ended: &Ended, record: &mut Record) {
    match &ended.problem {
        None => {}
        Some(Problem::TimedOut(text)) => record.incomplete(format!("{what}: {text}")),
        Some(Problem::Failed(text)) => {
            record.failure(format!("{what}: {text}: {}", ended.last_message()));
        }
    }
}

/// Every function of the device: those of binary32 at all 2^32 inputs, on the device alone; those of binary64 for some seconds.
pub fn functions(kit: &Kit, end: Instant, record: &mut Record) -> Result<(), String> {
    let Some(device) = cuda(record, "functions") else {
        return Ok(());
    };
    let folder = kit
        .scratch()
        .ok_or("there is no folder for run files")?
        .join("functions");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let found = side_by_side(FUNCTIONS, end, |f| {
        child::run(&mut search(kit, &device, &folder, f), end)
    });
    let mut table = Vec::new();
    let mut largest = (0.0, "");
    for (f, ended) in FUNCTIONS.iter().zip(found) {
        let what = format!("function {}", f.symbol);
        let Some(ended) = ended else {
            record.reduced(format!("{what}: no time"));
            continue;
        };
        note(&what, &ended, record);
        let document: Value = serde_json::from_str(&ended.stdout).unwrap_or_default();
        // A search for a given time has its result at the top.
        let result = match document["result"].is_object() {
            true => &document["result"],
            false => &document,
        };
        let Some(error) = result["max_error"]["error"].as_f64() else {
            if ended.problem.is_none() {
                record.failure(format!("{what}: it printed no largest error"));
            }
            continue;
        };
        if let Some(bound) = f.documented
            && error > bound + 0.5
        {
            record.failure(format!("{what}: {error} ULP, documented are {bound}"));
        }
        if error > largest.0 && f.documented.is_some() {
            largest = (error, f.symbol);
        }
        table.push(json!({
            "symbol": f.symbol,
            "signature": f.signature,
            "computes": f.computes,
            "documented": f.documented,
            "inputs": result["inputs"],
            "max_error": result["max_error"],
            "misrounded_share": result["misrounded_share"],
            "faults": result["faults"],
            "digest": result["digest"],
            "seconds": (ended.seconds * 10.0).round() / 10.0,
        }));
    }
    println!("{} functions of {device}", table.len());
    record.summary.push(format!(
        "{} functions of the device, the documented ones within {:.2} ULP ({})",
        table.len(),
        largest.0,
        largest.1
    ));
    record.found.insert("functions".into(), table.into());
    Ok(())
}

fn search(kit: &Kit, device: &str, folder: &Path, f: &Function) -> Command {
    let mut command = kit.program("crunch");
    command.args(["run", "--json", "--quiet", "--device", device]);
    command.args(["--symbol", f.symbol, "--signature", f.signature]);
    command.args(["--computes", f.computes, "--backend", device]);
    match f.seconds {
        Some(seconds) => command.args(["--time", &format!("{seconds}s")]),
        None => command
            .args(["--range", "all", "--out"])
            .arg(folder.join(f.symbol)),
    };
    command
}

/// The results of approximate instructions, in files.
pub fn tables(kit: &Kit, end: Instant, record: &mut Record) -> Result<(), String> {
    let Some(device) = cuda(record, "tables") else {
        return Ok(());
    };
    let folder = record.folder("tables")?;
    let found = side_by_side(TABLES, end, |t| {
        child::run(&mut dump(kit, &device, &folder, t), end)
    });
    let mut files = Vec::new();
    for (t, ended) in TABLES.iter().zip(found) {
        let what = format!("table {}", t.name);
        let Some(ended) = ended else {
            record.reduced(format!("{what}: no time"));
            continue;
        };
        note(&what, &ended, record);
        if ended.problem.is_none() {
            print!("{}", ended.stdout);
            files.push(json!({
                "file": format!("tables/{}.values", t.name),
                "instruction": t.instruction,
                "range": t.range,
                "stride": t.stride,
            }));
        }
    }
    let all = TABLES.len();
    record
        .summary
        .push(format!("{} of {all} tables of instructions", files.len()));
    record.found.insert("tables".into(), files.into());
    Ok(())
}

fn dump(kit: &Kit, device: &str, folder: &Path, t: &Table) -> Command {
    let mut command = kit.program("crunch");
    command.args(["dump-instruction", t.instruction, "--device", device]);
    command.args(["--signature", t.signature, "--range", t.range]);
    command.args(["--stride", t.stride, "--threads", "4", "--out"]);
    command.arg(folder.join(format!("{}.values", t.name)));
    command
}

/// OpenCL devices that are not processors: the report of `doctor`, and every sweep compared with plain Rust.
pub fn opencl(kit: &Kit, end: Instant, record: &mut Record) -> Result<(), String> {
    let program = kit.folder.join("bin/crunch-opencl");
    if !program.is_file() {
        record.missing("OpenCL: the kit has no program with it".into());
        return Ok(());
    }
    let mut command = kit.program("crunch-opencl");
    command.args(["verify", "--json", "--quiet", "--backend", "scalar,opencl"]);
    command.args(["--inputs", "2^22"]);
    // A platform that no file names: NVIDIA's library, where its driver is.
    if let Some(vendors) = record.folder("vendors").ok().filter(|_| !has_platforms()) {
        let names = "libnvidia-opencl.so.1\n";
        std::fs::write(vendors.join("nvidia.icd"), names).map_err(|e| e.to_string())?;
        command.env("OCL_ICD_VENDORS", &vendors);
    }
    let ended = child::run(&mut command, end);
    let document: Value = serde_json::from_str(&ended.stdout).unwrap_or_default();
    let sweeps: &[Value] = document.as_array().map_or(&[], Vec::as_slice);
    let same = sweeps.iter().filter(|s| s["identical"] == true).count();
    if sweeps.is_empty() {
        match &ended.problem {
            Some(Problem::TimedOut(text)) => record.incomplete(format!("OpenCL: {text}")),
            // The loader's library may be missing, or there is no platform.
            _ => record.missing(format!("OpenCL: {}", ended.last_message())),
        }
        return Ok(());
    }
    note("OpenCL", &ended, record);
    println!("{same} of {} sweeps are the same", sweeps.len());
    record
        .summary
        .push(format!("OpenCL: {same} of {} sweeps", sweeps.len()));
    record.found.insert("opencl".into(), document);
    Ok(())
}

fn has_platforms() -> bool {
    std::fs::read_dir("/etc/OpenCL/vendors").is_ok_and(|mut all| all.next().is_some())
}

/// Rivals in CUDA, and the limit, alone.
pub fn rivals(kit: &Kit, end: Instant, record: &mut Record) -> Result<(), String> {
    if cuda(record, "rivals").is_some() {
        super::bench::on_gpu(kit, end, record);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn what_there_is_no_time_for_is_not_begun() {
        let soon = Instant::now() + Duration::from_secs(60);
        let jobs: Vec<u64> = (0..20).collect();
        let all = side_by_side(&jobs, soon, |n| n * n);
        assert_eq!(all.len(), 20);
        assert!(
            all.iter()
                .enumerate()
                .all(|(i, n)| *n == Some((i * i) as u64))
        );
        let none = side_by_side(&jobs, Instant::now(), |n| *n);
        assert!(none.iter().all(Option::is_none));
    }
}
