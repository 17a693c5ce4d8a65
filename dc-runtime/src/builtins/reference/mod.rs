//! References, with which the results of routines are compared, one per function and precision.
//!
//! `docs/book/src/reference/references.md` has their bounds, methods and special values. They are kernels like those of users: they run on
//! every backend, and composed functions call one another.
//!
//! | file | what |
//! |---|---|
//! | `function.rs` | the functions |
//! | `table.rs` | the tables of all references |
//! | `registry.rs`, `by_name.rs` | all references; by name |
//! | `in_mpfr.rs` | the functions in MPFR (feature `mpfr`) |
//! | `computes.rs` | the functions as types, for suites and sweeps |
//! | `binary32/`, `binary64/` | the references for routines of a precision; with the latter, functions of double-doubles |

pub mod binary32;
pub mod binary64;
#[cfg(feature = "std")]
mod by_name;
pub mod computes;
pub mod function;
#[cfg(feature = "mpfr")]
mod in_mpfr;
mod registry;
mod table;

#[cfg(feature = "std")]
pub use by_name::UnknownFunction;
#[cfg(feature = "search")]
pub(crate) use by_name::distance;
pub use function::Function;
#[cfg(feature = "mpfr")]
pub use in_mpfr::BITS;
pub use registry::{REFERENCES, REFERENCES_OF_TWO, Reference, Tier};
