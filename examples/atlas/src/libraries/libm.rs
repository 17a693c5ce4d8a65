//! The crate `libm`: a port of musl's functions.

use libm as m;

use super::{Library, locked, routines};

pub const LIBRARY: Library = Library {
    name: "libm",
    about: "the C library's functions in Rust, for programs without a C library",
    version: || locked("libm"),
    routines: routines! { f32:
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
    doubles: routines! { f64:
        exp: "exp" = m::exp;
        exp2: "exp2" = m::exp2;
        exp10: "exp10" = m::exp10;
        expm1: "expm1" = m::expm1;
        log: "log" = m::log;
        log2: "log2" = m::log2;
        log10: "log10" = m::log10;
        log1p: "log1p" = m::log1p;
        sin: "sin" = m::sin;
        cos: "cos" = m::cos;
        tan: "tan" = m::tan;
        asin: "asin" = m::asin;
        acos: "acos" = m::acos;
        atan: "atan" = m::atan;
        sinh: "sinh" = m::sinh;
        cosh: "cosh" = m::cosh;
        tanh: "tanh" = m::tanh;
        asinh: "asinh" = m::asinh;
        acosh: "acosh" = m::acosh;
        atanh: "atanh" = m::atanh;
        cbrt: "cbrt" = m::cbrt;
        sqrt: "sqrt" = m::sqrt;
        erf: "erf" = m::erf;
        erfc: "erfc" = m::erfc;
        tgamma: "tgamma" = m::tgamma;
        lgamma: "lgamma" = m::lgamma;
    },
    device: None,
};
