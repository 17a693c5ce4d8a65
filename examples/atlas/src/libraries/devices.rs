//! Functions of devices: those of OpenCL C on PoCL, those of CUDA on a GPU.

use super::{Function, Library, Routine};

/// A table of functions of a device's language.
macro_rules! of_device {
    ($($computes:ident: $name:literal;)+) => {
        &[$(Routine { computes: stringify!($computes), function: Function::Device($name) }),+]
    };
}

/// Tables take the version from the run files, which have device and driver.
fn of_the_run() -> String {
    String::new()
}

pub const POCL: Library = Library {
    name: "pocl",
    about: "the built-in functions of OpenCL C, as PoCL gives them on this processor",
    version: of_the_run,
    device: Some("opencl:pocl"),
    doubles: &[],
    routines: of_device! {
        exp: "exp";
        exp2: "exp2";
        exp10: "exp10";
        expm1: "expm1";
        log: "log";
        log2: "log2";
        log10: "log10";
        log1p: "log1p";
        sin: "sin";
        cos: "cos";
        tan: "tan";
        sinpi: "sinpi";
        cospi: "cospi";
        tanpi: "tanpi";
        asin: "asin";
        acos: "acos";
        atan: "atan";
        asinpi: "asinpi";
        acospi: "acospi";
        atanpi: "atanpi";
        sinh: "sinh";
        cosh: "cosh";
        tanh: "tanh";
        asinh: "asinh";
        acosh: "acosh";
        atanh: "atanh";
        cbrt: "cbrt";
        sqrt: "sqrt";
        rsqrt: "rsqrt";
        erf: "erf";
        erfc: "erfc";
        tgamma: "tgamma";
        lgamma: "lgamma";
    },
};

pub const POCL_NATIVE: Library = Library {
    name: "pocl-native",
    about: "OpenCL C's native functions, of which the standard demands nothing, as PoCL gives them on this processor",
    version: of_the_run,
    device: Some("opencl:pocl"),
    doubles: &[],
    routines: of_device! {
        exp: "native_exp";
        exp2: "native_exp2";
        exp10: "native_exp10";
        log: "native_log";
        log2: "native_log2";
        log10: "native_log10";
        sin: "native_sin";
        cos: "native_cos";
        tan: "native_tan";
        sqrt: "native_sqrt";
        rsqrt: "native_rsqrt";
        recip: "native_recip";
    },
};

pub const POCL_HALF: Library = Library {
    name: "pocl-half",
    about: "OpenCL C's functions with ten right bits or more, as PoCL gives them on this processor",
    version: of_the_run,
    device: Some("opencl:pocl"),
    doubles: &[],
    routines: of_device! {
        exp: "half_exp";
        exp2: "half_exp2";
        exp10: "half_exp10";
        log: "half_log";
        log2: "half_log2";
        log10: "half_log10";
        sin: "half_sin";
        cos: "half_cos";
        tan: "half_tan";
        sqrt: "half_sqrt";
        rsqrt: "half_rsqrt";
        recip: "half_recip";
    },
};

pub const CUDA: Library = Library {
    name: "cuda",
    about: "CUDA's functions, on a GPU",
    version: of_the_run,
    device: Some("cuda:0"),
    doubles: &[],
    routines: of_device! {
        exp: "expf";
        exp2: "exp2f";
        exp10: "exp10f";
        expm1: "expm1f";
        log: "logf";
        log2: "log2f";
        log10: "log10f";
        log1p: "log1pf";
        sin: "sinf";
        cos: "cosf";
        tan: "tanf";
        sinpi: "sinpif";
        cospi: "cospif";
        asin: "asinf";
        acos: "acosf";
        atan: "atanf";
        sinh: "sinhf";
        cosh: "coshf";
        tanh: "tanhf";
        asinh: "asinhf";
        acosh: "acoshf";
        atanh: "atanhf";
        cbrt: "cbrtf";
        sqrt: "sqrtf";
        rsqrt: "rsqrtf";
        erf: "erff";
        erfc: "erfcf";
        tgamma: "tgammaf";
        lgamma: "lgammaf";
    },
};

pub const CUDA_INTRINSICS: Library = Library {
    name: "cuda-intrinsics",
    about: "CUDA's intrinsics: fast, with errors that are large where arguments are",
    version: of_the_run,
    device: Some("cuda:0"),
    doubles: &[],
    routines: of_device! {
        exp: "__expf";
        exp10: "__exp10f";
        log: "__logf";
        log2: "__log2f";
        log10: "__log10f";
        sin: "__sinf";
        cos: "__cosf";
        tan: "__tanf";
        sqrt: "__fsqrt_rn";
        rsqrt: "__frsqrt_rn";
        recip: "__frcp_rn";
    },
};
