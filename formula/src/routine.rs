//! A formula as a routine: its operations in one precision, each rounded, and those that FPCore annotates with the other one. A library
//! function is its reference, rounded to the precision.

use std::collections::HashMap;

use dc_runtime::builtins::reference::Reference;
use dc_runtime::model::key::Precision;
use kernels_gen::ir::{BinOp, Elem, Kernel, UnOp};
use kernels_gen::ops::Prim;
use kernels_gen::syntax::{
    Block, Callee, Const, ConstValue, Expr, Func, Kind, Local, Param, Pat, Stmt, Ty, Unit, of_ir,
    tree as tree_of,
};

use crate::number::Number;
use crate::tree::{Comparison, Id, Node, Plain, Tree};

/// The kernel of a formula in a precision, with that name and text.
///
/// # Errors
/// If the formula cannot be expressed in the precision.
pub fn kernel(
    tree: &Tree,
    root: Id,
    arguments: &[String],
    precision: Precision,
    [name, text, module]: [&str; 3],
) -> Result<&'static Kernel, String> {
    let prim = precision.prim();
    let mut writer = Writer {
        tree,
        prim,
        locals: Vec::new(),
        stmts: Vec::new(),
        consts: Vec::new(),
        library: Vec::new(),
        made: HashMap::new(),
    };
    for n in 0..arguments.len() {
        let name = ["x", "y"][n];
        writer.locals.push(Local::new(name, Ty::Lane(prim)));
    }
    let value = writer.value(root)?;
    let value = match (&value.ty, prim) {
        (Ty::Lane(Prim::F32), Prim::F64) => wide(value),
        (Ty::Lane(Prim::F64), Prim::F32) => {
            return Err("the body is in binary64 and the benchmark in binary32: write (cast …) around the body".into());
        }
        _ => value,
    };
    let func = Func {
        name: name.into(),
        doc: Vec::new(),
        line: 1,
        text: text.into(),
        generic: false,
        params: (0..arguments.len())
            .map(|n| Param {
                local: n,
                columns: vec![n],
            })
            .collect(),
        ret: Ty::Lane(prim),
        locals: writer.locals,
        body: Block {
            stmts: writer.stmts,
            value: Some(Box::new(value)),
        },
    };
    Ok(tree_of::kernel(&Unit {
        module: module.into(),
        file: String::new(),
        head: Vec::new(),
        library: tree_of::leak(writer.library),
        funcs: vec![func],
        tables: Vec::new(),
        consts: writer.consts,
    }))
}

struct Writer<'a> {
    tree: &'a Tree,
    prim: Prim,
    locals: Vec<Local>,
    stmts: Vec<Stmt>,
    consts: Vec<Const>,
    library: Vec<&'static Kernel>,
    made: HashMap<Id, usize>,
}

const MASK: Ty = Ty::Lane(Prim::Mask);

impl Writer<'_> {
    fn constant(&mut self, elem: Elem, bits: u64) -> Expr {
        let value = ConstValue::Number(elem, bits);
        let n = self.consts.iter().position(|c| c.value == value);
        let n = n.unwrap_or_else(|| {
            let name = format!("C{}", self.consts.len());
            self.consts.push(Const { name, value });
            self.consts.len() - 1
        });
        let prim = if elem == Elem::F32 {
            Prim::F32
        } else {
            Prim::F64
        };
        Expr::new(Ty::Lane(prim), Kind::Const(n))
    }

    fn number(&mut self, number: &Number, prim: Prim) -> Expr {
        match prim {
            Prim::F32 => self.constant(Elem::F32, number.narrow().to_bits().into()),
            _ => self.constant(Elem::F64, number.hi.to_bits()),
        }
    }

    fn local(&self, n: usize) -> Expr {
        Expr::new(self.locals[n].ty.clone(), Kind::Local(n))
    }

    /// A node's value in the precision of its operation, computed only once.
    fn value(&mut self, id: Id) -> Result<Expr, String> {
        let node = self.tree.node(id).clone();
        if let Node::Variable(n) = node {
            return Ok(self.local(n));
        }
        if let Some(&local) = self.made.get(&id) {
            return Ok(self.local(local));
        }
        let value = match node {
            Node::In(precision, of) => {
                let of = self.tree.node(of).clone();
                self.form(&of, precision.prim())?
            }
            node => self.form(&node, self.prim)?,
        };
        let local = self.bind(value);
        self.made.insert(id, local);
        Ok(self.local(local))
    }

    /// A value as the operand of an operation in a precision.
    fn operand(&mut self, id: Id, prim: Prim) -> Result<Expr, String> {
        let value = self.value(id)?;
        match (&value.ty, prim) {
            (Ty::Lane(Prim::F32), Prim::F64) => Ok(wide(value)),
            (Ty::Lane(Prim::F64), Prim::F32) => Err(
                "an operation in binary32 has an operand in binary64, and a kernel has none that rounds once: write (cast …) around the operand, \
                 or the operation in (! :precision binary64 …)"
                    .into(),
            ),
            _ => Ok(value),
        }
    }

    /// The precision in which both nodes are numbers.
    fn common(&mut self, a: Id, b: Id) -> Result<Prim, String> {
        let types = [self.value(a)?.ty, self.value(b)?.ty];
        Ok(match types.contains(&Ty::Lane(Prim::F64)) {
            true => Prim::F64,
            false => Prim::F32,
        })
    }

    fn bind(&mut self, value: Expr) -> usize {
        let local = self.locals.len();
        self.locals
            .push(Local::new(format!("t{local}"), value.ty.clone()));
        self.stmts.push(Stmt::Let(Pat::Local(local), false, value));
        local
    }

    fn binary(&mut self, op: BinOp, prim: Prim, a: Id, b: Id) -> Result<Expr, String> {
        let (a, b) = (self.operand(a, prim)?, self.operand(b, prim)?);
        let ty = a.ty.clone();
        Ok(Expr::new(ty, Kind::Binary(op, Box::new(a), Box::new(b))))
    }

    /// An operation in a precision.
    fn form(&mut self, node: &Node, prim: Prim) -> Result<Expr, String> {
        let mask = Prim::Mask;
        Ok(match node {
            Node::Variable(n) => self.local(*n),
            Node::Number(number) => self.number(number, prim),
            Node::Negate(a) => {
                let a = self.operand(*a, prim)?;
                Expr::new(a.ty.clone(), Kind::Unary(UnOp::Neg, Box::new(a)))
            }
            Node::Add(a, b) => self.binary(BinOp::Add, prim, *a, *b)?,
            Node::Subtract(a, b) => self.binary(BinOp::Sub, prim, *a, *b)?,
            Node::Multiply(a, b) => self.binary(BinOp::Mul, prim, *a, *b)?,
            Node::Divide(a, b) => self.binary(BinOp::Div, prim, *a, *b)?,
            Node::Fma(a, b, c) => {
                let all = [*a, *b, *c].map(|id| self.operand(id, prim));
                let [a, b, c] = all;
                method("mul_add", a?, vec![b?, c?])
            }
            Node::Power(..) => return Err("powers are of the other language".into()),
            Node::Call("sqrt", args) => method("sqrt", self.operand(args[0], prim)?, Vec::new()),
            Node::Call(name, args) => self.call(name, args, prim)?,
            Node::Plain(plain, args) => self.plain(*plain, args, prim)?,
            Node::Cast(a) => {
                let a = self.value(*a)?;
                match (&a.ty, prim) {
                    (Ty::Lane(Prim::F64), Prim::F32) => narrow(a),
                    (Ty::Lane(Prim::F32), Prim::F64) => wide(a),
                    _ => a,
                }
            }
            Node::In(..) => return Err("a part is in two precisions".into()),
            Node::If(p, a, b) => {
                let prim = self.common(*a, *b)?;
                let p = self.value(*p)?;
                let (a, b) = (self.operand(*a, prim)?, self.operand(*b, prim)?);
                choice(p, a, b)
            }
            Node::Compare(by, a, b) => {
                let prim = self.common(*a, *b)?;
                let compared = self.binary(operator(*by), prim, *a, *b)?;
                Expr::new(MASK, compared.kind)
            }
            Node::And(p, q) => self.binary(BinOp::And, mask, *p, *q)?,
            Node::Or(p, q) => self.binary(BinOp::Or, mask, *p, *q)?,
            Node::Not(p) => {
                let p = Box::new(self.value(*p)?);
                Expr::new(MASK, Kind::Unary(UnOp::Not, p))
            }
            Node::Truth(is) => {
                let zero = self.number(&Number::double(0.0), prim);
                let op = if *is { BinOp::Eq } else { BinOp::Ne };
                Expr::new(
                    MASK,
                    Kind::Binary(op, Box::new(zero.clone()), Box::new(zero)),
                )
            }
        })
    }

    fn plain(&mut self, plain: Plain, args: &[Id], prim: Prim) -> Result<Expr, String> {
        let values: Vec<Expr> = args
            .iter()
            .map(|a| self.operand(*a, prim))
            .collect::<Result<_, _>>()?;
        let [a, rest @ ..] = &values[..] else {
            return Err("a function without an argument".into());
        };
        let (a, rest) = (a.clone(), rest.to_vec());
        Ok(match plain {
            // FPCore's are refused when it is read.
            Plain::Round
            | Plain::Fmod
            | Plain::Remainder
            | Plain::ErfInv
            | Plain::ErfcInv
            | Plain::LgammaSign
            | Plain::J0
            | Plain::J1
            | Plain::Y0
            | Plain::Y1 => {
                return Err(format!("{plain:?} has no form in one precision"));
            }
            Plain::Abs => method("abs", a, rest),
            Plain::Floor => method("floor", a, rest),
            Plain::Ceil => method("ceil", a, rest),
            Plain::Trunc => method("trunc", a, rest),
            Plain::CopySign => method("copysign", a, rest),
            Plain::Min | Plain::Max => {
                // The other operand where one is a NaN, as C has it.
                let name = if plain == Plain::Min { "min" } else { "max" };
                let b = rest[0].clone();
                let nan = |of: &Expr| {
                    Expr::new(MASK, Kind::Method("is_nan", Box::new(of.clone()), vec![]))
                };
                let (nan_a, nan_b) = (nan(&a), nan(&b));
                let least = method(name, a.clone(), vec![b.clone()]);
                let least = choice(nan_b, a, least);
                choice(nan_a, b, least)
            }
        })
    }

    /// The reference's value, rounded.
    fn call(&mut self, name: &str, args: &[Id], prim: Prim) -> Result<Expr, String> {
        let known = Reference::by_name(name).map_err(|e| e.to_string())?;
        let kernel = match prim {
            Prim::F32 => known.binary32.kernel,
            _ => known.binary64.map_or(known.binary32.kernel, |t| t.kernel),
        };
        let n = self.library.iter().position(|k| std::ptr::eq(*k, kernel));
        let n = n.unwrap_or_else(|| {
            self.library.push(kernel);
            self.library.len() - 1
        });
        let mut given = Vec::new();
        for a in args {
            let a = self.operand(*a, prim)?;
            given.push(match prim {
                Prim::F32 => wide(a),
                _ => a,
            });
        }
        let ret = of_ir(kernel.ret);
        let called = Expr::new(ret.clone(), Kind::Call(Callee::Library(n), given));
        let local = self.bind(called);
        let result = Expr::new(ret, Kind::Local(local));
        Ok(match prim {
            Prim::F32 => narrow(result),
            _ => Expr::new(Ty::Lane(prim), Kind::Field(Box::new(result), 0)),
        })
    }
}

/// A method whose result has the type of its value.
fn method(name: &'static str, of: Expr, args: Vec<Expr>) -> Expr {
    Expr::new(of.ty.clone(), Kind::Method(name, Box::new(of), args))
}

fn choice(p: Expr, a: Expr, b: Expr) -> Expr {
    Expr::new(
        a.ty.clone(),
        Kind::Method("select", Box::new(p), vec![a, b]),
    )
}

fn wide(a: Expr) -> Expr {
    Expr::new(
        Ty::Lane(Prim::F64),
        Kind::Method("to_f64", Box::new(a), Vec::new()),
    )
}

fn narrow(a: Expr) -> Expr {
    Expr::new(
        Ty::Lane(Prim::F32),
        Kind::Method("to_f32", Box::new(a), Vec::new()),
    )
}

fn operator(by: Comparison) -> BinOp {
    match by {
        Comparison::Less => BinOp::Lt,
        Comparison::LessOrEqual => BinOp::Le,
        Comparison::Greater => BinOp::Gt,
        Comparison::GreaterOrEqual => BinOp::Ge,
        Comparison::Equal => BinOp::Eq,
        Comparison::NotEqual => BinOp::Ne,
    }
}
