//! The candidate of a search, and its reference.

use kernels_gen::ir::{Kernel, Ty};

use super::device::DeviceFunction;
use super::error::BackendError;
use super::host::HostFunction;
use super::kernel_ref::KernelRef;
use super::key::Precision;
use super::library::LibraryFunction;
#[cfg(feature = "mpfr")]
use super::mpfr_reference::MpfrReference;
use super::signature::{Number, Signature};
use super::space::InputSpace;

/// The routine whose errors are measured.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Candidate {
    /// A kernel, which every backend evaluates with the same bits.
    Kernel(KernelRef),
    /// A function of the host. Only its accuracy is measured.
    Host(HostFunction),
    /// A function of a shared library. Only its accuracy is measured. It is called in separate processes.
    Library(&'static LibraryFunction),
    /// A function of a device. Only its accuracy is measured: the device evaluates it, and the processor measures the error.
    Device(&'static DeviceFunction),
}

/// The reference with which a candidate is compared.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Reference {
    /// A kernel.
    Kernel(KernelRef),
    /// A formula, compiled when the program runs: two words, and the bits of a radius that estimates its own error. The processor evaluates
    /// it. If its value is not known accurately enough at an input, the input is undecided.
    Formula(KernelRef),
    /// A function of the host in binary64, for a candidate in binary32. Its own error is an assumption, which the table states.
    Host(HostFunction),
    /// A function of a shared library in binary64, for a candidate in binary32. Its own error is an assumption too.
    Library(&'static LibraryFunction),
    /// A function in MPFR, evaluated by the processor: slow, but available for every function.
    #[cfg(feature = "mpfr")]
    Mpfr(MpfrReference),
}

impl Candidate {
    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Candidate::Kernel(k) => k.kernel.name,
            Candidate::Host(f) => f.name(),
            Candidate::Library(f) => f.symbol(),
            Candidate::Device(f) => f.name(),
        }
    }

    /// The type of its results at inputs of a space.
    #[must_use]
    pub const fn result(&self, inputs: InputSpace) -> Number {
        match self {
            Candidate::Library(f) => f.signature().result,
            _ => Signature::of(inputs).result,
        }
    }

    /// Evaluates it at columns of bits, one for each argument, on this processor. A kernel is evaluated in plain Rust.
    ///
    /// # Errors
    /// If a function that is not a kernel gives no result.
    pub fn eval(&self, inputs: &[Vec<u64>], outputs: &mut [Vec<u64>]) -> Result<(), BackendError> {
        match self {
            Candidate::Kernel(k) => {
                (k.cpu.scalar)(&slices(inputs), outputs);
                Ok(())
            }
            Candidate::Host(f) => f.eval(&slices(inputs), &mut outputs[0]),
            Candidate::Library(f) => f.eval(&slices(inputs), &mut outputs[0]),
            Candidate::Device(f) => f.eval(&slices(inputs), &mut outputs[0]),
        }
    }

    /// The kernel, if it is one.
    #[must_use]
    pub const fn kernel(&self) -> Option<&KernelRef> {
        match self {
            Candidate::Kernel(k) => Some(k),
            Candidate::Host(_) | Candidate::Library(_) | Candidate::Device(_) => None,
        }
    }

    /// Its program: the program of a kernel, or the program that was lifted from a library's function.
    #[must_use]
    pub const fn program(&self) -> Option<&'static Kernel> {
        match self {
            Candidate::Kernel(k) => Some(k.kernel),
            Candidate::Library(f) => f.lifted(),
            Candidate::Host(_) | Candidate::Device(_) => None,
        }
    }
}

impl Reference {
    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Reference::Kernel(k) | Reference::Formula(k) => k.kernel.name,
            Reference::Host(f) => f.name(),
            Reference::Library(f) => f.symbol(),
            #[cfg(feature = "mpfr")]
            Reference::Mpfr(m) => m.function().name(),
        }
    }

    /// The kernel, if it is one.
    #[must_use]
    pub const fn kernel(&self) -> Option<&KernelRef> {
        match self {
            Reference::Kernel(k) => Some(k),
            Reference::Host(_) | Reference::Library(_) | Reference::Formula(_) => None,
            #[cfg(feature = "mpfr")]
            Reference::Mpfr(_) => None,
        }
    }

    /// Whether the binary32 arguments of this space are converted to binary64 for it.
    #[must_use]
    pub fn widens(&self, space: InputSpace) -> bool {
        let takes_double = match self {
            Reference::Kernel(k) | Reference::Formula(k) => {
                k.kernel.params.first().is_some_and(|p| p.ty == Ty::F64)
            }
            Reference::Host(f) => f.precision() == Precision::F64,
            Reference::Library(f) => f.inputs().precision() == Precision::F64,
            #[cfg(feature = "mpfr")]
            Reference::Mpfr(_) => true,
        };
        space.precision() == Precision::F32 && takes_double
    }

    /// The number of columns of its results.
    #[must_use]
    pub fn words(&self) -> usize {
        match self {
            Reference::Host(_) | Reference::Library(_) => 1,
            Reference::Formula(_) => 3,
            #[cfg(feature = "mpfr")]
            Reference::Mpfr(m) => m.words(),
            Reference::Kernel(k) => match k.kernel.ret {
                Ty::Dd => 2,
                // A double-double and a scale.
                Ty::Tuple(_) => 3,
                _ => 1,
            },
        }
    }

    /// The inputs of the reference, from the columns of the candidate's inputs.
    #[must_use]
    pub fn inputs(&self, space: InputSpace, columns: &[Vec<u64>]) -> Vec<Vec<u64>> {
        let mut columns = columns.to_vec();
        self.widen(space, &mut columns);
        columns
    }

    /// Converts the candidate's columns to its own inputs.
    pub fn widen(&self, space: InputSpace, columns: &mut Vec<Vec<u64>>) {
        if let (InputSpace::Integers(integers), [words, ..]) = (space, &mut columns[..]) {
            let doubles = words.iter().map(|&word| integers.int.doubles(word));
            let both: Vec<[u64; 2]> = doubles.map(|d| d.map(f64::to_bits)).collect();
            columns.resize_with(space.doubles(), Vec::new);
            for (n, column) in columns.iter_mut().enumerate() {
                column.clear();
                column.extend(both.iter().map(|words| words[n]));
            }
            return;
        }
        if self.widens(space) {
            for word in columns.iter_mut().flatten() {
                *word = Precision::F32.value_of_bits(*word).to_bits();
            }
        }
    }
}

/// The columns as slices, the form in which functions take them.
#[must_use]
pub fn slices(columns: &[Vec<u64>]) -> Vec<&[u64]> {
    columns.iter().map(Vec::as_slice).collect()
}
