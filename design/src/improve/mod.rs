//! Finds other constants for an existing kernel, so that its largest error becomes smaller.
//!
//! | file | contents |
//! |---|---|
//! | [`truth`] | the values of the function: the sweep's reference |
//! | [`cases`] | inputs with values, and the errors there |
//! | [`everywhere`] | the errors at all inputs of binary32 |
//! | [`tuner`], `linear` | moves of last places; linear programs |
//! | [`search`](mod@search) | rounds of both, and inputs that contradict the result of a sample |
//! | [`vary`] | which constants are varied, and why others are not |

pub mod cases;
pub mod everywhere;
mod linear;
pub mod search;
pub mod truth;
pub mod tuner;
pub mod vary;
