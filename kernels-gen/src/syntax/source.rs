//! A unit as Rust source, in the form in which a person would write it in a file of kernels. rustc and `#[crunch]` get this text.

use std::fmt::Write as _;

use super::tree::unary_symbol;
use super::visit;
use super::{Block, Callee, ConstValue, Expr, Func, Kind, Pat, Stmt, Ty, Unit};
use crate::ir::{BinOp, Elem};
use crate::ops::Prim;

/// The file.
#[must_use]
pub fn source(unit: &Unit) -> String {
    let mut out = String::new();
    for line in &unit.head {
        let _ = writeln!(out, "{}", format!("//! {line}").trim_end());
    }
    if !unit.head.is_empty() {
        out.push('\n');
    }
    out.push_str("use doublecrunch::prelude::*;\n");
    for c in &unit.consts {
        let (ty, value) = match c.value {
            ConstValue::Number(elem, bits) => (elem_name(elem), number(elem, bits)),
            ConstValue::Usize(n) => ("usize", n.to_string()),
            ConstValue::Bool(b) => ("bool", b.to_string()),
        };
        let _ = writeln!(out, "pub const {}: {ty} = {value};", c.name);
    }
    for t in &unit.tables {
        let values: Vec<String> = t.bits.iter().map(|&b| number(t.elem, b)).collect();
        let _ = writeln!(
            out,
            "pub {} {}: [{}; {}] = [{}];",
            if t.is_static { "static" } else { "const" },
            t.name,
            elem_name(t.elem),
            t.bits.len(),
            values.join(", ")
        );
    }
    for func in &unit.funcs {
        let mut writer = Writer {
            unit,
            func,
            assigned: visit::assigned(&func.body),
            out: String::new(),
        };
        writer.func();
        out.push('\n');
        out.push_str(&writer.out);
    }
    out
}

fn elem_name(elem: Elem) -> &'static str {
    match elem {
        Elem::F64 => "f64",
        Elem::F32 => "f32",
        Elem::I64 => "i64",
        Elem::U64 => "u64",
        Elem::I32 => "i32",
        Elem::U32 => "u32",
    }
}

fn number(elem: Elem, bits: u64) -> String {
    match elem {
        Elem::F64 => format!("f64::from_bits({bits:#x})"),
        Elem::F32 => format!("f32::from_bits({bits:#x})"),
        Elem::I64 => (bits as i64).to_string(),
        Elem::I32 => (bits as u32 as i32).to_string(),
        Elem::U64 | Elem::U32 => format!("{bits:#x}"),
    }
}

/// A type in a signature.
#[must_use]
pub fn type_name(ty: &Ty) -> String {
    match ty {
        Ty::Lane(Prim::F64) => "DcDouble".into(),
        Ty::Lane(Prim::F32) => "DcFloat".into(),
        Ty::Lane(Prim::I64) => "DcLong".into(),
        Ty::Lane(Prim::I32) => "DcInt".into(),
        Ty::Lane(Prim::Mask) => "DcMask".into(),
        Ty::Dd => "DcDoubleDouble".into(),
        Ty::Tuple(items) => {
            let items: Vec<String> = items.iter().map(|t| type_name(t) + ",").collect();
            format!("({})", items.join(" "))
        }
        Ty::Index => "usize".into(),
        Ty::Bool => "bool".into(),
        Ty::Table(elem) => format!("&[{}]", elem_name(*elem)),
    }
}

struct Writer<'a> {
    unit: &'a Unit,
    func: &'a Func,
    assigned: Vec<usize>,
    out: String,
}

impl Writer<'_> {
    fn func(&mut self) {
        let func = self.func;
        let params: Vec<String> = func
            .params
            .iter()
            .map(|p| {
                let local = &func.locals[p.local];
                format!("{}: {}", local.name, type_name(&local.ty))
            })
            .collect();
        for line in &func.doc {
            let _ = writeln!(self.out, "{}", format!("/// {line}").trim_end());
        }
        let _ = write!(
            self.out,
            "#[crunch]\npub fn {}{}({}) -> {} ",
            func.name,
            if func.generic { "<const N: usize>" } else { "" },
            params.join(", "),
            type_name(&func.ret)
        );
        self.block(&func.body, 0);
        self.out.push('\n');
    }

    fn indent(&mut self, depth: usize) {
        self.out.push_str(&"    ".repeat(depth));
    }

    fn block(&mut self, block: &Block, depth: usize) {
        self.out.push_str("{\n");
        for stmt in &block.stmts {
            self.indent(depth + 1);
            self.stmt(stmt, depth + 1);
            self.out.push('\n');
        }
        if let Some(value) = &block.value {
            self.indent(depth + 1);
            self.expr(value, depth + 1);
            self.out.push('\n');
        }
        self.indent(depth);
        self.out.push('}');
    }

    fn stmt(&mut self, stmt: &Stmt, depth: usize) {
        match stmt {
            Stmt::Let(pat, annotated, value) => {
                self.out.push_str("let ");
                self.pat(pat);
                if *annotated {
                    let _ = write!(self.out, ": {}", type_name(&value.ty));
                }
                self.out.push_str(" = ");
                self.expr(value, depth);
                self.out.push(';');
                if let Pat::Local(n) = pat
                    && self.func.locals[*n].line > 0
                {
                    let _ = write!(self.out, " // line {}", self.func.locals[*n].line);
                }
            }
            Stmt::Assign(local, value) => {
                let name = &self.func.locals[*local].name;
                match &value.kind {
                    // Compound assignment has no node of its own in the tree.
                    Kind::Binary(op, left, right)
                        if matches!(left.kind, Kind::Local(l) if l == *local)
                            && !matches!(op, BinOp::AndAlso | BinOp::OrElse)
                            && value.ty == left.ty =>
                    {
                        let _ = write!(self.out, "{name} {}= ", op.symbol());
                        self.expr(right, depth);
                    }
                    _ => {
                        let _ = write!(self.out, "{name} = ");
                        self.expr(value, depth);
                    }
                }
                self.out.push(';');
            }
            Stmt::If(cond, then, otherwise) => {
                self.out.push_str("if ");
                self.expr(cond, depth);
                self.out.push(' ');
                self.block(then, depth);
                if let Some(otherwise) = otherwise {
                    self.out.push_str(" else ");
                    self.block(otherwise, depth);
                }
            }
            Stmt::For(counter, range, body) => {
                let _ = write!(self.out, "for {} in ", self.func.locals[*counter].name);
                let plain = !range.rev && range.step.is_none();
                if !plain {
                    self.out.push('(');
                }
                self.expr(&range.start, depth);
                self.out
                    .push_str(if range.inclusive { "..=" } else { ".." });
                self.expr(&range.end, depth);
                if !plain {
                    self.out.push(')');
                }
                if range.rev {
                    self.out.push_str(".rev()");
                }
                if let Some(step) = range.step {
                    let _ = write!(self.out, ".step_by({step})");
                }
                self.out.push(' ');
                self.block(body, depth);
            }
        }
    }

    fn pat(&mut self, pat: &Pat) {
        match pat {
            Pat::Local(n) => {
                if self.assigned.contains(n) {
                    self.out.push_str("mut ");
                }
                self.out.push_str(&self.func.locals[*n].name);
            }
            Pat::Wild => self.out.push('_'),
            Pat::Tuple(items) => {
                self.out.push('(');
                for item in items {
                    self.pat(item);
                    self.out.push_str(", ");
                }
                self.out.push(')');
            }
        }
    }

    fn list(&mut self, exprs: &[Expr], depth: usize) {
        for (i, e) in exprs.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.expr(e, depth);
        }
    }

    fn expr(&mut self, e: &Expr, depth: usize) {
        match &e.kind {
            Kind::Local(n) => self.out.push_str(&self.func.locals[*n].name),
            Kind::Float(x) if x.is_sign_negative() => {
                let _ = write!(self.out, "({x:?})");
            }
            Kind::Float(x) => {
                let _ = write!(self.out, "{x:?}");
            }
            Kind::Int(n) if *n < 0 => {
                let _ = write!(self.out, "({n})");
            }
            Kind::Int(n) => {
                let _ = write!(self.out, "{n}");
            }
            Kind::Const(n) => self.out.push_str(&self.unit.consts[*n].name),
            Kind::Table(n) => self.out.push_str(&self.unit.tables[*n].name),
            Kind::Generic => self.out.push('N'),
            Kind::Unary(op, a) => {
                let _ = write!(self.out, "({}", unary_symbol(*op));
                self.expr(a, depth);
                self.out.push(')');
            }
            Kind::Binary(op, a, b) => {
                self.out.push('(');
                self.expr(a, depth);
                let _ = write!(self.out, " {} ", op.symbol());
                self.expr(b, depth);
                self.out.push(')');
            }
            Kind::Method(name, receiver, args) => {
                self.expr(receiver, depth);
                let _ = write!(self.out, ".{name}(");
                self.list(args, depth);
                self.out.push(')');
            }
            Kind::FromBits(bits) => {
                let _ = write!(self.out, "{}::from_bits(", type_name(&e.ty));
                self.expr(bits, depth);
                self.out.push(')');
            }
            Kind::NewDd(hi, lo) => {
                self.out.push_str("DcDoubleDouble::new(");
                self.expr(hi, depth);
                self.out.push_str(", ");
                self.expr(lo, depth);
                self.out.push(')');
            }
            Kind::Call(callee, args) => {
                match callee {
                    Callee::Own(n, generic) => {
                        self.out.push_str(&self.unit.funcs[*n].name);
                        if let Some(value) = generic {
                            let _ = write!(self.out, "::<{value}>");
                        }
                    }
                    Callee::Library(n) => self.out.push_str(self.unit.library[*n].name),
                }
                self.out.push('(');
                for (i, arg) in args.iter().enumerate() {
                    if i > 0 {
                        self.out.push_str(", ");
                    }
                    if matches!(arg.kind, Kind::Table(_)) {
                        self.out.push('&');
                    }
                    self.expr(arg, depth);
                }
                self.out.push(')');
            }
            Kind::Load(of, index) => {
                self.expr(of, depth);
                self.out.push('[');
                self.expr(index, depth);
                self.out.push(']');
            }
            Kind::Len(of) => {
                self.expr(of, depth);
                self.out.push_str(".len()");
            }
            Kind::Tuple(items) => {
                self.out.push('(');
                for item in items {
                    self.expr(item, depth);
                    self.out.push_str(", ");
                }
                self.out.push(')');
            }
            Kind::Field(of, n) => {
                self.expr(of, depth);
                match (&of.ty, n) {
                    (Ty::Dd, 0) => self.out.push_str(".hi"),
                    (Ty::Dd, _) => self.out.push_str(".lo"),
                    _ => {
                        let _ = write!(self.out, ".{n}");
                    }
                }
            }
            Kind::If(cond, then, otherwise) => {
                self.out.push_str("(if ");
                self.expr(cond, depth);
                self.out.push(' ');
                self.block(then, depth);
                self.out.push_str(" else ");
                self.block(otherwise, depth);
                self.out.push(')');
            }
            Kind::Block(block) => {
                self.out.push('(');
                self.block(block, depth);
                self.out.push(')');
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Func, Local, Param, Unit, tree};
    use super::*;

    /// `fn double(x) { let y = x + x; y }`, from line 7 of `a.c`.
    fn unit() -> Unit {
        let lane = Ty::Lane(Prim::F64);
        let local = |n| Expr::new(Ty::Lane(Prim::F64), Kind::Local(n));
        let sum = Kind::Binary(BinOp::Add, Box::new(local(0)), Box::new(local(0)));
        let mut y = Local::new("y", lane.clone());
        y.line = 8;
        Unit {
            module: "a".into(),
            file: "a.c".into(),
            head: vec!["Made by hand.".into(), String::new()],
            funcs: vec![Func {
                name: "double".into(),
                doc: vec!["Twice its argument.".into()],
                line: 7,
                text: String::new(),
                generic: false,
                params: vec![Param {
                    local: 0,
                    columns: vec![],
                }],
                ret: lane.clone(),
                locals: vec![Local::new("x", lane.clone()), y],
                body: Block {
                    stmts: vec![Stmt::Let(Pat::Local(1), false, Expr::new(lane, sum))],
                    value: Some(Box::new(local(1))),
                },
            }],
            ..Unit::default()
        }
    }

    #[test]
    fn comments_stand_where_they_belong() {
        let want = "//! Made by hand.\n//!\n\nuse doublecrunch::prelude::*;\n\n/// Twice its argument.\n#[crunch]\n\
                    pub fn double(x: DcDouble) -> DcDouble {\n    let y = (x + x); // line 8\n    y\n}\n";
        assert_eq!(source(&unit()), want);
    }

    #[test]
    fn lines_reach_the_program() {
        let program = crate::lower(tree::kernel(&unit())).expect("it lowers");
        let func = program.entry();
        assert_eq!((&*func.origin.file, func.origin.line), ("a.c", 7));
        let sum = func.inst(func.results[0]);
        assert_eq!((sum.loc.line, sum.name.as_deref()), (8, Some("y")));
    }
}
