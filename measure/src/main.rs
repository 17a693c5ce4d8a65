//! `measure`: tests this project's claims on a machine with nothing installed. `cargo xtask kit` puts it into a folder together with the
//! programs that it runs. docs/book/src/contribute/kit.md shows its output.
//!
//! | file | contents |
//! |---|---|
//! | `options.rs` | the command line |
//! | `machine.rs`, `nvrtc.rs` | the description of the machine; the place of NVIDIA's compiler |
//! | `child.rs` | a program under a time limit |
//! | `record.rs` | the record of what was found, missing, reduced and wrong, written after each step |
//! | `steps/` | the steps: `doctor`, rivals, threads, random kernels, equivalence; with `--device-day` those that need a GPU |
//! | `page.rs`, `device_page.rs` | the page for docs/book/src/contribute/log/performance.md |

mod child;
mod date;
mod device_page;
mod machine;
mod nvrtc;
mod options;
mod page;
mod record;
mod steps;
mod values;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use options::Options;
use record::Record;
use steps::{DEVICE_DAY, Kit, STEPS, Step};

fn main() -> ExitCode {
    let options = match Options::read(std::env::args_os()) {
        Ok(options) => options,
        Err(text) => {
            eprintln!("{text}");
            return ExitCode::from(2);
        }
    };
    if options.help {
        println!("{}", options::HELP);
        return ExitCode::SUCCESS;
    }
    let begun = Instant::now();
    let mut record = Record::new(&options.out);
    let kit = match Kit::open(&options, &mut record) {
        Ok(kit) => kit,
        Err(text) => {
            eprintln!("measure: {text}");
            return ExitCode::from(2);
        }
    };
    machine::describe(&mut record);
    nvrtc::describe(kit.nvrtc.as_ref(), &mut record);
    record.write();
    let end = begun + options.time;
    let steps: &[Step] = match options.device_day {
        true => &DEVICE_DAY,
        false => &STEPS,
    };
    for (i, step) in steps.iter().enumerate() {
        // What a step leaves of its time is for those after it.
        let weights: f64 = steps[i..].iter().map(|s| s.weight).sum();
        let left = end.saturating_duration_since(Instant::now());
        let limit = left.mul_f64(step.weight / weights).max(SHORTEST);
        println!("\n== {} (at most {} s)", step.name, limit.as_secs());
        let started = Instant::now();
        let before = record.problems();
        let result = (step.run)(&kit, started + limit, &mut record);
        if let Err(reason) = &result {
            record.failure(format!("{}: {reason}", step.name));
        }
        let ended_well = record.problems() == before;
        record.step(step.name, ended_well, started.elapsed());
        record.write();
    }
    record.finish(begun.elapsed())
}

/// The least time of a step, however little time is left.
const SHORTEST: Duration = Duration::from_secs(2);
