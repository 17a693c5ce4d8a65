//! Processors whose control bits are not checked: the environment always counts as the default.

/// The register's name.
pub(super) const NAME: &str = "not examined";

pub(super) const DEFAULT: u32 = 0;

/// The default.
pub(super) fn read() -> u32 {
    DEFAULT
}

/// Changes nothing.
///
/// # Safety
/// None is needed.
pub(super) unsafe fn write(_: u32) {}

/// Nothing differs.
pub(super) fn parts(_: u32) -> impl Iterator<Item = &'static str> {
    core::iter::empty()
}
