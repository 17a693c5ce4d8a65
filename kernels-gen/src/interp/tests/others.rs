//! Comparisons, conversions, integers, masks, table indices.

use super::*;
use crate::ir::Elem;
use crate::program::TableId;

#[test]
fn comparisons_are_ordered_but_for_not_equal() {
    let table = [
        // (a, b): < <= > >= == !=
        (ONE, d(2.0), [1, 1, 0, 0, 0, 1]),
        (0, NZERO, [0, 1, 0, 1, 1, 0]),
        (BAD, BAD, [0, 0, 0, 0, 0, 1]),
        (ONE, NAN, [0, 0, 0, 0, 0, 1]),
        (INF, MAX, [0, 0, 1, 1, 0, 1]),
        (NZERO | SUB, 0, [1, 1, 0, 0, 0, 1]),
    ];
    let ops = [Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Eq, Op::Ne];
    for (a, b, want) in table {
        for (op, want) in ops.into_iter().zip(want) {
            rows(op, [F64; 2], &[([a, b], want)]);
        }
    }
    rows(Op::Lt, [I64; 2], &[([u64::MAX, 0], 1)]);
    rows(Op::Ge, [I32; 2], &[([w(-1), 0], 0), ([w(-1), w(-1)], 1)]);
    rows(
        Op::Lt,
        [F32; 2],
        &[([BAD32, ONE32], 0), ([1 << 31 | 1, 0], 1)],
    );
}

#[test]
fn conversions_saturate_round_and_truncate_as_rusts() {
    rows(
        Op::ToI64,
        [F64; 1],
        &[
            ([BAD], 0),
            ([INF], l64(i64::MAX)),
            ([NINF], l64(i64::MIN)),
            ([d(-0.9)], 0),
            ([d(-1.9)], l64(-1)),
            ([d(9_223_372_036_854_775_808.0)], l64(i64::MAX)),
            ([d(9_223_372_036_854_775_808.0) - 1], 0x7fff_ffff_ffff_fc00),
            ([d(-9_223_372_036_854_775_808.0)], l64(i64::MIN)),
        ],
    );
    rows(
        Op::ToI32,
        [F64; 1],
        &[
            ([d(2_147_483_647.9)], w(i32::MAX)),
            ([d(-2_147_483_649.0)], w(i32::MIN)),
            ([BAD], 0),
        ],
    );
    rows(
        Op::ToI32,
        [F32; 1],
        &[([INF32], w(i32::MAX)), ([BAD32], 0), ([s(-1.5)], w(-1))],
    );
    rows(
        Op::ToI64,
        [F32; 1],
        &[([s(3e30)], l64(i64::MAX)), ([s(-7.9)], l64(-7))],
    );
    rows(Op::ToI64, [I32; 1], &[([w(-5)], l64(-5)), ([w(7)], 7)]);
    rows(
        Op::ToI32,
        [I64; 1],
        &[([0x1_2345_6789], 0x2345_6789), ([u64::MAX], 0xffff_ffff)],
    );
    rows(
        Op::ToF64,
        [I64; 1],
        &[
            ([0x20_0000_0000_0001], d(9_007_199_254_740_992.0)), // a tie, to even
            ([0x20_0000_0000_0003], d(9_007_199_254_740_996.0)),
            ([l64(i64::MAX)], d(9_223_372_036_854_775_808.0)),
            ([l64(-1)], d(-1.0)),
        ],
    );
    rows(Op::ToF64, [I32; 1], &[([w(-3)], d(-3.0))]);
    // 2^54 + 2^30 + 1: via f64 it would round down at the tie.
    rows(
        Op::ToF32,
        [I64; 1],
        &[
            ([0x40_0000_4000_0001], 0x5a80_0001),
            ([0x40_0000_4000_0000], 0x5a80_0000),
        ],
    );
    rows(
        Op::ToF32,
        [I32; 1],
        &[([0x0100_0001], 0x4b80_0000), ([0x0100_0003], 0x4b80_0002)],
    );
    rows(
        Op::ToF32,
        [F64; 1],
        &[
            ([d(2f64.powi(-149))], 1),
            ([d(2f64.powi(-150))], 0),
            ([d(2f64.powi(-150)) + 1], 1),
            ([d(3.402_823_567_797_336_6e38)], INF32),
            ([d(3.402_823_567_797_336_6e38) - 1], 0x7f7f_ffff),
            ([BAD], NAN32),
            ([NZERO], 1 << 31),
        ],
    );
    rows(
        Op::ToF64,
        [F32; 1],
        &[
            ([1], d(2f64.powi(-149))),
            ([BAD32], NAN),
            ([1 << 31], NZERO),
        ],
    );
}

#[test]
fn bits_are_canonical_where_they_are_looked_at() {
    rows(
        Op::ToBits,
        [F64; 1],
        &[([BAD], NAN), ([NZERO], NZERO), ([SUB], SUB)],
    );
    rows(
        Op::ToBits,
        [F32; 1],
        &[([BAD32], NAN32), ([s(-0.0)], 1 << 31)],
    );
    rows(Op::FromBits, [I64; 1], &[([BAD], NAN), ([SUB], SUB)]);
    rows(
        Op::FromBits,
        [I32; 1],
        &[([BAD32], NAN32), ([ONE32], ONE32)],
    );
}

#[test]
fn integers_wrap_and_shifts_count_modulo_the_width() {
    rows(Op::Add, [I64; 2], &[([l64(i64::MAX), 1], 1 << 63)]);
    rows(
        Op::Add,
        [I32; 2],
        &[([w(i32::MAX), 1], 1 << 31), ([w(-1), 1], 0)],
    );
    rows(Op::Sub, [I32; 2], &[([0, 1], 0xffff_ffff)]);
    rows(
        Op::Mul,
        [I64; 2],
        &[([1 << 63, 3], 1 << 63), ([l64(-3), 5], l64(-15))],
    );
    rows(Op::Mul, [I32; 2], &[([0x1_0001, 0x1_0001], 0x2_0001)]);
    rows(
        Op::Shl,
        [I64; 2],
        &[([1, 63], 1 << 63), ([1, 64], 1), ([1, u64::MAX], 1 << 63)],
    );
    rows(
        Op::Shl,
        [I32; 2],
        &[([1, 31], 1 << 31), ([1, 33], 2), ([1, w(-1)], 1 << 31)],
    );
    rows(
        Op::Shr,
        [I64; 2],
        &[([1 << 63, 63], u64::MAX), ([u64::MAX, 70], u64::MAX)],
    );
    rows(
        Op::Shr,
        [I32; 2],
        &[([1 << 31, 31], 0xffff_ffff), ([4, 34], 1)],
    );
    rows(
        Op::ShrLogical,
        [I64; 2],
        &[([1 << 63, 63], 1), ([u64::MAX, 68], u64::MAX >> 4)],
    );
    rows(
        Op::ShrLogical,
        [I32; 2],
        &[([1 << 31, 31], 1), ([w(-1), 28], 15)],
    );
    rows(
        Op::And,
        [I32; 2],
        &[([0xf0f0_f0f0, 0xff00_ff00], 0xf000_f000)],
    );
    rows(Op::Or, [I64; 2], &[([1 << 63, 1], 1 << 63 | 1)]);
    rows(Op::Xor, [I64; 2], &[([u64::MAX, 1], u64::MAX - 1)]);
    rows(Op::Not, [I32; 1], &[([0], 0xffff_ffff)]);
    rows(Op::Not, [I64; 1], &[([1], u64::MAX - 1)]);
    rows(Op::Not, [MASK; 1], &[([0], 1), ([1], 0)]);
    rows(Op::And, [MASK; 2], &[([1, 0], 0), ([1, 1], 1)]);
    rows(Op::Or, [MASK; 2], &[([1, 0], 1), ([0, 0], 0)]);
    rows(Op::Xor, [MASK; 2], &[([1, 1], 0), ([1, 0], 1)]);
    rows(
        Op::Select,
        [MASK, F64, F64],
        &[([1, NZERO, ONE], NZERO), ([0, NZERO, BAD], NAN)],
    );
    rows(Op::Select, [MASK, MASK, MASK], &[([1, 0, 1], 0)]);
}

#[test]
fn indices_wrap_or_clamp() {
    let load = |len: u64, ty: Prim, index: u64| {
        let table = TableData {
            name: "t".into(),
            elem: Elem::U64,
            bits: (100..100 + len).collect(),
        };
        both(
            &single(InstKind::Load(TableId(0)), &[ty], I64, vec![table]),
            &[index],
        )
    };
    assert_eq!(load(4, I64, 6), 102);
    assert_eq!(load(4, I64, u64::MAX), 103);
    assert_eq!(load(4, I32, w(-2)), 102);
    assert_eq!(load(1, I64, 77), 100);
    assert_eq!(load(3, I64, 3), 102);
    assert_eq!(load(3, I64, 1 << 63), 100);
    assert_eq!(load(3, I32, w(-1)), 100);
    assert_eq!(load(3, I32, w(i32::MAX)), 102);
}
