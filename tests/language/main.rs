//! The language end to end: kernels that use every operation in every form, through `#[crunch]`, on every backend of
//! this machine, compared bit for bit with plain Rust.
//!
//! | file | what |
//! |---|---|
//! | `check` | one kernel at many inputs: `eval`, `map` and all backends against an oracle |
//! | `values` | the inputs: edges of every type, and random ones |
//! | `operations` | every operator and method on every type it exists on |
//! | `directed` | directed roundings on operands chosen for them, also against MPFR |
//! | `tables` | tables of every element type, indexed by lanes |
//! | `forms` | statements: loops, branches, tuples, generics, calls, names |
//! | `zeros` | zeros of two signs as constants of choices |
//! | `coverage` | no operation of the language is missing from these |

#[path = "../support/mod.rs"]
mod support;

mod check;
mod coverage;
mod directed;
mod forms;
mod operations;
mod tables;
mod values;
mod zeros;
