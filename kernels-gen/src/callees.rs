//! The kernels that a kernel calls.

use crate::ir::{Adaptor, Block, Expr, ExprKind, Kernel, Stmt};

impl Kernel {
    /// The kernels that it calls, in the order of the source. A kernel that is called twice occurs twice.
    #[must_use]
    pub fn callees(&self) -> Vec<&'static Kernel> {
        let mut found = Vec::new();
        self.body.callees(&mut found);
        found
    }
}

impl Block {
    fn callees(&self, found: &mut Vec<&'static Kernel>) {
        for statement in self.stmts {
            match statement {
                Stmt::Let(_, _, e) | Stmt::Assign(_, e) | Stmt::Expr(e) => e.callees(found),
                Stmt::For(_, range, body, _) => {
                    range.start.callees(found);
                    range.end.callees(found);
                    for adaptor in range.adaptors {
                        if let Adaptor::StepBy(e) = adaptor {
                            e.callees(found);
                        }
                    }
                    body.callees(found);
                }
            }
        }
        if let Some(e) = self.value {
            e.callees(found);
        }
    }
}

impl Expr {
    fn callees(&self, found: &mut Vec<&'static Kernel>) {
        use ExprKind as K;
        match self.kind {
            K::Local(_) | K::Float(..) | K::Int(_) | K::Bool(_) | K::Const(_) => {}
            K::Unary(_, a) | K::Len(a) | K::Field(a, _) => a.callees(found),
            K::Binary(_, a, b) | K::Index(a, b) => {
                a.callees(found);
                b.callees(found);
            }
            K::Method(_, a, rest) => {
                a.callees(found);
                rest.iter().for_each(|e| e.callees(found));
            }
            K::Assoc(_, _, list) | K::Tuple(list) => list.iter().for_each(|e| e.callees(found)),
            K::Call(callee, list) => {
                found.push(callee);
                list.iter().for_each(|e| e.callees(found));
            }
            // Which of them it calls depends on a type.
            K::Function(kernels, list) => {
                found.extend(kernels);
                list.iter().for_each(|e| e.callees(found));
            }
            K::If(c, a, b) => {
                c.callees(found);
                a.callees(found);
                if let Some(b) = b {
                    b.callees(found);
                }
            }
            K::Block(b) => b.callees(found),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::{Adaptor, Stmt, Ty, UnOp};
    use crate::tree::{add, block, call, for_, iff, kernel, range, un, value};

    /// In a loop's bounds, step and body, in a condition and its arms, in arguments and operands.
    #[test]
    fn calls_are_found_wherever_they_are() {
        let callee = |name| kernel(name, &[], Ty::F64, &[], block(vec![], None));
        let (a, b) = (callee("a"), callee("b"));
        let call_b = call(b, &[]);
        let both = call(a, &[call_b]);
        let sum = add(un(UnOp::Neg, both), call_b);
        let steps = vec![Adaptor::Rev, Adaptor::StepBy(both)];
        let body = vec![Stmt::Expr(sum)];
        let looped = for_(0, range(call_b, both, false, steps), body);
        let chosen = iff(call_b, value(both), Some(value(sum)));
        let whole = block(vec![looped], Some(chosen));
        let found = kernel("c", &[], Ty::F64, &["i"], whole).callees();
        let names: String = found.iter().map(|k| k.name).collect();
        assert_eq!(names, ["b", "ab", "ab", "abb", "b", "ab", "abb"].concat());
    }
}
