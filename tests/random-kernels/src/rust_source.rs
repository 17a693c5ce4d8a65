//! Files of many kernels.

use std::fmt::Write as _;

pub use kernels_gen::syntax::source;

/// A file of the first kernels of a seed, each in a module of its own, and their list for [`crate::child::run`].
#[must_use]
pub fn slice(seed: u64, kernels: u64) -> String {
    let mut out = format!("// Kernels 0 to {} of seed {seed}.\n", kernels - 1);
    let mut all = String::new();
    for n in 0..kernels {
        let unit = crate::generate::unit(seed, n);
        let _ = writeln!(out, "\nmod k{n} {{\n{}}}", source(&unit));
        let _ = writeln!(
            all,
            "    random_kernels::child::Compiled {{ number: {n}, columns: &{:?}, kernel: doublecrunch::backend::KernelRef::of::<k{n}::{}>() }},",
            unit.columns(),
            unit.entry().name,
        );
    }
    let _ = write!(
        out,
        "\npub static ALL: &[random_kernels::child::Compiled] = &[\n{all}];\n"
    );
    out
}
