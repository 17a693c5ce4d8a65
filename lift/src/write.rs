//! A graph as a kernel in the owned syntax: one statement for each value that is used more than once, has a name or is large.
//! The other values are expressions.

use std::collections::{HashMap, HashSet};

use kernels_gen::ir::{BinOp, Elem, UnOp};
use kernels_gen::ops::{METHODS, Op, Prim};
use kernels_gen::syntax::{
    Block, Callee, Const, ConstValue, Expr, Func, Kind as Form, Local, Param, Pat, Stmt, Table, Ty,
    Unit,
};

use crate::exec::{Body, Helper, Lifted};
use crate::graph::{Graph, Id, Kind, signed};
use crate::names::{RESERVED, identifier, plain};

/// The largest number of operations in one statement.
const LARGE: usize = 6;

/// Writes a kernel, after the functions that it calls. `head` holds the lines of the file's comment, and `text` the source of the function
/// for reports.
///
/// # Panics
/// If the graph has an operation that the language cannot express. Its builder makes no such operation.
#[must_use]
pub fn unit(
    lifted: &Lifted,
    name: &str,
    head: Vec<String>,
    doc: Vec<String>,
    text: String,
) -> Unit {
    let mut file = File::default();
    for reserved in RESERVED {
        file.names.insert((*reserved).to_string());
    }
    // The kernel has its name, whatever else is called so.
    let name = file.fresh(&identifier(name));
    let mut called = Vec::new();
    for number in lifted.needed() {
        let helper = &lifted.helpers[number as usize];
        let name = file.fresh(&identifier(&plain(&helper.symbol)));
        file.kernels.insert(number, called.len());
        called.push((name, helper));
    }
    file.tables_of(lifted);
    let mut funcs = Vec::new();
    for (name, helper) in called {
        let doc = vec![place(&helper.symbol, &helper.body)];
        let body = func(&mut file, &lifted.helpers, &helper.body, name);
        funcs.push(Func { doc, ..body });
    }
    let kernel = func(&mut file, &lifted.helpers, &lifted.body, name);
    funcs.push(Func {
        doc,
        text,
        ..kernel
    });
    let (file_name, _) = lifted.body.place.clone().unwrap_or_default();
    Unit {
        module: "lifted".into(),
        file: file_name,
        head,
        library: &[],
        funcs,
        tables: file.tables,
        consts: file.consts,
    }
}

/// The symbol and place of a function, for its documentation.
pub(crate) fn place(symbol: &str, body: &Body) -> String {
    match &body.place {
        Some((file, line)) => {
            let file = file.rsplit('/').next().unwrap_or_default();
            format!("`{symbol}`, {file}:{line}.")
        }
        None => format!("`{symbol}`."),
    }
}

/// One function of a file.
fn func(file: &mut File, helpers: &[Helper], body: &Body, name: String) -> Func {
    let g = &body.graph;
    let uses = g.uses(&body.results);
    let mut writer = Writer {
        g,
        helpers,
        above: above(g, &uses),
        uses,
        locals: Vec::new(),
        made: HashMap::new(),
        stmts: Vec::new(),
        // A local hides a function or a constant of its name.
        names: file.names.iter().map(|n| (n.clone(), 1)).collect(),
        file,
    };
    let mut params = Vec::new();
    for (i, (name, prim)) in body.params.iter().enumerate() {
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
        if writer.is_statement(id) && !writer.made.contains_key(&id) {
            writer.statement(id);
        }
    }
    let mut results: Vec<Expr> = body.results.iter().map(|&r| writer.value(r)).collect();
    let ret = match &results[..] {
        [one] => one.ty.clone(),
        all => Ty::Tuple(all.iter().map(|e| e.ty.clone()).collect()),
    };
    let value = match results.len() {
        1 => results.remove(0),
        _ => Expr::new(ret.clone(), Form::Tuple(results)),
    };
    Func {
        name,
        doc: vec![],
        line: body.place.as_ref().map_or(0, |p| p.1),
        text: String::new(),
        generic: false,
        params,
        ret,
        locals: writer.locals,
        body: Block {
            stmts: writer.stmts,
            value: Some(Box::new(value)),
        },
    }
}

/// The lanes of a type.
#[must_use]
pub fn prim(ty: &crate::ir::Type) -> Option<Prim> {
    crate::exec::lane(ty)
}

fn elem(prim: Prim) -> Elem {
    match prim {
        Prim::F64 => Elem::F64,
        Prim::F32 => Elem::F32,
        Prim::I64 => Elem::U64,
        _ => Elem::U32,
    }
}

/// Data that the functions of a file share.
#[derive(Default)]
struct File {
    /// Names that are taken.
    names: HashSet<String>,
    /// The number of each called function among those of the file.
    kernels: HashMap<u32, usize>,
    tables: Vec<Table>,
    /// The same tables, in the lifter's form.
    known: Vec<crate::graph::Table>,
    consts: Vec<Const>,
}

impl File {
    /// A name that is not used in the file.
    fn fresh(&mut self, name: &str) -> String {
        let mut fresh = name.to_string();
        let mut n = 1;
        while !self.names.insert(fresh.clone()) {
            n += 1;
            fresh = format!("{name}_{n}");
        }
        fresh
    }

    /// The tables that functions use, each once.
    fn tables_of(&mut self, lifted: &Lifted) {
        let needed = lifted.needed().into_iter();
        let helpers = needed.map(|n| &lifted.helpers[n as usize].body);
        for body in helpers.chain([&lifted.body]) {
            let uses = body.graph.uses(&body.results);
            for id in 0..body.graph.len() as Id {
                let Kind::Load(t) = body.graph.node(id).kind else {
                    continue;
                };
                let table = &body.graph.tables[t as usize];
                if uses[id as usize] == 0 || self.known.contains(table) {
                    continue;
                }
                self.known.push(table.clone());
                let name = self.fresh(&identifier(&table.name).to_uppercase());
                self.tables.push(Table {
                    name,
                    elem: elem(table.ty),
                    bits: table.bits.clone(),
                    is_static: false,
                });
            }
        }
    }
}

/// For each node, the line of the last node that uses it; 0 for results.
fn above(g: &Graph, uses: &[usize]) -> Vec<u32> {
    let mut above = vec![0; g.len()];
    for id in (0..g.len()).filter(|&id| uses[id] > 0) {
        let node = g.node(id as Id);
        for &a in &node.args {
            above[a as usize] = node.line;
        }
    }
    above
}

struct Writer<'g> {
    g: &'g Graph,
    helpers: &'g [Helper],
    uses: Vec<usize>,
    /// The line of the node that uses a node; 0 for results.
    above: Vec<u32>,
    locals: Vec<Local>,
    /// The local variable of each node, if it has one.
    made: HashMap<Id, usize>,
    stmts: Vec<Stmt>,
    names: HashMap<String, usize>,
    file: &'g mut File,
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

    /// The number of operations of an expression, down to the parts that are statements.
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
        if let Kind::Call(..) = node.kind {
            return uses > 0;
        }
        matches!(node.kind, Kind::Op(_) | Kind::Load(_))
            && uses > 0
            && (uses > 1
                || node.name.is_some()
                || self.size(id) > LARGE
                || self.is_untyped(id)
                || self.is_on_another_line(id))
    }

    /// Whether a node is on another source line: a statement belongs to one line of the source.
    fn is_on_another_line(&self, id: Id) -> bool {
        let (own, above) = (self.g.node(id).line, self.above[id as usize]);
        own != 0 && own != above
    }

    /// Whether a node is a selection between two constants. Its type is known only from its neighbours.
    fn is_untyped(&self, id: Id) -> bool {
        let node = self.g.node(id);
        node.kind == Kind::Op(Op::Select)
            && node.args[1..]
                .iter()
                .all(|&a| self.g.constant_bits(a).is_some())
    }

    /// A call, with all of its results that are used.
    fn call(&mut self, id: Id, helper: u32) {
        let node = self.g.node(id);
        let args = node.args.iter().map(|&a| self.value(a)).collect();
        let call = Form::Call(Callee::Own(self.file.kernels[&helper], None), args);
        let body = &self.helpers[helper as usize].body;
        let lanes = body.results.iter().map(|&r| body.graph.ty(r));
        let mut tys = Vec::new();
        let mut pats = Vec::new();
        for (k, prim) in lanes.enumerate() {
            tys.push(Ty::Lane(prim));
            let result = self.g.known_call(helper, k as u32, &node.args, prim);
            let used = result.filter(|&r| self.uses[r as usize] > 0);
            pats.push(match used {
                Some(result) => {
                    let of = self.g.node(result);
                    let local = self.local(of.name.as_deref().unwrap_or("r"), prim, of.line);
                    self.made.insert(result, local);
                    Pat::Local(local)
                }
                None => Pat::Wild,
            });
        }
        let (pat, ty) = match pats.len() {
            1 => (pats.remove(0), tys.remove(0)),
            _ => (Pat::Tuple(pats), Ty::Tuple(tys)),
        };
        self.stmts.push(Stmt::Let(pat, false, Expr::new(ty, call)));
    }

    fn statement(&mut self, id: Id) {
        let node = self.g.node(id);
        if let Kind::Call(helper, _) = node.kind {
            return self.call(id, helper);
        }
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

    /// A node as an expression whose type is known without its context.
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

    /// A constant next to an expression of known type: a literal, if it has one.
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

    /// A constant without such a neighbour: one outside of the function, with its type.
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
        let n = match self.file.consts.iter().position(|c| c.value == value) {
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
                self.file.consts.push(Const { name, value });
                self.file.consts.len() - 1
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
                let table = &self.g.tables[t as usize];
                let number = self.file.known.iter().position(|k| k == table);
                let number = number.expect("it was looked for before");
                let of = Expr::new(Ty::Table(elem(table.ty)), Form::Table(number));
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
