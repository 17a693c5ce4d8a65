//! The standard library of Rust. Most of these call the C library beneath it.

use super::{Library, routines};

pub const LIBRARY: Library = Library {
    name: "std",
    about: "Rust's standard library, most functions of which are the C library's",
    version,
    routines: routines! { f32:
        exp: "f32::exp" = f32::exp;
        exp2: "f32::exp2" = f32::exp2;
        expm1: "f32::exp_m1" = f32::exp_m1;
        log: "f32::ln" = f32::ln;
        log2: "f32::log2" = f32::log2;
        log10: "f32::log10" = f32::log10;
        log1p: "f32::ln_1p" = f32::ln_1p;
        sin: "f32::sin" = f32::sin;
        cos: "f32::cos" = f32::cos;
        tan: "f32::tan" = f32::tan;
        asin: "f32::asin" = f32::asin;
        acos: "f32::acos" = f32::acos;
        atan: "f32::atan" = f32::atan;
        sinh: "f32::sinh" = f32::sinh;
        cosh: "f32::cosh" = f32::cosh;
        tanh: "f32::tanh" = f32::tanh;
        asinh: "f32::asinh" = f32::asinh;
        acosh: "f32::acosh" = f32::acosh;
        atanh: "f32::atanh" = f32::atanh;
        cbrt: "f32::cbrt" = f32::cbrt;
        sqrt: "f32::sqrt" = f32::sqrt;
        recip: "f32::recip" = f32::recip;
    },
    doubles: routines! { f64:
        exp: "f64::exp" = f64::exp;
        exp2: "f64::exp2" = f64::exp2;
        expm1: "f64::exp_m1" = f64::exp_m1;
        log: "f64::ln" = f64::ln;
        log2: "f64::log2" = f64::log2;
        log10: "f64::log10" = f64::log10;
        log1p: "f64::ln_1p" = f64::ln_1p;
        sin: "f64::sin" = f64::sin;
        cos: "f64::cos" = f64::cos;
        tan: "f64::tan" = f64::tan;
        asin: "f64::asin" = f64::asin;
        acos: "f64::acos" = f64::acos;
        atan: "f64::atan" = f64::atan;
        sinh: "f64::sinh" = f64::sinh;
        cosh: "f64::cosh" = f64::cosh;
        tanh: "f64::tanh" = f64::tanh;
        asinh: "f64::asinh" = f64::asinh;
        acosh: "f64::acosh" = f64::acosh;
        atanh: "f64::atanh" = f64::atanh;
        cbrt: "f64::cbrt" = f64::cbrt;
        sqrt: "f64::sqrt" = f64::sqrt;
        recip: "f64::recip" = f64::recip;
    },
    device: None,
};

fn version() -> String {
    let rustc = doublecrunch::search::machine::RUSTC;
    let rustc = rustc.split(" (").next().unwrap_or(rustc).trim();
    match doublecrunch::search::machine::c_library() {
        Some(c) => format!("{rustc}, {c}"),
        None => rustc.into(),
    }
}
