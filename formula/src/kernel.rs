//! Steps as a kernel, and as compiled code over columns of bits. Both give the same bits, because each step is a kernel.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

use dc_runtime::backend::CpuPoint;
use dc_runtime::model::kernel_ref::{KernelRef, PointFn};
use kernels_gen::interp::eval_batch;
use kernels_gen::ir::{Elem, Kernel, Ty as IrTy};
use kernels_gen::ops::Prim;
use kernels_gen::program::Program;
use kernels_gen::syntax::{
    Block, Callee, Const, ConstValue, Expr, Func, Kind, Local, Param, Pat, Stmt, Ty, Unit, of_ir,
    tree,
};

use crate::compile::{Origin, Steps};

/// The kernel of steps, with that name, text and module.
#[must_use]
pub fn kernel(steps: &Steps, name: &str, text: &str, module: &str) -> &'static Kernel {
    tree::kernel(&unit(steps, name, text, module))
}

/// The kernel as syntax.
fn unit(steps: &Steps, name: &str, text: &str, module: &str) -> Unit {
    let mut library: Vec<&'static Kernel> = Vec::new();
    let mut consts: Vec<Const> = Vec::new();
    let mut locals: Vec<Local> = Vec::new();
    // The local of each register that is none of constants.
    let mut local_of = HashMap::new();
    for (n, register) in steps.registers.iter().enumerate() {
        let name = match &register.origin {
            Origin::Argument(0) => "x".to_string(),
            Origin::Argument(1) => "y".to_string(),
            Origin::Argument(k) => format!("x{k}"),
            Origin::Constant(_) => continue,
            Origin::Step => format!("t{n}"),
        };
        local_of.insert(n, locals.len());
        locals.push(Local::new(name, of_ir(register.ty)));
    }
    let mut word = |ty: Ty, bits: u64| {
        let elem = match ty {
            Ty::Lane(Prim::I64) => Elem::I64,
            _ => Elem::F64,
        };
        let value = ConstValue::Number(elem, bits);
        let n = consts.iter().position(|c| c.value == value);
        let n = n.unwrap_or_else(|| {
            let name = format!("C{}", consts.len());
            consts.push(Const { name, value });
            consts.len() - 1
        });
        Expr::new(ty, Kind::Const(n))
    };
    let mut read = |n: usize| {
        let register = &steps.registers[n];
        let ty = of_ir(register.ty);
        match &register.origin {
            Origin::Constant(words) => match &words[..] {
                [hi, lo] => {
                    let double = Ty::Lane(Prim::F64);
                    let [hi, lo] = [hi, lo].map(|bits| Box::new(word(double.clone(), *bits)));
                    Expr::new(ty, Kind::NewDd(hi, lo))
                }
                words => word(ty, words[0]),
            },
            _ => Expr::new(ty, Kind::Local(local_of[&n])),
        }
    };
    let mut stmts = Vec::new();
    for step in &steps.steps {
        let kernel = step.kernel.kernel;
        let n = library.iter().position(|k| std::ptr::eq(*k, kernel));
        let n = n.unwrap_or_else(|| {
            library.push(kernel);
            library.len() - 1
        });
        let args = step.args.iter().map(|&a| read(a)).collect();
        let call = Expr::new(of_ir(kernel.ret), Kind::Call(Callee::Library(n), args));
        let names: Vec<Pat> = step
            .results
            .iter()
            .map(|r| Pat::Local(local_of[r]))
            .collect();
        let pattern = match <[Pat; 1]>::try_from(names) {
            Ok([one]) => one,
            Err(names) => Pat::Tuple(names),
        };
        stmts.push(Stmt::Let(pattern, false, call));
    }
    let mut results: Vec<Expr> = steps.results.iter().map(|&r| read(r)).collect();
    let value = match results.len() {
        1 => results.remove(0),
        _ => {
            let types = results.iter().map(|e| e.ty.clone()).collect();
            Expr::new(Ty::Tuple(types), Kind::Tuple(results))
        }
    };
    let func = Func {
        name: name.into(),
        doc: Vec::new(),
        line: 1,
        text: text.into(),
        generic: false,
        params: (0..steps.arguments)
            .map(|n| Param {
                local: n,
                columns: vec![n],
            })
            .collect(),
        ret: value.ty.clone(),
        locals,
        body: Block {
            stmts,
            value: Some(Box::new(value)),
        },
    };
    Unit {
        module: module.into(),
        file: String::new(),
        head: Vec::new(),
        library: tree::leak(library),
        funcs: vec![func],
        tables: Vec::new(),
        consts,
    }
}

/// The columns of registers, which a thread keeps.
#[derive(Default)]
struct Columns {
    words: Vec<Vec<Vec<u64>>>,
}

thread_local! {
    static COLUMNS: RefCell<Columns> = RefCell::default();
}

/// Evaluates steps over columns of bits, with the widest instruction set of this processor.
pub fn run(steps: &Steps, inputs: &[&[u64]], outputs: &mut [Vec<u64>]) {
    COLUMNS.with_borrow_mut(|columns| columns.run(steps, inputs, outputs));
}

impl Columns {
    fn run(&mut self, steps: &Steps, inputs: &[&[u64]], outputs: &mut [Vec<u64>]) {
        let n = inputs.first().map_or(0, |column| column.len());
        let words = &mut self.words;
        words.resize_with(steps.registers.len().max(words.len()), Vec::new);
        for (register, columns) in steps.registers.iter().zip(words.iter_mut()) {
            columns.resize_with(if register.ty == IrTy::Dd { 2 } else { 1 }, Vec::new);
            match &register.origin {
                Origin::Argument(k) => {
                    columns[0].clear();
                    columns[0].extend_from_slice(inputs[*k]);
                }
                Origin::Constant(values) => {
                    for (column, value) in columns.iter_mut().zip(values) {
                        column.clear();
                        column.resize(n, *value);
                    }
                }
                Origin::Step => {}
            }
        }
        for step in &steps.steps {
            let mut results: Vec<Vec<u64>> = Vec::new();
            for &r in &step.results {
                results.extend(words[r].iter_mut().map(std::mem::take));
            }
            let args: Vec<&[u64]> = step
                .args
                .iter()
                .flat_map(|&a| words[a].iter().map(Vec::as_slice))
                .collect();
            (step.kernel.widest())(&args, &mut results);
            let mut results = results.into_iter();
            for &r in &step.results {
                for column in &mut words[r] {
                    *column = results.next().unwrap_or_default();
                }
            }
        }
        let of_results = steps.results.iter().flat_map(|&r| &words[r]);
        for (output, column) in outputs.iter_mut().zip(of_results) {
            output.clear();
            output.extend_from_slice(column);
        }
    }
}

/// The code that evaluates a formula's kernel.
#[derive(Debug)]
pub enum Code {
    /// Compiled kernels over columns.
    Steps(Steps),
    /// The kernel, interpreted.
    Program(Program),
}

/// Formulas that a process has compiled: a kernel's compiled form is a plain function, and each of these has one.
static COMPILED: [OnceLock<Code>; 256] = [const { OnceLock::new() }; 256];

fn slot<const A: usize, const B: usize>(inputs: &[&[u64]], outputs: &mut [Vec<u64>]) {
    match COMPILED[16 * A + B].get() {
        Some(Code::Steps(steps)) => run(steps, inputs, outputs),
        Some(Code::Program(program)) => eval_batch(program, inputs, outputs),
        None => {}
    }
}

macro_rules! slots {
    ($($a:literal)+) => { [$(slots!(@row $a 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)),+] };
    (@row $a:literal $($b:literal)+) => { [$(slot::<$a, $b>),+] };
}
static SLOTS: [[PointFn; 16]; 16] = slots!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);

/// A kernel for a sweep, with its steps. Without steps, it is interpreted. Equal kernels are made once.
///
/// # Errors
/// If a process has compiled too many.
pub fn sweep_kernel(steps: Option<Steps>, kernel: &'static Kernel) -> Result<KernelRef, String> {
    static MADE: Mutex<Vec<(String, &'static Kernel)>> = Mutex::new(Vec::new());
    let lowered = kernels_gen::lower(kernel).map_err(|e| e.to_string())?;
    let kind = if steps.is_some() {
        "compiled"
    } else {
        "interpreted"
    };
    let identity = format!(
        "{kind} {} {}",
        kernels_gen::identity::identity_hex(&lowered),
        kernel.source
    );
    let mut made = MADE
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let known = made.iter().position(|m| m.0 == identity);
    let (n, kernel) = match known {
        Some(n) => (n, made[n].1),
        None if made.len() == COMPILED.len() => {
            return Err(format!(
                "a process compiles at most {} formulas",
                COMPILED.len()
            ));
        }
        None => {
            let n = made.len();
            made.push((identity, kernel));
            COMPILED[n].get_or_init(|| match steps {
                Some(steps) => Code::Steps(steps),
                None => Code::Program(lowered),
            });
            (n, kernel)
        }
    };
    Ok(KernelRef {
        kernel,
        cpu: CpuPoint::all(SLOTS[n / 16][n % 16]),
        written: None,
    })
}
