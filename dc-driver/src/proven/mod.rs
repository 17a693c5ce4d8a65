//! Proofs about a sweep: the bound of its errors, and its largest error between two numbers. The commands that prove or show one (`bound`,
//! `hunt`, `exact`, `improve`, `merge`, `plot`) compute it and put it into words here.

mod checking;
mod compute;
mod document;
mod found;
mod report;
mod shares;
mod why;
pub mod wording;

pub use checking::finish;
pub use compute::{Computed, Limit, compute, of_subject};
pub use document::document;
pub use found::{Found, Worst};
pub use report::report;
pub use shares::{At, Cost, METHOD, SMALL, costs, shares};
