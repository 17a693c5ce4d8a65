//! Other constants for a kernel that exists, so that its largest error is smaller.
//!
//! | file | what |
//! |---|---|
//! | [`truth`] | the values of the function: the sweep's reference |
//! | [`cases`] | inputs with values, and the errors there |
//! | [`everywhere`] | the errors at all inputs of binary32 |
//! | [`tuner`], `linear` | moves of last places; linear programs |
//! | [`search`](mod@search) | rounds of both, and inputs that contradict what a sample showed |
//! | [`vary`] | which constants are varied, and why others are not |

pub mod cases;
pub mod everywhere;
mod linear;
pub mod search;
pub mod truth;
pub mod tuner;
pub mod vary;
