//! The benchmark of the kernels beside their rivals, and our loop on increasing numbers of threads. Each table has its own process, so that
//! a failure in one does not affect the others.

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::kit::{Kit, backends};
use crate::child::{self, Problem};
use crate::record::Record;

/// The rivals' names.
pub const KERNELS: [&str; 4] = ["reciprocal", "log_polynomial", "exp", "reciprocal_f32"];

pub fn rivals(kit: &Kit, end: Instant, record: &mut Record) -> Result<(), String> {
    let gpu = backends(record).iter().any(|b| b.starts_with("cuda:"));
    let parts: &[&str] = if gpu { &["cuda", "cpu"] } else { &["cpu"] };
    if !gpu {
        record.missing("times on a GPU: no CUDA device; neither rivals in CUDA nor the FP64 issue limit are measured".into());
    }
    tables(kit, end, record, parts);
    summarise(record);
    Ok(())
}

/// The rivals in CUDA, and the limit, each measured alone.
pub fn on_gpu(kit: &Kit, end: Instant, record: &mut Record) {
    tables(kit, end, record, &["cuda"]);
    summarise(record);
}

fn summarise(record: &mut Record) {
    for (part, name) in [
        ("cuda", "GPU over rival"),
        ("cpu", "over the best rival in C"),
    ] {
        let best: Vec<String> = part_of(record, part).filter_map(best).collect();
        if !best.is_empty() {
            // On a machine in use a ratio says little.
            let spread = part_of(record, part).flat_map(spreads).fold(0.0, f64::max);
            let spread = format!("spreads up to {:.0} %", 100.0 * spread);
            record
                .summary
                .push(format!("{name}: {} ({spread})", best.join(", ")));
        } else if part == "cpu" && part_of(record, part).next().is_some() {
            record.missing("rivals in C: none ran".into());
        }
    }
    let limits: Vec<String> = part_of(record, "cuda")
        .filter_map(|t| Some((t["kernel"].as_str()?, t["of_limit"]["part"].as_f64()?)))
        .map(|(kernel, part)| format!("{kernel} {:.0} %", 100.0 * part))
        .collect();
    if !limits.is_empty() {
        record
            .summary
            .push(format!("of the FP64 issue limit: {}", limits.join(", ")));
    }
}

pub fn threads(kit: &Kit, end: Instant, record: &mut Record) -> Result<(), String> {
    tables(kit, end, record, &["threads"]);
    let all: Vec<String> = part_of(record, "threads")
        .filter_map(|t| {
            let rows = t["table"].as_array()?;
            let (one, all) = (rows.first()?["rate"].as_f64()?, rows.last()?);
            Some(format!(
                "{} {:.2}",
                t["kernel"].as_str()?,
                all["rate"].as_f64()? / one
            ))
        })
        .collect();
    if !all.is_empty() {
        record
            .summary
            .push(format!("all threads over one: {}", all.join(", ")));
    }
    Ok(())
}

/// The tables of a part that are recorded.
fn part_of<'a>(record: &'a Record, part: &str) -> impl Iterator<Item = &'a Value> {
    let tables = record.found.get(part).and_then(Value::as_array);
    tables.into_iter().flatten()
}

/// The kernel, and how many times as fast as the best rival ours is. Rivals that only search for the maximum do less work.
fn best(table: &Value) -> Option<String> {
    let rows = table["table"].as_array()?.iter();
    let ratio = rows
        .filter(|row| {
            let name = row["contestant"].as_str().unwrap_or_default();
            name.starts_with('C') && !name.contains("maximum")
        })
        .filter_map(|row| row["ratio"].as_f64())
        .min_by(f64::total_cmp)?;
    Some(format!("{} {ratio:.2}", table["kernel"].as_str()?))
}

/// The spreads of a table's rows.
fn spreads(table: &Value) -> impl Iterator<Item = f64> {
    let rows = table["table"].as_array().into_iter().flatten();
    rows.filter_map(|row| row["spread"].as_f64())
}

fn tables(kit: &Kit, end: Instant, record: &mut Record, parts: &[&str]) {
    let all: Vec<(&str, &str)> = parts
        .iter()
        .flat_map(|part| KERNELS.map(|kernel| (*part, kernel)))
        .collect();
    for (i, (part, kernel)) in all.iter().enumerate() {
        let left = end.saturating_duration_since(Instant::now());
        let share = left / (all.len() - i) as u32;
        let command = &mut limit(kit, part, kernel, share);
        let ended = child::run(command, Instant::now() + share.max(Duration::from_secs(1)));
        let mut lines = Vec::new();
        for line in ended.stdout.lines() {
            match line.strip_prefix("@json ") {
                Some(line) => lines.extend(serde_json::from_str::<Value>(line)),
                None if line.starts_with("Medians of") => {}
                // MPFR is not linked, and what the kit lacks is counted elsewhere.
                None if line.starts_with("!! no MPFR") => {}
                None => match line.strip_prefix("!! ") {
                    Some(text) => record.reduced(format!("{part} {kernel}: {text}")),
                    None => println!("{line}"),
                },
            }
        }
        let nothing = lines.is_empty() && ended.problem.is_none();
        let tables = record
            .found
            .entry(*part)
            .or_insert_with(|| Vec::<Value>::new().into());
        if let Some(tables) = tables.as_array_mut() {
            tables.append(&mut lines);
        }
        match &ended.problem {
            Some(Problem::TimedOut(text)) => {
                record.incomplete(format!("{part} {kernel}: {text}"));
            }
            Some(Problem::Failed(text)) => {
                record.failure(format!(
                    "{part} {kernel}: {text}: {}",
                    panic_of(&ended.stderr)
                ));
            }
            None if nothing => record.failure(format!("{part} {kernel}: it printed no table")),
            None => {}
        }
        record.write();
    }
}

/// The benchmark's command. Rounds get a quarter of the time, and so does the choice among the variants of rivals. Before that, the blocks
/// of all of them are compared. A round that has begun is completed.
fn limit(kit: &Kit, part: &str, kernel: &str, share: Duration) -> Command {
    let rivals = kit.folder.join("rivals");
    let mut command = kit.program("limit");
    command.args(["--json", "--only", part]);
    let (rounds, seconds) = match part {
        "threads" => ("9", share.as_secs_f64() / 2.0),
        _ => ("15", share.as_secs_f64() / 4.0),
    };
    command.args(["--rounds", rounds, "--seconds", &format!("{seconds:.2}")]);
    command.arg("--rivals").arg(rivals.join("c"));
    command.arg("--cuda-rivals").arg(rivals.join("cuda"));
    let counts = rivals.join("binary64.tsv");
    if counts.is_file() {
        command.arg("--binary64").arg(counts);
    }
    command.arg(kernel);
    command
}

/// The message of a panic in one line.
fn panic_of(stderr: &str) -> String {
    let lines = stderr.lines().filter(|l| !l.starts_with("note: run with"));
    let text: Vec<&str> = lines.map(str::trim).filter(|l| !l.is_empty()).collect();
    let text = text.join(" ");
    match text.char_indices().nth(400) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_best_rival_is_one_that_does_all_that_ours_does() {
        let row = |name: &str, ratio: f64| json!({ "contestant": name, "ratio": ratio });
        let table = json!({ "kernel": "exp", "table": [
            row("ours, avx2", 1.0), row("C, avx2, gcc, 4-fused", 1.2), row("C, avx2, clang, 2-passes", 1.1),
            row("C, avx2, gcc, 2-passes-maximum", 0.7), row("Rust, plain, maximum", 0.6),
        ] });
        assert_eq!(best(&table).as_deref(), Some("exp 1.10"));
        assert_eq!(
            best(&json!({ "kernel": "exp", "table": [row("ours", 1.0)] })),
            None
        );
    }
}
