//! The types of a kernel's values: an operation on others than its own would be evaluated, bounded and proven as three different
//! things.

use crate::ir::Type;

/// The type that an operation gives of operands of these types; `None` where it has no meaning.
///
/// # Errors
/// If the operation is not known.
fn result(name: &str, args: &[Type]) -> Result<Option<Type>, String> {
    use Type::{F32, F64, I32, I64, Mask};
    let (first, same) = match args {
        [] => return Err(format!("`{name}` without operands")),
        [first, rest @ ..] => (*first, rest.iter().all(|a| a == first)),
    };
    let integer = matches!(first, I64 | I32);
    let number = first != Mask;
    let floats = (first.is_float() && same).then_some(first);
    Ok(match name {
        "add" | "sub" | "mul" | "min" | "max" | "neg" => (number && same).then_some(first),
        "div" | "copy_sign" | "fma" | "sqrt" | "recip" | "abs" | "floor" | "ceil" | "trunc"
        | "round_ties_even" => floats,
        "lt" | "le" | "gt" | "ge" | "eq" | "ne" => (number && same).then_some(Mask),
        "is_nan" | "is_sign_negative" => floats.map(|_| Mask),
        "to_f64" => (number && first != F64).then_some(F64),
        "to_f32" => (number && first != F32).then_some(F32),
        "to_i64" => (number && first != I64).then_some(I64),
        "to_i32" => (number && first != I32).then_some(I32),
        "to_bits" => match first {
            F64 => Some(I64),
            F32 => Some(I32),
            _ => None,
        },
        "from_bits" => match first {
            I64 => Some(F64),
            I32 => Some(F32),
            _ => None,
        },
        "and" | "or" | "xor" | "not" => (!first.is_float() && same).then_some(first),
        "shl" | "shr" | "shr_logical" => (integer && same).then_some(first),
        "select" => match args {
            [Mask, a, b] if a == b => Some(*a),
            _ => None,
        },
        _ => {
            return Err(format!(
                "the operation `{name}` is not known to this checker"
            ));
        }
    })
}

/// Checks the type of an operation's value.
///
/// # Errors
/// If the operation has no such value of these operands.
pub fn operation(name: &str, args: &[Type], ty: Type) -> Result<(), String> {
    match result(name, args)? {
        Some(right) if right == ty => Ok(()),
        Some(right) => Err(format!("`{name}` of {args:?} is {right:?}, not {ty:?}")),
        None => Err(format!("`{name}` has no meaning on {args:?}")),
    }
}

/// Checks the bits of a constant or of a table's entry.
///
/// # Errors
/// If the type has no such bits.
pub fn bits(ty: Type, bits: u64) -> Result<(), String> {
    let most = match ty {
        Type::F64 | Type::I64 => u64::MAX,
        Type::F32 | Type::I32 => u32::MAX.into(),
        Type::Mask => 1,
    };
    match bits <= most {
        true => Ok(()),
        false => Err(format!("{bits:#x} are no bits of {ty:?}")),
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::Program;

    fn parse(lines: &str) -> Result<Program, String> {
        Program::parse(&format!("doublecrunch ir 1\n{lines}\n"))
    }

    /// Each of these was evaluated as one thing and bounded as another, or made the checker panic.
    #[test]
    fn kernels_of_wrong_types_are_refused() {
        for (lines, says) in [
            (
                "fn f0\n  %0: f32 = param\n  %1: f64 = recip %0\n  return %1",
                "`recip` of [F32] is F32, not F64",
            ),
            (
                "fn f0\n  %0: f64 = param\n  %1: i64 = to_bits %0\n  %2: f64 = add %0, %1\n  return %2",
                "`add` has no meaning on [F64, I64]",
            ),
            (
                "table t0: f64[0]\nfn f0\n  %0: f64 = param\n  %1: i64 = to_bits %0\n  %2: f64 = load t0 %1\n  return %2",
                "table t0 is empty",
            ),
            (
                "table t0: f32[1]\n  0x3f800000\nfn f0\n  %0: f64 = param\n  %1: i64 = to_bits %0\n  %2: f64 = load t0 %1\n  return %2",
                "an entry of t0 is F32",
            ),
            (
                "fn f0\n  %0: f64 = param\n  %1: f32 = const 0x3ff0000000000000\n  %2: f64 = to_f64 %1\n  return %2",
                "are no bits of F32",
            ),
            (
                "fn f0\n  %0: f32 = param\n  return %0\nfn f1\n  %0: f64 = param\n  %1: f32 = call f0 %0\n  %2: f32 = result 0 of %1\n  return %2",
                "an argument of f0 is F32, not F64",
            ),
            (
                "fn f0\n  %0: f64 = param\n  %1: i64 = to_bits %0\n  return %1",
                "the kernel gives I64",
            ),
        ] {
            let error = parse(lines).expect_err(lines);
            assert!(error.contains(says), "{says}: {error}");
        }
        assert!(parse("fn f0\n  %0: f64 = param\n  %1: f64 = recip %0\n  return %1").is_ok());
    }
}
