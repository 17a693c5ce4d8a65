//! Parser of LLVM's text, versions 14 to 22: the subset that lifted functions need. An unknown instruction becomes
//! [`Opcode::Unknown`], which is an error only if it is executed.

use std::collections::HashMap;

use crate::ir::{Block, Function, Gep, Global, Instr, Meta, Module, Name, Opcode, Operand, Type};
use crate::lex::{Token, tokens};

/// Parses a module.
#[must_use]
pub fn module(text: &str) -> Module {
    let mut module = Module::default();
    let mut types = HashMap::new();
    // A type may name one that comes later: as often as they nest.
    let named: Vec<&str> = text.lines().filter(|l| l.starts_with('%')).collect();
    for _ in 0..named.len().min(8) {
        for line in &named {
            named_type(line, &mut types);
        }
    }
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.starts_with('@') {
            global(line, &types, &mut module);
        } else if line.starts_with('!') {
            meta(line, &mut module);
        } else if line.starts_with("define ") {
            let mut body = Vec::new();
            for line in lines.by_ref() {
                if line == "}" {
                    break;
                }
                body.push(line);
            }
            if let Some(f) = function(line, &body, &types) {
                module.functions.insert(f.name.clone(), f);
            }
        }
    }
    module
}

type Types = HashMap<String, Type>;

fn named_type(line: &str, types: &mut Types) {
    let all = tokens(line);
    let [Token::Local(name), Token::Punct('='), Token::Word(ty), ..] = &all[..] else {
        return;
    };
    if ty == "type" {
        let name = name.clone();
        let parsed = Cursor::new(&all[3..], types).ty();
        types.insert(name, parsed.unwrap_or(Type::Other("opaque".into())));
    }
}

fn global(line: &str, types: &Types, module: &mut Module) {
    let all = tokens(line);
    let Some(Token::Global(name)) = all.first() else {
        return;
    };
    let name: Name = name.as_str().into();
    let kind = |w: &Token| matches!(w, Token::Word(w) if matches!(w.as_str(), "constant" | "global" | "alias"));
    let Some(at) = all.iter().position(kind) else {
        return;
    };
    let mut cursor = Cursor::new(&all[at + 1..], types);
    let Some(ty) = cursor.ty() else { return };
    if all[at] == Token::Word("alias".into()) {
        if let Some(Token::Global(target)) =
            all[at + 1..].iter().find(|t| matches!(t, Token::Global(_)))
        {
            module.aliases.insert(name, target.as_str().into());
        }
        return;
    }
    let external = all[..at]
        .iter()
        .any(|t| matches!(t, Token::Word(w) if w == "external" || w == "extern_weak"));
    module.globals.insert(
        name,
        Global {
            init: (!external).then(|| cursor.operand(&ty)).flatten(),
            ty,
            constant: all[at] == Token::Word("constant".into()),
        },
    );
}

/// `!12 = distinct !DISubprogram(name: "expf", line: 3, …)`
fn meta(line: &str, module: &mut Module) {
    let all = tokens(line);
    let [Token::Meta(number), Token::Punct('='), rest @ ..] = &all[..] else {
        return;
    };
    let Ok(number) = number.parse::<u32>() else {
        return;
    };
    let Some(at) = rest.iter().position(|t| matches!(t, Token::Meta(_))) else {
        return;
    };
    let mut found = Meta::default();
    if let Token::Meta(kind) = &rest[at] {
        found.kind.clone_from(kind);
    }
    let mut depth = 0;
    for i in at + 1..rest.len() {
        match &rest[i] {
            Token::Punct('(') => depth += 1,
            Token::Punct(')') => depth -= 1,
            Token::Word(field) if depth == 1 && rest.get(i + 1) == Some(&Token::Punct(':')) => {
                let value = match rest.get(i + 2) {
                    Some(Token::Text(text)) => String::from_utf8_lossy(text).into_owned(),
                    Some(Token::Meta(m)) => format!("!{m}"),
                    Some(Token::Number(n) | Token::Word(n)) => n.clone(),
                    _ => continue,
                };
                found.fields.insert(field.clone(), value);
            }
            _ => {}
        }
    }
    module.meta.insert(number, found);
}

fn function(head: &str, body: &[&str], types: &Types) -> Option<Function> {
    let all = tokens(head);
    let mut cursor = Cursor::new(&all[1..], types);
    cursor.attributes();
    let ret = cursor.ty()?;
    cursor.attributes();
    let Some(Token::Global(name)) = cursor.next() else {
        return None;
    };
    let mut params = Vec::new();
    cursor.take('(')?;
    while !cursor.at(')') {
        if cursor.at('.') {
            return None;
        }
        let ty = cursor.ty()?;
        cursor.attributes();
        let name = match cursor.peek() {
            Some(Token::Local(n)) => {
                let n = n.as_str().into();
                cursor.next();
                n
            }
            _ => params.len().to_string().into(),
        };
        params.push((ty, name));
        cursor.take(',');
    }
    let dbg = debug(&all);
    let number = |n: &Name| n.bytes().all(|b| b.is_ascii_digit());
    let unnamed = params.iter().filter(|(_, n)| number(n)).count();
    let mut blocks: Vec<Block> = Vec::new();
    let mut joined = Vec::new();
    for line in body {
        let trimmed = line.trim_start();
        if trimmed.is_empty() || trimmed.starts_with(';') {
            continue;
        }
        if !line.starts_with(' ') {
            let label = trimmed
                .split(':')
                .next()
                .unwrap_or_default()
                .trim_matches('"');
            blocks.push(Block {
                label: label.into(),
                instrs: Vec::new(),
            });
            continue;
        }
        joined.extend(tokens(line));
        // The cases of a `switch` are on lines of their own.
        let count = |c| joined.iter().filter(|t| **t == Token::Punct(c)).count();
        if count('[') > count(']') {
            continue;
        }
        let line = std::mem::take(&mut joined);
        if blocks.is_empty() {
            blocks.push(Block {
                label: unnamed.to_string().into(),
                instrs: Vec::new(),
            });
        }
        if let Some(instr) = instruction(&line, types) {
            blocks.last_mut()?.instrs.push(instr);
        }
    }
    Some(Function {
        name: name.as_str().into(),
        ret,
        params,
        blocks,
        dbg,
    })
}

/// The number after `!dbg`.
fn debug(all: &[Token]) -> Option<u32> {
    let at = all.iter().position(|t| *t == Token::Meta("dbg".into()))?;
    match all.get(at + 1) {
        Some(Token::Meta(n)) => n.parse().ok(),
        _ => None,
    }
}

const FAST: &[&str] = &[
    "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc", "fast",
];
const FLAGS: &[&str] = &[
    "nuw", "nsw", "exact", "inbounds", "nneg", "disjoint", "samesign", "tail", "musttail",
    "notail", "volatile", "nusw", "atomic",
];

fn instruction(all: &[Token], types: &Types) -> Option<Instr> {
    let (result, rest) = match all {
        [Token::Local(name), Token::Punct('='), rest @ ..] => {
            (Some(Name::from(name.as_str())), rest)
        }
        rest => (None, rest),
    };
    let mut cursor = Cursor::new(rest, types);
    let Some(Token::Word(mut op)) = cursor.next() else {
        return None;
    };
    let mut fast = Vec::new();
    while FLAGS.contains(&op.as_str()) {
        let Some(Token::Word(next)) = cursor.next() else {
            return None;
        };
        op = next;
    }
    while let Some(Token::Word(w)) = cursor.peek() {
        if FAST.contains(&w.as_str()) {
            fast.push(w.clone());
        } else if !FLAGS.contains(&w.as_str()) {
            break;
        }
        cursor.next();
    }
    if matches!(op.as_str(), "#dbg_declare" | "#dbg_label" | "#dbg_assign") {
        return None;
    }
    let op = cursor
        .operation(&op)
        .unwrap_or_else(|| Opcode::Unknown(spelled(rest)));
    Some(Instr {
        result,
        op,
        dbg: debug(all),
        fast,
    })
}

/// The first tokens as text, for messages.
fn spelled(tokens: &[Token]) -> String {
    let words = tokens.iter().take(12).map(|t| match t {
        Token::Local(n) => format!("%{n}"),
        Token::Global(n) => format!("@{n}"),
        Token::Meta(n) => format!("!{n}"),
        Token::Attr(n) => format!("#{n}"),
        Token::Word(n) | Token::Number(n) => n.clone(),
        Token::Text(t) => format!("\"{}\"", String::from_utf8_lossy(t)),
        Token::Punct(c) => c.to_string(),
    });
    words.collect::<Vec<_>>().join(" ")
}

struct Cursor<'a> {
    tokens: &'a [Token],
    types: &'a Types,
}

impl<'a> Cursor<'a> {
    fn new(tokens: &'a [Token], types: &'a Types) -> Self {
        Cursor { tokens, types }
    }
    fn peek(&self) -> Option<&'a Token> {
        self.tokens.first()
    }
    fn next(&mut self) -> Option<Token> {
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some(first.clone())
    }
    fn at(&self, c: char) -> bool {
        self.peek() == Some(&Token::Punct(c))
    }
    fn take(&mut self, c: char) -> Option<()> {
        self.at(c).then(|| self.tokens = &self.tokens[1..])
    }
    fn word(&mut self, w: &str) -> Option<()> {
        (self.peek() == Some(&Token::Word(w.into()))).then(|| self.tokens = &self.tokens[1..])
    }
    /// Skips what is in parentheses, if anything.
    fn parentheses(&mut self) {
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
    fn attributes(&mut self) {
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

    fn ty(&mut self) -> Option<Type> {
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
    fn count(&mut self) -> Option<u64> {
        let Some(Token::Number(n)) = self.next() else {
            return None;
        };
        self.word("x")?;
        n.parse().ok()
    }
    fn structure(&mut self, packed: bool) -> Option<Type> {
        let mut fields = Vec::new();
        while !self.at('}') {
            fields.push(self.ty()?);
            self.take(',');
        }
        self.take('}')?;
        Some(Type::Struct(fields, packed))
    }

    /// A type and an operand of it, attributes between.
    fn typed(&mut self) -> Option<(Type, Operand)> {
        let ty = self.ty()?;
        self.attributes();
        let operand = self.operand(&ty)?;
        Some((ty, operand))
    }

    fn operand(&mut self, ty: &Type) -> Option<Operand> {
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
    fn attributes_of_gep(&mut self) {
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
    fn gep(&mut self) -> Option<Gep> {
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
    fn label(&mut self) -> Option<Name> {
        self.word("label")?;
        match self.next()? {
            Token::Local(n) => Some(n.as_str().into()),
            _ => None,
        }
    }

    fn operation(&mut self, op: &str) -> Option<Opcode> {
        Some(match op {
            "add" | "sub" | "mul" | "and" | "or" | "xor" | "shl" | "lshr" | "ashr" | "udiv"
            | "sdiv" | "urem" | "srem" | "fadd" | "fsub" | "fmul" | "fdiv" | "frem" => {
                let (ty, a) = self.typed()?;
                self.take(',')?;
                let b = self.operand(&ty)?;
                Opcode::Binary(op.into(), ty, a, b)
            }
            "fneg" => {
                let (ty, a) = self.typed()?;
                Opcode::FNeg(ty, a)
            }
            "icmp" | "fcmp" => {
                let Token::Word(predicate) = self.next()? else {
                    return None;
                };
                let (ty, a) = self.typed()?;
                self.take(',')?;
                let b = self.operand(&ty)?;
                match op {
                    "icmp" => Opcode::ICmp(predicate, ty, a, b),
                    _ => Opcode::FCmp(predicate, ty, a, b),
                }
            }
            "select" => {
                let (_, c) = self.typed()?;
                self.take(',')?;
                let (ty, a) = self.typed()?;
                self.take(',')?;
                let (_, b) = self.typed()?;
                Opcode::Select(c, ty, a, b)
            }
            "phi" => {
                let ty = self.ty()?;
                let mut from = Vec::new();
                while self.take('[').is_some() {
                    let value = self.operand(&ty)?;
                    self.take(',')?;
                    let Token::Local(label) = self.next()? else {
                        return None;
                    };
                    self.take(']')?;
                    from.push((value, label.as_str().into()));
                    self.take(',');
                }
                Opcode::Phi(ty, from)
            }
            "zext" | "sext" | "trunc" | "sitofp" | "uitofp" | "fptosi" | "fptoui" | "fpext"
            | "fptrunc" | "bitcast" | "ptrtoint" | "inttoptr" | "addrspacecast" => {
                let (from, a) = self.typed()?;
                self.word("to")?;
                Opcode::Cast(op.into(), from, a, self.ty()?)
            }
            "freeze" => {
                let (ty, a) = self.typed()?;
                Opcode::Freeze(ty, a)
            }
            "alloca" => {
                self.word("inalloca");
                let ty = self.ty()?;
                let mut count = 1;
                if self.take(',').is_some()
                    && !matches!(self.peek(), Some(Token::Word(w)) if w == "align")
                    && let Some((_, Operand::Int(n))) = self.typed()
                {
                    count = u64::try_from(n).ok()?;
                }
                Opcode::Alloca(ty, count)
            }
            "getelementptr" => {
                self.attributes_of_gep();
                Opcode::Gep(self.gep()?)
            }
            "load" => {
                let ty = self.ty()?;
                self.take(',')?;
                let (_, from) = self.typed()?;
                Opcode::Load(ty, from)
            }
            "store" => {
                let (ty, value) = self.typed()?;
                self.take(',')?;
                let (_, to) = self.typed()?;
                Opcode::Store(ty, value, to)
            }
            "call" => self.call()?,
            "extractvalue" => {
                let (ty, of) = self.typed()?;
                Opcode::ExtractValue(ty, of, self.path()?)
            }
            "insertvalue" => {
                let (ty, of) = self.typed()?;
                self.take(',')?;
                let (part, value) = self.typed()?;
                Opcode::InsertValue(ty, of, part, value, self.path()?)
            }
            "extractelement" => {
                let (ty, of) = self.typed()?;
                self.take(',')?;
                let (index_ty, index) = self.typed()?;
                Opcode::ExtractElement(ty, of, index_ty, index)
            }
            "insertelement" => {
                let (ty, of) = self.typed()?;
                self.take(',')?;
                let (part, value) = self.typed()?;
                self.take(',')?;
                let (index_ty, index) = self.typed()?;
                Opcode::InsertElement(ty, of, part, value, index_ty, index)
            }
            "shufflevector" => {
                let (ty, a) = self.typed()?;
                self.take(',')?;
                let (_, b) = self.typed()?;
                self.take(',')?;
                let (mask, places) = self.typed()?;
                let Type::Vector(n, _) = mask else {
                    return None;
                };
                let places = match places {
                    Operand::Aggregate(items) => {
                        let place = |(_, o): (Type, Operand)| match o {
                            Operand::Int(n) => u32::try_from(n).ok(),
                            _ => None,
                        };
                        items.into_iter().map(place).collect()
                    }
                    Operand::Zero => vec![Some(0); n as usize],
                    _ => vec![None; n as usize],
                };
                Opcode::Shuffle(ty, a, b, places)
            }
            "ret" => match self.ty()? {
                Type::Void => Opcode::Ret(Type::Void, None),
                ty => {
                    let value = self.operand(&ty)?;
                    Opcode::Ret(ty, Some(value))
                }
            },
            "br" => {
                if let Some(label) = self.label() {
                    return Some(Opcode::Br(label));
                }
                let (_, c) = self.typed()?;
                self.take(',')?;
                let yes = self.label()?;
                self.take(',')?;
                Opcode::CondBr(c, yes, self.label()?)
            }
            "switch" => {
                let (ty, value) = self.typed()?;
                self.take(',')?;
                let default = self.label()?;
                self.take('[')?;
                let mut cases = Vec::new();
                while !self.at(']') {
                    let (_, Operand::Int(case)) = self.typed()? else {
                        return None;
                    };
                    self.take(',')?;
                    cases.push((case, self.label()?));
                }
                Opcode::Switch(ty, value, default, cases)
            }
            "unreachable" => Opcode::Unreachable,
            "#dbg_value" => {
                self.take('(')?;
                let (_, value) = self.typed()?;
                self.take(',')?;
                let Token::Meta(variable) = self.next()? else {
                    return None;
                };
                Opcode::Variable(value, variable.parse().ok()?)
            }
            _ => return None,
        })
    }

    fn path(&mut self) -> Option<Vec<u32>> {
        let mut path = Vec::new();
        while self.take(',').is_some() {
            match self.next()? {
                Token::Number(n) => path.push(n.parse().ok()?),
                _ => break,
            }
        }
        Some(path)
    }

    fn call(&mut self) -> Option<Opcode> {
        self.attributes();
        let ret = self.ty()?;
        // The parameters of a function with a variable number of them.
        if self.at('(') {
            self.parentheses();
        }
        self.attributes();
        let callee = match self.next()? {
            Token::Global(n) => Operand::Global(n.as_str().into()),
            Token::Local(n) => Operand::Local(n.as_str().into()),
            Token::Word(w) if w == "asm" => {
                self.attributes();
                let Some(Token::Text(text)) = self.next() else {
                    return None;
                };
                // An empty template is a barrier for the optimiser.
                let text = String::from_utf8_lossy(&text).into_owned();
                return Some(match (text.trim().is_empty(), &ret) {
                    (true, Type::Void) => {
                        Opcode::Call(ret, Operand::Global("llvm.donothing".into()), vec![])
                    }
                    _ => Opcode::Unknown(format!("asm \"{text}\"")),
                });
            }
            _ => return None,
        };
        self.take('(')?;
        if matches!(&callee, Operand::Global(n) if &**n == "llvm.dbg.value") {
            return self.variable();
        }
        if matches!(&callee, Operand::Global(n) if n.starts_with("llvm.dbg.")) {
            return Some(Opcode::Call(
                ret,
                Operand::Global("llvm.donothing".into()),
                vec![],
            ));
        }
        let mut args = Vec::new();
        while !self.at(')') {
            if self.word("metadata").is_some() {
                args.push((Type::Void, Operand::Other("metadata".into())));
                while !self.at(')') && !self.at(',') {
                    self.next()?;
                    self.parentheses();
                }
            } else {
                args.push(self.typed()?);
            }
            self.take(',');
        }
        Some(Opcode::Call(ret, callee, args))
    }

    /// `metadata T %value, metadata !variable, …)` of `llvm.dbg.value`
    fn variable(&mut self) -> Option<Opcode> {
        let nothing = Opcode::Call(Type::Void, Operand::Global("llvm.donothing".into()), vec![]);
        self.word("metadata")?;
        let Some((_, value)) = self.typed() else {
            return Some(nothing);
        };
        self.take(',')?;
        self.word("metadata")?;
        match self.next()? {
            Token::Meta(n) => Some(Opcode::Variable(value, n.parse().ok()?)),
            _ => Some(nothing),
        }
    }
}

/// The type that a word is, if it is one.
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
