//! LLVM IR as data: the parts that the lifter reads.

use std::collections::HashMap;
use std::rc::Rc;

/// A type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    /// `void`
    Void,
    /// `iN`
    Int(u32),
    /// `float`
    Float,
    /// `double`
    Double,
    /// A pointer of any kind.
    Ptr,
    /// `[N x T]`
    Array(u64, Box<Type>),
    /// `<N x T>`
    Vector(u64, Box<Type>),
    /// A structure; `true` if it is packed.
    Struct(Vec<Type>, bool),
    /// A type that has no lanes in this program: `half`, `x86_fp80`, …
    Other(String),
}

impl Type {
    /// Size in bytes, including the padding to its alignment.
    #[must_use]
    pub fn size(&self) -> u64 {
        match self {
            Type::Int(bits) => u64::from(bits.div_ceil(8)).next_power_of_two(),
            Type::Float => 4,
            Type::Double | Type::Ptr => 8,
            Type::Array(n, of) => n * of.size(),
            Type::Vector(n, of) => (n * of.size()).next_power_of_two(),
            Type::Struct(fields, _) => self.field(fields.len()),
            Type::Void | Type::Other(_) => 0,
        }
    }
    fn align(&self) -> u64 {
        match self {
            Type::Array(_, of) => of.align(),
            Type::Struct(_, true) => 1,
            Type::Struct(fields, false) => fields.iter().map(Type::align).max().unwrap_or(1),
            other => other.size().max(1),
        }
    }
    /// Offset of a structure's field in bytes. For the index after the last field, the structure's size.
    #[must_use]
    pub fn field(&self, n: usize) -> u64 {
        let Type::Struct(fields, packed) = self else {
            return 0;
        };
        let mut at = 0u64;
        for (i, f) in fields.iter().enumerate() {
            if !packed {
                at = at.next_multiple_of(f.align());
            }
            if i == n {
                return at;
            }
            at += f.size();
        }
        at.next_multiple_of(self.align())
    }
}

/// A value's name without its sigil.
pub type Name = Rc<str>;

/// An operand.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// `%name`
    Local(Name),
    /// `@name`
    Global(Name),
    /// An integer, `true` or `false`.
    Int(i128),
    /// A float's value as a double, which has all values of `float`.
    Float(f64),
    /// `undef`, `poison`
    Undef,
    /// `zeroinitializer`, `null`
    Zero,
    /// Elements of an array or structure.
    Aggregate(Vec<(Type, Operand)>),
    /// `c"…"`
    Bytes(Vec<u8>),
    /// A constant `getelementptr`.
    Gep(Box<Gep>),
    /// Anything else, with its text.
    Other(String),
}

/// `getelementptr`
#[derive(Debug, Clone, PartialEq)]
pub struct Gep {
    /// The type that the first index steps over.
    pub ty: Type,
    /// The pointer.
    pub base: Operand,
    /// The indices.
    pub indices: Vec<(Type, Operand)>,
}

/// An instruction's operation.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the names are LLVM's")]
pub enum Opcode {
    Binary(String, Type, Operand, Operand),
    FNeg(Type, Operand),
    ICmp(String, Type, Operand, Operand),
    FCmp(String, Type, Operand, Operand),
    Select(Operand, Type, Operand, Operand),
    Phi(Type, Vec<(Operand, Name)>),
    Cast(String, Type, Operand, Type),
    Freeze(Type, Operand),
    Alloca(Type, u64),
    Gep(Gep),
    Load(Type, Operand),
    Store(Type, Operand, Operand),
    Call(Type, Operand, Vec<(Type, Operand)>),
    ExtractValue(Type, Operand, Vec<u32>),
    InsertValue(Type, Operand, Type, Operand, Vec<u32>),
    ExtractElement(Type, Operand, Type, Operand),
    InsertElement(Type, Operand, Type, Operand, Type, Operand),
    /// Elements of two vectors, by number; `None` for an element that may have any value.
    Shuffle(Type, Operand, Operand, Vec<Option<u32>>),
    Ret(Type, Option<Operand>),
    Br(Name),
    CondBr(Operand, Name, Name),
    Switch(Type, Operand, Name, Vec<(i128, Name)>),
    Unreachable,
    /// A source variable gets a value: the number of the variable's metadata.
    Variable(Operand, u32),
    /// An instruction that the parser does not know, with its text. It is an error only if it is executed.
    Unknown(String),
}

/// An instruction.
#[derive(Debug, Clone)]
pub struct Instr {
    /// The value that it defines.
    pub result: Option<Name>,
    /// Its operation.
    pub op: Opcode,
    /// Number of its `!dbg` metadata.
    pub dbg: Option<u32>,
    /// Its fast-math flags.
    pub fast: Vec<String>,
}

/// A basic block.
#[derive(Debug, Clone)]
pub struct Block {
    /// Its label.
    pub label: Name,
    /// Its instructions; the last one is the terminator.
    pub instrs: Vec<Instr>,
}

/// A function with a body.
#[derive(Debug, Clone)]
pub struct Function {
    /// Its symbol.
    pub name: Name,
    /// Its return type.
    pub ret: Type,
    /// Its parameters.
    pub params: Vec<(Type, Name)>,
    /// Its blocks, the entry first.
    pub blocks: Vec<Block>,
    /// Number of its `!dbg` metadata.
    pub dbg: Option<u32>,
}

/// A global variable.
#[derive(Debug, Clone)]
pub struct Global {
    /// Its type.
    pub ty: Type,
    /// Its initial value, if the module has one.
    pub init: Option<Operand>,
    /// `constant`
    pub constant: bool,
}

/// A node of the debug information: its kind and its fields.
#[derive(Debug, Clone, Default)]
pub struct Meta {
    /// `DILocation`, …; empty if it is a list.
    pub kind: String,
    /// Fields as text, strings without their quotes.
    pub fields: HashMap<String, String>,
}

/// A module.
#[derive(Debug, Clone, Default)]
pub struct Module {
    /// Functions with a body, by symbol.
    pub functions: HashMap<Name, Function>,
    /// Global variables by symbol.
    pub globals: HashMap<Name, Global>,
    /// Other names of symbols.
    pub aliases: HashMap<Name, Name>,
    /// Debug information by number.
    pub meta: HashMap<u32, Meta>,
}

impl Module {
    fn number(&self, id: u32, field: &str) -> Option<u32> {
        let text = self.meta.get(&id)?.fields.get(field)?;
        text.trim_start_matches('!').parse().ok()
    }
    /// The source line of an instruction of `function`. For an instruction that was inlined from another function, it is the line of the
    /// call.
    #[must_use]
    pub fn line(&self, dbg: Option<u32>) -> u32 {
        let Some(mut at) = dbg else { return 0 };
        for _ in 0..64 {
            match self.number(at, "inlinedAt") {
                Some(call) => at = call,
                None => break,
            }
        }
        self.number(at, "line").unwrap_or(0)
    }
    /// The file of a function's debug information, with the line of its head.
    #[must_use]
    pub fn place(&self, dbg: Option<u32>) -> Option<(String, u32)> {
        let dbg = dbg?;
        let file = self.number(dbg, "file")?;
        let name = self.meta.get(&file)?.fields.get("filename")?;
        Some((name.clone(), self.number(dbg, "line")?))
    }
    /// The name of a source variable.
    #[must_use]
    pub fn variable(&self, id: u32) -> Option<&str> {
        Some(self.meta.get(&id)?.fields.get("name")?.as_str())
    }
}
