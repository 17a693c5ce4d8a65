//! The values of functions, by their references.

use dc_runtime::model::kernel_ref::KernelRef;
use dc_runtime::model::key::Precision;
use dc_runtime::search::Reference;

use crate::dd::Dd;
use crate::judge::exactly;

/// The values of a function at doubles, in two words.
///
/// # Errors
/// If it has no reference.
pub fn values(function: &str, xs: &[f64]) -> Result<Vec<Dd>, String> {
    let reference: Option<Reference> = dc_references::reference(function, Precision::F64);
    let kernel: KernelRef = reference
        .and_then(|r| r.kernel().copied())
        .ok_or_else(|| format!("`{function}` has no reference"))?;
    let words = Reference::Kernel(kernel).words();
    Ok(exactly(kernel.widest(), words, xs))
}
