//! Exponents, units in the last place and grids of doubles.

/// An IEEE 754 binary format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Format {
    /// Bits of the significand, including the implicit one.
    pub precision: i32,
    /// Exponent of the smallest subnormal: no unit in the last place is smaller.
    pub least: i32,
    /// Exponent of the largest binade `[2^e, 2^(e+1))`.
    pub largest: i32,
}

/// binary64
pub const BINARY64: Format = Format {
    precision: 53,
    least: -1074,
    largest: 1023,
};

/// binary32
pub const BINARY32: Format = Format {
    precision: 24,
    least: -149,
    largest: 127,
};

impl Format {
    /// Exponent of the unit in the last place of numbers in the binade of `x`.
    #[must_use]
    pub fn ulp(self, x: f64) -> i32 {
        if x == 0.0 {
            return self.least;
        }
        (exponent(x) - (self.precision - 1)).max(self.least)
    }

    /// `x` rounded to nearest in this format, as a double.
    #[must_use]
    pub fn round(self, x: f64) -> f64 {
        if self.precision == 53 {
            x
        } else {
            f64::from(x as f32)
        }
    }

    /// The largest finite number.
    #[must_use]
    pub fn max(self) -> f64 {
        if self.precision == 53 {
            f64::MAX
        } else {
            f64::from(f32::MAX)
        }
    }
}

/// `floor(log2 |x|)` of a finite number that is not zero.
#[must_use]
pub fn exponent(x: f64) -> i32 {
    let bits = x.abs().to_bits();
    let field = (bits >> 52) as i32;
    if field == 0 {
        // A subnormal: 2^-1074 times an integer.
        63 - bits.leading_zeros() as i32 - 1074
    } else {
        field - 1023
    }
}

/// The exponent of the coarsest power of two that divides `x`: `x = odd * 2^grid`. Zero is on every grid.
#[must_use]
pub fn grid(x: f64) -> i32 {
    if x == 0.0 {
        return COARSEST;
    }
    let bits = x.abs().to_bits();
    let field = (bits >> 52) as i32;
    let fraction = bits & ((1 << 52) - 1);
    let (significand, unit) = if field == 0 {
        (fraction, -1074)
    } else {
        (fraction | 1 << 52, field - 1075)
    };
    unit + significand.trailing_zeros() as i32
}

/// The grid of zero: coarser than any other.
pub const COARSEST: i32 = 4000;

/// `2^e`, for `-1074 <= e <= 1023`.
///
/// If `e` is outside this range.
#[must_use]
pub fn power(e: i32) -> f64 {
    assert!((-1074..=1023).contains(&e), "2^{e} is no double");
    if e >= -1022 {
        f64::from_bits(((e + 1023) as u64) << 52)
    } else {
        f64::from_bits(1 << (e + 1074))
    }
}

/// Whether `|x|` is a power of two.
#[must_use]
pub fn is_power(x: f64) -> bool {
    x != 0.0 && x.is_finite() && grid(x) == exponent(x)
}

/// `x * 2^e` for any `e`, rounded up if it is not a double. `x` is not negative.
#[must_use]
pub fn scaled_up(x: f64, e: i32) -> f64 {
    let mut y = x;
    let mut left = e;
    while left != 0 {
        let step = left.clamp(-1000, 1000);
        let scaled = y * power(step);
        // Exact, except where it underflows.
        y = if scaled * power(-step) >= y {
            scaled
        } else {
            scaled.next_up()
        };
        left -= step;
        if y == 0.0 || y.is_infinite() {
            break;
        }
    }
    y
}

/// The lesser of two floats, where -0 is below 0. A range of computed values between them has a zero of each sign.
#[must_use]
pub fn lesser(a: f64, b: f64) -> f64 {
    if a.total_cmp(&b).is_le() { a } else { b }
}

/// The greater of two floats, where -0 is below 0.
#[must_use]
pub fn greater(a: f64, b: f64) -> f64 {
    if a.total_cmp(&b).is_ge() { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_and_grids() {
        for (x, e, g) in [
            (1.0, 0, 0),
            (1.5, 0, -1),
            (-6.0, 2, 1),
            (f64::MIN_POSITIVE, -1022, -1022),
            (5e-324, -1074, -1074),
            (1.0 + f64::EPSILON, 0, -52),
            (f64::MAX, 1023, 971),
        ] {
            assert_eq!((exponent(x), grid(x)), (e, g), "{x:e}");
        }
        assert_eq!(BINARY64.ulp(1.0), -52);
        assert_eq!(BINARY64.ulp(1e-320), -1074);
        assert_eq!(BINARY32.ulp(1.0), -23);
        assert!(is_power(0.25) && !is_power(0.75) && !is_power(0.0));
        assert_eq!(power(-1074), 5e-324);
        assert_eq!(scaled_up(1.0, -1074), 5e-324);
        assert_eq!(scaled_up(1.5, -1074), 1e-323);
        assert_eq!(scaled_up(1.5, -5000), 5e-324);
        assert_eq!(scaled_up(1.5, 2000), f64::INFINITY);
        assert_eq!(scaled_up(3.0, 1000), 3.0 * power(1000));
    }
}
