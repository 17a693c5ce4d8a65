//! Kernels as trees on the interpreter and the backends that compile emitted text: many kernels in one text, since a
//! compiler's start is dearer than a kernel.

use std::sync::Arc;

use doublecrunch::backend::{Backend, BackendError, CpuPoint, KernelRef};
use kernels_gen::ir::Kernel;

use crate::ast::Unit;
use crate::tree::{self, Returns};

/// Kernels in one text. An OpenCL device need not take more than 128 buffers (`CL_DEVICE_MAX_PARAMETER_SIZE` of 1024
/// bytes), and columns and results are one each.
pub const TOGETHER: usize = 24;
/// Buffers of one text, at most.
const BUFFERS: usize = 120;

/// What went wrong with one kernel on one backend.
#[derive(Debug, Clone)]
pub struct Finding {
    /// Which of the kernels given.
    pub unit: usize,
    /// The backend's id.
    pub backend: String,
    /// What.
    pub what: What,
}

/// What went wrong.
#[derive(Debug, Clone)]
pub enum What {
    /// Another bit.
    Differs {
        /// The first row at which.
        row: usize,
        /// Which of the flattened results.
        result: usize,
        /// What the interpreter gives.
        want: u64,
        /// What the backend gives.
        got: u64,
    },
    /// It could not be lowered, compiled or run.
    Refused(String),
}

/// A kernel for backends that need no compiled forms.
#[must_use]
pub fn tree_only(kernel: &'static Kernel) -> KernelRef {
    fn absent(_: &[&[u64]], _: &mut [Vec<u64>]) {
        panic!("this kernel is a tree: rustc has not seen it");
    }
    KernelRef {
        kernel,
        written: None,
        cpu: CpuPoint {
            scalar: absent,
            avx2: absent,
            avx512: absent,
        },
    }
}

/// Runs each kernel at all rows of [`crate::inputs`]' columns on each backend and compares with the first, bit for bit.
#[must_use]
pub fn compare(
    units: &[Unit],
    columns: &[Vec<u64>],
    backends: &[Arc<dyn Backend>],
) -> Vec<Finding> {
    let kernels: Vec<(&'static Kernel, &Unit)> =
        units.iter().map(|u| (tree::kernel(u), u)).collect();
    let mut findings = Vec::new();
    let mut at = 0;
    while at < kernels.len() {
        let n = fitting(&kernels[at..]);
        some(&kernels[at..at + n], at, columns, backends, &mut findings);
        at += n;
    }
    findings
}

/// How many of these fit in one text; at least one.
fn fitting(kernels: &[(&'static Kernel, &Unit)]) -> usize {
    let mut used: Vec<usize> = Vec::new();
    for (n, (_, unit)) in kernels.iter().enumerate() {
        used.extend(unit.columns());
        used.sort_unstable();
        used.dedup();
        if n > 0 && (n >= TOGETHER || used.len() + n > BUFFERS) {
            return n;
        }
    }
    kernels.len()
}

/// Those that fit in one text.
fn some(
    kernels: &[(&'static Kernel, &Unit)],
    first: usize,
    columns: &[Vec<u64>],
    backends: &[Arc<dyn Backend>],
    findings: &mut Vec<Finding>,
) {
    // Of many, first a word of each; what differs is run again for all its results.
    let mut which: Vec<usize> = (0..kernels.len()).collect();
    let mut in_words = Vec::new();
    if kernels.len() > 1 {
        match run(kernels, Returns::Words, columns, backends) {
            Ok(results) => {
                in_words = differences(&results, &vec![1; kernels.len()], backends);
                which = in_words.iter().map(|f| f.unit).collect();
                which.dedup();
            }
            Err(_) => {
                let (a, b) = kernels.split_at(kernels.len() / 2);
                some(a, first, columns, backends, findings);
                some(b, first + a.len(), columns, backends, findings);
                return;
            }
        }
    }
    for n in which {
        let one = &kernels[n..=n];
        let mut found = match run(one, Returns::All, columns, backends) {
            Ok(results) => {
                let width = one[0].1.entry().ret.prims().len();
                differences(&results, &[width], backends)
            }
            Err(errors) => errors,
        };
        if found.is_empty() {
            // Only beside the others.
            found = in_words.iter().filter(|f| f.unit == n).cloned().collect();
            for f in &mut found {
                f.what = What::Refused(format!("only in one text with others: {:?}", f.what));
            }
        }
        for f in &mut found {
            f.unit = first + n;
        }
        findings.append(&mut found);
    }
}

/// The results of kernels on each backend; or what went wrong, as of the first kernel.
fn run(
    kernels: &[(&'static Kernel, &Unit)],
    returns: Returns,
    columns: &[Vec<u64>],
    backends: &[Arc<dyn Backend>],
) -> Result<Vec<Vec<Vec<u64>>>, Vec<Finding>> {
    let (kernel, used) = tree::together(kernels, returns);
    let kernel = tree_only(kernel);
    let inputs: Vec<&[u64]> = used.iter().map(|&c| columns[c].as_slice()).collect();
    let width = |(_, u): &(_, &Unit)| match returns {
        Returns::Words => 1,
        Returns::All => u.entry().ret.prims().len(),
    };
    let words = kernels.iter().map(width).sum();
    let one = |backend: &Arc<dyn Backend>| {
        let mut results = vec![Vec::new(); words];
        backend.load(&kernel)?.eval(&inputs, &mut results)?;
        Ok::<_, BackendError>(results)
    };
    // Compilers are what takes long, and each is one thread.
    let results: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = backends
            .iter()
            .map(|backend| scope.spawn(|| one(backend)))
            .collect();
        let join = |t: std::thread::ScopedJoinHandle<'_, _>| {
            t.join().unwrap_or_else(|p| std::panic::resume_unwind(p))
        };
        threads.into_iter().map(join).collect()
    });
    let errors: Vec<Finding> = backends
        .iter()
        .zip(&results)
        .filter_map(|(backend, result)| {
            Some(Finding {
                unit: 0,
                backend: backend.id().into(),
                what: What::Refused(result.as_ref().err()?.to_string()),
            })
        })
        .collect();
    if errors.is_empty() {
        Ok(results.into_iter().flatten().collect())
    } else {
        Err(errors)
    }
}

/// Where backends differ from the first, kernel by kernel; each has so many of the columns.
fn differences(
    results: &[Vec<Vec<u64>>],
    widths: &[usize],
    backends: &[Arc<dyn Backend>],
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut column = 0;
    for (unit, &width) in widths.iter().enumerate() {
        let mine = column..column + width;
        column += width;
        for (backend, got) in backends.iter().zip(results).skip(1) {
            let wanted = &results[0][mine.clone()];
            if let Some(what) = first_difference(wanted, &got[mine.clone()]) {
                findings.push(Finding {
                    unit,
                    backend: backend.id().into(),
                    what,
                });
            }
        }
    }
    findings
}

/// The first row at which columns differ, and the first of them that does there.
#[must_use]
pub fn first_difference(wanted: &[Vec<u64>], got: &[Vec<u64>]) -> Option<What> {
    let rows = wanted
        .iter()
        .zip(got)
        .enumerate()
        .filter_map(|(n, (w, g))| {
            let row = if w.len() == g.len() {
                w.iter().zip(g).position(|(a, b)| a != b)?
            } else {
                w.len().min(g.len())
            };
            Some((row, n))
        });
    let (row, result) = rows.min()?;
    let word = |column: &[Vec<u64>]| column[result].get(row).copied().unwrap_or_default();
    Some(What::Differs {
        row,
        result,
        want: word(wanted),
        got: word(got),
    })
}
