//! The search: ranges of inputs, blocks, and what is known of each.

pub mod block;
pub mod engine;
pub mod identity;
pub mod key;
pub mod machine;
pub mod oracle;
pub mod plan;
pub mod range;
pub mod run_file;
pub mod shard;
#[cfg(test)]
pub(crate) mod testing;
