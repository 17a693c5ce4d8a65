//! The instructions, implemented again with plain integers and from other forms of their definitions than the kernels:
//! ARM's pseudocode word for word, Intel's tables as nearest values found by exact comparison, AMD's and AVX-512's from
//! the measured files. NaNs are canonical.

mod nvidia;

pub use nvidia::*;
use std::sync::LazyLock;

const NAN: u32 = 0x7fc0_0000;
const INFINITY: u32 = 0x7f80_0000;

/// The sign bit in its place, the biased exponent, the fraction.
fn fields(x: u32) -> (u32, i32, u32) {
    (x & 1 << 31, (x >> 23 & 255) as i32, x & 0x7f_ffff)
}

fn is_nan(x: u32) -> bool {
    x << 1 > INFINITY << 1
}

// --- ARM

/// `RecipEstimate`
fn recip_estimate(a: u32) -> u32 {
    let a = a * 2 + 1;
    let b = (1 << 19) / a;
    b.div_ceil(2)
}

/// `RecipSqrtEstimate`, with its loop.
fn recip_sqrt_estimate(a: u32) -> u32 {
    let a = if a < 256 {
        a * 2 + 1
    } else {
        ((a >> 1 << 1) + 1) * 2
    };
    let mut b = 512;
    while u64::from(a) * (b + 1) * (b + 1) < 1 << 28 {
        b += 1;
    }
    b.div_ceil(2) as u32
}

static SQRT_ESTIMATES: LazyLock<Vec<u32>> = LazyLock::new(|| {
    (0..512)
        .map(|a| if a < 128 { 0 } else { recip_sqrt_estimate(a) })
        .collect()
});

/// `FPRecipEstimate` for 32 bits, rounding to nearest; `flush` is as in the standard FPSCR value.
fn fp_recip_estimate(x: u32, flush: bool) -> u32 {
    let (sign, exp, frac) = fields(x);
    if is_nan(x) {
        return NAN;
    }
    if exp == 255 {
        return sign;
    }
    if exp == 0 && (flush || frac < 1 << 21) {
        return sign | INFINITY;
    }
    if flush && exp >= 253 {
        return sign;
    }
    let mut fraction = u64::from(frac) << 29;
    let mut exp = exp;
    if exp == 0 {
        if fraction >> 51 == 0 {
            exp = -1;
            fraction = fraction << 2 & ((1 << 52) - 1);
        } else {
            fraction = fraction << 1 & ((1 << 52) - 1);
        }
    }
    let scaled = 256 | (fraction >> 44) as u32;
    let mut result_exp = 253 - exp;
    let estimate = recip_estimate(scaled);
    let mut fraction = u64::from(estimate & 255) << 44;
    if result_exp == 0 {
        fraction = 1 << 51 | fraction >> 1;
    } else if result_exp == -1 {
        fraction = 1 << 50 | fraction >> 2;
        result_exp = 0;
    }
    sign | (result_exp as u32) << 23 | (fraction >> 29) as u32
}

/// `FPRSqrtEstimate` for 32 bits.
fn fp_rsqrt_estimate(x: u32, flush: bool) -> u32 {
    let (sign, exp, frac) = fields(x);
    if is_nan(x) {
        return NAN;
    }
    if exp == 0 && (flush || frac == 0) {
        return sign | INFINITY;
    }
    if sign != 0 {
        return NAN;
    }
    if exp == 255 {
        return 0;
    }
    let mut fraction = u64::from(frac) << 29;
    let mut exp = exp;
    if exp == 0 {
        while fraction >> 51 == 0 {
            fraction <<= 1;
            exp -= 1;
        }
        fraction = fraction << 1 & ((1 << 52) - 1);
    }
    let scaled = if exp & 1 == 0 {
        256 | (fraction >> 44) as u32
    } else {
        128 | (fraction >> 45) as u32
    };
    let result_exp = (380 - exp) / 2;
    let estimate = SQRT_ESTIMATES[scaled as usize];
    (result_exp as u32) << 23 | (estimate & 255) << 15
}

/// `FPRecipEstimate` for 64 bits.
pub fn frecpe_f64(x: u64) -> u64 {
    let (sign, exp, frac) = (x & 1 << 63, (x >> 52 & 2047) as i64, x & ((1 << 52) - 1));
    match exp {
        2047 if frac != 0 => return 0x7ff8 << 48,
        2047 => return sign,
        0 if frac < 1 << 50 => return sign | 0x7ff << 52,
        _ => {}
    }
    let (exp, fraction) = match (exp, frac >> 51) {
        (0, 0) => (-1, frac << 2 & ((1 << 52) - 1)),
        (0, _) => (0, frac << 1 & ((1 << 52) - 1)),
        _ => (exp, frac),
    };
    let estimate = recip_estimate(256 | (fraction >> 44) as u32);
    let fraction = u64::from(estimate & 255) << 44;
    sign | match 2045 - exp {
        0 => 1 << 51 | fraction >> 1,
        -1 => 1 << 50 | fraction >> 2,
        result => (result as u64) << 52 | fraction,
    }
}

/// `FPRSqrtEstimate` for 64 bits.
pub fn frsqrte_f64(x: u64) -> u64 {
    let (sign, mut exp, mut fraction) = (x & 1 << 63, (x >> 52 & 2047) as i64, x & ((1 << 52) - 1));
    match (exp, fraction) {
        (2047, 1..) => return 0x7ff8 << 48,
        (0, 0) => return sign | 0x7ff << 52,
        _ if sign != 0 => return 0x7ff8 << 48,
        (2047, _) => return 0,
        _ => {}
    }
    if exp == 0 {
        while fraction >> 51 == 0 {
            fraction <<= 1;
            exp -= 1;
        }
        fraction = fraction << 1 & ((1 << 52) - 1);
    }
    let scaled = match exp & 1 {
        0 => 256 | fraction >> 44,
        _ => 128 | fraction >> 45,
    };
    let estimate = SQRT_ESTIMATES[scaled as usize];
    (((3068 - exp) / 2) as u64) << 52 | u64::from(estimate & 255) << 44
}

pub fn vrecpe(x: u32) -> u32 {
    fp_recip_estimate(x, true)
}
pub fn frecpe(x: u32) -> u32 {
    fp_recip_estimate(x, false)
}
pub fn vrsqrte(x: u32) -> u32 {
    fp_rsqrt_estimate(x, true)
}
pub fn frsqrte(x: u32) -> u32 {
    fp_rsqrt_estimate(x, false)
}

// --- x86 without subnormals: a value in [1/2, 1] times a power of two

/// The reciprocal from its fraction's value as an integer of `bits` bits, leading bit included.
fn flushed_rcp(x: u32, value: u32, bits: u32) -> u32 {
    let (sign, exp, _) = fields(x);
    match exp {
        _ if is_nan(x) => NAN,
        0 => sign | INFINITY,
        253.. => sign,
        _ => sign | normal(value, bits, 126 - (exp - 127)),
    }
}

fn flushed_rsqrt(x: u32, value: u32, bits: u32) -> u32 {
    let (sign, exp, _) = fields(x);
    match exp {
        _ if is_nan(x) => NAN,
        0 => sign | INFINITY,
        _ if sign != 0 => NAN,
        255 => 0,
        _ => normal(value, bits, 126 - (exp - 127).div_euclid(2)),
    }
}

/// The number with this biased exponent and significand.
fn normal(significand: u32, bits: u32, exponent: i32) -> u32 {
    assert_eq!(significand >> (bits - 1), 1);
    (exponent as u32) << 23 | significand << (24 - bits) & 0x7f_ffff
}

/// The integer nearest to `2^13 / y` for the midpoint `y` of an interval of 2^-11: `|M y - 2^13| <= y / 2`.
static INTEL_RCP: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let entry = |i: i64| {
        let y = 4097 + 2 * i; // in units of 2^-12
        let near = (1 << 25) / y;
        (near - 1..=near + 1)
            .min_by_key(|m| (m * y - (1 << 25)).abs())
            .expect("three candidates") as u32
    };
    (0..2048).map(entry).collect()
});

/// The integer nearest to `2^13 / √y` for the midpoint `y` of an interval of 2^-10 (2^-9 in [2, 4), the first 1024):
/// `(2M - 1)² y <= 2^28 < (2M + 1)² y`.
static INTEL_RSQRT: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let entry = |i: u64| {
        let y = (2049 + 2 * (i % 1024)) << u32::from(i < 1024); // in units of 2^-11
        (4096..8193)
            .find(|m| (2 * m + 1) * (2 * m + 1) * y > 1 << 39)
            .expect("a value in [1/2, 1]") as u32
    };
    (0..2048).map(entry).collect()
});

pub fn rcpps_intel(x: u32) -> u32 {
    flushed_rcp(x, INTEL_RCP[(x >> 12 & 2047) as usize], 13)
}
pub fn rsqrtps_intel(x: u32) -> u32 {
    flushed_rsqrt(x, INTEL_RSQRT[(x >> 13 & 2047) as usize], 13)
}

/// The rows of one kind in a file of measurements: `P` and `N` as [h][k].
fn bipartite(kind: &str) -> [Vec<Vec<u32>>; 2] {
    let text = include_str!("data/zen5_sse_bipartite.tsv");
    ["P", "N"].map(|part| {
        text.lines()
            .map(|l| l.split('\t').collect::<Vec<_>>())
            .filter(|f| f[0] == kind && f[1] == part)
            .map(|f| {
                f[3].split(' ')
                    .map(|n| n.parse().expect("a number"))
                    .collect()
            })
            .collect()
    })
}

static AMD: LazyLock<[[Vec<Vec<u32>>; 2]; 3]> =
    LazyLock::new(|| ["rcpps", "rsqrtps[1,2)", "rsqrtps[2,4)"].map(bipartite));

fn amd([p, n]: &[Vec<Vec<u32>>; 2], x: u32) -> u32 {
    let digit = |from: u32| (x >> from & 15) as usize;
    p[digit(19)][digit(15)] + n[digit(19)][digit(11)]
}
pub fn rcpps_amd(x: u32) -> u32 {
    flushed_rcp(x, amd(&AMD[0], x), 13)
}
pub fn rsqrtps_amd(x: u32) -> u32 {
    let odd = x >> 23 & 1 == 1;
    flushed_rsqrt(x, amd(&AMD[if odd { 1 } else { 2 }], x), 13)
}

// --- 3DNow!

/// The closed form in double precision, for `f` on the 32,769 interval ends; 17-bit values.
fn bipartite_of(f: impl Fn(f64) -> f64, c: f64) -> Vec<u32> {
    let at: Vec<f64> = (0..=32_768)
        .map(|i| 65_536.0 * f(1.0 + f64::from(i) / 32_768.0))
        .collect();
    let big_f = |h: usize, mid: usize, l: usize| {
        let i = 1024 * h + 32 * mid + l;
        at[i] + at[i + 1]
    };
    let d = |h, mid, l| big_f(h, mid, l) - big_f(h, mid, 0);
    let av = |h, l| (d(h, 0, l) + d(h, 31, l)) / 2.0;
    let value = |i: usize| {
        let (h, mid, l) = (i >> 10, i >> 5 & 31, i & 31);
        let n = -(-av(h, l) + c).floor();
        let p = (big_f(h, mid, 0) + (d(h, mid, 31) - av(h, 31)) / 2.0 + c).floor();
        (p + n) as u32
    };
    (0..32_768).map(value).collect()
}

static PFRCP: LazyLock<Vec<u32>> = LazyLock::new(|| bipartite_of(|x| 1.0 / x, 0.5));
static PFRSQRT: LazyLock<[Vec<u32>; 2]> = LazyLock::new(|| {
    [
        bipartite_of(|x| 1.0 / (2.0 * x).sqrt(), 0.55),
        bipartite_of(|x| 1.0 / x.sqrt(), 0.55),
    ]
});

pub fn pfrcp(x: u32) -> u32 {
    let (sign, exp, frac) = fields(x);
    if exp == 0 {
        return sign | 0x7f7f_ffff;
    }
    flushed_rcp(x, PFRCP[(frac >> 8) as usize], 17)
}
pub fn pfrsqrt(x: u32) -> u32 {
    let (sign, exp, frac) = fields(x);
    if exp == 0 {
        return sign | 0x7f7f_ffff;
    }
    if is_nan(x) {
        return NAN;
    }
    let value = PFRSQRT[(exp & 1) as usize][(frac >> 8) as usize];
    sign | flushed_rsqrt(x & !(1 << 31), value, 17)
}

// --- AVX-512

/// Two columns of numbers of a file of measurements, from column `first` on.
fn coefficients(text: &str, first: usize) -> Vec<(i64, i64)> {
    text.lines()
        .filter(|l| !l.starts_with('#'))
        .map(|l| {
            let number = |f: &str| f.parse::<i64>().expect("a number");
            let fields: Vec<i64> = l.split('\t').map(number).collect();
            (fields[first], fields[first + 1])
        })
        .collect()
}

static RCP14: LazyLock<Vec<(i64, i64)>> =
    LazyLock::new(|| coefficients(include_str!("data/vrcp14_coeffs.tsv"), 1));
/// The first half is `[1, 2)`.
static RSQRT14: LazyLock<Vec<(i64, i64)>> =
    LazyLock::new(|| coefficients(include_str!("data/vrsqrt14_coeffs.tsv"), 2));

/// A finite number other than 0 as a significand of 64 bits with its leading bit set, and its exponent.
fn normalised(magnitude: u64, fraction_bits: u32, bias: i32) -> (u64, i32) {
    let exponent = (magnitude >> fraction_bits) as i32;
    let fraction = magnitude & ((1 << fraction_bits) - 1);
    let (significand, exponent) = match exponent {
        0 => (fraction, 1 - bias),
        e => (fraction | 1 << fraction_bits, e - bias),
    };
    let shift = significand.leading_zeros();
    (
        significand << shift,
        exponent + 63 - fraction_bits as i32 - shift as i32,
    )
}

/// `value · 2^(exponent - 17)`, for `2^16 <= value <= 2^17`, in a format; bits below a subnormal's are dropped.
fn assemble(value: u64, exponent: i32, fraction_bits: u32, bias: i32) -> u64 {
    let (value, exponent) = match value {
        0x2_0000 => (0x1_0000, exponent),
        v => (v, exponent - 1),
    };
    let significand = value << (fraction_bits - 16);
    let biased = exponent + bias;
    if biased < 1 {
        significand >> (1 - biased)
    } else {
        (biased as u64) << fraction_bits | significand & ((1 << fraction_bits) - 1)
    }
}

/// For both formats: the magnitude's bits to those of the result.
fn rcp14(magnitude: u64, fraction_bits: u32, bias: i32) -> u64 {
    let infinity = (2 * bias as u64 + 1) << fraction_bits;
    if magnitude == infinity {
        return 0;
    }
    // 2^-(bias + 1) is the subnormal with only the second bit from the top set.
    if magnitude <= 1 << (fraction_bits - 2) {
        return infinity;
    }
    let (significand, exponent) = normalised(magnitude, fraction_bits, bias);
    if significand.is_power_of_two() {
        return assemble(0x2_0000, -exponent, fraction_bits, bias);
    }
    let top = (significand << 1 >> 48) as i64;
    let (a, b) = RCP14[(top >> 10) as usize];
    let s = (256 * a - b * ((top & 1023) - 512)).div_euclid(512);
    assemble(s as u64, -exponent, fraction_bits, bias)
}

fn rsqrt14(magnitude: u64, fraction_bits: u32, bias: i32) -> u64 {
    let infinity = (2 * bias as u64 + 1) << fraction_bits;
    if magnitude == infinity {
        return 0;
    }
    if magnitude == 0 {
        return infinity;
    }
    let (significand, exponent) = normalised(magnitude, fraction_bits, bias);
    let half = exponent.rem_euclid(2);
    let result = -exponent.div_euclid(2);
    if half == 0 && significand.is_power_of_two() {
        return assemble(0x2_0000, result, fraction_bits, bias);
    }
    let top = (significand << 1 >> 49) as i64;
    let (c, d) = RSQRT14[(32 * half as i64 + (top >> 10)) as usize];
    let s = (128 * c - d * ((top & 1023) - 512)).div_euclid(512);
    assemble(s as u64, result, fraction_bits, bias)
}

pub fn vrcp14ps(x: u32) -> u32 {
    if is_nan(x) {
        return NAN;
    }
    x & 1 << 31 | rcp14(u64::from(x & !(1 << 31)), 23, 127) as u32
}
pub fn vrsqrt14ps(x: u32) -> u32 {
    let magnitude = u64::from(x & !(1 << 31));
    if is_nan(x) || x >> 31 == 1 && magnitude != 0 {
        return NAN;
    }
    x & 1 << 31 | rsqrt14(magnitude, 23, 127) as u32
}
pub fn vrcp14pd(x: u64) -> u64 {
    if f64::from_bits(x).is_nan() {
        return 0x7ff8 << 48;
    }
    x & 1 << 63 | rcp14(x & !(1 << 63), 52, 1023)
}
pub fn vrsqrt14pd(x: u64) -> u64 {
    let magnitude = x & !(1 << 63);
    if f64::from_bits(x).is_nan() || x >> 63 == 1 && magnitude != 0 {
        return 0x7ff8 << 48;
    }
    x & 1 << 63 | rsqrt14(magnitude, 52, 1023)
}
