//! The C library's functions that Rust's standard library does not have.

use super::{Function, Library, Routine};

/// Functions of the C library, `float f(float)` or `double f(double)`.
macro_rules! c {
    ($type:ident: $($computes:ident: $symbol:ident;)+) => {{
        unsafe extern "C" {
            $(safe fn $symbol(x: $type) -> $type;)+
        }
        &[$(Routine {
            computes: stringify!($computes),
            function: Function::Host(doublecrunch::search::HostFunction::$type(
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
    routines: c! { f32:
        exp10: exp10f;
        erf: erff;
        erfc: erfcf;
        tgamma: tgammaf;
        lgamma: lgammaf;
    },
    doubles: c! { f64:
        exp10: exp10;
        erf: erf;
        erfc: erfc;
        tgamma: tgamma;
        lgamma: lgamma;
    },
    device: None,
};
