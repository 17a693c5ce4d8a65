//! The certificate of a proof whose shards were proven separately.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use dc_exact::exact::journal::About;
use dc_exact::exact::{Effort, NoMerge, Share, Task};

use crate::args::BoundArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::proven::{Computed, Found, Limit, compute, finish};
use dc_runtime::model::show;
use dc_runtime::search::proof::{self, ProofError};
use dc_runtime::search::shard::Shard;

/// `merge OUT PART…`, for the journals of proofs.
pub fn merge(out: &Path, paths: &[PathBuf], context: &mut Context) -> Result<(), Failure> {
    if std::fs::symlink_metadata(out).is_ok() {
        return Err(Failure::input(format!(
            "{}: exists already and is not overwritten; name another file for the certificate",
            out.display()
        )));
    }
    let mut journals = Vec::new();
    for path in paths {
        journals.push(proof::read(path)?);
    }
    let Some(first) = journals.first().map(|j| j.about.clone()) else {
        return Err(Failure::input(
            "no proofs to merge; name them after the certificate",
        ));
    };
    let bound = BoundArgs::of(first.sweep, Some(first.range), first.cells);
    let computed = compute(&bound, Limit::default(), context)?;
    let sweep = context.sweep_of_one(bound.name())?.name();
    let Computed {
        subject,
        bound: of_range,
        ..
    } = &computed;
    let about = About::new(
        sweep,
        &computed.range,
        bound.cells,
        &subject.program,
        &subject.truth,
        of_range,
    );
    for (path, journal) in paths.iter().zip(&journals) {
        proof::same(path, journal, &about)?;
        proof::supported(path, &journal.kept, of_range, proof::shard(journal.share))?;
    }
    let begun = Instant::now();
    let task = Task {
        program: &subject.program,
        truth: &subject.truth,
        bound: of_range,
        effort: Effort {
            // The pieces with one number are closed again, which takes seconds.
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            time: Duration::from_secs(3600),
            list: false,
        },
        share: Share::WHOLE,
        note: &|_| {},
        stop: &AtomicBool::new(false),
    };
    let parts = journals.into_iter().map(|j| (j.share, j.kept)).collect();
    let exact = dc_exact::exact::merge(&task, parts).map_err(|e| refusal(e, paths))?;
    let time = begun.elapsed().as_secs_f64();
    let found = Found::new(sweep, computed, exact, Shard::WHOLE, time).compared()?;
    finish(out, found, true, None, context)
}

fn refusal(why: NoMerge, paths: &[PathBuf]) -> Failure {
    let name = |i: usize| show::plain(&paths[i].display().to_string());
    Failure::input(match why {
        NoMerge::Count(i) => format!(
            "{} and {} belong to divisions into different numbers of shards; merge the shards of one division",
            name(0),
            name(i)
        ),
        NoMerge::Twice(i, j) => format!(
            "{} and {} are the same shard; leave one of them out",
            name(i),
            name(j)
        ),
        NoMerge::Missing(index) => format!(
            "shard {} is missing: `crunch exact … --shard {}/N` with the other options of {} makes it",
            index + 1,
            index + 1,
            name(0)
        ),
        NoMerge::Unfinished(i) => format!(
            "{}: is not finished; the command that started it continues it",
            name(i)
        ),
    })
}

impl From<ProofError> for Failure {
    fn from(e: ProofError) -> Failure {
        let message = show::plain(&e.to_string());
        match e {
            ProofError::Io { .. } | ProofError::Locked { .. } => Failure::failed(message),
            _ => Failure::input(message),
        }
    }
}
