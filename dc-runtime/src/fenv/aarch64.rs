//! FPCR. Exception flags are in a separate register. Bits that change only 16-bit operations, which kernels do not
//! use, count as a change as well.

/// The register's name.
pub(super) const NAME: &str = "FPCR";

/// NaNs that operations give are the default one (DN).
const DEFAULT_NAN: u32 = 1 << 25;
/// Subnormal operands and results become zero (FZ).
const FLUSH: u32 = 1 << 24;
/// Rounding to nearest is 0; upward, downward and toward zero follow.
const ROUNDING: u32 = 3 << 22;
/// Exceptions that interrupt the program: IDE, and IXE to IOE.
const TRAPS: u32 = 1 << 15 | 0x1f << 8;
/// Alternative handling of floating-point numbers, and of subnormal operands (NEP, AH, FIZ).
const ALTERNATIVE: u32 = 7;

pub(super) const DEFAULT: u32 = 0;

/// As fast arithmetic sets it.
#[cfg(any(test, feature = "fault_injection"))]
pub(super) const FAST: u32 = FLUSH;

/// Words that differ from the default in one respect, with a part of their description.
#[cfg(test)]
pub(super) const CASES: [(u32, &str); 5] = [
    (FLUSH, "FZ"),
    (DEFAULT_NAN, "DN"),
    (1 << 22, "upward"),
    (2 << 22, "downward"),
    (3 << 22, "toward zero"),
];

/// The control bits of this thread.
pub(super) fn read() -> u32 {
    let word: u64;
    // SAFETY: the instruction reads a register that every program may read.
    unsafe {
        core::arch::asm!("mrs {}, fpcr", out(reg) word, options(nomem, nostack, preserves_flags));
    }
    word as u32
}

/// Sets them.
///
/// # Safety
/// As for `Environment::set`.
pub(super) unsafe fn write(word: u32) {
    // SAFETY: reserved bits are 0, as the word came from the register.
    unsafe {
        core::arch::asm!("msr fpcr, {}", in(reg) u64::from(word), options(nostack, preserves_flags));
    }
}

/// The differences from the default.
pub(super) fn parts(word: u32) -> impl Iterator<Item = &'static str> {
    let rounding = match (word & ROUNDING) >> 22 {
        0 => None,
        1 => Some("rounding upward"),
        2 => Some("rounding downward"),
        _ => Some("rounding toward zero"),
    };
    let named = FLUSH | DEFAULT_NAN | ROUNDING | TRAPS | ALTERNATIVE;
    [
        (word & FLUSH != 0).then_some("subnormal operands and results become zero (FZ)"),
        (word & DEFAULT_NAN != 0).then_some("NaNs are the default one (DN)"),
        rounding,
        (word & TRAPS != 0).then_some("exceptions interrupt the program"),
        (word & ALTERNATIVE != 0)
            .then_some("alternative handling of special values (AH, NEP, FIZ)"),
        (word & !named != 0).then_some("operations of other formats changed"),
    ]
    .into_iter()
    .flatten()
}
