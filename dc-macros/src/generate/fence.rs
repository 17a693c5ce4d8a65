//! Fences, across which the compiler must not reorder: `P::ops::fence`.
//!
//! A value is a group of registers, and each operation is written once per register, so that a chain of dependent operations becomes
//! several parallel chains. LLVM would separate them: all operations of the first register would precede all of the second, too far apart
//! for the processor to overlap them. A fence keeps the registers of a group together at one point (`isa::fence` in the runtime).
//!
//! Fences are not placed at every operation. Between two fences the compiler should be free to finish one register's operations before the
//! next one's, since otherwise all their temporaries would be live at the same time and be spilled. A processor executes out of order over
//! some hundreds of instructions, so a fence every few dozen is enough. Fences are placed where a unit of work ends: at the result of a
//! call (an error-free sum is 6 operations), and at the end of a loop's body for the first variable that it assigns (one is enough to keep
//! the registers together; more would need all of them in registers at the same time). In long stretches without either, they are placed
//! after [`STRETCH`] operations. The effect is measured in `docs/book/src/contribute/log/performance.md`.

use super::context::Cx;
use super::rust::{in_ops, own};
use crate::ast::{Expr, ExprKind, Pat, Stmt};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The largest number of operations without a fence, apart from the operations of a single expression.
const STRETCH: usize = 16;

/// `name = P::ops::fence(name);`
pub(super) fn variable(cx: &Cx, name: &Ident) -> TokenStream {
    let span = own(name.span());
    let fence = in_ops(cx, span, Ident::new("fence", span));
    quote!(#name = #fence(#name);)
}

/// Counts the operations of a block's statements.
#[derive(Default)]
pub(super) struct Fences {
    operations: usize,
}

impl Fences {
    /// The fence after a statement, for its variable, if one is due.
    pub fn after(&mut self, cx: &Cx, stmt: &Stmt) -> Option<TokenStream> {
        let (name, value, shadows) = match stmt {
            Stmt::Let {
                pat: Pat::Local(_, mutability, name),
                value,
                ..
            } => (name, value, mutability.is_none()),
            Stmt::Assign { name, value, .. } => (name, value, false),
            Stmt::For { .. } => {
                self.operations = 0;
                return None;
            }
            _ => return None,
        };
        if matches!(value.kind, ExprKind::Call(..) | ExprKind::Function(..)) {
            self.operations = 0;
            return None;
        }
        self.operations += operations(value);
        if self.operations < STRETCH {
            return None;
        }
        self.operations = 0;
        let fenced = variable(cx, name);
        Some(if shadows { quote!(let #fenced) } else { fenced })
    }
}

/// The number of operations of an expression, without those of blocks in it.
fn operations(e: &Expr) -> usize {
    match &e.kind {
        ExprKind::Unary(_, a) => 1 + operations(a),
        ExprKind::Binary(_, a, b) => 1 + operations(a) + operations(b),
        ExprKind::Method(receiver, _, args) => {
            1 + operations(receiver) + args.iter().map(operations).sum::<usize>()
        }
        ExprKind::Assoc(_, _, _, args) | ExprKind::Tuple(args) => args.iter().map(operations).sum(),
        ExprKind::Field(base, ..) => operations(base),
        _ => 0,
    }
}
