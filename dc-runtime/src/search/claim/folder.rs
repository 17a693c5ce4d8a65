//! The folder of run files that tasks claim.

use std::collections::{BTreeSet, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use kernels_gen::identity::fnv1a_128;

use super::{Folder, Found};
use crate::search::identity::Identity;
use crate::search::lock::Lock;
use crate::search::plan::Plan;
use crate::search::run_file::{Reader, RunFileError};
use crate::search::shard::Shard;

/// A reader, or a commit that was cut short, may keep a file locked for a moment.
const WAIT: Duration = Duration::from_secs(5);
/// The mark of a complete shard in the note.
const COMPLETE: u8 = b'1';

/// The run files of a run's shards, and a note of the complete ones: one byte per shard.
///
/// With the note, a late task need not open every run file; a job of 10,000 tasks has 80,000 of them. The note is a hint. If a shard is not
/// in it, its file is opened. If the file of a noted shard is gone, the shard is missing. The note is named after the run, so the note of
/// another run is not read.
pub struct RunFolder<'a> {
    folder: PathBuf,
    identity: &'a Identity,
    plan: &'a Plan,
    /// The name of a shard's file.
    name: &'a dyn Fn(Shard) -> String,
    note: PathBuf,
    complete: Vec<u8>,
    listed: HashSet<String>,
    /// Shards that other processes took after this task had read their state.
    lost: BTreeSet<u32>,
}

impl<'a> RunFolder<'a> {
    /// The folder of a run with this many shards.
    #[must_use]
    pub fn new(
        folder: &Path,
        (identity, plan): (&'a Identity, &'a Plan),
        shards: u32,
        name: &'a dyn Fn(Shard) -> String,
    ) -> RunFolder<'a> {
        let kernels: Vec<&str> = identity.kernels.iter().map(|k| &*k.hash).collect();
        let run = format!(
            "{} {} {} {} {}",
            kernels.join(" "),
            identity.metric,
            identity.inputs.signature(),
            plan.range(),
            plan.log2()
        );
        let run = fnv1a_128(run.as_bytes()) as u64;
        let first = Shard::new(1, shards).map_or_else(String::new, name);
        let first = first.split(".1-of-").next().unwrap_or_default();
        RunFolder {
            note: folder.join(format!("{first}.of-{shards}.{run:016x}.complete")),
            folder: folder.into(),
            identity,
            plan,
            name,
            complete: Vec::new(),
            listed: HashSet::new(),
            lost: BTreeSet::new(),
        }
    }

    /// The file of a shard.
    #[must_use]
    pub fn file(&self, shard: Shard) -> PathBuf {
        self.folder.join((self.name)(shard))
    }

    /// Notes that a shard is complete.
    pub fn note_complete(&mut self, shard: Shard) {
        let at = shard.index() as usize - 1;
        if self.complete.len() <= at {
            self.complete.resize(at + 1, 0);
        }
        self.complete[at] = COMPLETE;
        // Without the note the file is opened once more.
        let _ = open(&self.note, true).and_then(|mut file| {
            file.seek(SeekFrom::Start(at as u64))?;
            file.write_all(&[COMPLETE])
        });
    }

    /// Another process took a shard that was open when its state was read. It counts as held until this task has searched another shard.
    /// Its file is not opened again before that, because a file system may list a folder in an earlier state.
    pub fn lost(&mut self, shard: Shard) {
        self.lost.insert(shard.index());
    }

    /// A shard was searched. In the meantime, other processes may have left shards that this task had lost.
    pub fn searched(&mut self) {
        self.lost.clear();
    }

    fn blocks_left(&self, reader: &Reader, shard: Shard) -> Result<Found, RunFileError> {
        let header = reader.header();
        let of_another_run = header.plan != *self.plan
            || header.shard != shard
            || header.identity.difference(self.identity).is_some();
        let (all, done) = (self.plan.inputs(shard), reader.searched()?);
        Ok(match done >= all {
            _ if of_another_run => Found::Begun(all),
            true => Found::Complete,
            false => Found::Begun(all - done),
        })
    }
}

impl Folder for RunFolder<'_> {
    type Error = RunFileError;

    fn refresh(&mut self) -> Result<(), RunFileError> {
        let io = |e: &std::io::Error| RunFileError::Io {
            path: self.folder.clone(),
            reason: e.to_string(),
        };
        let mut noted = Vec::new();
        let _ = open(&self.note, false).and_then(|mut file| file.read_to_end(&mut noted));
        // Notes of this process may not yet be in another process's file.
        noted.resize(noted.len().max(self.complete.len()), 0);
        for (noted, own) in noted.iter_mut().zip(&self.complete) {
            *noted = (*noted).max(*own);
        }
        self.complete = noted;
        self.listed.clear();
        for entry in std::fs::read_dir(&self.folder).map_err(|e| io(&e))? {
            let name = entry.map_err(|e| io(&e))?.file_name();
            self.listed.extend(name.into_string());
        }
        Ok(())
    }

    fn look(&mut self, shard: Shard) -> Result<Found, RunFileError> {
        if self.lost.contains(&shard.index()) {
            return Ok(Found::Held);
        }
        let name = (self.name)(shard);
        let listed = self.listed.contains(&name);
        if listed && self.complete.get(shard.index() as usize - 1) == Some(&COMPLETE) {
            return Ok(Found::Complete);
        }
        // A process that was killed when it had the lock and no file yet has begun the shard.
        if !listed && !self.listed.contains(&format!("{name}.lock")) {
            return Ok(Found::Missing);
        }
        let path = self.folder.join(&name);
        if Lock::is_held(&path) {
            return Ok(Found::Held);
        }
        let read = Reader::open_within(&path, WAIT);
        let found = match read.and_then(|reader| self.blocks_left(&reader, shard)) {
            Ok(found) => found,
            // Whoever opens the file reports what is wrong with it.
            Err(_) => Found::Begun(self.plan.inputs(shard)),
        };
        if found == Found::Complete {
            self.note_complete(shard);
        }
        Ok(found)
    }
}

/// Opens the note. A link with its name is not followed.
fn open(path: &Path, write: bool) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(!write).write(write).create(write);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }
    let file = options.open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(std::io::Error::other("no regular file")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::engine::{Device, Groups, Stop};
    use crate::search::run::{Settings, create, proceed};
    use crate::search::run_file::Writer;
    use crate::search::testing::{CHANGED, Fake, Folder as Scratch, Interruption, SWEEP};
    use crate::search::{plan::Plan, range::Range};
    use crate::sweep::Sweep;

    /// 20 blocks of 2^10 inputs.
    const RANGE: &str = "1.0..=bits:0x3ff0000000004fff";

    fn plan(range: &str) -> Plan {
        let range = Range::parse(range, SWEEP.precision).expect("a range");
        Plan::new(range, Some(10)).expect("a plan")
    }

    fn shard(i: u32) -> Shard {
        Shard::new(i, 4).expect("a shard")
    }

    fn name(shard: Shard) -> String {
        format!("test.{}-of-{}.crunch", shard.index(), shard.count())
    }

    fn begin(dir: &Scratch, sweep: &Sweep, i: u32) -> Writer {
        let path = dir.file(&name(shard(i)));
        create(&path, sweep, RANGE, plan(RANGE), shard(i)).expect("a new run")
    }

    /// Searches a shard, or stops in it.
    fn search(writer: &mut Writer, sweep: &Sweep, stops: bool) {
        let stop = Stop::new();
        let fake = Fake {
            interruption: stops.then(|| Interruption::new(2, &stop)),
            batch: 1 << 10,
            ..Fake::new("scalar")
        };
        let settings = Settings {
            devices: vec![Device {
                backend: fake.shared(),
                workers: 1,
            }],
            groups: Groups::default(),
            command: "a test".into(),
        };
        proceed(writer, sweep, &settings, &stop, &mut |_| {}).expect("a run");
    }

    #[test]
    fn what_is_found_of_a_shard() {
        let dir = Scratch::new("claim-folder");
        let (plan, identity) = (plan(RANGE), Identity::of(&SWEEP).expect("an identity"));
        let fresh = || RunFolder::new(&dir.0, (&identity, &plan), 4, &name);
        let look = |folder: &mut RunFolder| {
            folder.refresh().expect("the folder");
            [1, 2, 3, 4].map(|i| folder.look(shard(i)).expect("the folder"))
        };
        use Found::{Begun, Complete, Held, Missing};
        assert_eq!(look(&mut fresh()), [Missing; 4]);
        search(&mut begin(&dir, &SWEEP, 1), &SWEEP, false);
        search(&mut begin(&dir, &SWEEP, 2), &SWEEP, true);
        let held = begin(&dir, &SWEEP, 3);
        let found = look(&mut fresh());
        assert!(
            matches!(found, [Complete, Begun(1..5120), Held, Missing]),
            "{found:?}"
        );
        drop(held);
        // Of a process that was killed before it had made its file.
        std::fs::write(dir.file("test.4-of-4.crunch.lock"), "process 1 on a host\n")
            .expect("a lock");
        let found = look(&mut fresh());
        assert!(
            matches!(found, [Complete, Begun(_), Begun(5120), Begun(5120)]),
            "{found:?}"
        );
        // Files with a note are not opened. A file that is gone is missing, whatever the notes say.
        let file = dir.file(&name(shard(1)));
        std::fs::write(&file, "no run file any more").expect("a file");
        assert_eq!(look(&mut fresh())[0], Complete);
        std::fs::remove_file(&file).expect("it is gone");
        assert_eq!(look(&mut fresh())[0], Missing);
        // Where another process was faster.
        let mut folder = fresh();
        folder.lost(shard(1));
        assert_eq!(look(&mut folder)[0], Held);
        search(&mut begin(&dir, &SWEEP, 1), &SWEEP, false);
        folder.searched();
        assert_eq!(look(&mut folder)[0], Complete);
    }

    #[test]
    fn files_of_another_run_are_not_taken_for_complete() {
        let dir = Scratch::new("claim-other");
        let all = plan(RANGE);
        let identity = Identity::of(&SWEEP).expect("an identity");
        search(&mut begin(&dir, &SWEEP, 1), &SWEEP, false);
        let mut own = RunFolder::new(&dir.0, (&identity, &all), 4, &name);
        own.refresh().expect("the folder");
        assert_eq!(own.look(shard(1)).ok(), Some(Found::Complete));
        // The note that this has written is not that of another version, or of another range.
        let changed = Identity::of(&CHANGED).expect("an identity");
        let shorter = plan("1.0..=bits:0x3ff0000000004ffe");
        for (identity, plan) in [(&changed, &all), (&identity, &shorter)] {
            let mut other = RunFolder::new(&dir.0, (identity, plan), 4, &name);
            other.refresh().expect("the folder");
            let found = other.look(shard(1)).expect("the folder");
            assert!(matches!(found, Found::Begun(_)), "{found:?}");
        }
    }
}
