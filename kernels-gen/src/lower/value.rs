//! The values of expressions while a kernel is lowered.

use crate::ir::Ty;
use crate::ops::Prim;
use crate::program::{TableId, Value};
use std::rc::Rc;

/// The value of an expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Lowered {
    /// A value whose type is known.
    One(Value),
    /// A literal, or arithmetic on literals only, whose type is not known yet.
    UntypedLiteral(UntypedLiteral),
    /// A `usize`: known during lowering, never in a lane.
    Index(usize),
    /// A `bool`: known during lowering; used as a mask, it is the same on all lanes.
    Bool(bool),
    /// The words of a double-double.
    Dd(Value, Value),
    /// A tuple; empty for `()`.
    Tuple(Rc<[Lowered]>),
    /// A table, and the local bound to it, if there is one.
    Table(TableId, Option<&'static str>),
}

/// A literal in both readings.
///
/// rustc infers a literal's type from its use, however far away. This inference is not repeated. Instead, every operation whose operands
/// are all literals is done in both readings. The first typed operand, annotation, parameter or return type with which they are used
/// chooses one; the other reading is dead code.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct UntypedLiteral {
    /// Whether it is a float literal; otherwise it is an integer literal.
    pub float: bool,
    /// As `DcDouble` or `DcLong`; `None` if it does not fit.
    pub wide: Option<Value>,
    /// As `DcFloat` or `DcInt`; `None` if it does not fit.
    pub narrow: Option<Value>,
    /// As `usize`; `None` for floats, and if it is negative or an operation on it overflowed.
    pub index: Option<usize>,
}

impl UntypedLiteral {
    /// The types of the two readings.
    pub fn prims(self) -> [Prim; 2] {
        if self.float {
            [Prim::F64, Prim::F32]
        } else {
            [Prim::I64, Prim::I32]
        }
    }
    /// The reading as this type. `None` if there is none, `Some(None)` if the literal does not fit.
    pub fn reading(self, ty: Prim) -> Option<Option<Value>> {
        let [wide, narrow] = self.prims();
        if ty == wide {
            Some(self.wide)
        } else if ty == narrow {
            Some(self.narrow)
        } else {
            None
        }
    }
}

impl Lowered {
    /// `()`
    pub fn unit() -> Self {
        Lowered::Tuple(Rc::from([]))
    }
    /// As an index value, if it can be one.
    pub fn index(&self) -> Option<usize> {
        match self {
            Lowered::Index(i) => Some(*i),
            Lowered::UntypedLiteral(d) => d.index,
            _ => None,
        }
    }
    /// Its kind, in the words of the language.
    pub fn describe(&self, prim_of: impl Fn(Value) -> Prim) -> String {
        match self {
            Lowered::One(v) => format!("`{}`", prim_name(prim_of(*v))),
            Lowered::UntypedLiteral(UntypedLiteral { float: true, .. }) => "a float literal".into(),
            Lowered::UntypedLiteral(_) => "an integer literal".into(),
            Lowered::Index(_) => "a `usize`".into(),
            Lowered::Bool(_) => "a `bool`".into(),
            Lowered::Dd(..) => "`DcDoubleDouble`".into(),
            Lowered::Tuple(items) if items.is_empty() => "`()`".into(),
            Lowered::Tuple(_) => "a tuple".into(),
            Lowered::Table(..) => "a table".into(),
        }
    }
}

/// A lane type as written in a kernel.
pub(super) fn prim_name(p: Prim) -> &'static str {
    match p {
        Prim::F64 => "DcDouble",
        Prim::F32 => "DcFloat",
        Prim::I64 => "DcLong",
        Prim::I32 => "DcInt",
        Prim::Mask => "DcMask",
    }
}

/// The lane type of a type that consists of one lane value.
pub(super) fn scalar(ty: Ty) -> Option<Prim> {
    match ty {
        Ty::F64 => Some(Prim::F64),
        // What is stored in 16 bits is computed in binary32.
        Ty::F32 | Ty::Half | Ty::Bfloat => Some(Prim::F32),
        Ty::I64 => Some(Prim::I64),
        Ty::I32 => Some(Prim::I32),
        Ty::Mask => Some(Prim::Mask),
        Ty::Dd | Ty::Tuple(_) | Ty::Table(_) => None,
    }
}

/// Appends the lane types of a flattened type; a table has none.
pub(super) fn flatten(ty: Ty, out: &mut Vec<Prim>) {
    match ty {
        Ty::Dd => out.extend([Prim::F64; 2]),
        Ty::Tuple(items) => items.iter().for_each(|&t| flatten(t, out)),
        Ty::Table(_) => {}
        _ => out.extend(scalar(ty)),
    }
}
