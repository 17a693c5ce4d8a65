//! The checker of certificates that `crunch exact --certificate` and `crunch bound --certificate` write. [`check`] proves a certificate again
//! from its text. The program `crunch-check` calls this function with its arguments.
//!
//! The checker shares no code with the search that wrote the certificate: it parses the kernel's text itself. Intervals have multiple
//! precision (the crate `dashu-float`). The mathematics is in docs/book/src/understand/exact.md.
//!
//! | file | contents |
//! |---|---|
//! | `certificate`, `theorem` | the parser of the file; the theorem in words |
//! | `verdict` | the order of the checks, and the report |
//! | `ir`, `typing`, `point` | the kernel: its text, its types, its value at an input |
//! | `cell`, `residual` | the kernel on a cell: a straight line of operations, each exact or rounded once |
//! | `steps` | steps of a line that reduce its argument |
//! | `copies`, `factor` | lines that are scaled copies of each other; a common power of two of the last sums' terms |
//! | `number`, `series` | intervals; Taylor series of lines |
//! | `bell` | the error function near numbers at which its value is known |
//! | `law`, `powers` | functions with all of their derivatives; powers with one fixed argument |
//! | `turned` | sine and tangent with multiples of π/16 added to their arguments |
//! | `from_zero` | `ln abs Γ` with one of its zeros added to its argument |
//! | `gates` | functions that are x times one that rises from 0 to 1 |
//! | `analysis`, `expansion`, `roundings`, `weights` | the bound of the error on a stretch |
//! | `low` | the low word of an argument in two words |
//! | `angle`, `scale` | an angle that is added to a function; a power of two times a function |
//! | `crossing` | where a stretch is cut next to a power of two |
//! | `polynomial` | real values on a stretch, as polynomials with integer coefficients |
//! | `lattice`, `enumerate`, `reduce` | runs: the error of an input reaches the level only if the input is among those that are examined |
//! | `pairs` | certificates of routines of two arguments, over all pairs |
//! | `random` | numbers for inputs that are run after a proof |
//! | `check` | the check of the tiling and of all stretches; the sieve |

mod analysis;
mod angle;
mod bell;
mod cell;
mod certificate;
mod check;
mod copies;
mod crossing;
mod enumerate;
mod expansion;
mod factor;
mod from_zero;
mod function;
#[cfg(test)]
mod fuzz;
mod gamma;
mod gates;
#[cfg(test)]
#[path = "../tests/support/halves.rs"]
mod halves;
mod ir;
#[cfg(test)]
#[path = "../tests/support/kernels.rs"]
mod kernels;
mod lattice;
mod law;
mod low;
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
mod scale;
mod series;
mod srgb;
mod steps;
mod theorem;
mod ties;
mod turned;
mod typing;
mod verdict;
mod weights;

pub use refused::{Options, Refused, SIEVE, plain};
pub use verdict::check;
