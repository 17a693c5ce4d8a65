//! Complex functions in MPFR. Each part is made of correctly rounded functions of real numbers, and of sums that are exact or whose terms
//! have one sign. So nothing cancels, and each part has a relative error of a few units of the precision. Powers are the exception: for
//! them, the number of remaining bits is computed.

use dc_runtime::mpfr::rug::{Assign as _, Float};

use super::annex;
use super::float::{BITS, KNOWN, expected};
use super::function::Complex;
use super::truth::Expected;

/// The number of bits of an exact sum: a square is between 2^-2148 and 2^2048.
const EXACT: u32 = 4300;
/// The number of bits of an exponent and a logarithm in a power: a phase below 2^1030 has 360 bits after the point.
const POWER: u32 = 1400;
/// Beyond this size, an exponential is not a number of any format.
const LARGE: f64 = (1u32 << 20) as f64;

/// A complex number.
#[derive(Debug, Clone)]
pub struct Number {
    re: Float,
    im: Float,
}

type Pair = [f64; 2];

/// The value of a function.
pub fn value(function: Complex, z: Pair, w: Pair) -> [Expected; 2] {
    let all = [z, if function == Complex::Pow { w } else { z }];
    if !all.iter().flatten().all(|v| v.is_finite()) {
        return annex::value(function, z);
    }
    if function == Complex::Pow {
        return pow(z, w);
    }
    let found = finite(function, z);
    [found.re, found.im].map(|part| expected(&part, KNOWN))
}

fn exact(x: f64) -> Float {
    Float::with_val(53, x)
}

fn at(bits: u32, x: f64) -> Float {
    Float::with_val(bits, x)
}

/// `magnitude` with the sign of another number.
fn signed(magnitude: Float, sign: &Float) -> Float {
    let mut result = magnitude;
    if result.is_sign_negative() != sign.is_sign_negative() {
        result = -result;
    }
    result
}

/// `i z`.
fn turned([x, y]: Pair) -> Pair {
    [-y, x]
}

/// `-i f(i z)`.
fn rotated(function: Complex, z: Pair) -> Number {
    let Number { re, im } = finite(function, turned(z));
    Number { re: im, im: -re }
}

fn finite(function: Complex, z: Pair) -> Number {
    match function {
        Complex::Exp => exp(z),
        Complex::Log => log(&Number::of(z), BITS),
        Complex::Sqrt => sqrt(&Number::of(z), BITS),
        Complex::Sinh => sinh(z),
        Complex::Cosh => cosh(z),
        Complex::Tanh => tanh(z),
        Complex::Asin => asin(z),
        Complex::Acos => acos(z),
        Complex::Acosh => acosh(z),
        Complex::Atanh => atanh(z),
        Complex::Sin => rotated(Complex::Sinh, z),
        // cos z = cosh(i z)
        Complex::Cos => cosh(turned(z)),
        Complex::Tan => rotated(Complex::Tanh, z),
        Complex::Asinh => rotated(Complex::Asin, z),
        Complex::Atan => rotated(Complex::Atanh, z),
        // It has two arguments.
        Complex::Pow => Number::of(z),
    }
}

impl Number {
    fn of([x, y]: Pair) -> Number {
        Number {
            re: exact(x),
            im: exact(y),
        }
    }
}

/// The argument of an exponential.
fn bounded(x: f64) -> Float {
    at(BITS, x.clamp(-LARGE, LARGE))
}

fn sin_cos(y: f64) -> (Float, Float) {
    at(BITS, y).sin_cos(Float::new(BITS))
}

fn sinh_cosh(x: f64) -> (Float, Float) {
    bounded(x).sinh_cosh(Float::new(BITS))
}

fn exp([x, y]: Pair) -> Number {
    let (sin, cos) = sin_cos(y);
    let size = bounded(x).exp();
    Number {
        re: cos * &size,
        im: sin * size,
    }
}

fn sinh([x, y]: Pair) -> Number {
    let ((sinh, cosh), (sin, cos)) = (sinh_cosh(x), sin_cos(y));
    Number {
        re: sinh * cos,
        im: cosh * sin,
    }
}

fn cosh([x, y]: Pair) -> Number {
    let ((sinh, cosh), (sin, cos)) = (sinh_cosh(x), sin_cos(y));
    Number {
        re: cosh * cos,
        im: sinh * sin,
    }
}

/// (sinh x cosh x + i sin y cos y) / (sinh² x + cos² y)
fn tanh([x, y]: Pair) -> Number {
    let (sin, cos) = sin_cos(y);
    if x.abs() > LARGE {
        let size = (at(BITS, -2.0 * LARGE)).exp() * 4u32;
        return Number {
            re: at(BITS, 1f64.copysign(x)),
            im: sin * cos * size,
        };
    }
    let (sinh, cosh) = sinh_cosh(x);
    let below = Float::with_val(BITS, sinh.square_ref()) + Float::with_val(BITS, cos.square_ref());
    Number {
        re: sinh * cosh / &below,
        im: sin * cos / below,
    }
}

/// The logarithm. Near the unit circle, it is the logarithm of 1 + (x² + y² - 1), where the sum is exact.
fn log(z: &Number, bits: u32) -> Number {
    let (x, y) = (&z.re, &z.im);
    let size = Float::with_val(bits, x.hypot_ref(y));
    let re = if size > 0.5 && size < 2.0 {
        let mut rest = Float::with_val(EXACT, x.square_ref()) - 1u32;
        rest += Float::with_val(EXACT, y.square_ref());
        let mut re = Float::with_val(bits, &rest);
        // With as many bits as the logarithm has: the sum is exact, and rounded once.
        re.ln_1p_mut();
        re / 2u32
    } else {
        size.ln()
    };
    // A logarithm of 1 is +0.
    let re = match re.is_zero() {
        true => Float::new(bits),
        false => re,
    };
    Number {
        re,
        im: Float::with_val(bits, y.atan2_ref(x)),
    }
}

/// The square root: with t = √((|x| + |z|) / 2) it is t + i y / 2t, or |y| / 2t ± i t.
fn sqrt(z: &Number, bits: u32) -> Number {
    let (x, y) = (&z.re, &z.im);
    if x.is_zero() && y.is_zero() {
        return Number {
            re: Float::new(bits),
            im: Float::with_val(bits, y),
        };
    }
    let size = Float::with_val(bits, x.hypot_ref(y));
    let large = Float::with_val(bits, x.abs_ref()) + size;
    let large = (large / 2u32).sqrt();
    let small = Float::with_val(bits, y.abs_ref()) / 2u32 / &large;
    match x.is_sign_negative() {
        false => Number {
            re: large,
            im: signed(small, y),
        },
        true => Number {
            re: small,
            im: signed(large, y),
        },
    }
}

/// `√(a + b z)`, for `a` and `b` of 1 and -1: the sum is exact.
fn root(a: i32, b: i32, [x, y]: Pair) -> Number {
    let re = Float::with_val(EXACT, x) * b + a;
    let im = match b {
        1 => exact(y),
        _ => exact(-y),
    };
    sqrt(&Number { re, im }, BITS)
}

/// `p q + r s`
fn products([p, q, r, s]: [&Float; 4]) -> Float {
    Float::with_val(BITS, p * q) + Float::with_val(BITS, r * s)
}

/// With s = √(1 - z) and t = √(1 + z): atan(x / Re(s t)) + i asinh(Im(s* t)). The terms of both sums have one sign.
fn asin(z: Pair) -> Number {
    let (s, t) = (root(1, -1, z), root(1, 1, z));
    let below = products([&s.re, &t.re, &-s.im.clone(), &t.im]);
    let im = products([&s.re, &t.im, &-s.im, &t.re]);
    Number {
        re: at(BITS, z[0]).atan2(&below),
        im: im.asinh(),
    }
}

fn acos(z: Pair) -> Number {
    let (s, t) = (root(1, -1, z), root(1, 1, z));
    let im = products([&t.re, &s.im, &-t.im, &s.re]);
    Number {
        re: s.re.atan2(&t.re) * 2u32,
        im: im.asinh(),
    }
}

fn acosh(z: Pair) -> Number {
    let (s, t) = (root(-1, 1, z), root(1, 1, z));
    let re = products([&s.re, &t.re, &s.im, &t.im]);
    Number {
        re: re.asinh(),
        im: s.im.atan2(&t.re) * 2u32,
    }
}

/// For x ≥ 0: log1p(4 x / ((1 - x)² + y²)) / 4 + i atan2(2 y, 1 - x² - y²) / 2. The sums are exact.
fn atanh(z: Pair) -> Number {
    if z[0].is_sign_negative() {
        let Number { re, im } = atanh(z.map(|v| -v));
        return Number { re: -re, im: -im };
    }
    let [x, y] = z;
    let wide = |x: f64| Float::with_val(EXACT, x);
    let below = wide(x) - 1u32;
    let below = below.square() + wide(y).square();
    let re = at(BITS, x) * 4u32 / below;
    let side = 1u32 - wide(x).square() - wide(y).square();
    let im = (at(BITS, y) * 2u32).atan2(&side);
    Number {
        re: re.ln_1p() / 4u32,
        im: im / 2u32,
    }
}

fn any() -> [Expected; 2] {
    [Expected::Any, Expected::Any]
}

/// A power. Zeros have any sign; powers of zero are not defined here.
fn pow(z: Pair, w: Pair) -> [Expected; 2] {
    let zero = |part: Expected| match part {
        Expected::Value(value) => Expected::Value(value.any_zero()),
        other => other,
    };
    if z == [0.0, 0.0] {
        return any();
    }
    let real = w[1] == 0.0;
    if real && w[0].fract() == 0.0 && w[0].abs() <= 32.0 {
        let found = integer_power(z, w[0] as i32);
        return [found.re, found.im].map(|part| zero(expected(&part, KNOWN)));
    }
    let log = log(&Number::of(z), POWER);
    let (a, b) = (at(POWER, w[0]), at(POWER, w[1]));
    let times = |x: &Float, y: &Float| Float::with_val(POWER, x * y);
    let terms = [
        times(&a, &log.re),
        -times(&b, &log.im),
        times(&b, &log.re),
        times(&a, &log.im),
    ];
    // A sum has an absolute error of a few units in the last place of its larger term.
    let error = |terms: &[Float]| {
        let largest = terms.iter().filter_map(Float::get_exp).max();
        largest.map_or(i32::MIN / 2, |e| e - POWER as i32 + 5)
    };
    let errors = [error(&terms[..2]), error(&terms[2..])];
    let on_axis = terms[2].is_zero();
    let [s, t, u, v] = terms;
    let mut size = Float::with_val(BITS, s + t);
    if size.clone().abs() > LARGE {
        size.assign(LARGE.copysign(size.to_f64()));
    }
    let size = size.exp();
    let (sin, cos) = (u + v).sin_cos(Float::new(POWER));
    let part = |direction: Float, exact: Option<i32>| {
        let known = KNOWN.min(-errors[0]);
        if let Some(exact) = exact {
            return zero(expected(&(size.clone() * exact), known));
        }
        let bits = direction
            .get_exp()
            .map_or(0, |e| (e - errors[1]).min(known));
        match bits < 100 {
            true => Expected::Any,
            false => zero(expected(&Float::with_val(BITS, &size * &direction), bits)),
        }
    };
    let [re, im] = axes(z, w[0]).filter(|_| on_axis).unwrap_or([None; 2]);
    [part(cos, re), part(sin, im)]
}

/// For a power of a number on an axis or a diagonal: the parts of its direction that are exactly 0, 1 or -1.
fn axes([x, y]: Pair, a: f64) -> Option<[Option<i32>; 2]> {
    // The argument in quarters of π.
    let quarters = match (x, y) {
        _ if y == 0.0 => 2.0 - 2.0 * 1f64.copysign(x),
        _ if x == 0.0 => 2.0,
        _ if x.abs() == y.abs() => 2.0 - 1f64.copysign(x),
        _ => return None,
    };
    // The remainder of a division is exact, and so is the product with a small integer.
    let turned = (a % 8.0 * quarters * 1f64.copysign(y)).rem_euclid(8.0);
    let place = [0.0, 2.0, 4.0, 6.0].iter().position(|q| *q == turned)?;
    let parts = [[1, 0], [0, 1], [-1, 0], [0, -1]][place];
    Some(parts.map(Some))
}

/// A power with a small integer, by products that are exact if its parts could cancel.
fn integer_power([x, y]: Pair, n: i32) -> Number {
    let wide = |x: f64| Float::with_val(EXACT, x);
    let (mut re, mut im) = (wide(1.0), wide(0.0));
    for _ in 0..n.abs() {
        let next = (re.clone() * x) - (im.clone() * y);
        im = im * x + re * y;
        re = next;
    }
    if n < 0 {
        let below = re.clone().square() + im.clone().square();
        re /= &below;
        im = -im / below;
    }
    let narrow = |x: Float| Float::with_val(BITS, x);
    Number {
        re: narrow(re),
        im: narrow(im),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Known values: on both sides of branch cuts, with parts that are exactly zero, and where a naive formula cancels.
    #[test]
    fn known_values() {
        let none = [0.0; 2];
        for (function, z, w, parts) in [
            (
                Complex::Log,
                [-1.0, 0.0],
                none,
                ["0.0", "3.141592653589793"],
            ),
            (
                Complex::Log,
                [-1.0, -0.0],
                none,
                ["0.0", "-3.141592653589793"],
            ),
            (
                Complex::Log,
                [1.0, 1e-200],
                none,
                ["1.1718289888396993 * 2^-1330", "1e-200"],
            ),
            (Complex::Sqrt, [-4.0, -0.0], none, ["0.0", "-2.0"]),
            (Complex::Sqrt, [3.0, -4.0], none, ["2.0", "-1.0"]),
            (
                Complex::Acos,
                [2.0, 0.0],
                none,
                ["0.0", "-1.3169578969248168"],
            ),
            (
                Complex::Acos,
                [2.0, -0.0],
                none,
                ["0.0", "1.3169578969248168"],
            ),
            (
                Complex::Acosh,
                [-1.0, -0.0],
                none,
                ["0.0", "-3.141592653589793"],
            ),
            (
                Complex::Atanh,
                [2.0, -0.0],
                none,
                ["0.5493061443340549", "-1.5707963267948966"],
            ),
            (Complex::Atanh, [1.0, 0.0], none, ["inf", "0.0"]),
            (Complex::Tanh, [1e300, 1.0], none, ["1.0", "1.0 * 2^-2040"]),
            (Complex::Pow, [1.0, 1.0], [2.0, 0.0], ["0.0", "2.0"]),
            (Complex::Pow, [-4.0, 0.0], [1.5, 0.0], ["0.0", "-8.0"]),
            (Complex::Pow, [0.0, 2.0], [-1.0, 0.0], ["0.0", "-0.5"]),
            (
                Complex::Pow,
                [-1.0, 0.0],
                [100_000_000.5, 0.0],
                ["0.0", "1.0"],
            ),
            (Complex::Pow, [1.0, 0.0], [2.0, 0.5], ["1.0", "0.0"]),
        ] {
            let found = value(function, z, w).map(|part| part.show());
            assert_eq!(found, parts, "{function:?} {z:?} {w:?}");
        }
    }
}
