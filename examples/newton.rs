//! The paper's Section 4: reciprocals by three Newton–Raphson steps from the estimates of ARM's VRECPE and Intel's RCPPS, without fused
//! operations (Table 3) and with them; Figures 2 and 3.
//!
//! The maxima are over **all** 2^52 inputs of [1, 2). The theorems of `docs/book/src/understand/newton.md` exclude all but a few million of
//! them, and those are searched here. `--full` also searches all 4.5·10^10 inputs of [1, 1.00001), which the envelope without the finer
//! theorem does not exclude. Pictures and run files go to `target/newton`.

use std::error::Error;
use std::path::Path;

use doublecrunch::backend::discover;
use doublecrunch::driver::draw_envelope;
use doublecrunch::prelude::*;
use doublecrunch::search::engine::{Device, Groups, Stop};
use doublecrunch::search::key::Precision;
use doublecrunch::search::plan::Plan;
use doublecrunch::search::range::{Range, Span};
use doublecrunch::search::run::{self, Settings};
use doublecrunch::search::run_file::{Reader, Status};
use doublecrunch::search::sample::{Sample, Wanted};
use doublecrunch::search::shard::Shard;
use doublecrunch::sweep::Sweep;
use doublecrunch::sweeps::newton::{Form, Newton};
use doublecrunch::sweeps::{self, rcp_reference_f32};

const FOLDER: &str = "target/newton";

/// ARM's estimate alone: Figure 2.
const ESTIMATE: Sweep = Sweep::new::<rcp_neon, rcp_reference_f32>("vrecpe", "1.0..2.0");

/// A row of the table.
struct Row {
    estimate: &'static str,
    steps: &'static str,
    paper: &'static str,
    sweep: &'static str,
    newton: Newton,
    /// The input with the largest error. This error is the level below which nothing needs to be examined.
    worst: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let full = match &std::env::args().skip(1).collect::<Vec<_>>()[..] {
        [] => false,
        [only] if only == "--full" => true,
        _ => return Err("the only argument there is: --full".into()),
    };
    std::fs::create_dir_all(FOLDER)?;
    let widest = discover(&"scalar,avx2,avx512".parse()?).backends.pop();
    let widest = widest.ok_or("no backend")?;
    let cores = std::thread::available_parallelism()?.get();
    let device = Device::new(widest, cores);
    println!("on {}", device.backend.describe());

    table(&device)?;
    if full {
        let sweep = sweep("reciprocal")?;
        println!("\nAll of [1, 1.00001), which Theorem 1 leaves of VRECPE's:");
        let range = Range::parse("1.0..1.00001", Precision::F64)?;
        let found = search(&sweep, range, &device)?;
        println!(
            "{} inputs, maximum {:.9} at {:016x}",
            found.result.count,
            found.result.max.error(),
            found.result.max.key
        );
    }
    figures(&device)
}

/// Table 3, and the corresponding table for fused steps.
fn table(device: &Device) -> Result<(), Box<dyn Error>> {
    let rows = [
        Row {
            estimate: "RCPPS on Intel",
            steps: "separate",
            paper: "1.98309",
            sweep: "reciprocal-intel",
            newton: Newton::new(rcpps_intel::map, Form::Separate),
            worst: 0x3ff0_1e09_24f5_a33b,
        },
        Row {
            estimate: "VRECPE on ARM",
            steps: "separate",
            paper: "1.99999",
            sweep: "reciprocal",
            newton: Newton::new(rcp_neon::map, Form::Separate),
            worst: 0x3ff0_0004_080e_6626,
        },
        Row {
            estimate: "VRECPE on ARM",
            steps: "fused",
            paper: "-",
            sweep: "reciprocal-fma",
            newton: Newton::new(rcp_neon::map, Form::Fused),
            worst: 0x3ff1_2000_01bb_a128,
        },
    ];
    println!(
        "\n{:<15} {:<9} {:>8} {:>19}  {:<17} {:>12}  of 2^52; the others are proven to be below",
        "estimate", "steps", "paper", "largest error (ULP)", "at", "searched"
    );
    for row in rows {
        let sweep = sweep(row.sweep)?;
        let level = (sweep.compiled().scalar)(row.worst as i64, 1).max.error() - 1e-12;
        let found = search(&sweep, row.newton.suspects(level), device)?;
        let max = found.result.max;
        println!(
            "{:<15} {:<9} {:>8} {:>19.15}  {:016x}  {:>12}  {} of these are misrounded, {} undecided",
            row.estimate,
            row.steps,
            row.paper,
            max.error(),
            max.key,
            found.result.count,
            found.result.misrounded,
            found.result.undecided
        );
    }
    fused_intel(device)
}

/// The last row. Factoring gives all inputs that three fused steps from RCPPS can misround (Theorem 4).
fn fused_intel(device: &Device) -> Result<(), Box<dyn Error>> {
    let list = include_str!("data/near-midpoints.txt");
    let keys = list
        .lines()
        .map(|bits| i64::from_str_radix(bits, 16))
        .collect::<Result<Vec<i64>, _>>()?;
    let spans = keys.iter().map(|&key| Span {
        first: key,
        last: key,
    });
    let sweep = sweep("reciprocal-intel-fma")?;
    let range = Range::from_spans(Precision::F64, spans.collect())?;
    let found = search(&sweep, range, device)?.result;
    let max = found.max;
    // The reference cannot decide on which side of a midpoint the closest of these reciprocals are.
    let misrounded = keys.iter().filter(|&&key| {
        let x = f64::from_bits(key as u64);
        sweeps::rcp_newton_intel_fma::eval(x) != nearest_reciprocal(x)
    });
    println!(
        "{:<15} {:<9} {:>8} {:>19.15}  {:016x}  {:>12}  {} inputs are misrounded, no others: {}, \
         and of {} undecided ones as many as integers show",
        "RCPPS on Intel",
        "fused",
        "-",
        max.error(),
        max.key,
        keys.len(),
        misrounded.count(),
        found.misrounded,
        found.undecided
    );
    Ok(())
}

/// The double closest to `1 / x`, for `1 < x < 2`, computed in integers.
fn nearest_reciprocal(x: f64) -> f64 {
    let significand = u128::from(x.to_bits() & ((1 << 52) - 1) | 1 << 52);
    let halves = (1u128 << 106) / significand;
    (halves.div_ceil(2)) as f64 / (1u64 << 53) as f64
}

/// Figures 2 and 3.
fn figures(device: &Device) -> Result<(), Box<dyn Error>> {
    println!();
    let range = Range::parse(ESTIMATE.range(), ESTIMATE.precision())?;
    let title = "Figure 2: ARM's VRECPE, all 2^23 floats of [1, 2)";
    picture("figure-2", title, &ESTIMATE, range, None, device)?;
    for (name, title, sweep_name, newton) in [
        (
            "figure-3",
            "Figure 3: three steps from VRECPE, without FMA; dashed: proven bound",
            "reciprocal",
            Newton::new(rcp_neon::map, Form::Separate),
        ),
        (
            "figure-3-intel",
            "Three steps from Intel's RCPPS, without FMA; dashed: proven bound",
            "reciprocal-intel",
            Newton::new(rcpps_intel::map, Form::Separate),
        ),
    ] {
        let sweep = sweep(sweep_name)?;
        let range = Range::parse(sweep.range(), sweep.precision())?;
        let range = Sample::of_stretches(&sweep, &range, &Wanted::of(&sweep, 1 << 29)).range;
        // The first five inputs have no bound.
        let bound = |x: f64| newton.bound(x.max(1.0 + 1e-15));
        picture(name, title, &sweep, range, Some(&bound), device)?;
    }
    Ok(())
}

/// Searches a range and draws the result.
fn picture(
    name: &str,
    title: &str,
    sweep: &Sweep,
    range: Range,
    bound: Option<&dyn Fn(f64) -> f64>,
    device: &Device,
) -> Result<(), Box<dyn Error>> {
    let inputs = range.count();
    let found = search(sweep, range, device)?;
    let out = Path::new(FOLDER).join(name).with_extension("svg");
    draw_envelope(&run_file(sweep), title, bound, &out)?;
    println!(
        "{}: {inputs} inputs, largest error {:.6}",
        out.display(),
        found.result.max.error()
    );
    Ok(())
}

fn sweep(name: &str) -> Result<Sweep, String> {
    let found = sweeps::ALL.iter().find(|s| s.name() == name);
    found.copied().ok_or(format!("no sweep {name}"))
}

fn run_file(sweep: &Sweep) -> std::path::PathBuf {
    Path::new(FOLDER)
        .join(sweep.name())
        .with_extension("crunch")
}

/// Searches a range into a new run file.
fn search(sweep: &Sweep, range: Range, device: &Device) -> Result<Status, Box<dyn Error>> {
    let path = run_file(sweep);
    if path.exists() {
        std::fs::remove_file(&path)?;
    }
    let text = range.to_string();
    let plan = Plan::new(range, None)?;
    let mut writer = run::create(&path, sweep, &text, plan, Shard::WHOLE)?;
    let settings = Settings {
        devices: vec![device.clone()],
        groups: Groups::default(),
        command: "examples/newton".into(),
    };
    run::proceed(&mut writer, sweep, &settings, &Stop::new(), &mut |_| {})?;
    drop(writer);
    Ok(Reader::open(&path)?.status()?)
}
