//! The kernels that can be named on the command line: those of the sweeps, those that the program lists, their
//! callees, and the built-ins.

use kernels_gen::ir::{Kernel, Ty};

use dc_runtime::builtins;
use dc_runtime::search::identity::kernel_name;
use dc_runtime::sweep::Sweep;

/// All of these kernels, each once.
pub(super) fn all(sweeps: &[Sweep], listed: &[&'static Kernel]) -> Vec<&'static Kernel> {
    let mut found = Vec::new();
    for s in sweeps {
        let (candidate, reference) = (s.candidate().kernel(), s.reference().kernel());
        for k in [candidate, reference, Some(s.metric())]
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

/// The kernels with that name: `rcp_newton`, `horner::<N = 21>`, or with modules in front.
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
    for callee in kernel.callees() {
        // A kernel with a table parameter cannot be run alone.
        if !(callee.params.iter()).any(|p| matches!(p.ty, Ty::Table(_))) {
            add(callee, found);
        }
    }
}
