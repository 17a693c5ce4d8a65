//! Run files: all data of a run, in one SQLite database. The schema is in `docs/book/src/reference/run-file.md`.
//!
//! One process writes a run ([`Writer`], which holds a lock), and any number can read it at the same time ([`Reader`]). Every
//! group of blocks is one transaction, which also updates the totals.
//!
//! The journal is SQLite's rollback journal, not the write-ahead log. So a run file is *one* file if no commit is active, and can be copied
//! to another machine. It may also be on a file system that a cluster shares, where the log's shared memory does not work. Readers wait for
//! the milliseconds of a commit, at most once per second.

mod check;
mod column;
mod error;
mod header;
mod open;
mod packed;
mod reader;
mod rows;
mod schema;
mod seal;
mod session;
mod writer;

pub use error::RunFileError;
pub use reader::{Checked, Reader, Status};
pub use schema::{FORMAT, SEALED};
pub use session::{DeviceWork, Session};
pub(in crate::search) use writer::make_whole;
pub use writer::{NewSession, Writer};

pub use super::record::{Group, Record, Tally};

use super::identity::{Identity, KernelIdentity};
use super::plan::Plan;
use super::shard::Shard;
use crate::model::signature::Number;
use crate::model::space::InputSpace;

/// The constant data of a run in its run file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The identity of the sweep.
    pub identity: Identity,
    /// The range as it was given.
    pub range_text: String,
    /// The range and its division into blocks.
    pub plan: Plan,
    /// The shard of the blocks that this file contains.
    pub shard: Shard,
    /// When the run was created, in seconds since 1970.
    pub created: i64,
    /// Version of the program that created it.
    pub version: String,
}

impl Header {
    /// The numbers of the blocks of this file's shard.
    #[must_use]
    pub fn own_blocks(&self) -> std::ops::Range<u64> {
        self.shard.blocks(self.plan.blocks())
    }

    /// The input space of its keys.
    #[must_use]
    pub fn space(&self) -> InputSpace {
        self.plan.range().space()
    }

    /// Its input space, and the type of the results.
    #[must_use]
    pub fn types(&self) -> (InputSpace, Number) {
        let space = self.space();
        let candidate = self.identity.kernels.first();
        let signature = candidate.and_then(KernelIdentity::signature);
        let signature = signature.unwrap_or_else(|| space.into());
        (space, signature.result)
    }
}

#[cfg(test)]
mod damage;
#[cfg(test)]
mod tests;
