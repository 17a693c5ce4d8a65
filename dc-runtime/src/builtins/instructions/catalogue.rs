//! The list of emulations, each with its instruction and the function that computes it.

use super::{
    frecpe, frsqrte, pfrcp_3dnow, pfrsqrt_3dnow, rcp_approx, rcp_approx_ftz, rcp_neon, rcp14,
    rcpps_amd, rcpps_intel, rsqrt_approx, rsqrt_approx_ftz, rsqrt_neon, rsqrt14, rsqrtps_amd,
    rsqrtps_intel,
};

/// The function that an instruction estimates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    /// `1 / x`
    Reciprocal,
    /// `1 / √x`
    ReciprocalSquareRoot,
}

impl Function {
    /// The value in double precision. Its error is negligible for the figures.
    #[must_use]
    pub fn exact(self, x: f64) -> f64 {
        match self {
            Function::Reciprocal => 1.0 / x,
            Function::ReciprocalSquareRoot => 1.0 / x.sqrt(),
        }
    }
    /// The first numbers of the binades over which an estimate's fraction takes all its values.
    #[must_use]
    pub fn binades(self) -> &'static [f32] {
        match self {
            Function::Reciprocal => &[1.0],
            Function::ReciprocalSquareRoot => &[1.0, 2.0],
        }
    }
}

/// A function that computes a slice of results from a slice of inputs of the same length.
pub type Run = fn(&[f32], &mut [f32]);

/// An emulated instruction of binary32.
#[derive(Debug, Clone, Copy)]
pub struct Emulation {
    /// Name of the kernel.
    pub name: &'static str,
    /// The instruction, in lower case.
    pub instruction: &'static str,
    /// The processors with this implementation.
    pub processors: &'static str,
    /// The function that it estimates.
    pub function: Function,
    /// The kernel on the CPU.
    pub run: Run,
}

macro_rules! emulation {
    ($kernel:ident, $instruction:literal, $function:ident, $processors:literal) => {
        Emulation {
            name: stringify!($kernel),
            instruction: $instruction,
            processors: $processors,
            function: Function::$function,
            run: $kernel::map,
        }
    };
}

/// All emulations of binary32 that estimate a [`Function`].
#[rustfmt::skip]
pub const ALL: &[Emulation] = &[
    emulation!(rcp_neon, "vrecpe", Reciprocal, "ARM, Advanced SIMD (AArch32)"),
    emulation!(frecpe, "frecpe", Reciprocal, "ARM, A64"),
    emulation!(rcpps_intel, "rcpps", Reciprocal, "Intel"),
    emulation!(rcpps_amd, "rcpps", Reciprocal, "AMD Zen 3, Zen 5"),
    emulation!(pfrcp_3dnow, "pfrcp", Reciprocal, "AMD, 3DNow!"),
    emulation!(rcp14, "vrcp14ps", Reciprocal, "AVX-512: Intel, AMD Zen 5"),
    emulation!(rcp_approx, "rcp.approx.f32", Reciprocal, "NVIDIA Hopper"),
    emulation!(rcp_approx_ftz, "rcp.approx.ftz.f32", Reciprocal, "NVIDIA Hopper"),
    emulation!(rsqrt_neon, "vrsqrte", ReciprocalSquareRoot, "ARM, Advanced SIMD (AArch32)"),
    emulation!(frsqrte, "frsqrte", ReciprocalSquareRoot, "ARM, A64"),
    emulation!(rsqrtps_intel, "rsqrtps", ReciprocalSquareRoot, "Intel"),
    emulation!(rsqrtps_amd, "rsqrtps", ReciprocalSquareRoot, "AMD Zen 3, Zen 5"),
    emulation!(pfrsqrt_3dnow, "pfrsqrt", ReciprocalSquareRoot, "AMD, 3DNow!"),
    emulation!(rsqrt14, "vrsqrt14ps", ReciprocalSquareRoot, "AVX-512: Intel, AMD Zen 5"),
    emulation!(rsqrt_approx, "rsqrt.approx.f32", ReciprocalSquareRoot, "NVIDIA Hopper"),
    emulation!(rsqrt_approx_ftz, "rsqrt.approx.ftz.f32", ReciprocalSquareRoot, "NVIDIA Hopper"),
];
