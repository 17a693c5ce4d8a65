//! A program on an instruction set, one operation at a time.
//!
//! A kernel compiled by rustc does not show its intermediate values. This module runs the same operations, with the same functions that
//! `#[crunch]` writes for them (`crate::ops`, the methods of `crate::types`). Each operation runs separately on registers of the
//! instruction set, so a compiler cannot combine them. If this differs from a compiled kernel, the difference is in the compiled form. If
//! it differs from another backend, the difference is in one operation.

use kernels_gen::ops::{Arith, Direction, Op, Prim};
use kernels_gen::program::{Func, InstKind, Program, TableData};

use super::{BackendError, PointKernel, in_default_environment};
use crate::isa::{Isa, WithIsa};
use crate::kernel::MAX_LANES;
use crate::ops;
use crate::types::{DcDouble, DcFloat, DcInt, DcLong, DcMask};

/// A program prepared for evaluation. `None` if the processor lacks the instruction set.
pub(super) fn load<I: Isa>(program: &Program) -> Option<Box<dyn PointKernel>> {
    let isa = I::detect()?;
    let mut program = program.inlined();
    let tables = program.tables.iter().map(Table::of).collect();
    let func = program.funcs.pop()?;
    Some(Box::new(OneByOne { isa, func, tables }))
}

/// A program of one function.
struct OneByOne<I> {
    isa: I,
    func: Func,
    tables: Vec<Table>,
}

impl<I: Isa> PointKernel for OneByOne<I> {
    fn eval(&mut self, inputs: &[&[u64]], outputs: &mut [Vec<u64>]) -> Result<(), BackendError> {
        let n = inputs.first().map_or(0, |i| i.len());
        let shape = (inputs.len(), outputs.len());
        let fits = shape == (self.func.params.len(), self.func.results.len())
            && inputs.iter().all(|i| i.len() == n);
        if !fits {
            return Err(BackendError::Launch {
                backend: I::NAME.into(),
                kernel: self.func.name.clone(),
                reason: "columns as many as parameters and results, of one length, are wanted"
                    .into(),
            });
        }
        for output in outputs.iter_mut() {
            output.clear();
            output.resize(n, 0);
        }
        let run = Run {
            program: self,
            inputs,
            outputs,
        };
        let evaluating = || "evaluating a program".into();
        in_default_environment(I::NAME, evaluating, || {
            self.isa.run(run);
            Ok(())
        })
    }
}

/// A table's entries as Rust values.
enum Table {
    F64(Vec<f64>),
    F32(Vec<f32>),
    I64(Vec<i64>),
    I32(Vec<i32>),
}

impl Table {
    fn of(data: &TableData) -> Table {
        let words = data.bits.iter();
        match data.prim() {
            Prim::F64 => Table::F64(words.map(|&w| f64::from_bits(w)).collect()),
            Prim::F32 => Table::F32(words.map(|&w| f32::from_bits(w as u32)).collect()),
            Prim::I64 => Table::I64(words.map(|&w| w.cast_signed()).collect()),
            Prim::I32 | Prim::Mask => Table::I32(words.map(|&w| w as i32).collect()),
        }
    }
}

/// A value of any type.
#[derive(Clone, Copy)]
enum Lanes<I: Isa> {
    F64(DcDouble<I>),
    F32(DcFloat<I>),
    I64(DcLong<I>),
    I32(DcInt<I>),
    Mask(DcMask<I>),
}

impl<I: Isa> Lanes<I> {
    /// The first words of a column, as many as there are.
    #[inline(always)]
    fn load(isa: I, ty: Prim, words: &[u64]) -> Self {
        let word = |lane| words.get(lane).copied().unwrap_or(0);
        macro_rules! load {
            ($variant:ident, $lanes:ident, $zero:expr, $read:expr) => {{
                let mut plain = [$zero; MAX_LANES];
                for (lane, to) in plain[..I::LANES].iter_mut().enumerate() {
                    *to = $read(word(lane));
                }
                Lanes::$variant($lanes::load(isa, &plain))
            }};
        }
        match ty {
            Prim::F64 => load!(F64, DcDouble, 0.0, f64::from_bits),
            Prim::F32 => load!(F32, DcFloat, 0.0, |w| f32::from_bits(w as u32)),
            Prim::I64 => load!(I64, DcLong, 0, |w| w as i64),
            Prim::I32 => load!(I32, DcInt, 0, |w| w as i32),
            Prim::Mask => load!(Mask, DcMask, false, |w| w != 0),
        }
    }

    /// Stores into as many words as there are, with canonical NaNs.
    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        macro_rules! store {
            ($value:expr, $zero:expr, $write:expr) => {{
                let mut plain = [$zero; MAX_LANES];
                $value.store(&mut plain);
                for (to, x) in words.iter_mut().zip(&plain[..I::LANES]) {
                    *to = $write(*x);
                }
            }};
        }
        match self {
            Lanes::F64(x) => store!(x, 0.0, f64::to_bits),
            Lanes::F32(x) => store!(x, 0.0, |x: f32| u64::from(x.to_bits())),
            Lanes::I64(x) => store!(x, 0, |x: i64| x as u64),
            Lanes::I32(x) => store!(x, 0, |x: i32| u64::from(x as u32)),
            Lanes::Mask(x) => store!(x, false, u64::from),
        }
    }
}

struct Run<'a, 'b, I> {
    program: &'a OneByOne<I>,
    inputs: &'a [&'b [u64]],
    outputs: &'a mut [Vec<u64>],
}

impl<I: Isa> WithIsa<I> for Run<'_, '_, I> {
    type Output = ();
    #[inline(always)]
    fn call(self, isa: I) {
        let OneByOne { func, tables, .. } = self.program;
        let n = self.inputs.first().map_or(0, |i| i.len());
        let mut values: Vec<Lanes<I>> = Vec::with_capacity(func.insts.len());
        for at in (0..n).step_by(I::LANES) {
            values.clear();
            for inst in &func.insts {
                let arg = |i: usize| values[inst.args[i].0 as usize];
                let value = match inst.kind {
                    InstKind::Param(i) => Lanes::load(isa, inst.ty, &self.inputs[i as usize][at..]),
                    InstKind::Const(bits) => Lanes::load(isa, inst.ty, &[bits; MAX_LANES]),
                    InstKind::Op(op) => {
                        let mut args = [arg(0); 3];
                        for (i, to) in args.iter_mut().enumerate().take(inst.args.len()) {
                            *to = arg(i);
                        }
                        apply(op, args)
                    }
                    InstKind::Load(table) => entry(isa, &tables[table.0 as usize], arg(0)),
                    InstKind::Call(_) | InstKind::Result(_) => {
                        unreachable!("an inlined program has no calls")
                    }
                };
                values.push(value);
            }
            let live = I::LANES.min(n - at);
            for (output, result) in self.outputs.iter_mut().zip(&func.results) {
                values[result.0 as usize].store(&mut output[at..at + live]);
            }
        }
    }
}

/// `table[index]`
#[inline(always)]
fn entry<I: Isa>(isa: I, table: &Table, index: Lanes<I>) -> Lanes<I> {
    macro_rules! at {
        ($index:expr) => {
            match table {
                Table::F64(t) => Lanes::F64(ops::table(isa, t, $index)),
                Table::F32(t) => Lanes::F32(ops::table(isa, t, $index)),
                Table::I64(t) => Lanes::I64(ops::table(isa, t, $index)),
                Table::I32(t) => Lanes::I32(ops::table(isa, t, $index)),
            }
        };
    }
    match index {
        Lanes::I64(i) => at!(i),
        Lanes::I32(i) => at!(i),
        Lanes::F64(_) | Lanes::F32(_) | Lanes::Mask(_) => {
            unreachable!("an index is an integer in a checked program")
        }
    }
}

/// A directed operation on any number of operands. The methods of the types do the same with constant directions, which would require three
/// times the code to be compiled.
macro_rules! directed {
    ($name:ident, $lanes:ident, $one:ident, $neg:ident, $add:ident $mul:ident $div:ident $sqrt:ident $fma:ident) => {
        #[inline(always)]
        fn $name<I: Isa>(arith: Arith, d: Direction, args: [$lanes<I>; 3]) -> $lanes<I> {
            let isa = args[0].isa;
            let [a, b, c] = args.map(|x| x.v);
            let v = match arith {
                Arith::Add => isa.$add(d, a, b),
                Arith::Sub => isa.$add(d, a, isa.$neg(b)),
                Arith::Mul => isa.$mul(d, a, b),
                Arith::Div => isa.$div(d, a, b),
                Arith::Recip => isa.$div(d, isa.$one(1.0), a),
                Arith::Sqrt => isa.$sqrt(d, a),
                Arith::Fma => isa.$fma(d, a, b, c),
            };
            $lanes { v, isa }
        }
    };
}
directed!(directed_f64, DcDouble, splat_f64, neg_f64,
    add_directed_f64 mul_directed_f64 div_directed_f64 sqrt_directed_f64 fma_directed_f64);
directed!(directed_f32, DcFloat, splat_f32, neg_f32,
    add_directed_f32 mul_directed_f32 div_directed_f32 sqrt_directed_f32 fma_directed_f32);

/// An operation on its number of operands.
#[inline(always)]
fn apply<I: Isa>(op: Op, [a, b, c]: [Lanes<I>; 3]) -> Lanes<I> {
    use Lanes::{F32, F64, I32, I64, Mask};
    macro_rules! refused {
        () => {
            unreachable!("{op:?} on these operands in a checked program")
        };
    }
    // An operation of one operand, by the function `$f` or the method `.$m()`; the result has the operand's type, or `$r`.
    macro_rules! unary {
        ($f:path: $($t:ident)+) => {
            match a { $($t(x) => $t($f(x)),)+ _ => refused!() }
        };
        (.$m:ident: $($t:ident)+) => {
            match a { $($t(x) => $t(x.$m()),)+ _ => refused!() }
        };
        (.$m:ident: $($t:ident)+ => $r:ident) => {
            match a { $($t(x) => $r(x.$m()),)+ _ => refused!() }
        };
    }
    macro_rules! binary {
        ($f:path: $($t:ident)+) => {
            match (a, b) { $(($t(x), $t(y)) => $t($f(x, y)),)+ _ => refused!() }
        };
        (.$m:ident: $($t:ident)+) => {
            match (a, b) { $(($t(x), $t(y)) => $t(x.$m(y)),)+ _ => refused!() }
        };
        ($f:path: $($t:ident)+ => $r:ident) => {
            match (a, b) { $(($t(x), $t(y)) => $r($f(x, y)),)+ _ => refused!() }
        };
    }
    match op {
        Op::Add => binary!(ops::add: F64 F32 I64 I32),
        Op::Sub => binary!(ops::sub: F64 F32 I64 I32),
        Op::Mul => binary!(ops::mul: F64 F32 I64 I32),
        Op::Neg => unary!(ops::neg: F64 F32 I64 I32),
        Op::Min => binary!(.min: F64 F32 I64 I32),
        Op::Max => binary!(.max: F64 F32 I64 I32),
        Op::Div => binary!(ops::div: F64 F32),
        Op::Fma => match (a, b, c) {
            (F64(x), F64(y), F64(z)) => F64(x.mul_add(y, z)),
            (F32(x), F32(y), F32(z)) => F32(x.mul_add(y, z)),
            _ => refused!(),
        },
        Op::Sqrt => unary!(.sqrt: F64 F32),
        Op::Recip => unary!(.recip: F64 F32),
        Op::Abs => unary!(.abs: F64 F32),
        Op::CopySign => binary!(.copysign: F64 F32),
        Op::Floor => unary!(.floor: F64 F32),
        Op::Ceil => unary!(.ceil: F64 F32),
        Op::Trunc => unary!(.trunc: F64 F32),
        Op::RoundTiesEven => unary!(.round_ties_even: F64 F32),
        Op::Directed(arith, direction) => match (a, b, c) {
            (F64(x), F64(y), F64(z)) => F64(directed_f64(arith, direction, [x, y, z])),
            (F32(x), F32(y), F32(z)) => F32(directed_f32(arith, direction, [x, y, z])),
            _ => refused!(),
        },
        Op::Lt => binary!(ops::lt: F64 F32 I64 I32 => Mask),
        Op::Le => binary!(ops::le: F64 F32 I64 I32 => Mask),
        Op::Gt => binary!(ops::gt: F64 F32 I64 I32 => Mask),
        Op::Ge => binary!(ops::ge: F64 F32 I64 I32 => Mask),
        Op::Eq => binary!(ops::eq: F64 F32 I64 I32 => Mask),
        Op::Ne => binary!(ops::ne: F64 F32 I64 I32 => Mask),
        Op::IsNan => unary!(.is_nan: F64 F32 => Mask),
        Op::IsSignNegative => unary!(.is_sign_negative: F64 F32 => Mask),
        Op::ToF64 => unary!(.to_f64: F32 I64 I32 => F64),
        Op::ToF32 => unary!(.to_f32: F64 I64 I32 => F32),
        Op::ToI64 => unary!(.to_i64: F64 F32 I32 => I64),
        Op::ToI32 => unary!(.to_i32: F64 F32 I64 => I32),
        Op::ToBits => match a {
            F64(x) => I64(x.to_bits()),
            F32(x) => I32(x.to_bits()),
            _ => refused!(),
        },
        Op::FromBits => match a {
            I64(x) => F64(DcDouble::from_bits(x)),
            I32(x) => F32(DcFloat::from_bits(x)),
            _ => refused!(),
        },
        Op::And => binary!(ops::and: I64 I32 Mask),
        Op::Or => binary!(ops::or: I64 I32 Mask),
        Op::Xor => binary!(ops::xor: I64 I32 Mask),
        Op::Not => unary!(ops::not: I64 I32 Mask),
        Op::Shl => binary!(ops::shl: I64 I32),
        Op::Shr => binary!(ops::shr: I64 I32),
        Op::ShrLogical => binary!(.shr_logical: I64 I32),
        Op::Select => {
            let Mask(m) = a else { refused!() };
            match (b, c) {
                (F64(x), F64(y)) => F64(m.select(x, y)),
                (F32(x), F32(y)) => F32(m.select(x, y)),
                (I64(x), I64(y)) => I64(m.select(x, y)),
                (I32(x), I32(y)) => I32(m.select(x, y)),
                (Mask(x), Mask(y)) => Mask(m.select(x, y)),
                _ => refused!(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use kernels_gen::check::{check, result_prim};
    use kernels_gen::interp::eval_batch;
    use kernels_gen::ir::{Elem, Loc};
    use kernels_gen::ops::METHODS;
    use kernels_gen::program::{Inst, TableId, Value};

    use super::*;
    use crate::backend::fixtures::contraction;
    use crate::isa::sets::for_each_isa;
    use crate::run::WideScalar;
    use crate::search::points::split_mix;

    const PRIMS: [Prim; 5] = [Prim::F64, Prim::F32, Prim::I64, Prim::I32, Prim::Mask];

    /// Words of every kind: their low halves are binary32 numbers of every kind.
    fn words(n: usize, mut seed: u64) -> Vec<u64> {
        let special = [
            0,
            1,
            1 << 63,
            (1 << 31) | 3,
            u64::MAX,
            0x7ff0_0000_7f80_0000,
            0xfff0_0000_ff80_0000,
            0x7ff8_dead_7fc0_beef,
            0xfff4_0000_ffa0_0001,
            0x3ff8_0000_3fc0_0000,
            0xc3e0_0000_df00_0000,
            0x000f_ffff_007f_ffff,
            0x7fef_ffff_7f7f_ffff,
            63,
            33,
        ];
        let pick = |seed: &mut u64| match split_mix(seed) {
            r if r % 2 == 0 => special[(r >> 8) as usize % special.len()],
            r if r % 4 == 1 => 0x3fe0_0000_3f00_0000 | r >> 12,
            r => r,
        };
        (0..n).map(|_| pick(&mut seed)).collect()
    }

    /// `kind` applied to operands of these types.
    fn program(kind: InstKind, args: &[Prim], ty: Prim) -> Program {
        let mut program = contraction();
        let func = &mut program.funcs[0];
        let inst = |kind, args, ty| Inst {
            kind,
            args,
            ty,
            loc: Loc::default(),
            name: None,
        };
        let params = args.iter().enumerate();
        func.params = params.clone().map(|(i, &p)| (format!("p{i}"), p)).collect();
        func.insts = params
            .map(|(i, &p)| inst(InstKind::Param(i as u32), vec![], p))
            .collect();
        let operands = (0..args.len() as u32).map(Value).collect();
        func.insts.push(inst(kind, operands, ty));
        func.results = vec![Value(args.len() as u32)];
        program
    }

    fn same<I: Isa>(program: &Program) {
        check(program).expect("well-formed");
        let Some(mut kernel) = load::<I>(program) else {
            return;
        };
        // The column ends in the middle of a register.
        let n = 3000 + 1;
        let entry = program.entry();
        let columns: Vec<Vec<u64>> = (0..entry.params.len() as u64)
            .map(|i| words(n, i))
            .collect();
        let columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
        let (mut want, mut got) = (vec![Vec::new()], vec![vec![7; 3]]);
        eval_batch(program, &columns, &mut want);
        kernel.eval(&columns, &mut got).expect("it runs");
        let differs = (0..n).find(|&i| want[0][i] != got[0][i]);
        if let Some(i) = differs {
            let args: Vec<u64> = columns.iter().map(|c| c[i]).collect();
            panic!(
                "{} {:?} of {args:x?}: {:x}, not {:x}",
                I::NAME,
                entry.insts.last(),
                got[0][i],
                want[0][i]
            );
        }
    }

    fn everywhere(program: &Program) {
        macro_rules! each {
            ($({
                $field:ident $token:ident $level:ident $map:ident $name:literal $features:tt
                points $points:literal map $wide:literal $($more:tt)*
            })+) => {
                $(same::<crate::isa::$token<$wide>>(program);)+
            };
        }
        for_each_isa!([each!]);
    }

    /// Each operation on all types that it has, compared with the interpreter.
    #[test]
    fn every_operation_is_the_interpreters() {
        let operators = [
            Op::Add,
            Op::Sub,
            Op::Mul,
            Op::Div,
            Op::Neg,
            Op::Not,
            Op::And,
            Op::Or,
            Op::Xor,
            Op::Shl,
            Op::Shr,
            Op::Lt,
            Op::Le,
            Op::Gt,
            Op::Ge,
            Op::Eq,
            Op::Ne,
            Op::FromBits,
        ];
        let ops = operators.into_iter().chain(METHODS.iter().map(|m| m.op));
        let mut forms = 0;
        for op in ops {
            let mut tuples: Vec<Vec<Prim>> = vec![vec![]];
            for _ in 0..3 {
                tuples = tuples
                    .iter()
                    .flat_map(|t| PRIMS.map(|p| [t.as_slice(), &[p]].concat()))
                    .collect();
                for args in &tuples {
                    let Some(ty) = result_prim(op, args) else {
                        continue;
                    };
                    everywhere(&program(InstKind::Op(op), args, ty));
                    forms += 1;
                }
            }
        }
        assert!(forms > 100, "{forms} forms");
    }

    #[test]
    fn tables_are_the_interpreters() {
        for (elem, ty) in [
            (Elem::F64, Prim::F64),
            (Elem::F32, Prim::F32),
            (Elem::U64, Prim::I64),
            (Elem::I32, Prim::I32),
        ] {
            for (len, index) in [
                (8, Prim::I64),
                (8, Prim::I32),
                (5, Prim::I64),
                (5, Prim::I32),
            ] {
                let mut program = program(InstKind::Load(TableId(0)), &[index], ty);
                let width = if matches!(ty, Prim::F64 | Prim::I64) {
                    64
                } else {
                    32
                };
                program.tables.push(TableData {
                    name: "t".into(),
                    elem,
                    bits: words(len, 9)
                        .iter()
                        .map(|w| w & (u64::MAX >> (64 - width)))
                        .collect(),
                });
                everywhere(&program);
            }
        }
    }

    #[test]
    fn columns_that_do_not_fit_are_refused() {
        let mut kernel = load::<WideScalar>(&contraction()).expect("it runs everywhere");
        let mut outputs = vec![Vec::new(); 3];
        for inputs in [&[&[1u64][..], &[2]][..], &[&[1], &[2], &[]]] {
            let error = kernel.eval(inputs, &mut outputs).expect_err("refused");
            assert!(error.to_string().contains("columns as many"), "{error}");
        }
        let error = kernel.eval(&[&[1], &[2], &[3]], &mut outputs[..2]);
        assert!(error.is_err());
    }
}
