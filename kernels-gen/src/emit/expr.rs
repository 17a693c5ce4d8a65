//! One operation, one constant, one helper function as C text.
//!
//! Integers are unsigned in the text, because signed overflow is undefined in C. They are cast to signed where a comparison, an arithmetic
//! shift or a conversion needs it. [`Lang`] writes floating-point operations, so this file contains no arithmetic on floats.

use super::lang::{Helper, Lang, Needs, int_of, tag, width};
use crate::ops::{Op, Prim};

/// The decimal of a constant: the shortest that parses to the same value.
pub(super) fn decimal(p: Prim, bits: u64) -> String {
    match p {
        Prim::F64 => format!("{:?}", f64::from_bits(bits)),
        Prim::F32 => format!("{:?}", f32::from_bits(bits as u32)),
        Prim::I64 => (bits as i64).to_string(),
        Prim::I32 => (bits as u32 as i32).to_string(),
        Prim::Mask => (bits != 0).to_string(),
    }
}

/// An unsigned literal: decimal if it is small, otherwise hexadecimal of full width.
fn word(lang: &dyn Lang, p: Prim, bits: u64) -> String {
    let suffix = lang.suffix(p);
    if bits < 4096 {
        format!("{bits}{suffix}")
    } else {
        format!("0x{bits:0width$x}{suffix}", width = width(p) as usize / 4)
    }
}

/// A float from its bits, without a comment.
pub(super) fn float(lang: &dyn Lang, p: Prim, bits: u64) -> String {
    let digits = width(p) as usize / 4;
    let word = format!("0x{bits:0digits$x}{}", lang.suffix(int_of(p)));
    lang.splat(p, &lang.scalar_of_bits(p, &word))
}

/// A constant with its decimal as a comment.
pub(super) fn constant(lang: &dyn Lang, p: Prim, bits: u64) -> String {
    match p {
        Prim::F64 | Prim::F32 => format!("{} /* {} */", float(lang, p, bits), decimal(p, bits)),
        Prim::I64 | Prim::I32 => {
            let value = lang.splat(p, &word(lang, p, bits));
            if bits < 4096 {
                value
            } else {
                format!("{value} /* {} */", decimal(p, bits))
            }
        }
        Prim::Mask => lang.splat(p, if bits == 0 { "false" } else { "true" }),
    }
}

/// The expression of one operation. `on` is the type of its first operand, or of the second for a select.
pub(super) fn operation(
    lang: &dyn Lang,
    op: Op,
    on: Prim,
    to: Prim,
    a: &[String],
    need: &mut Needs,
) -> String {
    let binary = |sign: &str| format!("{} {sign} {}", a[0], a[1]);
    let compare = |sign: &str| {
        if on.is_int() {
            format!(
                "{} {sign} {}",
                lang.as_signed(on, &a[0]),
                lang.as_signed(on, &a[1])
            )
        } else {
            binary(sign)
        }
    };
    let mask = |comparison: String| lang.mask(on, &comparison);
    let mut helper = |h: Helper, name: String| {
        need.insert(h);
        format!("{name}({})", a.join(", "))
    };
    let amount = || {
        let s = lang.suffix(on);
        // A literal, alone or in every lane.
        let literal = a[1]
            .rsplit('(')
            .next()
            .unwrap_or_default()
            .trim_end_matches(')');
        match literal.strip_suffix(s).and_then(|n| n.parse::<u32>().ok()) {
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
        Op::Directed(..) => lang.arith(op, on, a, need),
        Op::Neg | Op::Abs | Op::Floor | Op::Ceil | Op::Trunc | Op::RoundTiesEven => {
            lang.arith(op, on, a, need)
        }
        Op::Min => format!("{} ? {} : {}", compare("<"), a[0], a[1]),
        Op::Max => format!("{} ? {} : {}", compare(">"), a[0], a[1]),
        Op::CopySign => helper(Helper::CopySign(on), format!("dc_copysign_{}", tag(on))),
        Op::Lt => mask(compare("<")),
        Op::Le => mask(compare("<=")),
        Op::Gt => mask(compare(">")),
        Op::Ge => mask(compare(">=")),
        Op::Eq => mask(binary("==")),
        Op::Ne => mask(binary("!=")),
        Op::IsNan => mask(format!("{0} != {0}", a[0])),
        Op::IsSignNegative => helper(Helper::Negative(on), format!("dc_negative_{}", tag(on))),
        Op::ToF64 | Op::ToF32 if on == to => a[0].clone(),
        Op::ToF64 | Op::ToF32 => lang.to_float(on, to, &a[0], need),
        Op::ToI64 | Op::ToI32 if on.is_float() => helper(
            Helper::ToInt(on, to),
            format!("dc_{}_to_{}", tag(on), tag(to)),
        ),
        Op::ToI64 if on == Prim::I32 => lang.sign_extend(&a[0]),
        Op::ToI32 if on == Prim::I64 => lang.resize(to, &a[0]),
        Op::ToI64 | Op::ToI32 => a[0].clone(),
        Op::ToBits => helper(Helper::Bits(on), format!("dc_bits_{}", tag(on))),
        Op::FromBits => lang.float_of_bits(to, &a[0]),
        Op::And => binary("&"),
        Op::Or => binary("|"),
        Op::Xor => binary("^"),
        Op::Not if on == Prim::Mask => lang.not(&a[0]),
        Op::Not => format!("~{}", a[0]),
        Op::Shl => format!("{} << {}", a[0], amount()),
        Op::ShrLogical => format!("{} >> {}", a[0], amount()),
        Op::Shr => lang.as_unsigned(
            on,
            &format!("({} >> {})", lang.as_signed(on, &a[0]), amount()),
        ),
        Op::Select => lang.select(to, &a[0], &a[1], &a[2]),
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
            let head = head(i, &format!("dc_bits_{}", tag(p)), &[(p, "x")]);
            let nan = lang.splat(i, &format!("{}{}", nan(p), lang.suffix(i)));
            format!(
                "// Bits; of any NaN those of the canonical one.\n{head}    const {} raw = {};\n    \
                 return x != x ? {nan} : raw;\n}}\n",
                lang.ty(i),
                lang.raw_bits(p, "x")
            )
        }
        Helper::Negative(p) => {
            let i = int_of(p);
            let head = head(Prim::Mask, &format!("dc_negative_{}", tag(p)), &[(p, "x")]);
            let test = format!(
                "(x == x) & ((raw >> {}) != 0{})",
                width(p) - 1,
                lang.suffix(i)
            );
            format!(
                "// Sign bit; a NaN is canonical, so positive.\n{head}    const {} raw = {};\n    return {};\n}}\n",
                lang.ty(i),
                lang.raw_bits(p, "x"),
                lang.mask(p, &test)
            )
        }
        Helper::CopySign(p) => {
            let i = int_of(p);
            let params = [(p, "magnitude"), (p, "sign")];
            let head = head(p, &format!("dc_copysign_{}", tag(p)), &params);
            let (u, s, sign_bit) = (lang.ty(i), lang.suffix(i), 1u64 << (width(p) - 1));
            let digits = width(p) as usize / 4;
            let (m, g) = (lang.raw_bits(p, "magnitude"), lang.raw_bits(p, "sign"));
            let zero = lang.splat(i, &format!("0{s}"));
            let result = lang.float_of_bits(p, "bits");
            format!(
                "// Magnitude of the first, sign of the second; a NaN is canonical, so positive.\n{head}    \
                 const {u} rest = {m} & 0x{:0digits$x}{s};\n    \
                 const {u} raw = {g} & 0x{sign_bit:0digits$x}{s};\n    \
                 const {u} top = sign != sign ? {zero} : raw;\n    const {u} bits = rest | top;\n    \
                 return {result};\n}}\n",
                sign_bit - 1,
            )
        }
        Helper::ToInt(from, to) => {
            if let Some(text) = lang.own_to_int(from, to) {
                return text;
            }
            let name = format!("dc_{}_to_{}", tag(from), tag(to));
            to_int(lang, from, to, &head(to, &name, &[(from, "x")]))
        }
        Helper::Clamp(p) => {
            let params = [(p, "index"), (p, "last")];
            let head = head(p, &format!("dc_clamp_{}", tag(p)), &params);
            let zero = lang.splat(p, &format!("0{}", lang.suffix(p)));
            format!(
                "// A signed index held inside 0..=last.\n{head}    \
                 const {} low = {} < 0 ? {zero} : index;\n    \
                 return low > last ? last : low;\n}}\n",
                lang.ty(p),
                lang.as_signed(p, "index")
            )
        }
        Helper::DivideF32
        | Helper::SqrtF32
        | Helper::LongToF64
        | Helper::LongToF32
        | Helper::Directed(..) => lang.own_helper(helper),
    }
}

/// A saturating conversion of a float to an integer. Both bounds are powers of two and therefore exact. Below the lower bound everything
/// saturates; from it upward, truncation stays in range.
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
    let (f, u, m) = (lang.ty(from), lang.ty(to), lang.ty(Prim::Mask));
    let edge = |value: u64| {
        let digits = bits as usize / 4;
        lang.splat(to, &format!("0x{value:0digits$x}{}", lang.suffix(to)))
    };
    let (max, min) = (edge((1 << (bits - 1)) - 1), edge(1 << (bits - 1)));
    let cut = lang.as_unsigned(to, &lang.toward_zero(from, to, "inside"));
    let high = lang.mask(from, &format!("x >= {}", bound("")));
    let low = lang.mask(from, &format!("x < {}", bound("-")));
    let nan = lang.mask(from, "x != x");
    format!(
        "// Toward zero, saturating; NaN gives 0.\n{head}    const {m} high = {high};\n    \
         const {m} low = {low};\n    const {m} nan = {nan};\n    const {m} bad = nan | high | low;\n    \
         const {f} inside = {};\n    const {u} whole = {cut};\n    \
         const {u} capped = {};\n    return {};\n}}\n",
        lang.select(from, "bad", &float(lang, from, 0), "x"),
        lang.select(to, "high", &max, "whole"),
        lang.select(to, "low", &min, "capped"),
    )
}
