//! binary16 and bfloat16: all 2^16 numbers of each function, compared with its double-double reference, which is rounded here by a
//! search among all numbers of the format.

use crate::cases::CASES;
use crate::check::{ERROR, exact};

/// A format: its non-negative numbers in order, with the number that would follow the largest.
pub struct Format {
    numbers: Vec<f64>,
    nan: u16,
}

impl Format {
    fn new(fraction: u32, least: i32, infinity: u16, nan: u16) -> Format {
        let place = |field: i32| 2f64.powi(field.max(1) - 1 + least - fraction as i32);
        let number = |bits: u16| {
            let field = i32::from(bits >> fraction);
            let digits = f64::from(bits & ((1 << fraction) - 1));
            let whole = if field == 0 {
                0.0
            } else {
                f64::from(1 << fraction)
            };
            (whole + digits) * place(field)
        };
        Format {
            numbers: (0..=infinity).map(number).collect(),
            nan,
        }
    }

    pub fn half() -> Format {
        Format::new(10, -14, 0x7c00, 0x7e00)
    }

    pub fn bfloat() -> Format {
        Format::new(7, -126, 0x7f80, 0x7fc0)
    }

    fn infinity(&self) -> u16 {
        (self.numbers.len() - 1) as u16
    }

    /// The number with these bits.
    pub fn value(&self, bits: u16) -> f64 {
        let magnitude = bits & 0x7fff;
        let x = match magnitude {
            m if m > self.infinity() => return f64::NAN,
            m if m == self.infinity() => f64::INFINITY,
            m => self.numbers[usize::from(m)],
        };
        if bits >> 15 == 1 { -x } else { x }
    }

    /// The bits of the number nearest to the sum of two words, the even one of two.
    pub fn nearest(&self, hi: f64, lo: f64) -> u16 {
        if hi.is_nan() {
            return self.nan;
        }
        let sign = if hi.is_sign_negative() { 0x8000 } else { 0 };
        let (hi, lo) = if hi < 0.0 { (-hi, -lo) } else { (hi, lo) };
        // The first number above; the sum is exact enough for its sign.
        let above = self.numbers.partition_point(|n| (n - hi) - lo <= 0.0);
        if above == self.numbers.len() {
            return sign | self.infinity();
        }
        let below = above - 1;
        let middle = f64::midpoint(self.numbers[below], self.numbers[above]);
        let beyond = (hi - middle) + lo;
        let up = beyond > 0.0 || (beyond == 0.0 && below % 2 == 1);
        sign | if up { above } else { below } as u16
    }

    /// The middle of two numbers that is closest to this finite number's magnitude.
    pub fn midpoint(&self, x: f64) -> f64 {
        let x = x.abs();
        let above = self.numbers.partition_point(|n| *n <= x);
        let middle = |i: usize| {
            Some(f64::midpoint(
                *self.numbers.get(i - 1)?,
                *self.numbers.get(i)?,
            ))
        };
        let around = [above.checked_sub(1), Some(above), Some(above + 1)];
        let middles = around
            .into_iter()
            .flatten()
            .filter(|i| *i > 0)
            .filter_map(middle);
        let closest = middles.min_by(|a, b| (a - x).abs().total_cmp(&(b - x).abs()));
        closest.expect("a format has two numbers")
    }
}

#[test]
fn all_numbers_of_16_bits() {
    let (half, bfloat) = (Format::half(), Format::bfloat());
    let all: Vec<u16> = (0..=u16::MAX).collect();
    let mut wrong = Vec::new();
    for case in CASES {
        for (format, function, name) in [(&half, case.half, "f16"), (&bfloat, case.bfloat, "bf16")]
        {
            let (mut misrounded, mut undecided, mut first) = (0, 0, None);
            for &x in &all {
                let y = function(x);
                let number = format.value(x);
                let r = (case.truth)(number);
                let e = r.hi.abs().max(case.least) * ERROR;
                // A zero keeps its sign.
                let e = if e.is_finite() && r.hi != 0.0 { e } else { 0.0 };
                let (lower, upper) = match exact(case.name, number) {
                    Some(y) => (format.nearest(y, 0.0), format.nearest(y, 0.0)),
                    None => (
                        format.nearest(r.hi, r.lo - e),
                        format.nearest(r.hi, r.lo + e),
                    ),
                };
                if y == lower && y == upper {
                    continue;
                }
                if lower == upper {
                    misrounded += 1;
                } else {
                    undecided += 1;
                }
                first = first.or(Some((x, y, lower, upper)));
            }
            if let Some((x, y, lower, upper)) = first {
                wrong.push(format!(
                    "{name}::{}: {misrounded} misrounded, {undecided} undecided; first {x:04x} -> {y:04x}, wanted {lower:04x}..{upper:04x}",
                    case.name
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
