//! The conversions of all 2^16 numbers of each format, and of all binary32 numbers around which the rounding changes, on every
//! instruction set: some have instructions, whose results must be those of the kernels.

use super::*;

use crate::isa::tests::on_every_level;
use crate::isa::{Isa, Scalar};
use crate::run::map_on;

/// A format: bits of its fraction, its least exponent, its infinity; its conversions on an instruction set.
struct Format {
    fraction: u32,
    least: i32,
    infinity: u16,
    nan: u16,
    widen: fn(&[i32], &mut [f32]),
    narrow: fn(&[f32], &mut [i32]),
    round: fn(&[f32], &mut [f32]),
    /// Loads and stores.
    same: fn(&[u16], &mut [u16]),
}

#[crunch]
fn same_half(x: DcHalf) -> DcHalf {
    x
}

#[crunch]
fn same_bfloat(x: DcBfloat) -> DcBfloat {
    x
}

/// The token of a set that a test was given.
fn set<I: Isa>() -> I {
    I::detect().expect("the set of the test")
}

fn formats<I: Isa>() -> [Format; 2] {
    [
        Format {
            fraction: 10,
            least: -14,
            infinity: 0x7c00,
            nan: 0x7e00,
            widen: |bits, out| map_on::<half_to_f32, I>(set(), (bits,), out),
            narrow: |xs, out| map_on::<f32_to_half, I>(set(), (xs,), out),
            round: |xs, out| map_on::<round_to_half, I>(set(), (xs,), out),
            same: |bits, out| map_on::<same_half, I>(set(), (bits,), out),
        },
        Format {
            fraction: 7,
            least: -126,
            infinity: 0x7f80,
            nan: 0x7fc0,
            widen: |bits, out| map_on::<bfloat_to_f32, I>(set(), (bits,), out),
            narrow: |xs, out| map_on::<f32_to_bfloat, I>(set(), (xs,), out),
            round: |xs, out| map_on::<round_to_bfloat, I>(set(), (xs,), out),
            same: |bits, out| map_on::<same_bfloat, I>(set(), (bits,), out),
        },
    ]
}

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
        // Rounding is narrowing and widening; NaN is the canonical one.
        let (mut wide, mut rounded) = (vec![0.0; xs.len()], vec![0.0; xs.len()]);
        (self.widen)(&found, &mut wide);
        (self.round)(xs, &mut rounded);
        for ((x, y), wanted) in xs.iter().zip(&rounded).zip(&wide) {
            assert_eq!(
                y.to_bits(),
                wanted.to_bits(),
                "{x:e} ({:#010x})",
                x.to_bits()
            );
        }
    }
}

on_every_level! {
    all_numbers_are_widened_and_come_back = check_widened;
    roundings_change_where_they_must = check_changes;
    numbers_are_loaded_and_stored = check_stored;
}

fn check_widened<I: Isa>(_: I) {
    for format in formats::<I>() {
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
fn check_changes<I: Isa>(_: I) {
    for format in formats::<I>() {
        let mut xs = vec![
            f32::MAX,
            f32::INFINITY,
            f32::MIN_POSITIVE,
            f32::from_bits(1),
        ];
        // Quiet and signalling, with fractions whose upper and lower bits are set.
        let fractions = [
            1, 0xffff, 0x1_0000, 0x3f_ffff, 0x40_0000, 0x40_0001, 0x7f_ffff,
        ];
        xs.extend(fractions.map(|fraction| f32::from_bits(0x7f80_0000 | fraction)));
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

/// Every number comes back from a load and a store, in groups and in what is left of them. NaN is the canonical one.
fn check_stored<I: Isa>(_: I) {
    for format in formats::<I>() {
        let all: Vec<u16> = (0..=u16::MAX).collect();
        for bits in [&all[..], &all[format.infinity.into()..][..3]] {
            let mut back = vec![0; bits.len()];
            (format.same)(bits, &mut back);
            for (&b, &y) in bits.iter().zip(&back) {
                let nan = b & 0x7fff > format.infinity;
                assert_eq!(y, if nan { format.nan } else { b }, "{b:#06x}");
            }
        }
    }
}

#[test]
#[ignore = "long: all 2^32 numbers of both formats, minutes; cargo test -p dc-runtime --release all_numbers_are_rounded -- --ignored"]
fn all_numbers_are_rounded() {
    for format in formats::<Scalar<4>>() {
        for block in 0..1u32 << 12 {
            format.check(&block_of(block));
        }
    }
}

/// 2^20 numbers.
fn block_of(block: u32) -> Vec<f32> {
    let bits = (0..1 << 20).map(|i| block << 20 | i);
    bits.map(f32::from_bits).collect()
}

/// Plain Rust has no instruction: its results are those of the kernels.
#[test]
#[ignore = "long: all 2^32 numbers on each set, a minute; cargo test -p dc-runtime --release all_numbers_are_alike -- --ignored"]
fn all_numbers_are_alike() {
    macro_rules! each {
        ($({ $field:ident $token:ident $level:ident $wide:ident $($more:tt)* })+) => {
            $(check_alike::<crate::run::$wide>();)+
        };
    }
    crate::isa::sets::for_each_isa!([each!]);
}

fn check_alike<I: Isa>() {
    if I::detect().is_none() {
        eprintln!("skipped: this processor has no {}", I::NAME);
        return;
    }
    for (format, plain) in formats::<I>().iter().zip(&formats::<Scalar<4>>()) {
        let (mut bits, mut wanted) = (vec![0; 1 << 20], vec![0; 1 << 20]);
        let (mut rounded, mut numbers) = (vec![0.0; 1 << 20], vec![0.0; 1 << 20]);
        for block in 0..1u32 << 12 {
            let xs = block_of(block);
            (format.narrow)(&xs, &mut bits);
            (plain.narrow)(&xs, &mut wanted);
            assert!(bits == wanted, "{}, block {block:#x}", I::NAME);
            (format.round)(&xs, &mut rounded);
            (plain.round)(&xs, &mut numbers);
            let mut both = rounded.iter().zip(&numbers);
            let alike = both.all(|(a, b)| a.to_bits() == b.to_bits());
            assert!(alike, "{}, block {block:#x}", I::NAME);
        }
    }
}
