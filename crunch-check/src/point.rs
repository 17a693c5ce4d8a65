//! The meaning of the operations on bits, after docs/book/src/reference/operations.md, and the evaluation of a kernel at one input.

use crate::ir::{Inst, Program, Type, What};

const NAN64: u64 = 0x7ff8_0000_0000_0000;
const NAN32: u64 = 0x7fc0_0000;

/// A double as a word of its lane; all NaNs have the same word.
fn f64_word(x: f64) -> u64 {
    if x.is_nan() { NAN64 } else { x.to_bits() }
}

fn f32_word(x: f32) -> u64 {
    if x.is_nan() {
        NAN32
    } else {
        x.to_bits().into()
    }
}

fn int_word(ty: Type, x: i64) -> u64 {
    if ty == Type::I32 {
        u64::from(x as u32)
    } else {
        x as u64
    }
}

/// The floating-point number of a word, as a double.
pub fn to_double(ty: Type, word: u64) -> f64 {
    if ty == Type::F32 {
        f64::from(f32::from_bits(word as u32))
    } else {
        f64::from_bits(word)
    }
}

/// The word of a double that is a number of the type.
pub fn of_double(ty: Type, x: f64) -> u64 {
    if ty == Type::F32 {
        f32_word(x as f32)
    } else {
        f64_word(x)
    }
}

/// The signed integer of a word.
pub fn to_int(ty: Type, word: u64) -> i64 {
    if ty == Type::I32 {
        i64::from(word as u32 as i32)
    } else {
        word as i64
    }
}

/// An operation on floats of either format.
macro_rules! float {
    ($name:expr, $out:expr, $word:expr, $x:expr) => {{
        let x = $x;
        let truth = |b: bool| Ok(u64::from(b));
        Ok($word(match $name {
            "add" => x(0) + x(1),
            "sub" => x(0) - x(1),
            "mul" => x(0) * x(1),
            "div" => x(0) / x(1),
            "fma" => x(0).mul_add(x(1), x(2)),
            "sqrt" => x(0).sqrt(),
            "recip" => 1.0 / x(0),
            "neg" => -x(0),
            "abs" => x(0).abs(),
            "copy_sign" => x(0).copysign(x(1)),
            // The second operand, unless the first is less (or greater).
            "min" => {
                if x(0) < x(1) {
                    x(0)
                } else {
                    x(1)
                }
            }
            "max" => {
                if x(0) > x(1) {
                    x(0)
                } else {
                    x(1)
                }
            }
            "floor" => x(0).floor(),
            "ceil" => x(0).ceil(),
            "trunc" => x(0).trunc(),
            "round_ties_even" => x(0).round_ties_even(),
            "lt" => return truth(x(0) < x(1)),
            "le" => return truth(x(0) <= x(1)),
            "gt" => return truth(x(0) > x(1)),
            "ge" => return truth(x(0) >= x(1)),
            "eq" => return truth(x(0) == x(1)),
            "ne" => return truth(x(0) != x(1)),
            "is_nan" => return truth(x(0).is_nan()),
            "is_sign_negative" => return truth(x(0).is_sign_negative()),
            "to_f64" => return Ok(f64_word(x(0) as f64)),
            "to_f32" => return Ok(f32_word(x(0) as f32)),
            "to_i64" => return Ok(int_word($out, x(0) as i64)),
            "to_i32" => return Ok(int_word($out, (x(0) as i32).into())),
            "to_bits" => x(0),
            _ => return unknown($name),
        }))
    }};
}

/// The error for an operation that is not known here.
fn unknown(name: &str) -> Result<u64, String> {
    Err(format!(
        "the operation `{name}` is not known to this checker"
    ))
}

/// The number of operands of an operation, if it is known.
pub fn arity(name: &str) -> Option<usize> {
    Some(match name {
        "fma" | "select" => 3,
        "add" | "sub" | "mul" | "div" | "min" | "max" | "copy_sign" | "lt" | "le" | "gt" | "ge"
        | "eq" | "ne" | "and" | "or" | "xor" | "shl" | "shr" | "shr_logical" => 2,
        "sqrt" | "recip" | "neg" | "abs" | "floor" | "ceil" | "trunc" | "round_ties_even"
        | "is_nan" | "is_sign_negative" | "to_f64" | "to_f32" | "to_i64" | "to_i32" | "to_bits"
        | "from_bits" | "not" => 1,
        _ => return None,
    })
}

/// Applies an operation: `ty` is the type of its operands (for a selection, of the last ones), `out` that of its
/// result.
///
/// # Errors
/// If the operation is not known.
pub fn apply(name: &str, ty: Type, out: Type, w: &[u64]) -> Result<u64, String> {
    let Some(arity) = arity(name) else {
        return unknown(name);
    };
    if w.len() != arity {
        return Err(format!("`{name}` with {} operands", w.len()));
    }
    if name == "select" {
        return Ok(if w[0] != 0 { w[1] } else { w[2] });
    }
    let bool_word = |b: bool| Ok(u64::from(b));
    match ty {
        Type::F64 => float!(name, out, f64_word, |i: usize| f64::from_bits(w[i])),
        Type::F32 => float!(name, out, f32_word, |i: usize| f32::from_bits(w[i] as u32)),
        Type::I64 | Type::I32 => {
            let x = |i: usize| to_int(ty, w[i]);
            let bits = if ty == Type::I32 { 32 } else { 64 };
            let amount = || w[1] as u32 & (bits - 1);
            Ok(int_word(
                ty,
                match name {
                    "add" => x(0).wrapping_add(x(1)),
                    "sub" => x(0).wrapping_sub(x(1)),
                    "mul" => x(0).wrapping_mul(x(1)),
                    "neg" => x(0).wrapping_neg(),
                    "min" => x(0).min(x(1)),
                    "max" => x(0).max(x(1)),
                    "and" => x(0) & x(1),
                    "or" => x(0) | x(1),
                    "xor" => x(0) ^ x(1),
                    "not" => !x(0),
                    "shl" => x(0) << amount(),
                    "shr" => x(0) >> amount(),
                    "shr_logical" => (w[0] >> amount()) as i64,
                    "lt" => return bool_word(x(0) < x(1)),
                    "le" => return bool_word(x(0) <= x(1)),
                    "gt" => return bool_word(x(0) > x(1)),
                    "ge" => return bool_word(x(0) >= x(1)),
                    "eq" => return bool_word(x(0) == x(1)),
                    "ne" => return bool_word(x(0) != x(1)),
                    "to_f64" => return Ok((x(0) as f64).to_bits()),
                    "to_f32" => return Ok((x(0) as f32).to_bits().into()),
                    "to_i64" => return Ok(int_word(Type::I64, x(0))),
                    "to_i32" => return Ok(int_word(Type::I32, x(0))),
                    "from_bits" if out == Type::F64 => return Ok(f64_word(f64::from_bits(w[0]))),
                    "from_bits" => return Ok(f32_word(f32::from_bits(w[0] as u32))),
                    _ => return unknown(name),
                },
            ))
        }
        Type::Mask => match name {
            "and" => Ok(w[0] & w[1]),
            "or" => Ok(w[0] | w[1]),
            "xor" => Ok(w[0] ^ w[1]),
            "not" => Ok(w[0] ^ 1),
            _ => unknown(name),
        },
    }
}

/// The operand type that selects among the operations of one name.
pub fn operand_type(program: &Program, inst: &Inst) -> Type {
    let last = inst.args.last();
    last.map_or(inst.ty, |&a| program.insts[a].ty)
}

/// An entry of a table: if the length is a power of two, the index is taken modulo it, else it is clamped.
pub fn load(program: &Program, table: usize, ty: Type, index: u64) -> u64 {
    let bits = &program.tables[table].bits;
    let last = bits.len() as i64 - 1;
    let at = to_int(ty, index);
    bits[if bits.len().is_power_of_two() {
        at & last
    } else {
        at.clamp(0, last)
    } as usize]
}

/// The bits of the kernel's result for the bits of an input.
///
/// # Errors
/// If an operation is not known.
pub fn evaluate(program: &Program, input: u64) -> Result<u64, String> {
    evaluate_to(program, program.result, input)
}

/// The value of an instruction for an input.
///
/// # Errors
/// Where an operation before it is not known.
pub fn evaluate_to(program: &Program, last: usize, input: u64) -> Result<u64, String> {
    evaluate_all(program, last, input, &mut Vec::with_capacity(last + 1))
}

/// As [`evaluate_to`]; `words` becomes the values of all instructions up to the last one.
///
/// # Errors
/// Where an operation is not known.
pub fn evaluate_all(
    program: &Program,
    last: usize,
    input: u64,
    words: &mut Vec<u64>,
) -> Result<u64, String> {
    words.clear();
    for inst in &program.insts[..=last] {
        // No operation has more operands than this.
        let mut args = [0; 3];
        for (word, &a) in args.iter_mut().zip(&inst.args) {
            *word = words[a];
        }
        let args = &args[..inst.args.len().min(3)];
        words.push(match &inst.what {
            What::Param => input,
            What::Const(bits) => *bits,
            What::Load(table) => load(program, *table, operand_type(program, inst), args[0]),
            What::Op(name) => apply(name, operand_type(program, inst), inst.ty, args)?,
        });
    }
    Ok(words[last])
}
