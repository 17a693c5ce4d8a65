//! Designs the fastest kernel of a function that meets a tolerance.
//!
//! | module | contents |
//! |---|---|
//! | [`spec`] | the request: format, unit, tolerance |
//! | [`subject`], [`mod@reference`] | the function that is designed: one of the library, or a reference of one's own; its values |
//! | [`dd`], [`remez`], [`rational`], [`lattice`] | numbers of two words; polynomials and rational functions of least error by the exchange algorithm; rounded coefficients by lattice reduction |
//! | [`build`], [`polynomial`], [`shape`] | kernels as syntax: statements, orders of evaluation, reductions |
//! | [`variable`] | the variable of a polynomial, as a formula of `x` |
//! | [`space`], [`mod@points`], [`candidates`] | the designs of a function; the points to which polynomials are fitted; a design with coefficients |
//! | [`inputs`], [`stored`], [`saturation`] | the inputs; results in 16 bits; where a function no longer changes |
//! | [`strips`], [`compare`], [`judge`], [`mod@everywhere`] | programs over columns; errors; errors on a sample; errors at all inputs |
//! | [`double`], [`proof`] | in binary64: errors on a sample; the largest error, proven |
//! | [`hard`], [`correct`], [`lp`] | inputs that are hard to round; coefficients with which every result is correctly rounded |
//! | [`cost`], [`time`], [`target`], [`mod@front`] | estimated and measured times, by instruction set; the Pareto front |
//! | [`rivals`], [`vectors`] | existing functions, for comparison; vector functions of shared libraries |
//! | [`mod@search`], [`journal`], [`source`] | the search; the file with its results so far; the file of the kernel that it found |
//! | [`improve`] | other constants for an existing kernel; without the feature `references`, only this module and what it uses is compiled |

// The macro uses the library's name in users' programs.
#[cfg(feature = "references")]
extern crate dc_runtime as doublecrunch;

#[cfg(feature = "references")]
pub mod build;
#[cfg(feature = "references")]
pub mod candidates;
mod columns;
pub mod compare;
#[cfg(feature = "references")]
pub mod correct;
#[cfg(feature = "references")]
pub mod cost;
#[cfg(feature = "references")]
pub mod dd;
#[cfg(feature = "references")]
pub mod double;
mod each;
#[cfg(feature = "references")]
mod entries;
#[cfg(feature = "references")]
pub mod everywhere;
#[cfg(feature = "references")]
pub mod front;
#[cfg(feature = "references")]
pub mod hard;
pub mod improve;
#[cfg(feature = "references")]
pub mod inputs;
#[cfg(feature = "references")]
pub mod journal;
#[cfg(feature = "references")]
pub mod judge;
#[cfg(feature = "references")]
pub mod lattice;
#[cfg(feature = "references")]
pub mod lp;
#[cfg(feature = "references")]
pub mod points;
#[cfg(feature = "references")]
pub mod polynomial;
#[cfg(feature = "references")]
pub mod proof;
#[cfg(feature = "references")]
pub mod rational;
#[cfg(feature = "references")]
pub mod reference;
#[cfg(feature = "references")]
pub mod remez;
#[cfg(feature = "references")]
pub mod rivals;
#[cfg(feature = "references")]
pub mod saturation;
#[cfg(feature = "references")]
pub mod search;
#[cfg(feature = "references")]
pub mod shape;
#[cfg(feature = "references")]
pub mod source;
#[cfg(feature = "references")]
pub mod space;
pub mod spec;
#[cfg(feature = "references")]
pub mod stored;
pub mod strips;
#[cfg(feature = "references")]
pub mod subject;
pub mod target;
#[cfg(feature = "references")]
pub mod time;
#[cfg(feature = "references")]
pub mod variable;
pub mod vectors;
