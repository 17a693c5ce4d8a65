//! The checker of certificates that `crunch exact --certificate` and `crunch bound --certificate` write: [`check`] proves a text again, and the
//! program `crunch-check` is this function with arguments.
//!
//! It shares no code with the search that wrote the certificate, and parses the kernel's text. Intervals have multiple
//! precision (the crate `dashu-float`); the mathematics is in docs/book/src/understand/exact.md.
//!
//! | file | what |
//! |---|---|
//! | `certificate`, `theorem` | the parser of the file; the theorem in words |
//! | `verdict` | the order of the checks; what is reported |
//! | `ir`, `typing`, `point` | the kernel: its text, its value at an input |
//! | `cell`, `residual` | the kernel on a cell: a straight line of operations, each exact or rounded once |
//! | `steps` | steps of a line that reduce its argument |
//! | `copies`, `factor` | lines that are scaled copies of each other; a power of two that both terms of the last sums have |
//! | `number`, `series` | intervals; Taylor series of lines |
//! | `bell` | the error function near numbers at which it is known |
//! | `law`, `powers` | functions with all of their derivatives; powers with one fixed argument |
//! | `analysis`, `expansion`, `roundings`, `weights` | the bound of the error on a stretch |
//! | `crossing` | where a stretch is cut next to a power of two |
//! | `polynomial` | real values on a stretch, as polynomials with integer coefficients |
//! | `lattice`, `enumerate`, `reduce` | runs: no input is above the level except those that are examined |
//! | `pairs` | certificates of routines of two arguments, over all pairs |
//! | `random` | numbers for inputs that are run after a proof |
//! | `check` | the check of the tiling and of all stretches; the sieve |

mod analysis;
mod bell;
mod cell;
mod certificate;
mod check;
mod copies;
mod crossing;
mod enumerate;
mod expansion;
mod factor;
mod function;
#[cfg(test)]
mod fuzz;
mod gamma;
#[cfg(test)]
#[path = "../tests/support/halves.rs"]
mod halves;
mod ir;
#[cfg(test)]
#[path = "../tests/support/kernels.rs"]
mod kernels;
mod lattice;
mod law;
mod number;
mod order;
mod pairs;
mod point;
mod polynomial;
mod powers;
mod random;
mod reduce;
mod refused;
mod residual;
mod roundings;
mod series;
mod srgb;
mod steps;
mod theorem;
mod ties;
mod typing;
mod verdict;
mod weights;

pub use refused::{Options, Refused, SIEVE, plain};
pub use verdict::check;
