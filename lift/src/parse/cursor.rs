//! Reads tokens one by one: types, operands, and the parts that the lifter skips.

use super::Types;
use crate::ir::{Gep, Name, Operand, Type};
use crate::lex::Token;

/// The remaining tokens of an instruction.
pub(super) struct Cursor<'a> {
    tokens: &'a [Token],
    types: &'a Types,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(tokens: &'a [Token], types: &'a Types) -> Self {
        Cursor { tokens, types }
    }
    pub(super) fn peek(&self) -> Option<&'a Token> {
        self.tokens.first()
    }
    pub(super) fn next(&mut self) -> Option<Token> {
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some(first.clone())
    }
    pub(super) fn at(&self, c: char) -> bool {
        self.peek() == Some(&Token::Punct(c))
    }
    pub(super) fn take(&mut self, c: char) -> Option<()> {
        self.at(c).then(|| self.tokens = &self.tokens[1..])
    }
    pub(super) fn word(&mut self, w: &str) -> Option<()> {
        (self.peek() == Some(&Token::Word(w.into()))).then(|| self.tokens = &self.tokens[1..])
    }
    /// Skips a part in parentheses, if there is one.
    pub(super) fn parentheses(&mut self) {
        let mut depth = 0;
        while self.at('(') || depth > 0 {
            match self.next() {
                Some(Token::Punct('(')) => depth += 1,
                Some(Token::Punct(')')) => depth -= 1,
                Some(_) => {}
                None => return,
            }
        }
    }
    /// Skips linkage, calling conventions and attributes: words that are neither types nor values.
    pub(super) fn attributes(&mut self) {
        const VALUES: &[&str] = &[
            "undef",
            "poison",
            "null",
            "true",
            "false",
            "zeroinitializer",
            "getelementptr",
            "bitcast",
            "inttoptr",
            "ptrtoint",
            "asm",
            "none",
            "splat",
            "c",
        ];
        loop {
            match self.peek() {
                Some(Token::Word(w)) if !VALUES.contains(&w.as_str()) && basic(w).is_none() => {
                    let align = w == "align" || w == "cc";
                    self.next();
                    if align && matches!(self.peek(), Some(Token::Number(_))) {
                        self.next();
                    }
                    self.parentheses();
                }
                Some(Token::Attr(_)) => {
                    self.next();
                }
                _ => return,
            }
        }
    }

    pub(super) fn ty(&mut self) -> Option<Type> {
        let mut ty = match self.next()? {
            Token::Word(w) => basic(&w)?,
            Token::Local(name) => self.types.get(&name).cloned().unwrap_or(Type::Other(name)),
            Token::Punct('[') => {
                let n = self.count()?;
                let of = self.ty()?;
                self.take(']')?;
                Type::Array(n, Box::new(of))
            }
            Token::Punct('{') => self.structure(false)?,
            Token::Punct('<') if self.at('{') => {
                self.take('{')?;
                let ty = self.structure(true)?;
                self.take('>')?;
                ty
            }
            Token::Punct('<') => {
                let n = self.count()?;
                let of = self.ty()?;
                self.take('>')?;
                Type::Vector(n, Box::new(of))
            }
            _ => return None,
        };
        if ty == Type::Ptr && self.word("addrspace").is_some() {
            self.parentheses();
        }
        loop {
            // `double (double)*`, a pointer to a function
            if self.at('(') {
                let before = self.tokens;
                self.parentheses();
                if !self.at('*') {
                    self.tokens = before;
                    return Some(ty);
                }
            }
            if self.take('*').is_none() {
                return Some(ty);
            }
            ty = Type::Ptr;
        }
    }
    /// `N x`
    pub(super) fn count(&mut self) -> Option<u64> {
        let Some(Token::Number(n)) = self.next() else {
            return None;
        };
        self.word("x")?;
        n.parse().ok()
    }
    pub(super) fn structure(&mut self, packed: bool) -> Option<Type> {
        let mut fields = Vec::new();
        while !self.at('}') {
            fields.push(self.ty()?);
            self.take(',');
        }
        self.take('}')?;
        Some(Type::Struct(fields, packed))
    }

    /// A type and an operand of that type, with attributes between them.
    pub(super) fn typed(&mut self) -> Option<(Type, Operand)> {
        let ty = self.ty()?;
        self.attributes();
        let operand = self.operand(&ty)?;
        Some((ty, operand))
    }

    pub(super) fn operand(&mut self, ty: &Type) -> Option<Operand> {
        Some(match self.next()? {
            Token::Local(n) => Operand::Local(n.as_str().into()),
            Token::Global(n) => Operand::Global(n.as_str().into()),
            Token::Text(bytes) => Operand::Bytes(bytes),
            Token::Number(n) => number(&n, ty)?,
            Token::Punct(open @ ('[' | '{' | '<')) => {
                let packed = open == '<' && self.take('{').is_some();
                let close = match open {
                    '[' => ']',
                    '<' if !packed => '>',
                    _ => '}',
                };
                let mut items = Vec::new();
                while !self.at(close) {
                    items.push(self.typed()?);
                    self.take(',');
                }
                self.take(close)?;
                if packed {
                    self.take('>')?;
                }
                Operand::Aggregate(items)
            }
            Token::Word(w) => match w.as_str() {
                "true" => Operand::Int(1),
                "false" => Operand::Int(0),
                "undef" | "poison" => Operand::Undef,
                "zeroinitializer" | "null" | "none" => Operand::Zero,
                "getelementptr" => {
                    self.attributes_of_gep();
                    self.take('(')?;
                    let gep = self.gep()?;
                    self.take(')')?;
                    Operand::Gep(Box::new(gep))
                }
                "bitcast" | "addrspacecast" if self.at('(') => {
                    self.take('(')?;
                    let (_, inner) = self.typed()?;
                    self.word("to")?;
                    self.ty()?;
                    self.take(')')?;
                    inner
                }
                "splat" => {
                    self.take('(')?;
                    let one = self.typed()?;
                    self.take(')')?;
                    match ty {
                        Type::Vector(n, _) => Operand::Aggregate(vec![one; *n as usize]),
                        _ => return None,
                    }
                }
                _ => {
                    self.parentheses();
                    Operand::Other(w)
                }
            },
            _ => return None,
        })
    }
    pub(super) fn attributes_of_gep(&mut self) {
        while let Some(Token::Word(w)) = self.peek() {
            if !matches!(w.as_str(), "inbounds" | "nuw" | "nusw" | "inrange") {
                return;
            }
            let range = w == "inrange";
            self.next();
            if range {
                self.parentheses();
            }
        }
    }
    /// `T, ptr BASE, iN I, …`
    pub(super) fn gep(&mut self) -> Option<Gep> {
        let ty = self.ty()?;
        self.take(',')?;
        let (_, base) = self.typed()?;
        let mut indices = Vec::new();
        while self.take(',').is_some() {
            self.word("inrange");
            match self.peek() {
                Some(Token::Meta(_)) => break,
                _ => indices.push(self.typed()?),
            }
        }
        Some(Gep { ty, base, indices })
    }
    /// `label %name`
    pub(super) fn label(&mut self) -> Option<Name> {
        self.word("label")?;
        match self.next()? {
            Token::Local(n) => Some(n.as_str().into()),
            _ => None,
        }
    }
}

/// The type that a word names, if it names one.
fn basic(word: &str) -> Option<Type> {
    Some(match word {
        "void" => Type::Void,
        "float" => Type::Float,
        "double" => Type::Double,
        "ptr" => Type::Ptr,
        "half" | "bfloat" | "x86_fp80" | "fp128" | "ppc_fp128" | "label" | "metadata" | "token"
        | "x86_mmx" | "opaque" => Type::Other(word.into()),
        _ => {
            let bits = word.strip_prefix('i')?;
            Type::Int(bits.parse().ok()?)
        }
    })
}

/// A number: a float in decimal or as the bits of a double, or an integer.
fn number(text: &str, ty: &Type) -> Option<Operand> {
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("f0x"));
    Some(match (ty, hex) {
        (Type::Float | Type::Double, Some(hex)) => {
            Operand::Float(f64::from_bits(u64::from_str_radix(hex, 16).ok()?))
        }
        (Type::Float | Type::Double, None) => Operand::Float(text.parse().ok()?),
        (Type::Other(_), _) => Operand::Other(text.into()),
        _ => Operand::Int(text.parse().ok()?),
    })
}
