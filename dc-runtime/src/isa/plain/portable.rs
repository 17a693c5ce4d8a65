//! The operations in integers and exact arithmetic, for any processor.

/// The sign bit of a double.
const SIGN: u64 = 1 << 63;
/// The bits of an infinite double.
const INFINITY: u64 = 0x7ff0_0000_0000_0000;
/// The exponent of the least subnormal double.
const LEAST: i32 = -1074;
/// The exponent of the last bit of the largest double.
const LARGEST: i32 = 971;

/// Significand and exponent of a finite double that is not zero: `|a| = m * 2^e`, and `m` has 53 bits.
fn parts(a: f64) -> (u64, i32) {
    let bits = a.to_bits() & !SIGN;
    let (exponent, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    if exponent == 0 {
        let shift = fraction.leading_zeros() - 11;
        (fraction << shift, LEAST - shift as i32)
    } else {
        (fraction | 1 << 52, exponent - 1 + LEAST)
    }
}

/// `m >> by`, with the last bit set if a shifted-out bit is set.
fn shr_sticky(m: u128, by: u32) -> u128 {
    if by == 0 {
        m
    } else if by > 127 {
        u128::from(m != 0)
    } else {
        m >> by | u128::from(m << (128 - by) != 0)
    }
}

/// `m * 2^e` rounded to nearest even. `m` is not zero and below 2^127; `e` is at least [`LEAST`] - 127.
fn rounded(negative: bool, m: u128, e: i32) -> f64 {
    let leading = e + 127 - m.leading_zeros() as i32;
    // The exponent of the result's last bit.
    let last = (leading - 52).max(LEAST);
    let magnitude = if last > LARGEST {
        INFINITY
    } else {
        let significand = if last <= e {
            (m << (e - last)) as u64
        } else {
            let dropped = (last - e) as u32;
            let (whole, rest) = ((m >> dropped) as u64, m << (128 - dropped));
            let half = 1 << 127;
            whole + u64::from(rest > half || rest == half && whole & 1 == 1)
        };
        // The leading bit of a normal significand adds one to the exponent, and so does a carry.
        (((last - LEAST) as u64) << 52) + significand
    };
    f64::from_bits(u64::from(negative) << 63 | magnitude)
}

/// `a * b + c` with one rounding.
pub(crate) fn fma_f64(a: f64, b: f64, c: f64) -> f64 {
    if !(a.is_finite() && b.is_finite()) || a == 0.0 || b == 0.0 {
        // The product is exact, or an infinity or a NaN.
        return a * b + c;
    }
    if !c.is_finite() {
        // The product is finite, though it may be too large for a double.
        return c + 0.0;
    }
    if c == 0.0 {
        // The product is not zero: if it underflows, the sign is its own.
        return a * b;
    }
    let ((ma, ea), (mb, eb), (mc, ec)) = (parts(a), parts(b), parts(c));
    let negative = a.is_sign_negative() != b.is_sign_negative();
    // Product and addend in units of the same power of two, below 2^127 both. The smaller one may lose bits, which are then represented
    // by its last one: the larger one has zeros there, so that this decides ties, and nothing cancels that far down.
    let (product, e) = (u128::from(ma) * u128::from(mb), ea + eb);
    let addend = u128::from(mc);
    let (product, addend, e) = if ec >= e {
        let up = (ec - e).min(73);
        let down = (ec - e - up) as u32;
        (shr_sticky(product, down), addend << up, ec - up)
    } else {
        let down = (e - ec) as u32;
        (product << 20, shr_sticky(addend << 20, down), e - 20)
    };
    if negative == c.is_sign_negative() {
        rounded(negative, product + addend, e)
    } else if product > addend {
        rounded(negative, product - addend, e)
    } else if product < addend {
        rounded(!negative, addend - product, e)
    } else {
        0.0
    }
}

/// `a * b + c` with one rounding. The product is exact as a double. The sum is rounded to odd: if it is inexact, to the neighbour whose
/// last bit is one. Rounded again, to less than half as many bits, it gives the same as the exact sum.
pub(crate) fn fma_f32(a: f32, b: f32, c: f32) -> f32 {
    let (product, c) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = product + c;
    let above = sum - product;
    let error = (product - (sum - above)) + (c - above);
    let mut bits = sum.to_bits();
    // The error of an infinity or a NaN is a NaN.
    if error != 0.0 && !error.is_nan() && bits & 1 == 0 {
        if (error > 0.0) == (sum > 0.0) {
            bits += 1;
        } else {
            bits -= 1;
        }
    }
    f64::from_bits(bits) as f32
}

/// Square root.
pub(crate) fn sqrt_f64(a: f64) -> f64 {
    if a == 0.0 || a.is_nan() || a == f64::INFINITY {
        return a;
    }
    if a < 0.0 {
        return f64::NAN;
    }
    let (m, e) = parts(a);
    // The square of a number with 55 bits, rounded down to it: two bits more than the result has.
    let odd = e & 1;
    let square = u128::from(m) << (56 + odd);
    let root = square.isqrt();
    let root = root << 1 | u128::from(root * root != square);
    rounded(false, root, (e - odd - 56) / 2 - 1)
}

/// Square root. The root of a double, rounded to a double and rounded again, is the root rounded once, because a double has more than twice
/// as many bits plus two.
pub(crate) fn sqrt_f32(a: f32) -> f32 {
    sqrt_f64(f64::from(a)) as f32
}

/// To integers: the type, the type of its bits, the number of fraction bits, and the names.
macro_rules! to_integers {
    ($float:ident $bits:ident $fraction:literal $floor:ident $ceil:ident $trunc:ident $round_ties_even:ident) => {
        /// To an integer, toward zero.
        pub(crate) fn $trunc(a: $float) -> $float {
            let bits = a.to_bits();
            let width = $bits::BITS - 1 - $fraction;
            let exponent = (bits >> $fraction) & ((1 << width) - 1);
            let bias = (1 << (width - 1)) - 1;
            $float::from_bits(if exponent < bias {
                bits & 1 << ($bits::BITS - 1)
            } else if exponent < bias + $fraction {
                bits & !(((1 << $fraction) - 1) >> (exponent - bias))
            } else {
                bits
            })
        }

        /// To an integer, toward −∞.
        pub(crate) fn $floor(a: $float) -> $float {
            let whole = $trunc(a);
            if whole > a { whole - 1.0 } else { whole }
        }

        /// To an integer, toward +∞.
        pub(crate) fn $ceil(a: $float) -> $float {
            let whole = $trunc(a);
            // The sign of a zero is kept.
            if whole < a { whole + 1.0 } else { whole }
        }

        /// To the nearest integer, ties to even.
        pub(crate) fn $round_ties_even(a: $float) -> $float {
            // From here on there are no fractions: the sum is rounded to an integer.
            let whole = (1u64 << $fraction) as $float;
            if a.abs() < whole {
                ((a.abs() + whole) - whole).copysign(a)
            } else {
                a
            }
        }
    };
}
to_integers!(f64 u64 52 floor_f64 ceil_f64 trunc_f64 round_ties_even_f64);
to_integers!(f32 u32 23 floor_f32 ceil_f32 trunc_f32 round_ties_even_f32);
