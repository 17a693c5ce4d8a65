//! From a function and a tolerance to the fastest kernel that keeps it.

pub mod build;
pub mod candidates;
pub mod compare;
pub mod dd;
pub mod judge;
pub mod polynomial;
pub mod remez;
pub mod shape;
pub mod space;
pub mod spec;
pub mod strips;
