//! The kernels that can be named on the command line: those of the sweeps, those that the program lists, the kernels that these
//! call, and the built-ins.

use kernels_gen::ir::{Adaptor, Block, Expr, ExprKind, Kernel, Stmt};

use dc_runtime::builtins;
use dc_runtime::search::identity::kernel_name;
use dc_runtime::sweep::Sweep;

/// All of them, each once.
pub(super) fn all(sweeps: &[Sweep], listed: &[&'static Kernel]) -> Vec<&'static Kernel> {
    let mut found = Vec::new();
    for s in sweeps {
        let (candidate, reference) = (s.candidate.kernel(), s.reference.kernel());
        for k in [candidate, reference, Some(&s.metric)]
            .into_iter()
            .flatten()
        {
            add(k.kernel, &mut found);
        }
    }
    for k in listed {
        add(k, &mut found);
    }
    for k in builtins::KERNELS {
        add(k, &mut found);
    }
    for r in builtins::reference::REFERENCES {
        add(r.binary32.kernel, &mut found);
        if let Some(tier) = &r.binary64 {
            add(tier.kernel, &mut found);
        }
    }
    found
}

/// The kernels with that name: `rcp_newton`, `horner::<N = 21>`, or with modules before it.
pub(super) fn named<'a>(kernels: &[&'a Kernel], name: &str) -> Vec<&'a Kernel> {
    let matches = |k: &&&Kernel| {
        let full = path(k);
        name == k.name
            || full == name
            || full
                .strip_suffix(name)
                .is_some_and(|rest| rest.ends_with("::"))
    };
    kernels.iter().filter(matches).copied().collect()
}

/// Module and name.
pub(super) fn path(k: &Kernel) -> String {
    format!("{}::{}", k.module, kernel_name(k))
}

fn add(kernel: &'static Kernel, found: &mut Vec<&'static Kernel>) {
    // A call refers to its callee's constant, which may be in memory more than once.
    let same = |k: &&Kernel| k.line == kernel.line && path(k) == path(kernel);
    if found.iter().any(same) {
        return;
    }
    found.push(kernel);
    block(&kernel.body, found);
}

fn block(b: &Block, found: &mut Vec<&'static Kernel>) {
    for s in b.stmts {
        match s {
            Stmt::Let(_, _, e) | Stmt::Assign(_, e) | Stmt::Expr(e) => expr(e, found),
            Stmt::For(_, range, body, _) => {
                expr(range.start, found);
                expr(range.end, found);
                for a in range.adaptors {
                    if let Adaptor::StepBy(e) = a {
                        expr(e, found);
                    }
                }
                block(body, found);
            }
        }
    }
    if let Some(e) = b.value {
        expr(e, found);
    }
}

fn expr(e: &Expr, found: &mut Vec<&'static Kernel>) {
    use ExprKind as K;
    match e.kind {
        K::Local(_) | K::Float(..) | K::Int(_) | K::Bool(_) | K::Const(_) => {}
        K::Unary(_, a) | K::Len(a) | K::Field(a, _) => expr(a, found),
        K::Binary(_, a, b) | K::Index(a, b) => {
            expr(a, found);
            expr(b, found);
        }
        K::Method(_, a, rest) => {
            expr(a, found);
            rest.iter().for_each(|e| expr(e, found));
        }
        K::Assoc(_, _, list) | K::Tuple(list) => list.iter().for_each(|e| expr(e, found)),
        K::Call(callee, list) => {
            // A kernel with a table parameter cannot be run alone.
            if !callee
                .params
                .iter()
                .any(|p| matches!(p.ty, kernels_gen::ir::Ty::Table(_)))
            {
                add(callee, found);
            }
            list.iter().for_each(|e| expr(e, found));
        }
        K::If(c, a, b) => {
            expr(c, found);
            block(&a, found);
            if let Some(b) = b {
                block(&b, found);
            }
        }
        K::Block(b) => block(&b, found),
    }
}
