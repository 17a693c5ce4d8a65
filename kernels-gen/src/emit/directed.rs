//! Directed roundings as text, for a language without them: the derivation of [`crate::directed`] over a [`FloatOps`]
//! that writes each operation as a statement.

use std::fmt::Write as _;

use super::expr::float;
use super::lang::{Lang, Needs, tag};
use crate::directed::{self, FloatOps};
use crate::ops::{Arith, Direction, Op, Prim};

/// Name of the helper.
pub(super) fn name(arith: Arith, direction: Direction, p: Prim) -> String {
    let arith = format!("{arith:?}").to_ascii_lowercase();
    format!("dc_{arith}_{}_{}", direction.suffix(), tag(p))
}

/// The text of the helper. `arith` is one of the derived operations: `Add`, `Mul`, `Div`, `Sqrt`, `Fma`.
pub(super) fn text(lang: &dyn Lang, arith: Arith, direction: Direction, p: Prim) -> String {
    let names = &["a", "b", "c"][..arith.operands()];
    let mut writer = Writer {
        lang,
        names: names.iter().map(ToString::to_string).collect(),
        known: Vec::new(),
        body: String::new(),
    };
    let m = &mut writer;
    let (a, b, c) = (Name(0), Name(1), Name(2));
    let result = match (arith, p) {
        (Arith::Add, Prim::F64) => directed::add_f64(m, direction, a, b),
        (Arith::Mul, Prim::F64) => directed::mul_f64(m, direction, a, b),
        (Arith::Div, Prim::F64) => directed::div_f64(m, direction, a, b),
        (Arith::Sqrt, Prim::F64) => directed::sqrt_f64(m, direction, a),
        (Arith::Fma, Prim::F64) => directed::fma_f64(m, direction, a, b, c),
        (Arith::Add, _) => directed::add_f32(m, direction, a, b),
        (Arith::Mul, _) => directed::mul_f32(m, direction, a, b),
        (Arith::Div, _) => directed::div_f32(m, direction, a, b),
        (Arith::Sqrt, _) => directed::sqrt_f32(m, direction, a),
        (Arith::Fma, _) => directed::fma_f32(m, direction, a, b, c),
        (Arith::Sub | Arith::Recip, _) => {
            unreachable!("differences and reciprocals are sums and quotients")
        }
    };
    let ty = lang.ty(p);
    let params: Vec<String> = names.iter().map(|n| format!("{ty} {n}")).collect();
    let toward = match direction {
        Direction::Zero => "zero",
        Direction::Up => "+infinity",
        Direction::Down => "-infinity",
    };
    let mut text = format!(
        "// Rounded toward {toward}: the result to nearest, or by the sign of its residual the number next to it.\n\
         {} {ty} {}({}) {{\n{}{}",
        lang.function(),
        name(arith, direction, p),
        params.join(", "),
        lang.pragma(),
        writer.body
    );
    let _ = write!(text, "    return {};\n}}\n", writer.names[result.0]);
    text
}

/// A value in the text: its index in [`Writer::names`].
#[derive(Clone, Copy)]
struct Name(usize);

struct Writer<'a> {
    lang: &'a dyn Lang,
    names: Vec<String>,
    /// Constants that have already been written.
    known: Vec<(Prim, u64, Name)>,
    body: String,
}

impl Writer<'_> {
    /// Writes a statement that defines a value.
    fn define(&mut self, p: Prim, expr: &str) -> Name {
        let n = self.names.len();
        let name = format!("t{n}");
        let _ = writeln!(self.body, "    const {} {name} = {expr};", self.lang.ty(p));
        self.names.push(name);
        Name(n)
    }
    fn constant(&mut self, p: Prim, bits: u64, text: &str) -> Name {
        let known = self.known.iter().find(|k| (k.0, k.1) == (p, bits));
        if let Some(&(.., name)) = known {
            return name;
        }
        let name = self.define(p, text);
        self.known.push((p, bits, name));
        name
    }
    fn arith(&mut self, op: Op, args: &[Name]) -> Name {
        let args: Vec<String> = args.iter().map(|a| self.names[a.0].clone()).collect();
        let mut need = Needs::new();
        let text = self.lang.arith(op, Prim::F64, &args, &mut need);
        debug_assert!(need.is_empty(), "binary64 arithmetic needs no helper");
        self.define(Prim::F64, &text)
    }
    fn binary(&mut self, p: Prim, sign: &str, a: Name, b: Name) -> Name {
        let text = format!("{} {sign} {}", self.names[a.0], self.names[b.0]);
        self.define(p, &text)
    }
    fn choose(&mut self, p: Prim, m: Name, a: Name, b: Name) -> Name {
        let n = &self.names;
        let text = self.lang.select(p, &n[m.0], &n[a.0], &n[b.0]);
        self.define(p, &text)
    }
    fn compare(&mut self, sign: &str, a: Name, b: Name) -> Name {
        let comparison = format!("{} {sign} {}", self.names[a.0], self.names[b.0]);
        let text = self.lang.mask(Prim::F64, &comparison);
        self.define(Prim::Mask, &text)
    }
}

impl FloatOps for Writer<'_> {
    type F64 = Name;
    type F32 = Name;
    type I64 = Name;
    type I32 = Name;
    type Mask = Name;

    fn f64(&mut self, bits: u64) -> Name {
        let text = format!(
            "{} /* {:e} */",
            float(self.lang, Prim::F64, bits),
            f64::from_bits(bits)
        );
        self.constant(Prim::F64, bits, &text)
    }
    fn add(&mut self, a: Name, b: Name) -> Name {
        self.arith(Op::Add, &[a, b])
    }
    fn sub(&mut self, a: Name, b: Name) -> Name {
        self.arith(Op::Sub, &[a, b])
    }
    fn mul(&mut self, a: Name, b: Name) -> Name {
        self.arith(Op::Mul, &[a, b])
    }
    fn div(&mut self, a: Name, b: Name) -> Name {
        self.arith(Op::Div, &[a, b])
    }
    fn fma(&mut self, a: Name, b: Name, c: Name) -> Name {
        self.arith(Op::Fma, &[a, b, c])
    }
    fn sqrt(&mut self, a: Name) -> Name {
        self.arith(Op::Sqrt, &[a])
    }
    fn neg(&mut self, a: Name) -> Name {
        self.arith(Op::Neg, &[a])
    }
    fn abs(&mut self, a: Name) -> Name {
        self.arith(Op::Abs, &[a])
    }
    fn lt(&mut self, a: Name, b: Name) -> Name {
        self.compare("<", a, b)
    }
    fn eq(&mut self, a: Name, b: Name) -> Name {
        self.compare("==", a, b)
    }
    fn select(&mut self, m: Name, a: Name, b: Name) -> Name {
        self.choose(Prim::F64, m, a, b)
    }
    fn bits(&mut self, a: Name) -> Name {
        let text = self.lang.raw_bits(Prim::F64, &self.names[a.0]);
        self.define(Prim::I64, &text)
    }
    fn of_bits(&mut self, a: Name) -> Name {
        let text = self.lang.float_of_bits(Prim::F64, &self.names[a.0]);
        self.define(Prim::F64, &text)
    }

    fn i64(&mut self, bits: u64) -> Name {
        let word = format!("0x{bits:x}{}", self.lang.suffix(Prim::I64));
        let text = self.lang.splat(Prim::I64, &word);
        self.constant(Prim::I64, bits, &text)
    }
    fn add_i64(&mut self, a: Name, b: Name) -> Name {
        self.binary(Prim::I64, "+", a, b)
    }
    fn sub_i64(&mut self, a: Name, b: Name) -> Name {
        self.binary(Prim::I64, "-", a, b)
    }
    fn and_i64(&mut self, a: Name, b: Name) -> Name {
        self.binary(Prim::I64, "&", a, b)
    }
    fn or_i64(&mut self, a: Name, b: Name) -> Name {
        self.binary(Prim::I64, "|", a, b)
    }
    fn xor_i64(&mut self, a: Name, b: Name) -> Name {
        self.binary(Prim::I64, "^", a, b)
    }
    fn shr_i64(&mut self, a: Name, by: u32) -> Name {
        let text = format!("{} >> {by}", self.names[a.0]);
        self.define(Prim::I64, &text)
    }
    fn shl_i64(&mut self, a: Name, by: u32) -> Name {
        let text = format!("{} << {by}", self.names[a.0]);
        self.define(Prim::I64, &text)
    }
    fn lt_i64(&mut self, a: Name, b: Name) -> Name {
        let comparison = format!(
            "{} < {}",
            self.lang.as_signed(Prim::I64, &self.names[a.0]),
            self.lang.as_signed(Prim::I64, &self.names[b.0])
        );
        let text = self.lang.mask(Prim::I64, &comparison);
        self.define(Prim::Mask, &text)
    }
    fn select_i64(&mut self, m: Name, a: Name, b: Name) -> Name {
        self.choose(Prim::I64, m, a, b)
    }

    fn widen(&mut self, a: Name) -> Name {
        let mut need = Needs::new();
        let x = &self.names[a.0];
        let text = self.lang.to_float(Prim::F32, Prim::F64, x, &mut need);
        self.define(Prim::F64, &text)
    }
    fn narrow(&mut self, a: Name) -> Name {
        let mut need = Needs::new();
        let x = &self.names[a.0];
        let text = self.lang.to_float(Prim::F64, Prim::F32, x, &mut need);
        self.define(Prim::F32, &text)
    }
    fn bits_f32(&mut self, a: Name) -> Name {
        let text = self.lang.raw_bits(Prim::F32, &self.names[a.0]);
        self.define(Prim::I32, &text)
    }
    fn f32_of_bits(&mut self, a: Name) -> Name {
        let text = self.lang.float_of_bits(Prim::F32, &self.names[a.0]);
        self.define(Prim::F32, &text)
    }
    fn i32(&mut self, bits: u32) -> Name {
        let word = format!("0x{bits:x}{}", self.lang.suffix(Prim::I32));
        let text = self.lang.splat(Prim::I32, &word);
        self.constant(Prim::I32, bits.into(), &text)
    }
    fn add_i32(&mut self, a: Name, b: Name) -> Name {
        self.binary(Prim::I32, "+", a, b)
    }
    fn sub_i32(&mut self, a: Name, b: Name) -> Name {
        self.binary(Prim::I32, "-", a, b)
    }
    fn and_i32(&mut self, a: Name, b: Name) -> Name {
        self.binary(Prim::I32, "&", a, b)
    }
    fn shr_i32(&mut self, a: Name, by: u32) -> Name {
        let text = format!("{} >> {by}", self.names[a.0]);
        self.define(Prim::I32, &text)
    }
    fn select_i32(&mut self, m: Name, a: Name, b: Name) -> Name {
        self.choose(Prim::I32, m, a, b)
    }

    fn and(&mut self, a: Name, b: Name) -> Name {
        self.binary(Prim::Mask, "&", a, b)
    }
    fn or(&mut self, a: Name, b: Name) -> Name {
        self.binary(Prim::Mask, "|", a, b)
    }
}
