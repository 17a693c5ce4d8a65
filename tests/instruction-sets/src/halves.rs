//! The conversions of 16 bits by instructions, on sets that have them.

use crate::isa::{Isa, WithIsa};

pub(super) const NAMES: &[&str] = &["f16_to_f32", "f32_to_f16", "round_f16", "f32_to_bf16"];

/// Bits of binary16, whether there are instructions, and the numbers.
struct Widen<'a>(&'a [i32], &'a mut [f32]);
impl<I: Isa> WithIsa<I> for Widen<'_> {
    type Output = bool;
    #[inline(always)]
    fn call(self, isa: I) -> bool {
        let wide = isa.f16_to_f32(isa.load_i32(self.0));
        wide.map(|x| isa.store_f32(x, self.1)).is_some()
    }
}

/// Numbers, their binary16 bits, and the numbers that these are.
struct Narrow<'a>(&'a [f32], &'a mut [i32], &'a mut [f32]);
impl<I: Isa> WithIsa<I> for Narrow<'_> {
    type Output = bool;
    #[inline(always)]
    fn call(self, isa: I) -> bool {
        let x = isa.load_f32(self.0);
        let bits = isa.f32_to_f16(x).map(|bits| isa.store_i32(bits, self.1));
        let rounded = isa.round_f16(x).map(|x| isa.store_f32(x, self.2));
        bits.is_some() && rounded.is_some()
    }
}

/// Numbers, and their bfloat16 bits.
struct NarrowBfloat<'a>(&'a [f32], &'a mut [i32]);
impl<I: Isa> WithIsa<I> for NarrowBfloat<'_> {
    type Output = bool;
    #[inline(always)]
    fn call(self, isa: I) -> bool {
        let bits = isa.f32_to_bf16(isa.load_f32(self.0));
        bits.map(|bits| isa.store_i32(bits, self.1)).is_some()
    }
}

/// Every number of bfloat16, subnormal ones too, the middle to the next, and what is beside both; NaNs.
fn bfloat_cases() -> Vec<(f32, i32)> {
    let mut cases = Vec::new();
    for bits in 0..0x7f80 {
        let wide = (bits as u32) << 16;
        let even = bits + (bits & 1);
        // Infinity follows the largest.
        for (low, wanted) in [
            (0, bits),
            (1, bits),
            (0x7fff, bits),
            (0x8000, even),
            (0x8001, bits + 1),
            (0xffff, bits + 1),
        ] {
            let positive = wide | low;
            cases.push((f32::from_bits(positive), wanted));
            cases.push((f32::from_bits(positive | 1 << 31), wanted | 0x8000));
        }
    }
    for sign in [0, 0x8000] {
        let infinity = f32::from_bits((sign | 0x7f80) << 16);
        cases.push((infinity, (sign | 0x7f80) as i32));
        for fraction in [1, 0xffff, 0x1_0000, 0x3f_ffff, 0x40_0000, 0x7f_ffff] {
            cases.push((f32::from_bits(sign << 16 | 0x7f80_0000 | fraction), 0x7fc0));
        }
    }
    cases
}

/// The number of positive bits, by the definition of the format; 2^16 follows the largest.
fn value(bits: i32) -> f32 {
    let (field, fraction) = (bits >> 10, (bits & 0x3ff) as f32);
    match field {
        0 => fraction * 2f32.powi(-24),
        _ => (1.0 + fraction / 1024.0) * 2f32.powi(field - 15),
    }
}

/// Inputs with the bits that they are rounded to: every number of the format, the middle to the next, and what is beside both.
fn cases() -> Vec<(f32, i32)> {
    let mut cases = vec![
        (f32::MAX, 0x7c00),
        (f32::INFINITY, 0x7c00),
        (f32::MIN_POSITIVE, 0),
        (f32::from_bits(1), 0),
    ];
    for bits in 0..0x7c00 {
        let (x, next) = (value(bits), value(bits + 1));
        // Exact: a middle has one more bit.
        let middle = 0.5 * (x + next);
        let even = bits + (bits & 1);
        cases.extend([(x, bits), (x.next_up(), bits), (middle.next_down(), bits)]);
        cases.extend([
            (middle, even),
            (middle.next_up(), bits + 1),
            (next.next_down(), bits + 1),
        ]);
    }
    let negative: Vec<(f32, i32)> = cases.iter().map(|&(x, bits)| (-x, bits | 0x8000)).collect();
    cases.extend(negative);
    // Quiet and signalling, of both signs, with fractions whose upper and lower bits are set.
    for fraction in [
        1, 0x1fff, 0x2000, 0x3f_ffff, 0x40_0000, 0x40_0001, 0x7f_ffff,
    ] {
        for sign in [0, 1 << 31] {
            cases.push((f32::from_bits(sign | 0x7f80_0000 | fraction), 0x7e00));
        }
    }
    cases
}

/// Whether a number is that of these bits, of which all NaNs are equal.
fn is_number(x: f32, bits: i32) -> bool {
    let magnitude = bits & 0x7fff;
    let wanted = match magnitude {
        0x7c01.. => return x.is_nan(),
        0x7c00 => f32::INFINITY,
        _ => value(magnitude),
    };
    let sign = ((bits & 0x8000) as u32) << 16;
    x.to_bits() == wanted.to_bits() | sign
}

pub(super) fn check_halves<I: Isa>(isa: I) {
    let n = I::LANES;
    let expected = matches!(I::NAME, "avx2" | "avx512");
    let all: Vec<i32> = (0..1 << 16).collect();
    for bits in all.chunks_exact(n) {
        // The upper halves of lanes are of no account.
        let dirty: Vec<i32> = bits.iter().map(|b| b | b << 17 | 0x1_0000).collect();
        let mut wide = vec![0.0; n];
        assert_eq!(isa.run(Widen(&dirty, &mut wide)), expected);
        for (&x, &bits) in wide.iter().zip(bits).filter(|_| expected) {
            assert!(is_number(x, bits), "{bits:#06x}: {x:e}");
        }
    }
    let mut cases = cases();
    while !cases.len().is_multiple_of(n) {
        cases.push((-0.0, 0x8000));
    }
    for cases in cases.chunks_exact(n) {
        let xs: Vec<f32> = cases.iter().map(|c| c.0).collect();
        let (mut bits, mut rounded) = (vec![0; n], vec![0.0; n]);
        assert_eq!(isa.run(Narrow(&xs, &mut bits, &mut rounded)), expected);
        for (k, &(x, wanted)) in cases.iter().enumerate().filter(|_| expected) {
            let (bits, rounded) = (bits[k], rounded[k]);
            assert_eq!(bits, wanted, "{x:e} ({:#010x})", x.to_bits());
            assert!(
                is_number(rounded, wanted),
                "{x:e} ({:#010x}): {rounded:e}",
                x.to_bits()
            );
        }
    }
    let expected = I::NAME == "avx512";
    let mut cases = bfloat_cases();
    while !cases.len().is_multiple_of(n) {
        cases.push((-0.0, 0x8000));
    }
    for cases in cases.chunks_exact(n) {
        let xs: Vec<f32> = cases.iter().map(|c| c.0).collect();
        let mut bits = vec![0; n];
        assert_eq!(isa.run(NarrowBfloat(&xs, &mut bits)), expected);
        for (&bits, &(x, wanted)) in bits.iter().zip(cases).filter(|_| expected) {
            assert_eq!(bits, wanted, "{x:e} ({:#010x})", x.to_bits());
        }
    }
}
