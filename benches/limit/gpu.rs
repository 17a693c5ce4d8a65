//! On an NVIDIA GPU, if there is one: our text and a rival's text in turn, in the backend's own launches; and a search whose routine
//! consists only of fused multiply-adds, which measures the device's limit.

use std::cell::RefCell;
use std::time::Instant;

use doublecrunch::backend::{Backend, SweepKernel, discover};
use serde_json::{Value, json};

use crate::measure::{Contestant, median, take_turns};
use crate::options::Options;
use crate::{Case, cuda, report};

/// Operations of an input of `benches/rivals/binary64_limit.cu` on the binary64 pipe: the routine's, and those of the
/// short way through the metric.
const LIMIT_OPERATIONS: f64 = 512.0 + 7.0 + 6.0;
/// The least time that a launch should take, in seconds.
const LAUNCH: f64 = 0.1;

/// Compares the searches of a kernel.
pub fn compare(case: &Case, options: &Options) {
    let found = discover(&"cuda".parse().expect("a backend"));
    let Some(backend) = found.backends.first() else {
        let refused = found.refused.iter().map(|(_, e)| e.to_string());
        let absent = found.absent.iter().map(|a| a.reason.clone());
        let why: Vec<String> = refused.chain(absent).collect();
        println!(
            "!! no NVIDIA GPU ({}): no times of the rivals in CUDA; `cargo xtask sass --sweeps` counts instructions",
            why.join("; ")
        );
        let why = json!({ "on": "cuda", "absent": why.join("; ") });
        report::line(options.json, case.name, why);
        return;
    };
    let ours = backend.load_sweep(case.sweep).expect("it compiles");
    let text = |name: &str| {
        let source = cuda::source_in(&options.cuda_rivals, name);
        // SAFETY: the text is a search of the rival's, which writes what ours does.
        let kernel = unsafe { backend.load_text(&source) };
        kernel.unwrap_or_else(|e| panic!("{name}: {e}"))
    };
    let kernels = [ours, text(case.name), text("binary64_limit")].map(RefCell::new);
    // The stretches of the other comparison are too short for a launch: from the first of them on.
    let first = case.stretches[0].0;
    let longest = (case.sweep.precision().max_key() - first) as u64;
    let most = (8 * backend.preferred_batch()).min(longest);
    let [ours, theirs, limit] = &kernels;
    let count = long_enough(ours, first, most);
    assert_eq!(
        run(theirs, first, count),
        run(ours, first, count),
        "the rival in CUDA"
    );
    let limit_first = 0x3ff0_0000_0000_0001;
    let limit_count = long_enough(limit, limit_first, most);
    let contestant = |name: &str, kernel, first, count| {
        Contestant::new(name, count, move || {
            run(kernel, first, count);
        })
    };
    let mut all = [
        contestant("ours", ours, first, count),
        contestant("CUDA by hand", theirs, first, count),
        contestant("the limit", limit, limit_first, limit_count),
    ];
    let rounds = take_turns(&mut all, options.rounds, options.most);
    println!("\n{}: {}, {}", case.name, backend.id(), backend.describe());
    let table = report::table(&all[..2]);
    let limit = median(all[2].rates()).0 * LIMIT_OPERATIONS;
    let fields = json!({
        "on": backend.id(),
        "device": backend.describe(),
        "rounds": rounds,
        "inputs": count,
        "table": table,
        "binary64_limit": limit,
        "of_limit": of_limit(case, options, &**backend, median(all[0].rates()).0, limit),
    });
    report::line(options.json, case.name, fields);
}

/// The part of the limit that our search attains; null where the instructions of an input are not known.
fn of_limit(case: &Case, options: &Options, backend: &dyn Backend, rate: f64, limit: f64) -> Value {
    println!(
        "the device issues {:.1} G binary64 operations/s, measured",
        limit / 1e9
    );
    let Some(file) = &options.binary64 else {
        println!("!! no table of instructions: which part of it a search attains is not known");
        return Value::Null;
    };
    let text = std::fs::read_to_string(file).unwrap_or_else(|e| {
        println!("!! {}: {e}", file.display());
        String::new()
    });
    match instructions(&text, &backend.describe(), case.name) {
        Some((arch, n)) => {
            let part = n as f64 * rate / limit;
            println!(
                "our search takes {n} of them per input (counted for {arch}): {:.1} % of the limit",
                100.0 * part
            );
            json!({ "instructions": n, "counted_for": arch, "part": part })
        }
        None => {
            println!("!! the table of instructions has none for this device");
            Value::Null
        }
    }
}

/// The newest architecture of the table that is not newer than the device, and its instructions an input.
fn instructions(table: &str, device: &str, kernel: &str) -> Option<(String, u64)> {
    let capability = device.split("compute capability ").nth(1)?;
    let number = |text: &str| {
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        digits.parse::<u32>().ok()
    };
    let device = number(capability.split([',', ';', ' ']).next()?)?;
    let rows = table.lines().filter_map(|line| {
        let [arch, name, n] = line.split_whitespace().collect::<Vec<_>>()[..] else {
            return None;
        };
        let newest = number(arch).filter(|a| name == kernel && *a <= device)?;
        Some((newest, arch.to_string(), n.parse().ok()?))
    });
    rows.max().map(|(_, arch, n)| (arch, n))
}

fn run(
    kernel: &RefCell<Box<dyn SweepKernel>>,
    first: i64,
    count: u64,
) -> doublecrunch::search::block::BlockResult {
    let mut kernel = kernel.borrow_mut();
    kernel.run(first, count).expect("the device runs it")
}

/// A number of inputs, at most `most`, that takes [`LAUNCH`].
fn long_enough(kernel: &RefCell<Box<dyn SweepKernel>>, first: i64, most: u64) -> u64 {
    let mut count = 1 << 18;
    while count < most {
        let begun = Instant::now();
        run(kernel, first, count);
        if begun.elapsed().as_secs_f64() > LAUNCH {
            break;
        }
        count *= 4;
    }
    count.min(most)
}
