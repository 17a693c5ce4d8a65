//! The families of backends, with which their names begin: `opencl` of `opencl:pocl/0`. A method is here if it depends only on the family,
//! because its backends may all be missing. Everything else is a method of [`Backend`](super::backend::Backend).

use crate::isa::sets::{InstructionSet, every_isa};

/// A family of backends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Family {
    /// An instruction set, of this target or another one, with its name.
    Set(&'static str),
    /// The interpreter.
    Interpreter,
    /// CUDA text, compiled for the processor.
    CudaHost,
    /// Devices of OpenCL.
    OpenCl,
    /// Devices of CUDA.
    Cuda,
}

/// The instruction sets of all processors, and the others.
macro_rules! families {
    ($({ $set:ident $targets:literal })+) => {
        &[
            $(Family::Set(stringify!($set)),)+
            Family::Interpreter,
            Family::CudaHost,
            Family::OpenCl,
            Family::Cuda,
        ]
    };
}

impl Family {
    /// All families.
    pub const ALL: &[Family] = every_isa!(families);

    /// Plain Rust, with which the others are compared.
    pub const PLAIN_RUST: Family = Family::Set(InstructionSet::Scalar.id());

    /// The family of the backend with this name.
    #[must_use]
    pub fn of(backend: &str) -> Option<Family> {
        Family::ALL.iter().copied().find(|f| f.has(backend))
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Family::Set(name) => name,
            Family::Interpreter => "interpreter",
            Family::CudaHost => "cuda-host",
            Family::OpenCl => "opencl",
            Family::Cuda => "cuda",
        }
    }

    /// Whether the backend with this name belongs to the family.
    #[must_use]
    pub fn has(self, backend: &str) -> bool {
        backend.split(':').next() == Some(self.name())
    }

    /// Whether this program can have backends of this family, given its target and its features.
    #[must_use]
    pub fn is_built(self) -> bool {
        match self {
            Family::Set(name) => InstructionSet::ALL.iter().any(|set| set.id() == name),
            Family::Interpreter | Family::CudaHost => true,
            Family::OpenCl => cfg!(feature = "opencl"),
            Family::Cuda => cfg!(feature = "cuda"),
        }
    }

    /// Whether a suite compares the family with plain Rust, or lists it as not compared. An instruction set of another target can never be
    /// present, so it counts as missing only if it is named.
    #[must_use]
    pub fn is_compared(self) -> bool {
        match self {
            Family::PLAIN_RUST => false,
            Family::Set(_) => self.is_built(),
            _ => true,
        }
    }

    /// Whether its backends are devices with functions in their own language.
    #[must_use]
    pub const fn has_functions(self) -> bool {
        matches!(self, Family::OpenCl | Family::Cuda)
    }
}

#[cfg(test)]
mod tests {
    use super::Family;

    #[test]
    fn a_name_has_the_family_with_which_it_begins() {
        for (name, family) in [
            ("scalar", Some(Family::PLAIN_RUST)),
            ("neon", Some(Family::Set("neon"))),
            ("opencl:pocl/0", Some(Family::OpenCl)),
            ("opencl", Some(Family::OpenCl)),
            ("cuda:0", Some(Family::Cuda)),
            ("cuda-host", Some(Family::CudaHost)),
            ("openclx", None),
            ("", None),
        ] {
            assert_eq!(Family::of(name), family, "{name}");
        }
    }

    #[test]
    fn sets_of_other_targets_are_neither_built_nor_missed() {
        let missed = |f: &&Family| f.is_compared() && !f.is_built();
        let missed: Vec<&Family> = Family::ALL.iter().filter(missed).collect();
        assert!(missed.iter().all(|f| f.has_functions()), "{missed:?}");
        assert!(Family::PLAIN_RUST.is_built() && !Family::PLAIN_RUST.is_compared());
    }
}
