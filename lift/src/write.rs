//! A graph as a kernel in the owned syntax: one statement for each value that is used more than once, has a name or is large.
//! The other values are expressions.

use std::collections::HashMap;

use kernels_gen::ir::{BinOp, Elem, UnOp};
use kernels_gen::ops::{METHODS, Op, Prim};
use kernels_gen::syntax::{
    Block, Const, ConstValue, Expr, Func, Kind as Form, Local, Param, Pat, Stmt, Table, Ty, Unit,
};

use crate::exec::Lifted;
use crate::graph::{Graph, Id, Kind, signed};

/// The most operations of one statement.
const LARGE: usize = 6;

/// Rust's keywords, and the names that a kernel's source must not hide.
const RESERVED: &[&str] = &[
    "as", "break", "const", "continue", "crate", "else", "enum", "extern", "false", "fn", "for",
    "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return",
    "self", "static", "struct", "super", "trait", "true", "type", "unsafe", "use", "where",
    "while", "async", "await", "dyn", "abstract", "become", "box", "do", "final", "macro",
    "override", "priv", "typeof", "unsized", "virtual", "yield", "try", "gen", "union",
];

/// Writes a kernel. `head` contains the lines of the file's comment, `text` the source of the function, for reports.
///
/// # Panics
/// If the graph has an operation that the language cannot express, which its builder does not make.
#[must_use]
pub fn unit(
    lifted: &Lifted,
    name: &str,
    head: Vec<String>,
    doc: Vec<String>,
    text: String,
) -> Unit {
    let g = &lifted.graph;
    let mut writer = Writer {
        g,
        uses: uses(g, &lifted.results),
        locals: Vec::new(),
        made: HashMap::new(),
        stmts: Vec::new(),
        consts: Vec::new(),
        names: HashMap::new(),
    };
    for reserved in RESERVED {
        writer.names.insert((*reserved).to_string(), 1);
    }
    writer.names.insert(identifier(name), 1);
    let mut params = Vec::new();
    for (i, (name, prim)) in lifted.params.iter().enumerate() {
        let local = writer.local(name, *prim, 0);
        params.push(Param {
            local,
            columns: vec![],
        });
        // The node, if the function uses the parameter.
        let node = (0..g.len() as Id).find(|&id| g.node(id).kind == Kind::Param(i as u32));
        if let Some(id) = node {
            writer.made.insert(id, local);
        }
    }
    // Operands come before what uses them.
    for id in 0..g.len() as Id {
        if writer.is_statement(id) {
            writer.statement(id);
        }
    }
    let mut results: Vec<Expr> = lifted.results.iter().map(|&r| writer.value(r)).collect();
    let ret = match &results[..] {
        [one] => one.ty.clone(),
        all => Ty::Tuple(all.iter().map(|e| e.ty.clone()).collect()),
    };
    let value = match results.len() {
        1 => results.remove(0),
        _ => Expr::new(ret.clone(), Form::Tuple(results)),
    };
    let (file, line) = lifted.place.clone().unwrap_or_default();
    let func = Func {
        name: identifier(name),
        doc,
        line,
        text,
        generic: false,
        params,
        ret,
        locals: std::mem::take(&mut writer.locals),
        body: Block {
            stmts: std::mem::take(&mut writer.stmts),
            value: Some(Box::new(value)),
        },
    };
    let consts = std::mem::take(&mut writer.consts);
    Unit {
        module: "lifted".into(),
        file,
        head,
        library: &[],
        funcs: vec![func],
        tables: tables(g, &writer.uses),
        consts,
    }
}

/// How often each node is used by what the results need.
fn uses(g: &Graph, results: &[Id]) -> Vec<usize> {
    let mut uses = vec![0; g.len()];
    for &r in results {
        uses[r as usize] += 1;
    }
    for id in (0..g.len()).rev() {
        if uses[id] > 0 {
            for &a in &g.node(id as Id).args {
                uses[a as usize] += 1;
            }
        }
    }
    uses
}

/// The number of operations that contribute to a lifted function's results.
#[must_use]
pub fn operations(lifted: &Lifted) -> usize {
    let g = &lifted.graph;
    let used = uses(g, &lifted.results);
    let counts = |id: Id| matches!(g.node(id).kind, Kind::Op(_) | Kind::Load(_));
    (0..g.len() as Id)
        .filter(|&id| used[id as usize] > 0 && counts(id))
        .count()
}

/// The lanes of a type.
#[must_use]
pub fn prim(ty: &crate::ir::Type) -> Option<Prim> {
    crate::exec::lane(ty)
}

fn identifier(name: &str) -> String {
    let mut out: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    if out.starts_with(|c: char| c.is_ascii_digit()) || out.is_empty() {
        out.insert(0, 'v');
    }
    if out.bytes().all(|b| b == b'_') {
        out.push('v');
    }
    out
}

fn table_name(g: &Graph, n: usize) -> String {
    let base = identifier(&g.tables[n].name).to_uppercase();
    let same = |i: &usize| identifier(&g.tables[*i].name).to_uppercase() == base;
    match (0..n).filter(same).count() {
        0 => base,
        k => format!("{base}_{}", k + 1),
    }
}

fn elem(prim: Prim) -> Elem {
    match prim {
        Prim::F64 => Elem::F64,
        Prim::F32 => Elem::F32,
        Prim::I64 => Elem::U64,
        _ => Elem::U32,
    }
}

/// All tables; those that nothing uses are empty of use, and are left out of the source with their number kept.
fn tables(g: &Graph, _uses: &[usize]) -> Vec<Table> {
    let of = |(n, t): (usize, &crate::graph::Table)| Table {
        name: table_name(g, n),
        elem: elem(t.ty),
        bits: t.bits.clone(),
        is_static: false,
    };
    g.tables.iter().enumerate().map(of).collect()
}

struct Writer<'g> {
    g: &'g Graph,
    uses: Vec<usize>,
    locals: Vec<Local>,
    /// The local of each node, if it has one.
    made: HashMap<Id, usize>,
    stmts: Vec<Stmt>,
    consts: Vec<Const>,
    names: HashMap<String, usize>,
}

impl Writer<'_> {
    fn local(&mut self, name: &str, prim: Prim, line: u32) -> usize {
        let base = identifier(name);
        let n = self.names.entry(base.clone()).or_insert(0);
        *n += 1;
        let mut name = if *n == 1 {
            base.clone()
        } else {
            format!("{base}_{n}")
        };
        while name != base && self.names.contains_key(&name) {
            name.push('_');
        }
        self.names.entry(name.clone()).or_insert(1);
        let mut local = Local::new(name, Ty::Lane(prim));
        local.line = line;
        self.locals.push(local);
        self.locals.len() - 1
    }

    /// Operations of an expression, down to what is a statement.
    fn size(&self, id: Id) -> usize {
        if self.made.contains_key(&id) {
            return 0;
        }
        let node = self.g.node(id);
        match node.kind {
            Kind::Op(_) | Kind::Load(_) => {
                1 + node.args.iter().map(|&a| self.size(a)).sum::<usize>()
            }
            _ => 0,
        }
    }

    fn is_statement(&self, id: Id) -> bool {
        let node = self.g.node(id);
        let uses = self.uses[id as usize];
        matches!(node.kind, Kind::Op(_) | Kind::Load(_))
            && uses > 0
            && (uses > 1 || node.name.is_some() || self.size(id) > LARGE || self.is_untyped(id))
    }

    /// A selection between two constants, whose type is known only by what stands beside it.
    fn is_untyped(&self, id: Id) -> bool {
        let node = self.g.node(id);
        node.kind == Kind::Op(Op::Select)
            && node.args[1..]
                .iter()
                .all(|&a| self.g.constant_bits(a).is_some())
    }

    fn statement(&mut self, id: Id) {
        let node = self.g.node(id);
        let value = self.form(id);
        let name = node.name.as_deref().unwrap_or(match node.ty {
            Prim::Mask => "m",
            Prim::I32 | Prim::I64 => "i",
            _ => "t",
        });
        let local = self.local(name, node.ty, node.line);
        self.stmts
            .push(Stmt::Let(Pat::Local(local), self.is_untyped(id), value));
        self.made.insert(id, local);
    }

    /// A node as an expression whose type is known by itself.
    fn value(&mut self, id: Id) -> Expr {
        let ty = Ty::Lane(self.g.ty(id));
        if let Some(&local) = self.made.get(&id) {
            return Expr::new(ty, Form::Local(local));
        }
        match self.g.node(id).kind {
            Kind::Const(bits) => self.constant(id, bits),
            Kind::Param(_) => unreachable!("parameters are locals"),
            _ => self.form(id),
        }
    }

    /// A constant beside something whose type is known: a literal, if it has one.
    fn literal(&self, id: Id) -> Option<Expr> {
        let node = self.g.node(id);
        let Kind::Const(bits) = node.kind else {
            return None;
        };
        let form = match node.ty {
            Prim::F64 => {
                let x = f64::from_bits(bits);
                // One that binary32 does not reach is a `DcDouble` wherever it stands, which is right here.
                x.is_finite().then_some(Form::Float(x))?
            }
            Prim::F32 => {
                let x = f32::from_bits(bits as u32);
                // The shortest decimal that is the float.
                let decimal: f64 = format!("{x:?}").parse().ok()?;
                x.is_finite().then_some(Form::Float(decimal))?
            }
            Prim::I32 => Form::Int(i128::from(signed(Prim::I32, bits))),
            Prim::I64 => {
                let n = signed(Prim::I64, bits);
                // Wider ones have a type of their own, and below the least of 32 bits a sign that is an operator.
                i32::try_from(n)
                    .is_ok()
                    .then_some(Form::Int(i128::from(n)))?
            }
            Prim::Mask => return None,
        };
        Some(Expr::new(Ty::Lane(node.ty), form))
    }

    /// A constant by itself: one outside of the function, with its type.
    fn constant(&mut self, id: Id, bits: u64) -> Expr {
        let ty = self.g.ty(id);
        if ty == Prim::Mask {
            // No mask is a literal: a comparison that is always so.
            let (a, b) = (self.number(Prim::I32, 0), self.number(Prim::I32, 0));
            let op = if bits == 1 { BinOp::Eq } else { BinOp::Ne };
            return Expr::new(Ty::Lane(ty), Form::Binary(op, Box::new(a), Box::new(b)));
        }
        self.number(ty, bits)
    }

    fn number(&mut self, ty: Prim, bits: u64) -> Expr {
        let value = ConstValue::Number(elem(ty), bits);
        let n = match self.consts.iter().position(|c| c.value == value) {
            Some(n) => n,
            None => {
                let letter = match ty {
                    Prim::F64 | Prim::F32 => 'C',
                    _ => 'K',
                };
                let digits = if matches!(ty, Prim::F64 | Prim::I64) {
                    16
                } else {
                    8
                };
                let name = format!("{letter}_{bits:0digits$X}");
                self.consts.push(Const { name, value });
                self.consts.len() - 1
            }
        };
        Expr::new(Ty::Lane(ty), Form::Const(n))
    }

    fn form(&mut self, id: Id) -> Expr {
        let node = self.g.node(id).clone();
        let ty = Ty::Lane(node.ty);
        let op = match node.kind {
            Kind::Op(op) => op,
            Kind::Load(t) => {
                let table = self.g.tables[t as usize].ty;
                let of = Expr::new(Ty::Table(elem(table)), Form::Table(t as usize));
                let index = self.value(node.args[0]);
                return Expr::new(ty, Form::Load(Box::new(of), Box::new(index)));
            }
            _ => return self.value(id),
        };
        let binary = match op {
            Op::Add => Some(BinOp::Add),
            Op::Sub => Some(BinOp::Sub),
            Op::Mul => Some(BinOp::Mul),
            Op::Div => Some(BinOp::Div),
            Op::And => Some(BinOp::And),
            Op::Or => Some(BinOp::Or),
            Op::Xor => Some(BinOp::Xor),
            Op::Shl => Some(BinOp::Shl),
            Op::Shr => Some(BinOp::Shr),
            Op::Lt => Some(BinOp::Lt),
            Op::Le => Some(BinOp::Le),
            Op::Gt => Some(BinOp::Gt),
            Op::Ge => Some(BinOp::Ge),
            Op::Eq => Some(BinOp::Eq),
            Op::Ne => Some(BinOp::Ne),
            _ => None,
        };
        if let Some(binary) = binary {
            let (a, b) = (node.args[0], node.args[1]);
            // A literal has the type of the other operand.
            // The amount of a shift does not give what is shifted a type.
            let shift = matches!(binary, BinOp::Shl | BinOp::Shr);
            let a = match self.literal(a).filter(|_| !shift) {
                Some(literal) => literal,
                None => self.value(a),
            };
            let b = self.literal(b).unwrap_or_else(|| self.value(b));
            return Expr::new(ty, Form::Binary(binary, Box::new(a), Box::new(b)));
        }
        let first = Box::new(self.value(node.args[0]));
        let form = match op {
            Op::Neg => Form::Unary(UnOp::Neg, first),
            Op::Not => Form::Unary(UnOp::Not, first),
            Op::FromBits => Form::FromBits(first),
            _ => {
                let method = METHODS
                    .iter()
                    .find(|m| m.op == op)
                    .expect("every other operation is a method");
                let rest = node.args[1..].iter().map(|&a| match op {
                    Op::ShrLogical => self.literal(a).unwrap_or_else(|| self.value(a)),
                    _ => self.value(a),
                });
                Form::Method(method.name, first, rest.collect())
            }
        };
        Expr::new(ty, form)
    }
}
