//! The execution lattice: inputs whose roundings are all near their extremes, found without evaluating the others.
//!
//! Consider a run of consecutive inputs `x = x_c + m h`, `|m| <= H`. Each operation's real value is nearly linear in m, and its computed
//! value is an integer number of units. The rounding errors are then an affine image of the integer point `(m, k_1, …, k_n)`. Inputs with
//! an error of at least L are the points that are mapped into a small box, which lattice reduction and enumeration find (Lefèvre 1997 for
//! one operation; Stehlé and Zimmermann 2005 for two functions).
//!
//! Every point found is verified by evaluation, so each hit is real. If no point is found, this proves that there is none.
//!
//! | file | what |
//! |---|---|
//! | `model` | the choice of the operations that are coordinates, ties or noise |
//! | `proof` | the lattice of a run; every quantity is enclosed, so no input is missed |
//! | `fault_injection` | faults that the tests of this crate inject |
//! | `points` | the lattice's points in a box |
//! | `reduce` | reduction of a basis |

pub(crate) mod fault_injection;
mod model;
mod points;
mod proof;
mod reduce;

pub use model::{MOST, Model};
pub use points::Found;
pub use proof::{Chunk, NoLattice};
pub use reduce::{Matrix, identity};
