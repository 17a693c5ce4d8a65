//! Plain functions with `#[crunch]`: each is compared, bit for bit, with its kernel on every instruction set of the processor and in
//! the interpreter, over edge cases and random bits.

#![cfg(feature = "std")]
#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::undocumented_unsafe_blocks,
    unnecessary_transmutes,
    unused_variables,
    reason = "the functions are written as people write them"
)]

extern crate dc_runtime as doublecrunch;

#[path = "annotate/compare.rs"]
mod compare;
#[path = "annotate/flow.rs"]
mod flow;
#[path = "annotate/forms.rs"]
mod forms;
#[path = "annotate/integers.rs"]
mod integers;
#[path = "annotate/names.rs"]
mod names;
#[path = "annotate/obstacles.rs"]
mod obstacles;
#[path = "annotate/parts.rs"]
mod parts;
