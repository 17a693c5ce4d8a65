//! The tables of all references.

/// Calls a macro with the table. For each function, a row has its name, its [`Function`](crate::builtins::reference::Function), and for
/// each precision the kernel, the `n` of the bound `2^-n` of its relative error, and a note.
#[doc(hidden)]
#[macro_export]
macro_rules! __references {
    ($callback:path) => {
        $callback! {
            exp Exp { exp_f32_reference 51 "" } { exp_reference 105 "" };
            exp2 Exp2 { exp2_f32_reference 51 "" } { exp2_reference 105 "" };
            exp10 Exp10 { exp10_f32_reference 51 "" } { exp10_reference 105 "" };
            expm1 ExpM1 { expm1_f32_reference 51 "" } { expm1_reference 103 "" };
            exp2m1 Exp2M1 { exp2m1_f32_reference 51 "" } { exp2m1_reference 103 "" };
            exp10m1 Exp10M1 { exp10m1_f32_reference 51 "" } { exp10m1_reference 103 "" };
            log Ln { log_f32_reference 51 "" } { log_reference 103 "" };
            log2 Log2 { log2_f32_reference 51 "" } { log2_reference 102 "" };
            log10 Log10 { log10_f32_reference 51 "" } { log10_reference 102 "" };
            log1p Ln1p { log1p_f32_reference 51 "" } { log1p_reference 103 "" };
            log2p1 Log2p1 { log2p1_f32_reference 51 "" } { log2p1_reference 102 "" };
            log10p1 Log10p1 { log10p1_f32_reference 51 "" } { log10p1_reference 102 "" };
            sin Sin { sin_f32_reference 50 "" } { sin_reference 103 "" };
            cos Cos { cos_f32_reference 50 "" } { cos_reference 103 "" };
            tan Tan { tan_f32_reference 50 "" } { tan_reference 102 "" };
            sinpi SinPi { sinpi_f32_reference 51 "" } { sinpi_reference 103 "" };
            cospi CosPi { cospi_f32_reference 51 "" } { cospi_reference 103 "" };
            tanpi TanPi { tanpi_f32_reference 50 "" } { tanpi_reference 102 "" };
            asin Asin { asin_f32_reference 50 "" } { asin_reference 103 "" };
            acos Acos { acos_f32_reference 51 "" } { acos_reference 103 "" };
            atan Atan { atan_f32_reference 51 "" } { atan_reference 103 "" };
            asinpi AsinPi { asinpi_f32_reference 50 "" } { asinpi_reference 102 "" };
            acospi AcosPi { acospi_f32_reference 50 "" } { acospi_reference 102 "" };
            atanpi AtanPi { atanpi_f32_reference 50 "" } { atanpi_reference 102 "" };
            sinh Sinh { sinh_f32_reference 50 "" } { sinh_reference 102 "" };
            cosh Cosh { cosh_f32_reference 51 "" } { cosh_reference 102 "" };
            tanh Tanh { tanh_f32_reference 50 "" } { tanh_reference 102 "" };
            asinh Asinh { asinh_f32_reference 50 "" } { asinh_reference 102 "" };
            acosh Acosh { acosh_f32_reference 51 "" } { acosh_reference 102 "" };
            atanh Atanh { atanh_f32_reference 50 "" } { atanh_reference 102 "" };
            cbrt Cbrt { cbrt_f32_reference 50 "" } { cbrt_reference 102 "" };
            sqrt Sqrt { sqrt_f32_reference 53 "" } { sqrt_reference 104 "" };
            rsqrt RecipSqrt { rsqrt_f32_reference 52 "" } { rsqrt_reference 102 "" };
            recip Recip { recip_f32_reference 53 "" } { recip_reference 105 "" };
            erf Erf { erf_f32_reference 51 "" } { erf_reference 102 "" };
            erfc Erfc { erfc_f32_reference 49 "" } { erfc_reference 101 "" };
            tgamma Gamma { tgamma_f32_reference 48 "" } { tgamma_reference 100 "" };
            lgamma LnGamma { lgamma_f32_reference 47 "below 0, where it has zeros between the poles: 2^-47 max(1, |f|)" } { lgamma_reference 101 "below 0, where it has zeros between the poles: 2^-99 max(1, |f|)" };
            sigmoid Sigmoid { sigmoid_f32_reference 51 "" } { sigmoid_reference 102 "" };
            logit Logit { logit_f32_reference 51 "" } { logit_reference 101 "" };
            softplus Softplus { softplus_f32_reference 50 "" } { softplus_reference 102 "" };
            silu Silu { silu_f32_reference 50 "" } { silu_reference 102 "" };
            gelu Gelu { gelu_f32_reference 48 "" } { gelu_reference 101 "" };
            mish Mish { mish_f32_reference 50 "" } { mish_reference 101 "" };
            srgb_to_linear SrgbToLinear { srgb_to_linear_f32_reference 47 "" } { srgb_to_linear_reference 101 "" };
            srgb_from_linear SrgbFromLinear { srgb_from_linear_f32_reference 46 "" } { srgb_from_linear_reference 101 "" };
        }
    };
}

/// The same as [`__references`](crate::__references), for functions of two arguments.
#[doc(hidden)]
#[macro_export]
macro_rules! __references_of_two {
    ($callback:path) => {
        $callback! {
            pow Pow { pow_f32_reference 50 "" } { pow_reference 93 "" };
            powr Powr { powr_f32_reference 50 "" } { powr_reference 93 "" };
            atan2 Atan2 { atan2_f32_reference 50 "" } { atan2_reference 103 "" };
            hypot Hypot { hypot_f32_reference 52 "" } { hypot_reference 103 "" };
            div Div { div_f32_reference 53 "" } { div_reference 105 "" };
        }
    };
}
