//! A formula as a sequence of kernels over registers. The kernel and the evaluation of columns are made from this form.

use std::collections::HashMap;

use dc_runtime::builtins::eft;
use dc_runtime::builtins::reference::Reference as Known;
use dc_runtime::builtins::{dd, plain as exact};
use dc_runtime::model::candidate::Reference;
use dc_runtime::model::kernel_ref::KernelRef;
use dc_runtime::model::key::Precision;
use dc_runtime::model::space::InputSpace;
use kernels_gen::ir::Ty;

use crate::number::Number;
use crate::steps;
use crate::tree::{Comparison, Id, Node, Plain, Tree};
use crate::{bessel, infix, inverse};

/// A value of one type.
#[derive(Debug, Clone, PartialEq)]
pub struct Register {
    /// Its type: `Ty::F64`, `Ty::Dd` or `Ty::I64`.
    pub ty: Ty,
    /// Its origin.
    pub origin: Origin,
}

/// The origin of a register's value.
#[derive(Debug, Clone, PartialEq)]
pub enum Origin {
    /// The formula's argument with that number.
    Argument(usize),
    /// A constant's words.
    Constant(Vec<u64>),
    /// A step.
    Step,
}

/// A call of a kernel.
#[derive(Debug, Clone)]
pub struct Step {
    /// The kernel.
    pub kernel: KernelRef,
    /// Registers of its arguments.
    pub args: Vec<usize>,
    /// Registers of its results.
    pub results: Vec<usize>,
}

/// A formula as steps.
#[derive(Debug, Clone, Default)]
pub struct Steps {
    /// The registers, those of arguments first.
    pub registers: Vec<Register>,
    /// The steps in order.
    pub steps: Vec<Step>,
    /// The registers of the results.
    pub results: Vec<usize>,
    /// The number of arguments.
    pub arguments: usize,
}

/// The form of a formula's results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// Two words, and the bits of their radius; for searches.
    Guarded,
    /// Only the value, in two words for binary64 and in one for binary32. Bounds are relative to it.
    Value,
    /// Two words and their radius.
    Radius,
}

/// What the variables of a formula are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arguments {
    /// As many doubles.
    Doubles(usize),
    /// As many sums of two doubles, which are two arguments each: integers of 64 bits.
    Sums(usize),
}

/// Functions of what is no argument and no double, by others.
const DEFINITIONS: &[(&str, &str)] = &[
    ("exp2", "exp(a * log(2))"),
    ("exp10", "exp(a * log(10))"),
    ("exp2m1", "expm1(a * log(2))"),
    ("exp10m1", "expm1(a * log(10))"),
    ("log2", "log(a) / log(2)"),
    ("log10", "log(a) / log(10)"),
    ("log2p1", "log1p(a) / log(2)"),
    ("log10p1", "log1p(a) / log(10)"),
    ("sinpi", "sin(pi * a)"),
    ("cospi", "cos(pi * a)"),
    ("tanpi", "tan(pi * a)"),
    ("cosh", "(exp(a) + exp(-a)) / 2"),
    (
        "asinh",
        "copysign(log1p(abs(a) + a^2 / (1 + sqrt(a^2 + 1))), a)",
    ),
    ("acosh", "log1p((a - 1) + sqrt((a - 1) * (a + 1)))"),
    ("atanh", "log1p(2 * a / (1 - a)) / 2"),
    ("asin", "atan(a / sqrt((1 - a) * (1 + a)))"),
    ("acos", "2 * atan(sqrt((1 - a) / (1 + a)))"),
    ("asinpi", "asin(a) / pi"),
    ("acospi", "acos(a) / pi"),
    ("atanpi", "atan(a) / pi"),
    ("cbrt", "copysign(exp(log(abs(a)) / 3), a)"),
    ("recip", "1 / a"),
    ("rsqrt", "1 / sqrt(a)"),
    ("sigmoid", "1 / (1 + exp(-a))"),
    ("logit", "log1p((2 * a - 1) / (1 - a))"),
    ("softplus", "max(a, 0) + log1p(exp(-abs(a)))"),
    ("silu", "a / (1 + exp(-a))"),
    ("gelu", "a * erfc(-a / sqrt(2)) / 2"),
    ("mish", "a * tanh(softplus(a))"),
    ("powr", "exp(b * log(a))"),
    ("hypot", "sqrt(a^2 + b^2)"),
    ("atan2", "2 * atan(a / (sqrt(a^2 + b^2) + b))"),
    ("div", "a / b"),
];

/// Functions whose reference is 0 where the value is too small for a double.
const VANISHING: &[&str] = &[
    "exp", "exp2", "exp10", "erfc", "sigmoid", "softplus", "silu", "gelu", "mish", "tgamma", "pow",
    "powr", "div",
];

/// The value of a node.
#[derive(Debug, Clone, Copy)]
enum Value {
    /// A double without error.
    Exact(usize),
    /// Two words and their radius.
    Pair(usize, usize),
    /// 1 or 0, or NaN if it is unknown.
    Condition(usize),
}

/// Compiles a formula.
///
/// # Errors
/// If a function has no form for its argument.
pub fn compile(
    tree: &Tree,
    root: Id,
    arguments: Arguments,
    precision: Precision,
    form: Form,
) -> Result<Steps, String> {
    let (variables, arguments) = match arguments {
        Arguments::Doubles(n) => (n, n),
        Arguments::Sums(n) => (n, 2 * n),
    };
    let mut compiler = Compiler::new(tree, arguments);
    compiler.sums = variables < arguments;
    for n in 0..arguments {
        compiler.register(Ty::F64, Origin::Argument(n));
    }
    let value = compiler.value(root)?;
    let (v, r) = compiler.pair(value);
    let results = match (form, precision) {
        (Form::Radius, _) => vec![v, r],
        (Form::Value, Precision::F64) => vec![v],
        (Form::Value, Precision::F32) => {
            compiler.step(KernelRef::of::<dd::dd_to_f64>(), &[v], &[Ty::F64])
        }
        (Form::Guarded, _) => {
            let x = match variables {
                1 => 0,
                _ => compiler.step(
                    KernelRef::of::<steps::both_arguments>(),
                    &[0, 1],
                    &[Ty::F64],
                )[0],
            };
            let finish = match precision {
                Precision::F32 => KernelRef::of::<steps::finish_f32>(),
                Precision::F64 => KernelRef::of::<steps::finish_f64>(),
            };
            compiler.step(finish, &[v, r, x], &[Ty::Dd, Ty::I64])
        }
    };
    let mut out = compiler.out;
    out.results = results;
    Ok(out)
}

struct Compiler {
    tree: Tree,
    out: Steps,
    values: HashMap<Id, Value>,
    /// Whether each variable is the sum of two arguments.
    sums: bool,
    /// Whether it compiles a definition of a function.
    defining: bool,
}

/// If the formula is a function of its one argument and has a reference, this function.
#[must_use]
pub fn single(tree: &Tree, root: Id) -> Option<&'static str> {
    let mut compiler = Compiler::new(tree, 1);
    let root = compiler.rewritten(root);
    match compiler.tree.node(root) {
        Node::Call(name, args) if matches!(compiler.tree.node(args[0]), Node::Variable(0)) => {
            (args.len() == 1).then_some(*name)
        }
        _ => None,
    }
}

impl Compiler {
    fn new(tree: &Tree, arguments: usize) -> Compiler {
        Compiler {
            tree: tree.clone(),
            out: Steps {
                arguments,
                ..Steps::default()
            },
            values: HashMap::new(),
            sums: false,
            defining: false,
        }
    }

    fn register(&mut self, ty: Ty, origin: Origin) -> usize {
        let register = Register { ty, origin };
        if register.origin != Origin::Step
            && let Some(n) = self.out.registers.iter().position(|r| *r == register)
        {
            return n;
        }
        self.out.registers.push(register);
        self.out.registers.len() - 1
    }

    fn double(&mut self, x: f64) -> usize {
        self.register(Ty::F64, Origin::Constant(vec![x.to_bits()]))
    }

    /// Calls a kernel; where all arguments are constants, the results are.
    fn step(&mut self, kernel: KernelRef, args: &[usize], results: &[Ty]) -> Vec<usize> {
        let constants: Option<Vec<&[u64]>> = args
            .iter()
            .map(|&n| match &self.out.registers[n].origin {
                Origin::Constant(words) => Some(&words[..]),
                _ => None,
            })
            .collect();
        if let Some(constants) = constants {
            let words: Vec<u64> = constants.concat();
            let inputs: Vec<&[u64]> = words.chunks(1).collect();
            let width = |ty: &Ty| if *ty == Ty::Dd { 2 } else { 1 };
            let mut outputs = vec![Vec::new(); results.iter().map(width).sum()];
            (kernel.cpu.scalar)(&inputs, &mut outputs);
            let mut outputs = outputs.into_iter().map(|column| column[0]);
            let made: Vec<(Ty, Vec<u64>)> = results
                .iter()
                .map(|ty| (*ty, outputs.by_ref().take(width(ty)).collect()))
                .collect();
            return made
                .into_iter()
                .map(|(ty, words)| self.register(ty, Origin::Constant(words)))
                .collect();
        }
        let results: Vec<usize> = results
            .iter()
            .map(|ty| self.register(*ty, Origin::Step))
            .collect();
        self.out.steps.push(Step {
            kernel,
            args: args.to_vec(),
            results: results.clone(),
        });
        results
    }

    /// A step that gives two words and a radius.
    fn pair_step(&mut self, kernel: KernelRef, args: &[usize]) -> Value {
        let results = self.step(kernel, args, &[Ty::Dd, Ty::F64]);
        Value::Pair(results[0], results[1])
    }

    fn pair(&mut self, value: Value) -> (usize, usize) {
        match value {
            Value::Pair(v, r) => (v, r),
            Value::Exact(x) | Value::Condition(x) => {
                let v = self.step(KernelRef::of::<dd::dd_from_f64>(), &[x], &[Ty::Dd])[0];
                (v, self.double(0.0))
            }
        }
    }

    fn pair_of(&mut self, id: Id) -> Result<(usize, usize), String> {
        let value = self.value(id)?;
        Ok(self.pair(value))
    }

    fn value(&mut self, id: Id) -> Result<Value, String> {
        if let Some(value) = self.values.get(&id) {
            return Ok(*value);
        }
        let value = self.make(id)?;
        self.values.insert(id, value);
        Ok(value)
    }

    fn two(&mut self, kernel: KernelRef, a: Id, b: Id) -> Result<Value, String> {
        let ((a, ra), (b, rb)) = (self.pair_of(a)?, self.pair_of(b)?);
        Ok(self.pair_step(kernel, &[a, ra, b, rb]))
    }

    /// The function that loses no words in place of one that does.
    fn rewritten(&mut self, id: Id) -> Id {
        let exponent = |tree: &Tree, id: Id| match tree.node(id) {
            Node::Call("exp", args) => Some(args[0]),
            _ => None,
        };
        let other = match self.tree.node(id).clone() {
            Node::Subtract(a, b) => self.less_one(a, b),
            Node::Call("log", args) => self
                .beside_one(args[0])
                .map(|other| self.tree.add(Node::Call("log1p", vec![other]))),
            Node::Call("log1p", args) => exponent(&self.tree, args[0])
                .map(|x| self.tree.add(Node::Call("softplus", vec![x]))),
            _ => None,
        };
        match other {
            Some(other) if !self.defining => self.rewritten(other),
            _ => id,
        }
    }

    fn make(&mut self, id: Id) -> Result<Value, String> {
        let id = self.rewritten(id);
        Ok(match self.tree.node(id).clone() {
            Node::Variable(n) if self.sums => {
                let words = [2 * n, 2 * n + 1];
                let sum = KernelRef::of::<eft::fast_two_sum>();
                let v = self.step(sum, &words, &[Ty::Dd])[0];
                Value::Pair(v, self.double(0.0))
            }
            Node::Variable(n) => Value::Exact(n),
            Node::Number(n) if n.is_double() => Value::Exact(self.double(n.hi)),
            Node::Number(Number { hi, lo, rest, .. }) => {
                let words = vec![hi.to_bits(), lo.to_bits()];
                let v = self.register(Ty::Dd, Origin::Constant(words));
                Value::Pair(v, self.double(rest.abs()))
            }
            Node::Negate(a) => match self.value(a)? {
                Value::Pair(v, r) => {
                    let v = self.step(KernelRef::of::<dd::dd_neg>(), &[v], &[Ty::Dd])[0];
                    Value::Pair(v, r)
                }
                Value::Exact(x) | Value::Condition(x) => {
                    Value::Exact(self.step(KernelRef::of::<steps::negated>(), &[x], &[Ty::F64])[0])
                }
            },
            Node::Add(a, b) => self.two(KernelRef::of::<steps::sum>(), a, b)?,
            Node::Subtract(a, b) => self.two(KernelRef::of::<steps::difference>(), a, b)?,
            Node::Fma(a, b, c) => {
                let product = self.tree.add(Node::Multiply(a, b));
                self.two(KernelRef::of::<steps::sum>(), product, c)?
            }
            Node::Multiply(a, b) => self.two(KernelRef::of::<steps::product>(), a, b)?,
            Node::Divide(a, b) => self.two(KernelRef::of::<steps::quotient>(), a, b)?,
            Node::Power(a, n) => {
                let product = self.powers(a, n);
                self.value(product)?
            }
            Node::Call(name, args) => self.call(name, &args)?,
            Node::Plain(plain, args) => self.plain(plain, &args)?,
            Node::If(p, a, b) => {
                let p = self.condition(p)?;
                let ((a, ra), (b, rb)) = (self.pair_of(a)?, self.pair_of(b)?);
                self.pair_step(KernelRef::of::<steps::choice>(), &[p, a, ra, b, rb])
            }
            // In real arithmetic nothing is rounded.
            Node::Cast(a) | Node::In(_, a) => self.value(a)?,
            Node::Compare(..) | Node::And(..) | Node::Or(..) | Node::Not(_) | Node::Truth(_) => {
                Value::Condition(self.condition(id)?)
            }
        })
    }

    /// `e^a - 1` and `1 - e^a`, which lose the exponential's words near 0, by the function that does not.
    fn less_one(&mut self, a: Id, b: Id) -> Option<Id> {
        let exponent = |tree: &Tree, id: Id| match tree.node(id) {
            Node::Call("exp", args) => Some(args[0]),
            _ => None,
        };
        if self.tree.is_whole(b, 1.0)
            && let Some(x) = exponent(&self.tree, a)
        {
            return Some(self.tree.add(Node::Call("expm1", vec![x])));
        }
        if self.tree.is_whole(a, 1.0)
            && let Some(x) = exponent(&self.tree, b)
        {
            let other = self.tree.add(Node::Call("expm1", vec![x]));
            return Some(self.tree.add(Node::Negate(other)));
        }
        None
    }

    /// The other operand of a sum with 1: `log(1 + a)` is `log1p(a)`.
    fn beside_one(&mut self, id: Id) -> Option<Id> {
        match *self.tree.node(id) {
            Node::Add(a, b) if self.tree.is_whole(a, 1.0) => Some(b),
            Node::Add(a, b) if self.tree.is_whole(b, 1.0) => Some(a),
            Node::Subtract(a, b) if self.tree.is_whole(a, 1.0) => {
                Some(self.tree.add(Node::Negate(b)))
            }
            _ => None,
        }
    }

    /// Products for a power.
    fn powers(&mut self, a: Id, n: i32) -> Id {
        let one = self.tree.add(Node::Number(Number::double(1.0)));
        let mut square = a;
        let mut left = n.unsigned_abs();
        let mut product = None;
        while left > 0 {
            if left % 2 == 1 {
                product = Some(match product {
                    None => square,
                    Some(p) => self.tree.add(Node::Multiply(p, square)),
                });
            }
            left /= 2;
            if left > 0 {
                square = self.tree.add(Node::Multiply(square, square));
            }
        }
        let product = product.unwrap_or(one);
        match n < 0 {
            true => self.tree.add(Node::Divide(one, product)),
            false => product,
        }
    }

    fn call(&mut self, name: &'static str, args: &[Id]) -> Result<Value, String> {
        if let [a, n] = args
            && name == "pow"
            && let Some(n) = self.tree.whole(*n)
            && n.abs() <= f64::from(infix::POWER)
            && !matches!(self.value(*a)?, Value::Exact(_))
        {
            let product = self.powers(*a, n as i32);
            return self.value(product);
        }
        let values: Vec<Value> = args
            .iter()
            .map(|a| self.value(*a))
            .collect::<Result<_, _>>()?;
        let exact: Option<Vec<usize>> = values
            .iter()
            .map(|v| match v {
                Value::Exact(x) => Some(*x),
                _ => None,
            })
            .collect();
        match exact {
            Some(exact) => Ok(self.reference(name, &exact)),
            None => self.of_words(name, args, &values),
        }
    }

    /// A function's reference, of doubles without errors.
    fn reference(&mut self, name: &'static str, args: &[usize]) -> Value {
        let space = match args.len() {
            1 => InputSpace::Numbers(Precision::F64),
            _ => InputSpace::pairs(Precision::F64),
        };
        let Some(Reference::Kernel(kernel)) = dc_references::reference(name, space) else {
            unreachable!("every function has a reference in binary64")
        };
        let bits = Known::by_name(name)
            .ok()
            .and_then(|r| r.binary64)
            .map_or(90, |tier| tier.bits);
        let v = self.step(kernel, args, &[Ty::Dd])[0];
        let unit = self.double(2f64.powi(-(bits as i32)));
        let floor = if VANISHING.contains(&name) {
            2f64.powi(-1021)
        } else {
            0.0
        };
        let floor = self.double(floor);
        let r = match (name, args) {
            ("lgamma", [x]) => self.step(
                KernelRef::of::<steps::of_exact_lgamma>(),
                &[v, *x],
                &[Ty::F64],
            ),
            (_, [x, y]) => self.step(
                KernelRef::of::<steps::of_exact_two>(),
                &[v, unit, floor, *x, *y],
                &[Ty::F64],
            ),
            _ => self.step(
                KernelRef::of::<steps::of_exact>(),
                &[v, unit, floor, args[0]],
                &[Ty::F64],
            ),
        };
        Value::Pair(v, r[0])
    }

    /// A function of what is no double.
    fn of_words(
        &mut self,
        name: &'static str,
        args: &[Id],
        values: &[Value],
    ) -> Result<Value, String> {
        let kernel = match name {
            "exp" => KernelRef::of::<steps::of_exp>(),
            "expm1" => KernelRef::of::<steps::of_expm1>(),
            "log" => KernelRef::of::<steps::of_log>(),
            "log1p" => KernelRef::of::<steps::of_log1p>(),
            "sqrt" => KernelRef::of::<steps::of_sqrt>(),
            "sin" => KernelRef::of::<steps::of_sin>(),
            "cos" => KernelRef::of::<steps::of_cos>(),
            "tan" => KernelRef::of::<steps::of_tan>(),
            "sinh" => KernelRef::of::<steps::of_sinh>(),
            "tanh" => KernelRef::of::<steps::of_tanh>(),
            "atan" => KernelRef::of::<steps::of_atan>(),
            "erf" => KernelRef::of::<steps::of_erf>(),
            "erfc" => KernelRef::of::<steps::of_erfc>(),
            _ => return self.by_definition(name, args, values),
        };
        let (a, ra) = self.pair(values[0]);
        Ok(self.pair_step(kernel, &[a, ra]))
    }

    fn by_definition(
        &mut self,
        name: &'static str,
        args: &[Id],
        values: &[Value],
    ) -> Result<Value, String> {
        let of = if name == "pow" { "powr" } else { name };
        let Some((_, text)) = DEFINITIONS.iter().find(|d| d.0 == of) else {
            return Err(format!(
                "`{name}` of an expression is not supported: its argument is a variable or a number that is a double"
            ));
        };
        let names: Vec<(&str, Id)> = ["a", "b"].into_iter().zip(args.iter().copied()).collect();
        let root = infix::parse(text, &names, &mut self.tree)
            .map_err(|e| format!("the definition of {name}: {e}"))?;
        // Definitions are written so that they lose no words.
        let before = std::mem::replace(&mut self.defining, true);
        let value = self.value(root);
        self.defining = before;
        let (v, r) = self.pair(value?);
        let (a, ra) = self.pair(values[0]);
        let (b, _) = self.pair(*values.last().unwrap_or(&values[0]));
        let unless = match name {
            "atan2" => KernelRef::of::<steps::unless_undefined>(),
            _ => KernelRef::of::<steps::unless_limit>(),
        };
        let r = self.step(unless, &[v, r, a, b], &[Ty::F64])[0];
        match name {
            "pow" => {}
            "acosh" => {
                return Ok(self.pair_step(KernelRef::of::<steps::from_one>(), &[v, r, a, ra]));
            }
            _ => return Ok(Value::Pair(v, r)),
        }
        let r = self.step(
            KernelRef::of::<steps::unless_negative>(),
            &[r, a, ra],
            &[Ty::F64],
        );
        Ok(Value::Pair(v, r[0]))
    }

    /// The arguments of a function of doubles alone: of a remainder, where an error of an operand may be one of the quotient.
    fn doubles(&mut self, plain: Plain, args: &[Id]) -> Result<Vec<usize>, String> {
        let mut doubles = Vec::new();
        for a in args {
            let Value::Exact(x) = self.value(*a)? else {
                let all = Plain::ALL.iter();
                let name = all.filter(|p| p.1 == plain).map(|p| p.0).next();
                let name = name.unwrap_or_default();
                let only = if args.len() == 1 { "x" } else { "x, y" };
                return Err(format!(
                    "`{name}` of an expression is not supported: its arguments are variables or numbers that are doubles; let the routine take \
                     the expression's value as its argument, and compare it with {name}({only})"
                ));
            };
            doubles.push(x);
        }
        Ok(doubles)
    }

    fn plain(&mut self, plain: Plain, args: &[Id]) -> Result<Value, String> {
        Ok(match (plain, args) {
            (Plain::Abs, [a]) => match self.value(*a)? {
                Value::Pair(v, r) => {
                    let v = self.step(KernelRef::of::<dd::dd_abs>(), &[v], &[Ty::Dd])[0];
                    Value::Pair(v, r)
                }
                Value::Exact(x) | Value::Condition(x) => Value::Exact(
                    self.step(KernelRef::of::<steps::magnitude>(), &[x], &[Ty::F64])[0],
                ),
            },
            (Plain::CopySign, [a, b]) => self.two(KernelRef::of::<steps::with_sign>(), *a, *b)?,
            (Plain::Floor | Plain::Ceil | Plain::Trunc, [a]) => {
                let (of_double, of_words) = match plain {
                    Plain::Floor => (
                        KernelRef::of::<steps::whole_below>(),
                        KernelRef::of::<steps::of_floor>(),
                    ),
                    Plain::Ceil => (
                        KernelRef::of::<steps::whole_above>(),
                        KernelRef::of::<steps::of_ceil>(),
                    ),
                    _ => (
                        KernelRef::of::<steps::whole_inside>(),
                        KernelRef::of::<steps::of_trunc>(),
                    ),
                };
                match self.value(*a)? {
                    Value::Exact(x) | Value::Condition(x) => {
                        Value::Exact(self.step(of_double, &[x], &[Ty::F64])[0])
                    }
                    Value::Pair(v, r) => self.pair_step(of_words, &[v, r]),
                }
            }
            (Plain::Round | Plain::Fmod | Plain::Remainder | Plain::LgammaSign, _) => {
                let kernel = match plain {
                    Plain::Round => KernelRef::of::<exact::round_f64>(),
                    Plain::Fmod => KernelRef::of::<exact::rem_f64>(),
                    Plain::LgammaSign => KernelRef::of::<steps::sign_of_gamma>(),
                    _ => KernelRef::of::<steps::nearest_remainder>(),
                };
                let args = self.doubles(plain, args)?;
                Value::Exact(self.step(kernel, &args, &[Ty::F64])[0])
            }
            (Plain::Max, [a, b]) => self.two(KernelRef::of::<steps::larger>(), *a, *b)?,
            (Plain::Min, [a, b]) => self.two(KernelRef::of::<steps::smaller>(), *a, *b)?,
            (Plain::ErfInv | Plain::ErfcInv, [a]) => {
                let (of_double, of_words) = match plain {
                    Plain::ErfInv => (
                        KernelRef::of::<inverse::inverse_erf>(),
                        KernelRef::of::<inverse::of_inverse_erf>(),
                    ),
                    _ => (
                        KernelRef::of::<inverse::inverse_erfc>(),
                        KernelRef::of::<inverse::of_inverse_erfc>(),
                    ),
                };
                match self.value(*a)? {
                    Value::Exact(x) | Value::Condition(x) => self.pair_step(of_double, &[x]),
                    Value::Pair(v, r) => self.pair_step(of_words, &[v, r]),
                }
            }
            (_, [_]) => {
                let kernel = match plain {
                    Plain::J0 => KernelRef::of::<bessel::bessel_j0>(),
                    Plain::J1 => KernelRef::of::<bessel::bessel_j1>(),
                    Plain::Y0 => KernelRef::of::<bessel::bessel_y0>(),
                    Plain::Y1 => KernelRef::of::<bessel::bessel_y1>(),
                    _ => unreachable!("the other functions of one argument are above"),
                };
                let args = self.doubles(plain, args)?;
                self.pair_step(kernel, &args)
            }
            _ => unreachable!("the parsers count arguments"),
        })
    }

    fn condition(&mut self, id: Id) -> Result<usize, String> {
        let one = |compiler: &mut Self, kernel, args: &[usize]| {
            compiler.step(kernel, args, &[Ty::F64])[0]
        };
        Ok(match self.tree.node(id).clone() {
            Node::Truth(is) => self.double(f64::from(u8::from(is))),
            Node::Not(p) => {
                let p = self.condition(p)?;
                one(self, KernelRef::of::<steps::negation>(), &[p])
            }
            Node::And(p, q) => {
                let (p, q) = (self.condition(p)?, self.condition(q)?);
                one(self, KernelRef::of::<steps::both>(), &[p, q])
            }
            Node::Or(p, q) => {
                let (p, q) = (self.condition(p)?, self.condition(q)?);
                let p = one(self, KernelRef::of::<steps::negation>(), &[p]);
                let q = one(self, KernelRef::of::<steps::negation>(), &[q]);
                let neither = one(self, KernelRef::of::<steps::both>(), &[p, q]);
                one(self, KernelRef::of::<steps::negation>(), &[neither])
            }
            Node::Compare(comparison, a, b) => {
                let ((a, ra), (b, rb)) = (self.pair_of(a)?, self.pair_of(b)?);
                let order = one(self, KernelRef::of::<steps::order>(), &[a, ra, b, rb]);
                let allowed = match comparison {
                    Comparison::Less => [1.0, 0.0, 0.0, 0.0],
                    Comparison::LessOrEqual => [1.0, 1.0, 0.0, 0.0],
                    Comparison::Greater => [0.0, 0.0, 1.0, 0.0],
                    Comparison::GreaterOrEqual => [0.0, 1.0, 1.0, 0.0],
                    Comparison::Equal => [0.0, 1.0, 0.0, 0.0],
                    Comparison::NotEqual => [1.0, 0.0, 1.0, 1.0],
                }
                .map(|x| self.double(x));
                let args = [&[order][..], &allowed].concat();
                one(self, KernelRef::of::<steps::holds>(), &args)
            }
            _ => return Err("a condition is expected: a comparison, and, or, not".into()),
        })
    }
}
