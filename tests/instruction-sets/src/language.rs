//! Every operator and method of the language on lane values, on every instruction set, compared with the interpreter's
//! result of the one instruction that it stands for.

use std::collections::BTreeSet;
use std::sync::Arc;

use kernels_gen::check::result_prim;
use kernels_gen::interp::eval_batch;
use kernels_gen::ir::{Elem, Loc};
use kernels_gen::ops::{Arith, Direction, METHODS, Op, Prim};
use kernels_gen::program::{Func, Inst, InstKind, Origin, Program, TableData, TableId, Value};

use crate::check::{Lanewise, Type, of, rows, run_rows};
use crate::isa::tests::on_every_level;
use crate::isa::{Isa, WithIsa};
use crate::kernel::{Kind as _, MAX_LANES, kind};
use crate::lane::Lane;
use crate::ops;
use crate::types::{DcDouble, DcFloat, DcInt, DcLong, DcMask};

/// The lane type of the language whose lanes are `Self`.
trait Dc: Lane {
    type Value<I: Isa>: Copy;
    const PRIM: Option<Prim>;
    fn value<I: Isa>(isa: I, lanes: Self::Of<I>) -> Self::Value<I>;
    /// Lanes after leaving a kernel.
    fn lanes<I: Isa>(value: Self::Value<I>) -> Self::Of<I>;
}
macro_rules! dc {
    ($($t:ty, $dc:ident, $prim:ident, |$x:ident| $lanes:expr;)+) => {$(
        impl Dc for $t {
            type Value<I: Isa> = $dc<I>;
            const PRIM: Option<Prim> = Some(Prim::$prim);
            #[inline(always)]
            fn value<I: Isa>(isa: I, v: Self::Of<I>) -> $dc<I> {
                $dc { v, isa }
            }
            #[inline(always)]
            fn lanes<I: Isa>($x: $dc<I>) -> Self::Of<I> {
                $lanes
            }
        }
    )+};
}
dc! {
    f64, DcDouble, F64, |x| x.isa.canonical_f64(x.v);
    f32, DcFloat, F32, |x| x.isa.canonical_f32(x.v);
    i64, DcLong, I64, |x| x.v;
    i32, DcInt, I32, |x| x.v;
    bool, DcMask, Mask, |x| x.v;
}
impl Dc for () {
    type Value<I: Isa> = ();
    const PRIM: Option<Prim> = None;
    #[inline(always)]
    fn value<I: Isa>(_: I, (): ()) {}
    #[inline(always)]
    fn lanes<I: Isa>((): ()) {}
}

/// One operation on values of the language: its arguments and result, and its expression in a kernel.
macro_rules! case {
    ($name:ident<$isa:ident: $i:ident>($a:ident: $A:ty, $b:ident: $B:ty, $c:ident: $C:ty) -> $r:ty = $e:expr) => {
        enum $name {}
        impl Lanewise for $name {
            type A = $A;
            type B = $B;
            type C = $C;
            type R = $r;
            #[inline(always)]
            #[allow(
                unused_variables,
                reason = "arguments that the operation does not have"
            )]
            fn lanes<$i: Isa>(
                $isa: $i,
                $a: <$A as Lane>::Of<$i>,
                $b: <$B as Lane>::Of<$i>,
                $c: <$C as Lane>::Of<$i>,
            ) -> <$r as Lane>::Of<$i> {
                let $a = <$A as Dc>::value($isa, $a);
                let $b = <$B as Dc>::value($isa, $b);
                let $c = <$C as Dc>::value($isa, $c);
                <$r as Dc>::lanes::<$i>($e)
            }
        }
    };
}

fn prims<O: Lanewise<A: Dc, B: Dc, C: Dc>>() -> Vec<Prim> {
    [<O::A as Dc>::PRIM, <O::B as Dc>::PRIM, <O::C as Dc>::PRIM]
        .into_iter()
        .flatten()
        .collect()
}

fn values_of(prim: Prim) -> Type {
    match prim {
        Prim::F64 => of::<f64>(),
        Prim::F32 => of::<f32>(),
        Prim::I64 => of::<i64>(),
        Prim::I32 => of::<i32>(),
        Prim::Mask => of::<bool>(),
    }
}

/// A program of one instruction on its parameters.
fn program(kind: InstKind, params: &[Prim], ty: Prim, tables: Vec<TableData>) -> Program {
    let inst = |kind, args, ty| Inst {
        kind,
        args,
        ty,
        loc: Loc { line: 1, col: 1 },
        name: None,
    };
    let n = params.len() as u32;
    let mut insts: Vec<Inst> = (0..n)
        .map(|i| inst(InstKind::Param(i), vec![], params[i as usize]))
        .collect();
    insts.push(inst(kind, (0..n).map(Value).collect(), ty));
    Program {
        funcs: vec![Func {
            name: "one".into(),
            origin: Arc::new(Origin::named("one", "tests")),
            params: (0..)
                .map(|i| format!("p{i}"))
                .zip(params.iter().copied())
                .collect(),
            insts,
            results: vec![Value(n)],
        }],
        tables,
    }
}

/// Compares the lanes' results with the interpreter's for one instruction.
fn compare(
    what: &str,
    program: &Program,
    rows: &[[u64; 3]],
    got: Option<Vec<u64>>,
) -> Option<String> {
    let params: Vec<Prim> = program.entry().params.iter().map(|p| p.1).collect();
    let Some(got) = got else {
        return Some(format!("{what} {params:?}: panicked, see above"));
    };
    let columns: Vec<Vec<u64>> = (0..params.len())
        .map(|i| rows.iter().map(|row| row[i]).collect())
        .collect();
    let columns: Vec<&[u64]> = columns.iter().map(|column| &column[..]).collect();
    let mut want = [Vec::new()];
    eval_batch(program, &columns, &mut want);
    let wrong: Vec<usize> = (0..rows.len()).filter(|&i| want[0][i] != got[i]).collect();
    let &i = wrong.first()?;
    Some(format!(
        "{what} {params:?}: {} of {} wrong, first {:x?}: {:#x}, not {:#x}",
        wrong.len(),
        rows.len(),
        &rows[i][..params.len()],
        got[i],
        want[0][i]
    ))
}

/// Fails with all failures listed.
fn report(wrong: Vec<Option<String>>) {
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Runs a case on one instruction set.
fn check<O: Lanewise<A: Dc, B: Dc, C: Dc>, I: Isa>(isa: I, op: Op) -> Option<String> {
    checked(op, &prims::<O>(), I::LANES, &|rows| {
        run_rows::<O, I>(isa, rows)
    })
}

/// The lanes' results for rows, if they do not panic.
type OnRows<'a> = dyn Fn(&[[u64; 3]]) -> Option<Vec<u64>> + 'a;

/// The same, compiled once for all cases.
#[inline(never)]
fn checked(op: Op, params: &[Prim], lanes: usize, run: &OnRows) -> Option<String> {
    let (program, rows) = input(op, params, lanes);
    compare(&format!("{op:?}"), &program, &rows, run(&rows))
}

fn input(op: Op, params: &[Prim], lanes: usize) -> (Program, Vec<[u64; 3]>) {
    let ty = result_prim(op, params).unwrap_or_else(|| panic!("no {op:?} of {params:?}"));
    let types: Vec<Type> = params.iter().map(|&p| values_of(p)).collect();
    (
        program(InstKind::Op(op), params, ty, vec![]),
        rows(&types, lanes),
    )
}

/// `Op [types](arguments) -> result = expression;`, where `T` stands for each of the types in turn.
macro_rules! cases {
    ($($op:tt [$($t:ident)+] $args:tt -> $ret:ident = $e:expr;)+) => {
        /// The operations and operand types below.
        fn tried() -> Vec<(Op, Vec<Prim>)> {
            vec![$($({
                type T = $t;
                cases!(@case $args $ret $e);
                (cases!(@op $op), prims::<This>())
            }),+),+]
        }
        fn check_all<I: Isa>(isa: I) {
            report(vec![$($({
                type T = $t;
                cases!(@case $args $ret $e);
                check::<This, I>(isa, cases!(@op $op))
            }),+),+]);
        }
    };
    (@op $op:ident) => { Op::$op };
    (@op (Directed $arith:ident $d:ident)) => { Op::Directed(Arith::$arith, Direction::$d) };
    (@case ($a:ident: $A:ty) $r:ident $e:expr) => {
        case!(This<isa: J>($a: $A, y: (), z: ()) -> $r = $e);
    };
    (@case ($a:ident: $A:ty, $b:ident: $B:ty) $r:ident $e:expr) => {
        case!(This<isa: J>($a: $A, $b: $B, z: ()) -> $r = $e);
    };
    (@case ($a:ident: $A:ty, $b:ident: $B:ty, $c:ident: $C:ty) $r:ident $e:expr) => {
        case!(This<isa: J>($a: $A, $b: $B, $c: $C) -> $r = $e);
    };
}

cases! {
    Add [f64 f32 i64 i32](a: T, b: T) -> T = ops::add(a, b);
    Sub [f64 f32 i64 i32](a: T, b: T) -> T = ops::sub(a, b);
    Sub [f64 f32](a: T, b: T) -> T = a.sub_as_fma(b);
    Mul [f64 f32 i64 i32](a: T, b: T) -> T = ops::mul(a, b);
    Neg [f64 f32 i64 i32](a: T) -> T = ops::neg(a);
    Min [f64 f32 i64 i32](a: T, b: T) -> T = a.min(b);
    Max [f64 f32 i64 i32](a: T, b: T) -> T = a.max(b);
    Div [f64 f32](a: T, b: T) -> T = ops::div(a, b);
    Fma [f64 f32](a: T, b: T, c: T) -> T = a.mul_add(b, c);
    Sqrt [f64 f32](a: T) -> T = a.sqrt();
    Recip [f64 f32](a: T) -> T = a.recip();
    Abs [f64 f32](a: T) -> T = a.abs();
    CopySign [f64 f32](a: T, b: T) -> T = a.copysign(b);
    Floor [f64 f32](a: T) -> T = a.floor();
    Ceil [f64 f32](a: T) -> T = a.ceil();
    Trunc [f64 f32](a: T) -> T = a.trunc();
    RoundTiesEven [f64 f32](a: T) -> T = a.round_ties_even();
    (Directed Add Zero) [f64 f32](a: T, b: T) -> T = a.add_rz(b);
    (Directed Add Up) [f64 f32](a: T, b: T) -> T = a.add_ru(b);
    (Directed Add Down) [f64 f32](a: T, b: T) -> T = a.add_rd(b);
    (Directed Sub Zero) [f64 f32](a: T, b: T) -> T = a.sub_rz(b);
    (Directed Sub Up) [f64 f32](a: T, b: T) -> T = a.sub_ru(b);
    (Directed Sub Down) [f64 f32](a: T, b: T) -> T = a.sub_rd(b);
    (Directed Mul Zero) [f64 f32](a: T, b: T) -> T = a.mul_rz(b);
    (Directed Mul Up) [f64 f32](a: T, b: T) -> T = a.mul_ru(b);
    (Directed Mul Down) [f64 f32](a: T, b: T) -> T = a.mul_rd(b);
    (Directed Div Zero) [f64 f32](a: T, b: T) -> T = a.div_rz(b);
    (Directed Div Up) [f64 f32](a: T, b: T) -> T = a.div_ru(b);
    (Directed Div Down) [f64 f32](a: T, b: T) -> T = a.div_rd(b);
    (Directed Recip Zero) [f64 f32](a: T) -> T = a.recip_rz();
    (Directed Recip Up) [f64 f32](a: T) -> T = a.recip_ru();
    (Directed Recip Down) [f64 f32](a: T) -> T = a.recip_rd();
    (Directed Sqrt Zero) [f64 f32](a: T) -> T = a.sqrt_rz();
    (Directed Sqrt Up) [f64 f32](a: T) -> T = a.sqrt_ru();
    (Directed Sqrt Down) [f64 f32](a: T) -> T = a.sqrt_rd();
    (Directed Fma Zero) [f64 f32](a: T, b: T, c: T) -> T = a.mul_add_rz(b, c);
    (Directed Fma Up) [f64 f32](a: T, b: T, c: T) -> T = a.mul_add_ru(b, c);
    (Directed Fma Down) [f64 f32](a: T, b: T, c: T) -> T = a.mul_add_rd(b, c);
    Lt [f64 f32 i64 i32](a: T, b: T) -> bool = ops::lt(a, b);
    Le [f64 f32 i64 i32](a: T, b: T) -> bool = ops::le(a, b);
    Gt [f64 f32 i64 i32](a: T, b: T) -> bool = ops::gt(a, b);
    Ge [f64 f32 i64 i32](a: T, b: T) -> bool = ops::ge(a, b);
    Eq [f64 f32 i64 i32](a: T, b: T) -> bool = ops::eq(a, b);
    Ne [f64 f32 i64 i32](a: T, b: T) -> bool = ops::ne(a, b);
    IsNan [f64 f32](a: T) -> bool = a.is_nan();
    IsSignNegative [f64 f32](a: T) -> bool = a.is_sign_negative();
    ToF64 [f32 i64 i32](a: T) -> f64 = a.to_f64();
    ToF32 [f64 i64 i32](a: T) -> f32 = a.to_f32();
    ToI64 [f64 f32 i32](a: T) -> i64 = a.to_i64();
    ToI32 [f64 f32 i64](a: T) -> i32 = a.to_i32();
    ToBits [f64](a: T) -> i64 = a.to_bits();
    ToBits [f32](a: T) -> i32 = a.to_bits();
    FromBits [i64](a: T) -> f64 = DcDouble::from_bits(a);
    FromBits [i32](a: T) -> f32 = DcFloat::from_bits(a);
    And [i64 i32 bool](a: T, b: T) -> T = ops::and(a, b);
    Or [i64 i32 bool](a: T, b: T) -> T = ops::or(a, b);
    Xor [i64 i32 bool](a: T, b: T) -> T = ops::xor(a, b);
    Not [i64 i32 bool](a: T) -> T = ops::not(a);
    And [bool](a: T, b: T) -> T = ops::and_also(a, b);
    Or [bool](a: T, b: T) -> T = ops::or_else(a, b);
    Shl [i64 i32](a: T, b: T) -> T = ops::shl(a, b);
    Shr [i64 i32](a: T, b: T) -> T = ops::shr(a, b);
    ShrLogical [i64 i32](a: T, b: T) -> T = a.shr_logical(b);
    Select [f64 f32 i64 i32 bool](m: bool, a: T, b: T) -> T = m.select(a, b);
    Select [f64 f32 i64 i32 bool](m: bool, a: T, b: T) -> T = ops::merge(m, Some(a), Some(b));
}

/// Shifts by a literal (`u32`) and by an index (`usize`) are shifts by that amount in every lane.
fn check_shifts<I: Isa>(isa: I) {
    let mut wrong = Vec::new();
    macro_rules! by {
        ($($amount:literal)+) => {$(
            by!(@one $amount, i64, Shl, ops::shl, u32);
            by!(@one $amount, i32, Shl, ops::shl, usize);
            by!(@one $amount, i64, Shr, ops::shr, usize);
            by!(@one $amount, i32, Shr, ops::shr, u32);
        )+};
        (@one $amount:literal, $t:ty, $op:ident, $shift:path, $constant:ty) => {{
            case!(This<isa: J>(a: $t, y: $t, z: ()) -> $t = $shift(a, $amount as $constant));
            let (program, mut rows) = input(Op::$op, &prims::<This>(), I::LANES);
            for row in &mut rows {
                row[1] = $amount; // what the interpreter shifts by
            }
            let got = run_rows::<This, I>(isa, &rows);
            let what = concat!(stringify!($op), " by the constant ", stringify!($amount));
            wrong.push(compare(what, &program, &rows, got));
        }};
    }
    by! { 0 1 31 32 33 63 64 65 }
    report(wrong);
}

/// Table look-ups of every element type: one table of a power of two and one of another length, both index types.
fn check_tables<I: Isa>(isa: I) {
    let mut wrong = Vec::new();
    macro_rules! table {
        ($($elem:ident $t:ty as $lane:ty;)+) => {$(
            table!(@one $elem $t, $lane, i64, 7);
            table!(@one $elem $t, $lane, i64, 8);
            table!(@one $elem $t, $lane, i32, 7);
            table!(@one $elem $t, $lane, i32, 8);
        )+};
        (@one $elem:ident $t:ty, $lane:ty, $index:ty, $n:literal) => {{
            static TABLE: [$t; $n] = {
                let mut table = [0 as $t; $n];
                let mut i = 0;
                while i < $n {
                    table[i] = (1000 - 77 * i as i32) as $t;
                    i += 1;
                }
                table
            };
            case!(This<isa: J>(i: $index, y: (), z: ()) -> $lane = ops::table(isa, &TABLE[..], i));
            let index = prims::<This>();
            let mut rows = rows(&[values_of(index[0])], I::LANES);
            // In addition to edge values, indices in and around the table.
            for (i, row) in rows.iter_mut().enumerate().skip(I::LANES).step_by(3) {
                row[0] = ((i % 24) as $index - 8).word();
            }
            let bits = TABLE.iter().map(|&x| (x as $lane).word()).collect();
            let table = TableData { name: "table".into(), elem: Elem::$elem, bits };
            let ty = <$lane as Dc>::PRIM.expect("a lane type");
            let program = program(InstKind::Load(TableId(0)), &index, ty, vec![table]);
            let got = run_rows::<This, I>(isa, &rows);
            wrong.push(compare(concat!("table of ", stringify!($t)), &program, &rows, got));
        }};
    }
    table! {
        F64 f64 as f64;
        F32 f32 as f32;
        I64 i64 as i64;
        U64 u64 as i64;
        I32 i32 as i32;
        U32 u32 as i32;
    }
    report(wrong);
}

/// Literals and outer constants, of every type: the words in lane 0 and in the last.
struct Constants;
impl<I: Isa> WithIsa<I> for Constants {
    type Output = Vec<(u64, u64)>;
    #[inline(always)]
    fn call(self, isa: I) -> Self::Output {
        let ends = |words: &[u64]| (words[0], words[I::LANES - 1]);
        let f64s = |x: DcDouble<I>| {
            let mut out = [0.0; MAX_LANES];
            x.store(&mut out);
            ends(&out.map(f64::to_bits))
        };
        let f32s = |x: DcFloat<I>| {
            let mut out = [0.0; MAX_LANES];
            x.store(&mut out);
            ends(&out.map(|x| x.to_bits().into()))
        };
        let i64s = |x: DcLong<I>| {
            let mut out = [0; MAX_LANES];
            x.store(&mut out);
            ends(&out.map(|x| x as u64))
        };
        let i32s = |x: DcInt<I>| {
            let mut out = [0; MAX_LANES];
            x.store(&mut out);
            ends(&out.map(|x| u64::from(x as u32)))
        };
        vec![
            f64s(ops::float(isa, 0.1, 0.1)),
            f32s(ops::float(isa, 0.1, 0.1)),
            f64s(ops::float(isa, f64::NAN.copysign(-1.0), 0.0)),
            i64s(ops::int(isa, -1)),
            i64s(ops::int(isa, 0xfedc_ba98_7654_3210)),
            i32s(ops::int(isa, -2)),
            i32s(ops::int(isa, 0xfedc_ba98)),
            f64s(ops::constant(isa, -0.0f64)),
            f32s(ops::constant(isa, 1e-45f32)),
            i64s(ops::constant(isa, i64::MIN)),
            i64s(ops::constant(isa, u64::MAX)),
            i32s(ops::constant(isa, i32::MIN)),
            i32s(ops::constant(isa, u32::MAX)),
        ]
    }
}

fn check_constants<I: Isa>(isa: I) {
    let want = [
        0x3fb9_9999_9999_999a,
        0x3dcc_cccd,
        0x7ff8_0000_0000_0000,
        u64::MAX,
        0xfedc_ba98_7654_3210,
        0xffff_fffe,
        0xfedc_ba98,
        1 << 63,
        1,
        1 << 63,
        u64::MAX,
        1 << 31,
        0xffff_ffff,
    ];
    assert_eq!(isa.run(Constants), want.map(|word| (word, word)));
}

on_every_level! {
    wide:
    language = check_all;
    shifts = check_shifts;
    tables = check_tables;
    constants = check_constants;
}

/// Every method of the language on every type it exists on, and every operation that the checker admits.
#[test]
fn every_operation_is_tried() {
    use Prim::{F32, F64, I32, I64, Mask};
    let name = |op: Op, params: &[Prim]| format!("{op:?} {params:?}");
    let tried: BTreeSet<String> = tried()
        .iter()
        .map(|(op, params)| name(*op, params))
        .collect();
    let all = [F64, F32, I64, I32, Mask];
    let ops = {
        use Op::*;
        [
            Add,
            Sub,
            Mul,
            Neg,
            Min,
            Max,
            Div,
            Fma,
            Sqrt,
            Recip,
            Abs,
            CopySign,
            Floor,
            Ceil,
            Trunc,
            RoundTiesEven,
            Lt,
            Le,
            Gt,
            Ge,
            Eq,
            Ne,
            IsNan,
            IsSignNegative,
            ToF64,
            ToF32,
            ToI64,
            ToI32,
            ToBits,
            FromBits,
            And,
            Or,
            Xor,
            Not,
            Shl,
            Shr,
            ShrLogical,
            Select,
        ]
    };
    // A new operation does not compile here: it must be added to `ops`, or treated like `directed`.
    let listed = |op: Op| {
        use Op::*;
        match op {
            Add | Sub | Mul | Neg | Min | Max | Div | Fma | Sqrt | Recip | Abs | CopySign
            | Floor | Ceil | Trunc | RoundTiesEven | Lt | Le | Gt | Ge | Eq | Ne | IsNan
            | IsSignNegative | ToF64 | ToF32 | ToI64 | ToI32 | ToBits | FromBits | And | Or
            | Xor | Not | Shl | Shr | ShrLogical | Select => ops.contains(&op),
            Directed(..) => true,
        }
    };
    assert!(METHODS.iter().all(|m| listed(m.op)));
    let directed = Arith::ALL
        .into_iter()
        .flat_map(|arith| Direction::ALL.map(|direction| Op::Directed(arith, direction)));
    let mut exist = BTreeSet::new();
    for op in ops.into_iter().chain(directed) {
        for a in all {
            let mut shapes = vec![vec![a]];
            for b in all {
                shapes.push(vec![a, b]);
                shapes.extend(all.map(|c| vec![a, b, c]));
            }
            let admitted = shapes
                .iter()
                .filter(|shape| result_prim(op, shape).is_some());
            exist.extend(admitted.map(|shape| name(op, shape)));
        }
    }
    assert_eq!(exist, tried);
    for method in METHODS {
        for &on in method.on {
            let found = exist
                .iter()
                .any(|e| e.starts_with(&format!("{:?} [{on:?}", method.op)));
            assert!(found, "{} on {on:?}", method.name);
        }
    }
}

/// The interpreter reads a word as a mask: it is true unless zero.
#[test]
fn mask_words() {
    for word in [0, 1, 2, 1 << 63] {
        let (program, rows) = (
            program(InstKind::Op(Op::Not), &[Prim::Mask], Prim::Mask, vec![]),
            [[word, 0, 0]],
        );
        let got = u64::from(!kind::Mask::from_words(&[word]));
        assert_eq!(compare("words", &program, &rows, Some(vec![got])), None);
    }
}
