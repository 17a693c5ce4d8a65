//! Tasks that claim shards: a run is cut into several short shards for each task, and a task takes those that are open from the
//! folder that all share, one after the other, until its time is up.
//!
//! Shards of equal size, one for each task, would end when the slowest node ends; and sizes by the rates of nodes cannot be
//! written into a job, since which node takes a task is known only when it runs, and the cut of a run into shards is a promise of
//! its format. With shards that are claimed the sizes stay, and a fast node takes more of them than a slow one.
//!
//! This decides which shard a task takes, and when it ends; clock, rates and folder are the caller's. A task ends
//!
//! - when nothing is open: every shard is complete or held by another process, whose work it is, and which is started again by its
//!   engine if it dies;
//! - when its time is up and it has done its *share*, as much as the shards at its place have, and no shard that was begun is
//!   open;
//! - when its time is up, and it has not: it must be started again.
//!
//! So a job of which every task has ended in one of the first two ways is complete. If every task did its share, the shares are the
//! run. If one found nothing open, all that was not complete then was held; the last process that held such a shard has completed
//! it, or found it begun and open when it ended, and was started again.

mod folder;

use std::collections::BTreeSet;
use std::time::Duration;

pub use folder::RunFolder;

use super::plan::Plan;
use super::shard::Shard;

/// The number of shards that a task of the expected rate takes in its time.
pub const EACH: u32 = 8;
/// A run is cut into no more shards than this for the sake of claims: each is a file, and 1.5 ms of the merge.
pub const MOST: u32 = 100_000;

/// What a task finds of a shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// All its blocks are there.
    Complete,
    /// A process is writing it.
    Held,
    /// Nobody has begun it.
    Missing,
    /// It is begun, no process holds it, and so many inputs of it are left.
    Begun(u128),
}

/// The folder that all tasks share.
pub trait Folder {
    /// The reason why it cannot be read.
    type Error;
    /// What is known of all shards is brought up to date, where that is cheaper than looking at each.
    ///
    /// # Errors
    /// If the folder cannot be read.
    fn refresh(&mut self) -> Result<(), Self::Error>;
    /// Looks at a shard.
    ///
    /// # Errors
    /// If the folder cannot be read.
    fn look(&mut self, shard: Shard) -> Result<Found, Self::Error>;
}

/// What a task does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// It takes this shard, and searches it for this time at most.
    Search(Shard, Option<Duration>),
    /// It ends.
    End(End),
}

/// Why a task ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Every shard is complete, or held by another process.
    NothingOpen,
    /// Its time is up, and it has done its share.
    ShareDone,
    /// Its time is up, and shards are open that may be nobody's.
    TimeUp,
}

/// A task that claims shards.
#[derive(Debug)]
pub struct Claims<'a> {
    plan: &'a Plan,
    shards: u32,
    place: Shard,
    time: Option<Duration>,
    /// Inputs searched, and the time that this took.
    done: (u128, Duration),
    /// Shards that cannot be taken, as those whose files are damaged.
    refused: BTreeSet<u32>,
}

impl<'a> Claims<'a> {
    /// Task `place` of a job that cuts the plan into so many shards, with a time or without.
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

    /// What to do `now`, the time since the task was started.
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

    /// A shard was searched, as far as this task went: so many inputs, in so much time.
    pub fn searched(&mut self, inputs: u64, took: Duration) {
        self.done.0 += u128::from(inputs);
        self.done.1 += took;
    }

    /// A shard cannot be taken, whoever tries.
    pub fn refuse(&mut self, shard: Shard) {
        self.refused.insert(shard.index());
    }

    /// Whether so many inputs end in the time that is left, by this task's own rate: at least half of them before the time is up,
    /// and all soon after, so that a task that is slower than expected by a few parts in a hundred does its share. What comes first
    /// fits always: a node that is too slow for any shard does a part of one.
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

    /// The shards at its place in order, then those of the tasks behind it, in turn, each from the last on: so tasks meet seldom,
    /// and late.
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
