//! The crate `fast-math`.

use fast_math as m;

use super::{Library, locked, routines};

pub const LIBRARY: Library = Library {
    name: "fast-math",
    about: "fast approximations",
    version: || locked("fast-math"),
    routines: routines! { f32:
        exp: "exp" = m::exp;
        exp2: "exp2" = m::exp2;
        log2: "log2" = m::log2;
        atan: "atan" = m::atan;
    },
    doubles: &[],
    device: None,
};
