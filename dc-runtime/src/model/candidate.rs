//! What a search judges, and what it is held against.

use kernels_gen::ir::Ty;

use super::host::HostFunction;
use super::kernel_ref::KernelRef;
use super::key::Precision;
use super::space::InputSpace;

/// A function under test.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Candidate {
    /// A kernel, which every backend evaluates, bit for bit alike.
    Kernel(KernelRef),
    /// A function of the host: its accuracy is judged, and no more.
    Host(HostFunction),
}

/// What a candidate is held against.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Reference {
    /// A kernel.
    Kernel(KernelRef),
    /// A function of the host in binary64, for a candidate in binary32. Its own error is an assumption of the table.
    Host(HostFunction),
}

impl Candidate {
    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Candidate::Kernel(k) => k.kernel.name,
            Candidate::Host(f) => f.name(),
        }
    }

    /// The kernel, if it is one.
    #[must_use]
    pub const fn kernel(&self) -> Option<&KernelRef> {
        match self {
            Candidate::Kernel(k) => Some(k),
            Candidate::Host(_) => None,
        }
    }
}

impl Reference {
    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Reference::Kernel(k) => k.kernel.name,
            Reference::Host(f) => f.name(),
        }
    }

    /// The kernel, if it is one.
    #[must_use]
    pub const fn kernel(&self) -> Option<&KernelRef> {
        match self {
            Reference::Kernel(k) => Some(k),
            Reference::Host(_) => None,
        }
    }

    /// Whether it takes the binary32 arguments of that space widened to binary64.
    #[must_use]
    pub fn widens(&self, space: InputSpace) -> bool {
        let InputSpace::Numbers(precision) = space;
        let takes_double = match self {
            Reference::Kernel(k) => k.kernel.params.first().is_some_and(|p| p.ty == Ty::F64),
            Reference::Host(f) => f.precision() == Precision::F64,
        };
        precision == Precision::F32 && takes_double
    }

    /// Columns of its results.
    #[must_use]
    pub fn words(&self) -> usize {
        match self {
            Reference::Host(_) => 1,
            Reference::Kernel(k) => match k.kernel.ret {
                Ty::Dd => 2,
                // A double-double and a scale.
                Ty::Tuple(_) => 3,
                _ => 1,
            },
        }
    }

    /// What it is given where the candidate is given these columns.
    #[must_use]
    pub fn inputs(&self, space: InputSpace, columns: &[Vec<u64>]) -> Vec<Vec<u64>> {
        if !self.widens(space) {
            return columns.to_vec();
        }
        let widened = |&bits: &u64| Precision::F32.value_of_bits(bits).to_bits();
        let column = |c: &Vec<u64>| c.iter().map(widened).collect();
        columns.iter().map(column).collect()
    }
}
