//! Values of complex functions if a part of the argument is an infinity or NaN, after annex G of the C standard.

use super::float::quarters;
use super::function::Complex;
use super::truth::{Expected, Value};

/// A part of a value.
#[derive(Clone, Copy)]
enum Part {
    /// +0.
    Zero,
    MinusZero,
    /// A zero of any sign.
    AnyZero,
    One,
    /// This many quarters of π.
    Quarters(i32),
    Infinity,
    Minus,
    AnyInfinity,
    Nan,
    Any,
}

use Part::{Any, AnyInfinity, AnyZero, Infinity, Minus, MinusZero, Nan, One, Quarters, Zero};

/// The kind of a part of an argument. Symmetries have made it positive, if possible.
#[derive(Clone, Copy, PartialEq)]
enum Is {
    Zero,
    /// Finite and nonzero.
    Finite,
    Infinite,
    /// A negative infinity.
    Minus,
    Nan,
}

fn is(x: f64) -> Is {
    match x {
        x if x.is_nan() => Is::Nan,
        f64::INFINITY => Is::Infinite,
        f64::NEG_INFINITY => Is::Minus,
        0.0 => Is::Zero,
        _ => Is::Finite,
    }
}

/// The value at an argument with a part that is not finite.
pub fn value(function: Complex, [x, y]: [f64; 2]) -> [Expected; 2] {
    let rotated = |of: Complex| {
        let [re, im] = value(of, [-y, x]);
        [im, negated(re)]
    };
    let odd = match function {
        Complex::Pow => return [Expected::Any, Expected::Any],
        Complex::Sin => return rotated(Complex::Sinh),
        Complex::Tan => return rotated(Complex::Tanh),
        Complex::Asin => return rotated(Complex::Asinh),
        Complex::Atan => return rotated(Complex::Atanh),
        Complex::Cos => return value(Complex::Cosh, [-y, x]),
        Complex::Sinh | Complex::Tanh | Complex::Asinh | Complex::Atanh => true,
        _ => false,
    };
    // f(z*) = f(z)*: the imaginary part is made positive.
    if y.is_sign_negative() && !y.is_nan() {
        let [re, im] = value(function, [x, -y]);
        return [re, negated(im)];
    }
    let negative = x.is_sign_negative() && !x.is_nan();
    if negative && odd {
        // f(-z) = -f(z), and f(z*) = f(z)*.
        let [re, im] = value(function, [-x, y]);
        return [negated(re), im];
    }
    if negative && function == Complex::Cosh {
        let [re, im] = value(function, [-x, y]);
        return [re, negated(im)];
    }
    let parts = match function {
        Complex::Exp => exp(x, y),
        Complex::Log => log(x, y),
        Complex::Sqrt => sqrt(x, y),
        Complex::Sinh => sinh(x, y),
        Complex::Cosh => cosh(x, y),
        Complex::Tanh => tanh(x, y),
        Complex::Asinh => asinh(x, y),
        Complex::Acosh => acosh(x, y),
        Complex::Acos => acos(x, y),
        Complex::Atanh => atanh(x, y),
        _ => [Any, Any],
    };
    parts.map(expected)
}

fn expected(part: Part) -> Expected {
    match part {
        Zero => Expected::Value(Value::number(0.0)),
        MinusZero => Expected::Value(Value::number(-0.0)),
        AnyZero => Expected::Value(Value::number(0.0).any_zero()),
        One => Expected::Value(Value::number(1.0)),
        Quarters(n) => quarters(n),
        Infinity => Expected::Infinity(Some(false)),
        Minus => Expected::Infinity(Some(true)),
        AnyInfinity => Expected::Infinity(None),
        Nan => Expected::Nan,
        Any => Expected::Any,
    }
}

fn negated(part: Expected) -> Expected {
    match part {
        Expected::Value(value) => Expected::Value(value.negated()),
        Expected::Infinity(sign) => Expected::Infinity(sign.map(|s| !s)),
        other => other,
    }
}

/// An infinity, or a zero, times cos y + i sin y, for a finite nonzero y.
fn directed(y: f64, positive: Part, negative: Part) -> [Part; 2] {
    [y.cos(), y.sin()].map(|c| if c < 0.0 { negative } else { positive })
}

fn exp(x: f64, y: f64) -> [Part; 2] {
    match (is(x), is(y)) {
        (Is::Infinite, Is::Zero) => [Infinity, Zero],
        (Is::Minus, Is::Zero) => [Zero, Zero],
        (Is::Minus, Is::Finite) => directed(y, Zero, MinusZero),
        (Is::Infinite, Is::Finite) => directed(y, Infinity, Minus),
        (Is::Minus, _) => [AnyZero, AnyZero],
        (Is::Infinite, _) => [AnyInfinity, Nan],
        (Is::Nan, Is::Zero) => [Nan, Zero],
        _ => [Nan, Nan],
    }
}

fn log(x: f64, y: f64) -> [Part; 2] {
    match (is(x), is(y)) {
        (Is::Minus, Is::Zero | Is::Finite) => [Infinity, Quarters(4)],
        (Is::Infinite, Is::Zero | Is::Finite) => [Infinity, Zero],
        (Is::Zero | Is::Finite, Is::Infinite) => [Infinity, Quarters(2)],
        (Is::Minus, Is::Infinite) => [Infinity, Quarters(3)],
        (Is::Infinite, Is::Infinite) => [Infinity, Quarters(1)],
        (Is::Minus | Is::Infinite, _) | (Is::Nan, Is::Infinite) => [Infinity, Nan],
        _ => [Nan, Nan],
    }
}

fn sqrt(x: f64, y: f64) -> [Part; 2] {
    match (is(x), is(y)) {
        (_, Is::Infinite) => [Infinity, Infinity],
        (Is::Minus, Is::Zero | Is::Finite) => [Zero, Infinity],
        (Is::Infinite, Is::Zero | Is::Finite) => [Infinity, Zero],
        (Is::Minus, _) => [Nan, AnyInfinity],
        (Is::Infinite, _) => [Infinity, Nan],
        _ => [Nan, Nan],
    }
}

fn sinh(x: f64, y: f64) -> [Part; 2] {
    match (is(x), is(y)) {
        (Is::Zero, Is::Infinite | Is::Nan) => [AnyZero, Nan],
        (Is::Infinite, Is::Zero) => [Infinity, Zero],
        (Is::Infinite, Is::Finite) => directed(y, Infinity, Minus),
        (Is::Infinite, _) => [AnyInfinity, Nan],
        (Is::Nan, Is::Zero) => [Nan, Zero],
        _ => [Nan, Nan],
    }
}

fn cosh(x: f64, y: f64) -> [Part; 2] {
    match (is(x), is(y)) {
        (Is::Zero, Is::Infinite | Is::Nan) => [Nan, AnyZero],
        (Is::Infinite, Is::Zero) => [Infinity, Zero],
        (Is::Infinite, Is::Finite) => directed(y, Infinity, Minus),
        (Is::Infinite, Is::Infinite) => [AnyInfinity, Nan],
        (Is::Infinite, _) => [Infinity, Nan],
        (Is::Nan, Is::Zero) => [Nan, AnyZero],
        _ => [Nan, Nan],
    }
}

fn tanh(x: f64, y: f64) -> [Part; 2] {
    match (is(x), is(y)) {
        // C99 and its corrections differ.
        (Is::Zero, Is::Infinite | Is::Nan) => [Any, Nan],
        (Is::Infinite, Is::Zero) => [One, Zero],
        (Is::Infinite, _) => [One, AnyZero],
        (Is::Nan, Is::Zero) => [Nan, Zero],
        _ => [Nan, Nan],
    }
}

fn asinh(x: f64, y: f64) -> [Part; 2] {
    match (is(x), is(y)) {
        (Is::Zero | Is::Finite, Is::Infinite) => [Infinity, Quarters(2)],
        (Is::Infinite, Is::Zero | Is::Finite) => [Infinity, Zero],
        (Is::Infinite, Is::Infinite) => [Infinity, Quarters(1)],
        (Is::Infinite, _) => [Infinity, Nan],
        (Is::Nan, Is::Zero) => [Nan, Zero],
        (Is::Nan, Is::Infinite) => [AnyInfinity, Nan],
        _ => [Nan, Nan],
    }
}

fn acosh(x: f64, y: f64) -> [Part; 2] {
    match (is(x), is(y)) {
        // C99 and its corrections differ.
        (Is::Zero, Is::Nan) => [Nan, Any],
        (Is::Zero | Is::Finite, Is::Infinite) => [Infinity, Quarters(2)],
        (Is::Minus, Is::Zero | Is::Finite) => [Infinity, Quarters(4)],
        (Is::Infinite, Is::Zero | Is::Finite) => [Infinity, Zero],
        (Is::Minus, Is::Infinite) => [Infinity, Quarters(3)],
        (Is::Infinite, Is::Infinite) => [Infinity, Quarters(1)],
        (Is::Minus | Is::Infinite, _) | (Is::Nan, Is::Infinite) => [Infinity, Nan],
        _ => [Nan, Nan],
    }
}

fn acos(x: f64, y: f64) -> [Part; 2] {
    match (is(x), is(y)) {
        (Is::Zero, Is::Nan) => [Quarters(2), Nan],
        (Is::Zero | Is::Finite, Is::Infinite) => [Quarters(2), Minus],
        (Is::Minus, Is::Zero | Is::Finite) => [Quarters(4), Minus],
        (Is::Infinite, Is::Zero | Is::Finite) => [Zero, Minus],
        (Is::Minus, Is::Infinite) => [Quarters(3), Minus],
        (Is::Infinite, Is::Infinite) => [Quarters(1), Minus],
        (Is::Minus | Is::Infinite, _) => [Nan, AnyInfinity],
        (Is::Nan, Is::Infinite) => [Nan, Minus],
        _ => [Nan, Nan],
    }
}

fn atanh(x: f64, y: f64) -> [Part; 2] {
    match (is(x), is(y)) {
        (Is::Zero, Is::Nan) => [Zero, Nan],
        (Is::Zero | Is::Finite, Is::Infinite)
        | (Is::Infinite, Is::Zero | Is::Finite | Is::Infinite) => [Zero, Quarters(2)],
        (Is::Infinite, _) => [Zero, Nan],
        (Is::Nan, Is::Infinite) => [AnyZero, Quarters(2)],
        _ => [Nan, Nan],
    }
}
