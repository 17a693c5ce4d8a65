//! Run files: everything that is known of a run, in one SQLite database. The schema is in `docs/run-file.md`.
//!
//! One process writes a run ([`Writer`], which holds a lock), any number read it at the same time ([`Reader`]). Every
//! group of blocks is one transaction, with the totals brought up to date in it.
//!
//! The journal is SQLite's rollback journal, not the write-ahead log: a run file is then *one* file whenever no
//! commit is going on, which is what people copy to another machine, and it may lie on a file system that a cluster
//! shares, where the log's shared memory does not work. Readers wait for the milliseconds of a commit, once a second
//! or less.

mod carve;
mod check;
mod column;
mod error;
mod header;
mod open;
mod reader;
mod record;
mod repair;
mod rows;
mod schema;
mod seal;
mod writer;

pub use error::RunFileError;
pub use reader::{Checked, DeviceWork, Reader, Session, Status};
pub use record::{Record, Tally};
pub use repair::{Repaired, repair};
pub use schema::{FORMAT, SEALED};
pub(in crate::search) use writer::make_whole;
pub use writer::{Group, NewSession, Writer};

use super::identity::Identity;
use super::plan::Plan;
use super::shard::Shard;
use crate::model::space::InputSpace;

/// What a run file says of its run, once and for all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// What is searched.
    pub identity: Identity,
    /// The range as it was given.
    pub range_text: String,
    /// The range and its cut into blocks.
    pub plan: Plan,
    /// Which of the blocks are this file's.
    pub shard: Shard,
    /// When it was made, in seconds since 1970.
    pub created: i64,
    /// Version of the program that made it.
    pub version: String,
}

impl Header {
    /// The numbers of the blocks that are this file's.
    #[must_use]
    pub fn own_blocks(&self) -> std::ops::Range<u64> {
        self.shard.blocks(self.plan.blocks())
    }

    /// What its keys stand for.
    #[must_use]
    pub fn space(&self) -> InputSpace {
        self.plan.range().space()
    }
}

#[cfg(test)]
mod damage;
#[cfg(test)]
mod tests;
