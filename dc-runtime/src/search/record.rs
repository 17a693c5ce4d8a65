//! The data that the engine passes to its sink: the record of a block, the sum of blocks, and the content of a commit.

use crate::model::block::{BlockResult, Worst};

/// The stored data of a block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Record {
    /// Its number in the plan.
    pub index: u64,
    /// Its result.
    pub result: BlockResult,
    /// Its worst input with its results. `None` if every input is excluded.
    pub worst: Option<Worst>,
}

impl Record {
    /// Whether every stored bit is equal. With `==`, a NaN reference would differ from itself.
    #[must_use]
    pub fn same(&self, other: &Record) -> bool {
        let worst = match (&self.worst, &other.worst) {
            (Some(a), Some(b)) => a.same(b),
            (None, None) => true,
            _ => false,
        };
        self.index == other.index && self.result == other.result && worst
    }
}

/// A combination of blocks: their number, their merged results, the worst input.
#[derive(Debug, Clone, Copy)]
pub struct Tally {
    /// Number of blocks.
    pub blocks: u64,
    /// Their results, merged.
    pub result: BlockResult,
    /// The worst input of all.
    pub worst: Option<Worst>,
}

impl Tally {
    /// The combination of no blocks.
    pub const EMPTY: Tally = Tally {
        blocks: 0,
        result: BlockResult::EMPTY,
        worst: None,
    };

    /// Adds a block.
    pub fn add(&mut self, r: &Record) {
        self.blocks += 1;
        let before = self.result.max;
        self.result = self.result.merge(&r.result);
        if self.result.max != before {
            self.worst = r.worst;
        }
    }

    /// Adds the sum of other blocks.
    pub fn join(&mut self, blocks: u64, result: &BlockResult, worst: Option<Worst>) {
        self.add(&Record {
            index: 0,
            result: *result,
            worst,
        });
        self.blocks = self.blocks - 1 + blocks;
    }

    /// Whether every stored bit is equal.
    #[must_use]
    pub fn same(&self, other: &Tally) -> bool {
        let record = |t: &Tally| Record {
            index: t.blocks,
            result: t.result,
            worst: t.worst,
        };
        record(self).same(&record(other))
    }
}

/// The data of one commit.
#[derive(Debug, Clone, Default)]
pub struct Group {
    /// Finished blocks. If there are none, the file gets no new group.
    pub records: Vec<Record>,
    /// The searched parts of unfinished blocks, each from its first input on; they replace those in the file.
    pub parts: Vec<Record>,
    /// Seconds since the last group.
    pub seconds: f64,
    /// For each backend of the session: the inputs searched since the last commit, and the seconds spent on them, summed over its workers.
    pub work: Vec<(u64, f64)>,
}
