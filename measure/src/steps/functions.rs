//! The functions and instructions of CUDA that are searched, and the tables that are written.

/// A function of CUDA, or an instruction of PTX.
pub struct Function {
    pub symbol: &'static str,
    pub signature: &'static str,
    /// The function with which it is compared.
    pub computes: &'static str,
    /// The largest difference from the correctly rounded result, in ULP, that NVIDIA documents for all inputs (*CUDA C++ Programming
    /// Guide*, "Mathematical Functions", tables of maximum ULP errors): an error against the true value may be half an ULP larger.
    pub documented: Option<f64>,
    /// The seconds of a timed search; `None` if all inputs are searched.
    pub seconds: Option<u32>,
}

const fn all(symbol: &'static str, computes: &'static str, documented: Option<f64>) -> Function {
    Function {
        symbol,
        signature: "f32",
        computes,
        documented,
        seconds: None,
    }
}

/// A function of binary64 with the name of its reference.
const fn timed(symbol: &'static str, documented: Option<f64>) -> Function {
    Function {
        symbol,
        signature: "f64",
        computes: symbol,
        documented,
        seconds: Some(6),
    }
}

pub const FUNCTIONS: &[Function] = &[
    all("expf", "exp", Some(2.0)),
    all("exp2f", "exp2", Some(2.0)),
    all("exp10f", "exp10", Some(2.0)),
    all("expm1f", "expm1", Some(1.0)),
    all("logf", "log", Some(1.0)),
    all("log2f", "log2", Some(1.0)),
    all("log10f", "log10", Some(2.0)),
    all("log1pf", "log1p", Some(1.0)),
    all("sinf", "sin", Some(2.0)),
    all("cosf", "cos", Some(2.0)),
    all("tanf", "tan", Some(4.0)),
    all("sinpif", "sinpi", Some(1.0)),
    all("cospif", "cospi", Some(1.0)),
    all("asinf", "asin", Some(2.0)),
    all("acosf", "acos", Some(2.0)),
    all("atanf", "atan", Some(2.0)),
    all("sinhf", "sinh", Some(3.0)),
    all("coshf", "cosh", Some(2.0)),
    all("tanhf", "tanh", Some(2.0)),
    all("asinhf", "asinh", Some(3.0)),
    all("acoshf", "acosh", Some(4.0)),
    all("atanhf", "atanh", Some(3.0)),
    all("cbrtf", "cbrt", Some(1.0)),
    all("sqrtf", "sqrt", Some(0.0)),
    all("rsqrtf", "rsqrt", Some(2.0)),
    all("erff", "erf", Some(2.0)),
    all("erfcf", "erfc", Some(4.0)),
    all("tgammaf", "tgamma", Some(5.0)),
    all("lgammaf", "lgamma", None),
    all("__expf", "exp", None),
    all("__exp10f", "exp10", None),
    all("__logf", "log", None),
    all("__log2f", "log2", None),
    all("__log10f", "log10", None),
    all("__sinf", "sin", None),
    all("__cosf", "cos", None),
    all("__tanf", "tan", None),
    all("__tanhf", "tanh", None),
    all("__fsqrt_rn", "sqrt", Some(0.0)),
    all("__frsqrt_rn", "rsqrt", Some(0.0)),
    all("__frcp_rn", "recip", Some(0.0)),
    all("rcp.approx.f32", "recip", None),
    all("rcp.approx.ftz.f32", "recip", None),
    all("rsqrt.approx.f32", "rsqrt", None),
    all("rsqrt.approx.ftz.f32", "rsqrt", None),
    all("sqrt.approx.f32", "sqrt", None),
    all("sqrt.approx.ftz.f32", "sqrt", None),
    all("ex2.approx.f32", "exp2", None),
    all("ex2.approx.ftz.f32", "exp2", None),
    all("lg2.approx.f32", "log2", None),
    all("lg2.approx.ftz.f32", "log2", None),
    all("sin.approx.f32", "sin", None),
    all("sin.approx.ftz.f32", "sin", None),
    all("cos.approx.f32", "cos", None),
    all("cos.approx.ftz.f32", "cos", None),
    all("tanh.approx.f32", "tanh", None),
    timed("exp", Some(1.0)),
    timed("exp2", Some(1.0)),
    timed("exp10", Some(1.0)),
    timed("expm1", Some(1.0)),
    timed("log", Some(1.0)),
    timed("log2", Some(1.0)),
    timed("log10", Some(1.0)),
    timed("log1p", Some(1.0)),
    timed("sin", Some(2.0)),
    timed("cos", Some(2.0)),
    timed("tan", Some(2.0)),
    timed("sinpi", None),
    timed("cospi", None),
    timed("asin", Some(2.0)),
    timed("acos", Some(2.0)),
    timed("atan", Some(2.0)),
    timed("sinh", Some(2.0)),
    timed("cosh", Some(1.0)),
    timed("tanh", Some(1.0)),
    timed("asinh", Some(3.0)),
    timed("acosh", Some(3.0)),
    timed("atanh", Some(3.0)),
    timed("cbrt", Some(1.0)),
    timed("sqrt", Some(0.0)),
    timed("rsqrt", Some(1.0)),
    timed("erf", Some(2.0)),
    timed("erfc", Some(5.0)),
    timed("tgamma", Some(10.0)),
    timed("lgamma", None),
];

/// Results of an approximate instruction in a file.
pub struct Table {
    /// The file's name, without `.values`.
    pub name: &'static str,
    pub instruction: &'static str,
    pub signature: &'static str,
    pub range: &'static str,
    pub stride: &'static str,
}

const fn table(
    name: &'static str,
    instruction: &'static str,
    signature: &'static str,
    range: &'static str,
    stride: &'static str,
) -> Table {
    Table {
        name,
        instruction,
        signature,
        range,
        stride,
    }
}

/// The tables: the binades in which an instruction's results repeat (in binary64 the upper words, since the lower ones change nothing), and
/// some that cover all inputs, which show this repetition and the special values.
pub const TABLES: &[Table] = &[
    table("rcp64", "rcp.approx.ftz.f64", "f64", "1.0..4.0", "2^32"),
    table(
        "rsqrt64",
        "rsqrt.approx.ftz.f64",
        "f64",
        "1.0..16.0",
        "2^32",
    ),
    table(
        "rcp64-all",
        "rcp.approx.ftz.f64",
        "f64",
        "all",
        "35184372088837",
    ),
    table(
        "rsqrt64-all",
        "rsqrt.approx.ftz.f64",
        "f64",
        "all",
        "35184372088837",
    ),
    table("rcp", "rcp.approx.ftz.f32", "f32", "1.0..4.0", "1"),
    table("rsqrt", "rsqrt.approx.ftz.f32", "f32", "1.0..4.0", "1"),
    table("sqrt", "sqrt.approx.ftz.f32", "f32", "1.0..4.0", "1"),
    table("ex2", "ex2.approx.ftz.f32", "f32", "0.5..2.0", "1"),
    table("lg2", "lg2.approx.ftz.f32", "f32", "0.5..4.0", "1"),
    table("tanh", "tanh.approx.f32", "f32", "0.0078125..16.0", "1"),
    table("sin", "sin.approx.ftz.f32", "f32", "0.125..8.0", "1"),
    table("cos", "cos.approx.ftz.f32", "f32", "0.125..8.0", "1"),
    table("rcp-all", "rcp.approx.f32", "f32", "all", "1021"),
    table("rsqrt-all", "rsqrt.approx.f32", "f32", "all", "1021"),
    table("ex2-all", "ex2.approx.f32", "f32", "all", "1021"),
];
