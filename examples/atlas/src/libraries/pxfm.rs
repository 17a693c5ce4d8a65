//! The crate `pxfm`.

use pxfm as m;

use super::{Library, locked, routines};

pub const LIBRARY: Library = Library {
    name: "pxfm",
    about: "fast functions in Rust that mean to round correctly or nearly so",
    version: || locked("pxfm"),
    routines: routines! { f32:
        exp: "f_expf" = m::f_expf;
        exp2: "f_exp2f" = m::f_exp2f;
        exp10: "f_exp10f" = m::f_exp10f;
        expm1: "f_expm1f" = m::f_expm1f;
        exp2m1: "f_exp2m1f" = m::f_exp2m1f;
        exp10m1: "f_exp10m1f" = m::f_exp10m1f;
        log: "f_logf" = m::f_logf;
        log2: "f_log2f" = m::f_log2f;
        log10: "f_log10f" = m::f_log10f;
        log1p: "f_log1pf" = m::f_log1pf;
        log2p1: "f_log2p1f" = m::f_log2p1f;
        log10p1: "f_log10p1f" = m::f_log10p1f;
        sin: "f_sinf" = m::f_sinf;
        cos: "f_cosf" = m::f_cosf;
        tan: "f_tanf" = m::f_tanf;
        sinpi: "f_sinpif" = m::f_sinpif;
        cospi: "f_cospif" = m::f_cospif;
        tanpi: "f_tanpif" = m::f_tanpif;
        asin: "f_asinf" = m::f_asinf;
        acos: "f_acosf" = m::f_acosf;
        atan: "f_atanf" = m::f_atanf;
        asinpi: "f_asinpif" = m::f_asinpif;
        acospi: "f_acospif" = m::f_acospif;
        atanpi: "f_atanpif" = m::f_atanpif;
        sinh: "f_sinhf" = m::f_sinhf;
        cosh: "f_coshf" = m::f_coshf;
        tanh: "f_tanhf" = m::f_tanhf;
        asinh: "f_asinhf" = m::f_asinhf;
        acosh: "f_acoshf" = m::f_acoshf;
        atanh: "f_atanhf" = m::f_atanhf;
        cbrt: "f_cbrtf" = m::f_cbrtf;
        rsqrt: "f_rsqrtf" = m::f_rsqrtf;
        erf: "f_erff" = m::f_erff;
        erfc: "f_erfcf" = m::f_erfcf;
        tgamma: "f_tgammaf" = m::f_tgammaf;
        lgamma: "f_lgammaf" = m::f_lgammaf;
        sigmoid: "f_logisticf" = m::f_logisticf;
        logit: "f_logitf" = m::f_logitf;
    },
    doubles: routines! { f64:
        exp: "f_exp" = m::f_exp;
        exp2: "f_exp2" = m::f_exp2;
        exp10: "f_exp10" = m::f_exp10;
        expm1: "f_expm1" = m::f_expm1;
        exp2m1: "f_exp2m1" = m::f_exp2m1;
        exp10m1: "f_exp10m1" = m::f_exp10m1;
        log: "f_log" = m::f_log;
        log2: "f_log2" = m::f_log2;
        log10: "f_log10" = m::f_log10;
        log1p: "f_log1p" = m::f_log1p;
        log2p1: "f_log2p1" = m::f_log2p1;
        log10p1: "f_log10p1" = m::f_log10p1;
        sin: "f_sin" = m::f_sin;
        cos: "f_cos" = m::f_cos;
        tan: "f_tan" = m::f_tan;
        sinpi: "f_sinpi" = m::f_sinpi;
        cospi: "f_cospi" = m::f_cospi;
        tanpi: "f_tanpi" = m::f_tanpi;
        asin: "f_asin" = m::f_asin;
        acos: "f_acos" = m::f_acos;
        atan: "f_atan" = m::f_atan;
        asinpi: "f_asinpi" = m::f_asinpi;
        acospi: "f_acospi" = m::f_acospi;
        atanpi: "f_atanpi" = m::f_atanpi;
        sinh: "f_sinh" = m::f_sinh;
        cosh: "f_cosh" = m::f_cosh;
        tanh: "f_tanh" = m::f_tanh;
        asinh: "f_asinh" = m::f_asinh;
        acosh: "f_acosh" = m::f_acosh;
        atanh: "f_atanh" = m::f_atanh;
        cbrt: "f_cbrt" = m::f_cbrt;
        rsqrt: "f_rsqrt" = m::f_rsqrt;
        erf: "f_erf" = m::f_erf;
        erfc: "f_erfc" = m::f_erfc;
        tgamma: "f_tgamma" = m::f_tgamma;
        lgamma: "f_lgamma" = m::f_lgamma;
        sigmoid: "f_logistic" = m::f_logistic;
        logit: "f_logit" = m::f_logit;
    },
    device: None,
};
