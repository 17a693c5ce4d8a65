//! The conversions of all 2^16 numbers of each format, and of all binary32 numbers around which the rounding changes.

use super::*;

/// A format: bits of its fraction, its least exponent, its infinity.
struct Format {
    fraction: u32,
    least: i32,
    infinity: u16,
    nan: u16,
    widen: fn(&[i32], &mut [f32]),
    narrow: fn(&[f32], &mut [i32]),
}

const FORMATS: [Format; 2] = [
    Format {
        fraction: 10,
        least: -14,
        infinity: 0x7c00,
        nan: 0x7e00,
        widen: half_to_f32::map,
        narrow: f32_to_half::map,
    },
    Format {
        fraction: 7,
        least: -126,
        infinity: 0x7f80,
        nan: 0x7fc0,
        widen: bfloat_to_f32::map,
        narrow: f32_to_bfloat::map,
    },
];

impl Format {
    /// The number with these bits, by the definition of the format.
    fn value(&self, bits: u16) -> f64 {
        let magnitude = bits & 0x7fff;
        let field = i32::from(magnitude >> self.fraction);
        let fraction = f64::from(magnitude & ((1 << self.fraction) - 1));
        let place = 2f64.powi(-(self.fraction as i32));
        let x = match magnitude {
            m if m == self.infinity => f64::INFINITY,
            m if m > self.infinity => f64::NAN,
            _ if field == 0 => fraction * place * 2f64.powi(self.least),
            _ => (1.0 + fraction * place) * 2f64.powi(field - 1 + self.least),
        };
        if bits >> 15 == 1 { -x } else { x }
    }

    /// The bits of the nearest number, or the even one of two, found by search; for positive numbers only.
    fn nearest(&self, x: f32) -> u16 {
        let x = f64::from(x);
        let (mut below, mut above) = (0, self.infinity);
        // Infinity stands for the number that would follow the largest.
        let value = |bits: u16| match bits == self.infinity {
            true => 2.0 * self.value(self.infinity - 1) - self.value(self.infinity - 2),
            false => self.value(bits),
        };
        while above - below > 1 {
            let middle = u16::midpoint(below, above);
            if value(middle) <= x {
                below = middle
            } else {
                above = middle
            }
        }
        let (low, high) = (x - value(below), value(above) - x);
        if high < low || (high == low && below % 2 == 1) {
            above
        } else {
            below
        }
    }

    fn check(&self, xs: &[f32]) {
        let mut found = vec![0; xs.len()];
        (self.narrow)(xs, &mut found);
        for (&x, &y) in xs.iter().zip(&found) {
            let sign = if x.is_sign_negative() { 0x8000 } else { 0 };
            let wanted = match x.is_nan() {
                true => self.nan,
                false => self.nearest(x.abs()) | sign,
            };
            assert_eq!(y, i32::from(wanted), "{x:e} ({:#010x})", x.to_bits());
        }
    }
}

#[test]
fn all_numbers_are_widened_and_come_back() {
    for format in FORMATS {
        let bits: Vec<i32> = (0..1 << 16).collect();
        let mut wide = vec![0.0; bits.len()];
        (format.widen)(&bits, &mut wide);
        for (&b, &x) in bits.iter().zip(&wide) {
            let value = format.value(b as u16);
            let same = f64::from(x).to_bits() == value.to_bits() || x.is_nan() && value.is_nan();
            assert!(same, "{b:#06x}: {x:e}, not {value:e}");
        }
        let mut back = vec![0; bits.len()];
        (format.narrow)(&wide, &mut back);
        for ((&b, &x), &y) in bits.iter().zip(&wide).zip(&back) {
            let wanted = if x.is_nan() { i32::from(format.nan) } else { b };
            assert_eq!(y, wanted, "{b:#06x}");
        }
        // The upper half does not matter.
        let mut again = vec![0.0; bits.len()];
        let upper: Vec<i32> = bits.iter().map(|b| b | 0x5555_0000).collect();
        (format.widen)(&upper, &mut again);
        assert!(
            wide.iter()
                .zip(&again)
                .all(|(a, b)| a.to_bits() == b.to_bits())
        );
    }
}

/// Every number of the format, midpoints of two, and the numbers beside both: the rounding changes only there.
#[test]
fn roundings_change_where_they_must() {
    for format in FORMATS {
        let mut xs = vec![
            f32::MAX,
            f32::INFINITY,
            f32::NAN,
            -f32::NAN,
            f32::from_bits(0x7f80_0001),
        ];
        for bits in 0..format.infinity {
            let [x, next] = [bits, bits + 1].map(|b| match b == format.infinity {
                true => 2.0 * format.value(b - 1) - format.value(b - 2),
                false => format.value(b),
            });
            for at in [x, 0.5 * (x + next)] {
                let at = (at as f32).to_bits() as i32;
                let near = (at - 2..=at + 2).filter(|b| (0..=0x7f80_0000).contains(b));
                xs.extend(near.map(|b| f32::from_bits(b as u32)));
            }
        }
        xs.extend((0..1u32 << 16).map(|i| f32::from_bits(i.wrapping_mul(0x9e37_79b9))));
        let negative: Vec<f32> = xs.iter().map(|x| -x).collect();
        format.check(&xs);
        format.check(&negative);
    }
}

#[test]
#[ignore = "long: all 2^32 numbers of both formats, minutes; cargo test -p dc-runtime --release all_numbers_are_rounded -- --ignored"]
fn all_numbers_are_rounded() {
    for format in FORMATS {
        for block in 0..1u32 << 12 {
            let xs: Vec<f32> = (0..1 << 20)
                .map(|i| f32::from_bits(block << 20 | i))
                .collect();
            format.check(&xs);
        }
    }
}
