//! The built-in sweeps: what `crunch` serves when it is given no others. One file a family of routines.

mod reciprocal;

use crate::prelude::*;
use crate::sweep::Sweep;
pub use reciprocal::{rcp_newton, rcp_newton_f32, rcp_newton_fma, rcp_reference_f32};

/// All built-in sweeps.
pub const ALL: &[Sweep] = &[
    Sweep::new::<rcp_newton, dd_recip>("reciprocal", "1.0..2.0"),
    Sweep::new::<rcp_newton_fma, dd_recip>("reciprocal-fma", "1.0..2.0"),
    Sweep::new::<rcp_newton_f32, rcp_reference_f32>("reciprocal-f32", "all"),
];
