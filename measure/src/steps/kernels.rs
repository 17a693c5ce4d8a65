//! Random kernels: on the processor's instruction sets as rustc compiled them when the kit was built; on CUDA devices as text. The
//! interpreter's results are the standard of comparison.

use std::collections::BTreeMap;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use super::kit::{Kit, backends};
use crate::child::{self, Problem};
use crate::record::Record;

/// The number of kernels per process for kernels as text: completed ones count when the time is up.
const TOGETHER: u64 = 100;

/// At least 500 kernels are run as text, even if fewer were compiled when the kit was made: texts need no more space.
fn texts_of(kernels: u64) -> u64 {
    kernels.max(500)
}

pub fn run(kit: &Kit, end: Instant, record: &mut Record) -> Result<(), String> {
    let number = |name: &str| {
        let n = kit.about[name].as_u64();
        n.ok_or(format!("kit.json has no number `{name}`"))
    };
    let (seed, kernels) = (number("seed")?, number("kernels")?);
    let mut all = Tally::default();
    let compiled = |name: &&String| ["scalar", "avx2", "avx512"].contains(&name.as_str());
    let (compiled, texts): (Vec<_>, Vec<_>) = backends(record)
        .into_iter()
        .filter(|name| name != "interpreter")
        .partition(|name| compiled(&name));
    if compiled.is_empty() {
        return Err("no backend of the processor".into());
    }
    let mut command = program(kit, seed, 0, kernels);
    command.args(["--only", "rust", "--backends", &compiled.join(",")]);
    command.arg("--prebuilt").arg(kit.folder.join("kernels"));
    all.add("compiled", &mut command, end, record);
    let first_text = Instant::now();
    for (i, backend) in texts.iter().enumerate() {
        let left = end.saturating_duration_since(first_text);
        let end = first_text + left.mul_f64((i + 1) as f64 / texts.len() as f64);
        let mut took = Duration::from_secs(1);
        for from in (0..texts_of(kernels)).step_by(TOGETHER as usize) {
            // A compiler that is given less time than it needs is no finding.
            let begun = Instant::now();
            if end.saturating_duration_since(begun) < took.mul_f64(1.5) {
                let done = all.evaluations.get(backend).copied().unwrap_or(0);
                record.reduced(format!(
                    "random kernels on {backend}: {from} of {} in the time there is ({done} evaluations)",
                    texts_of(kernels)
                ));
                break;
            }
            let mut command = program(kit, seed, from, TOGETHER.min(texts_of(kernels) - from));
            command.args(["--only", "text", "--backends"]);
            command.arg(format!("interpreter,{backend}"));
            all.add(backend, &mut command, end, record);
            took = begun.elapsed();
        }
    }
    for (backend, n) in &all.evaluations {
        println!("{backend}: {n} evaluations");
    }
    record.found.insert(
        "random_kernels".into(),
        json!({ "seed": seed, "kernels": kernels, "evaluations": all.evaluations, "agree": !all.wrong, "ended": !all.stopped }),
    );
    let on = all.evaluations.len();
    record.summary.push(match (all.wrong, all.stopped) {
        (true, _) => format!("{kernels} random kernels do NOT all agree"),
        (false, true) => format!("random kernels agree on {on} backends as far as they were run"),
        (false, false) => format!("{kernels} random kernels agree on {on} backends"),
    });
    Ok(())
}

fn program(kit: &Kit, seed: u64, from: u64, kernels: u64) -> Command {
    let mut command = kit.program("random-kernels");
    command.args(["--seed", &seed.to_string()]);
    command.args(["--from", &from.to_string()]);
    command.args(["--kernels", &kernels.to_string()]);
    command
}

/// Evaluations of each backend.
#[derive(Default)]
struct Tally {
    evaluations: BTreeMap<String, u64>,
    /// Whether something differed or failed.
    wrong: bool,
    /// Whether something did not end.
    stopped: bool,
}

impl Tally {
    /// Runs a part.
    fn add(&mut self, what: &str, command: &mut Command, end: Instant, record: &mut Record) {
        let ended = child::run(command, end);
        for (backend, n) in evaluations(&ended.stdout) {
            *self.evaluations.entry(backend.into()).or_default() += n;
        }
        match &ended.problem {
            None => {}
            Some(Problem::TimedOut(text)) => {
                self.stopped = true;
                record.incomplete(format!("random kernels, {what}: {text}"));
            }
            Some(Problem::Failed(text)) => {
                self.wrong = true;
                print!("{}", ended.stdout);
                record.failure(format!(
                    "random kernels, {what}: {text}: {}",
                    ended.last_message()
                ));
            }
        }
    }
}

/// The rows of the table at the end: a backend and a number.
fn evaluations(stdout: &str) -> impl Iterator<Item = (&str, u64)> {
    stdout.lines().filter_map(|line| {
        let [backend, n] = line.split_whitespace().collect::<Vec<_>>()[..] else {
            return None;
        };
        Some((backend, n.parse().ok()?)).filter(|_| backend != "seed")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read_and_nothing_else() {
        let text = "seed 16\n      6 s: 120 kernels, 2.458e6 evaluations, 0 failures\navx2                 491520\n\
                    interpreter 491520\ncuda     not run: no driver\nall   2457600 evaluations of 120 kernels, 0 failures\n";
        let found: Vec<_> = evaluations(text).collect();
        assert_eq!(found, [("avx2", 491_520), ("interpreter", 491_520)]);
    }
}
