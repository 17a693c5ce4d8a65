//! The search: ranges of inputs, blocks, and what is known of each.

pub mod block;
pub mod key;
pub mod plan;
pub mod range;
pub mod shard;
