//! The search: ranges of inputs, blocks, and what is known of each.

pub mod block;
pub mod ceiling;
pub mod engine;
pub mod equivalence;
pub mod estimate;
pub mod format;
pub mod gappa;
pub mod identity;
pub mod key;
pub mod machine;
pub mod merge;
pub mod oracle;
pub mod plan;
pub mod points;
pub mod range;
pub mod run;
pub mod run_file;
pub mod scan;
pub mod shard;
pub mod show;
#[cfg(test)]
pub(crate) mod testing;
pub mod trace;
pub mod truth;
pub mod ulp;
