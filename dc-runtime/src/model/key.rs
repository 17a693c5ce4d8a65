//! Keys: inputs in the order of the reals.
//!
//! The bits of a positive float, read as a signed integer, are in the order of the reals. For negative floats the order is reversed;
//! flipping their magnitude bits corrects this. So `-0` is key -1, `+0` is key 0, and neighbouring keys are neighbouring floats. The map is
//! its own inverse.

use kernels_gen::ops::Prim;

/// The precision of a routine under search: the precision of its input and result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Precision {
    /// `DcFloat`, 2^32 inputs
    F32,
    /// `DcDouble`, 2^64 inputs
    F64,
}

impl Precision {
    /// The lane type.
    #[must_use]
    pub const fn prim(self) -> Prim {
        match self {
            Precision::F32 => Prim::F32,
            Precision::F64 => Prim::F64,
        }
    }
    /// `f32` or `f64`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Precision::F32 => "f32",
            Precision::F64 => "f64",
        }
    }
    /// The smallest key: that of the NaN with all bits set.
    #[must_use]
    pub const fn min_key(self) -> i64 {
        match self {
            Precision::F32 => i32::MIN as i64,
            Precision::F64 => i64::MIN,
        }
    }
    /// The largest key.
    #[must_use]
    pub const fn max_key(self) -> i64 {
        match self {
            Precision::F32 => i32::MAX as i64,
            Precision::F64 => i64::MAX,
        }
    }
    /// The bits, zero-extended, of the input with this key.
    #[must_use]
    pub const fn bits_of_key(self, key: i64) -> u64 {
        match self {
            Precision::F32 => {
                let k = key as i32;
                (k ^ ((k >> 31) as u32 >> 1) as i32) as u32 as u64
            }
            Precision::F64 => (key ^ ((key >> 63) as u64 >> 1) as i64) as u64,
        }
    }
    /// The key of an input given by its bits (zero-extended).
    #[must_use]
    pub const fn key_of_bits(self, bits: u64) -> i64 {
        match self {
            Precision::F32 => {
                let b = bits as u32 as i32;
                (b ^ ((b >> 31) as u32 >> 1) as i32) as i64
            }
            Precision::F64 => {
                let b = bits as i64;
                b ^ ((b >> 63) as u64 >> 1) as i64
            }
        }
    }
    /// The input with this key, converted exactly to `f64`.
    #[must_use]
    pub fn value_of_key(self, key: i64) -> f64 {
        self.value_of_bits(self.bits_of_key(key))
    }
    /// The number with these bits, converted exactly to `f64`.
    #[must_use]
    pub fn value_of_bits(self, bits: u64) -> f64 {
        match self {
            Precision::F32 => f64::from(f32::from_bits(bits as u32)),
            Precision::F64 => f64::from_bits(bits),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Precision::{F32, F64};

    #[test]
    fn keys_are_ordered_as_the_reals_and_invert() {
        let xs = [
            f64::NEG_INFINITY,
            f64::MIN,
            -1.0,
            -f64::MIN_POSITIVE,
            -5e-324,
            -0.0,
            0.0,
            5e-324,
            1.0,
            f64::MAX,
            f64::INFINITY,
        ];
        let keys: Vec<i64> = xs.iter().map(|x| F64.key_of_bits(x.to_bits())).collect();
        assert!(keys.windows(2).all(|w| w[0] < w[1]), "{keys:?}");
        assert_eq!(keys[5], -1);
        assert_eq!(keys[6], 0);
        for (x, k) in xs.iter().zip(&keys) {
            assert_eq!(F64.bits_of_key(*k), x.to_bits());
        }
        for bits in [
            0u32,
            1,
            0x8000_0000,
            0xff80_0000,
            0xffff_ffff,
            0x7fff_ffff,
            0x3f80_0000,
        ] {
            let k = F32.key_of_bits(u64::from(bits));
            assert_eq!(F32.bits_of_key(k), u64::from(bits));
            assert!((F32.min_key()..=F32.max_key()).contains(&k));
        }
        assert_eq!(F32.key_of_bits(0x8000_0000), -1);
        assert_eq!(F64.bits_of_key(F64.min_key()), u64::MAX);
    }
}
