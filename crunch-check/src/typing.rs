//! The types of a kernel's values. Without them, an operation on operands of a wrong type could be evaluated, bounded and proven as three
//! different things.

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    /// binary64
    F64,
    /// binary32
    F32,
    /// 64-bit integer
    I64,
    /// 32-bit integer
    I32,
    /// A truth value.
    Mask,
}

impl Type {
    pub fn parse(text: &str) -> Result<Type, String> {
        Ok(match text {
            "f64" => Type::F64,
            "f32" => Type::F32,
            "i64" => Type::I64,
            "i32" => Type::I32,
            "mask" => Type::Mask,
            _ => return Err(format!("`{text}` is no type")),
        })
    }

    /// Whether it is a floating-point type.
    pub fn is_float(self) -> bool {
        matches!(self, Type::F64 | Type::F32)
    }
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

/// The type of an operation's result for operands of these types; `None` if the operation has no meaning for them.
///
/// # Errors
/// If the checker does not know the operation.
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
/// If the operation cannot give such a value for these operands.
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
/// If the type has no value with such bits.
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
    use super::{Type, arity};
    use super::{bits, operation};
    use crate::ir::Program;

    fn parse(lines: &str) -> Result<Program, String> {
        Program::parse(&format!("doublecrunch ir 1\n{lines}\n"))
    }

    /// Each of these was once evaluated as one thing and bounded as another, or made the checker panic.
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
                "table t0: i32[1]\n  0x100000000\nfn f0\n  %0: f64 = param\n  return %0",
                "are no bits of I32",
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

    /// Every operation on operands of all types: the type of the value, if the operation has a meaning.
    fn meaning(name: &str, args: &[Type]) -> Option<Type> {
        use Type::{F32, F64, I32, I64, Mask};
        let all_in = |types: &[Type]| {
            let same = args.iter().all(|a| *a == args[0]);
            (same && types.contains(&args[0])).then_some(args[0])
        };
        let number = &[F64, F32, I64, I32];
        let float = &[F64, F32];
        let one_of = |pairs: &[(Type, Type)]| {
            let found = pairs.iter().find(|p| p.0 == args[0]);
            found.map(|p| p.1)
        };
        match name {
            "add" | "sub" | "mul" | "min" | "max" | "neg" => all_in(number),
            "div" | "copy_sign" | "fma" | "sqrt" | "recip" | "abs" | "floor" | "ceil" | "trunc"
            | "round_ties_even" => all_in(float),
            "lt" | "le" | "gt" | "ge" | "eq" | "ne" => all_in(number).map(|_| Mask),
            "is_nan" | "is_sign_negative" => all_in(float).map(|_| Mask),
            "to_f64" => one_of(&[(F32, F64), (I64, F64), (I32, F64)]),
            "to_f32" => one_of(&[(F64, F32), (I64, F32), (I32, F32)]),
            "to_i64" => one_of(&[(F64, I64), (F32, I64), (I32, I64)]),
            "to_i32" => one_of(&[(F64, I32), (F32, I32), (I64, I32)]),
            "to_bits" => one_of(&[(F64, I64), (F32, I32)]),
            "from_bits" => one_of(&[(I64, F64), (I32, F32)]),
            "and" | "or" | "xor" | "not" => all_in(&[I64, I32, Mask]),
            "shl" | "shr" | "shr_logical" => all_in(&[I64, I32]),
            "select" => (args[0] == Mask && args[1] == args[2]).then_some(args[1]),
            _ => None,
        }
    }

    #[test]
    fn operations_have_a_meaning_on_their_types_alone() {
        use Type::{F32, F64, I32, I64, Mask};
        let types = [F64, F32, I64, I32, Mask];
        for name in [
            "add",
            "sub",
            "mul",
            "min",
            "max",
            "neg",
            "div",
            "copy_sign",
            "fma",
            "sqrt",
            "recip",
            "abs",
            "floor",
            "ceil",
            "trunc",
            "round_ties_even",
            "lt",
            "le",
            "gt",
            "ge",
            "eq",
            "ne",
            "is_nan",
            "is_sign_negative",
            "to_f64",
            "to_f32",
            "to_i64",
            "to_i32",
            "to_bits",
            "from_bits",
            "and",
            "or",
            "xor",
            "not",
            "shl",
            "shr",
            "shr_logical",
            "select",
        ] {
            let n = arity(name).expect("it is known");
            for number in 0..types.len().pow(n as u32) {
                let args: Vec<Type> = (0..n)
                    .map(|k| types[number / types.len().pow(k as u32) % types.len()])
                    .collect();
                for ty in types {
                    let due = meaning(name, &args) == Some(ty);
                    assert_eq!(
                        operation(name, &args, ty).is_ok(),
                        due,
                        "{name} {args:?} {ty:?}"
                    );
                }
            }
        }
        assert!(operation("sine", &[F64], F64).is_err());
        for (ty, most) in [
            (F64, u64::MAX),
            (I64, u64::MAX),
            (F32, 0xffff_ffff),
            (I32, 0xffff_ffff),
            (Mask, 1),
        ] {
            assert_eq!(bits(ty, most), Ok(()));
            assert!(most == u64::MAX || bits(ty, most + 1).is_err());
        }
    }

    /// Texts that are not kernels, each because of a single fault.
    #[test]
    fn what_is_no_kernel_is_refused() {
        let param = "fn f0\n  %0: f64 = param\n";
        for (lines, says) in [
            ("fn f0\n  %1: f64 = param\n  return %1", "not in order"),
            ("fn f0\n  %0: f64 = const 0x0\n  return %0", "0 arguments"),
            (
                "fn f0\n  %0: f64 = param\n  %1: f64 = param\n  return %1",
                "2 arguments",
            ),
            (
                "fn f0\n  %0: i64 = param\n  %1: f64 = from_bits %0\n  return %1",
                "argument is not binary64",
            ),
            ("%1: f64 = add %0\n  return %1", "not understood"),
            ("%1: f64 = add %0, %0, %0\n  return %1", "not understood"),
            ("%1: f64 = add 1 %0, %0\n  return %1", "not understood"),
            ("%1: f64 = sine %0\n  return %1", "not known"),
            ("%1: f64 = neg %1\n  return %1", "used before"),
            ("%1: f64 = neg %0\n  return %2", "not made"),
            ("return %0, %0", "more than one result"),
            ("return %0, %0, %0", "more than two results"),
            ("%1: i64 = to_bits %0\n  return %0, %1", "gives I64"),
            ("%1: mask = is_nan %0\n  return %1", "gives Mask"),
            (
                "%1: i64 = to_bits %0\n  %2: f64 = load t0, %1\n  return %2",
                "no table t0",
            ),
            (
                "%1: f64 = call f0 %0\n  %2: f64 = result 0 of %1\n  return %2",
                "calls f0",
            ),
            (
                "%1: f64 = call f1 %0\n  %2: f64 = result 0 of %1\n  return %2",
                "calls f1",
            ),
            ("%1: f64 = result 0 of %0\n  return %1", ""),
        ] {
            let lines = if lines.starts_with("fn") {
                lines.to_string()
            } else {
                format!("{param}  {lines}")
            };
            let error = parse(&lines).expect_err(&lines);
            assert!(error.contains(says), "{says}: {error}");
        }
        let table = |lines: &str| {
            let text = format!(
                "table t0: f64[1]\n  0x3ff0000000000000\n{param}  %1: i64 = to_bits %0\n{lines}"
            );
            parse(&text)
        };
        assert!(table("  %2: f64 = load t0, %1\n  return %2").is_ok());
        for lines in [
            "  %2: f64 = load t1, %1\n  return %2",
            "  %2: f64 = load t0, %0\n  return %2",
            "  %2: f64 = load t0\n  return %2",
            "  %2: f32 = load t0, %1\n  return %0",
        ] {
            assert!(table(lines).is_err(), "{lines}");
        }
        let call = |lines: &str| {
            let callee = "fn f0\n  %0: f64 = param\n  %1: f64 = param\n  %2: f64 = sub %0, %1\n  return %2\n";
            parse(&format!(
                "{callee}fn f1\n  %0: f64 = param\n  %1: f64 = const 0x0\n{lines}"
            ))
        };
        let right = call("  %2: f64 = call f0 %0, %1\n  %3: f64 = result 0 of %2\n  return %3")
            .expect("a kernel");
        // The operands in their order.
        let value = crate::point::evaluate(&right, 3f64.to_bits());
        assert_eq!(value, Ok(3f64.to_bits()));
        for lines in [
            "  %2: f64 = call f0 %0\n  %3: f64 = result 0 of %2\n  return %3",
            "  %2: f64 = call f0 %0, %1\n  %3: f64 = result 1 of %2\n  return %3",
            "  %2: f64 = call f0 %0, %1\n  %3: f64 = neg %2\n  return %3",
            "  %2: f64 = call f2 %0, %1\n  %3: f64 = result 0 of %2\n  return %3",
        ] {
            assert!(call(lines).is_err(), "{lines}");
        }
        assert!(
            Program::parse("doublecrunch ir 2\nfn f0\n  %0: f64 = param\n  return %0\n").is_err()
        );
        // Two results are those of a reference.
        let two = format!("doublecrunch ir 1\n{param}  return %0, %0\n");
        assert_eq!(
            Program::parse_reference(&two).expect("a reference").low,
            Some(0)
        );
    }
}
