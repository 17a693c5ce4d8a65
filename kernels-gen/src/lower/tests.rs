//! Small trees are lowered, and the instructions are checked.

use super::lower;
use crate::check::check;
use crate::ir::{Adaptor, BinOp, Const, ExprKind, Kernel, Pat, Stmt, Table, Ty, UnOp};
use crate::ops::{Op, Prim};
use crate::program::{Func, InstKind, Program};
use crate::tree::*;

fn lowered(kernel: &'static Kernel) -> Program {
    let program = lower(kernel).expect("it lowers");
    check(&program).expect("it is well-formed");
    program
}
fn refused(kernel: &'static Kernel) -> String {
    lower(kernel).expect_err("it is refused").to_string()
}
/// `fn f(x: ty) -> ty { stmts; value }` with locals `a b c d` from number 1 on.
fn unary(ty: Ty, stmts: Vec<Stmt>, value: E) -> &'static Kernel {
    kernel(
        "f",
        &[("x", ty)],
        ty,
        &["a", "b", "c", "d"],
        block(stmts, Some(value)),
    )
}
fn ops(f: &Func) -> Vec<Op> {
    f.insts
        .iter()
        .filter_map(|i| match i.kind {
            InstKind::Op(op) => Some(op),
            _ => None,
        })
        .collect()
}
fn consts(f: &Func) -> Vec<(Prim, u64)> {
    f.insts
        .iter()
        .filter_map(|i| match i.kind {
            InstKind::Const(bits) => Some((i.ty, bits)),
            _ => None,
        })
        .collect()
}
fn doubles(f: &Func) -> Vec<f64> {
    let of = |(ty, bits)| (ty == Prim::F64).then(|| f64::from_bits(bits));
    consts(f).into_iter().filter_map(of).collect()
}

// --- literals

#[test]
fn a_literal_takes_the_type_of_its_use() {
    let body = || add(l(0), f(0.1));
    let wide = lowered(unary(Ty::F64, vec![], body()));
    assert_eq!(consts(wide.entry()), [(Prim::F64, 0.1f64.to_bits())]);
    let narrow = lowered(unary(Ty::F32, vec![], body()));
    assert_eq!(
        consts(narrow.entry()),
        [(Prim::F32, 0.1f32.to_bits().into())]
    );
    let wide = lowered(unary(Ty::I64, vec![], add(l(0), i(-1))));
    assert_eq!(consts(wide.entry()), [(Prim::I64, u64::MAX)]);
    let narrow = lowered(unary(Ty::I32, vec![], add(l(0), i(-1))));
    assert_eq!(consts(narrow.entry()), [(Prim::I32, 0xffff_ffff)]);
}

#[test]
fn arithmetic_on_literals_is_kept_in_the_reading_that_is_used() {
    // let a = 1.0 + 2.0 * 3.0; x + a
    let body = || vec![let_(1, add(f(1.0), mul(f(2.0), f(3.0))))];
    let p = lowered(unary(Ty::F32, body(), add(l(0), l(1))));
    assert_eq!(ops(p.entry()), [Op::Mul, Op::Add, Op::Add]);
    assert!(p.entry().insts.iter().all(|i| i.ty == Prim::F32));
    // The return type also decides, and so do an annotation and a parameter.
    let p = lowered(unary(Ty::F32, body(), l(1)));
    assert_eq!(ops(p.entry()), [Op::Mul, Op::Add]);
    let p = lowered(unary(
        Ty::F32,
        vec![let_ty(1, Ty::F64, f(0.1))],
        method("to_f32", l(1), &[]),
    ));
    assert_eq!(doubles(p.entry()), [0.1]);
    let id = unary(Ty::F32, vec![], l(0));
    let p = lowered(unary(Ty::F32, vec![], call(id, &[add(f(0.5), f(0.25))])));
    assert_eq!(ops(p.entry()), [Op::Add]);
}

#[test]
fn composed_methods_are_written_out() {
    let p = lowered(unary(
        Ty::F32,
        vec![],
        method("clamp", l(0), &[f(-0.1), f(0.1)]),
    ));
    assert_eq!(ops(p.entry()), [Op::Max, Op::Min]);
    assert!(p.entry().insts.iter().all(|i| i.ty == Prim::F32));
    let written = [
        Op::IsSignNegative,
        Op::Select,
        Op::Min,
        Op::Eq,
        Op::Select,
        Op::IsNan,
        Op::Select,
    ];
    let p = lowered(unary(Ty::F64, vec![], method("minimum", l(0), &[f(0.5)])));
    assert_eq!(ops(p.entry()), written);
    // Of two literals, only the reading that is used remains.
    let p = lowered(unary(Ty::F32, vec![], method("minimum", f(0.1), &[f(0.5)])));
    assert_eq!(ops(p.entry()), written);
    assert!(!p.entry().insts.iter().any(|i| i.ty == Prim::F64));
    // An index is clamped during lowering.
    let bounds = |lo: i128, hi: i128| {
        let n = k(Const::Usize(9));
        let x = index(table(&[1.0, 2.0, 3.0]), method("clamp", n, &[i(lo), i(hi)]));
        unary(Ty::F64, vec![], add(l(0), x))
    };
    assert_eq!(doubles(lowered(bounds(0, 2)).entry()), [3.0]);
    let e = refused(bounds(2, 0));
    assert!(e.contains("to 2..=0, which is empty"), "{e}");
}

#[test]
fn literals_take_part_in_methods_and_masks() {
    let c = || lt(l(0), f(0.0));
    // (if x < 0.0 { 1.0 } else { 2.0 }).sqrt()
    let chosen = iff(c(), value(f(1.0)), Some(value(f(2.0))));
    let p = lowered(unary(Ty::F32, vec![], method("sqrt", chosen, &[])));
    assert_eq!(ops(p.entry()), [Op::Lt, Op::Select, Op::Sqrt]);
    assert_eq!(p.entry().ty(p.entry().results[0]), Prim::F32);
    // (x < 0.0).select(1.0, x)
    let p = lowered(unary(
        Ty::F32,
        vec![],
        method("select", c(), &[f(1.0), l(0)]),
    ));
    assert_eq!(ops(p.entry()), [Op::Lt, Op::Select]);
    // 1.0.to_bits() is the integer of the same width
    let one = method("to_bits", f(1.0), &[]);
    let p = lowered(unary(Ty::I32, vec![], add(l(0), one)));
    assert_eq!(consts(p.entry()), [(Prim::F32, 1f32.to_bits().into())]);
}

#[test]
fn a_sign_belongs_to_the_literal_and_nothing_else_is_folded() {
    let p = lowered(unary(Ty::F64, vec![], mul(l(0), un(UnOp::Neg, f(0.0)))));
    assert_eq!(consts(p.entry()), [(Prim::F64, 1 << 63)]);
    assert_eq!(ops(p.entry()), [Op::Mul]);
    let p = lowered(unary(Ty::I64, vec![], un(UnOp::Neg, i(1 << 63))));
    assert_eq!(consts(p.entry()), [(Prim::I64, 1 << 63)]);
    let p = lowered(unary(Ty::F64, vec![], un(UnOp::Neg, k(Const::F64(1.0)))));
    assert_eq!(ops(p.entry()), [Op::Neg]);
}

#[test]
fn a_literal_that_does_not_fit_is_refused_only_where_it_is_read() {
    lowered(unary(Ty::I64, vec![], add(l(0), i(0xffff_ffff_ffff_ffff))));
    let text = refused(unary(Ty::I32, vec![], add(l(0), i(1 << 32))));
    assert!(text.contains("does not fit `DcInt`"), "{text}");
}

#[test]
fn a_later_assignment_tells_what_a_literal_was() {
    // let mut a = 0.0; let b = if a < 1.0 { 1.0 } else { 2.0 }; a = x; a + b
    let b = iff(lt(l(1), f(1.0)), value(f(1.0)), Some(value(f(2.0))));
    let k = unary(
        Ty::F32,
        vec![let_(1, f(0.0)), let_(2, b), set(1, l(0))],
        add(l(1), l(2)),
    );
    let p = lowered(k);
    assert_eq!(ops(p.entry()), [Op::Lt, Op::Select, Op::Add]);
    assert!(consts(p.entry()).iter().all(|c| c.0 == Prim::F32));
    // Without it, a comparison of literals is refused rather than given an assumed type.
    let b = iff(lt(f(0.0), f(1.0)), value(f(1.0)), Some(value(f(2.0))));
    let text = refused(unary(Ty::F32, vec![], add(l(0), b)));
    assert!(text.contains("write the type"), "{text}");
}

// --- branches

#[test]
fn an_if_on_a_mask_selects_each_assigned_variable_and_the_value() {
    // let mut a = x; let mut b = x; let c = if x < 0.0 { a = 1.0; 2.0 } else { b = x + x; 3.0 }; a + b + c
    let value = iff(
        lt(l(0), f(0.0)),
        block(vec![set(1, f(1.0))], Some(f(2.0))),
        Some(block(vec![set(2, add(l(0), l(0)))], Some(f(3.0)))),
    );
    let k = unary(
        Ty::F64,
        vec![let_(1, l(0)), let_(2, l(0)), let_(3, value)],
        add(add(l(1), l(2)), l(3)),
    );
    let p = lowered(k);
    use Op::{Add, Lt, Select};
    assert_eq!(ops(p.entry()), [Lt, Add, Select, Select, Select, Add, Add]);
    assert_eq!(doubles(p.entry()), [0.0, 1.0, 2.0, 3.0]);
    let names: Vec<_> = p
        .entry()
        .insts
        .iter()
        .filter_map(|i| i.name.as_deref())
        .collect();
    assert_eq!(names, ["x", "a", "b", "a", "b", "c"]);
    // then-arm's a: select(m, 1.0, x); else-arm's b: select(m, x, x + x)
    let selects: Vec<_> = p
        .entry()
        .insts
        .iter()
        .filter(|i| i.kind == InstKind::Op(Select))
        .collect();
    assert_eq!(selects[0].args[2].0, 0);
    assert_eq!(selects[1].args[1].0, 0);
}

#[test]
fn an_if_on_a_constant_takes_one_arm() {
    let arm = |n: i128| {
        let c = bin(BinOp::Gt, k(Const::Usize(2)), i(n));
        let k = unary(
            Ty::F64,
            vec![
                let_(1, l(0)),
                Stmt::Expr(iff(c, block(vec![set(1, add(l(0), l(0)))], None), None)),
            ],
            l(1),
        );
        ops(lowered(k).entry()).len()
    };
    assert_eq!((arm(1), arm(2)), (1, 0));
    // The right side of a `&&` whose left side is false is not evaluated: i - 1 would underflow.
    let c = bin(
        BinOp::AndAlso,
        bin(BinOp::Gt, k(Const::Usize(0)), i(0)),
        bin(BinOp::Gt, bin(BinOp::Sub, k(Const::Usize(0)), i(1)), i(0)),
    );
    lowered(unary(
        Ty::F64,
        vec![],
        iff(c, value(f(1.0)), Some(value(l(0)))),
    ));
}

#[test]
fn double_doubles_and_tuples_are_taken_apart() {
    // fn f(x: Dd, y: (F64, Dd)) -> (Dd, Mask) { let (a, b) = y; (if a < 0.0 { x } else { b }, x.hi < x.lo) }
    static PAIR: &[Ty] = &[Ty::F64, Ty::Dd];
    static RET: &[Ty] = &[Ty::Dd, Ty::Mask];
    let pat = Pat::Tuple(&[Pat::Local(2), Pat::Local(3)]);
    let k = kernel(
        "f",
        &[("x", Ty::Dd), ("y", Ty::Tuple(PAIR))],
        Ty::Tuple(RET),
        &["a", "b"],
        block(
            vec![Stmt::Let(pat, None, l(1))],
            Some(tuple(&[
                iff(lt(l(2), f(0.0)), value(l(0)), Some(value(l(3)))),
                lt(field(l(0), 0), field(l(0), 1)),
            ])),
        ),
    );
    let p = lowered(k);
    let names: Vec<&str> = p.entry().params.iter().map(|p| p.0.as_str()).collect();
    assert_eq!(names, ["x_hi", "x_lo", "y_0", "y_1", "y_2"]);
    assert_eq!(ops(p.entry()), [Op::Lt, Op::Select, Op::Select, Op::Lt]);
    let prims: Vec<Prim> = p.entry().results.iter().map(|&r| p.entry().ty(r)).collect();
    assert_eq!(prims, [Prim::F64, Prim::F64, Prim::Mask]);
    let text = refused(kernel(
        "g",
        &[("x", Ty::Dd)],
        Ty::Dd,
        &[],
        value(add(l(0), l(0))),
    ));
    assert!(
        text.contains("Add does not exist on `DcDoubleDouble`"),
        "{text}"
    );
}

// --- loops and index values

/// The counter's values, through a table of its own numbers.
fn counts(r: crate::ir::Range) -> Vec<f64> {
    static NUMBERS: [f64; 10] = [0., 1., 2., 3., 4., 5., 6., 7., 8., 9.];
    let body = vec![set(1, add(l(1), index(table(&NUMBERS), l(2))))];
    let k = unary(Ty::F64, vec![let_(1, l(0)), for_(2, r, body)], l(1));
    doubles(lowered(k).entry())
}

#[test]
fn loops_are_unrolled_as_rust_would_run_them() {
    use Adaptor::{Rev, StepBy};
    let by = |n| StepBy(i(n));
    assert_eq!(counts(range(i(2), i(5), false, vec![])), [2., 3., 4.]);
    assert_eq!(counts(range(i(2), i(5), true, vec![Rev])), [5., 4., 3., 2.]);
    assert_eq!(counts(range(i(5), i(5), false, vec![])), [0.; 0]);
    assert_eq!(counts(range(i(5), i(2), true, vec![Rev])), [0.; 0]);
    assert_eq!(counts(range(i(0), i(8), false, vec![by(3)])), [0., 3., 6.]);
    assert_eq!(
        counts(range(i(0), i(8), false, vec![Rev, by(3)])),
        [7., 4., 1.]
    );
    assert_eq!(
        counts(range(i(0), i(8), false, vec![by(3), Rev])),
        [6., 3., 0.]
    );
    assert_eq!(
        counts(range(i(0), i(9), true, vec![by(2), by(2), Rev])),
        [8., 4., 0.]
    );
    assert_eq!(
        counts(range(
            i(3),
            i(4),
            false,
            vec![StepBy(k(Const::Usize(usize::MAX))), Rev]
        )),
        [3.]
    );
    // Bounds are index expressions: 0..LEN / 2 - 1
    let half = bin(BinOp::Div, k(Const::Usize(8)), i(2));
    assert_eq!(
        counts(range(i(0), bin(BinOp::Sub, half, i(1)), false, vec![])),
        [0., 1., 2.]
    );
}

#[test]
fn bad_index_values_are_refused_with_their_line() {
    static C: [f64; 7] = [0.0; 7];
    let look = |n: E| refused(unary(Ty::F64, vec![], index(table(&C), n)));
    let text = look(at(12, ExprKind::Int(7)));
    assert!(
        text.starts_with("src/tests.rs, line 12: kernel `tests::f`: index 7 is past the end"),
        "{text}"
    );
    assert!(text.contains("(7 entries)"), "{text}");
    let n = |x| k(Const::Usize(x));
    assert!(look(bin(BinOp::Sub, n(0), i(1))).contains("0 - 1 is outside of `usize`"));
    assert!(look(bin(BinOp::Add, n(usize::MAX), i(1))).contains("outside"));
    assert!(look(bin(BinOp::Mul, n(usize::MAX), i(2))).contains("outside"));
    assert!(look(bin(BinOp::Shl, n(1), i(64))).contains("outside"));
    assert!(look(bin(BinOp::Rem, n(1), i(0))).contains("divides by zero"));
    assert!(look(i(-1)).contains("expected an index"));
    let text = refused(unary(Ty::F64, vec![], index(table(&[]), i(0))));
    assert!(text.contains("empty"), "{text}");
    let forever = range(i(0), n(usize::MAX), false, vec![]);
    let text = refused(unary(Ty::F64, vec![for_(1, forever, vec![])], l(0)));
    assert!(text.contains("loop iterations"), "{text}");
    let still = range(i(0), i(2), false, vec![Adaptor::StepBy(i(0))]);
    assert!(refused(unary(Ty::F64, vec![for_(1, still, vec![])], l(0))).contains("step_by(0)"));
}

#[test]
fn shifts_take_literals_and_index_values() {
    let p = lowered(unary(Ty::I32, vec![], bin(BinOp::Shl, l(0), i(3))));
    assert_eq!(consts(p.entry()), [(Prim::I32, 3)]);
    let p = lowered(unary(
        Ty::I64,
        vec![],
        method("shr_logical", l(0), &[k(Const::Usize(9))]),
    ));
    assert_eq!(consts(p.entry()), [(Prim::I64, 9)]);
    // (1 << 52) as a mask for the type of x, whatever it is
    let p = lowered(unary(
        Ty::I64,
        vec![],
        bin(BinOp::And, l(0), bin(BinOp::Shl, i(1), i(52))),
    ));
    assert_eq!(ops(p.entry()), [Op::Shl, Op::And]);
    assert_eq!(consts(p.entry()), [(Prim::I64, 1), (Prim::I64, 52)]);
}

// --- calls and tables

fn horner() -> &'static Kernel {
    // fn horner(x, c: &[f64]) { let mut r = c[c.len() - 1]; for i in (0..c.len() - 1).rev() { r = r.mul_add(x, c[i]) } r }
    let last = || bin(BinOp::Sub, e(ExprKind::Len(l(1))), i(1));
    let step = method("mul_add", l(2), &[l(0), index(l(1), l(3))]);
    kernel(
        "horner",
        &[("x", Ty::F64), ("c", TABLE)],
        Ty::F64,
        &["r", "i"],
        block(
            vec![
                let_(2, index(l(1), last())),
                for_(
                    3,
                    range(i(0), last(), false, vec![Adaptor::Rev]),
                    vec![set(2, step)],
                ),
            ],
            Some(l(2)),
        ),
    )
}

#[test]
fn a_helper_is_one_function_for_each_table() {
    static A: [f64; 3] = [1.0, 2.0, 3.0];
    static SAME: [f64; 3] = [1.0, 2.0, 3.0];
    static B: [f64; 2] = [4.0, 5.0];
    let h = horner();
    let sum = [&A[..], &SAME[..], &B[..], &A[..]]
        .map(|t| call(h, &[l(0), table(t)]))
        .into_iter()
        .reduce(add);
    let p = lowered(unary(Ty::F64, vec![], sum.expect("four terms")));
    let names: Vec<&str> = p.funcs.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["horner", "horner_2", "f"]);
    assert_eq!(doubles(&p.funcs[0]), [3.0, 2.0, 1.0]);
    assert_eq!(doubles(&p.funcs[1]), [5.0, 4.0]);
    // The tables were read only at constant indices, so none is left.
    assert!(p.tables.is_empty());
}

#[test]
fn equal_kernels_at_two_addresses_are_one_function() {
    let twice = || unary(Ty::F64, vec![], add(l(0), l(0)));
    let entry = kernel(
        "entry",
        &[("x", Ty::F64)],
        Ty::F64,
        &[],
        value(call(twice(), &[call(twice(), &[l(0)])])),
    );
    assert_eq!(lowered(entry).funcs.len(), 2);
}

#[test]
fn what_no_result_needs_is_gone() {
    static T: [f64; 2] = [1.0, 2.0];
    let unused = call(horner(), &[l(0), table(&T)]);
    let lane = method("to_i64", l(0), &[]);
    let p = lowered(unary(
        Ty::F64,
        vec![
            let_(1, unused),
            Stmt::Expr(index(table(&T), lane)),
            let_(2, mul(l(0), f(0.0))),
        ],
        l(2),
    ));
    assert_eq!((p.funcs.len(), p.tables.len()), (1, 0));
    assert_eq!(ops(p.entry()), [Op::Mul]);
}

#[test]
fn lane_indices_load_from_tables_kept_once() {
    static T: [f64; 3] = [1.0, 2.0, 3.0];
    static SAME: [f64; 3] = [1.0, 2.0, 3.0];
    static BITS: [u64; 1] = [u64::MAX];
    let lane = || method("to_i64", l(0), &[]);
    let bits = index(k(Const::Table(Table::U64(&BITS))), lane());
    let sum = add(index(table(&T), lane()), index(table(&SAME), lane()));
    let p = lowered(unary(
        Ty::F64,
        vec![],
        add(sum, method("to_f64", bits, &[])),
    ));
    assert_eq!(p.tables.len(), 2);
    assert!(!p.tables[0].wraps() && p.tables[1].wraps());
    assert_eq!(p.tables[1].prim(), Prim::I64);
}

#[test]
fn a_table_read_at_constants_only_is_left_out_before_one_that_is_kept() {
    static READ: [f64; 3] = [1.0, 2.0, 3.0];
    static KEPT: [f64; 2] = [8.0, 9.0];
    let lane = method("to_i64", l(0), &[]);
    let sum = add(index(table(&READ), i(2)), index(table(&KEPT), lane));
    let p = lowered(unary(Ty::F64, vec![], sum));
    assert_eq!(p.tables.len(), 1);
    assert_eq!(p.tables[0].bits[0], 8f64.to_bits());
    assert_eq!(p.tables[0].name, "table_0");
}

// --- errors and limits

#[test]
fn an_entry_takes_no_table() {
    assert!(refused(horner()).contains("parameter `c` is a table"));
}

#[test]
fn what_rustc_would_refuse_is_an_error_too() {
    let bad: Vec<(E, &str)> = vec![
        (
            add(l(0), i(1)),
            "expected DcDouble, found an integer literal",
        ),
        (
            add(l(0), k(Const::F32(1.0))),
            "expected DcDouble, found `DcFloat`",
        ),
        (add(l(0), k(Const::Usize(1))), "expected a `usize`"),
        (method("sinh", l(0), &[]), "unknown method `sinh`"),
        (method("sqrt", l(0), &[l(0)]), "takes 0 arguments"),
        (
            method("to_f64", l(0), &[]),
            "ToF64 does not exist on DcDouble",
        ),
        (bin(BinOp::Rem, l(0), l(0)), "`%` does not exist on lanes"),
        (bin(BinOp::Shl, l(0), i(1)), "expected integer lanes"),
        (un(UnOp::Not, l(0)), "Not does not exist on DcDouble"),
        (field(l(0), 0), "field 0"),
        (index(l(0), i(0)), "expected a table"),
        (tuple(&[l(0)]), "found a tuple"),
        (l(1), "a local without a value"),
        (l(99), "a local without a value"),
        (iff(l(0), value(l(0)), None), "expected DcMask"),
    ];
    for (value, message) in bad {
        let text = refused(unary(Ty::F64, vec![], value));
        assert!(text.contains(message), "{text} lacks {message}");
    }
}

#[test]
fn size_is_limited_before_it_is_built() {
    // Forty helpers, each of which calls the previous one twice: 2^40 additions inlined, 80 calls.
    let mut k = unary(Ty::F64, vec![], add(l(0), l(0)));
    for _ in 0..40 {
        k = unary(Ty::F64, vec![], call(k, &[call(k, &[l(0)])]));
    }
    let text = refused(k);
    assert!(text.contains("with its calls inlined"), "{text}");
    // A sum of many terms is not deeply nested; many parentheses are.
    let sum = (0..20_000).fold(l(0), |s, _| add(s, l(0)));
    assert_eq!(
        ops(lowered(unary(Ty::F64, vec![], sum)).entry()).len(),
        20_000
    );
    let deep = |n: u32| (0..n).fold(l(0), |s, _| add(l(0), s));
    assert_eq!(
        ops(lowered(unary(Ty::F64, vec![], deep(900))).entry()).len(),
        900
    );
    assert!(refused(unary(Ty::F64, vec![], deep(2_000))).contains("nested"));
    // Blocks and branches need the most stack.
    let nest = |s: E| {
        iff(
            lt(l(0), f(0.0)),
            value(e(ExprKind::Block(value(s)))),
            Some(value(l(0))),
        )
    };
    lowered(unary(Ty::F64, vec![], (0..490).fold(l(0), |s, _| nest(s))));
    // Three nested loops of 100 run a million times.
    let body = |inner: Vec<Stmt>, n| for_(n, range(i(0), i(100), false, vec![]), inner);
    let grow = set(1, add(l(1), l(0)));
    let loops = body(vec![body(vec![body(vec![grow], 4)], 3)], 2);
    let text = refused(unary(Ty::F64, vec![let_(1, l(0)), loops], l(1)));
    assert!(text.contains("loop iterations"), "{text}");
}
