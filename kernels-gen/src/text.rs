//! A program as text: the output of `crunch emit --target ir`, and the basis of a kernel's identity.
//!
//! There is one instruction per line. Everything that affects a bit of a result is before `//`; names, decimals and source lines are after
//! it. The text without the comments is [`crate::identity::identity_text`].

use crate::ir::Loc;
use crate::ops::{Op, Prim};
use crate::program::{Func, Inst, InstKind, Program, Value};
use std::fmt::Write;

/// The first line of every text. The number increases when a text of the old form would have another meaning.
const HEADER: &str = "doublecrunch ir 1";

/// The program's text with comments.
#[must_use]
pub fn text(program: &Program) -> String {
    Writer::default().program(program, true)
}

/// The program's text without comments.
pub(crate) fn bare(program: &Program) -> String {
    Writer::default().program(program, false)
}

/// A lane type's name in the text: Rust's, and `mask`.
#[must_use]
pub fn prim_name(ty: Prim) -> &'static str {
    match ty {
        Prim::F64 => "f64",
        Prim::F32 => "f32",
        Prim::I64 => "i64",
        Prim::I32 => "i32",
        Prim::Mask => "mask",
    }
}

/// An operation's name in the text: `Op::RoundTiesEven` is `round_ties_even`, a directed sum `add_ru`.
#[must_use]
pub fn op_name(op: Op) -> String {
    let (word, suffix) = match op {
        Op::Directed(arith, direction) => (format!("{arith:?}"), direction.suffix()),
        op => (format!("{op:?}"), ""),
    };
    let mut name = String::new();
    for c in word.chars() {
        if c.is_ascii_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(c.to_ascii_lowercase());
    }
    if !suffix.is_empty() {
        name = format!("{name}_{suffix}");
    }
    name
}

/// A value as text according to its type: shortest decimal that parses to it, signed integer, `true` or `false`.
#[must_use]
pub fn decimal(ty: Prim, bits: u64) -> String {
    match ty {
        Prim::F64 => format!("{:?}", f64::from_bits(bits)),
        Prim::F32 => format!("{:?}", f32::from_bits(bits as u32)),
        Prim::I64 => bits.cast_signed().to_string(),
        Prim::I32 => (bits as u32).cast_signed().to_string(),
        Prim::Mask => (bits != 0).to_string(),
    }
}

/// A value's bits as a literal of the type's width.
#[must_use]
pub fn hex(ty: Prim, bits: u64) -> String {
    match ty {
        Prim::F64 | Prim::I64 => format!("0x{bits:016x}"),
        Prim::F32 | Prim::I32 => format!("0x{bits:08x}"),
        Prim::Mask => bits.to_string(),
    }
}

#[derive(Default)]
struct Writer {
    out: String,
    comments: bool,
}

impl Writer {
    fn program(mut self, program: &Program, comments: bool) -> String {
        self.comments = comments;
        self.line(HEADER, "");
        for (i, table) in program.tables.iter().enumerate() {
            let ty = table.prim();
            self.line(
                &format!("table t{i}: {}[{}]", prim_name(ty), table.bits.len()),
                &table.name,
            );
            for &bits in &table.bits {
                self.line(&format!("  {}", hex(ty, bits)), &decimal(ty, bits));
            }
        }
        for (i, func) in program.funcs.iter().enumerate() {
            self.func(i, func);
        }
        self.out
    }

    fn func(&mut self, number: usize, func: &Func) {
        let k = &func.origin;
        let origin = format!(
            "{}: {}::{}, {}:{}",
            func.name, k.module, k.name, k.file, k.line
        );
        self.line(&format!("fn f{number}"), &origin);
        for (i, inst) in func.insts.iter().enumerate() {
            let what = match inst.kind {
                InstKind::Param(_) => "param".to_string(),
                InstKind::Const(bits) => format!("const {}", hex(inst.ty, bits)),
                InstKind::Op(op) => op_name(op),
                InstKind::Load(t) => format!("load t{}", t.0),
                InstKind::Call(f) => format!("call f{}", f.0),
                InstKind::Result(n) => format!("result {n} of"),
            };
            // A call defines no value itself; its number is only referred to by its results.
            let ty = match inst.kind {
                InstKind::Call(_) => "call",
                _ => prim_name(inst.ty),
            };
            let args = list(&inst.args);
            let space = if args.is_empty() { "" } else { " " };
            let line = format!("  %{i}: {ty} = {what}{space}{args}");
            self.line(&line, &comment(func, i, inst));
        }
        self.line(&format!("  return {}", list(&func.results)), "");
    }

    fn line(&mut self, code: &str, comment: &str) {
        self.out.push_str(code);
        if self.comments && !comment.is_empty() {
            write!(self.out, " // {comment}").expect("a string takes all text");
        }
        self.out.push('\n');
    }
}

fn list(values: &[Value]) -> String {
    let names: Vec<String> = values.iter().map(|v| format!("%{}", v.0)).collect();
    names.join(", ")
}

/// `0.1, name, line 12`, as far as they are known.
fn comment(func: &Func, number: usize, inst: &Inst) -> String {
    let mut parts = Vec::new();
    match inst.kind {
        InstKind::Const(bits) => parts.push(decimal(inst.ty, bits)),
        InstKind::Param(_) => parts.push(func.params[number].0.clone()),
        _ => {}
    }
    if !matches!(inst.kind, InstKind::Param(_)) {
        parts.extend(inst.name.as_deref().map(str::to_string));
        let Loc { line, .. } = inst.loc;
        if line != 0 {
            parts.push(format!("line {line}"));
        }
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::identity_text;
    use crate::interp::tests::program;
    use crate::ops::{Arith, Direction};

    #[test]
    fn a_text_is_the_identity_and_comments() {
        let p = program();
        let stripped: String = text(&p)
            .lines()
            .map(|l| format!("{}\n", l.split(" //").next().unwrap_or_default()))
            .collect();
        assert_eq!(stripped, identity_text(&p));
    }

    #[test]
    fn a_text_reads_well() {
        let text = text(&program());
        for line in [
            "table t0: f64[3] // table_0",
            "  0xc01c000000000000 // -7.0",
            "fn f0 // two_sum: tests::two_sum, src/tests.rs:3",
            "  %0: f64 = param // a",
            "  %2: f64 = add %0, %1 // s",
            "  %1: f64 = const 0x3fb999999999999a // 0.1",
            "  %2: call = call f0 %0, %1",
            "  %3: f64 = result 0 of %2",
        ] {
            assert!(text.lines().any(|l| l == line), "{text}\nlacks {line}");
        }
        let last = text.lines().last().expect("lines");
        assert!(last.starts_with("  return %"), "{last}");
    }

    #[test]
    fn constants_lose_nothing() {
        let all = [
            (0.1, "0.1"),
            (f64::from_bits(1), "5e-324"),
            (-0.0, "-0.0"),
            (f64::MAX, "1.7976931348623157e308"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "NaN"),
        ];
        for (x, want) in all {
            assert_eq!(decimal(Prim::F64, x.to_bits()), want);
        }
        assert_eq!(decimal(Prim::F32, 1), "1e-45");
        assert_eq!(decimal(Prim::I32, 0xffff_ffff), "-1");
        assert_eq!(hex(Prim::I32, 0xffff_ffff), "0xffffffff");
        assert_eq!(op_name(Op::RoundTiesEven), "round_ties_even");
        assert_eq!(op_name(Op::ToF64), "to_f64");
        assert_eq!(op_name(Op::Directed(Arith::Fma, Direction::Down)), "fma_rd");
    }
}
