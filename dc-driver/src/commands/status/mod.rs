//! `status`: the state of runs, even while they run.

mod proofs;
mod shards;

use std::time::{Duration, Instant};

use serde_json::json;

use crate::args::StatusArgs;
use crate::context::{Context, shell};
use crate::failure::Failure;
use crate::state::{about, begun, document, ending, state};
use crate::{progress, results};
use dc_runtime::model::{machine, show};
use dc_runtime::search::format::share;
use dc_runtime::search::run_file::{Checked, Header, Reader, Status};
use dc_runtime::search::ulp::Definition;

/// The time for which all files together may delay the answer while other processes have them locked. In a folder, each file is waited for
/// a little even after that.
const PATIENCE: Duration = Duration::from_millis(800);

pub(super) fn status(args: &StatusArgs, context: &mut Context) -> Result<(), Failure> {
    let mut values = Vec::new();
    let deadline = Instant::now() + PATIENCE;
    for (i, path) in args.files.iter().enumerate() {
        if i > 0 && !context.json {
            context.out.line("")?;
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if path.is_dir() && proofs::are_meant(path)? {
            values.extend(proofs::status(path, context)?);
            continue;
        }
        if path.is_dir() {
            values.extend(shards::status(path, args, left, context)?);
            continue;
        }
        // There are two waits per file: for opening and for reading it.
        let wait = left / 2;
        let reader = Reader::open_within(path, wait)?;
        let status = reader.status()?;
        context.note_format(&reader);
        let definition = context.definition(
            &args.ulp,
            reader.header().types(),
            reader.header().identity.measure(),
        )?;
        let again = context.evaluate_again(&reader, status.worst.as_ref())?;
        if context.json {
            values.push(document(&reader, &status, again, definition));
        } else {
            say(&reader, &status, again, definition, context)?;
        }
    }
    if context.json {
        context.out.json(&json!(values))?;
    }
    Ok(())
}

fn say(
    reader: &Reader,
    status: &Status,
    again: bool,
    definition: Definition,
    context: &mut Context,
) -> Result<(), Failure> {
    let header = reader.header();
    context.out.line(&about(header))?;
    let state = match state(status) {
        "stopped" => format!(
            "stopped; `{} resume {}` continues",
            context.program,
            shell(reader.path())
        ),
        "running" => {
            let rate = status
                .rate
                .map_or(String::new(), |r| format!(" at {}", progress::rate(r)));
            let left = status
                .remaining_seconds()
                .map_or(String::new(), |s| format!(", {} left", show::seconds(s)));
            format!("running{rate}{left}")
        }
        other => other.into(),
    };
    context.out.line(&format!("state         {state}"))?;
    context.out.line(&format!(
        "done          {} of {} blocks of 2^{} inputs ({:.2} %)",
        show::count(status.blocks.into()),
        show::count(status.of_blocks.into()),
        header.plan.log2(),
        100.0 * share(status.blocks, status.of_blocks)
    ))?;
    let space = header.space();
    if let Some(line) = begun(&status.parts, space, header.identity.measure()) {
        let share = 100.0 * status.searched() as f64 / (status.of_inputs as f64).max(1.0);
        context
            .out
            .line(&format!("{line}; {share:.2} % with these"))?;
    }
    for line in results::lines(space, &status.result, status.worst.as_ref(), definition) {
        context.out.line(&line)?;
    }
    context
        .out
        .line(&format!("checked       {}", checked(header, status, again)))?;
    let mut rows = vec![
        ["session", "begun", "state", "backend", "inputs", "inputs/s"]
            .map(String::from)
            .to_vec(),
    ];
    for s in &status.sessions {
        for (i, d) in s.devices.iter().enumerate() {
            let first = |text: String| if i == 0 { text } else { String::new() };
            rows.push(vec![
                first(s.id.to_string()),
                first(machine::utc(s.started)),
                first(ending(s, status).into()),
                d.backend.clone(),
                show::count(d.inputs.into()),
                d.rate().map_or(String::new(), show::si),
            ]);
        }
    }
    if rows.len() > 1 {
        context.out.table(&rows)?;
    }
    Ok(())
}

/// The checks that were made, in words.
fn checked(header: &Header, status: &Status, again: bool) -> String {
    let rows = match status.checked {
        Checked::All => "every row",
        Checked::Totals => "header, totals and sessions; not every block, `format` does that",
        Checked::Nothing => "nothing: format 1 has no checksums",
    };
    let worst = match (again, &status.worst) {
        (_, None) => "",
        (true, Some(_)) => "; the worst input, evaluated again",
        (false, Some(_)) if header.identity.kernels[0].is_of_library() => {
            "; not the worst input: `resume` loads the library and evaluates it again"
        }
        (false, Some(_)) if header.identity.kernels[0].is_of_device() => {
            "; not the worst input: `resume` evaluates it again on the device"
        }
        (false, Some(_)) => "; not the worst input, whose kernels are not in this program",
    };
    format!("{rows}{worst}")
}
