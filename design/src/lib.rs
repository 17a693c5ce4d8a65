//! From a function and a tolerance to the fastest kernel that meets it.
//!
//! | module | what it is |
//! |---|---|
//! | [`spec`] | the request: format, unit, tolerance |
//! | [`dd`], [`remez`] | numbers of two words; polynomials of least error by the exchange algorithm |
//! | [`build`], [`polynomial`], [`shape`] | kernels as syntax: statements, orders of evaluation, reductions |
//! | [`space`], [`candidates`] | the designs of a function; a design with coefficients |
//! | [`inputs`], [`stored`], [`saturation`] | the inputs; results in 16 bits; where a function no longer changes |
//! | [`strips`], [`compare`], [`judge`] | programs over columns; errors; errors on a sample and at all inputs |
//! | [`hard`], [`correct`], [`lp`] | inputs that are hard to round; coefficients with which every result is correctly rounded |
//! | [`cost`], [`time`], [`mod@front`] | estimated and measured times; the Pareto front |
//! | [`mod@search`], [`source`] | the search; the file of the kernel that it found |

pub mod build;
pub mod candidates;
pub mod compare;
pub mod correct;
pub mod cost;
pub mod dd;
pub mod front;
pub mod hard;
pub mod inputs;
pub mod judge;
pub mod lp;
pub mod polynomial;
mod reference;
pub mod remez;
pub mod saturation;
pub mod search;
pub mod shape;
pub mod source;
pub mod space;
pub mod spec;
pub mod stored;
pub mod strips;
pub mod time;
