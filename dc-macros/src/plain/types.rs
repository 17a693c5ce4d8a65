//! Types of plain functions, and their inference: the types come from annotations, suffixes, casts and known methods.
//!
//! rustc checks the function itself, so a contradiction is not an error here: the first type is kept. A type that only rustc knows, such as
//! the type of a constant in another file, is `external`.

use crate::ast::Lane;
use std::rc::Rc;

/// A plain type of one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Num {
    F64,
    F32,
    I8,
    I16,
    I32,
    I64,
    Isize,
    U8,
    U16,
    U32,
    U64,
    Usize,
    Bool,
}

impl Num {
    pub(crate) const ALL: [(&'static str, Num); 13] = [
        ("f64", Num::F64),
        ("f32", Num::F32),
        ("i8", Num::I8),
        ("i16", Num::I16),
        ("i32", Num::I32),
        ("i64", Num::I64),
        ("isize", Num::Isize),
        ("u8", Num::U8),
        ("u16", Num::U16),
        ("u32", Num::U32),
        ("u64", Num::U64),
        ("usize", Num::Usize),
        ("bool", Num::Bool),
    ];
    pub(crate) fn named(name: &str) -> Option<Num> {
        Self::ALL.iter().find(|x| x.0 == name).map(|x| x.1)
    }
    pub(crate) fn name(self) -> &'static str {
        let own = Self::ALL.iter().find(|x| x.1 == self);
        own.map_or("f64", |x| x.0)
    }
    pub(crate) fn is_float(self) -> bool {
        matches!(self, Num::F64 | Num::F32)
    }
    pub(crate) fn is_int(self) -> bool {
        !self.is_float() && self != Num::Bool
    }
    pub(crate) fn is_unsigned(self) -> bool {
        use Num::{U8, U16, U32, U64, Usize};
        matches!(self, U8 | U16 | U32 | U64 | Usize)
    }
    /// The width of an integer.
    pub(crate) fn bits(self) -> u32 {
        match self {
            Num::I8 | Num::U8 => 8,
            Num::I16 | Num::U16 => 16,
            Num::I32 | Num::U32 | Num::F32 => 32,
            Num::I64 | Num::U64 | Num::Isize | Num::Usize | Num::F64 => 64,
            Num::Bool => 1,
        }
    }
    /// Whether its values are kept in lanes that are wider.
    pub(crate) fn is_narrow(self) -> bool {
        self.is_int() && self.bits() < 32
    }
    /// The lanes that hold it. Narrow integers are kept in `DcInt` as the same number.
    pub(crate) fn lane(self) -> Lane {
        match self {
            Num::F64 => Lane::F64,
            Num::F32 => Lane::F32,
            Num::Bool => Lane::Mask,
            _ if self.bits() == 64 => Lane::I64,
            _ => Lane::I32,
        }
    }
    /// The signed type of the same width.
    pub(crate) fn signed(self) -> Num {
        match self {
            Num::U8 => Num::I8,
            Num::U16 => Num::I16,
            Num::U32 => Num::I32,
            Num::U64 => Num::I64,
            Num::Usize => Num::Isize,
            num => num,
        }
    }
    /// The unsigned type of the same width, also for the bits of a float.
    pub(crate) fn unsigned(self) -> Num {
        match self.bits() {
            8 => Num::U8,
            16 => Num::U16,
            32 => Num::U32,
            _ if self == Num::Isize || self == Num::Usize => Num::Usize,
            _ => Num::U64,
        }
    }
}

/// A type, which may not be known yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Var(usize);

/// What is known about a type.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Type {
    Num(Num),
    Tuple(Vec<Var>),
    /// An array of this many elements of one type.
    Array(Var, usize),
    /// A structure, and the types of its fields.
    Struct(Rc<Fields>, Vec<Var>),
    /// Whether there is a value, as a truth value, and the value.
    Option(Var, Var),
}

/// The name of a structure, and those of its fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fields {
    pub name: String,
    pub names: Vec<String>,
}

#[derive(Debug, Clone, Default)]
struct Root {
    ty: Option<Type>,
    /// Whether a literal has this type.
    float: bool,
    int: bool,
    /// Whether something whose type only rustc knows has this type.
    external: bool,
}

#[derive(Debug)]
enum Slot {
    Same(Var),
    Root(Root),
}

/// The types of a function.
#[derive(Debug, Default)]
pub(crate) struct Types(Vec<Slot>);

impl Types {
    fn root_slot(&mut self, root: Root) -> Var {
        self.0.push(Slot::Root(root));
        Var(self.0.len() - 1)
    }
    pub(crate) fn fresh(&mut self) -> Var {
        self.root_slot(Root::default())
    }
    pub(crate) fn external(&mut self) -> Var {
        self.root_slot(Root {
            external: true,
            ..Root::default()
        })
    }
    pub(crate) fn literal(&mut self, float: bool) -> Var {
        self.root_slot(Root {
            float,
            int: !float,
            ..Root::default()
        })
    }
    pub(crate) fn num(&mut self, num: Num) -> Var {
        self.known(Type::Num(num))
    }
    pub(crate) fn tuple(&mut self, items: Vec<Var>) -> Var {
        self.known(Type::Tuple(items))
    }
    pub(crate) fn option(&mut self, value: Var) -> Var {
        let some = self.num(Num::Bool);
        self.known(Type::Option(some, value))
    }
    pub(crate) fn known(&mut self, ty: Type) -> Var {
        self.root_slot(Root {
            ty: Some(ty),
            ..Root::default()
        })
    }

    fn find(&self, mut var: Var) -> Var {
        while let Slot::Same(next) = self.0[var.0] {
            var = next;
        }
        var
    }
    fn root(&self, var: Var) -> &Root {
        match &self.0[self.find(var).0] {
            Slot::Root(root) => root,
            Slot::Same(_) => unreachable!("`find` ends at a root"),
        }
    }

    pub(crate) fn unify(&mut self, a: Var, b: Var) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return;
        }
        let (x, y) = (self.root(a).clone(), self.root(b).clone());
        match (&x.ty, &y.ty) {
            (Some(Type::Tuple(left)), Some(Type::Tuple(right)))
            | (Some(Type::Struct(_, left)), Some(Type::Struct(_, right))) => {
                for (l, r) in left.iter().zip(right) {
                    self.unify(*l, *r);
                }
            }
            (Some(Type::Array(left, _)), Some(Type::Array(right, _)))
            | (Some(Type::Option(_, left)), Some(Type::Option(_, right))) => {
                self.unify(*left, *right);
            }
            _ => {}
        }
        let root = Root {
            ty: x.ty.or(y.ty),
            float: x.float || y.float,
            int: x.int || y.int,
            external: x.external || y.external,
        };
        self.0[a.0] = Slot::Root(root);
        self.0[b.0] = Slot::Same(a);
    }

    /// The type as known now.
    pub(crate) fn get(&self, var: Var) -> Option<Type> {
        self.root(var).ty.clone()
    }
    /// The types of its parts, if it has several values.
    pub(crate) fn parts(&self, var: Var) -> Option<Vec<Var>> {
        Some(match self.get(var)? {
            Type::Num(_) => return None,
            Type::Tuple(items) | Type::Struct(_, items) => items,
            Type::Array(elem, count) => vec![elem; count],
            Type::Option(some, value) => vec![some, value],
        })
    }
    /// The type of one value, as known now.
    pub(crate) fn get_num(&self, var: Var) -> Option<Num> {
        match self.root(var).ty {
            Some(Type::Num(num)) => Some(num),
            _ => None,
        }
    }
    /// The type after everything has been read. A literal whose type is not determined otherwise has Rust's default.
    pub(crate) fn final_num(&self, var: Var) -> Option<Num> {
        let root = self.root(var);
        match &root.ty {
            Some(Type::Num(num)) => Some(*num),
            Some(_) => None,
            None if root.external => None,
            None if root.float => Some(Num::F64),
            None if root.int => Some(Num::I32),
            None => None,
        }
    }
    /// Whether it is a float, as far as is known.
    pub(crate) fn is_float(&self, var: Var) -> bool {
        let root = self.root(var);
        root.float || self.get_num(var).is_some_and(Num::is_float)
    }
}
