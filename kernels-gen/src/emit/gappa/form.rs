//! Operations, their roundings, and numbers in Gappa's language.

use crate::ops::{Arith, Direction, Op, Prim};

/// The rounding operator of a type.
pub(super) fn rounding(ty: Prim) -> Option<&'static str> {
    match ty {
        Prim::F64 => Some("f64"),
        Prim::F32 => Some("f32"),
        _ => None,
    }
}

/// The rounding of an operation with a result of this type. Directions are named as in Gappa's manual ("Rounding operators").
pub(super) fn rounding_of(op: Op, ty: Prim) -> String {
    let Op::Directed(_, direction) = op else {
        return rounding(ty).unwrap_or_default().to_string();
    };
    let width = if ty == Prim::F64 { 64 } else { 32 };
    let direction = match direction {
        Direction::Zero => "zr",
        Direction::Up => "up",
        Direction::Down => "dn",
    };
    format!("float<ieee_{width},{direction}>")
}

/// An operation in Gappa.
pub(super) enum Form {
    /// Rounded to the type of the result.
    Rounded(String),
    /// Exact.
    Unrounded(String),
    /// The operand itself.
    Same,
}

/// The form of an operation on floats with a result of type `to`.
pub(super) fn form(op: Op, to: Prim, args: &[&str]) -> Option<Form> {
    let text = match (undirected(op), args) {
        (Op::Add, [a, b]) => format!("{a} + {b}"),
        (Op::Sub, [a, b]) => format!("{a} - {b}"),
        (Op::Mul, [a, b]) => format!("{a} * {b}"),
        (Op::Div, [a, b]) => format!("{a} / {b}"),
        (Op::Fma, [a, b, c]) => format!("{a} * {b} + {c}"),
        (Op::Recip, [a]) => format!("1 / {a}"),
        (Op::Sqrt, [a]) => format!("sqrt({a})"),
        (Op::ToF32, [a]) => (*a).to_string(),
        (Op::ToF64, [_]) if to == Prim::F64 => return Some(Form::Same),
        (Op::Neg, [a]) => return Some(Form::Unrounded(format!("-{a}"))),
        (Op::Abs, [a]) => return Some(Form::Unrounded(format!("|{a}|"))),
        _ => return None,
    };
    Some(Form::Rounded(text))
}

/// The operation that rounds to nearest and has the same exact value.
fn undirected(op: Op) -> Op {
    match op {
        Op::Directed(Arith::Add, _) => Op::Add,
        Op::Directed(Arith::Sub, _) => Op::Sub,
        Op::Directed(Arith::Mul, _) => Op::Mul,
        Op::Directed(Arith::Div, _) => Op::Div,
        Op::Directed(Arith::Recip, _) => Op::Recip,
        Op::Directed(Arith::Sqrt, _) => Op::Sqrt,
        Op::Directed(Arith::Fma, _) => Op::Fma,
        op => op,
    }
}

/// A finite number, exactly: Gappa has no signed zero.
pub(super) fn hex_float(x: f64) -> String {
    if x == 0.0 {
        return "0".into();
    }
    let bits = x.to_bits();
    let sign = if x < 0.0 { "-" } else { "" };
    let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52 & 0x7ff) as i32);
    let (lead, exponent) = match exponent {
        0 => (0, -1022),
        e => (1, e - 1023),
    };
    let digits = format!("{fraction:013x}");
    let point = match digits.trim_end_matches('0') {
        "" => String::new(),
        digits => format!(".{digits}"),
    };
    format!("{sign}0x{lead}{point}p{exponent}")
}

#[cfg(test)]
mod tests {
    use super::hex_float;

    #[test]
    fn numbers_are_exact() {
        for (x, text) in [
            (1.0, "0x1p0"),
            (-0.1, "-0x1.999999999999ap-4"),
            (-0.0, "0"),
            (f64::from_bits(1), "0x0.0000000000001p-1022"),
            (f64::MAX, "0x1.fffffffffffffp1023"),
        ] {
            assert_eq!(hex_float(x), text);
        }
    }
}
