//! What stands in for the standard library where it is absent, compared with it: operations on a lane, and the detection of
//! instructions.

use super::check::{of, rows};
use super::values::{self, Rng};
use crate::isa::plain::portable;
use crate::isa::tests::scale;

/// A function on one lane with up to three arguments, as words.
type OnWords = fn([u64; 3]) -> u64;

/// The first row for which one of these functions differs from the standard library's. NaNs are equal.
fn differing(rows: &[[u64; 3]], of: &[(&str, OnWords, OnWords)], nan: fn(u64) -> bool) {
    for (name, got, want) in of {
        let wrong = |&row: &&[u64; 3]| {
            let (got, want) = (got(*row), want(*row));
            got != want && !(nan(got) && nan(want))
        };
        if let Some(row) = rows.iter().find(wrong) {
            panic!(
                "{name} of {row:x?} is {:x}, not {:x}",
                got(*row),
                want(*row)
            );
        }
    }
}

/// The functions of a module with the standard library's, under the names of both.
macro_rules! functions {
    ($module:ident: $float:ident $bits:ident; $($name:ident($($x:ident),+) = $std:ident;)+) => {{
        fn number(word: u64) -> $float {
            $float::from_bits(word as $bits)
        }
        let all: &[(&str, OnWords, OnWords)] = &[$({
            fn got(row: [u64; 3]) -> u64 {
                let [$($x),+, ..] = row.map(number);
                // SAFETY: the caller has found the features that the module's functions need.
                #[allow(unused_unsafe, reason = "some need none")]
                let y = unsafe { $module::$name($($x),+) };
                y.to_bits().into()
            }
            fn want(row: [u64; 3]) -> u64 {
                let [$($x),+, ..] = row.map(number);
                $float::$std($($x),+).to_bits().into()
            }
            (stringify!($name), got, want)
        }),+];
        all
    }};
}

/// Compares the functions of a module with the standard library's.
macro_rules! compare {
    ($module:ident) => {{
        let of_doubles = functions! {
            $module: f64 u64;
            fma_f64(a, b, c) = mul_add;
            sqrt_f64(a) = sqrt;
            floor_f64(a) = floor;
            ceil_f64(a) = ceil;
            trunc_f64(a) = trunc;
            round_ties_even_f64(a) = round_ties_even;
        };
        differing(&doubles(), of_doubles, |word| f64::from_bits(word).is_nan());
        let of_floats = functions! {
            $module: f32 u32;
            fma_f32(a, b, c) = mul_add;
            sqrt_f32(a) = sqrt;
            floor_f32(a) = floor;
            ceil_f32(a) = ceil;
            trunc_f32(a) = trunc;
            round_ties_even_f32(a) = round_ties_even;
        };
        differing(&floats(), of_floats, |word| {
            f32::from_bits(word as u32).is_nan()
        });
    }};
}

/// All combinations of edge values, random ones, and sums that are close to a tie, cancel or have all distances between the
/// product's and the addend's exponent.
fn cases<const FRACTION: u32>(types: [super::check::Type; 3], bits: u32) -> Vec<[u64; 3]> {
    let mut rows = rows(&types, 1);
    let rng = &mut Rng::new(7);
    let (sign, one) = (1 << (bits - 1), 1u64 << FRACTION);
    let bias = (sign >> FRACTION) / 2 - 1;
    // Few bits of a fraction: sums are ties, or exact.
    let fraction = |rng: &mut Rng| {
        let fraction = rng.next() % one;
        let kept = rng.below(u64::from(FRACTION) + 1);
        fraction >> kept << kept
    };
    let of_sign = |rng: &mut Rng| sign * rng.below(2);
    for distance in 0..6 * u64::from(FRACTION) {
        for _ in 0..(64 / scale()).max(1) {
            // Normal and subnormal products; the addend far below to far above them.
            let product = match rng.below(3) {
                0 => bias,
                1 => 3 * u64::from(FRACTION),
                _ => rng.below(u64::from(FRACTION)) + 1,
            };
            let a = bias << FRACTION | of_sign(rng) | fraction(rng);
            let b = product << FRACTION | of_sign(rng) | fraction(rng);
            let c = (product + distance).saturating_sub(3 * u64::from(FRACTION));
            let c = c.min(2 * bias) << FRACTION | of_sign(rng) | fraction(rng);
            rows.push([a, b, c]);
        }
    }
    rows
}

fn doubles() -> Vec<[u64; 3]> {
    let mut rows = cases::<52>([of::<f64>(); 3], 64);
    let rng = &mut Rng::new(8);
    for _ in 0..20_000 / scale() {
        let [a, b] = [0; 2].map(|_| values::random_f64(rng));
        let product = f64::from_bits(a) * f64::from_bits(b);
        rows.push([a, b, (-product).to_bits() ^ rng.below(4)]);
    }
    rows
}

fn floats() -> Vec<[u64; 3]> {
    cases::<23>([of::<f32>(); 3], 32)
}

#[test]
fn computed_lanes_are_the_standard_librarys() {
    compare!(portable);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn fused_lanes_are_the_standard_librarys() {
    use crate::isa::plain::x86_64::fused;

    if crate::isa::detect::fused() {
        compare!(fused);
    } else {
        kernels_gen::skip::note("fused_lanes: this processor has no FMA");
    }
}

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
#[test]
fn lanes_by_neon_are_the_standard_librarys() {
    use crate::isa::plain::aarch64;

    compare!(aarch64);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn cpuid_finds_what_the_standard_library_finds() {
    use crate::isa::detect::cpuid;

    let found = cpuid::ask();
    macro_rules! same {
        ($($bit:ident $name:tt),+) => {$(
            assert_eq!(found & cpuid::$bit != 0, std::arch::is_x86_feature_detected!($name), $name);
            assert_eq!(cpuid::has(cpuid::$bit), found & cpuid::$bit != 0, $name);
        )+};
    }
    same!(AVX "avx", FMA "fma", F16C "f16c", AVX2 "avx2", AVX512F "avx512f", AVX512DQ "avx512dq", AVX512BW "avx512bw", AVX512VL "avx512vl");
    assert!(
        !cpuid::has(cpuid::AVX | 1 << 30),
        "not a feature of any processor"
    );
}
