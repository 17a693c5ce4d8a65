//! The meaning of the operations on bits, after docs/book/src/reference/operations.md, and the evaluation of a kernel at one input.

use crate::ir::{Inst, Program, What};
use crate::typing::{Type, arity};

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

/// The error for an operation that the checker does not know.
fn unknown(name: &str) -> Result<u64, String> {
    Err(format!(
        "the operation `{name}` is not known to this checker"
    ))
}

/// Applies an operation. `ty` is the type of its operands (for a selection, of the last two), and `out` is the type of its result.
///
/// # Errors
/// If the checker does not know the operation.
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

/// The operand type that distinguishes operations of one name.
pub fn operand_type(program: &Program, inst: &Inst) -> Type {
    let last = inst.args.last();
    last.map_or(inst.ty, |&a| program.insts[a].ty)
}

/// An entry of a table. If the table's length is a power of two, the index is taken modulo the length; otherwise it is clamped.
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
/// If the checker does not know an operation, or the kernel has a low word or two results.
pub fn evaluate(program: &Program, input: u64) -> Result<u64, String> {
    if program.low_word.is_some() || program.low.is_some() {
        return Err("the input and the result are not one number each".into());
    }
    evaluate_to(program, program.result, input)
}

/// The bits of the kernel's result or, for a kernel in two words, of both of its results, for the bits of its arguments. The second word of one
/// result is 0.
///
/// # Errors
/// If the checker does not know an operation, or the kernel has more arguments.
pub fn evaluate_words(program: &Program, inputs: &[u64]) -> Result<[u64; 2], String> {
    let last = program.result.max(program.low.unwrap_or(0));
    let mut words = Vec::with_capacity(last + 1);
    evaluate_all(program, last, inputs, &mut words)?;
    Ok([words[program.result], program.low.map_or(0, |i| words[i])])
}

/// The value of an instruction for an input, with a low word of 0 if the kernel has one.
///
/// # Errors
/// If the checker does not know an operation before this instruction.
pub fn evaluate_to(program: &Program, last: usize, input: u64) -> Result<u64, String> {
    // A word of a kernel without a low word is not read.
    evaluate_all(
        program,
        last,
        &[input, 0],
        &mut Vec::with_capacity(last + 1),
    )
}

/// The same as [`evaluate_to`], for one word per argument. `words` receives the values of all instructions up to the last one.
///
/// # Errors
/// If the checker does not know an operation, or the program has more arguments.
pub fn evaluate_all(
    program: &Program,
    last: usize,
    inputs: &[u64],
    words: &mut Vec<u64>,
) -> Result<u64, String> {
    words.clear();
    let mut inputs = inputs.iter();
    for inst in &program.insts[..=last] {
        // No operation has more operands than this.
        let mut args = [0; 3];
        for (word, &a) in args.iter_mut().zip(&inst.args) {
            *word = words[a];
        }
        let args = &args[..inst.args.len().min(3)];
        words.push(match &inst.what {
            What::Param => *inputs.next().ok_or("an argument has no value")?,
            What::Const(bits) => *bits,
            What::Load(table) => load(program, *table, operand_type(program, inst), args[0]),
            What::Op(name) => apply(name, operand_type(program, inst), inst.ty, args)?,
        });
    }
    Ok(words[last])
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering::{Equal, Greater, Less};

    use super::*;
    use crate::ir::Table;
    use crate::kernels::Words;

    /// Compares operations on integers with arithmetic of unlimited size.
    #[test]
    fn integers_wrap_and_shift_as_words_do() {
        let mut random = Words(1);
        for (ty, bits) in [(Type::I64, 64), (Type::I32, 32)] {
            let (span, half) = (1i128 << bits, 1i128 << (bits - 1));
            let word = |x: i128| x.rem_euclid(span) as u64;
            for k in 0..4000 {
                let mut number = || {
                    let near = random.of(&[0, 1, half - 1, -half, bits, 7]);
                    let x = match random.below(2) {
                        0 => near + i128::from(random.below(3)) - 1,
                        _ => i128::from(random.next() as i64) >> random.below(64),
                    };
                    (x + half).rem_euclid(span) - half
                };
                let x = number();
                let y = if k % 5 == 0 { x } else { number() };
                let amount = y.rem_euclid(bits);
                let order = x.cmp(&y);
                for (name, due) in [
                    ("add", word(x + y)),
                    ("sub", word(x - y)),
                    (
                        "mul",
                        word(
                            (x * (y & 0xffff_ffff) + ((x * (y >> 32)).rem_euclid(1 << 64) << 32))
                                .rem_euclid(1 << 64),
                        ),
                    ),
                    ("min", word(x.min(y))),
                    ("max", word(x.max(y))),
                    ("and", word(x & y)),
                    ("or", word(x | y)),
                    ("xor", word(x ^ y)),
                    (
                        "shl",
                        word((x.rem_euclid(span) << amount.min(62)) << (amount - amount.min(62))),
                    ),
                    ("shr", word(x >> amount)),
                    ("shr_logical", word(x.rem_euclid(span) >> amount)),
                    ("lt", u64::from(order == Less)),
                    ("le", u64::from(order != Greater)),
                    ("gt", u64::from(order == Greater)),
                    ("ge", u64::from(order != Less)),
                    ("eq", u64::from(order == Equal)),
                    ("ne", u64::from(order != Equal)),
                ] {
                    let got = apply(name, ty, ty, &[word(x), word(y)]);
                    assert_eq!(got, Ok(due), "{name} {ty:?} {x} {y}");
                }
                assert_eq!(apply("neg", ty, ty, &[word(x)]), Ok(word(-x)));
                assert_eq!(apply("not", ty, ty, &[word(x)]), Ok(word(-x - 1)));
                let to = |name: &str, out: Type| apply(name, ty, out, &[word(x)]);
                assert_eq!(to("to_i64", Type::I64), Ok(x as i64 as u64));
                assert_eq!(to("to_f64", Type::F64), Ok((x as i64 as f64).to_bits()));
                assert_eq!(
                    to("to_f32", Type::F32),
                    Ok((x as i64 as f32).to_bits().into())
                );
                if ty == Type::I64 {
                    assert_eq!(to("to_i32", Type::I32), Ok(u64::from(x as u32)));
                }
            }
        }
    }

    #[test]
    fn bits_are_those_of_their_type() {
        for x in [1.5f32, -0.0, 1e-40, f32::INFINITY] {
            let word = u64::from(x.to_bits());
            let made = apply("from_bits", Type::I32, Type::F32, &[word]);
            assert_eq!(made, Ok(f32_word(x)));
            let back = apply("to_bits", Type::F32, Type::I32, &[f32_word(x)]);
            assert_eq!(back.map(|w| w as u32), Ok(x.to_bits()));
        }
        for x in [1.5f64, -0.0, 1e-310, f64::INFINITY] {
            let made = apply("from_bits", Type::I64, Type::F64, &[x.to_bits()]);
            assert_eq!(made, Ok(f64_word(x)));
        }
    }

    /// Comparisons and selections for every order of two numbers. NaNs have one word.
    #[test]
    fn floats_are_compared_and_chosen() {
        let all = [
            f64::NAN,
            f64::NEG_INFINITY,
            -1.5,
            -0.0,
            0.0,
            5e-324,
            1.0,
            1.5,
            f64::INFINITY,
        ];
        for (ty, of) in [
            (Type::F64, f64_word as fn(f64) -> u64),
            (Type::F32, |x| f32_word(x as f32)),
        ] {
            for a in all {
                for b in all {
                    let order = to_double(ty, of(a)).partial_cmp(&to_double(ty, of(b)));
                    let chosen = |first: bool| if first { of(a) } else { of(b) };
                    for (name, due) in [
                        ("lt", u64::from(order == Some(Less))),
                        ("le", u64::from(matches!(order, Some(Less | Equal)))),
                        ("gt", u64::from(order == Some(Greater))),
                        ("ge", u64::from(matches!(order, Some(Greater | Equal)))),
                        ("eq", u64::from(order == Some(Equal))),
                        ("ne", u64::from(order != Some(Equal))),
                        ("min", chosen(order == Some(Less))),
                        ("max", chosen(order == Some(Greater))),
                        ("copy_sign", of(a.copysign(b))),
                    ] {
                        let got = apply(name, ty, ty, &[of(a), of(b)]);
                        assert_eq!(got, Ok(due), "{name} {a} {b}");
                    }
                }
                assert_eq!(apply("abs", ty, ty, &[of(a)]), Ok(of(a.abs())));
                assert_eq!(
                    apply("is_nan", ty, Type::Mask, &[of(a)]),
                    Ok(a.is_nan().into())
                );
            }
            let (p, q, r) = (1.5, 2.5, -0.75);
            for (name, due) in [("add", 4.0), ("sub", -1.0), ("mul", 3.75), ("div", 0.6)] {
                let got = apply(name, ty, ty, &[of(p), of(q)]).map(|w| to_double(ty, w));
                assert!((got.expect(name) - due).abs() < 1e-7, "{name}");
            }
            assert_eq!(apply("fma", ty, ty, &[of(p), of(q), of(r)]), Ok(of(3.0)));
            assert_eq!(apply("recip", ty, ty, &[of(2.0)]), Ok(of(0.5)));
            assert_eq!(
                apply("recip", ty, ty, &[of(-0.0)]),
                Ok(of(f64::NEG_INFINITY))
            );
        }
        for word in [0, 1, 0x7f80_0000, 0x7f80_0001, 0xffff_ffff, 0x3fc0_0000] {
            let x = f32::from_bits(word);
            let word = u64::from(word);
            let (single, bits) = ((Type::F32, f32_word(x)), Type::I32);
            assert_eq!(apply("from_bits", bits, single.0, &[word]), Ok(single.1));
            assert_eq!(apply("to_bits", single.0, bits, &[single.1]), Ok(single.1));
            let wide = word << 32 | 5;
            let double = f64_word(f64::from_bits(wide));
            assert_eq!(
                apply("from_bits", Type::I64, Type::F64, &[wide]),
                Ok(double)
            );
            assert_eq!(
                apply("to_bits", Type::F64, Type::I64, &[double]),
                Ok(double)
            );
        }
        for (m, due) in [(0, 7), (1, 5)] {
            assert_eq!(apply("select", Type::I64, Type::I64, &[m, 5, 7]), Ok(due));
            assert_eq!(apply("not", Type::Mask, Type::Mask, &[m]), Ok(1 - m));
        }
        assert!(apply("add", Type::F64, Type::F64, &[0]).is_err());
        assert!(apply("sine", Type::F64, Type::F64, &[0]).is_err());
    }

    #[test]
    fn entries_are_taken_modulo_a_power_of_two_or_at_the_ends() {
        for n in 1..9i64 {
            let table = Table {
                ty: Type::I64,
                bits: (0..n as u64).collect(),
            };
            let program = Program {
                tables: vec![table],
                ..Program::default()
            };
            for index in -20..20i64 {
                let due = if n.count_ones() == 1 {
                    index.rem_euclid(n)
                } else {
                    index.clamp(0, n - 1)
                };
                assert_eq!(
                    load(&program, 0, Type::I64, index as u64),
                    due as u64,
                    "{n} {index}"
                );
                assert_eq!(
                    load(&program, 0, Type::I32, u64::from(index as u32)),
                    due as u64
                );
            }
        }
    }
}
