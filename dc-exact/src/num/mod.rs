//! Numbers for proofs of inequalities: every operation encloses the exact result.
//!
//! | file | what |
//! |---|---|
//! | `float` | units in the last place, grids, powers of two |
//! | `interval` | pairs of doubles as bounds, rounded outward |
//! | `ball` | a double-double and a radius: 100 bits, for differences that cancel |
//! | `series` | truncated Taylor series over either |

pub mod ball;
pub mod float;
pub mod interval;
pub mod series;

pub use ball::Ball;
pub use interval::Interval;
pub use series::{Ring, Series};

#[cfg(test)]
pub(crate) mod containment;
#[cfg(test)]
pub(crate) mod dyadic;
