//! Merging of shards.

use std::collections::HashMap;
use std::ops;
use std::path::{Path, PathBuf};

use super::plan::Plan;
use super::record::{Group, Record};
use super::run_file::{FORMAT, Header, Reader, RunFileError, Writer, make_whole};
use super::shard::Shard;
use crate::model::machine;

/// The reason why run files cannot be merged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] RunFileError),
    /// No file was given.
    #[error("no run files to merge; name them after the file that they become")]
    Nothing,
    /// Two files are about different kernels.
    #[error("{} and {}: {difference}; they are not parts of one run", .files[0].display(), .files[1].display())]
    Kernels {
        /// Two of the files.
        files: [PathBuf; 2],
        /// The difference, with the kernel's name.
        difference: String,
    },
    /// Two files have different ranges, or divide them differently.
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
        /// The first blocks that both contain.
        blocks: String,
    },
    /// One shard was given twice. If it has no blocks, this is the only check that detects it.
    #[error("{} and {} are both shard {shard}; leave one of them out", .files[0].display(), .files[1].display())]
    Twice {
        /// The files.
        files: [PathBuf; 2],
        /// The shard.
        shard: Shard,
    },
    /// A run file was written in the meantime.
    #[error("{}: it was changed while it was merged; wait until it is complete", .0.display())]
    Changed(PathBuf),
    /// Blocks are in no file.
    #[error("a gap: {blocks} are in none of the files; {remedy}")]
    Gap {
        /// The first blocks that are missing.
        blocks: String,
        /// The remedy.
        remedy: String,
    },
}

/// Rows per transaction while copying.
const ROWS: usize = 1 << 14;

/// The data about a part while its file is closed.
struct Part {
    path: PathBuf,
    shard: Shard,
    done: Vec<ops::Range<u64>>,
}

/// Makes `out` from the run files `parts`: the same run as an unsplit one. Only one of them is open at a time. Each is checked for
/// consistency, before and while it is copied.
///
/// # Errors
/// If they overlap, leave gaps, or do not belong to one run; also if a file fails. `out` is then not made.
pub fn merge(out: &Path, parts: &[PathBuf]) -> Result<Header, MergeError> {
    let mut first: Option<(PathBuf, Header)> = None;
    let mut known = Vec::new();
    for path in parts {
        let reader = Reader::open(path)?;
        if reader.format() < FORMAT {
            return Err(RunFileError::Older {
                path: path.clone(),
                found: reader.format(),
            }
            .into());
        }
        match &first {
            None => first = Some((path.clone(), reader.header().clone())),
            Some((other, header)) => same_run((other, header), (path, reader.header()))?,
        }
        known.push(Part {
            path: path.clone(),
            shard: reader.header().shard,
            done: reader.done()?,
        });
    }
    let Some((_, first)) = first else {
        return Err(MergeError::Nothing);
    };
    tile(&first.plan, &known)?;
    once(&known)?;
    let header = Header {
        shard: Shard::WHOLE,
        created: machine::now(),
        version: machine::VERSION.into(),
        ..first
    };
    make_whole(out, header.clone(), |writer| {
        known.iter().try_for_each(|part| copy(writer, part))
    })?;
    Ok(header)
}

/// Makes `out` from the present content of the run files `parts`, which other processes may be writing. Missing blocks are open, as in a
/// run that was stopped. Searched parts of unfinished blocks are omitted.
///
/// # Errors
/// If they do not belong to one run, or contain a block twice; also if a file fails. `out` is then not made.
pub fn snapshot(out: &Path, parts: &[PathBuf]) -> Result<Header, MergeError> {
    let first = parts.first().ok_or(MergeError::Nothing)?;
    let of_first = Reader::open(first)?.header().clone();
    let header = Header {
        shard: Shard::WHOLE,
        ..of_first.clone()
    };
    make_whole(out, header.clone(), |writer| {
        let mut seen = HashMap::new();
        for path in parts {
            let reader = Reader::open(path)?;
            same_run((first, &of_first), (path, reader.header()))?;
            let shard = reader.header().shard;
            if let Some(other) = seen.insert(shard, path) {
                let files = [other.clone(), path.clone()];
                return Err(MergeError::Twice { files, shard });
            }
            rows(writer, &reader)?;
        }
        Ok(())
    })?;
    Ok(header)
}

fn same_run((a, x): (&Path, &Header), (b, y): (&Path, &Header)) -> Result<(), MergeError> {
    let files = || [a.into(), b.into()];
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
fn tile(plan: &Plan, parts: &[Part]) -> Result<(), MergeError> {
    let mut pieces: Vec<(&ops::Range<u64>, &Part)> = Vec::new();
    for p in parts {
        pieces.extend(p.done.iter().map(|d| (d, p)));
    }
    pieces.sort_by_key(|(d, _)| (d.start, d.end));
    let mut next = 0;
    let mut last: Option<&Part> = None;
    for (done, part) in &pieces {
        if done.start < next {
            let holder = last.unwrap_or(part);
            return Err(MergeError::Overlap {
                files: [holder.path.clone(), part.path.clone()],
                blocks: name(plan, &(done.start..next.min(done.end))),
            });
        }
        gap(plan, parts, next..done.start)?;
        (next, last) = (done.end, Some(*part));
    }
    gap(plan, parts, next..plan.blocks())
}

/// Checks that no shard is given twice. [`tile`] finds two shards with the same blocks; two without blocks are found only here.
fn once(parts: &[Part]) -> Result<(), MergeError> {
    let mut seen: HashMap<Shard, &Part> = HashMap::new();
    for part in parts {
        if let Some(other) = seen.insert(part.shard, part) {
            return Err(MergeError::Twice {
                files: [other.path.clone(), part.path.clone()],
                shard: part.shard,
            });
        }
    }
    Ok(())
}

fn gap(plan: &Plan, parts: &[Part], missing: ops::Range<u64>) -> Result<(), MergeError> {
    if missing.is_empty() {
        return Ok(());
    }
    let owner = parts
        .iter()
        .find(|p| p.shard.blocks(plan.blocks()).contains(&missing.start));
    let remedy = match owner {
        Some(p) => format!("`crunch resume {}` does them", p.path.display()),
        None => "name the file of the shard that has them".into(),
    };
    Err(MergeError::Gap {
        blocks: name(plan, &missing),
        remedy,
    })
}

/// The names of blocks in messages: by number and by input.
fn name(plan: &Plan, blocks: &ops::Range<u64>) -> String {
    let show = |key| plan.range().space().decimal(key);
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

fn copy(writer: &mut Writer, part: &Part) -> Result<(), MergeError> {
    let copied = rows(writer, &Reader::open(&part.path)?)?;
    // Another process is writing the file, so that the parts no longer fit together.
    if copied != part.done.iter().map(|d| d.end - d.start).sum::<u64>() {
        return Err(MergeError::Changed(part.path.clone()));
    }
    Ok(())
}

/// Copies sessions and blocks; returns the number of blocks.
fn rows(writer: &mut Writer, reader: &Reader) -> Result<u64, MergeError> {
    let mut session = 0;
    for s in reader.sessions()? {
        session = writer.adopt(&s)?;
    }
    let mut group = Group::default();
    let mut copied = 0;
    let mut flush = |group: &mut Group| -> Result<(), RunFileError> {
        let group = std::mem::take(group);
        copied += group.records.len() as u64;
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
    Ok(copied)
}

#[cfg(test)]
mod tests;
