//! Floating-point operations.

use super::*;

#[test]
fn arithmetic_rounds_to_nearest_even_and_keeps_subnormals() {
    let half_ulp = d(f64::EPSILON / 2.0);
    rows(
        Op::Add,
        [F64; 2],
        &[
            ([ONE, half_ulp], ONE),         // a tie, to even
            ([ONE + 1, half_ulp], ONE + 2), // a tie, to even upwards
            ([SUB, SUB], 2),
            ([NZERO, NZERO], NZERO),
            ([NZERO, 0], 0),
            ([MAX, d(2f64.powi(970))], INF), // exactly half an ulp past the largest
            ([MAX, d(2f64.powi(970)) - 1], MAX),
            ([INF, NINF], NAN),
            ([BAD, ONE], NAN),
        ],
    );
    rows(
        Op::Add,
        [F32; 2],
        &[
            ([ONE32, s(f32::EPSILON / 2.0)], ONE32),
            ([1, 1], 2),
            ([BAD32, 0], NAN32),
        ],
    );
    rows(
        Op::Sub,
        [F64; 2],
        &[
            ([ONE, ONE], 0),
            ([MINPOS, SUB], MINPOS - 1),
            ([INF, INF], NAN),
            ([NZERO, 0], NZERO),
        ],
    );
    rows(
        Op::Mul,
        [F64; 2],
        &[
            ([ONE + 1, ONE + 1], ONE + 2), // 1 + 2^-51 + 2^-104
            ([MINPOS, d(0.5)], MINPOS >> 1),
            ([SUB, d(0.5)], 0), // a tie, to even: zero
            ([3, d(0.5)], 2),   // a tie, to even: up
            ([INF, 0], NAN),
            ([NZERO, ONE], NZERO),
            ([0, NINF], NAN),
        ],
    );
    rows(
        Op::Div,
        [F64; 2],
        &[
            ([ONE, d(3.0)], 0x3fd5_5555_5555_5555),
            ([ONE, NZERO], NINF),
            ([0, 0], NAN),
            ([SUB, d(2.0)], 0),
        ],
    );
    rows(
        Op::Div,
        [F32; 2],
        &[([ONE32, s(3.0)], 0x3eaa_aaab), ([ONE32, 0], INF32)],
    );
    rows(
        Op::Recip,
        [F64; 1],
        &[
            ([d(3.0)], 0x3fd5_5555_5555_5555),
            ([NZERO], NINF),
            ([NINF], NZERO),
            ([MAX], 1 << 50),
        ],
    );
    rows(Op::Recip, [F32; 1], &[([s(3.0)], 0x3eaa_aaab)]);
    rows(
        Op::Sqrt,
        [F64; 1],
        &[
            ([d(2.0)], 0x3ff6_a09e_667f_3bcd),
            ([NZERO], NZERO),
            ([d(-1.0)], NAN),
            ([4], d(2f64.powi(-536))),
            ([INF], INF),
        ],
    );
    rows(
        Op::Sqrt,
        [F32; 1],
        &[([s(2.0)], 0x3fb5_04f3), ([1 << 31], 1 << 31)],
    );
}

#[test]
fn mul_add_rounds_once() {
    rows(
        Op::Fma,
        [F64; 3],
        &[
            // (1 + 2^-52)^2 - (1 + 2^-51) = 2^-104; rounded twice it is 0
            ([ONE + 1, ONE + 1, d(-1.0) + 2], d(2f64.powi(-104))),
            ([MINPOS, d(0.5), SUB], (MINPOS >> 1) + 1),
            // subnormal, twice rounded it would go up: 3/2 - tiny
            ([SUB, d(1.5) - 1, 0], 1),
            ([INF, 0, ONE], NAN),
            ([0, ONE, NZERO], 0),
            ([NZERO, ONE, NZERO], NZERO),
            ([MAX, d(2.0), NINF], NINF),
        ],
    );
    rows(
        Op::Fma,
        [F32; 3],
        &[
            ([ONE32 + 1, ONE32 + 1, s(-1.0) + 2], s(2f32.powi(-46))),
            ([BAD32, 0, 0], NAN32),
        ],
    );
}

#[test]
fn signs_are_bits() {
    rows(
        Op::Neg,
        [F64; 1],
        &[([0], NZERO), ([NZERO], 0), ([INF], NINF), ([BAD], NAN)],
    );
    rows(Op::Neg, [I64; 1], &[([1 << 63], 1 << 63), ([1], u64::MAX)]);
    rows(
        Op::Neg,
        [I32; 1],
        &[([1 << 31], 1 << 31), ([1], 0xffff_ffff)],
    );
    rows(
        Op::Abs,
        [F64; 1],
        &[([NZERO], 0), ([NINF], INF), ([BAD], NAN)],
    );
    rows(Op::Abs, [F32; 1], &[([s(-1.5)], s(1.5))]);
    rows(
        Op::CopySign,
        [F64; 2],
        &[
            ([ONE, NZERO], d(-1.0)),
            ([d(-1.0), 0], ONE),
            ([d(-1.0), BAD], ONE),
            ([BAD, NZERO], NAN),
        ],
    );
    rows(
        Op::CopySign,
        [F32; 2],
        &[([ONE32, BAD32], ONE32), ([ONE32, s(-2.0)], s(-1.0))],
    );
    rows(
        Op::IsSignNegative,
        [F64; 1],
        &[([NZERO], 1), ([0], 0), ([BAD], 0), ([NINF], 1)],
    );
    rows(
        Op::IsSignNegative,
        [F32; 1],
        &[([BAD32], 0), ([1 << 31], 1)],
    );
    rows(Op::IsNan, [F64; 1], &[([BAD], 1), ([NAN], 1), ([INF], 0)]);
    rows(Op::IsNan, [F32; 1], &[([BAD32], 1), ([INF32], 0)]);
}

#[test]
fn min_and_max_compare_and_select() {
    // a < b ? a : b, so a NaN or a tie gives b.
    rows(
        Op::Min,
        [F64; 2],
        &[
            ([0, NZERO], NZERO),
            ([NZERO, 0], 0),
            ([BAD, ONE], ONE),
            ([ONE, BAD], NAN),
            ([NINF, ONE], NINF),
        ],
    );
    rows(
        Op::Max,
        [F64; 2],
        &[
            ([0, NZERO], NZERO),
            ([NZERO, 0], 0),
            ([BAD, ONE], ONE),
            ([ONE, BAD], NAN),
            ([INF, ONE], INF),
        ],
    );
    rows(
        Op::Min,
        [F32; 2],
        &[([0, 1 << 31], 1 << 31), ([BAD32, ONE32], ONE32)],
    );
    rows(Op::Min, [I64; 2], &[([u64::MAX, 0], u64::MAX), ([5, 3], 3)]);
    rows(
        Op::Max,
        [I32; 2],
        &[([w(-1), 0], 0), ([w(i32::MIN), w(-5)], w(-5))],
    );
}

#[test]
fn rounding_to_integers_is_exact_and_keeps_the_sign_of_zero() {
    let ties = |op, want: [f64; 6]| {
        let inputs = [-2.5, -0.5, 0.5, 1.5, 2.5, -0.7];
        for (x, want) in inputs.into_iter().zip(want) {
            rows(
                op,
                [F64],
                &[
                    ([d(x)], d(want)),
                    ([NZERO], NZERO),
                    ([BAD], NAN),
                    ([NINF], NINF),
                    ([MAX], MAX),
                ],
            );
            rows(op, [F32], &[([s(x as f32)], s(want as f32))]);
        }
    };
    ties(Op::Floor, [-3.0, -1.0, 0.0, 1.0, 2.0, -1.0]);
    ties(Op::Ceil, [-2.0, -0.0, 1.0, 2.0, 3.0, -0.0]);
    ties(Op::Trunc, [-2.0, -0.0, 0.0, 1.0, 2.0, -0.0]);
    ties(Op::RoundTiesEven, [-2.0, -0.0, 0.0, 2.0, 2.0, -1.0]);
    // The largest number below one half, for which adding one half gives a wrong result.
    rows(
        Op::RoundTiesEven,
        [F64],
        &[
            ([d(0.5) - 1], 0),
            ([d(4_503_599_627_370_497.0)], d(4_503_599_627_370_497.0)),
        ],
    );
}
