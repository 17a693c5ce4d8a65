//! The operations over columns.

use std::mem::take;

use dc_runtime::isa::Isa;
use kernels_gen::ops::{Op, Prim};

use super::plan::{Slot, Step};

/// Columns of each type.
pub(super) struct Columns {
    pub(super) f64s: Vec<Vec<f64>>,
    pub(super) f32s: Vec<Vec<f32>>,
    pub(super) i64s: Vec<Vec<i64>>,
    pub(super) i32s: Vec<Vec<i32>>,
    pub(super) masks: Vec<Vec<bool>>,
}

/// A table's entries as Rust values.
pub(super) enum Table {
    F64(Vec<f64>),
    F32(Vec<f32>),
    I64(Vec<i64>),
    I32(Vec<i32>),
}

/// The place of a register in a column. For a uniform column, it is always the first one.
const fn mask(slot: Slot) -> usize {
    if slot.uniform { 0 } else { usize::MAX }
}

/// A loop over the registers of a strip, with up to three operands.
macro_rules! strip {
    ($isa:ident $step:ident $c:ident $n:ident; $to:ident $store:ident = |$($a:ident: $from:ident $load:ident),+| $e:expr) => {{
        let mut out = take(&mut $c.$to[$step.out]);
        {
            let mut _operand = 0;
            $(
                let $a = {
                    let slot = $step.args[_operand];
                    _operand += 1;
                    (&$c.$from[slot.column][..], mask(slot))
                };
            )+
            let mut at = 0;
            while at < $n {
                $(let $a = $isa.$load(&$a.0[at & $a.1..]);)+
                $isa.$store($e, &mut out[at..]);
                at += I::LANES;
            }
        }
        $c.$to[$step.out] = out;
    }};
}

#[inline(always)]
pub(super) fn load<I: Isa>(
    isa: I,
    table: &Table,
    index: Prim,
    step: &Step,
    c: &mut Columns,
    n: usize,
) {
    match (table, index) {
        (Table::F64(t), Prim::I64) => {
            strip!(isa step c n; f64s store_f64 = |i: i64s load_i64| isa.gather_f64(t, i));
        }
        (Table::F32(t), Prim::I64) => {
            strip!(isa step c n; f32s store_f32 = |i: i64s load_i64| isa.gather_f32(t, i));
        }
        (Table::I64(t), Prim::I64) => {
            strip!(isa step c n; i64s store_i64 = |i: i64s load_i64| isa.gather_i64(t, i));
        }
        (Table::I32(t), Prim::I64) => {
            strip!(isa step c n; i32s store_i32 = |i: i64s load_i64| isa.gather_i32(t, i));
        }
        (Table::F64(t), _) => {
            strip!(isa step c n; f64s store_f64 = |i: i32s load_i32| isa.gather32_f64(t, i));
        }
        (Table::F32(t), _) => {
            strip!(isa step c n; f32s store_f32 = |i: i32s load_i32| isa.gather32_f32(t, i));
        }
        (Table::I64(t), _) => {
            strip!(isa step c n; i64s store_i64 = |i: i32s load_i32| isa.gather32_i64(t, i));
        }
        (Table::I32(t), _) => {
            strip!(isa step c n; i32s store_i32 = |i: i32s load_i32| isa.gather32_i32(t, i));
        }
    }
}

#[inline(always)]
pub(super) fn apply<I: Isa>(isa: I, op: Op, step: &Step, c: &mut Columns, n: usize) {
    macro_rules! refused {
        () => {
            unreachable!("{op:?} of {:?} in a checked program", step.ty)
        };
    }
    // Operations of floating-point numbers, by the methods for either precision.
    macro_rules! floats {
        (|$($a:ident),+| $wide:expr, $narrow:expr) => {
            match step.ty {
                Prim::F64 => strip!(isa step c n; f64s store_f64 = |$($a: f64s load_f64),+| $wide),
                Prim::F32 => strip!(isa step c n; f32s store_f32 = |$($a: f32s load_f32),+| $narrow),
                _ => refused!(),
            }
        };
    }
    macro_rules! numbers {
        (|$($a:ident),+| $f64:expr, $f32:expr, $i64:expr, $i32:expr) => {
            match step.ty {
                Prim::F64 => strip!(isa step c n; f64s store_f64 = |$($a: f64s load_f64),+| $f64),
                Prim::F32 => strip!(isa step c n; f32s store_f32 = |$($a: f32s load_f32),+| $f32),
                Prim::I64 => strip!(isa step c n; i64s store_i64 = |$($a: i64s load_i64),+| $i64),
                Prim::I32 => strip!(isa step c n; i32s store_i32 = |$($a: i32s load_i32),+| $i32),
                Prim::Mask => refused!(),
            }
        };
    }
    macro_rules! compared {
        (|$a:ident, $b:ident| $f64:expr, $f32:expr, $i64:expr, $i32:expr) => {
            match step.ty {
                Prim::F64 => strip!(isa step c n; masks store_mask = |$a: f64s load_f64, $b: f64s load_f64| $f64),
                Prim::F32 => strip!(isa step c n; masks store_mask = |$a: f32s load_f32, $b: f32s load_f32| $f32),
                Prim::I64 => strip!(isa step c n; masks store_mask = |$a: i64s load_i64, $b: i64s load_i64| $i64),
                Prim::I32 => strip!(isa step c n; masks store_mask = |$a: i32s load_i32, $b: i32s load_i32| $i32),
                Prim::Mask => refused!(),
            }
        };
    }
    macro_rules! bits {
        (|$($a:ident),+| $i64:expr, $i32:expr, $mask:expr) => {
            match step.ty {
                Prim::I64 => strip!(isa step c n; i64s store_i64 = |$($a: i64s load_i64),+| $i64),
                Prim::I32 => strip!(isa step c n; i32s store_i32 = |$($a: i32s load_i32),+| $i32),
                Prim::Mask => strip!(isa step c n; masks store_mask = |$($a: masks load_mask),+| $mask),
                _ => refused!(),
            }
        };
    }
    // Operations whose result has another type than their operands: a line for each type.
    macro_rules! by_type {
        ($($ty:ident => $to:ident $store:ident = |$a:ident: $from:ident $load:ident| $e:expr),+ $(,)?) => {
            match step.ty {
                $(Prim::$ty => strip!(isa step c n; $to $store = |$a: $from $load| $e),)+
                _ => refused!(),
            }
        };
    }
    macro_rules! shifts {
        (|$a:ident, $b:ident| $i64:expr, $i32:expr) => {
            match step.ty {
                Prim::I64 => strip!(isa step c n; i64s store_i64 = |$a: i64s load_i64, $b: i64s load_i64| $i64),
                Prim::I32 => strip!(isa step c n; i32s store_i32 = |$a: i32s load_i32, $b: i32s load_i32| $i32),
                _ => refused!(),
            }
        };
    }
    match op {
        Op::Add => {
            numbers!(
                |a, b| isa.add_f64(a, b),
                isa.add_f32(a, b),
                isa.add_i64(a, b),
                isa.add_i32(a, b)
            );
        }
        Op::Sub => {
            numbers!(
                |a, b| isa.sub_f64(a, b),
                isa.sub_f32(a, b),
                isa.sub_i64(a, b),
                isa.sub_i32(a, b)
            );
        }
        Op::Mul => {
            numbers!(
                |a, b| isa.mul_f64(a, b),
                isa.mul_f32(a, b),
                isa.mul_i64(a, b),
                isa.mul_i32(a, b)
            );
        }
        Op::Neg => numbers!(
            |a| isa.neg_f64(a),
            isa.neg_f32(a),
            isa.sub_i64(isa.splat_i64(0), a),
            isa.sub_i32(isa.splat_i32(0), a)
        ),
        Op::Min => numbers!(
            |a, b| isa.min_f64(a, b),
            isa.min_f32(a, b),
            isa.select_i64(isa.lt_i64(a, b), a, b),
            isa.select_i32(isa.lt_i32(a, b), a, b)
        ),
        Op::Max => numbers!(
            |a, b| isa.max_f64(a, b),
            isa.max_f32(a, b),
            isa.select_i64(isa.lt_i64(b, a), a, b),
            isa.select_i32(isa.lt_i32(b, a), a, b)
        ),
        Op::Div => floats!(|a, b| isa.div_f64(a, b), isa.div_f32(a, b)),
        Op::Fma => floats!(|a, b, d| isa.fma_f64(a, b, d), isa.fma_f32(a, b, d)),
        Op::Sqrt => floats!(|a| isa.sqrt_f64(a), isa.sqrt_f32(a)),
        Op::Recip => floats!(
            |a| isa.div_f64(isa.splat_f64(1.0), a),
            isa.div_f32(isa.splat_f32(1.0), a)
        ),
        Op::Abs => floats!(|a| isa.abs_f64(a), isa.abs_f32(a)),
        Op::CopySign => floats!(
            |a, b| isa.copysign_f64(a, isa.canonical_f64(b)),
            isa.copysign_f32(a, isa.canonical_f32(b))
        ),
        Op::Floor => floats!(|a| isa.floor_f64(a), isa.floor_f32(a)),
        Op::Ceil => floats!(|a| isa.ceil_f64(a), isa.ceil_f32(a)),
        Op::Trunc => floats!(|a| isa.trunc_f64(a), isa.trunc_f32(a)),
        Op::RoundTiesEven => {
            floats!(|a| isa.round_ties_even_f64(a), isa.round_ties_even_f32(a));
        }
        Op::Lt => compared!(
            |a, b| isa.lt_f64(a, b),
            isa.lt_f32(a, b),
            isa.lt_i64(a, b),
            isa.lt_i32(a, b)
        ),
        Op::Gt => compared!(
            |a, b| isa.lt_f64(b, a),
            isa.lt_f32(b, a),
            isa.lt_i64(b, a),
            isa.lt_i32(b, a)
        ),
        Op::Le => compared!(
            |a, b| isa.le_f64(a, b),
            isa.le_f32(a, b),
            isa.not_mask(isa.lt_i64(b, a)),
            isa.not_mask(isa.lt_i32(b, a))
        ),
        Op::Ge => compared!(
            |a, b| isa.le_f64(b, a),
            isa.le_f32(b, a),
            isa.not_mask(isa.lt_i64(a, b)),
            isa.not_mask(isa.lt_i32(a, b))
        ),
        Op::Eq => compared!(
            |a, b| isa.eq_f64(a, b),
            isa.eq_f32(a, b),
            isa.eq_i64(a, b),
            isa.eq_i32(a, b)
        ),
        Op::Ne => compared!(
            |a, b| isa.ne_f64(a, b),
            isa.ne_f32(a, b),
            isa.not_mask(isa.eq_i64(a, b)),
            isa.not_mask(isa.eq_i32(a, b))
        ),
        Op::IsNan => by_type!(
            F64 => masks store_mask = |a: f64s load_f64| isa.ne_f64(a, a),
            F32 => masks store_mask = |a: f32s load_f32| isa.ne_f32(a, a)
        ),
        Op::ToF64 => by_type!(
            F32 => f64s store_f64 = |a: f32s load_f32| isa.f32_to_f64(a),
            I64 => f64s store_f64 = |a: i64s load_i64| isa.i64_to_f64(a),
            I32 => f64s store_f64 = |a: i32s load_i32| isa.i32_to_f64(a)
        ),
        Op::ToF32 => by_type!(
            F64 => f32s store_f32 = |a: f64s load_f64| isa.f64_to_f32(a),
            I64 => f32s store_f32 = |a: i64s load_i64| isa.i64_to_f32(a),
            I32 => f32s store_f32 = |a: i32s load_i32| isa.i32_to_f32(a)
        ),
        Op::ToI64 => by_type!(
            F64 => i64s store_i64 = |a: f64s load_f64| isa.f64_to_i64(a),
            F32 => i64s store_i64 = |a: f32s load_f32| isa.f32_to_i64(a),
            I32 => i64s store_i64 = |a: i32s load_i32| isa.i32_to_i64(a)
        ),
        Op::ToI32 => by_type!(
            F64 => i32s store_i32 = |a: f64s load_f64| isa.f64_to_i32(a),
            F32 => i32s store_i32 = |a: f32s load_f32| isa.f32_to_i32(a),
            I64 => i32s store_i32 = |a: i64s load_i64| isa.i64_to_i32(a)
        ),
        Op::ToBits => by_type!(
            F64 => i64s store_i64 = |a: f64s load_f64| isa.bits_f64(isa.canonical_f64(a)),
            F32 => i32s store_i32 = |a: f32s load_f32| isa.bits_f32(isa.canonical_f32(a))
        ),
        Op::FromBits => by_type!(
            I64 => f64s store_f64 = |a: i64s load_i64| isa.f64_from_bits(a),
            I32 => f32s store_f32 = |a: i32s load_i32| isa.f32_from_bits(a)
        ),
        Op::And => bits!(
            |a, b| isa.and_i64(a, b),
            isa.and_i32(a, b),
            isa.and_mask(a, b)
        ),
        Op::Or => bits!(|a, b| isa.or_i64(a, b), isa.or_i32(a, b), isa.or_mask(a, b)),
        Op::Xor => bits!(
            |a, b| isa.xor_i64(a, b),
            isa.xor_i32(a, b),
            isa.xor_mask(a, b)
        ),
        Op::Not => bits!(
            |a| isa.xor_i64(a, isa.splat_i64(-1)),
            isa.xor_i32(a, isa.splat_i32(-1)),
            isa.not_mask(a)
        ),
        Op::Shl => shifts!(|a, b| isa.shl_i64(a, b), isa.shl_i32(a, b)),
        Op::Shr => shifts!(|a, b| isa.shr_i64(a, b), isa.shr_i32(a, b)),
        Op::ShrLogical => shifts!(|a, b| isa.shr_logical_i64(a, b), isa.shr_logical_i32(a, b)),
        Op::Select => match step.ty {
            Prim::F64 => {
                strip!(isa step c n; f64s store_f64 = |m: masks load_mask, a: f64s load_f64, b: f64s load_f64| isa.select_f64(m, a, b));
            }
            Prim::F32 => {
                strip!(isa step c n; f32s store_f32 = |m: masks load_mask, a: f32s load_f32, b: f32s load_f32| isa.select_f32(m, a, b));
            }
            Prim::I64 => {
                strip!(isa step c n; i64s store_i64 = |m: masks load_mask, a: i64s load_i64, b: i64s load_i64| isa.select_i64(m, a, b));
            }
            Prim::I32 => {
                strip!(isa step c n; i32s store_i32 = |m: masks load_mask, a: i32s load_i32, b: i32s load_i32| isa.select_i32(m, a, b));
            }
            Prim::Mask => {
                strip!(isa step c n; masks store_mask = |m: masks load_mask, a: masks load_mask, b: masks load_mask| isa.select_mask(m, a, b));
            }
        },
        Op::Directed(..) | Op::IsSignNegative => refused!(),
    }
}
