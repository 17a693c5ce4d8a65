//! The ranges in which the errors of functions in binary64 are bounded and certified: together all finite inputs at which a function is defined, except for
//! those that [`NAMED`] states.

/// The least and the largest finite number.
const WHOLE: [f64; 2] = [f64::MIN, f64::MAX];
/// The least positive number.
const LEAST: f64 = f64::from_bits(1);
/// The least number above -1.
const ABOVE_MINUS_ONE: f64 = -BELOW_ONE;
/// The largest number below 1.
const BELOW_ONE: f64 = 1.0 - f64::EPSILON / 2.0;
/// The largest number below 1/2, and the least above it.
const BELOW_HALF: f64 = 0.5 - f64::EPSILON / 4.0;
const ABOVE_HALF: f64 = 0.5 + f64::EPSILON / 2.0;
/// Γ of the next number is infinite.
pub const LAST_OF_GAMMA: f64 = f64::from_bits(0x4065_73fa_e561_f647);

/// The ranges of functions that are not bounded over all finite numbers at once: over the domain, in ranges that take some seconds or minutes each.
const RANGES: &[(&str, &[[f64; 2]])] = &[
    (
        "exp",
        &[[f64::MIN, -800.0], [-800.0, 800.0], [800.0, f64::MAX]],
    ),
    (
        "exp2",
        &[[f64::MIN, -1100.0], [-1100.0, 1100.0], [1100.0, f64::MAX]],
    ),
    (
        "exp10",
        &[[f64::MIN, -350.0], [-350.0, 350.0], [350.0, f64::MAX]],
    ),
    (
        "exp2m1",
        &[[f64::MIN, -1100.0], [-1100.0, 1100.0], [1100.0, f64::MAX]],
    ),
    (
        "exp10m1",
        &[[f64::MIN, -350.0], [-350.0, 350.0], [350.0, f64::MAX]],
    ),
    ("log", &[[LEAST, f64::MAX]]),
    ("log2", &[[LEAST, f64::MAX]]),
    ("log10", &[[LEAST, f64::MAX]]),
    ("log1p", &[[ABOVE_MINUS_ONE, f64::MAX]]),
    ("log2p1", &[[ABOVE_MINUS_ONE, f64::MAX]]),
    ("log10p1", &[[ABOVE_MINUS_ONE, f64::MAX]]),
    ("sinpi", &[[-1.0, 1.0]]),
    ("cospi", &[[-1.0, 1.0]]),
    (
        "tanpi",
        &[
            [-1.0, -ABOVE_HALF],
            [-BELOW_HALF, -0.49],
            [-0.49, 0.49],
            [0.49, BELOW_HALF],
            [ABOVE_HALF, 1.0],
        ],
    ),
    ("asin", &[[-1.0, 1.0]]),
    ("acos", &[[-1.0, 1.0]]),
    ("asinpi", &[[-1.0, 1.0]]),
    ("acospi", &[[-1.0, 1.0]]),
    (
        "sinh",
        &[[f64::MIN, -800.0], [-800.0, 800.0], [800.0, f64::MAX]],
    ),
    (
        "cosh",
        &[[f64::MIN, -710.0], [-710.0, 710.0], [710.0, f64::MAX]],
    ),
    (
        "tanh",
        &[[f64::MIN, -20.0], [-20.0, 20.0], [20.0, f64::MAX]],
    ),
    ("asinh", &[[f64::MIN, -0.0], [0.0, f64::MAX]]),
    ("acosh", &[[1.0, 1.001], [1.001, f64::MAX]]),
    (
        "atanh",
        &[
            [ABOVE_MINUS_ONE, -0.999],
            [-0.999, 0.999],
            [0.999, BELOW_ONE],
        ],
    ),
    ("sqrt", &[[-0.0, f64::MAX]]),
    ("rsqrt", &[[LEAST, f64::MAX]]),
    ("recip", &[[f64::MIN, -LEAST], [LEAST, f64::MAX]]),
    (
        "sigmoid",
        &[[f64::MIN, -745.0], [-745.0, 40.0], [40.0, f64::MAX]],
    ),
    (
        "logit",
        &[[LEAST, 1e-300], [1e-300, 0.499], [0.499, BELOW_ONE]],
    ),
    ("erf", &[[f64::MIN, -5.9], [-5.9, 5.9], [5.9, f64::MAX]]),
    ("erfc", &[[f64::MIN, -5.9], [-5.9, 27.2], [27.2, f64::MAX]]),
    (
        "tgamma",
        &[
            [LEAST, 1e-9],
            [1e-9, 20.0],
            [20.0, 171.6],
            [171.6, LAST_OF_GAMMA],
            [LAST_OF_GAMMA.next_up(), f64::MAX],
        ],
    ),
    ("lgamma", &[[LEAST, 1e-10], [1e-10, 1e15], [1e15, f64::MAX]]),
    (
        "softplus",
        &[[f64::MIN, -41.0], [-41.0, 100.0], [100.0, f64::MAX]],
    ),
    (
        "silu",
        &[[f64::MIN, -750.0], [-750.0, 700.0], [700.0, f64::MAX]],
    ),
    (
        "gelu",
        &[
            [f64::MIN, -38.5],
            [-38.5, -1e-10],
            [-1e-10, 40.0],
            [40.0, f64::MAX],
        ],
    ),
    (
        "mish",
        &[
            [f64::MIN, -750.0],
            [-750.0, -1e-10],
            [-1e-10, 700.0],
            [700.0, f64::MAX],
        ],
    ),
    (
        "srgb_to_linear",
        &[
            [f64::MIN, 0.0405],
            [0.0405, 1e3],
            [1e3, 1e130],
            [1e130, f64::MAX],
        ],
    ),
    (
        "srgb_from_linear",
        &[[f64::MIN, 0.0032], [0.0032, 1e10], [1e10, f64::MAX]],
    ),
    ("sin", &[[-200.0, -10.0], [-10.0, 10.0], [10.0, 200.0]]),
    ("cos", &[[-200.0, -10.0], [-10.0, 10.0], [10.0, 200.0]]),
    ("tan", &[[-4.5, -1.5], [-1.5, 1.5], [1.5, 4.5]]),
];

/// The ranges of a function.
pub fn ranges(function: &str) -> &'static [[f64; 2]] {
    let own = RANGES.iter().find(|r| r.0 == function);
    own.map_or(&[WHOLE], |r| r.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::CASES;

    /// Why a range has no certificate.
    #[derive(Debug, Clone, Copy, PartialEq)]
    enum Why {
        /// The function is NaN there, or infinite.
        Undefined,
        /// The kernel first reduces the argument exactly to one in a range with a certificate (`reductions_are_exact`).
        Reduced,
        /// The result is that of a double-double reference, or of stages with certificates of their own.
        Otherwise,
    }
    use Why::{Otherwise, Reduced, Undefined};

    const BELOW_ZERO: f64 = -LEAST;
    /// Below -1, and above 1.
    const BELOW: [f64; 2] = [f64::MIN, -1.0 - f64::EPSILON];
    const ABOVE: [f64; 2] = [1.0 + f64::EPSILON, f64::MAX];

    /// A range, and why it has no certificate.
    type Named = ([f64; 2], Why);
    /// Inputs without a certificate.
    const NAMED: &[(&str, &[Named])] = &[
        ("log", &[([f64::MIN, 0.0], Undefined)]),
        ("log2", &[([f64::MIN, 0.0], Undefined)]),
        ("log10", &[([f64::MIN, 0.0], Undefined)]),
        ("log1p", &[([f64::MIN, -1.0], Undefined)]),
        ("log2p1", &[([f64::MIN, -1.0], Undefined)]),
        ("log10p1", &[([f64::MIN, -1.0], Undefined)]),
        ("sinpi", &[(BELOW, Reduced), (ABOVE, Reduced)]),
        ("cospi", &[(BELOW, Reduced), (ABOVE, Reduced)]),
        (
            "tanpi",
            &[
                (BELOW, Reduced),
                ([-0.5, -0.5], Undefined),
                ([0.5, 0.5], Undefined),
                (ABOVE, Reduced),
            ],
        ),
        ("asin", &[(BELOW, Undefined), (ABOVE, Undefined)]),
        ("acos", &[(BELOW, Undefined), (ABOVE, Undefined)]),
        ("asinpi", &[(BELOW, Undefined), (ABOVE, Undefined)]),
        ("acospi", &[(BELOW, Undefined), (ABOVE, Undefined)]),
        ("acosh", &[([f64::MIN, BELOW_ONE], Undefined)]),
        (
            "atanh",
            &[([f64::MIN, -1.0], Undefined), ([1.0, f64::MAX], Undefined)],
        ),
        ("sqrt", &[([f64::MIN, BELOW_ZERO], Undefined)]),
        ("rsqrt", &[([f64::MIN, 0.0], Undefined)]),
        ("recip", &[([-0.0, 0.0], Undefined)]),
        (
            "logit",
            &[([f64::MIN, 0.0], Undefined), ([1.0, f64::MAX], Undefined)],
        ),
        // Stages: for each negative number that is not a pole.
        (
            "tgamma",
            &[
                ([f64::MIN, BELOW_ZERO], Otherwise),
                ([-0.0, 0.0], Undefined),
            ],
        ),
        (
            "lgamma",
            &[
                ([f64::MIN, BELOW_ZERO], Otherwise),
                ([-0.0, 0.0], Undefined),
            ],
        ),
        (
            "sin",
            &[
                ([f64::MIN, -200.0], Otherwise),
                ([200.0, f64::MAX], Otherwise),
            ],
        ),
        (
            "cos",
            &[
                ([f64::MIN, -200.0], Otherwise),
                ([200.0, f64::MAX], Otherwise),
            ],
        ),
        (
            "tan",
            &[([f64::MIN, -4.5], Otherwise), ([4.5, f64::MAX], Otherwise)],
        ),
    ];

    /// Each number follows the one before it, and -0 is below 0.
    fn rank(x: f64) -> i64 {
        let bits = x.to_bits() as i64;
        if bits < 0 { !(bits ^ i64::MIN) } else { bits }
    }

    /// The first finite input in none of the ranges, which are in order.
    fn left_out(ranges: &[[f64; 2]]) -> Option<f64> {
        let mut next = rank(f64::MIN);
        for [low, high] in ranges {
            if rank(*low) > next {
                break;
            }
            next = next.max(rank(*high) + 1);
        }
        (next <= rank(f64::MAX)).then(|| {
            let bits = if next < 0 { !next ^ i64::MIN } else { next };
            f64::from_bits(bits as u64)
        })
    }

    /// A certificate's ranges, and the named ones, in order.
    fn all(function: &str) -> Vec<[f64; 2]> {
        let named = NAMED.iter().filter(|n| n.0 == function).flat_map(|n| n.1);
        let mut all = ranges(function).to_vec();
        all.extend(named.map(|n| n.0));
        all.sort_by(|a, b| a[0].total_cmp(&b[0]));
        all
    }

    #[test]
    fn all_finite_inputs_are_in_a_range() {
        for case in CASES {
            let left = left_out(&all(case.name));
            assert_eq!(left, None, "{}", case.name);
        }
        let known = |name: &str| CASES.iter().any(|c| c.name == name);
        assert!(RANGES.iter().all(|r| known(r.0)));
        assert!(NAMED.iter().all(|r| known(r.0)));
    }

    /// Without one of its ranges, each function has inputs in none.
    #[test]
    fn no_range_is_needless() {
        for case in CASES {
            let all = all(case.name);
            for i in 0..all.len() {
                let mut others = all.clone();
                others.remove(i);
                assert!(left_out(&others).is_some(), "{} {:?}", case.name, all[i]);
            }
        }
        assert_eq!(left_out(&[[f64::MIN, -0.0], [LEAST, f64::MAX]]), Some(0.0));
        assert_eq!(left_out(&[[f64::MIN, 1.0f64.next_down()]]), Some(1.0));
    }

    /// Where a function is not defined, its result is NaN or infinite.
    #[test]
    fn no_result_is_finite_where_a_function_is_not_defined() {
        for (name, named) in NAMED {
            let case = CASES.iter().find(|c| c.name == *name).expect("known");
            for ([low, high], _) in named.iter().filter(|n| n.1 == Undefined) {
                let middle = f64::midpoint(*low, *high).clamp(*low, *high);
                for x in [*low, middle, *high] {
                    let y = (case.double)(x);
                    assert!(!y.is_finite(), "{name}({x:e}) = {y:e}");
                }
            }
        }
    }

    /// `y = x - 2 k` with an integer k is computed exactly and is between -1 and 1, and the result is that of y, but for the sign of a zero.
    #[test]
    fn reductions_are_exact() {
        for (name, named) in NAMED {
            if named.iter().all(|n| n.1 != Reduced) {
                continue;
            }
            let case = CASES.iter().find(|c| c.name == *name).expect("known");
            let mut bits = 0x9e37_79b9_7f4a_7c15u64;
            for k in 0..20_000u64 {
                bits = bits
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(k | 1);
                // Exponents from 0 to 60, and some beyond.
                let exponent = if k % 8 == 0 {
                    bits >> 53 & 1023
                } else {
                    (bits >> 53) % 61
                };
                let x = f64::from_bits((1023 + exponent) << 52 | (bits << 12 >> 12));
                let x = if k % 4 == 1 {
                    (4.0 * x).round() / 4.0
                } else {
                    x
                };
                let x = if k % 2 == 0 { x } else { -x };
                if !x.is_finite() {
                    continue;
                }
                let mut y = x % 2.0;
                y = if y.abs() > 1.0 {
                    y - 2.0f64.copysign(y)
                } else {
                    y
                };
                let (found, due) = ((case.double)(x), (case.double)(y));
                assert!(
                    found.to_bits() == due.to_bits()
                        || found == due && found == 0.0
                        || found.is_infinite() && due.is_infinite(),
                    "{name}({x:e}) = {found:e}, and {due:e} of {y:e}"
                );
            }
        }
    }

    /// The constant of the kernel, found with 200 bits, in which Γ of it is `(1 - 4.786002628132e-14) 2^1024`.
    #[test]
    fn the_gamma_function_becomes_infinite_where_it_should() {
        let gamma = dc_math::f64::tgamma;
        let part = gamma(LAST_OF_GAMMA) * f64::MIN_POSITIVE;
        let due = (1.0 - 4.786_002_628_132e-14) * 4.0;
        assert!((part - due).abs() < 1e-15, "{part:e}, and not {due:e}");
        assert_eq!(gamma(LAST_OF_GAMMA.next_up()), f64::INFINITY);
    }
}
