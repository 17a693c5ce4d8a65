//! Functions of three arguments, exactly: sums of products of two numbers need only an exact sum.

use super::truth::{Expected, Value};
use dc_runtime::reductions::accumulator::Accumulator;

/// A function of three arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Three {
    /// `x y + z`, rounded once.
    Fma,
    /// `x + z (y - x)`.
    Lerp,
    /// The number of `y..=z` that is next to `x`.
    Clamp,
}

impl Three {
    pub const ALL: [Three; 3] = [Three::Fma, Three::Lerp, Three::Clamp];

    pub const fn name(self) -> &'static str {
        match self {
            Three::Fma => "fma",
            Three::Lerp => "lerp",
            Three::Clamp => "clamp",
        }
    }

    /// The function as a formula.
    pub const fn formula(self) -> &'static str {
        match self {
            Three::Fma => "x y + z",
            Three::Lerp => "x + z (y - x)",
            Three::Clamp => "x in y..=z",
        }
    }

    /// A description of the inputs that are not judged.
    pub const fn undefined(self) -> &'static str {
        match self {
            Three::Fma => "",
            Three::Lerp => "an argument is an infinity or NaN",
            Three::Clamp => "a bound is NaN, or the bounds are in the wrong order",
        }
    }

    /// The function's value.
    pub fn value(self, [x, y, z]: [f64; 3]) -> Expected {
        match self {
            Three::Fma => fma(x, y, z),
            Three::Lerp => lerp(x, y, z),
            Three::Clamp => clamp(x, y, z),
        }
    }
}

fn fma(x: f64, y: f64, z: f64) -> Expected {
    if ![x, y, z].iter().all(|v| v.is_finite()) {
        // The operation of doubles gives the infinity or NaN of IEEE 754.
        return Expected::number(x.mul_add(y, z));
    }
    let mut sum = Accumulator::ZERO;
    sum.add_product(x, y);
    sum.add(z);
    // A sum of zeros of one sign has this sign. All other sums that are zero are +0.
    let product_negative = x.is_sign_negative() != y.is_sign_negative();
    let zeros = (x == 0.0 || y == 0.0) && z == 0.0;
    let negative = zeros && product_negative && z.is_sign_negative();
    Expected::Value(Value::exact(sum, Some(negative)))
}

fn lerp(x: f64, y: f64, t: f64) -> Expected {
    if ![x, y, t].iter().all(|v| v.is_finite()) {
        return Expected::Any;
    }
    let mut sum = Accumulator::ZERO;
    sum.add(x);
    sum.add_product(t, y);
    sum.add_product(-t, x);
    Expected::Value(Value::exact(sum, None))
}

fn clamp(x: f64, low: f64, high: f64) -> Expected {
    if x.is_nan() {
        return Expected::Nan;
    }
    // A comparison with NaN is false.
    if low.partial_cmp(&high).is_none_or(|o| o.is_gt()) {
        return Expected::Any;
    }
    let value = if x < low {
        low
    } else if x > high {
        high
    } else {
        x
    };
    let zeros = [x, low, high].into_iter().filter(|v| *v == 0.0);
    let other = zeros
        .into_iter()
        .any(|v| v.is_sign_negative() != value.is_sign_negative());
    match value {
        // Zeros of both signs are equal, and either may be given.
        0.0 if other => Expected::Value(Value::number(value).any_zero()),
        _ => Expected::number(value),
    }
}

#[cfg(test)]
mod tests {
    use super::super::format::Format;
    use super::super::truth::Rounding;
    use super::*;
    use dc_runtime::model::signature::Number;

    /// The processor's or the C library's fused multiply-add rounds correctly, in binary32 and binary64.
    #[test]
    fn fma_is_that_of_the_standard_library() {
        let (eps, tiny, max) = (f64::EPSILON, f64::from_bits(1), f64::MAX);
        let all = [
            0.0,
            tiny,
            f64::MIN_POSITIVE,
            eps,
            0.5,
            1.0,
            1.0 + eps,
            3.0,
            max,
            f64::INFINITY,
            f64::NAN,
        ];
        let all: Vec<f64> = all.iter().flat_map(|x| [*x, -x]).collect();
        let mut seen = 0;
        for &x in &all {
            for &y in &all {
                for &z in &all {
                    let wide = Format::of(Number::F64);
                    let judged = fma(x, y, z).judge(wide, x.mul_add(y, z).to_bits());
                    assert_eq!(
                        (judged.rounding, judged.fault),
                        (Rounding::Nearest, None),
                        "{x:?} {y:?} {z:?}"
                    );
                    let [a, b, c] = [x, y, z].map(|v| v as f32);
                    let narrow = Format::of(Number::F32);
                    let result = u64::from(a.mul_add(b, c).to_bits());
                    let judged = fma(a.into(), b.into(), c.into()).judge(narrow, result);
                    assert_eq!(
                        (judged.rounding, judged.fault),
                        (Rounding::Nearest, None),
                        "{a:?} {b:?} {c:?}"
                    );
                    seen += 1;
                }
            }
        }
        assert_eq!(seen, 22 * 22 * 22);
    }

    #[test]
    fn lerp_and_clamp() {
        let wide = Format::of(Number::F64);
        let is = |expected: Expected, result: f64| {
            let judged = expected.judge(wide, result.to_bits());
            judged.rounding == Rounding::Nearest && judged.fault.is_none()
        };
        assert!(is(lerp(1.0, 3.0, 0.5), 2.0));
        assert!(is(lerp(f64::MAX, f64::MAX, 0.5), f64::MAX));
        assert!(is(lerp(-f64::MAX, f64::MAX, 0.5), 0.0));
        assert!(is(lerp(0.1, 0.3, 1.0), 0.3));
        assert!(!is(lerp(0.1, 0.7, 1.0), 0.7f64.next_down()));
        assert!(matches!(lerp(f64::INFINITY, 1.0, 0.0), Expected::Any));
        assert!(is(clamp(5.0, 0.0, 1.0), 1.0) && is(clamp(-5.0, 0.0, 1.0), 0.0));
        assert!(!is(clamp(-5.0, 0.0, 1.0), -0.0));
        assert!(is(clamp(-0.0, 0.0, 1.0), -0.0) && is(clamp(-0.0, 0.0, 1.0), 0.0));
        assert!(is(clamp(f64::NAN, 0.0, 1.0), f64::NAN));
        assert!(is(clamp(f64::INFINITY, 0.0, f64::INFINITY), f64::INFINITY));
        assert!(matches!(clamp(1.0, 2.0, 1.0), Expected::Any));
        assert!(matches!(clamp(1.0, f64::NAN, 1.0), Expected::Any));
    }
}
