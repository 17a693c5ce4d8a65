//! The special values of C23, Annex F, in binary32 and in binary64: signs of zeros, infinities, poles, ends of domains.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use crate::cases::CASES;

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

/// The same value, with its sign; all NaNs are one.
pub fn same(a: f64, b: f64) -> bool {
    (a.is_nan() && b.is_nan()) || a.to_bits() == b.to_bits()
}

/// Values of functions that are odd: those at the negative arguments follow.
const ODD: &[(&str, f64, f64)] = &[
    ("expm1", 0.0, 0.0),
    ("exp2m1", 0.0, 0.0),
    ("exp10m1", 0.0, 0.0),
    ("log1p", 0.0, 0.0),
    ("log2p1", 0.0, 0.0),
    ("log10p1", 0.0, 0.0),
    ("sin", 0.0, 0.0),
    ("sin", INF, NAN),
    ("tan", 0.0, 0.0),
    ("tan", INF, NAN),
    ("sinpi", 0.0, 0.0),
    ("sinpi", 1.0, 0.0),
    ("sinpi", 2.0, 0.0),
    ("sinpi", 0.5, 1.0),
    ("sinpi", INF, NAN),
    ("tanpi", 0.0, 0.0),
    ("tanpi", 1.0, -0.0),
    ("tanpi", 2.0, 0.0),
    ("tanpi", 0.5, INF),
    ("tanpi", 1.5, -INF),
    ("tanpi", INF, NAN),
    ("asin", 0.0, 0.0),
    ("asin", 1.0, FRAC_PI_2),
    ("asin", 1.5, NAN),
    ("asin", INF, NAN),
    ("atan", 0.0, 0.0),
    ("atan", INF, FRAC_PI_2),
    ("asinpi", 0.0, 0.0),
    ("asinpi", 1.0, 0.5),
    ("asinpi", 1.5, NAN),
    ("atanpi", 0.0, 0.0),
    ("atanpi", 1.0, 0.25),
    ("atanpi", INF, 0.5),
    ("sinh", 0.0, 0.0),
    ("sinh", INF, INF),
    ("tanh", 0.0, 0.0),
    ("tanh", INF, 1.0),
    ("asinh", 0.0, 0.0),
    ("asinh", INF, INF),
    ("atanh", 0.0, 0.0),
    ("atanh", 1.0, INF),
    ("atanh", 1.5, NAN),
    ("atanh", INF, NAN),
    ("cbrt", 0.0, 0.0),
    ("cbrt", INF, INF),
    ("cbrt", 27.0, 3.0),
    ("recip", 0.0, INF),
    ("recip", INF, 0.0),
    ("erf", 0.0, 0.0),
    ("erf", INF, 1.0),
    ("tgamma", 0.0, INF),
];

/// Values at one argument.
const VALUES: &[(&str, f64, f64)] = &[
    ("exp", 0.0, 1.0),
    ("exp", -0.0, 1.0),
    ("exp", -INF, 0.0),
    ("exp", INF, INF),
    ("exp2", 0.0, 1.0),
    ("exp2", -0.0, 1.0),
    ("exp2", -INF, 0.0),
    ("exp2", INF, INF),
    ("exp10", 0.0, 1.0),
    ("exp10", 2.0, 100.0),
    ("exp10", -INF, 0.0),
    ("exp10", INF, INF),
    ("expm1", -INF, -1.0),
    ("expm1", INF, INF),
    ("exp2m1", -INF, -1.0),
    ("exp2m1", INF, INF),
    ("exp10m1", -INF, -1.0),
    ("exp10m1", INF, INF),
    ("log", 0.0, -INF),
    ("log", -0.0, -INF),
    ("log", 1.0, 0.0),
    ("log", -1.0, NAN),
    ("log", INF, INF),
    ("log", -INF, NAN),
    ("log2", 0.0, -INF),
    ("log2", -0.0, -INF),
    ("log2", 1.0, 0.0),
    ("log2", 8.0, 3.0),
    ("log2", -1.0, NAN),
    ("log2", INF, INF),
    ("log10", 0.0, -INF),
    ("log10", -0.0, -INF),
    ("log10", 1.0, 0.0),
    ("log10", 1000.0, 3.0),
    ("log10", -1.0, NAN),
    ("log10", INF, INF),
    ("log1p", -1.0, -INF),
    ("log1p", -1.5, NAN),
    ("log1p", INF, INF),
    ("log2p1", -1.0, -INF),
    ("log2p1", -1.5, NAN),
    ("log2p1", INF, INF),
    ("log10p1", -1.0, -INF),
    ("log10p1", -1.5, NAN),
    ("log10p1", INF, INF),
    ("cos", 0.0, 1.0),
    ("cos", -0.0, 1.0),
    ("cos", INF, NAN),
    ("cos", -INF, NAN),
    ("cospi", 0.0, 1.0),
    ("cospi", 0.5, 0.0),
    ("cospi", -0.5, 0.0),
    ("cospi", 1.5, 0.0),
    ("cospi", 1.0, -1.0),
    ("cospi", INF, NAN),
    ("acos", 1.0, 0.0),
    ("acos", -1.0, PI),
    ("acos", 1.5, NAN),
    ("acos", -1.5, NAN),
    ("acospi", 1.0, 0.0),
    ("acospi", -1.0, 1.0),
    ("acospi", 0.0, 0.5),
    ("acospi", 1.5, NAN),
    ("cosh", 0.0, 1.0),
    ("cosh", -0.0, 1.0),
    ("cosh", INF, INF),
    ("cosh", -INF, INF),
    ("acosh", 1.0, 0.0),
    ("acosh", 0.5, NAN),
    ("acosh", -INF, NAN),
    ("acosh", INF, INF),
    ("sqrt", 0.0, 0.0),
    ("sqrt", -0.0, -0.0),
    ("sqrt", 4.0, 2.0),
    ("sqrt", -1.0, NAN),
    ("sqrt", INF, INF),
    ("rsqrt", 0.0, INF),
    ("rsqrt", -0.0, -INF),
    ("rsqrt", 4.0, 0.5),
    ("rsqrt", -1.0, NAN),
    ("rsqrt", INF, 0.0),
    ("erfc", 0.0, 1.0),
    ("erfc", INF, 0.0),
    ("erfc", -INF, 2.0),
    ("tgamma", 1.0, 1.0),
    ("tgamma", 5.0, 24.0),
    ("tgamma", -1.0, NAN),
    ("tgamma", -INF, NAN),
    ("tgamma", INF, INF),
    ("lgamma", 1.0, 0.0),
    ("lgamma", 2.0, 0.0),
    ("lgamma", 0.0, INF),
    ("lgamma", -0.0, INF),
    ("lgamma", -3.0, INF),
    ("lgamma", -171.0, INF),
    ("lgamma", -4_503_599_627_370_497.0, INF),
    ("lgamma", INF, INF),
    ("lgamma", -INF, INF),
    // No functions of C: their limits.
    ("sigmoid", 0.0, 0.5),
    ("sigmoid", -INF, 0.0),
    ("sigmoid", INF, 1.0),
    ("logit", 0.5, 0.0),
    ("logit", 0.0, -INF),
    ("logit", 1.0, INF),
    ("logit", 1.5, NAN),
    ("softplus", -INF, 0.0),
    ("softplus", INF, INF),
    ("silu", 0.0, 0.0),
    ("silu", -0.0, -0.0),
    ("silu", -INF, -0.0),
    ("silu", INF, INF),
    ("gelu", 0.0, 0.0),
    ("gelu", -0.0, -0.0),
    ("gelu", -INF, -0.0),
    ("gelu", INF, INF),
    ("mish", 0.0, 0.0),
    ("mish", -0.0, -0.0),
    ("mish", -INF, -0.0),
    ("mish", INF, INF),
    ("srgb_to_linear", 0.0, 0.0),
    ("srgb_to_linear", 1.0, 1.0),
    ("srgb_from_linear", 0.0, 0.0),
    ("srgb_from_linear", 1.0, 1.0),
];

#[test]
fn special_values_of_one_argument() {
    let odd = ODD
        .iter()
        .flat_map(|&(name, x, y)| [(name, x, y), (name, -x, -y)]);
    let values: Vec<(&str, f64, f64)> = VALUES.iter().copied().chain(odd).collect();
    let mut wrong = Vec::new();
    for case in CASES {
        let own = values.iter().filter(|v| v.0 == case.name);
        let nan = (case.name, NAN, NAN);
        let mut tested = 0;
        for &(name, x, y) in own.chain([&nan]) {
            tested += 1;
            let narrow = (case.one)(x as f32);
            if !same(f64::from(narrow), f64::from(y as f32)) {
                wrong.push(format!("f32::{name}({x:?}) is {narrow:?}, not {y:?}"));
            }
            let wide = (case.double)(x);
            if !same(wide, y) {
                wrong.push(format!("f64::{name}({x:?}) is {wide:?}, not {y:?}"));
            }
        }
        assert!(tested >= 3, "{} has {tested} special values", case.name);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Values of functions of two arguments.
const OF_TWO: &[(&str, f64, f64, f64)] = &[
    ("pow", 0.0, -3.0, INF),
    ("pow", -0.0, -3.0, -INF),
    ("pow", -0.0, -2.0, INF),
    ("pow", 0.0, -INF, INF),
    ("pow", -0.0, -0.5, INF),
    ("pow", -0.0, 3.0, -0.0),
    ("pow", 0.0, 3.0, 0.0),
    ("pow", -0.0, 2.0, 0.0),
    ("pow", -1.0, INF, 1.0),
    ("pow", -1.0, -INF, 1.0),
    ("pow", 1.0, NAN, 1.0),
    ("pow", 1.0, INF, 1.0),
    ("pow", NAN, 0.0, 1.0),
    ("pow", NAN, -0.0, 1.0),
    ("pow", NAN, 1.0, NAN),
    ("pow", 2.0, NAN, NAN),
    ("pow", -8.0, 0.5, NAN),
    ("pow", -2.0, 3.0, -8.0),
    ("pow", 0.5, -INF, INF),
    ("pow", 2.0, -INF, 0.0),
    ("pow", 0.5, INF, 0.0),
    ("pow", 2.0, INF, INF),
    ("pow", -INF, -3.0, -0.0),
    ("pow", -INF, -2.0, 0.0),
    ("pow", -INF, 3.0, -INF),
    ("pow", -INF, 2.0, INF),
    ("pow", INF, -1.0, 0.0),
    ("pow", INF, 1.0, INF),
    ("pow", -1.0, 3.0, -1.0),
    ("pow", -2.0, -INF, 0.0),
    ("pow", 2.0, -1074.0, 5e-324),
    ("pow", INF, 0.0, 1.0),
    ("powr", 2.0, 0.0, 1.0),
    ("powr", -0.0, 1.0, 0.0),
    ("powr", 0.5, INF, 0.0),
    ("powr", 0.5, -INF, INF),
    ("powr", INF, 1.0, INF),
    ("powr", INF, -1.0, 0.0),
    ("powr", 2.0, NAN, NAN),
    ("powr", 0.0, -1.0, INF),
    ("powr", 0.0, -INF, INF),
    ("powr", 0.0, 1.0, 0.0),
    ("powr", 1.0, 5.0, 1.0),
    ("powr", 1.0, INF, NAN),
    ("powr", -1.0, 2.0, NAN),
    ("powr", 0.0, 0.0, NAN),
    ("powr", INF, 0.0, NAN),
    ("powr", NAN, 0.0, NAN),
    ("atan2", 0.0, -0.0, PI),
    ("atan2", -0.0, -0.0, -PI),
    ("atan2", 0.0, 0.0, 0.0),
    ("atan2", -0.0, 0.0, -0.0),
    ("atan2", 0.0, -1.0, PI),
    ("atan2", -0.0, -1.0, -PI),
    ("atan2", 0.0, 1.0, 0.0),
    ("atan2", -0.0, 1.0, -0.0),
    ("atan2", -1.0, 0.0, -FRAC_PI_2),
    ("atan2", 1.0, -0.0, FRAC_PI_2),
    ("atan2", 1.0, -INF, PI),
    ("atan2", -1.0, -INF, -PI),
    ("atan2", 1.0, INF, 0.0),
    ("atan2", -1.0, INF, -0.0),
    ("atan2", INF, 1.0, FRAC_PI_2),
    ("atan2", -INF, 1.0, -FRAC_PI_2),
    ("atan2", INF, -INF, 3.0 * FRAC_PI_4),
    ("atan2", -INF, -INF, -3.0 * FRAC_PI_4),
    ("atan2", INF, INF, FRAC_PI_4),
    ("atan2", -INF, INF, -FRAC_PI_4),
    ("atan2", NAN, 1.0, NAN),
    ("atan2", 1.0, NAN, NAN),
    ("hypot", 3.0, -4.0, 5.0),
    ("hypot", 0.0, -0.0, 0.0),
    ("hypot", -2.0, 0.0, 2.0),
    ("hypot", INF, NAN, INF),
    ("hypot", NAN, -INF, INF),
    ("hypot", 1.0, NAN, NAN),
];

#[test]
fn special_values_of_two_arguments() {
    use dc_math::{f32 as narrow, f64 as wide};
    type Narrow = fn(f32, f32) -> f32;
    type Wide = fn(f64, f64) -> f64;
    let functions: [(&str, Narrow, Wide); 4] = [
        ("pow", narrow::pow, wide::pow),
        ("powr", narrow::powr, wide::powr),
        ("atan2", narrow::atan2, wide::atan2),
        ("hypot", narrow::hypot, wide::hypot),
    ];
    let mut wrong = Vec::new();
    for &(name, x, y, z) in OF_TWO {
        let (_, narrow, wide) = functions.iter().find(|f| f.0 == name).expect("a function");
        let found = narrow(x as f32, y as f32);
        if !same(f64::from(found), f64::from(z as f32)) {
            wrong.push(format!("f32::{name}({x:?}, {y:?}) is {found:?}, not {z:?}"));
        }
        let found = wide(x, y);
        if !same(found, z) {
            wrong.push(format!("f64::{name}({x:?}, {y:?}) is {found:?}, not {z:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
