//! Evaluates a kernel at points, on all backends of a test.

use std::sync::Arc;

use doublecrunch::backend::{Backend, KernelRef};
use doublecrunch::search::points::{Points, compare};
use doublecrunch::search::trace::{self, Depth};

/// Checks that every backend gives the same results as the first, and as many as there are inputs.
///
/// # Panics
/// On the first difference, with the input, both results and the operation at which they diverge; and if a backend
/// fails.
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
            let other = backends.iter().find(|b| b.id() == at.backend);
            let input: Vec<u64> = points.columns.iter().map(|c| c[i]).collect();
            let traced = trace::kernel(
                kernel,
                [&*backends[0], &**other.expect("it was compared")],
                &input,
                Depth::Differences,
            );
            let traced = traced.map_or_else(|e| e.to_string(), |t| trace::lines(&t).join("\n"));
            panic!(
                "{name} of {}: {here:x?} on {}, {first:x?} on {}\n{traced}",
                points.show(i),
                at.backend,
                all[0].backend
            );
        }
    }
}
