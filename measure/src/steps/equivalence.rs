//! Every built-in sweep on every backend, bit for bit: `crunch verify`, in one process for each sweep, so that completed results are kept.
//!
//! The first round compares 2^22 inputs of each sweep on all backends. It gives an early result for every sweep, and the rates by which the
//! rest is planned. Then follow 2^25, 2^28 and, on CUDA, 2^32. If there is not enough time, the number of inputs is reduced, and the
//! reduction is reported.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::kit::{Kit, backends};
use crate::child::{self, Problem};
use crate::record::Record;
use crate::values::power;

/// The number of inputs of the first round, on all backends.
const TRIAL: u64 = 1 << 22;
/// The number of inputs of the next round, for the rates of longer runs: with few inputs, a device reaches a hundredth of its speed.
const LONGER: u64 = 1 << 25;
const EVERYWHERE: u64 = 1 << 28;
const ON_CUDA: u64 = 1 << 32;
/// On a device, the number of inputs with which each sweep begins.
const BRIEF: u64 = 1 << 26;
/// A comparison is not begun if less time than this is left.
const LEAST: Duration = Duration::from_secs(4);
/// A factor for the planned times, since other programs may interfere.
const CAUTION: f64 = 1.2;

/// Inputs per second of each backend.
type Rates = BTreeMap<String, f64>;

pub fn run(kit: &Kit, end: Instant, record: &mut Record) -> Result<(), String> {
    let all = backends(record);
    if all.is_empty() {
        return Err("doctor found no backend".into());
    }
    let sweeps = sweeps(kit, end)?;
    let mut tested = Tested::default();
    let mut begun: Vec<Begun<'_>> = Vec::new();
    for (i, sweep) in sweeps.iter().enumerate() {
        // Half of the time at most.
        let left = end.saturating_duration_since(Instant::now());
        let share = (left / (sweeps.len() - i) as u32 / 2).max(Duration::from_secs(1));
        let mut one = Begun::new(sweep);
        if !one.verify(
            &mut tested,
            kit,
            &all,
            TRIAL,
            Instant::now() + share,
            record,
        ) {
            // What is compiled for the device or by a compiler here may be what took so long.
            let own: Vec<String> = all.iter().filter(|b| processor(b)).cloned().collect();
            if own.len() < all.len() {
                one.verify(
                    &mut tested,
                    kit,
                    &own,
                    TRIAL,
                    Instant::now() + share,
                    record,
                );
            }
        }
        if !one.rates.is_empty() {
            begun.push(one);
        }
    }
    save(&tested, record);
    let compared = begun.len();
    // What the first round leaves of the time is for what it has reduced.
    for round in 0..2 {
        for (i, one) in begun.iter_mut().enumerate() {
            one.grow(&mut tested, kit, (round, compared - i), end, record);
            save(&tested, record);
        }
    }
    for one in &begun {
        one.reductions(record);
    }
    record.summary.push(match tested.differing.len() {
        0 => format!("{compared} of {} sweeps bit for bit the same", sweeps.len()),
        n => format!("{n} of {} sweeps differ", sweeps.len()),
    });
    if all.iter().any(|b| b == "interpreter") {
        record.reduced(
            "the interpreter: a sample of 2^18 inputs a sweep, as `verify` takes by itself".into(),
        );
    }
    Ok(())
}

/// Every sweep on 2^32 inputs, on the CUDA devices and the widest instruction set of the processor. Each sweep begins with 2^26 inputs, so
/// that it has a result even if little time is left. Starting a comparison takes longer than its first inputs, so the time is known from
/// these.
pub fn on_device(kit: &Kit, end: Instant, record: &mut Record) -> Result<(), String> {
    let all = backends(record);
    let widest = ["avx512", "avx2", "scalar"]
        .into_iter()
        .find(|set| all.iter().any(|b| b == set));
    let devices: Vec<String> = all
        .iter()
        .filter(|b| b.starts_with("cuda:"))
        .cloned()
        .collect();
    let (Some(widest), false) = (widest, devices.is_empty()) else {
        record.missing("equivalence on the device: no CUDA device".into());
        return Ok(());
    };
    let mut pair = vec![widest.to_string()];
    pair.extend(devices);
    let sweeps = sweeps(kit, end)?;
    let mut tested = Tested::default();
    let mut open: Vec<(&String, f64)> = Vec::new();
    for sweep in &sweeps {
        let begun = Instant::now();
        if let Some(rates) = tested.verify(kit, sweep, &pair, BRIEF, end, record) {
            // The rate grows with the number of inputs, so this is an upper bound of the time.
            let slowest = rates.values().copied().fold(f64::INFINITY, f64::min);
            let longest = begun.elapsed().as_secs_f64() + ON_CUDA as f64 / slowest.max(1.0);
            open.push((sweep, longest));
        }
        save(&tested, record);
    }
    // Those that take least first: most are done when the time is up.
    open.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut whole = 0;
    for (sweep, _) in &open {
        let left = end.saturating_duration_since(Instant::now());
        if left < LEAST {
            record.reduced(format!(
                "{sweep} on the device: {}, not {}: no time",
                power(BRIEF),
                power(ON_CUDA)
            ));
            continue;
        }
        if tested
            .verify(kit, sweep, &pair, ON_CUDA, end, record)
            .is_some()
        {
            whole += 1;
        }
        save(&tested, record);
    }
    record.summary.push(match tested.differing.len() {
        0 => format!(
            "{whole} of {} sweeps bit for bit the same on 2^32 inputs",
            sweeps.len()
        ),
        n => format!("{n} of {} sweeps differ", sweeps.len()),
    });
    Ok(())
}

fn processor(backend: &str) -> bool {
    ["scalar", "avx2", "avx512", "interpreter"].contains(&backend)
}

/// A sweep, with the rates and the largest number of inputs of each backend so far.
struct Begun<'a> {
    sweep: &'a str,
    rates: Rates,
    done: BTreeMap<String, u64>,
}

impl<'a> Begun<'a> {
    fn new(sweep: &'a str) -> Self {
        Begun {
            sweep,
            rates: Rates::new(),
            done: BTreeMap::new(),
        }
    }

    /// One comparison; false if it did not end.
    fn verify(
        &mut self,
        tested: &mut Tested,
        kit: &Kit,
        backends: &[String],
        inputs: u64,
        end: Instant,
        record: &mut Record,
    ) -> bool {
        let Some(rates) = tested.verify(kit, self.sweep, backends, inputs, end, record) else {
            return false;
        };
        for backend in rates.keys() {
            let done = self.done.entry(backend.clone()).or_default();
            *done = inputs.max(*done);
        }
        self.rates.extend(rates);
        true
    }

    /// More inputs for the backends that have not had all of theirs: in round 0 in steps, as the rates become better known. The remaining
    /// time is for this many sweeps.
    fn grow(
        &mut self,
        tested: &mut Tested,
        kit: &Kit,
        (round, sweeps): (u32, usize),
        end: Instant,
        record: &mut Record,
    ) {
        let share = |part: f64| {
            let left = end.saturating_duration_since(Instant::now());
            left.mul_f64(part / sweeps as f64).as_secs_f64()
        };
        let cuda = self.rates.keys().any(|b| b.starts_with("cuda:"));
        let part = if cuda { 0.5 } else { 1.0 };
        let steps = [(LONGER, 0.2 * part), (EVERYWHERE, part)];
        for (inputs, part) in steps.into_iter().skip(round as usize) {
            for planned in plan(&self.rates, inputs, share(part)) {
                let lacking = |b: &String| self.done[b] < planned.inputs;
                if planned.backends.iter().any(lacking) {
                    self.verify(tested, kit, &planned.backends, planned.inputs, end, record);
                }
            }
        }
        self.on_cuda(tested, kit, share(1.0), end, record);
    }

    /// CUDA devices on 2^32 inputs, compared with the fastest backend of the processor.
    fn on_cuda(
        &mut self,
        tested: &mut Tested,
        kit: &Kit,
        time: f64,
        end: Instant,
        record: &mut Record,
    ) {
        let devices = self.rates.keys().filter(|b| b.starts_with("cuda:"));
        let devices: Vec<String> = devices.cloned().collect();
        let own = self
            .rates
            .keys()
            .filter(|b| processor(b) && *b != "interpreter");
        let fastest = own.max_by(|a, b| self.rates[*a].total_cmp(&self.rates[*b]));
        let backends: Vec<String> = fastest.into_iter().chain(&devices).cloned().collect();
        if devices.is_empty() {
            return;
        }
        let inputs = affordable(&backends, &self.rates, ON_CUDA, time);
        if devices.iter().any(|d| self.done[d] < inputs) {
            self.verify(tested, kit, &backends, inputs, end, record);
        }
    }

    /// Reports which backends had fewer inputs than planned.
    fn reductions(&self, record: &mut Record) {
        for (backend, &done) in &self.done {
            let wanted = match backend.as_str() {
                "interpreter" => continue,
                b if b.starts_with("cuda:") => ON_CUDA,
                _ => EVERYWHERE,
            };
            if done < wanted {
                record.reduced(format!(
                    "{} on {backend}: {} inputs, not {}",
                    self.sweep,
                    power(done),
                    power(wanted)
                ));
            }
        }
    }
}

/// A comparison: the first backend is the baseline.
#[derive(Debug, PartialEq)]
struct Part {
    backends: Vec<String>,
    inputs: u64,
}

/// The seconds for an input on all of them, with a margin.
fn cost(backends: &[String], rates: &Rates) -> f64 {
    let rates = backends.iter().filter_map(|b| rates.get(b));
    rates.map(|r| CAUTION / r.max(1.0)).sum()
}

/// The largest power of two up to `most` for which there is time.
fn affordable(backends: &[String], rates: &Rates, most: u64, seconds: f64) -> u64 {
    let cost = cost(backends, rates);
    let mut inputs = most;
    while inputs > 1 && inputs as f64 * cost > seconds {
        inputs /= 2;
    }
    inputs
}

/// The fast backends on `most` inputs, or on as many as the time allows; each of the other backends on what the remaining time allows,
/// compared with the fastest one.
fn plan(rates: &Rates, most: u64, seconds: f64) -> Vec<Part> {
    let mut names: Vec<String> = rates
        .keys()
        .filter(|b| *b != "interpreter")
        .cloned()
        .collect();
    names.sort_by(|a, b| rates[b].total_cmp(&rates[a]));
    let mut together = names.len();
    while together > 2 && affordable(&names[..together], rates, most, 0.75 * seconds) < most {
        together -= 1;
    }
    if affordable(&names, rates, most, seconds) == most {
        together = names.len();
    }
    let (fast, slow) = names.split_at(together.min(names.len()));
    if fast.len() < 2 {
        return Vec::new();
    }
    let inputs = affordable(fast, rates, most, seconds);
    let mut parts = vec![Part {
        backends: fast.to_vec(),
        inputs,
    }];
    let left = seconds - inputs as f64 * cost(fast, rates);
    for backend in slow {
        let backends = vec![fast[0].clone(), backend.clone()];
        parts.push(Part {
            inputs: affordable(&backends, rates, most, left / slow.len() as f64),
            backends,
        });
    }
    parts
}

/// The names of the built-in sweeps.
fn sweeps(kit: &Kit, end: Instant) -> Result<Vec<String>, String> {
    let ended = child::run(kit.program("crunch").args(["list", "--json"]), end);
    if let Some(Problem::Failed(text) | Problem::TimedOut(text)) = &ended.problem {
        return Err(format!("{text}: {}", ended.last_message()));
    }
    let document: Value = serde_json::from_str(&ended.stdout).map_err(|e| e.to_string())?;
    let names: Vec<String> = document
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|s| Some(s["sweep"].as_str()?.to_string()))
        .collect();
    match names.is_empty() {
        true => Err("`crunch list` names no sweep".into()),
        false => Ok(names),
    }
}

/// The results of a comparison.
#[derive(Default)]
struct Tested {
    comparisons: Vec<Value>,
    differing: Vec<String>,
}

impl Tested {
    /// One comparison; the rates of the backends, if it ended.
    fn verify(
        &mut self,
        kit: &Kit,
        sweep: &str,
        backends: &[String],
        inputs: u64,
        end: Instant,
        record: &mut Record,
    ) -> Option<Rates> {
        let mut command = kit.program("crunch");
        command.args(["verify", sweep, "--json", "--quiet", "--backend"]);
        command.arg(backends.join(","));
        command.args(["--inputs", &inputs.to_string()]);
        let ended = child::run(&mut command, end);
        if let Some(Problem::TimedOut(text)) = &ended.problem {
            record.incomplete(format!("{sweep}, {} inputs: {text}", power(inputs)));
            return None;
        }
        // A difference ends the program with an error, after its document.
        let document = serde_json::from_str::<Value>(&ended.stdout).ok();
        let Some(found) = document.as_ref().map(|d| &d[0]).filter(|d| d.is_object()) else {
            let why = ended.last_message();
            record.failure(format!("{sweep}, {} inputs: {why}", power(inputs)));
            return None;
        };
        let rows = found["backends"].as_array().cloned().unwrap_or_default();
        let mut rates = Rates::new();
        let mut table = Vec::new();
        for row in &rows {
            let name = row["backend"].as_str().unwrap_or("?");
            if let Some(rate) = row["rate"].as_f64() {
                rates.insert(name.into(), rate);
            }
            table.push(json!({
                "backend": name,
                "inputs": row["inputs"],
                "rate": row["rate"],
                "digest": row["result"]["digest"],
                "verdict": row["verdict"],
                "difference": row["difference"],
            }));
        }
        let same = found["identical"] == true && rows.len() == backends.len();
        let findings = found["findings"].as_array().is_some_and(|f| !f.is_empty());
        if !same {
            self.differing.push(sweep.into());
            record.failure(format!(
                "{sweep}, {} inputs: the backends differ",
                power(inputs)
            ));
        }
        if findings || (same && ended.problem.is_some()) {
            record.failure(format!(
                "{sweep}: {}: {}",
                found["findings"],
                ended.last_message()
            ));
        }
        println!(
            "{sweep}: {} inputs on {} in {:.1} s: {}",
            power(inputs),
            backends.join(", "),
            ended.seconds,
            if same {
                "bit for bit the same"
            } else {
                "DIFFERENT"
            }
        );
        self.comparisons.push(json!({
            "sweep": sweep,
            "asked": inputs,
            "edges": found["edges"],
            "max_error": rows.first().map(|r| r["result"]["max_error"]["error"].clone()),
            "identical": same,
            "backends": table,
            "seconds": (ended.seconds * 10.0).round() / 10.0,
        }));
        Some(rates)
    }
}

fn save(tested: &Tested, record: &mut Record) {
    record
        .found
        .insert("equivalence".into(), tested.comparisons.clone().into());
    record.write();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_backends_get_what_is_left() {
        let rates = Rates::from([
            ("avx512".into(), 400e6),
            ("avx2".into(), 200e6),
            ("scalar".into(), 50e6),
            ("cuda-host".into(), 1e6),
            ("interpreter".into(), 1e6),
        ]);
        let [fast, slow] = &plan(&rates, 1 << 28, 60.0)[..] else {
            panic!("two parts")
        };
        assert_eq!(fast.backends, ["avx512", "avx2", "scalar"]);
        assert_eq!(fast.inputs, 1 << 28);
        assert_eq!(slow.backends, ["avx512", "cuda-host"]);
        // 2^24 inputs take 20 s.
        assert_eq!(slow.inputs, 1 << 25);
        // All, where there is time.
        assert_eq!(plan(&rates, 1 << 28, 1000.0).len(), 1);
        // The two fastest on less, where there is none.
        let parts = plan(&rates, 1 << 28, 0.5);
        assert_eq!(parts[0].backends, ["avx512", "avx2"]);
        assert_eq!(parts[0].inputs, 1 << 25);
    }
}
