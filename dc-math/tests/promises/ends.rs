//! Binary64 at its ends: subnormal arguments and results, the largest number, zeros beyond the last result, infinities.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use dc_math::f64::*;

use crate::special::same;

const LEAST: f64 = 5e-324;
const MOST: f64 = f64::MAX;
const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

#[test]
fn ends_of_binary64() {
    let values = [
        ("pow(least, 1)", pow(LEAST, 1.0), LEAST),
        ("pow(largest, 1)", pow(MOST, 1.0), MOST),
        ("pow(-largest, 1)", pow(-MOST, 1.0), -MOST),
        ("pow(least, -1)", pow(LEAST, -1.0), INF),
        ("pow(largest, least)", pow(MOST, LEAST), 1.0),
        ("pow(0, least)", pow(0.0, LEAST), 0.0),
        ("pow(0, -least)", pow(0.0, -LEAST), INF),
        ("pow(2, -1022)", pow(2.0, -1022.0), f64::MIN_POSITIVE),
        ("pow(2, -1023)", pow(2.0, -1023.0), f64::MIN_POSITIVE / 2.0),
        ("pow(-2, -1073)", pow(-2.0, -1073.0), -2.0 * LEAST),
        ("pow(2, -1076)", pow(2.0, -1076.0), 0.0),
        ("pow(-2, -1077)", pow(-2.0, -1077.0), -0.0),
        ("pow(2, 1024)", pow(2.0, 1024.0), INF),
        ("pow(-2, 1023)", pow(-2.0, 1023.0), -2f64.powi(1023)),
        ("pow(-2, 2^53 + 2)", pow(-2.0, 9_007_199_254_740_994.0), INF),
        (
            "pow(-2, 2^53 - 1)",
            pow(-2.0, 9_007_199_254_740_991.0),
            -INF,
        ),
        (
            "pow(-1, 2^53 - 1)",
            pow(-1.0, 9_007_199_254_740_991.0),
            -1.0,
        ),
        (
            "pow(-1, 2^51 + 1/2)",
            pow(-1.0, 2_251_799_813_685_248.5),
            NAN,
        ),
        ("pow(1, largest)", pow(1.0, MOST), 1.0),
        ("pow(1 + 2^-52, largest)", pow(1.0f64.next_up(), MOST), INF),
        (
            "pow(1 - 2^-53, largest)",
            pow(1.0f64.next_down(), MOST),
            0.0,
        ),
        ("powr(least, 1)", powr(LEAST, 1.0), LEAST),
        ("powr(largest, 1)", powr(MOST, 1.0), MOST),
        ("atan2(least, 1)", atan2(LEAST, 1.0), LEAST),
        ("atan2(-least, 1/2)", atan2(-LEAST, 0.5), -2.0 * LEAST),
        ("atan2(least, largest)", atan2(LEAST, MOST), 0.0),
        ("atan2(-least, -largest)", atan2(-LEAST, -MOST), -PI),
        ("atan2(largest, least)", atan2(MOST, LEAST), FRAC_PI_2),
        ("atan2(largest, -least)", atan2(MOST, -LEAST), FRAC_PI_2),
        ("atan2(largest, largest)", atan2(MOST, MOST), FRAC_PI_4),
        ("atan2(least, least)", atan2(LEAST, LEAST), FRAC_PI_4),
        (
            "atan2(least, -least)",
            atan2(LEAST, -LEAST),
            3.0 * FRAC_PI_4,
        ),
        ("erf(least)", erf(LEAST), LEAST),
        ("erf(6)", erf(6.0), 1.0),
        ("erf(-largest)", erf(-MOST), -1.0),
        ("erfc(27.3)", erfc(27.3), 0.0),
        ("erfc(largest)", erfc(MOST), 0.0),
        ("erfc(-largest)", erfc(-MOST), 2.0),
        ("erfc(-least)", erfc(-LEAST), 1.0),
        ("gelu(-39)", gelu(-39.0), -0.0),
        ("gelu(-largest)", gelu(-MOST), -0.0),
        ("gelu(largest)", gelu(MOST), MOST),
        ("gelu(2 least)", gelu(2.0 * LEAST), LEAST),
        ("silu(-760)", silu(-760.0), -0.0),
        ("silu(-largest)", silu(-MOST), -0.0),
        ("silu(largest)", silu(MOST), MOST),
        ("silu(-2 least)", silu(-2.0 * LEAST), -LEAST),
        ("mish(-largest)", mish(-MOST), -0.0),
        ("mish(largest)", mish(MOST), MOST),
        ("mish(5 least)", mish(5.0 * LEAST), 3.0 * LEAST),
        ("softplus(-745)", softplus(-745.0), LEAST),
        ("softplus(-746)", softplus(-746.0), 0.0),
        ("softplus(largest)", softplus(MOST), MOST),
        (
            "srgb_to_linear(13 least)",
            srgb_to_linear(13.0 * LEAST),
            LEAST,
        ),
        ("srgb_to_linear(largest)", srgb_to_linear(MOST), INF),
        (
            "srgb_from_linear(least)",
            srgb_from_linear(LEAST),
            13.0 * LEAST,
        ),
        ("srgb_from_linear(-largest)", srgb_from_linear(-MOST), -INF),
    ];
    let wrong: Vec<String> = (values.iter())
        .filter(|(_, found, right)| !same(*found, *right))
        .map(|(what, found, right)| format!("{what} is {found:e}, not {right:e}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
