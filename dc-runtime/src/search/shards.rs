//! A folder with the run files of one run's shards, while they are written: the state of each shard, and the results
//! so far.
//!
//! The files are opened one after the other, as by any reader, under SQLite's locks. So a writer waits at most for milliseconds. Clocks are
//! used only to compute how long ago a file was changed. A time in the future counts as now. If a file looks stale by this machine's clock,
//! it is compared with the clock of the folder's file system.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use super::lock::Lock;
use super::record::Tally;
use super::run_file::{Header, Reader, RunFileError, Status};
use super::shard::Shard;

/// The time to wait for a file, for opening it and for reading it, even after the time for all files together has passed. Commits take milliseconds, and a
/// shard that is just committing is part of the run.
const EACH: Duration = Duration::from_millis(500);

/// The reason why a folder cannot be read as one run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShardsError {
    /// The folder cannot be read.
    #[error("{}: {reason}", .path.display())]
    Io {
        /// The folder.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// There is no readable run file.
    #[error("{}: no run file in this folder can be read{}", .path.display(), .first.as_ref().map_or(String::new(), |f| format!("; {f}")))]
    Nothing {
        /// The folder.
        path: PathBuf,
        /// The error of the first file that could not be read.
        first: Option<String>,
    },
    /// Locks in this folder do not hold between machines.
    #[error(
        "{}: {why}, so that locks of other machines are not seen here, and reading could destroy a commit of theirs; mount it \
         with locks, read the run files one by one where they are written, or copy them once their tasks have ended",
        .path.display()
    )]
    Unsafe {
        /// The folder.
        path: PathBuf,
        /// The file system and its option.
        why: String,
    },
}

/// The state of a shard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// All its blocks are in the file.
    Complete,
    /// A process is writing it.
    Running,
    /// A process holds its lock, but has written nothing for longer than the limit. Contains the process, as the lock names it.
    Stale(String),
    /// Its last process ended normally before the shard was complete.
    Stopped,
    /// Its last process ended without a record of its end.
    Killed,
    /// Its file is missing.
    Missing,
    /// Another program keeps the file locked at present.
    Busy(String),
    /// The file is damaged; the reason.
    Damaged(String),
    /// The file cannot be read; the reason.
    Unreadable(String),
    /// The file belongs to another run, to another version of its kernels, or to a shard that another file has; the reason.
    Misfit(String),
}

/// A shard, or a file that does not belong to the run.
#[derive(Debug, Clone)]
pub struct Found {
    /// Its file; for a missing shard, the name that its file would have.
    pub path: PathBuf,
    /// Which shard it is, if the file states it.
    pub shard: Option<Shard>,
    /// Its state.
    pub state: State,
    /// The number of its blocks that are done.
    pub blocks: u64,
    /// The number of its blocks.
    pub of_blocks: u64,
    /// The number of inputs searched, including those of unfinished blocks.
    pub searched: u128,
    /// Inputs per second, while it runs.
    pub rate: Option<f64>,
    /// Seconds since the file was changed.
    pub age: u64,
    /// For a missing shard: whether another file, a misfit, has the name that its file would have.
    pub taken: bool,
}

impl Found {
    /// Whether its blocks are part of the run.
    #[must_use]
    pub fn is_part(&self) -> bool {
        matches!(
            self.state,
            State::Complete | State::Running | State::Stale(_) | State::Stopped | State::Killed
        )
    }
}

/// The run in a folder.
#[derive(Debug)]
#[non_exhaustive]
pub struct Shards {
    /// The folder.
    pub folder: PathBuf,
    /// The run's header, from one of its shards.
    pub header: Header,
    /// The number of shards.
    pub count: u32,
    /// The shards in order, followed by the files that do not belong to the run.
    pub found: Vec<Found>,
    /// The results so far, over all shards.
    pub total: Tally,
    /// A file in the folder that contains the same run as a whole.
    pub whole: Option<PathBuf>,
}

/// A kind of run in the folder: files with equal identity, plan and number of shards.
struct Kind {
    header: Header,
    total: Tally,
    files: usize,
}

/// The files in a folder that may be run files: databases, and files whose name is that of a run file. A file that is being made or merged
/// has another ending.
///
/// # Errors
/// If the folder cannot be read, or locks do not hold between machines there.
pub fn run_files(folder: &Path) -> Result<Vec<PathBuf>, ShardsError> {
    if let Some(why) = super::mount::local_locks(folder) {
        return Err(ShardsError::Unsafe {
            path: folder.into(),
            why,
        });
    }
    let io = |e: std::io::Error| ShardsError::Io {
        path: folder.into(),
        reason: e.to_string(),
    };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        let ending = path
            .extension()
            .map(|e| e.to_string_lossy().into_owned())
            .unwrap_or_default();
        let in_the_making = ["part", "new", "lock"].contains(&ending.as_str());
        if !in_the_making
            && path.is_file()
            && (ending == "crunch" || super::replace::is_database(&path))
        {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

impl Shards {
    /// Reads the folder. A shard whose writer has written nothing for `stale` is [`State::Stale`]. While other programs keep files locked,
    /// this waits about `patience` for all files together, and at least half a second for each.
    ///
    /// # Errors
    /// If there is no run, or locks do not hold between machines there.
    pub fn read(folder: &Path, stale: Duration, patience: Duration) -> Result<Shards, ShardsError> {
        let deadline = Instant::now() + patience;
        let mut kinds: Vec<Kind> = Vec::new();
        let mut files: Vec<(Found, Option<usize>)> = Vec::new();
        for path in run_files(folder)? {
            // There are two waits: for opening and for reading.
            let left = deadline.saturating_duration_since(Instant::now());
            let wait = left.max(EACH) / 2;
            let read = Reader::open_within(&path, wait)
                .and_then(|reader| Ok((reader.status()?, reader.header().clone())));
            files.push(match read {
                Ok((status, header)) => {
                    let kind = kind_of(&mut kinds, &header);
                    kinds[kind].files += 1;
                    kinds[kind]
                        .total
                        .join(status.blocks, &status.result, status.worst);
                    (found(path, &header, &status, stale), Some(kind))
                }
                Err(e) => (unreadable(path, &e), None),
            });
        }
        trust_the_folder_s_clock(folder, stale, &mut files);
        // A run of one file may lie beside the shards that it was merged from.
        let main = (0..kinds.len()).max_by_key(|&i| {
            (
                !kinds[i].header.shard.is_whole(),
                kinds[i].files,
                std::cmp::Reverse(i),
            )
        });
        let Some(main) = main else {
            let first = files.into_iter().find_map(|f| match f.0.state {
                State::Damaged(why) | State::Unreadable(why) | State::Busy(why) => Some(why),
                _ => None,
            });
            return Err(ShardsError::Nothing {
                path: folder.into(),
                first,
            });
        };
        Ok(assemble(folder, kinds, files, main))
    }

    /// The files that contain the run's blocks so far.
    #[must_use]
    pub fn parts(&self) -> Vec<PathBuf> {
        let parts = self.found.iter().filter(|f| f.is_part());
        parts.map(|f| f.path.clone()).collect()
    }
}

/// Sorts the files: shards in order, missing shards, and files that do not belong to the run.
fn assemble(
    folder: &Path,
    kinds: Vec<Kind>,
    files: Vec<(Found, Option<usize>)>,
    main: usize,
) -> Shards {
    let header = kinds[main].header.clone();
    let count = header.shard.count();
    let mut whole = None;
    let mut places: Vec<Option<Found>> = vec![None; count as usize];
    let mut others = Vec::new();
    for (mut file, kind) in files {
        let place = file.shard.map(|s| s.index() as usize - 1);
        match (kind, place) {
            (Some(kind), Some(place)) if kind == main => match &places[place] {
                None => places[place] = Some(file),
                Some(other) => {
                    let first = other.path.display();
                    file.state = State::Misfit(format!("it is the same shard as {first}"));
                    others.push(file);
                }
            },
            (Some(kind), _) => {
                let found = &kinds[kind].header;
                if found.shard.is_whole()
                    && found.plan == header.plan
                    && header.identity.difference(&found.identity).is_none()
                {
                    whole = Some(file.path);
                    continue;
                }
                file.state = State::Misfit(difference(&header, found));
                others.push(file);
            }
            // A damaged file is a shard's if its name is.
            (None, _) => {
                file.shard = named(&file.path).filter(|s| s.count() == count);
                file.of_blocks = file.shard.map_or(0, |s| blocks_of(&header, s));
                let place = file.shard.map(|s| &mut places[s.index() as usize - 1]);
                match place {
                    Some(place @ None) => *place = Some(file),
                    _ => others.push(file),
                }
            }
        }
    }
    let mut parts = places.iter().flatten().filter(|f| f.is_part());
    let pattern = parts.find(|f| named(&f.path).is_some());
    let pattern = pattern.map(|f| f.path.clone());
    let shards = places.into_iter().zip(1..).map(|(place, i)| {
        place.unwrap_or_else(|| {
            let shard = Shard::new(i, count).unwrap_or(Shard::WHOLE);
            Found {
                path: file_name(folder, pattern.as_deref(), &header, shard),
                shard: Some(shard),
                state: State::Missing,
                blocks: 0,
                of_blocks: blocks_of(&header, shard),
                searched: 0,
                rate: None,
                age: 0,
                taken: false,
            }
        })
    });
    let mut found: Vec<Found> = shards.collect();
    // A missing shard whose name another file has: `run` would refuse it.
    for missing in found.iter_mut().filter(|f| f.state == State::Missing) {
        missing.taken = others.iter().any(|o| o.path == missing.path);
    }
    found.extend(others);
    // A second file of a shard must not be counted twice.
    let twice = found
        .iter()
        .any(|f| matches!(f.state, State::Misfit(_)) && f.blocks > 0);
    let total = match twice {
        false => kinds[main].total,
        true => total_of(&found),
    };
    Shards {
        folder: folder.into(),
        header,
        count,
        found,
        total,
        whole,
    }
}

/// The total of the files that are parts, read once more.
fn total_of(found: &[Found]) -> Tally {
    let mut total = Tally::EMPTY;
    for file in found.iter().filter(|f| f.is_part()) {
        let status = Reader::open(&file.path).and_then(|r| r.status());
        if let Ok(s) = status {
            total.join(s.blocks, &s.result, s.worst);
        }
    }
    total
}

fn kind_of(kinds: &mut Vec<Kind>, header: &Header) -> usize {
    let same = |k: &Kind| {
        k.header.shard.count() == header.shard.count()
            && k.header.plan == header.plan
            && k.header.identity.difference(&header.identity).is_none()
    };
    kinds.iter().position(same).unwrap_or_else(|| {
        kinds.push(Kind {
            header: header.clone(),
            total: Tally::EMPTY,
            files: 0,
        });
        kinds.len() - 1
    })
}

fn difference(of_run: &Header, found: &Header) -> String {
    if let Some(difference) = of_run.identity.difference(&found.identity) {
        return format!("it belongs to another version or another sweep: {difference}");
    }
    if of_run.plan != found.plan {
        let what = |h: &Header| format!("`{}` in blocks of 2^{}", h.range_text, h.plan.log2());
        return format!("it is of {}, the run of {}", what(found), what(of_run));
    }
    let (of, run) = (found.shard.count(), of_run.shard.count());
    format!("it is one of {of} shards, and the run has {run}")
}

fn blocks_of(header: &Header, shard: Shard) -> u64 {
    let own = shard.blocks(header.plan.blocks());
    own.end - own.start
}

fn found(path: PathBuf, header: &Header, status: &Status, stale: Duration) -> Found {
    let age = std::fs::metadata(&path)
        .and_then(|m| m.modified())
        .ok()
        .and_then(|t| SystemTime::now().duration_since(t).ok())
        .unwrap_or_default();
    let ended = status.sessions.last().is_none_or(|s| s.ended.is_some());
    let state = if status.is_complete() {
        State::Complete
    } else if status.running {
        match age > stale {
            true => State::Stale(Lock::holder(&path).unwrap_or_else(|| "another process".into())),
            false => State::Running,
        }
    } else if ended {
        State::Stopped
    } else {
        State::Killed
    };
    Found {
        shard: Some(header.shard),
        blocks: status.blocks,
        of_blocks: status.of_blocks,
        searched: status.searched(),
        rate: status
            .rate
            .filter(|_| status.running && !status.is_complete()),
        age: age.as_secs(),
        taken: false,
        state,
        path,
    }
}

/// Compares the age of stale-looking files with the clock by which the folder's file system dates changes. This machine's clock may differ
/// from it, and with a fast clock every shard would look stale.
fn trust_the_folder_s_clock(folder: &Path, stale: Duration, files: &mut [(Found, Option<usize>)]) {
    let mut looks = (files.iter_mut().map(|f| &mut f.0))
        .filter(|f| matches!(f.state, State::Stale(_)))
        .peekable();
    if looks.peek().is_none() {
        return;
    }
    // Where nothing can be written, this machine's clock is the only one.
    let now = time_there(folder).unwrap_or_else(SystemTime::now);
    for file in looks {
        let modified = std::fs::metadata(&file.path).and_then(|m| m.modified());
        let age = modified.ok().and_then(|t| now.duration_since(t).ok());
        let age = age.unwrap_or_default();
        file.age = age.as_secs();
        match age > stale {
            true => file.rate = None,
            false => file.state = State::Running,
        }
    }
}

/// The time according to a folder's file system, from a temporary file created there.
fn time_there(folder: &Path) -> Option<SystemTime> {
    let path = folder.join(format!(".crunch-clock-{}", std::process::id()));
    let file = std::fs::File::create_new(&path).ok()?;
    // A file system may date a file only when it is written to.
    let written = std::io::Write::write_all(&mut &file, b"t").and_then(|()| file.sync_data());
    let made = written.and_then(|()| file.metadata()?.modified());
    let _ = std::fs::remove_file(&path);
    made.ok()
}

fn unreadable(path: PathBuf, e: &RunFileError) -> Found {
    let why = e.to_string();
    let state = match e {
        RunFileError::Damaged { .. } => State::Damaged(why),
        RunFileError::Io { reason, .. } if reason.contains("locked") => State::Busy(why),
        RunFileError::Foreign { .. } | RunFileError::Newer { .. } | RunFileError::Older { .. } => {
            State::Misfit(why)
        }
        _ => State::Unreadable(why),
    };
    Found {
        path,
        shard: None,
        state,
        blocks: 0,
        of_blocks: 0,
        searched: 0,
        rate: None,
        age: 0,
        taken: false,
    }
}

/// The part of a file's name that names its shard.
fn mark(shard: Shard) -> String {
    format!(".{}-of-{}.", shard.index(), shard.count())
}

/// The shard that a file's name names.
fn named(path: &Path) -> Option<Shard> {
    let name = path.file_name()?.to_str()?;
    name.split('.').find_map(|part| {
        let (i, n) = part.split_once("-of-")?;
        Shard::new(i.parse().ok()?, n.parse().ok()?)
    })
}

/// The name of a shard's file, formed like that of another file, or in the way of `run`.
fn file_name(folder: &Path, pattern: Option<&Path>, header: &Header, shard: Shard) -> PathBuf {
    let like = pattern.and_then(|p| {
        let name = p.file_name()?.to_str()?;
        Some(name.replacen(&mark(named(p)?), &mark(shard), 1))
    });
    let name = like.unwrap_or_else(|| format!("{}{}crunch", header.identity.sweep, mark(shard)));
    folder.join(name)
}

#[cfg(test)]
mod tests;
