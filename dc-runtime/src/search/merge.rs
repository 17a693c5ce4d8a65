//! Shards put together.

use std::ops;
use std::path::{Path, PathBuf};

use super::machine;
use super::plan::Plan;
use super::run_file::{Group, Header, Reader, Record, RunFileError, Writer};
use super::shard::Shard;
use super::show;

/// Why run files do not make one.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A file.
    #[error(transparent)]
    File(#[from] RunFileError),
    /// None was given.
    #[error("no run files to merge; name them after the file that they become")]
    Nothing,
    /// They are about different kernels.
    #[error("{} and {}: {difference}; they are not parts of one run", .files[0].display(), .files[1].display())]
    Kernels {
        /// Two of the files.
        files: [PathBuf; 2],
        /// What is different, naming the kernel.
        difference: String,
    },
    /// They cut different ranges, or cut them differently.
    #[error("{} and {}: one is {}, the other {}; they are not parts of one run", .files[0].display(), .files[1].display(), .what[0], .what[1])]
    Plans {
        /// Two of the files.
        files: [PathBuf; 2],
        /// Their ranges and block sizes.
        what: [String; 2],
    },
    /// Blocks are in two files.
    #[error("{} and {} overlap: both hold {blocks}; leave one of them out", .files[0].display(), .files[1].display())]
    Overlap {
        /// The files.
        files: [PathBuf; 2],
        /// The first blocks that both hold.
        blocks: String,
    },
    /// Blocks are in no file.
    #[error("a gap: {blocks} are in none of the files; {remedy}")]
    Gap {
        /// The first blocks that are missing.
        blocks: String,
        /// What to do.
        remedy: String,
    },
}

/// Rows a transaction while copying.
const ROWS: usize = 1 << 14;

/// Makes `out` of the run files `parts`: the run as if it had never been split.
///
/// # Errors
/// When they overlap, leave gaps, or are not of one run; or a file fails. `out` is then not made.
pub fn merge(out: &Path, parts: &[PathBuf]) -> Result<Header, MergeError> {
    let mut readers = Vec::new();
    for path in parts {
        readers.push(Reader::open(path)?);
    }
    let Some(first) = readers.first() else {
        return Err(MergeError::Nothing);
    };
    for other in &readers[1..] {
        same_run(first, other)?;
    }
    tile(&readers)?;
    let header = Header {
        shard: Shard::WHOLE,
        created: machine::now(),
        version: machine::VERSION.into(),
        ..first.header().clone()
    };
    let mut writer = Writer::create(out, header.clone())?;
    if let Err(e) = copy(&mut writer, &readers) {
        drop(writer);
        // It is our own, and not what was asked for.
        let _ = std::fs::remove_file(out);
        return Err(e.into());
    }
    Ok(header)
}

fn same_run(a: &Reader, b: &Reader) -> Result<(), MergeError> {
    let files = || [a.path().into(), b.path().into()];
    let (x, y) = (a.header(), b.header());
    if let Some(difference) = x.identity.difference(&y.identity) {
        return Err(MergeError::Kernels {
            files: files(),
            difference,
        });
    }
    if x.plan != y.plan {
        let what = |h: &Header| format!("`{}` in blocks of 2^{}", h.range_text, h.plan.log2());
        return Err(MergeError::Plans {
            files: files(),
            what: [what(x), what(y)],
        });
    }
    Ok(())
}

/// Checks that every block is in exactly one of the files.
fn tile(readers: &[Reader]) -> Result<(), MergeError> {
    let mut pieces: Vec<(ops::Range<u64>, &Reader)> = Vec::new();
    for r in readers {
        pieces.extend(r.done()?.into_iter().map(|d| (d, r)));
    }
    pieces.sort_by_key(|(d, _)| (d.start, d.end));
    let plan = &readers[0].header().plan;
    let mut next = 0;
    let mut last: Option<&Reader> = None;
    for (done, reader) in &pieces {
        if done.start < next {
            let holder = last.unwrap_or(reader);
            return Err(MergeError::Overlap {
                files: [holder.path().into(), reader.path().into()],
                blocks: name(plan, &(done.start..next.min(done.end))),
            });
        }
        gap(readers, next..done.start)?;
        (next, last) = (done.end, Some(*reader));
    }
    gap(readers, next..plan.blocks())
}

fn gap(readers: &[Reader], missing: ops::Range<u64>) -> Result<(), MergeError> {
    if missing.is_empty() {
        return Ok(());
    }
    let owner = readers
        .iter()
        .find(|r| r.header().own_blocks().contains(&missing.start));
    let remedy = match owner {
        Some(r) => format!("`crunch resume {}` does them", r.path().display()),
        None => "name the file of the shard that has them".into(),
    };
    Err(MergeError::Gap {
        blocks: name(&readers[0].header().plan, &missing),
        remedy,
    })
}

/// Blocks as a person knows them: by number and by input.
fn name(plan: &Plan, blocks: &ops::Range<u64>) -> String {
    let p = plan.range().precision();
    let show = |key| show::decimal(p, p.bits_of_key(key));
    match (plan.block(blocks.start), plan.block(blocks.end - 1)) {
        (Some(a), Some(b)) => format!(
            "blocks {} to {} (inputs {} to {})",
            blocks.start,
            blocks.end - 1,
            show(a.first),
            show(b.first.wrapping_add_unsigned(b.count - 1))
        ),
        _ => format!("blocks {} to {}", blocks.start, blocks.end - 1),
    }
}

fn copy(writer: &mut Writer, readers: &[Reader]) -> Result<(), RunFileError> {
    for reader in readers {
        let mut session = 0;
        for s in reader.sessions()? {
            session = writer.adopt(&s)?;
        }
        let mut group = Group::default();
        let mut flush = |group: &mut Group| -> Result<(), RunFileError> {
            let group = std::mem::take(group);
            if group.records.is_empty() {
                return Ok(());
            }
            writer.commit(session, &[], &group)
        };
        reader.blocks(|r: &Record| {
            group.records.push(*r);
            if group.records.len() >= ROWS {
                flush(&mut group)?;
            }
            Ok::<(), RunFileError>(())
        })?;
        flush(&mut group)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
