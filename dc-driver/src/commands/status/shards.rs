//! `status` of a folder: the state of each shard of a run, and the command that continues it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use crate::args::StatusArgs;
use crate::context::{Context, shell};
use crate::failure::Failure;
use crate::state::about;
use crate::{progress, results};
use dc_runtime::model::measure::Measure;
use dc_runtime::model::show;
use dc_runtime::search::format::share;
use dc_runtime::search::run_file::Header;
use dc_runtime::search::shards::{Found, Shards, State};

/// The largest number of shards that are listed one by one although they need nothing.
const LISTED: usize = 32;

/// Reads a folder, and prints its state or returns its document.
pub(super) fn status(
    folder: &Path,
    args: &StatusArgs,
    patience: Duration,
    context: &mut Context,
) -> Result<Option<Value>, Failure> {
    let stale = Duration::from_secs_f64(args.stale);
    let shards = Shards::read(folder, stale, patience)?;
    let definition = context.definition(
        &args.ulp,
        shards.header.types(),
        shards.header.identity.measure(),
    )?;
    let space = shards.header.space();
    if context.json {
        let found = shards.found.iter().map(|f| {
            json!({
                "file": f.path.display().to_string(),
                "shard": f.shard.map(|s| s.to_string()),
                "state": name(&f.state),
                "reason": reason(&f.state),
                "blocks": f.blocks, "of_blocks": f.of_blocks,
                "searched": results::count(f.searched),
                "rate": f.rate,
                "seconds_since_written": f.age,
                "log": log(f),
                "remedy": remedy(f, &shards, &context.program),
            })
        });
        let found: Vec<Value> = found.collect();
        return Ok(Some(json!({
            "folder": folder.display().to_string(),
            "sweep": shards.header.identity.sweep,
            "range": shards.header.range_text,
            "block_inputs": 1u64 << shards.header.plan.log2(),
            "shards": shards.count,
            "states": counts(&shards).into_iter().map(|(n, name)| (name.to_string(), json!(n)))
                .collect::<serde_json::Map<_, _>>(),
            "complete": complete(&shards),
            "blocks": shards.total.blocks,
            "of_blocks": shards.header.plan.blocks(),
            "failed": logs_of_claims(folder),
            "merged": shards.whole.as_ref().map(|p| p.display().to_string()),
            "result": results::result(space, &shards.total.result, shards.header.identity.measure()),
            "worst": shards.total.worst.as_ref().map(|w| results::worst(space, w, definition)),
            "found": found,
        })));
    }
    let mut header = shards.header.clone();
    header.shard = dc_runtime::search::shard::Shard::WHOLE;
    context.out.line(&format!(
        "{}, in {} shards",
        about(&header),
        show::count(shards.count.into())
    ))?;
    let states: Vec<String> = counts(&shards)
        .into_iter()
        .map(|(n, name)| format!("{} {name}", show::count(n as u128)))
        .collect();
    let rate: f64 = shards.found.iter().filter_map(|f| f.rate).sum();
    let rate = match rate > 0.0 {
        true => format!("; {} in all", progress::rate(rate)),
        false => String::new(),
    };
    context
        .out
        .line(&format!("shards        {}{rate}", states.join(", ")))?;
    context.out.line(&format!(
        "done          {} of {} blocks of 2^{} inputs ({:.2} %)",
        show::count(shards.total.blocks.into()),
        show::count(header.plan.blocks().into()),
        header.plan.log2(),
        100.0 * share(shards.total.blocks, header.plan.blocks())
    ))?;
    let busy = shards.found.iter();
    let busy = busy.filter(|f| matches!(f.state, State::Busy(_))).count();
    if busy > 0 {
        context.note(&format!(
            "{}: {} files are locked by other programs at this moment, and their blocks are missing below; ask again",
            folder.display(),
            show::count(busy as u128)
        ));
    }
    let total = &shards.total;
    for line in results::lines(space, &total.result, total.worst.as_ref(), definition) {
        context.out.line(&line)?;
    }
    table(&shards, context)?;
    for line in logs_of_claims(folder) {
        context.out.line(&format!("failed        {line}"))?;
    }
    next(&shards, context)?;
    Ok(None)
}

/// The shards that need something, with what they need; and the other shards, if they are few.
fn table(shards: &Shards, context: &mut Context) -> Result<(), Failure> {
    let quiet = |f: &&Found| matches!(f.state, State::Complete | State::Running);
    let all = shards.found.len() <= LISTED;
    let mut rows = vec![
        [
            "shard",
            "state",
            "blocks",
            "of",
            "written",
            "file and remedy",
        ]
        .map(String::from)
        .to_vec(),
    ];
    for f in shards.found.iter().filter(|f| all || !quiet(f)) {
        let mut what = f.path.display().to_string();
        if let Some(reason) = reason(&f.state) {
            // Messages about a file begin with its name.
            what = match reason.starts_with(&what) {
                true => reason,
                false => format!("{what}: {reason}"),
            };
        }
        if let Some(log) = log(f) {
            what = format!("{what}: {log}");
        }
        if let Some(remedy) = remedy(f, shards, &context.program) {
            what = format!("{what}: {remedy}");
        }
        let written = match f.state {
            State::Missing => String::new(),
            _ => format!("{} ago", show::seconds(f.age as f64)),
        };
        rows.push(vec![
            f.shard.map_or("-".into(), |s| s.index().to_string()),
            name(&f.state).into(),
            show::count(f.blocks.into()),
            show::count(f.of_blocks.into()),
            written,
            what,
        ]);
    }
    if rows.len() > 1 {
        context.out.table(&rows)?;
    }
    Ok(())
}

/// The next step for the folder as a whole.
fn next(shards: &Shards, context: &mut Context) -> Result<(), Failure> {
    let folder = &shards.folder;
    let line = match (&shards.whole, complete(shards)) {
        (Some(file), _) => format!("merged in {}", show::plain(&file.display().to_string())),
        (None, true) => format!(
            "complete; `{} merge {} {}` puts the shards together",
            context.program,
            shell(&folder.join("merged.crunch")),
            shell(folder)
        ),
        (None, false) if folder.join("submit.sh").is_file() => format!(
            "`sh {}` starts all open parts again, if no task is still running",
            shell(&folder.join("submit.sh"))
        ),
        _ => return Ok(()),
    };
    context.out.line(&line)?;
    Ok(())
}

fn complete(shards: &Shards) -> bool {
    shards.found.iter().all(|f| f.state == State::Complete)
}

/// The number of shards in each state, in order of urgency.
fn counts(shards: &Shards) -> Vec<(usize, &'static str)> {
    const ORDER: [&str; 10] = [
        "complete",
        "running",
        "stopped",
        "killed",
        "missing",
        "stale",
        "busy",
        "damaged",
        "unreadable",
        "misfit",
    ];
    let all = ORDER.map(|state| {
        let of = shards.found.iter().filter(|f| name(&f.state) == state);
        (of.count(), state)
    });
    all.into_iter().filter(|(n, _)| *n > 0).collect()
}

fn name(state: &State) -> &'static str {
    match state {
        State::Complete => "complete",
        State::Running => "running",
        State::Stale(_) => "stale",
        State::Stopped => "stopped",
        State::Killed => "killed",
        State::Missing => "missing",
        State::Busy(_) => "busy",
        State::Damaged(_) => "damaged",
        State::Unreadable(_) => "unreadable",
        State::Misfit(_) => "misfit",
    }
}

fn reason(state: &State) -> Option<String> {
    match state {
        State::Stale(holder) => Some(format!("{holder} holds its lock and writes nothing")),
        State::Busy(why) | State::Damaged(why) | State::Unreadable(why) | State::Misfit(why) => {
            Some(why.clone())
        }
        _ => None,
    }
}

/// The commands that continue a shard.
fn remedy(f: &Found, shards: &Shards, program: &str) -> Option<String> {
    let file = shell(&f.path);
    let again = || format!("`{program} status {}`", shell(&shards.folder));
    match &f.state {
        State::Complete | State::Running => None,
        State::Busy(_) => Some(again()),
        State::Stopped | State::Killed => Some(format!("`{program} resume {file}`")),
        // As the lock names it: `process 123 on HOST`.
        State::Stale(holder) => Some(match holder.split(' ').collect::<Vec<_>>()[..] {
            ["process", id, "on", host] => {
                format!("on {host} `kill {id}`, then `{program} resume {file}`")
            }
            _ => format!("stop that process, then `{program} resume {file}`"),
        }),
        State::Damaged(_) => Some(match f.shard {
            Some(_) => format!("`rm {file}`, then {}", missing(f, &shards.header, program)),
            None => format!("`rm {file}`"),
        }),
        State::Unreadable(why) if why.contains("ermission denied") => Some(format!(
            "`chmod u+rw {file}` as its owner, then {}",
            again()
        )),
        State::Unreadable(_) => Some(again()),
        // A missing shard has this name for its own file, and its remedy moves this one away.
        State::Misfit(_) if shards.found.iter().any(|m| m.taken && m.path == f.path) => None,
        State::Misfit(_) => Some(format!("`{}`", move_away(f))),
        State::Missing => {
            let run = missing(f, &shards.header, program);
            Some(match f.taken {
                false => run,
                true => format!("`{}`, then {run}", move_away(f)),
            })
        }
    }
}

/// The command that moves a file out of the way of the folder's run, into a subfolder that is not read.
fn move_away(f: &Found) -> String {
    let into = f.path.with_file_name("misfits");
    let into = shell(&into);
    format!("mkdir -p {into} && mv {} {into}/", shell(&f.path))
}

/// The end of the log of a failed task, if the engine keeps a log beside the run files (`submit slurm`).
fn log(f: &Found) -> Option<String> {
    if !matches!(f.state, State::Stopped | State::Killed | State::Missing) {
        return None;
    }
    failed(
        &f.path
            .with_file_name(format!("task-{}.log", f.shard?.index())),
    )
}

/// The same for the first tasks that claim shards. What failed is a task; which shards it would have taken is unknown.
fn logs_of_claims(folder: &Path) -> Vec<String> {
    const MOST: usize = 8;
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let of_task = |path: &Path| {
        let number = path.file_name()?.to_str()?.strip_prefix("claim-")?;
        number.strip_suffix(".log")?.parse::<u32>().ok()
    };
    let mut logs: Vec<(u32, PathBuf)> = files
        .filter_map(|f| Some((of_task(&f.path())?, f.path())))
        .collect();
    logs.sort();
    let ends = logs.iter().filter_map(|(_, path)| failed(path));
    ends.take(MOST).collect()
}

/// The end of a log, if it does not report success.
fn failed(path: &Path) -> Option<String> {
    let text = String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned();
    // Of the last start alone: each begins with a line of its own.
    let text = text
        .rsplit_once(", start ")
        .map_or(&*text, |(_, last)| last);
    let of = |mark: &str| text.lines().rev().find(|l| l.starts_with(mark));
    let code = of("exit code ").filter(|c| *c != "exit code 0")?;
    let (path, error) = (path.display(), of("error: ").unwrap_or(code));
    Some(show::plain(&format!("{path} ends with `{error}`")))
}

fn missing(f: &Found, header: &Header, program: &str) -> String {
    let shard = f.shard.map_or(String::new(), |s| s.to_string());
    let id = &header.identity;
    if id.kernels[0].is_of_library() || id.kernels[0].is_of_device() {
        return format!(
            "run it with the arguments of the others, --shard {shard} and -o {}",
            shell(&f.path)
        );
    }
    let mpfr = match id.kernels.get(1).is_some_and(|k| k.is_of_mpfr()) {
        true => " --mpfr",
        false => "",
    };
    let measure = match header.identity.measure() {
        Measure::Full => String::new(),
        other if !other.is_in_ulp() => format!(" --metric {}", other.name()),
        other => format!(" --measure {}", other.name()),
    };
    format!(
        "`{program} run {} --range {} --block 2^{}{measure}{mpfr} --shard {shard} -o {}`",
        shell(Path::new(&id.sweep)),
        shell(Path::new(&header.range_text)),
        header.plan.log2(),
        shell(&f.path)
    )
}
