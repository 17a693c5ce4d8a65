//! The crate `libm`: a port of musl's functions.

use libm as m;

use super::{Library, locked, routines};

pub const LIBRARY: Library = Library {
    name: "libm",
    about: "the C library's functions in Rust, for programs without a C library",
    version: || locked("libm"),
    routines: routines! {
        exp: "expf" = m::expf;
        exp2: "exp2f" = m::exp2f;
        exp10: "exp10f" = m::exp10f;
        expm1: "expm1f" = m::expm1f;
        log: "logf" = m::logf;
        log2: "log2f" = m::log2f;
        log10: "log10f" = m::log10f;
        log1p: "log1pf" = m::log1pf;
        sin: "sinf" = m::sinf;
        cos: "cosf" = m::cosf;
        tan: "tanf" = m::tanf;
        asin: "asinf" = m::asinf;
        acos: "acosf" = m::acosf;
        atan: "atanf" = m::atanf;
        sinh: "sinhf" = m::sinhf;
        cosh: "coshf" = m::coshf;
        tanh: "tanhf" = m::tanhf;
        asinh: "asinhf" = m::asinhf;
        acosh: "acoshf" = m::acoshf;
        atanh: "atanhf" = m::atanhf;
        cbrt: "cbrtf" = m::cbrtf;
        sqrt: "sqrtf" = m::sqrtf;
        erf: "erff" = m::erff;
        erfc: "erfcf" = m::erfcf;
        tgamma: "tgammaf" = m::tgammaf;
        lgamma: "lgammaf" = m::lgammaf;
    },
    device: None,
};
