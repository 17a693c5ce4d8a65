//! The typed form of a kernel: straight-line code, one operation per instruction.
//!
//! Loops are unrolled, constant branches are taken, mask branches become selects, double-doubles and tuples are flattened. Calls stay
//! calls, so a helper is emitted once. Everything that uses a kernel as text or data (emitters, interpreter, identity, statistics) uses
//! this form.

use crate::ir::{Elem, Loc};
use crate::ops::{Op, Prim};
use std::sync::Arc;

/// A kernel and all helpers that it needs.
#[derive(Debug, Clone)]
pub struct Program {
    /// Functions, callees before callers; the last is the entry.
    pub funcs: Vec<Func>,
    /// Tables, each once.
    pub tables: Vec<TableData>,
}

/// One function of a program. Two calls of one kernel with the same tables share one function.
#[derive(Debug, Clone)]
pub struct Func {
    /// Unique in the program, a C identifier: the kernel's name, with a suffix if it occurs in several forms.
    pub name: String,
    /// Its origin.
    pub origin: Arc<Origin>,
    /// Flattened parameters (a double-double counts as two, a table as none). Their names are unique C identifiers.
    pub params: Vec<(String, Prim)>,
    /// Instructions in order; each defines the value with its index. The first `params.len()` are the parameters.
    pub insts: Vec<Inst>,
    /// Flattened results.
    pub results: Vec<Value>,
}

/// The origin of a function, for reports. No computation depends on it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// The function's name.
    pub name: String,
    /// The name with the values of its const generics: `horner::<N = 21>`.
    pub title: String,
    /// The path of its module.
    pub module: String,
    /// Its file. Operations refer to it, so it is shared.
    pub file: Arc<str>,
    /// Line of the function's head in `file`, from 1.
    pub line: u32,
    /// Its source text, or empty.
    pub source: String,
    /// The flattened results that are the upper word of a double-double, in ascending order.
    pub double_doubles: Vec<usize>,
}

impl Origin {
    /// The origin of a function that was made elsewhere. It has a name and a module, and no source.
    #[must_use]
    pub fn named(name: &str, module: &str) -> Self {
        Origin {
            name: name.into(),
            title: name.into(),
            module: module.into(),
            ..Origin::default()
        }
    }
}

/// The value defined by instruction number `.0` of the same function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub u32);

/// Index in [`Program::funcs`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FuncId(pub u32);

/// Index in [`Program::tables`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableId(pub u32);

/// One instruction.
#[derive(Debug, Clone, PartialEq)]
pub struct Inst {
    /// Its kind.
    pub kind: InstKind,
    /// Operands.
    pub args: Vec<Value>,
    /// The type of the value that it defines. A [`InstKind::Call`] defines no value; this is then the type of the first result.
    pub ty: Prim,
    /// Its place in the file of the function.
    pub loc: Loc,
    /// The local to which it was first bound, if there is one. It names the value in emitted text and traces.
    pub name: Option<Arc<str>>,
}

/// The kinds of instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InstKind {
    /// The function's parameter with this index.
    Param(u32),
    /// A constant: the bits of a value of type `ty`, zero-extended; a mask is 0 or 1.
    Const(u64),
    /// A primitive operation; its operand types are those of `args`.
    Op(Op),
    /// `table[args[0]]`, index wrapped or clamped (see [`TableData::wraps`]).
    Load(TableId),
    /// A call; its results are read by `Result` instructions.
    Call(FuncId),
    /// Result number n of the call `args[0]`.
    Result(u32),
}

/// A table's contents as bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableData {
    /// A C identifier, unique in the program.
    pub name: String,
    /// Element type as written.
    pub elem: Elem,
    /// The elements' bits, zero-extended.
    pub bits: Vec<u64>,
}

impl TableData {
    /// Lane type of an element.
    #[must_use]
    pub fn prim(&self) -> Prim {
        match self.elem {
            Elem::F64 => Prim::F64,
            Elem::F32 => Prim::F32,
            Elem::I64 | Elem::U64 => Prim::I64,
            Elem::I32 | Elem::U32 => Prim::I32,
        }
    }
    /// Whether an index is wrapped (`index & (len - 1)`, if the length is a power of two) or clamped to `0..=len - 1` as a signed number.
    #[must_use]
    pub fn wraps(&self) -> bool {
        self.bits.len().is_power_of_two()
    }
}

impl Program {
    /// The function of the kernel itself.
    #[must_use]
    pub fn entry(&self) -> &Func {
        self.funcs.last().expect("a program has an entry")
    }
    /// The function with an id.
    #[must_use]
    pub fn func(&self, id: FuncId) -> &Func {
        &self.funcs[id.0 as usize]
    }
    /// The table with an id.
    #[must_use]
    pub fn table(&self, id: TableId) -> &TableData {
        &self.tables[id.0 as usize]
    }
}

impl Func {
    /// The instruction that defines a value.
    #[must_use]
    pub fn inst(&self, v: Value) -> &Inst {
        &self.insts[v.0 as usize]
    }
    /// Type of a value.
    #[must_use]
    pub fn ty(&self, v: Value) -> Prim {
        self.inst(v).ty
    }
}
