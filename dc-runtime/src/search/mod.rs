//! The search: keys, blocks and what is known of each.

pub mod block;
pub mod key;
