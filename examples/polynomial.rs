//! The paper's Section 5: the distance of Horner's scheme with fused multiply-adds, through rounding, from a polynomial of degree 21 for
//! log x on [√½, √2], and the bound that Gappa proves from the same source; Figure 5.
//!
//! Without arguments, it takes a sample: 2^28 of the 2^52 inputs. `--inputs N` sets the number of inputs (`2^32` is allowed). `--range R`
//! takes every input of R, or a sample of it if `--inputs` is also given. `--steps N` sets the number of stretches for Gappa. Picture, run
//! file and bounds go to `target/polynomial`.

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use doublecrunch::backend::discover;
use doublecrunch::driver::draw_envelope;
use doublecrunch::search::engine::{Device, Groups, Stop};
use doublecrunch::search::format::rows;
use doublecrunch::search::gappa::{Gappa, Step, profile, write_table};
use doublecrunch::search::key::Precision;
use doublecrunch::search::plan::Plan;
use doublecrunch::search::range::Range;
use doublecrunch::search::run::{self, Settings};
use doublecrunch::search::run_file::Reader;
use doublecrunch::search::sample::{Sample, Wanted};
use doublecrunch::search::shard::Shard;
use doublecrunch::search::show;
use doublecrunch::sweep::Sweep;
use doublecrunch::sweeps;

const FOLDER: &str = "target/polynomial";
const HINTS: &str = include_str!("data/log_polynomial.hints");
const USAGE: &str = "the arguments there are: --inputs N, --range R, --steps N";
/// An upper bound of the reference's own error in ULP. Its relative error is 2^-98, by the proof in `dc-runtime/src/sweeps/log.rs`.
const REFERENCE: f64 = 1e-13;

struct Asked {
    inputs: Option<u64>,
    range: Option<String>,
    steps: u64,
}

fn main() -> ExitCode {
    match run_all() {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::FAILURE
        }
    }
}

fn run_all() -> Result<(), Box<dyn Error>> {
    let asked = arguments(std::env::args().skip(1))?;
    let sweep = sweeps::ALL.iter().find(|s| s.name() == "log-polynomial");
    let sweep = sweep.ok_or("no sweep log-polynomial")?;
    let text = asked.range.as_deref().unwrap_or(sweep.range());
    let whole = Range::parse(text, Precision::F64)?;
    let searched = match (asked.inputs, &asked.range) {
        (None, Some(_)) => whole.clone(),
        (n, _) => {
            let wanted = Wanted::of(sweep, n.unwrap_or(1 << 28));
            Sample::of_stretches(sweep, &whole, &wanted).range
        }
    };
    std::fs::create_dir_all(FOLDER)?;

    let steps = bounds(sweep, &whole, asked.steps)?;
    let file = search(sweep, &searched)?;
    println!("{}", share(&searched, &whole));
    compare(&file, &steps)?;
    for ending in ["svg", "png"] {
        let out = Path::new(FOLDER).join("figure5").with_extension(ending);
        let bound = |x: f64| at(&steps, x);
        let bound: Option<&dyn Fn(f64) -> f64> = if steps.is_empty() { None } else { Some(&bound) };
        draw_envelope(
            &file,
            "log x by a polynomial of degree 21: rounding errors",
            bound,
            &out,
        )?;
        println!("{}", out.display());
    }
    Ok(())
}

fn arguments(mut args: impl Iterator<Item = String>) -> Result<Asked, String> {
    let mut asked = Asked {
        inputs: None,
        range: None,
        steps: 64,
    };
    let number = |text: &str| match text.split_once('^') {
        Some(("2", k)) => k.parse().ok().and_then(|k| 1u64.checked_shl(k)),
        Some(_) => None,
        None => text.parse().ok(),
    };
    while let Some(name) = args.next() {
        let value = args.next().ok_or(USAGE)?;
        let count = number(&value).filter(|&n| n > 0);
        match &name[..] {
            "--inputs" => asked.inputs = Some(count.ok_or("--inputs: write a number, or 2^28")?),
            "--steps" => asked.steps = count.ok_or("--steps: write a number")?,
            "--range" => asked.range = Some(value),
            _ => return Err(USAGE.into()),
        }
    }
    Ok(asked)
}

/// The share of the range that was searched.
fn share(searched: &Range, whole: &Range) -> String {
    let (n, of) = (searched.count(), whole.count());
    if n == of {
        format!("every one of the range's {} inputs", show::count(n))
    } else {
        let (n, of) = (show::count(n), show::count(of));
        format!("{n} inputs, a sample of the range's {of} (not exhaustive)")
    }
}

/// The bounds that Gappa proves; none if Gappa is missing.
fn bounds(sweep: &Sweep, range: &Range, steps: u64) -> Result<Vec<Step>, Box<dyn Error>> {
    let Some(gappa) = Gappa::find() else {
        println!("no bound: Gappa is not here; as root: apt-get install gappa");
        return Ok(Vec::new());
    };
    let begun = Instant::now();
    let steps = profile(
        &gappa,
        sweep.candidate().kernel().expect("a kernel").kernel,
        range,
        steps,
        HINTS,
    )?;
    let out = Path::new(FOLDER).join("bound.tsv");
    std::fs::write(&out, write_table(sweep.precision(), &steps))?;
    println!(
        "{}: Gappa's bounds on {} stretches, in {:.1} s",
        out.display(),
        steps.len(),
        begun.elapsed().as_secs_f64()
    );
    Ok(steps)
}

/// The bound at an input.
fn at(steps: &[Step], x: f64) -> f64 {
    let key = Precision::F64.key_of_bits(x.to_bits());
    let i = steps.partition_point(|s| s.last < key);
    steps.get(i).map_or(f64::INFINITY, |s| s.ulp)
}

/// Searches a range into a new run file.
fn search(sweep: &Sweep, range: &Range) -> Result<std::path::PathBuf, Box<dyn Error>> {
    let path = Path::new(FOLDER).join("run.crunch");
    if path.exists() {
        std::fs::remove_file(&path)?;
    }
    let widest = discover(&"scalar,avx2,avx512".parse()?).backends.pop();
    let device = Device::new(
        widest.ok_or("no backend")?,
        std::thread::available_parallelism()?.get(),
    );
    let plan = Plan::new(range.clone(), None)?;
    let mut writer = run::create(&path, sweep, &range.to_string(), plan, Shard::WHOLE)?;
    let begun = Instant::now();
    let settings = Settings {
        devices: vec![device.clone()],
        groups: Groups::default(),
        command: "examples/polynomial".into(),
    };
    run::proceed(&mut writer, sweep, &settings, &Stop::new(), &mut |_| {})?;
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{}: searched on {} in {seconds:.1} s ({} inputs/s)",
        path.display(),
        device.backend.id(),
        show::si(range.count() as f64 / seconds)
    );
    Ok(path)
}

/// Prints the largest errors and bounds, and checks that no error is above its bound.
fn compare(file: &Path, steps: &[Step]) -> Result<(), Box<dyn Error>> {
    let reader = Reader::open(file)?;
    let result = reader.status()?.result;
    for (name, max) in [
        ("largest error", result.max),
        ("above", result.max_positive),
        ("below", result.max_negative),
    ] {
        let bits = Precision::F64.bits_of_key(max.key);
        println!(
            "{name:<14} {:.9} ULP at {:?} ({bits:016x})",
            max.error(),
            f64::from_bits(bits)
        );
    }
    let misrounded = result.misrounded as f64 / result.count as f64;
    println!("misrounded     {:.4} %", 100.0 * misrounded);
    if steps.is_empty() {
        return Ok(());
    }
    let worst = steps.iter().map(|s| s.ulp).fold(0.0, f64::max);
    println!("Gappa's bound  {worst:.9} ULP, the largest of the stretches'");
    let mut closest = (0.0, 0.0);
    for row in rows(&reader, 1)? {
        let inside = |s: &&Step| s.first <= row.last_key && row.first_key <= s.last;
        let bound = steps
            .iter()
            .filter(inside)
            .map(|s| s.ulp)
            .fold(0.0, f64::max);
        let error = row.result.max.error();
        if error > bound + REFERENCE {
            return Err(format!(
                "{error} ULP between keys {} and {}, where Gappa's bound is {bound}",
                row.first_key, row.last_key
            )
            .into());
        }
        if error * closest.1 >= closest.0 * bound {
            closest = (error, bound);
        }
    }
    println!(
        "no error is above its stretch's bound; the nearest comes to {:.6} of {:.6}",
        closest.0, closest.1
    );
    Ok(())
}
