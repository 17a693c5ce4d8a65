//! `status` of a folder of unfinished proofs (`exact --shard`): the state of each shard, and the command that continues it.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde_json::{Value, json};

use crate::context::{Context, shell};
use crate::failure::Failure;
use dc_exact::exact::journal::{About, Journal};
use dc_runtime::model::show;
use dc_runtime::search::proof;
use dc_runtime::search::shard::Shard;
use dc_runtime::search::shards::run_files;

/// One shard of a proof.
struct Part {
    path: PathBuf,
    shard: Shard,
    state: &'static str,
    /// The reason why it is not part of this proof.
    reason: Option<String>,
    /// The number of completed pieces at its present level.
    pieces: usize,
    level: Option<f64>,
    age: Option<f64>,
}

/// Whether a folder holds proofs and no run file.
pub(super) fn are_meant(folder: &Path) -> Result<bool, Failure> {
    Ok(run_files(folder)?.is_empty() && !proof::files(folder)?.is_empty())
}

/// Reads the folder, and prints its state or returns its document.
pub(super) fn status(folder: &Path, context: &mut Context) -> Result<Option<Value>, Failure> {
    let mut read = Vec::new();
    let mut others = Vec::new();
    for path in proof::files(folder)? {
        match proof::read(&path) {
            Ok(journal) => read.push((path, journal)),
            Err(e) => others.push((path, e.to_string())),
        }
    }
    let Some((first, journal)) = read.first() else {
        let why = others.first().map_or("", |(_, why)| why);
        return Err(Failure::input(format!(
            "{}: no proof in this folder can be read; {why}",
            folder.display()
        )));
    };
    let (about, count) = (journal.about.clone(), journal.share.count);
    let certificate = certificate_of(first);
    let mut found: Vec<Part> = (1..=count)
        .filter_map(|i| Shard::new(i, count))
        .map(|shard| Part {
            path: proof::beside(&certificate, shard),
            shard,
            state: "missing",
            reason: None,
            pieces: 0,
            level: None,
            age: None,
        })
        .collect();
    for (path, journal) in read {
        let part = part(path, &journal, &about, count);
        let place = found.get_mut(journal.share.index as usize);
        match place.filter(|p| part.reason.is_none() && p.state == "missing") {
            Some(place) => *place = part,
            None => found.push(Part {
                state: "misfit",
                reason: part
                    .reason
                    .or(Some("another file is the same shard".into())),
                ..part
            }),
        }
    }
    for (path, why) in others {
        let age = age(&path);
        found.push(Part {
            path,
            shard: Shard::WHOLE,
            state: "misfit",
            reason: Some(why),
            pieces: 0,
            level: None,
            age,
        });
    }
    let done = Some(certificate.clone()).filter(|c| c.is_file());
    let complete = found.iter().all(|p| p.state == "complete");
    if context.json {
        let found = found.iter().map(|p| {
            json!({
                "file": p.path.display().to_string(),
                "shard": (p.state != "misfit").then(|| p.shard.to_string()),
                "state": p.state,
                "reason": p.reason,
                "pieces": p.pieces,
                "level": p.level,
                "seconds_since_written": p.age,
                "remedy": remedy(p, &about, &certificate, &context.program),
            })
        });
        let found: Vec<Value> = found.collect();
        return Ok(Some(json!({
            "folder": folder.display().to_string(),
            "sweep": about.sweep,
            "range": about.range,
            "proof": true,
            "shards": count,
            "complete": complete,
            "certificate": done.map(|c| c.display().to_string()),
            "found": found,
        })));
    }
    print(folder, &about, &found, &certificate, context)?;
    let line = match (done, complete) {
        (Some(file), _) => format!(
            "the certificate is {0}; `crunch-check {0}` checks it",
            shell(&file)
        ),
        (None, true) => format!(
            "complete; `{} merge {} {}` writes the certificate",
            context.program,
            shell(&certificate),
            shell(folder)
        ),
        (None, false) if folder.join("submit.sh").is_file() => format!(
            "`sh {}` starts all open parts again, if no task is still running",
            shell(&folder.join("submit.sh"))
        ),
        _ => return Ok(None),
    };
    context.out.line(&line)?;
    Ok(None)
}

fn print(
    folder: &Path,
    about: &About,
    found: &[Part],
    certificate: &Path,
    context: &mut Context,
) -> Result<(), Failure> {
    let shards = found.iter().filter(|p| p.state != "misfit").count();
    context.out.line(&show::plain(&format!(
        "{}: a proof over {}, in {} shards, in {}",
        about.sweep,
        about.range,
        show::count(shards as u128),
        folder.display()
    )))?;
    let states: Vec<String> = ["complete", "running", "stopped", "missing", "misfit"]
        .iter()
        .map(|s| (found.iter().filter(|p| p.state == *s).count(), s))
        .filter(|(n, _)| *n > 0)
        .map(|(n, s)| format!("{} {s}", show::count(n as u128)))
        .collect();
    context
        .out
        .line(&format!("shards        {}", states.join(", ")))?;
    let head = [
        "shard",
        "state",
        "pieces",
        "level",
        "written",
        "file and remedy",
    ];
    let mut rows = vec![head.map(String::from).to_vec()];
    for p in found {
        let mut what = p.path.display().to_string();
        if let Some(reason) = &p.reason {
            what = format!("{what}: {reason}");
        }
        if let Some(remedy) = remedy(p, about, certificate, &context.program) {
            what = format!("{what}: {remedy}");
        }
        rows.push(vec![
            match p.state {
                "misfit" => "-".into(),
                _ => p.shard.index().to_string(),
            },
            p.state.into(),
            show::count(p.pieces as u128),
            p.level.map_or(String::new(), |l| format!("{l:.6}")),
            p.age
                .map_or(String::new(), |a| format!("{} ago", show::seconds(a))),
            show::plain(&what),
        ]);
    }
    context.out.table(&rows)?;
    Ok(())
}

/// The certificate to which a part belongs: its name without `.I-of-N.part`.
fn certificate_of(part: &Path) -> PathBuf {
    let name = part.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(".part").unwrap_or(&name);
    let name = match name.rsplit_once('.') {
        Some((name, shard)) if shard.contains("-of-") => name,
        _ => name,
    };
    part.with_file_name(name)
}

fn part(path: PathBuf, journal: &Journal, about: &About, count: u32) -> Part {
    let other = journal.share.count != count;
    let reason = match about.difference(&journal.about) {
        Some((what, ours, theirs)) => Some(format!(
            "it is a proof of another {what} ({theirs}; the others are {ours})"
        )),
        None if other => Some(format!(
            "it is one of {} shards, and the proof has {count}",
            journal.share.count
        )),
        None => None,
    };
    let state = match journal.kept.ended {
        true => "complete",
        false if proof::is_running(&path) => "running",
        false => "stopped",
    };
    Part {
        shard: proof::shard(journal.share),
        state,
        reason,
        pieces: journal.kept.pieces(),
        level: journal.kept.level,
        age: age(&path),
        path,
    }
}

/// The number of seconds since a file was changed. A time in the future counts as now.
fn age(path: &Path) -> Option<f64> {
    let modified = std::fs::metadata(path).and_then(|m| m.modified()).ok()?;
    let age = SystemTime::now().duration_since(modified);
    Some(age.unwrap_or_default().as_secs() as f64)
}

/// The command that continues a shard: the same command that began it.
fn remedy(p: &Part, about: &About, certificate: &Path, program: &str) -> Option<String> {
    match p.state {
        "stopped" | "missing" => Some(format!(
            "`{program} exact {} --range {} --cells {} --certificate {} --shard {}`",
            shell(Path::new(&about.sweep)),
            shell(Path::new(&about.range)),
            about.cells,
            shell(certificate),
            p.shard
        )),
        "misfit" => {
            let into = p.path.with_file_name("misfits");
            let into = shell(&into);
            Some(format!(
                "`mkdir -p {into} && mv {} {into}/`",
                shell(&p.path)
            ))
        }
        _ => None,
    }
}
