//! The searches, one after the other, each into its run file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use doublecrunch::backend::{Backend, discover};
use doublecrunch::driver;
use doublecrunch::search::engine::{Device, Groups, Stop};
use doublecrunch::search::key::Precision;
use doublecrunch::search::plan::Plan;
use doublecrunch::search::range::Range;
use doublecrunch::search::run::{self, Settings};
use doublecrunch::search::run_file::Reader;
use doublecrunch::search::shard::Shard;
use doublecrunch::search::{Candidate, DeviceFunction, InputSpace, machine, show};
use doublecrunch::sweep::Sweep;

use crate::libraries::Function;
use crate::{Args, Entry};

/// The inputs of a block. A run has some thousand blocks, which are the steps of its envelope.
const BLOCK_LOG2: u32 = 20;

/// The run file of a function of a library.
pub fn file(folder: &Path, entry: &Entry) -> PathBuf {
    folder.join(format!(
        "{}.{}.crunch",
        entry.routine.computes, entry.library.name
    ))
}

/// The sweep to search. Names and functions live as long as the process; there is one of each per search.
fn sweep(entry: &Entry, devices: &Devices) -> Result<Sweep, String> {
    let leak = |text: String| -> &'static str { text.leak() };
    let candidate = match entry.routine.function {
        Function::Host(function) => {
            let named = format!("{} of {}", function.name(), (entry.library.version)());
            Candidate::Host(function.named(leak(named)))
        }
        Function::Device(name) => {
            let device = devices.of(entry)?.ok_or("its device is not here")?;
            let inputs = InputSpace::Numbers(Precision::F32);
            let function = DeviceFunction::open(device, name, inputs).map_err(|e| e.to_string())?;
            Candidate::Device(Box::leak(Box::new(function)))
        }
    };
    let reference = driver::reference(entry.routine.computes, Precision::F32)
        .ok_or_else(|| format!("{} has no reference", entry.routine.computes))?;
    Ok(Sweep::accuracy_only(
        leak(format!("{}.{}", entry.routine.computes, entry.library.name)),
        candidate,
        reference,
        "all",
    ))
}

/// The devices for libraries of device functions, or the reasons why they are missing here.
struct Devices(BTreeMap<&'static str, Result<Arc<dyn Backend>, String>>);

impl Devices {
    fn find(entries: &[Entry]) -> Result<Devices, String> {
        let mut devices = BTreeMap::new();
        for name in entries.iter().filter_map(|e| e.library.device) {
            if devices.contains_key(name) {
                continue;
            }
            let filter = name.parse().map_err(|e| format!("{e}"))?;
            let mut found = discover(&filter);
            let device = found.backends.pop().ok_or_else(|| {
                let refused = found.refused.iter().map(|(_, e)| e.to_string());
                let absent = found.absent.iter().map(|a| a.reason.clone());
                let why: Vec<String> = refused.chain(absent).collect();
                format!("{name} is not here: {}", why.join("; "))
            });
            devices.insert(name, device);
        }
        Ok(Devices(devices))
    }

    /// The device of an entry's library, if the library is for a device.
    fn of(&self, entry: &Entry) -> Result<Option<Arc<dyn Backend>>, String> {
        match entry.library.device.and_then(|name| self.0.get(name)) {
            Some(Err(why)) => Err(why.clone()),
            Some(Ok(device)) => Ok(Some(device.clone())),
            None => Ok(None),
        }
    }
}

/// Searches the missing functions.
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
    let devices = Devices::find(entries)?;
    let mut missing = 0;
    for (i, entry) in entries.iter().enumerate() {
        if let Err(why) = devices.of(entry) {
            let name = entry.library.name;
            println!(
                "{} of {}: {}.{name}: {why}",
                i + 1,
                entries.len(),
                entry.routine.computes
            );
            missing += 1;
            continue;
        }
        if deadline.is_some_and(|d| Instant::now() >= d) {
            println!(
                "{} of {} are done or begun; the same command goes on",
                i,
                entries.len()
            );
            break;
        }
        let line = one(entry, &args.out, &device, &devices, deadline)?;
        println!("{} of {}: {line}", i + 1, entries.len());
    }
    if missing > 0 {
        println!("{missing} are not searched: their devices are not here");
    }
    Ok(())
}

/// Searches one function to its end, or as long as time permits. Returns a report.
fn one(
    entry: &Entry,
    folder: &Path,
    device: &Device,
    devices: &Devices,
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
    let sweep = sweep(entry, devices)?;
    let writer = if begun {
        run::open(&path, &sweep)
    } else {
        let range = Range::parse(sweep.range(), Precision::F32).map_err(|e| e.to_string())?;
        let plan = Plan::new(range, Some(BLOCK_LOG2)).map_err(|e| e.to_string())?;
        run::create(&path, &sweep, sweep.range(), plan, Shard::WHOLE)
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
        sweep.name(),
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
