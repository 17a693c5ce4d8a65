//! One operation, one constant, one helper function as C text.
//!
//! Integers are unsigned in the text because signed overflow is undefined in C; a signed view is taken by a cast
//! where comparison, arithmetic shift and conversion need it. Floating-point operations are spelled by the
//! [`Lang`], so this file contains no arithmetic on floats.

use super::lang::{Helper, Lang, Needs, int_of, tag, width};
use crate::ops::{Op, Prim};

/// The decimal of a constant: the shortest that reads back as the same value.
pub(super) fn decimal(p: Prim, bits: u64) -> String {
    match p {
        Prim::F64 => format!("{:?}", f64::from_bits(bits)),
        Prim::F32 => format!("{:?}", f32::from_bits(bits as u32)),
        Prim::I64 => (bits as i64).to_string(),
        Prim::I32 => (bits as u32 as i32).to_string(),
        Prim::Mask => (bits != 0).to_string(),
    }
}

/// An unsigned literal: decimal when small, else hexadecimal of full width.
fn word(lang: &dyn Lang, p: Prim, bits: u64) -> String {
    let suffix = lang.suffix(p);
    if bits < 4096 {
        format!("{bits}{suffix}")
    } else {
        format!("0x{bits:0width$x}{suffix}", width = width(p) as usize / 4)
    }
}

/// A float from its bits, no comment.
pub(super) fn float(lang: &dyn Lang, p: Prim, bits: u64) -> String {
    let digits = width(p) as usize / 4;
    lang.float_of_bits(p, &format!("0x{bits:0digits$x}{}", lang.suffix(int_of(p))))
}

/// A constant with its decimal beside it.
pub(super) fn konst(lang: &dyn Lang, p: Prim, bits: u64) -> String {
    match p {
        Prim::F64 | Prim::F32 => format!("{} /* {} */", float(lang, p, bits), decimal(p, bits)),
        Prim::I64 | Prim::I32 if bits < 4096 => word(lang, p, bits),
        Prim::I64 | Prim::I32 => format!("{} /* {} */", word(lang, p, bits), decimal(p, bits)),
        Prim::Mask => decimal(p, bits),
    }
}

/// The expression of one operation. `on` is the type of its first operand (of the second, for a select).
pub(super) fn operation(
    lang: &dyn Lang,
    op: Op,
    on: Prim,
    to: Prim,
    a: &[String],
    need: &mut Needs,
) -> String {
    let binary = |sign: &str| format!("{} {sign} {}", a[0], a[1]);
    let signed = |x: &str| format!("({}){x}", lang.signed(on));
    let compare = |sign: &str| {
        if on.is_int() {
            format!("{} {sign} {}", signed(&a[0]), signed(&a[1]))
        } else {
            binary(sign)
        }
    };
    let mut helper = |h: Helper, name: String| {
        need.insert(h);
        format!("{name}({})", a.join(", "))
    };
    let amount = || {
        let s = lang.suffix(on);
        match a[1].strip_suffix(s).and_then(|n| n.parse::<u32>().ok()) {
            Some(n) => format!("{}", n % width(on)),
            None => format!("({} & {}{s})", a[1], width(on) - 1),
        }
    };
    match op {
        Op::Add | Op::Sub | Op::Mul if on.is_int() => binary(match op {
            Op::Add => "+",
            Op::Sub => "-",
            _ => "*",
        }),
        Op::Neg if on.is_int() => format!("0{} - {}", lang.suffix(on), a[0]),
        Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Fma | Op::Sqrt | Op::Recip => {
            lang.arith(op, on, a, need)
        }
        Op::Neg | Op::Abs | Op::Floor | Op::Ceil | Op::Trunc | Op::RoundTiesEven => {
            lang.arith(op, on, a, need)
        }
        Op::Min => format!("{} ? {} : {}", compare("<"), a[0], a[1]),
        Op::Max => format!("{} ? {} : {}", compare(">"), a[0], a[1]),
        Op::CopySign => helper(Helper::CopySign(on), format!("dc_copysign_{}", tag(on))),
        Op::Lt => compare("<"),
        Op::Le => compare("<="),
        Op::Gt => compare(">"),
        Op::Ge => compare(">="),
        Op::Eq => binary("=="),
        Op::Ne => binary("!="),
        Op::IsNan => format!("{0} != {0}", a[0]),
        Op::IsSignNegative => helper(Helper::Negative(on), format!("dc_negative_{}", tag(on))),
        Op::ToF64 | Op::ToF32 if on == to => a[0].clone(),
        Op::ToF64 | Op::ToF32 => lang.to_float(on, to, &a[0]),
        Op::ToI64 | Op::ToI32 if on.is_float() => helper(
            Helper::ToInt(on, to),
            format!("dc_{}_to_{}", tag(on), tag(to)),
        ),
        Op::ToI64 if on == Prim::I32 => format!(
            "({})({})({}){}",
            lang.ty(to),
            lang.signed(to),
            lang.signed(on),
            a[0]
        ),
        Op::ToI32 if on == Prim::I64 => format!("({}){}", lang.ty(to), a[0]),
        Op::ToI64 | Op::ToI32 => a[0].clone(),
        Op::ToBits => helper(Helper::Bits(on), format!("dc_bits_{}", tag(on))),
        Op::FromBits => lang.float_of_bits(to, &a[0]),
        Op::And => binary("&"),
        Op::Or => binary("|"),
        Op::Xor => binary("^"),
        Op::Not if on == Prim::Mask => format!("!{}", a[0]),
        Op::Not => format!("~{}", a[0]),
        Op::Shl => format!("{} << {}", a[0], amount()),
        Op::ShrLogical => format!("{} >> {}", a[0], amount()),
        Op::Shr => format!("({})({} >> {})", lang.ty(on), signed(&a[0]), amount()),
        Op::Select => format!("{} ? {} : {}", a[0], a[1], a[2]),
    }
}

/// Text of a helper.
pub(super) fn helper_text(lang: &dyn Lang, helper: Helper) -> String {
    let head = |ret: Prim, name: &str, params: &[(Prim, &str)]| {
        let params: Vec<String> = params
            .iter()
            .map(|(p, n)| format!("{} {n}", lang.ty(*p)))
            .collect();
        format!(
            "{} {} {name}({}) {{\n{}",
            lang.function(),
            lang.ty(ret),
            params.join(", "),
            lang.pragma()
        )
    };
    let nan = |p: Prim| {
        if p == Prim::F64 {
            "0x7ff8000000000000"
        } else {
            "0x7fc00000"
        }
    };
    match helper {
        Helper::Bits(p) => {
            let i = int_of(p);
            let (head, u, s) = (
                head(i, &format!("dc_bits_{}", tag(p)), &[(p, "x")]),
                lang.ty(i),
                lang.suffix(i),
            );
            let (raw, nan) = (lang.raw_bits(p, "x"), nan(p));
            format!(
                "// Bits; of any NaN those of the canonical one.\n{head}    const {u} raw = {raw};\n    return x != x ? {nan}{s} : raw;\n}}\n"
            )
        }
        Helper::Negative(p) => {
            let i = int_of(p);
            let head = head(Prim::Mask, &format!("dc_negative_{}", tag(p)), &[(p, "x")]);
            let (u, raw, top) = (lang.ty(i), lang.raw_bits(p, "x"), width(p) - 1);
            format!(
                "// Sign bit; a NaN is canonical, so positive.\n{head}    const {u} raw = {raw};\n    return (x == x) & ((raw >> {top}) != 0{s});\n}}\n",
                s = lang.suffix(i)
            )
        }
        Helper::CopySign(p) => {
            let i = int_of(p);
            let head = head(
                p,
                &format!("dc_copysign_{}", tag(p)),
                &[(p, "magnitude"), (p, "sign")],
            );
            let (u, s, sign_bit) = (lang.ty(i), lang.suffix(i), 1u64 << (width(p) - 1));
            let digits = width(p) as usize / 4;
            let (m, g) = (lang.raw_bits(p, "magnitude"), lang.raw_bits(p, "sign"));
            let result = lang.float_of_bits(p, "bits");
            format!(
                "// Magnitude of the first, sign of the second; a NaN is canonical, so positive.\n{head}    \
                 const {u} rest = {m} & 0x{:0digits$x}{s};\n    \
                 const {u} raw = {g} & 0x{sign_bit:0digits$x}{s};\n    \
                 const {u} top = sign != sign ? 0{s} : raw;\n    const {u} bits = rest | top;\n    \
                 return {result};\n}}\n",
                sign_bit - 1,
            )
        }
        Helper::ToInt(from, to) => to_int(
            lang,
            from,
            to,
            &head(
                to,
                &format!("dc_{}_to_{}", tag(from), tag(to)),
                &[(from, "x")],
            ),
        ),
        Helper::Clamp(p) => {
            let head = head(
                p,
                &format!("dc_clamp_{}", tag(p)),
                &[(p, "index"), (p, "last")],
            );
            let (i, s, u) = (lang.signed(p), lang.suffix(p), lang.ty(p));
            format!(
                "// A signed index held inside 0..=last.\n{head}    \
                 const {u} low = ({i})index < 0 ? 0{s} : index;\n    \
                 return low > last ? last : low;\n}}\n"
            )
        }
        Helper::DivideF32 | Helper::SqrtF32 => lang.own_helper(helper),
    }
}

/// Saturating float to integer. Both bounds are powers of two, hence exact; below the lower one everything
/// saturates, and from it upward truncation stays in range.
fn to_int(lang: &dyn Lang, from: Prim, to: Prim, head: &str) -> String {
    let bits = width(to);
    let bound = |sign: &str| {
        let value = if sign.is_empty() { 1.0 } else { -1.0 } * (f64::from(bits) - 1.0).exp2();
        let raw = if from == Prim::F64 {
            value.to_bits()
        } else {
            u64::from((value as f32).to_bits())
        };
        format!("{} /* {sign}2^{} */", float(lang, from, raw), bits - 1)
    };
    let (f, u, s) = (lang.ty(from), lang.ty(to), lang.suffix(to));
    let zero = float(lang, from, 0);
    let max = if bits == 64 {
        format!("0x7fffffffffffffff{s}")
    } else {
        format!("0x7fffffff{s}")
    };
    let min = if bits == 64 {
        format!("0x8000000000000000{s}")
    } else {
        format!("0x80000000{s}")
    };
    let cut = lang.toward_zero(from, to, "inside");
    format!(
        "// Toward zero, saturating; NaN gives 0.\n{head}    const bool high = x >= {};\n    \
         const bool low = x < {};\n    const bool bad = (x != x) | high | low;\n    \
         const {f} inside = bad ? {zero} : x;\n    const {u} whole = ({u}){cut};\n    \
         const {u} capped = high ? {max} : whole;\n    return low ? {min} : capped;\n}}\n",
        bound(""),
        bound("-"),
    )
}
