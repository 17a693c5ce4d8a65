//! Inputs: columns of bits that all kernels share, so that many kernels fit in one text.
//!
//! There are six columns of each lane type and two of double-doubles, of two words. The first rows are every special
//! value of a type against every other in the first two columns of it; the others mix special values, numbers close to
//! another column's or its negative (cancellation), halves and few-bit numbers (ties), numbers about the ends of the
//! integers' ranges, subnormals, huge ones, NaNs of every payload and sign, random bits, and numbers about one, of which
//! most operations make something that the next operation can be wrong about.

use kernels_gen::ops::Prim;

use crate::random::Random;

/// Columns of each lane type.
pub const EACH: usize = 6;
/// Double-doubles.
pub const DOUBLE_DOUBLES: usize = 2;
/// All columns.
pub const COLUMNS: usize = 5 * EACH + 2 * DOUBLE_DOUBLES;

const LANES: [Prim; 5] = [Prim::F64, Prim::F32, Prim::I64, Prim::I32, Prim::Mask];

/// The lane type of a column.
#[must_use]
pub fn prim(column: usize) -> Prim {
    LANES.get(column / EACH).copied().unwrap_or(Prim::F64)
}

/// Column number `n` of a lane type.
#[must_use]
pub fn column(prim: Prim, n: usize) -> usize {
    let first = LANES.iter().position(|&p| p == prim).unwrap_or(0) * EACH;
    first + n % EACH
}

/// The two columns of double-double number `n`.
#[must_use]
pub fn double_double(n: usize) -> [usize; 2] {
    let first = 5 * EACH + 2 * (n % DOUBLE_DOUBLES);
    [first, first + 1]
}

/// Values that operations are wrong about, in binary64; each stands for its negative as well.
const DOUBLES: [u64; 16] = [
    0,
    1,
    0x000f_ffff_ffff_ffff,
    0x0010_0000_0000_0000,
    0x3ff0_0000_0000_0000,
    0x3fef_ffff_ffff_ffff,
    0x3fe0_0000_0000_0000,
    0x4004_0000_0000_0000, // 2.5
    0x41df_ffff_ffe0_0000, // 2^31 - 1/2
    0x43e0_0000_0000_0000, // 2^63
    0x4330_0000_0000_0001, // 2^52 + 1
    0x36a0_0000_0000_0001, // above half the smallest subnormal float
    0x7fef_ffff_ffff_ffff,
    0x7ff0_0000_0000_0000,
    0x7ff0_0000_0000_0001, // signalling NaN
    0x7ffc_0000_dead_beef, // NaN with a payload
];
const FLOATS: [u64; 16] = [
    0,
    1,
    0x007f_ffff,
    0x0080_0000,
    0x3f80_0000,
    0x3f7f_ffff,
    0x3f00_0000,
    0x4020_0000, // 2.5
    0x4eff_ffff, // below 2^31
    0x4f00_0000, // 2^31
    0x5f00_0000, // 2^63
    0x4b00_0001, // 2^23 + 1
    0x7f7f_ffff,
    0x7f80_0000,
    0x7f80_0001,
    0x7fe1_2345,
];
const LONGS: [u64; 16] = [
    0,
    1,
    u64::MAX,
    1 << 63,
    (1 << 63) - 1,
    (1 << 63) + 1,
    63,
    64,
    65,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    (1 << 53) + 1,
    0x0080_0000_8000_0001, // twice rounded on its way to a float through a double
    0x7ff0_0000_0000_0001,
    0x3ff0_0000_0000_0000,
];
const INTS: [u64; 16] = [
    0,
    1,
    0xffff_ffff,
    1 << 31,
    (1 << 31) - 1,
    (1 << 31) + 1,
    31,
    32,
    33,
    0x0100_0001,
    0x7f80_0001,
    0xffc0_0001,
    0x3f80_0000,
    7,
    0x8000_0007,
    0x00ff_ffff,
];

/// The columns, of `rows` rows, from a seed.
#[must_use]
pub fn columns(seed: u64, rows: usize) -> Vec<Vec<u64>> {
    let mut random = Random::of(seed, 0x1395);
    let mut columns = vec![Vec::new(); COLUMNS];
    for row in 0..rows {
        for at in 0..5 * EACH {
            let (kind, n) = (prim(at), at % EACH);
            let word = match special(kind, row, n) {
                Some(word) => word,
                None => {
                    let other = (n > 0).then(|| columns[at - 1 - random.below(n)][row]);
                    pick(kind, other, &mut random)
                }
            };
            columns[at].push(word);
        }
        for n in 0..DOUBLE_DOUBLES {
            let [high, low] = double_double(n);
            let hi = pick(Prim::F64, None, &mut random);
            let lo = if random.chance(70) {
                // Below half a unit of the last place, as of a sum.
                let scale = f64::from_bits(0x3c80_0000_0000_0000 | random.word() >> 12);
                let sign = if random.chance(50) { scale } else { -scale };
                (f64::from_bits(hi) * sign).to_bits()
            } else {
                pick(Prim::F64, Some(hi), &mut random)
            };
            columns[high].push(hi);
            columns[low].push(lo);
        }
    }
    columns
}

/// Rows with every special value against every other.
pub const CROSSED: usize = 32 * 32;

fn special(kind: Prim, row: usize, n: usize) -> Option<u64> {
    let which = match n {
        0 => row / 32,
        1 => row % 32,
        _ => return None,
    };
    (row < CROSSED).then(|| special_value(kind, which))
}

/// Number `n` of 32.
pub(crate) fn special_value(kind: Prim, n: usize) -> u64 {
    let flip = |sign: u64| if n % 2 == 1 { sign } else { 0 };
    match kind {
        Prim::F64 => DOUBLES[n / 2] ^ flip(1 << 63),
        Prim::F32 => FLOATS[n / 2] ^ flip(1 << 31),
        // Doubles' and floats' bits among them.
        Prim::I64 if n % 2 == 1 => DOUBLES[n / 2] | 1 << 63,
        Prim::I64 => LONGS[n / 2],
        Prim::I32 if n % 2 == 1 => FLOATS[n / 2] | 1 << 31,
        Prim::I32 => INTS[n / 2],
        Prim::Mask => (n % 2) as u64,
    }
}

pub(crate) fn pick(kind: Prim, other: Option<u64>, random: &mut Random) -> u64 {
    let word = random.word();
    let (width, fraction, one) = match kind {
        Prim::Mask => return word & 1,
        Prim::I64 | Prim::F64 => (64, 52, 0x3ff0_0000_0000_0000_u64),
        Prim::I32 | Prim::F32 => (32, 23, 0x3f80_0000),
    };
    let all = u64::MAX >> (64 - width);
    let sign = 1 << (width - 1);
    let flip = if random.chance(50) { sign } else { 0 };
    let steps = |random: &mut Random| random.below(5) as u64;
    if kind.is_int() {
        return match (random.below(10), other) {
            (0 | 1, _) => special_value(kind, random.below(32)),
            (2 | 3, _) => word % 100,
            (4, Some(other)) => other.wrapping_add(steps(random)).wrapping_sub(2) & all,
            (5, Some(other)) => (!other).wrapping_add(steps(random)) & all,
            // About a power of two.
            (6, _) => {
                (1u64 << random.below(width as usize))
                    .wrapping_add(steps(random))
                    .wrapping_sub(2)
                    & all
            }
            _ => word >> random.below(width as usize) & all,
        };
    }
    let mantissa = word & ((1 << fraction) - 1);
    // So many powers of two above one.
    let scaled = |exponent: i64, mantissa: u64| {
        (one.wrapping_add((exponent as u64) << fraction) & (all >> 1)) | mantissa | flip
    };
    let above = |random: &mut Random, low: i64, high: i64| {
        low + random.below((high - low + 1) as usize) as i64
    };
    match (random.below(16), other) {
        (0, _) => special_value(kind, random.below(32)),
        (1, _) => word & all,
        (2 | 3, Some(other)) => (other ^ flip).wrapping_add(steps(random)).wrapping_sub(2) & all,
        // Few bits: ties, exact products.
        (4 | 5, _) => {
            let bits = mantissa >> (fraction - 4) << (fraction - 4);
            scaled(above(random, -3, 6), bits)
        }
        // About the ends of the integers and of the precisions.
        (6, _) => {
            let edge = *random.pick(&[23, 24, 30, 31, 51, 52, 53, 62, 63]);
            let middle = scaled(edge, 0);
            middle.wrapping_add(steps(random)).wrapping_sub(2)
        }
        // Subnormals.
        (7, _) => mantissa >> random.below(fraction) | flip,
        // Very large, very small: overflow, underflow of products and quotients.
        (8, _) => {
            let most = if kind == Prim::F64 { 1023 } else { 127 };
            let exponent = most - random.below(3) as i64;
            let down = random.chance(50);
            scaled(if down { 1 - exponent } else { exponent }, mantissa)
        }
        // About the ends of binary32.
        (9, _) if kind == Prim::F64 => {
            let exponent = *random.pick(&[127, 126, -126, -127, -130, -148, -149, -150]);
            scaled(exponent, mantissa)
        }
        _ => scaled(above(random, -4, 4), mantissa),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_fit_their_types() {
        let columns = columns(7, 3000);
        for (at, column) in columns.iter().enumerate() {
            for &word in column {
                let ok = match prim(at) {
                    Prim::F64 | Prim::I64 => true,
                    Prim::F32 | Prim::I32 => word <= u64::from(u32::MAX),
                    Prim::Mask => word <= 1,
                };
                assert!(ok, "column {at}: {word:#x}");
            }
        }
        assert_eq!(columns, super::columns(7, 3000));
        assert_ne!(columns, super::columns(8, 3000));
    }

    #[test]
    fn every_class_of_number_is_there() {
        let columns = columns(1, 4096);
        for n in 0..EACH {
            let doubles = &columns[column(Prim::F64, n)];
            let floats = &columns[column(Prim::F32, n)];
            let class = |x: f64| (x.classify() as usize, x.is_sign_negative());
            let narrow = |x: f32| (x.classify() as usize, x.is_sign_negative());
            let mut wide: Vec<_> = doubles.iter().map(|&b| class(f64::from_bits(b))).collect();
            let mut short: Vec<_> = floats
                .iter()
                .map(|&b| narrow(f32::from_bits(b as u32)))
                .collect();
            for classes in [&mut wide, &mut short] {
                classes.sort_unstable();
                classes.dedup();
                assert_eq!(classes.len(), 10, "column {n}");
            }
        }
    }
}
