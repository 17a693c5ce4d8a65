//! A formula as a sequence of kernels over registers. The kernel and the evaluation of columns are made from this form.

mod functions;
mod plain;
mod rewrite;

use std::collections::HashMap;

use dc_runtime::builtins::dd;
use dc_runtime::builtins::eft;
use dc_runtime::model::kernel_ref::KernelRef;
use dc_runtime::model::key::Precision;
use kernels_gen::ir::Ty;

use crate::number::Number;
use crate::steps;
use crate::tree::{Id, Node, Tree};

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

/// The form of a formula's variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arguments {
    /// This many doubles.
    Doubles(usize),
    /// This many sums of two doubles, which are two arguments each. They stand for integers of 64 bits.
    Sums(usize),
}

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
    /// Whether the compiler is inside the definition of a function.
    defining: bool,
}

/// The function, if the formula is a function of its one argument and has a reference.
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

    /// Calls a kernel. If all arguments are constants, so are the results.
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
}
