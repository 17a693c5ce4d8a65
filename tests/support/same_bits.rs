//! A kernel at points, on all backends of a test.

use std::sync::Arc;

use doublecrunch::backend::{Backend, KernelRef};
use doublecrunch::search::points::{Points, compare};

/// Every backend gives what the first does, and as many results as there are inputs.
///
/// # Panics
/// On the first difference, with the input and what both made of it; when a backend fails.
pub fn same_bits(kernel: &KernelRef, points: &Points, backends: &[Arc<dyn Backend>]) {
    let name = kernel.kernel.name;
    let all = compare(kernel, points, backends).unwrap_or_else(|e| panic!("{name}: {e}"));
    for at in &all {
        assert!(
            at.results
                .iter()
                .all(|r| r.len() == points.columns[0].len()),
            "{name} on {}",
            at.backend
        );
        if let Some(i) = at.differs {
            let [here, first] =
                [at, &all[0]].map(|a| a.results.iter().map(|r| r[i]).collect::<Vec<u64>>());
            panic!(
                "{name} of {}: {here:x?} on {}, {first:x?} on {}",
                points.show(i),
                at.backend,
                all[0].backend
            );
        }
    }
}
