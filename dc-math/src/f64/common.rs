//! Constants of several modules.

/// 1.5 2^52: adding it to a number below 2^51 rounds the number to an integer, which is at the bottom of the sum's bits.
pub const INTEGER: f64 = 6_755_399_441_055_744.0;
/// Its bits,
pub const INTEGER_BITS: i64 = 0x4338_0000_0000_0000;
/// and those without the last four.
pub const SIXTEENTH: i64 = INTEGER_BITS >> 4;
/// Below this magnitude a function `x + c x³ + …`, |c| <= 1/2, is x to 2^-57.
pub const TINY: f64 = f64::from_bits((1023 - 28) << 52);
