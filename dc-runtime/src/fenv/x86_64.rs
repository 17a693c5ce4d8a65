//! MXCSR.

/// The register's name.
pub(super) const NAME: &str = "MXCSR";

/// Results below the normal range become zero (FTZ).
const FLUSH: u32 = 1 << 15;
/// Rounding to nearest is 0; downward, upward and toward zero follow.
const ROUNDING: u32 = 3 << 13;
/// All exceptions masked: they set a flag and the result is the standard's.
const MASKS: u32 = 0x3f << 7;
/// Subnormal operands count as zero (DAZ).
const SUBNORMALS: u32 = 1 << 6;
/// Flags of exceptions that occurred; no result depends on them.
const FLAGS: u32 = 0x3f;

pub(super) const DEFAULT: u32 = MASKS;

/// As fast arithmetic sets it.
#[cfg(any(test, feature = "fault_injection"))]
pub(super) const FAST: u32 = MASKS | FLUSH | SUBNORMALS;

/// Words that differ from the default in one respect, with a part of their description.
#[cfg(test)]
pub(super) const CASES: [(u32, &str); 5] = [
    (MASKS | FLUSH, "FTZ"),
    (MASKS | SUBNORMALS, "DAZ"),
    (MASKS | 1 << 13, "downward"),
    (MASKS | 2 << 13, "upward"),
    (MASKS | 3 << 13, "toward zero"),
];

/// The control bits of this thread.
pub(super) fn read() -> u32 {
    let mut word = 0u32;
    // SAFETY: the instruction stores 32 bits to the address, which is valid for them.
    unsafe {
        core::arch::asm!("stmxcsr [{}]", in(reg) &raw mut word, options(nostack, preserves_flags));
    }
    word & !FLAGS
}

/// Sets them.
///
/// # Safety
/// As for `Environment::set`.
pub(super) unsafe fn write(word: u32) {
    // SAFETY: loads 32 bits from a valid address; reserved bits are 0, as the word came from the register.
    unsafe {
        core::arch::asm!("ldmxcsr [{}]", in(reg) &raw const word, options(nostack, preserves_flags));
    }
}

/// The differences from the default.
pub(super) fn parts(word: u32) -> impl Iterator<Item = &'static str> {
    let rounding = match (word & ROUNDING) >> 13 {
        0 => None,
        1 => Some("rounding downward"),
        2 => Some("rounding upward"),
        _ => Some("rounding toward zero"),
    };
    [
        (word & FLUSH != 0).then_some("results below the normal range become zero (FTZ)"),
        (word & SUBNORMALS != 0).then_some("subnormal operands count as zero (DAZ)"),
        rounding,
        (word & MASKS != MASKS).then_some("exceptions interrupt the program"),
    ]
    .into_iter()
    .flatten()
}
