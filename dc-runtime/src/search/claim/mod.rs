//! Tasks that claim shards. A run is cut into several short shards per task. A task takes open shards from the shared folder, one after the
//! other, until its time is up.
//!
//! With one shard of equal size per task, a job would end when the slowest node ends. Sizes cannot follow the rates of nodes. The engine
//! decides only at run time which node takes a task, and the division of a run into shards is fixed by its format. If tasks claim shards,
//! all shards have the same size, and a fast node takes more of them than a slow one.
//!
//! This module decides which shard a task takes and when the task ends. The caller provides clock, rates and folder. A task ends
//!
//! - if nothing is open: every shard is complete, or held by another process. That process has to search it, and its engine starts it again
//!   if it dies;
//! - if its time is up, it has done its *share*, which is the number of inputs of the shards at its place, and no shard that was begun is
//!   open;
//! - if its time is up and it has not done its share, or a begun shard is open. Then it must be started again.
//!
//! So if every task of a job has ended in one of the first two ways, the job is complete. If every task did its share, the shares are the
//! run. If a task found nothing open, every incomplete shard was held at that time. The last process that held such a shard has completed
//! it, or found it begun and open when it ended, and was started again.

mod folder;

use std::collections::BTreeSet;
use std::time::Duration;

pub use folder::RunFolder;

use super::plan::Plan;
use super::shard::Shard;

/// The number of shards that a task with the expected rate takes in its time.
pub const EACH: u32 = 8;
/// The largest number of shards for claims. Each shard is a file, and costs 1.5 ms in the merge.
pub const MOST: u32 = 100_000;

/// The state of a shard, as a task finds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// All its blocks are there.
    Complete,
    /// A process is writing it.
    Held,
    /// No process has begun it.
    Missing,
    /// It is begun, no process holds it, and this many of its inputs are left.
    Begun(u128),
}

/// The folder that all tasks share.
pub trait Folder {
    /// The reason why it cannot be read.
    type Error;
    /// Updates the known state of all shards, if that is cheaper than reading each.
    ///
    /// # Errors
    /// If the folder cannot be read.
    fn refresh(&mut self) -> Result<(), Self::Error>;
    /// Reads the state of a shard.
    ///
    /// # Errors
    /// If the folder cannot be read.
    fn look(&mut self, shard: Shard) -> Result<Found, Self::Error>;
}

/// The next step of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// It takes this shard, and searches it for at most this time.
    Search(Shard, Option<Duration>),
    /// It ends.
    End(End),
}

/// The reason why a task ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Every shard is complete, or held by another process.
    NothingOpen,
    /// Its time is up, and it has done its share.
    ShareDone,
    /// Its time is up, and shards are open that possibly no process takes.
    TimeUp,
}

/// A task that claims shards.
#[derive(Debug)]
pub struct Claims<'a> {
    plan: &'a Plan,
    shards: u32,
    place: Shard,
    time: Option<Duration>,
    /// Inputs searched, and the time of these searches.
    done: (u128, Duration),
    /// Shards that cannot be taken, such as those whose files are damaged.
    refused: BTreeSet<u32>,
}

impl<'a> Claims<'a> {
    /// Task `place` of a job that cuts the plan into this many shards, with or without a time limit.
    #[must_use]
    pub fn new(plan: &'a Plan, shards: u32, place: Shard, time: Option<Duration>) -> Claims<'a> {
        Claims {
            plan,
            shards,
            place,
            time,
            done: (0, Duration::ZERO),
            refused: BTreeSet::new(),
        }
    }

    /// The number of inputs searched so far.
    #[must_use]
    pub fn inputs(&self) -> u128 {
        self.done.0
    }

    /// The next step at the time `now` after the start of the task.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn next<F: Folder>(&self, now: Duration, folder: &mut F) -> Result<Next, F::Error> {
        folder.refresh()?;
        // Those that nobody has begun are all alike but for a block: if one is too long for the time that is left, all are.
        let (mut open, mut begun) = (false, false);
        for shard in self.order().filter(|s| !self.refused.contains(&s.index())) {
            let left = match folder.look(shard)? {
                Found::Complete | Found::Held => continue,
                Found::Missing if open => continue,
                Found::Missing => self.plan.inputs(shard),
                Found::Begun(left) => {
                    begun = true;
                    left
                }
            };
            open = true;
            if self.fits(left, now) {
                let limit = self.time.map(|t| (t + t / 8).saturating_sub(now));
                return Ok(Next::Search(shard, limit));
            }
        }
        Ok(Next::End(match open {
            false => End::NothingOpen,
            true if !begun && self.done.0 >= self.share() => End::ShareDone,
            true => End::TimeUp,
        }))
    }

    /// Records that this task has searched this many inputs of a shard, in this time.
    pub fn searched(&mut self, inputs: u64, took: Duration) {
        self.done.0 += u128::from(inputs);
        self.done.1 += took;
    }

    /// Records that no task can take a shard.
    pub fn refuse(&mut self, shard: Shard) {
        self.refused.insert(shard.index());
    }

    /// Whether this many inputs can be searched in the time that is left, by this task's own rate. At least half of them must end before
    /// the time is up, and all soon after, so that a task that is a few percent slower than expected still does its share. The first shard
    /// always fits: a node that is too slow for any shard does a part of one.
    fn fits(&self, inputs: u128, now: Duration) -> bool {
        let Some(time) = self.time.map(|t| t.as_secs_f64()) else {
            return true;
        };
        let (done, took) = (self.done.0 as f64, self.done.1.as_secs_f64());
        if done == 0.0 {
            return true;
        }
        let takes = inputs as f64 * took / done;
        let now = now.as_secs_f64();
        now + takes / 2.0 <= time && now + takes <= time * (1.0 + 1.0 / 16.0)
    }

    /// The shards at a task's place.
    fn stretch(&self, place: Shard) -> std::ops::Range<u64> {
        place.blocks(self.shards.into())
    }

    /// The inputs of the shards at its place.
    fn share(&self) -> u128 {
        let own = self.stretch(self.place);
        let cut = |i: u64| {
            let blocks = u128::from(self.plan.blocks()) * u128::from(i);
            (blocks / u128::from(self.shards)) as u64
        };
        self.plan.inputs_of(&(cut(own.start)..cut(own.end)))
    }

    /// The shards at its place in order, then those of the following tasks in turn, each from the last one on. So tasks meet seldom, and
    /// late.
    fn order(&self) -> impl Iterator<Item = Shard> {
        let (first, tasks) = (self.place.index() - 1, self.place.count());
        let own = self.stretch(self.place);
        let others = (1..tasks).filter_map(move |k| {
            let task = (u64::from(first) + u64::from(k)) % u64::from(tasks);
            Shard::new(task as u32 + 1, tasks)
        });
        let others = others.flat_map(|place| self.stretch(place).rev());
        own.chain(others)
            .filter_map(|i| Shard::new(i as u32 + 1, self.shards))
    }
}

#[cfg(test)]
mod tests;
