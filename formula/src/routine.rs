//! A formula as a routine: its operations in one precision, each rounded. A library function is the reference, rounded to the
//! precision.

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
    let prim = match precision {
        Precision::F32 => Prim::F32,
        Precision::F64 => Prim::F64,
    };
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

impl Writer<'_> {
    fn lane(&self) -> Ty {
        Ty::Lane(self.prim)
    }

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

    fn number(&mut self, number: &Number) -> Expr {
        match self.prim {
            Prim::F32 => self.constant(Elem::F32, number.narrow().to_bits().into()),
            _ => self.constant(Elem::F64, number.hi.to_bits()),
        }
    }

    /// A node's value, which is computed once.
    fn value(&mut self, id: Id) -> Result<Expr, String> {
        let node = self.tree.node(id).clone();
        let ty = match node.is_condition() {
            true => Ty::Lane(Prim::Mask),
            false => self.lane(),
        };
        if let Node::Variable(n) = node {
            return Ok(Expr::new(ty, Kind::Local(n)));
        }
        if let Some(&local) = self.made.get(&id) {
            return Ok(Expr::new(ty, Kind::Local(local)));
        }
        let value = self.form(&node)?;
        let local = self.bind(value);
        self.made.insert(id, local);
        Ok(Expr::new(ty, Kind::Local(local)))
    }

    fn bind(&mut self, value: Expr) -> usize {
        let local = self.locals.len();
        self.locals
            .push(Local::new(format!("t{local}"), value.ty.clone()));
        self.stmts.push(Stmt::Let(Pat::Local(local), false, value));
        local
    }

    fn binary(&mut self, op: BinOp, ty: Ty, a: Id, b: Id) -> Result<Expr, String> {
        let (a, b) = (Box::new(self.value(a)?), Box::new(self.value(b)?));
        Ok(Expr::new(ty, Kind::Binary(op, a, b)))
    }

    fn method(&self, name: &'static str, of: Expr, args: Vec<Expr>) -> Expr {
        Expr::new(self.lane(), Kind::Method(name, Box::new(of), args))
    }

    fn form(&mut self, node: &Node) -> Result<Expr, String> {
        let (lane, mask) = (self.lane(), Ty::Lane(Prim::Mask));
        Ok(match node {
            Node::Variable(n) => Expr::new(lane, Kind::Local(*n)),
            Node::Number(number) => self.number(number),
            Node::Negate(a) => {
                let a = Box::new(self.value(*a)?);
                Expr::new(lane, Kind::Unary(UnOp::Neg, a))
            }
            Node::Add(a, b) => self.binary(BinOp::Add, lane, *a, *b)?,
            Node::Subtract(a, b) => self.binary(BinOp::Sub, lane, *a, *b)?,
            Node::Multiply(a, b) => self.binary(BinOp::Mul, lane, *a, *b)?,
            Node::Divide(a, b) => self.binary(BinOp::Div, lane, *a, *b)?,
            Node::Fma(a, b, c) => {
                let (a, b, c) = (self.value(*a)?, self.value(*b)?, self.value(*c)?);
                self.method("mul_add", a, vec![b, c])
            }
            Node::Power(..) => return Err("powers are of the other language".into()),
            Node::Call("sqrt", args) => {
                let a = self.value(args[0])?;
                self.method("sqrt", a, Vec::new())
            }
            Node::Call(name, args) => self.call(name, args)?,
            Node::Plain(plain, args) => self.plain(*plain, args)?,
            Node::If(p, a, b) => {
                let (p, a, b) = (self.value(*p)?, self.value(*a)?, self.value(*b)?);
                self.method("select", p, vec![a, b])
            }
            Node::Compare(by, a, b) => self.binary(operator(*by), mask, *a, *b)?,
            Node::And(p, q) => self.binary(BinOp::And, mask, *p, *q)?,
            Node::Or(p, q) => self.binary(BinOp::Or, mask, *p, *q)?,
            Node::Not(p) => {
                let p = Box::new(self.value(*p)?);
                Expr::new(mask, Kind::Unary(UnOp::Not, p))
            }
            Node::Truth(is) => {
                let zero = self.number(&Number::double(0.0));
                let op = if *is { BinOp::Eq } else { BinOp::Ne };
                Expr::new(
                    mask,
                    Kind::Binary(op, Box::new(zero.clone()), Box::new(zero)),
                )
            }
        })
    }

    fn plain(&mut self, plain: Plain, args: &[Id]) -> Result<Expr, String> {
        let values: Vec<Expr> = args
            .iter()
            .map(|a| self.value(*a))
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
            Plain::Abs => self.method("abs", a, rest),
            Plain::Floor => self.method("floor", a, rest),
            Plain::Ceil => self.method("ceil", a, rest),
            Plain::Trunc => self.method("trunc", a, rest),
            Plain::CopySign => self.method("copysign", a, rest),
            Plain::Min | Plain::Max => {
                // The other operand where one is a NaN, as C has it.
                let name = if plain == Plain::Min { "min" } else { "max" };
                let b = rest[0].clone();
                let nan = |of: &Expr| {
                    Expr::new(
                        Ty::Lane(Prim::Mask),
                        Kind::Method("is_nan", Box::new(of.clone()), vec![]),
                    )
                };
                let (nan_a, nan_b) = (nan(&a), nan(&b));
                let least = self.method(name, a.clone(), vec![b.clone()]);
                let least = self.method("select", nan_b, vec![a, least]);
                self.method("select", nan_a, vec![b, least])
            }
        })
    }

    /// The reference's value, rounded.
    fn call(&mut self, name: &str, args: &[Id]) -> Result<Expr, String> {
        let known = Reference::by_name(name).map_err(|e| e.to_string())?;
        let kernel = match self.prim {
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
            let a = self.value(*a)?;
            given.push(match self.prim {
                Prim::F32 => Expr::new(
                    Ty::Lane(Prim::F64),
                    Kind::Method("to_f64", Box::new(a), Vec::new()),
                ),
                _ => a,
            });
        }
        let ret = of_ir(kernel.ret);
        let called = Expr::new(ret.clone(), Kind::Call(Callee::Library(n), given));
        let local = self.bind(called);
        let result = Box::new(Expr::new(ret, Kind::Local(local)));
        Ok(match self.prim {
            Prim::F32 => Expr::new(self.lane(), Kind::Method("to_f32", result, Vec::new())),
            _ => Expr::new(self.lane(), Kind::Field(result, 0)),
        })
    }
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
