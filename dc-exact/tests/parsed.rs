//! Programs of one function, parsed from their text.

use std::sync::Arc;

use kernels_gen::ir::{Elem, Loc};
use kernels_gen::ops::{Op, Prim};
use kernels_gen::program::{Func, Inst, InstKind, Origin, Program, TableData, TableId, Value};
use kernels_gen::text::op_name;

#[rustfmt::skip]
const OPS: [Op; 38] = [
    Op::Add, Op::Sub, Op::Mul, Op::Neg, Op::Min, Op::Max, Op::Div, Op::Fma, Op::Sqrt, Op::Recip, Op::Abs, Op::CopySign, Op::Floor, Op::Ceil,
    Op::Trunc, Op::RoundTiesEven, Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Eq, Op::Ne, Op::IsNan, Op::IsSignNegative, Op::ToF64, Op::ToF32,
    Op::ToI64, Op::ToI32, Op::ToBits, Op::FromBits, Op::And, Op::Or, Op::Xor, Op::Not, Op::Shl, Op::Shr, Op::ShrLogical, Op::Select,
];

/// A kernel of one function, of its text.
pub fn program(text: &str) -> Program {
    let prim = |name: &str| match name {
        "f64" => Prim::F64,
        "f32" => Prim::F32,
        "i64" => Prim::I64,
        "i32" => Prim::I32,
        _ => Prim::Mask,
    };
    let bits = |word: &str| match word.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).expect("bits"),
        None => word.parse::<i64>().expect("an integer") as u64,
    };
    let number_of = |word: &str| word[1..].parse::<u32>().expect("a number");
    let mut tables: Vec<TableData> = Vec::new();
    let (mut insts, mut results, mut params) = (Vec::new(), Vec::new(), 0);
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("table ") {
            let (name, ty) = rest.split_once(": ").expect("a table");
            tables.push(TableData {
                name: name.into(),
                elem: if ty.starts_with('f') {
                    Elem::F64
                } else {
                    Elem::I64
                },
                bits: Vec::new(),
            });
        } else if let Some(word) = line.strip_prefix("  0x") {
            let bits = u64::from_str_radix(word, 16).expect("bits");
            tables.last_mut().expect("a table").bits.push(bits);
        } else if let Some(value) = line.strip_prefix("  return %") {
            let numbers = value.split(", %");
            results.extend(numbers.map(|n| Value(n.parse().expect("a number"))));
        } else if line.starts_with("  %") {
            let (ty, rest) = line
                .split_once(": ")
                .expect("a type")
                .1
                .split_once(" = ")
                .expect("it");
            let words: Vec<&str> = rest.split([' ', ',']).filter(|w| !w.is_empty()).collect();
            let (args, what): (Vec<&str>, Vec<&str>) =
                words.iter().partition(|w| w.starts_with('%'));
            let kind = match what[0] {
                "param" => {
                    params += 1;
                    InstKind::Param(params - 1)
                }
                "const" => InstKind::Const(bits(what[1])),
                "load" => InstKind::Load(TableId(number_of(what[1]))),
                name => InstKind::Op(*OPS.iter().find(|&&op| op_name(op) == name).expect(name)),
            };
            insts.push(Inst {
                kind,
                args: args.iter().map(|a| Value(number_of(a))).collect(),
                ty: prim(ty),
                loc: Loc::default(),
                name: None,
            });
        }
    }
    let entry = Func {
        name: "f0".into(),
        origin: Arc::new(Origin::named("f0", "random")),
        params: (["x", "l"].iter().take(params as usize))
            .map(|name| (name.to_string(), Prim::F64))
            .collect(),
        insts,
        results,
    };
    Program {
        funcs: vec![entry],
        tables,
    }
}
