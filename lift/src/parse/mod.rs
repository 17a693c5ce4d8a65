//! Parser of LLVM's text, versions 14 to 22: the subset that lifted functions need. An unknown instruction becomes
//! [`Opcode::Unknown`], which is an error only if it is executed.

mod cursor;
mod operation;

use std::collections::HashMap;

use crate::ir::{Block, Function, Global, Instr, Meta, Module, Name, Opcode, Type};
use crate::lex::{Token, tokens};
use cursor::Cursor;

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

/// The types that a module names.
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
