//! Kernels as syntax: the expressions in which designs are written.
//!
//! A kernel is built in one of two forms from the same statements. In its source, the coefficients are named constants. For judging, they
//! are parameters after the input, so that one program serves all coefficients ([`crate::strips`]), and the result is not yet rounded to
//! the format.

use kernels_gen::ir::{BinOp, Elem, UnOp};
use kernels_gen::ops::Prim;
use kernels_gen::syntax::{
    Block, Const, ConstValue, Expr, Func, Kind, Local, Param, Pat, Stmt, Table, Ty, Unit,
};

use crate::spec::Format;

/// A number whose bits a search can change.
#[derive(Debug, Clone, PartialEq)]
pub struct Coefficient {
    /// Its name as a constant.
    pub name: String,
    /// Its bits in the precision of the evaluation.
    pub bits: u64,
}

impl Coefficient {
    /// Its value.
    #[must_use]
    pub fn value(&self, prim: Prim) -> f64 {
        match prim {
            Prim::F32 => f64::from(f32::from_bits(self.bits as u32)),
            _ => f64::from_bits(self.bits),
        }
    }
}

/// The part of a kernel that is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The computation with the coefficients as parameters, and a result that is not rounded yet. This form is judged.
    Judged,
    /// The whole kernel, of numbers of 32 or 64 bits. This form is timed.
    Whole,
    /// The source of the kernel, in which numbers of 16 bits are loaded and stored.
    Source(Format),
}

/// A kernel under construction.
pub struct Builder {
    /// The precision of its computation.
    pub prim: Prim,
    /// Whether a product and a sum are one operation.
    pub fused: bool,
    coefficients: Vec<Coefficient>,
    stage: Stage,
    locals: Vec<Local>,
    stmts: Vec<Stmt>,
    consts: Vec<Const>,
    tables: Vec<Table>,
    used: usize,
}

impl Builder {
    /// A kernel of one number of the type `input`, which computes in `prim`.
    #[must_use]
    pub fn new(
        input: Prim,
        prim: Prim,
        coefficients: &[Coefficient],
        stage: Stage,
    ) -> (Builder, Expr) {
        let judged = stage == Stage::Judged;
        let mut builder = Builder {
            prim,
            fused: true,
            coefficients: coefficients.to_vec(),
            stage,
            locals: vec![Local::new("x", Ty::Lane(input))],
            stmts: Vec::new(),
            consts: Vec::new(),
            tables: Vec::new(),
            used: 0,
        };
        if judged {
            for c in coefficients {
                let local = Local::new(c.name.to_lowercase(), Ty::Lane(prim));
                builder.locals.push(local);
            }
        } else {
            for c in coefficients {
                builder.constant(&c.name, builder.number_of(c.bits));
            }
        }
        let x = Expr::new(Ty::Lane(input), Kind::Local(0));
        let x = match stage {
            Stage::Source(format) if format.stored().is_some() => {
                let loaded = method("to_f32", x, vec![], Ty::Lane(Prim::F32));
                builder.bind("x", loaded)
            }
            _ => x,
        };
        let x = match (input, prim) {
            (Prim::F32, Prim::F64) => {
                let wide = method("to_f64", x, vec![], Ty::Lane(Prim::F64));
                builder.bind("x", wide)
            }
            _ => x,
        };
        (builder, x)
    }

    fn number_of(&self, bits: u64) -> ConstValue {
        ConstValue::Number(
            match self.prim {
                Prim::F32 => Elem::F32,
                _ => Elem::F64,
            },
            bits,
        )
    }

    /// The type of its floating-point numbers.
    #[must_use]
    pub fn float(&self) -> Ty {
        Ty::Lane(self.prim)
    }

    /// The type of integers of the same width.
    #[must_use]
    pub fn int(&self) -> Ty {
        Ty::Lane(match self.prim {
            Prim::F32 => Prim::I32,
            _ => Prim::I64,
        })
    }

    /// The bits of the fraction of its floating-point numbers.
    #[must_use]
    pub fn fraction(&self) -> u32 {
        match self.prim {
            Prim::F32 => 23,
            _ => 52,
        }
    }

    /// The bits of a number in its precision.
    #[must_use]
    pub fn bits(&self, x: f64) -> u64 {
        match self.prim {
            Prim::F32 => u64::from((x as f32).to_bits()),
            _ => x.to_bits(),
        }
    }

    /// `let name = value;`
    pub fn bind(&mut self, name: &str, value: Expr) -> Expr {
        // It is one already.
        if let Kind::Local(n) = value.kind
            && self.locals[n].name == name
        {
            return value;
        }
        let local = self.locals.len();
        let ty = value.ty.clone();
        self.locals.push(Local::new(name, ty.clone()));
        self.stmts.push(Stmt::Let(Pat::Local(local), false, value));
        Expr::new(ty, Kind::Local(local))
    }

    fn constant(&mut self, name: &str, value: ConstValue) -> usize {
        let same = |c: &Const| c.name == name && c.value == value;
        if let Some(at) = self.consts.iter().position(same) {
            return at;
        }
        self.consts.push(Const {
            name: name.into(),
            value,
        });
        self.consts.len() - 1
    }

    /// A named constant of its precision.
    pub fn number(&mut self, name: &str, x: f64) -> Expr {
        let at = self.constant(name, self.number_of(self.bits(x)));
        Expr::new(self.float(), Kind::Const(at))
    }

    /// A named integer of the same width.
    pub fn integer(&mut self, name: &str, n: i64) -> Expr {
        let value = match self.prim {
            Prim::F32 => ConstValue::Number(Elem::I32, u64::from(n as u32)),
            _ => ConstValue::Number(Elem::I64, n as u64),
        };
        let at = self.constant(name, value);
        Expr::new(self.int(), Kind::Const(at))
    }

    /// `table[index]`, with entries given by their bits.
    pub fn load(&mut self, name: &str, elem: Elem, bits: Vec<u64>, index: Expr) -> Expr {
        let known = self.tables.iter().position(|t| t.name == name);
        let at = known.unwrap_or_else(|| {
            self.tables.push(Table {
                name: name.into(),
                elem,
                bits,
                is_static: true,
            });
            self.tables.len() - 1
        });
        let table = Expr::new(Ty::Table(elem), Kind::Table(at));
        let ty = Ty::Lane(kernels_gen::syntax::lane(elem));
        Expr::new(ty, Kind::Load(Box::new(table), Box::new(index)))
    }

    /// The next coefficient.
    ///
    /// # Panics
    /// If a design uses more coefficients than it has.
    pub fn coefficient(&mut self) -> Expr {
        let n = self.used;
        self.used += 1;
        assert!(n < self.coefficients.len(), "a design of {n} coefficients");
        let kind = match self.stage {
            Stage::Judged => Kind::Local(n + 1),
            Stage::Whole | Stage::Source(_) => Kind::Const(n),
        };
        Expr::new(self.float(), kind)
    }

    /// A literal. It needs another operand whose type is known.
    #[must_use]
    pub fn literal(&self, x: f64) -> Expr {
        Expr::new(self.float(), Kind::Float(x))
    }

    /// An integer literal of its integers' type.
    #[must_use]
    pub fn int_literal(&self, n: i64) -> Expr {
        Expr::new(self.int(), Kind::Int(n.into()))
    }

    /// `DcX::from_bits(bits)`
    #[must_use]
    pub fn from_bits(&self, bits: Expr) -> Expr {
        Expr::new(self.float(), Kind::FromBits(Box::new(bits)))
    }

    /// The integer of the bits of a number.
    #[must_use]
    pub fn to_bits(&self, x: Expr) -> Expr {
        method("to_bits", x, vec![], self.int())
    }

    /// `receiver.mul_add(b, c)`, or a product and a sum. The first operand that is not a constant is the receiver.
    #[must_use]
    pub fn fma(&self, a: Expr, b: Expr, c: Expr) -> Expr {
        if !self.fused {
            return add(mul(a, b), c);
        }
        let constant = |e: &Expr| matches!(e.kind, Kind::Const(_) | Kind::Float(_));
        let (a, b) = if constant(&a) { (b, a) } else { (a, b) };
        method("mul_add", a, vec![b, c], self.float())
    }

    /// `if condition { then } else { otherwise }`
    #[must_use]
    pub fn choose(&self, condition: Expr, then: Expr, otherwise: Expr) -> Expr {
        let ty = match then.is_literal() {
            true => otherwise.ty.clone(),
            false => then.ty.clone(),
        };
        let block = |value| Block {
            stmts: Vec::new(),
            value: Some(Box::new(value)),
        };
        Expr::new(
            ty,
            Kind::If(Box::new(condition), block(then), block(otherwise)),
        )
    }

    /// The kernel with its result: rounded to `output` in its source, and not rounded when it is judged.
    #[must_use]
    pub fn finish(mut self, name: &str, doc: Vec<String>, output: Prim, result: Expr) -> Unit {
        let judged = self.stage == Stage::Judged;
        let narrow = !judged && output == Prim::F32 && self.prim == Prim::F64;
        let value = match narrow {
            true => method("to_f32", result, vec![], Ty::Lane(Prim::F32)),
            false => result,
        };
        // A method of a whole `if` is hard to read.
        let value = match (&self.stage, &value.kind) {
            (Stage::Source(_), Kind::If(..)) => self.bind("y", value),
            _ => value,
        };
        let value = match self.stage {
            Stage::Source(Format::F16) => same("to_half", value, vec![]),
            Stage::Source(Format::Bf16) => same("to_bfloat", value, vec![]),
            _ => value,
        };
        distinct(&mut self.locals, &self.stmts, &value);
        let params = 1 + if judged { self.coefficients.len() } else { 0 };
        let param = |local| Param {
            local,
            columns: Vec::new(),
        };
        let func = Func {
            name: name.into(),
            doc,
            line: 1,
            text: String::new(),
            generic: false,
            params: (0..params).map(param).collect(),
            ret: value.ty.clone(),
            locals: self.locals,
            body: Block {
                stmts: self.stmts,
                value: Some(Box::new(value)),
            },
        };
        Unit {
            module: "designed".into(),
            file: "designed.rs".into(),
            funcs: vec![func],
            tables: self.tables,
            consts: self.consts,
            ..Unit::default()
        }
    }
}

/// Renames locals that are used after another local of the same name, to which the text would refer.
fn distinct(locals: &mut [Local], stmts: &[Stmt], value: &Expr) {
    let mut texts: Vec<String> = stmts.iter().map(|s| format!("{s:?}")).collect();
    texts.push(format!("{value:?}"));
    let bound = |n: usize| {
        let is = |s: &Stmt| matches!(s, Stmt::Let(Pat::Local(local), ..) if *local == n);
        stmts.iter().position(is)
    };
    for n in 0..locals.len() {
        let used = format!("Local({n})");
        let last = texts.iter().rposition(|t| t.contains(&used)).unwrap_or(0);
        let hides =
            |m: usize| locals[m].name == locals[n].name && bound(m).is_some_and(|at| at < last);
        if (n + 1..locals.len()).any(hides) {
            locals[n].name = format!("{}_{n}", locals[n].name);
        }
    }
}

/// `receiver.name(args)`
#[must_use]
pub fn method(name: &'static str, receiver: Expr, args: Vec<Expr>, ty: Ty) -> Expr {
    Expr::new(ty, Kind::Method(name, Box::new(receiver), args))
}

/// A method whose result has the type of its receiver.
#[must_use]
pub fn same(name: &'static str, receiver: Expr, args: Vec<Expr>) -> Expr {
    let ty = receiver.ty.clone();
    method(name, receiver, args, ty)
}

/// `x`, or the limit if `x` is below it. A NaN stays: if a comparison is false, the second operand is the result.
#[must_use]
pub fn at_least(limit: Expr, x: Expr) -> Expr {
    same("max", limit, vec![x])
}

/// `x`, or the limit if `x` is above it. A NaN stays.
#[must_use]
pub fn at_most(limit: Expr, x: Expr) -> Expr {
    same("min", limit, vec![x])
}

/// A binary operator on two numbers of one type.
#[must_use]
pub fn binary(op: BinOp, a: Expr, b: Expr) -> Expr {
    let ty = match op {
        BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::Eq | BinOp::Ne => {
            Ty::Lane(Prim::Mask)
        }
        _ if a.is_literal() => b.ty.clone(),
        _ => a.ty.clone(),
    };
    Expr::new(ty, Kind::Binary(op, Box::new(a), Box::new(b)))
}

/// `a + b`
#[must_use]
pub fn add(a: Expr, b: Expr) -> Expr {
    binary(BinOp::Add, a, b)
}

/// `a - b`
#[must_use]
pub fn sub(a: Expr, b: Expr) -> Expr {
    binary(BinOp::Sub, a, b)
}

/// `a * b`
#[must_use]
pub fn mul(a: Expr, b: Expr) -> Expr {
    binary(BinOp::Mul, a, b)
}

/// `a / b`
#[must_use]
pub fn div(a: Expr, b: Expr) -> Expr {
    binary(BinOp::Div, a, b)
}

/// `-a`
#[must_use]
pub fn neg(a: Expr) -> Expr {
    let ty = a.ty.clone();
    Expr::new(ty, Kind::Unary(UnOp::Neg, Box::new(a)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_local_that_is_hidden_while_it_is_used_has_another_name() {
        let float = || Ty::Lane(Prim::F32);
        let local = |n| Expr::new(float(), Kind::Local(n));
        let bind = |n, value| Stmt::Let(Pat::Local(n), false, value);
        let mut locals: Vec<Local> = ["x", "p", "p", "p"].map(|n| Local::new(n, float())).into();
        // Two sums of Estrin's scheme, and one that takes both.
        let stmts = [
            bind(1, add(local(0), local(0))),
            bind(2, mul(local(0), local(0))),
            bind(3, add(local(1), local(2))),
        ];
        distinct(&mut locals, &stmts, &local(3));
        let names: Vec<&str> = locals.iter().map(|l| l.name.as_str()).collect();
        // The second is hidden by the statement that uses it last, which is after its use.
        assert_eq!(names, ["x", "p_1", "p", "p"]);
    }
}
