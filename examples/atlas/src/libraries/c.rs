//! The C library's functions that Rust's standard library does not have.

use super::{Function, Library, Routine};

/// Functions of the C library, `float f(float)`.
macro_rules! c {
    ($($computes:ident: $symbol:ident;)+) => {{
        unsafe extern "C" {
            $(safe fn $symbol(x: f32) -> f32;)+
        }
        &[$(Routine {
            computes: stringify!($computes),
            function: Function::Host(doublecrunch::search::HostFunction::f32(
                stringify!($symbol),
                |x| $symbol(x),
            )),
        }),+]
    }};
}

pub const LIBRARY: Library = Library {
    name: "c",
    about: "the C library's functions that Rust's standard library does not have",
    version: || {
        doublecrunch::search::machine::c_library()
            .unwrap_or_else(|| "the system's C library".into())
    },
    routines: c! {
        exp10: exp10f;
        erf: erff;
        erfc: erfcf;
        tgamma: tgammaf;
        lgamma: lgammaf;
    },
    device: None,
};
