//! The values of functions, by their references.

use dc_runtime::model::kernel_ref::KernelRef;
use dc_runtime::model::key::Precision;
use dc_runtime::search::Reference;

use crate::dd::Dd;

/// The source of an approximation's values.
#[derive(Clone, Copy)]
pub enum Source {
    /// The library's function with that name.
    Library(&'static str),
    /// A reference of one's own.
    Own(KernelRef),
}

impl Source {
    /// The function's name, or that of the kernel.
    fn name(&self) -> &'static str {
        match self {
            Source::Library(name) => name,
            Source::Own(own) => own.kernel.name,
        }
    }

    /// The values at doubles, in two words.
    ///
    /// # Errors
    /// If a function of the library has no reference.
    pub fn values(&self, xs: &[f64]) -> Result<Vec<Dd>, String> {
        match self {
            Source::Library(name) => values(name, xs),
            Source::Own(own) => Ok(exactly(own, xs)),
        }
    }
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A search has at most one reference of its own.
impl PartialEq for Source {
    fn eq(&self, other: &Source) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other) && self.name() == other.name()
    }
}

impl From<&'static str> for Source {
    fn from(name: &'static str) -> Source {
        Source::Library(name)
    }
}

/// The values of a function at doubles, in two words.
///
/// # Errors
/// If it has no reference.
pub fn values(function: &str, xs: &[f64]) -> Result<Vec<Dd>, String> {
    let reference: Option<Reference> = dc_references::reference(function, Precision::F64);
    let kernel: KernelRef = reference
        .and_then(|r| r.kernel().copied())
        .ok_or_else(|| format!("`{function}` has no reference"))?;
    Ok(exactly(&kernel, xs))
}

/// The number of words of a reference's values.
pub fn words(reference: &KernelRef) -> usize {
    Reference::Kernel(*reference).words()
}

/// A reference at doubles, in two words.
pub fn exactly(reference: &KernelRef, xs: &[f64]) -> Vec<Dd> {
    let bits: Vec<u64> = xs.iter().map(|x| x.to_bits()).collect();
    let mut out = vec![Vec::new(); words(reference)];
    reference.widest()(&[&bits], &mut out);
    let word = |n: usize, i: usize| out.get(n).map_or(0, |c| c[i]);
    (0..xs.len())
        .map(|i| {
            let (hi, lo) = (f64::from_bits(word(0, i)), f64::from_bits(word(1, i)));
            let scale = 2f64.powi(word(2, i) as i64 as i32);
            Dd {
                hi: hi * scale,
                lo: if lo.is_finite() { lo * scale } else { 0.0 },
            }
        })
        .collect()
}
