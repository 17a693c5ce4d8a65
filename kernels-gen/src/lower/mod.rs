//! From the source form ([`crate::ir`]) to straight-line code ([`crate::program`]).
//!
//! | file | what |
//! |---|---|
//! | `body` | one function: statements, blocks, loops, branches |
//! | `expr` | expressions, calls, tables |
//! | `ops` | operators and methods on lanes and literals |
//! | `value` | the value of an expression: lanes, a literal in both readings, an index, … |
//! | `index` | index arithmetic and loop ranges, evaluated during lowering |
//! | `prune` | dead code, unreachable functions and tables |
//! | `error` | the errors |
//!
//! Nothing is simplified or folded: every operation of the source on which a result depends is an instruction. Only index values (`usize`,
//! `bool`), which are never in a lane, are computed here.

mod body;
mod composed;
mod error;
mod expr;
mod index;
mod ops;
mod prune;
#[cfg(test)]
mod tests;
mod value;

pub use error::LowerError;

use crate::ir::{Elem, Kernel, Loc, Table, Ty};
use crate::ops::Prim;
use crate::program::{Func, FuncId, InstKind, Program, TableData, TableId};
use body::Body;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The largest number of instructions of one function after unrolling.
const MAX_INSTS: usize = 1_000_000;
/// The largest number of instructions of the entry with all calls inlined, which a backend's compiler gets.
const MAX_INLINED: u64 = 10_000_000;
/// The largest number of loop iterations of a kernel and all its helpers together.
const MAX_ITERATIONS: i128 = 65_536;
/// The largest nesting of expressions and calls.
const MAX_DEPTH: u32 = 1_000;
/// The stack size of the lowering thread. In an unoptimised build, [`MAX_DEPTH`] levels need less than half of it.
const STACK: usize = 64 << 20;

/// Lowers a kernel and the helpers that it calls.
///
/// # Errors
/// If the kernel has no straight-line form: an index overflows or is past the end of a table, a limit is exceeded, or an operation does not
/// exist. See [`LowerError`].
pub fn lower(kernel: &'static Kernel) -> Result<Program, LowerError> {
    // The tree is as deep as the user nested it, so the recursion over it runs on a stack of known size.
    let thread = std::thread::Builder::new()
        .name("lower".into())
        .stack_size(STACK)
        .spawn(move || Module::default().entry(kernel));
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(result)) => result,
        Ok(Err(panic)) => std::panic::resume_unwind(panic),
        Err(e) => Err(LowerError::new(
            kernel,
            Loc::default(),
            format!("no thread to lower it on: {e}"),
            "free some memory",
        )),
    }
}

/// The program so far.
#[derive(Default)]
struct Module {
    funcs: Vec<Func>,
    tables: Vec<TableData>,
    /// Tables by content.
    table_ids: HashMap<(Elem, Vec<u64>), TableId>,
    /// Functions by the address of their kernel and the given tables. rustc may promote one kernel to several addresses; equal functions
    /// are merged afterwards.
    func_ids: HashMap<(usize, Vec<TableId>), FuncId>,
    /// Loop iterations so far.
    iterations: i128,
    /// The current nesting.
    depth: u32,
}

impl Module {
    fn entry(mut self, kernel: &'static Kernel) -> Result<Program, LowerError> {
        let refuse =
            |what: String, remedy| Err(LowerError::new(kernel, Loc::default(), what, remedy));
        if let Some(p) = kernel.params.iter().find(|p| has_table(p.ty)) {
            return refuse(
                format!(
                    "parameter `{}` is a table, so it cannot be run by itself",
                    p.name
                ),
                "call it from a kernel that gives it a table",
            );
        }
        let entry = self.func(kernel, &[])?;
        if self.funcs[entry.0 as usize].results.is_empty() {
            return refuse("it returns nothing".into(), "return a value");
        }
        let size = inlined_size(&self.funcs, entry);
        if size > MAX_INLINED {
            return refuse(
                format!("it has {size} instructions with its calls inlined (limit {MAX_INLINED})"),
                "call fewer helpers, or shorten their loops",
            );
        }
        let mut program = prune::reachable(self.funcs, self.tables, entry);
        name_funcs(&mut program);
        debug_assert_eq!(crate::check::check(&program), Ok(()));
        Ok(program)
    }

    /// The function of a kernel with the tables to which its table parameters are bound.
    fn func(&mut self, kernel: &'static Kernel, tables: &[TableId]) -> Result<FuncId, LowerError> {
        let key = (std::ptr::from_ref(kernel).addr(), tables.to_vec());
        if let Some(&id) = self.func_ids.get(&key) {
            return Ok(id);
        }
        let func = prune::dead_code(Body::lower(self, kernel, tables)?);
        let id = match self.funcs.iter().position(|f| same(f, &func)) {
            Some(i) => FuncId(i as u32),
            None => {
                self.funcs.push(func);
                FuncId(self.funcs.len() as u32 - 1)
            }
        };
        self.func_ids.insert(key, id);
        Ok(id)
    }

    /// The table with that content.
    fn table(&mut self, table: Table) -> TableId {
        let (elem, bits): (_, Vec<u64>) = match table {
            Table::F64(t) => (Elem::F64, t.iter().map(|x| x.to_bits()).collect()),
            Table::F32(t) => (
                Elem::F32,
                t.iter().map(|x| u64::from(x.to_bits())).collect(),
            ),
            Table::I64(t) => (Elem::I64, t.iter().map(|x| x.cast_unsigned()).collect()),
            Table::U64(t) => (Elem::U64, t.to_vec()),
            Table::I32(t) => (
                Elem::I32,
                t.iter().map(|x| u64::from(x.cast_unsigned())).collect(),
            ),
            Table::U32(t) => (Elem::U32, t.iter().map(|&x| u64::from(x)).collect()),
        };
        let Module {
            tables, table_ids, ..
        } = self;
        *table_ids
            .entry((elem, bits))
            .or_insert_with_key(|(elem, bits)| {
                tables.push(TableData {
                    name: String::new(),
                    elem: *elem,
                    bits: bits.clone(),
                });
                TableId(tables.len() as u32 - 1)
            })
    }
}

/// Whether the two functions are equal, so that one replaces both.
fn same(a: &Func, b: &Func) -> bool {
    let (x, y) = (&a.origin, &b.origin);
    let from = x.line == y.line && x.name == y.name && x.module == y.module && x.file == y.file;
    from && a.params == b.params && a.insts == b.insts && a.results == b.results
}

/// Whether the type contains a table.
fn has_table(ty: Ty) -> bool {
    match ty {
        Ty::Table(_) => true,
        Ty::Tuple(items) => items.iter().any(|&t| has_table(t)),
        _ => false,
    }
}

/// The number of instructions of a function with all calls inlined, saturating.
fn inlined_size(funcs: &[Func], entry: FuncId) -> u64 {
    let mut sizes: Vec<u64> = Vec::with_capacity(funcs.len());
    for f in funcs {
        let size = f.insts.iter().fold(0u64, |n, inst| match inst.kind {
            InstKind::Call(g) => n.saturating_add(sizes[g.0 as usize]),
            _ => n.saturating_add(1),
        });
        sizes.push(size);
    }
    sizes[entry.0 as usize]
}

/// Names functions after their kernels, the entry first, and numbers the tables.
fn name_funcs(program: &mut Program) {
    let mut used = HashSet::new();
    let last = program.funcs.len() - 1;
    for i in std::iter::once(last).chain(0..last) {
        let f = &mut program.funcs[i];
        f.name = unique(&mut used, &f.origin.name);
    }
    for (i, t) in program.tables.iter_mut().enumerate() {
        t.name = format!("table_{i}");
    }
}

/// A C identifier derived from a Rust one that is not `used` yet.
fn unique(used: &mut HashSet<String>, name: &str) -> String {
    let name = name.strip_prefix("r#").unwrap_or(name);
    let stem: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    let mut name = stem.clone();
    let mut n = 1;
    while !used.insert(name.clone()) {
        n += 1;
        name = format!("{stem}_{n}");
    }
    name
}

/// The types that were inferred for locals bound to literals, by index (see [`body`]).
type InferredLiterals = BTreeMap<u32, Prim>;
