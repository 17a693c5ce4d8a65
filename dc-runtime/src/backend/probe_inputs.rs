//! The probe's inputs: every class of number combined with every other, the divisions and square roots that are hardest to round, and
//! pseudo-random inputs for which a compiler's deviation is most likely to change the result.

use crate::model::key::Precision::{self, F32, F64};

/// Columns of bits, one per parameter.
pub(super) type Columns<const N: usize> = [Vec<u64>; N];

/// The parameters of a format.
#[derive(Clone, Copy)]
struct Format {
    precision: Precision,
    /// Digits of the significand, including the implicit one.
    digits: u32,
    /// The total width.
    width: u32,
    /// Exponent of the smallest normal number.
    min_exponent: i32,
}

impl Format {
    const fn of(precision: Precision) -> Self {
        let (digits, width, min_exponent) = match precision {
            F64 => (53, 64, -1022),
            F32 => (24, 32, -126),
        };
        Format {
            precision,
            digits,
            width,
            min_exponent,
        }
    }
    /// The bits of a number of this format given as a double.
    fn bits(self, x: f64) -> u64 {
        match self.precision {
            F64 => x.to_bits(),
            F32 => u64::from((x as f32).to_bits()),
        }
    }
    fn value(self, bits: u64) -> f64 {
        self.precision.value_of_bits(bits)
    }
    const fn sign(self) -> u64 {
        1 << (self.width - 1)
    }
    const fn fraction_mask(self) -> u64 {
        (1 << (self.digits - 1)) - 1
    }
    const fn min_normal(self) -> u64 {
        1 << (self.digits - 1)
    }
    const fn infinity(self) -> u64 {
        self.sign() - self.min_normal()
    }
    /// A number of random sign and fraction in the binade of `2^exponent`; subnormal below the smallest normal one.
    fn in_binade(self, random: &mut Random, exponent: i32) -> u64 {
        let word = random.next();
        let sign = (word >> 63) << (self.width - 1);
        let fraction = word & self.fraction_mask();
        let biased = i64::from(exponent - self.min_exponent + 1);
        sign | if biased < 1 {
            (self.min_normal() | fraction) >> (1 - biased).min(i64::from(self.digits) - 1)
        } else {
            ((biased as u64) << (self.digits - 1) | fraction).min(self.infinity() - 1)
        }
    }
    /// Numbers of every kind, and those at which functions of one argument change.
    fn edges(self) -> Vec<u64> {
        let one = self.bits(1.0);
        let whole = self.bits(f64::powi(2.0, self.digits as i32 - 1));
        let magnitudes = [
            0,
            1,
            self.min_normal() - 1,
            self.min_normal(),
            self.min_normal() + 1,
            one - 1,
            one,
            one + 1,
            self.bits(0.5) - 1,
            self.bits(0.5),
            self.bits(1.5),
            self.bits(2.5),
            // The largest number with a half, and the first one without.
            whole - 1,
            whole + 1,
            self.infinity() - 1,
            self.infinity(),
            // A quiet NaN that is not canonical, and a signalling one.
            self.infinity() | self.min_normal() >> 1 | 5,
            self.infinity() | 1,
        ];
        magnitudes
            .iter()
            .flat_map(|&m| [m, m | self.sign()])
            .collect()
    }
}

/// A linear congruential generator (Knuth's MMIX constants) with its high bits mixed into the low ones.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let x = self.0;
        (x ^ x >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
    /// A random number from `-range` to `range`.
    fn around_zero(&mut self, range: i32) -> i32 {
        (self.next() >> 33) as i32 % (range + 1) * if self.next() >> 63 == 0 { 1 } else { -1 }
    }
}

/// `2^e`
fn power(e: i32) -> f64 {
    f64::powi(2.0, e)
}

/// Quotients `a / b` that are as close as possible to a midpoint of two floats: `a * 2^p = q * b + (b ± 1) / 2`, so the quotient differs
/// from the midpoint by `1 / 2b` of a last place (W. Kahan, "Checking whether floating-point division is correctly rounded", 1987).
fn hard_quotients(format: Format, n: usize) -> Vec<[u64; 2]> {
    let (p, mut random, mut found) = (format.digits, Random(1), Vec::new());
    while found.len() < n {
        let b = random.next() >> (64 - p) | 1 << (p - 1) | 1;
        let remainder = (b - 1) / 2 + random.next() % 2;
        // remainder / 2^p modulo b
        let a = (0..p).fold(remainder, |x, _| (if x % 2 == 0 { x } else { x + b }) / 2);
        // Below b / 2 the quotient has one digit less.
        if a > b / 2 {
            found.push([a, b].map(|x| format.bits(x as f64)));
        }
    }
    found
}

/// Numbers that are as close as possible to the square of a midpoint of two floats: `x * 2^s = m^2 - r` for an odd `m` of `p + 1` digits
/// and a small `r`, so the root of `x * 2^s` differs from `m` by about `r / 2m` (W. Kahan, "A test for correctly rounded SQRT", 1996).
fn hard_roots(format: Format) -> Vec<u64> {
    let (p, mut found) = (format.digits, Vec::new());
    for r in [1, 9, 17, 25, -7, -15, -23, -31_i128] {
        for s in [p + 1, p + 2] {
            // By Hensel's lemma: the root of r = 1 (mod 8) modulo 2^s, digit by digit.
            let mut m: i128 = 1;
            for k in 3..s {
                if (m * m - r) % (1 << (k + 1)) != 0 {
                    m += 1 << (k - 1);
                }
            }
            let modulus = 1_i128 << s;
            for root in [m, -m, m + modulus / 2, modulus / 2 - m] {
                let root = root.rem_euclid(modulus);
                let x = (root * root - r) >> s;
                let digits = root >> p == 1 && x > 0 && x >> p == 0;
                if digits && (root * root - r) & (modulus - 1) == 0 {
                    found.push(format.bits(x as f64 * power(s as i32)));
                }
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Handmade cases.
fn triples(format: Format) -> Vec<[u64; 3]> {
    let p = format.digits as i32;
    let half = (p + 1) / 2;
    let b = |x: f64| format.bits(x);
    let sign = format.sign();
    let mut rows = Vec::new();
    // t * t = u + 2^-2half: one rounding keeps the last term, two lose it.
    let (t, u) = (b(1.0 + power(-half)), b(1.0 + power(1 - half)));
    for signs in 0..8_u64 {
        for row in [[t, t, u], [t, u, t], [u, t, t], [t, u, b(1.0)]] {
            let mut row = row;
            for (i, x) in row.iter_mut().enumerate() {
                *x |= (signs >> i & 1) * sign;
            }
            rows.push(row);
        }
    }
    // A product halfway between two floats, where a third operand of any size decides.
    let long = half + 3;
    let (x, y) = (b(1.0 + power(-long)), b(1.0 + power(long - p)));
    for c in [1, b(power(-100)), b(power(-2 * p)), 0] {
        rows.extend([[x, y, c], [x, y, c | sign], [x | sign, y, c]]);
    }
    // Subnormal operands, subnormal results: exact unless they are flushed.
    let (tiny, normal) = (format.min_normal() >> 1 | 1, format.min_normal());
    for (a, b, c) in [
        (normal, b(0.5), 0),
        (tiny, b(2.0), 0),
        (tiny, b(1.0), tiny),
        (tiny, tiny, normal | sign),
        (normal + 1, normal | sign, 1),
        (normal, b(power(p - 1)), 1),
        (
            b(power(format.min_exponent / 2)),
            b(power(format.min_exponent / 2 - 3)),
            tiny,
        ),
    ] {
        rows.extend([[a, b, c], [b, a, c], [a | sign, b, c], [c, b, a]]);
    }
    rows
}

/// A pseudo-random triple; `kind` selects its kind.
fn random_triple(format: Format, random: &mut Random, kind: usize) -> [u64; 3] {
    let e = format.min_exponent;
    let mut at = |exponent| format.in_binade(random, exponent);
    match kind % 5 {
        // A product that the third operand nearly cancels.
        0 => {
            let (a, b) = (at(0), at(-1));
            let product = format.value(a) * format.value(b);
            [a, b, format.bits(-product) ^ (at(0) & 1)]
        }
        // Products and sums around the smallest normal number.
        1 => {
            let up = Random(at(0)).around_zero(20);
            [at(e / 2 + up), at(e / 2 - up - 3), at(e - 2)]
        }
        // Quotients around it, and around the largest.
        2 => {
            let up = Random(at(0)).around_zero(30);
            [at(e / 2 + up), at(-e / 2 - up / 2), at(e / 2)]
        }
        // Halves and whole numbers.
        3 => {
            let whole = |x: u64| (x >> 40) as f64 / 2.0 - 1e6;
            [at(0), at(1), at(2)].map(|x| format.bits(whole(x << (64 - format.width))))
        }
        _ => {
            let mask = u64::MAX >> (64 - format.width);
            [random.next(), random.next(), random.next()].map(|x| x & mask)
        }
    }
}

/// Inputs of three floats, `extra` of them pseudo-random.
pub(super) fn floats(precision: Precision, extra: usize) -> Columns<3> {
    let format = Format::of(precision);
    let mut rows = triples(format);
    let edges = format.edges();
    let edge = |i: usize| edges[i % edges.len()];
    for (i, [a, b]) in hard_quotients(format, 32).into_iter().enumerate() {
        rows.push([a, b, edge(i)]);
    }
    for (i, x) in hard_roots(format).into_iter().enumerate() {
        rows.push([x, edge(i), edge(i * 7 + 1)]);
    }
    for (i, &a) in edges.iter().enumerate() {
        for (j, &b) in edges.iter().enumerate() {
            // For numbers in the larger half of the list, pairs with few others are enough.
            if i < 12 && j < 12 || (i + j) % 5 == 0 {
                rows.push([a, b, edge(i * 5 + j * 3)]);
            }
        }
    }
    let mut random = Random(2);
    rows.extend((0..extra).map(|i| random_triple(format, &mut random, i)));
    std::array::from_fn(|p| rows.iter().map(|r| r[p]).collect())
}

/// Integers at which results change, and shift amounts inside and outside of `0..width`.
fn integers(width: u32) -> Vec<u64> {
    let mask = u64::MAX >> (64 - width);
    let numbers: Vec<i64> = vec![
        0,
        1,
        -1,
        2,
        3,
        4,
        5,
        -5,
        31,
        32,
        33,
        63,
        64,
        65,
        0x1_0000,
        // Halfway between two floats, and above it by less than a double can represent.
        (1 << 24) + 1,
        (1 << 24) + 3,
        (1 << 25) + 2,
        (1 << 53) + 1,
        (1 << 53) + 3,
        (1 << 60) + (1 << 36) + 1,
        -(1 << 60) - (1 << 36) - 1,
        i64::from(i32::MAX),
        i64::from(i32::MIN),
        0x7ff0_0000_0000_0001,
        0x7fff_ffff_ffff_fdff,
        i64::MAX,
        i64::MIN,
        i64::from(f32::NAN.to_bits()) | 5,
        0x9e37_79b9_7f4a_7c15_u64 as i64,
    ];
    numbers.into_iter().map(|n| n as u64 & mask).collect()
}

/// Doubles at which the result of a conversion changes.
fn converted() -> Vec<u64> {
    let two = |e| power(e);
    let mut numbers = vec![
        // Halfway between two floats; above it by the last digit of a double; overflow; subnormal floats.
        1.0 + two(-24),
        1.0 + 3.0 * two(-24),
        1.0 + two(-24) + two(-52),
        f64::from(f32::MAX) + two(102),
        f64::from(f32::MAX) + two(103),
        two(-149),
        two(-150),
        two(-150) * (1.0 + two(-52)),
        3.0 * two(-150),
        two(-127) + two(-150),
        two(-126) - two(-151),
        two(31),
        two(31) - 0.5,
        two(31) + 1.0,
        two(31) + 0.75,
        two(63),
        two(63) - 1024.0,
        two(63) * 1.5,
        two(64),
        0.75,
        1.5,
        1e300,
    ];
    numbers.extend(numbers.clone().iter().map(|x| -x));
    let numbers = numbers.into_iter().map(f64::to_bits);
    Format::of(F64).edges().into_iter().chain(numbers).collect()
}

/// Inputs of `words`, `extra` of them pseudo-random.
pub(super) fn words(extra: usize) -> Columns<6> {
    let (longs, ints) = (integers(64), integers(32));
    let doubles = converted();
    let mut floats: Vec<u64> = doubles
        .iter()
        .map(|&x| u64::from((f64::from_bits(x) as f32).to_bits()))
        .collect();
    floats.extend(Format::of(F32).edges());
    let fixed = longs.len() * longs.len();
    let mut random = Random(3);
    let mut row = |i: usize| {
        if i < fixed {
            // All combinations.
            let (low, high) = (i % longs.len(), i / longs.len());
            return [
                doubles[i % doubles.len()],
                floats[i % floats.len()],
                longs[low],
                longs[high],
                ints[low],
                ints[high],
            ];
        }
        let mut next = || random.next();
        let exponent = (next() >> 33) as i32 % 140 - 70;
        let up = next() % 64;
        [
            Format::of(F64).in_binade(&mut Random(next()), exponent),
            Format::of(F32).in_binade(&mut Random(next()), exponent),
            next() >> up,
            next(),
            next() as u32 as u64,
            next() as u32 as u64,
        ]
    };
    let rows: Vec<[u64; 6]> = (0..fixed + extra).map(&mut row).collect();
    std::array::from_fn(|p| rows.iter().map(|r| r[p]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hard_cases_are_hard() {
        // A division by multiplication, and a root with a relative error of 2^-50: both must be wrong on most of these
        // inputs.
        let quotients = hard_quotients(Format::of(F64), 64);
        let wrong = quotients.iter().filter(|q| {
            let [a, b] = q.map(f64::from_bits);
            a * (1.0 / b) != a / b
        });
        assert!(wrong.count() > 20);
        let quotients = hard_quotients(Format::of(F32), 64);
        let wrong = quotients.iter().filter(|q| {
            let [a, b] = q.map(|x| f32::from_bits(x as u32));
            a * (1.0 / b) != a / b
        });
        assert!(wrong.count() > 20);
        for format in [F64, F32].map(Format::of) {
            let roots = hard_roots(format);
            assert!(roots.len() >= 8, "{}", roots.len());
            for &bits in &roots {
                let x = format.value(bits);
                // x = X * 4^k with the midpoint nearest to the root of X as an integer.
                let (p, mut scale) = (format.digits, 0);
                let mut square = x;
                while square < power(2 * p as i32) {
                    square *= 4.0;
                    scale += 1;
                }
                while square >= power(2 * p as i32 + 2) {
                    square /= 4.0;
                    scale -= 1;
                }
                let m = (square.sqrt() as u128) | 1;
                let miss = [m - 2, m, m + 2].map(|m| (m * m).abs_diff(square as u128));
                assert!(miss.iter().any(|&d| d <= 31), "{x:e} {scale} {miss:?}");
            }
        }
    }

    #[test]
    fn rows_are_of_every_kind_and_no_more_than_asked() {
        for precision in [F64, F32] {
            let format = Format::of(precision);
            let columns = floats(precision, 100);
            let without = floats(precision, 0);
            assert_eq!(columns[0].len(), without[0].len() + 100);
            for column in &columns {
                assert_eq!(column.len(), columns[0].len());
                assert!(column.iter().all(|&x| x >> (format.width - 1) <= 1));
                for e in format.edges() {
                    assert!(column.contains(&e), "{e:#x}");
                }
                let subnormal = |x: &u64| (1..format.min_normal()).contains(&(x & !format.sign()));
                assert!(column.iter().filter(|x| subnormal(x)).count() > 40);
            }
        }
        let columns = words(10);
        assert!(columns.iter().all(|c| c.len() == columns[0].len()));
        assert!(columns[4].iter().all(|&x| x >> 32 == 0));
    }
}
