//! Written by `scripts/library_constants.py`: change it there.

/// 2 / pi.
pub(super) const QUADRANTS: f64 = f64::from_bits(0x3fe4_5f30_6dc9_c883); // 0.6366197723675814
/// pi / 2: its first 43 bits,
pub(super) const HALF_PI_1: f64 = f64::from_bits(0x3ff9_21fb_5444_2c00); // 1.5707963267948344
/// the next 43,
pub(super) const HALF_PI_2: f64 = f64::from_bits(0x3d31_8469_898c_c400); // 6.223372171896261e-14
/// and the rest, rounded.
pub(super) const HALF_PI_3: f64 = f64::from_bits(0x3a71_701b_839a_2520); // 3.5215598651832e-27
