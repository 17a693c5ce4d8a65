//! The features of an x86-64 processor without the standard library: `CPUID` gives the features, and `XCR0` whether the operating system
//! saves the registers.

use core::arch::x86_64::{__cpuid, __cpuid_count, __get_cpuid_max, _xgetbv};
use core::sync::atomic::{AtomicU32, Ordering};

pub(crate) const AVX: u32 = 1 << 0;
pub(crate) const FMA: u32 = 1 << 1;
pub(crate) const AVX2: u32 = 1 << 2;
pub(crate) const AVX512F: u32 = 1 << 3;
pub(crate) const AVX512DQ: u32 = 1 << 4;
pub(crate) const AVX512BW: u32 = 1 << 5;
pub(crate) const AVX512VL: u32 = 1 << 6;
pub(crate) const F16C: u32 = 1 << 7;
/// Set if the processor was queried.
const ASKED: u32 = 1 << 31;

/// The answer, once known. Threads that query at the same time get the same answer.
static FOUND: AtomicU32 = AtomicU32::new(0);

/// Whether the processor has all of these features, and the operating system saves their registers.
#[inline]
pub(crate) fn has(features: u32) -> bool {
    let mut found = FOUND.load(Ordering::Relaxed);
    if found == 0 {
        found = ask() | ASKED;
        FOUND.store(found, Ordering::Relaxed);
    }
    found & features == features
}

/// The features.
#[cold]
#[allow(
    unused_unsafe,
    reason = "CPUID is an instruction of every processor, and safe in newer compilers"
)]
pub(crate) fn ask() -> u32 {
    // In an enclave of SGX the instruction is a fault.
    if cfg!(target_env = "sgx") {
        return 0;
    }
    // SAFETY: every x86-64 processor has CPUID.
    let (last, basic) = unsafe { (__get_cpuid_max(0).0, __cpuid(1)) };
    let bit = |word: u32, bit: u32| word >> bit & 1 == 1;
    // XGETBV is there, as the operating system uses it.
    if !bit(basic.ecx, 27) {
        return 0;
    }
    // SAFETY: the processor has the instruction.
    let saved = unsafe { xcr0() };
    // The registers of SSE and AVX.
    if saved & 0b110 != 0b110 || !bit(basic.ecx, 28) {
        return 0;
    }
    let mut found = AVX;
    for (feature, place) in [(FMA, 12), (F16C, 29)] {
        if bit(basic.ecx, place) {
            found |= feature;
        }
    }
    if last < 7 {
        return found;
    }
    // SAFETY: as above.
    let extended = unsafe { __cpuid_count(7, 0) }.ebx;
    if bit(extended, 5) {
        found |= AVX2;
    }
    // Masks, the upper halves of 16 registers, and 16 more registers.
    if saved & 0b1110_0000 == 0b1110_0000 && bit(extended, 16) {
        found |= AVX512F;
        for (feature, place) in [(AVX512DQ, 17), (AVX512BW, 30), (AVX512VL, 31)] {
            if bit(extended, place) {
                found |= feature;
            }
        }
    }
    found
}

/// The states that the operating system saves.
///
/// # Safety
///
/// The processor has XSAVE, and the operating system has enabled it.
#[target_feature(enable = "xsave")]
unsafe fn xcr0() -> u64 {
    // SAFETY: guaranteed by the caller.
    unsafe { _xgetbv(0) }
}
