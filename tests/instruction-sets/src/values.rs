//! Values for tests: edge values of every type, and random bits with many values for which operations tend to go wrong.

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
pub(crate) struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    /// A random number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}

/// 2ⁿ, for exponents of normal numbers.
fn power(n: i32) -> f64 {
    f64::from_bits(((1023 + n) as u64) << 52)
}

/// Each value, its neighbours in the order of bits, and the negatives of all three.
fn with_neighbours(values: &[f64]) -> impl Iterator<Item = u64> {
    values
        .iter()
        .flat_map(|x| [x.to_bits() - 1, x.to_bits(), x.to_bits() + 1])
        .flat_map(|bits| [bits, bits | 1 << 63])
}

/// Bits of binary64 numbers.
pub(crate) fn edges_f64() -> Vec<u64> {
    let mut bits = vec![
        0,
        1,                     // smallest subnormal
        0x000f_ffff_ffff_ffff, // largest subnormal
        0x0010_0000_0000_0000, // smallest normal
        0x7fef_ffff_ffff_ffff, // largest finite
        0x7ff0_0000_0000_0000, // infinity
        0x7ff8_0000_0000_0000, // canonical NaN
        0x7ff0_0000_0000_0001, // signalling NaN
        0x7fff_ffff_ffff_ffff, // quiet NaN, all of the payload
        0x7ff4_dead_0000_0000, // signalling NaN, payload in the upper half only
    ];
    bits.extend(bits.clone().iter().map(|b| b | 1 << 63));
    bits.extend(with_neighbours(&[
        0.5,
        1.0,
        1.5,
        2.5,
        power(31),
        power(51) + 0.5, // the last binade with halves
        power(52),
        power(53),
        power(63),
    ]));
    bits.extend(
        [
            0.1,
            f64::from(i32::MAX) + 0.5,
            f64::from(i32::MIN) - 0.5,
            power(32) + 1.0,
            -power(32),
            -power(62) - power(20),
            // Rounded to binary32: a tie down, a tie up, half of the smallest subnormal, and the tie at the largest
            // number.
            1.0 + power(-24),
            1.0 + 3.0 * power(-24),
            power(-150),
            power(-150) + power(-180),
            power(-126) - power(-151),
            power(128) - power(103),
            -power(128) + power(104),
        ]
        .map(f64::to_bits),
    );
    bits
}

/// Bits of binary32 numbers.
pub(crate) fn edges_f32() -> Vec<u32> {
    let mut bits = vec![
        0,
        1,
        0x007f_ffff,
        0x0080_0000,
        0x7f7f_ffff,
        0x7f80_0000,
        0x7fc0_0000,
        0x7f80_0001,
        0x7fff_ffff,
        0x7fa0_5000,
    ];
    for x in [0.5f32, 1.0, 1.5, 2.5, 8_388_608.0, 16_777_216.0] {
        bits.extend([x.to_bits() - 1, x.to_bits(), x.to_bits() + 1]);
    }
    // 2³¹, 2³², 2⁶³, which are limits of conversions to integers, and their neighbours. 2²² + ½: the last binade with
    // halves.
    for n in [31, 32, 63] {
        let two = (127 + n) << 23;
        bits.extend([two - 1, two, two + 1]);
    }
    bits.extend([4_194_304.5f32, 0.1, 3.0, 1e-30, 1e30].map(f32::to_bits));
    bits.extend(bits.clone().iter().map(|b| b | 1 << 31));
    bits
}

pub(crate) fn edges_i64() -> Vec<i64> {
    let mut values = vec![0];
    for n in [0, 1, 5, 6, 24, 31, 32, 33, 52, 53, 54, 62] {
        values.extend([(1 << n) - 1, 1 << n, (1i64 << n) + 1]);
    }
    values.extend([
        i64::MAX,
        i64::MIN,
        i64::MIN + 1,
        i64::MAX - 511, // the halfway point between the largest binary64 below 2⁶³ and 2⁶³
        i64::MAX - 512,
        (1 << 53) + 2,
        (1 << 53) + 3,
        // Ties of binary32 in the binade of 2⁶², numbers next to them, and numbers beside them by less than binary64
        // can represent.
        (1 << 62) + (1 << 38),
        (1 << 62) + (1 << 38) + 1,
        (1 << 62) + (1 << 38) - 1,
        (1 << 62) + (3 << 38),
        (1 << 62) + (3 << 38) - 1,
        0x5555_5555_5555_5555,
        0x0123_4567_89ab_cdef,
    ]);
    values.extend(values.clone().iter().map(|v| v.wrapping_neg()));
    values
}

pub(crate) fn edges_i32() -> Vec<i32> {
    let mut values = vec![0];
    for n in [0, 1, 5, 6, 15, 16, 24, 25, 30] {
        values.extend([(1 << n) - 1, 1 << n, (1i32 << n) + 1]);
    }
    values.extend([
        i32::MAX,
        i32::MIN,
        i32::MIN + 1,
        (1 << 24) + 3,
        0x5555_5555,
        0x0123_4567,
    ]);
    values.extend(values.clone().iter().map(|v| v.wrapping_neg()));
    values
}

/// Any bits, or a number near one, subnormal, an integer or a half, in the range of `i64`, or close to overflow.
pub(crate) fn random_f64(rng: &mut Rng) -> u64 {
    let bits = rng.next();
    let kept = bits & 0x800f_ffff_ffff_ffff;
    let exponent = match rng.below(8) {
        0 => 0,
        1 => 1 + rng.below(60),
        2 => 2046 - rng.below(60),
        3 => 1022 + rng.below(3),
        4 => 1023 + rng.below(66),
        5 => 480 + rng.below(60), // products are subnormal
        6 => return ((rng.below(1 << 20) as f64 - power(19)) / 2.0).to_bits(),
        _ => return bits,
    };
    kept | exponent << 52
}

/// The same as [`random_f64`].
pub(crate) fn random_f32(rng: &mut Rng) -> u32 {
    let bits = rng.next() as u32;
    let kept = bits & 0x807f_ffff;
    let exponent = match rng.below(8) {
        0 => 0,
        1 => 1 + rng.below(30),
        2 => 254 - rng.below(30),
        3 => 126 + rng.below(3),
        4 => 127 + rng.below(66),
        5 => 50 + rng.below(30),
        6 => return ((rng.below(1 << 12) as f32 - 2048.0) / 2.0).to_bits(),
        _ => return bits,
    };
    kept | (exponent as u32) << 23
}

/// Any bits, or fewer of them, sign-extended.
pub(crate) fn random_i64(rng: &mut Rng) -> i64 {
    (rng.next() as i64) >> rng.below(64)
}
