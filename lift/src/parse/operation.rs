//! The operations of instructions, with their operands.

use super::cursor::Cursor;
use crate::ir::{Opcode, Operand, Type};
use crate::lex::Token;

impl Cursor<'_> {
    /// The operation of this name, if the parser knows its operands.
    pub(super) fn operation(&mut self, op: &str) -> Option<Opcode> {
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
