//! Backends that are wrong on purpose, in one way each, for tests that must find it. They exist only with the feature
//! `fault_injection`, which must not be enabled in programs whose results are used.
//!
//! | file | what is wrong |
//! |---|---|
//! | `texts` | emitted text, before the compiler reads it |
//! | `programs` | programs, before the interpreter runs them |
//! | `operations` | one operation of the interpreter |

mod operations;
mod programs;
#[cfg(feature = "fault_injection")]
mod texts;

pub use operations::Fault;
pub(super) use operations::Faulty;
pub(super) use programs::{Rewritten, contract};
#[cfg(feature = "fault_injection")]
pub(super) use texts::altered;
#[cfg(feature = "fault_injection")]
pub use texts::{clear, inject};
