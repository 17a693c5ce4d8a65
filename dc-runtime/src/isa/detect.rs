//! Detection of the instructions that the sets need.
//!
//! The standard library detects them if it is available. Without it, `CPUID` is read on x86-64. On other processors only the operating
//! system could report them. There a set counts as present if the program is compiled for it, such as NEON on AArch64.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use core::sync::atomic::{AtomicU8, Ordering};

#[cfg(all(
    any(test, not(feature = "std")),
    target_arch = "x86_64",
    target_feature = "sse2"
))]
#[cfg_attr(
    test,
    allow(
        dead_code,
        unused_imports,
        reason = "tried by `tests/instruction-sets`, which compiles this file as well"
    )
)]
pub(crate) mod cpuid;

/// Whether the processor has all of these, and the operating system saves their registers.
#[cfg(all(feature = "std", target_arch = "x86_64", target_feature = "sse2"))]
macro_rules! has {
    ($($feature:ident $name:tt),+) => { $(std::arch::is_x86_feature_detected!($name))&&+ };
}
#[cfg(all(not(feature = "std"), target_arch = "x86_64", target_feature = "sse2"))]
macro_rules! has {
    ($($feature:ident $name:tt),+) => { cpuid::has($(cpuid::$feature)|+) };
}

/// The features with which plain Rust's `mul_add` becomes one instruction.
///
/// A call for one number asks each time. The answer is one byte, whereas the standard library reads its memory once for each feature.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline]
pub(crate) fn fused() -> bool {
    cfg!(all(target_feature = "avx", target_feature = "fma"))
        || FUSED.load(Ordering::Relaxed) == YES
        || ask_fused()
}

/// The answer of [`fused`], once known. Threads that ask at the same time get the same answer.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
static FUSED: AtomicU8 = AtomicU8::new(0);
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
const YES: u8 = 1;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
const NO: u8 = 2;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[cold]
fn ask_fused() -> bool {
    if FUSED.load(Ordering::Relaxed) == NO {
        return false;
    }
    let found = has!(AVX "avx", FMA "fma");
    FUSED.store(if found { YES } else { NO }, Ordering::Relaxed);
    found
}

/// The features that `Avx2` needs.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline]
pub(crate) fn avx2() -> bool {
    has!(AVX2 "avx2", FMA "fma", F16C "f16c")
}

/// The features that `Avx512` needs.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline]
pub(crate) fn avx512() -> bool {
    has!(AVX512F "avx512f", AVX512VL "avx512vl", AVX512DQ "avx512dq", AVX512BW "avx512bw", AVX2 "avx2", FMA "fma")
}

/// The features that `Neon` needs.
#[cfg(all(
    target_arch = "aarch64",
    target_endian = "little",
    target_feature = "neon"
))]
#[inline]
pub(crate) fn neon() -> bool {
    #[cfg(feature = "std")]
    return std::arch::is_aarch64_feature_detected!("neon");
    #[cfg(not(feature = "std"))]
    true
}
