//! Text of a kernel for compilers that are not rustc: CUDA C and OpenCL C.
//!
//! | file | what |
//! |---|---|
//! | `c` | the writer both languages share: functions, statements, structs, tables |
//! | `expr` | one operation, one constant, one helper function |
//! | `lang` | what the languages spell differently |
//! | `cuda`, `opencl` | how each language spells a floating-point operation, a constant, a kernel |
//! | `names` | identifiers |
//! | `link` | several programs in one text, equal helpers once |
//! | `sweep` | the search kernel: approximation, reference, judgement and a record a work item |
//! | `host` | the CUDA text for the host's C++ compiler, behind a shim of the intrinsics |
//!
//! Emitters never diagnose: they are handed checked programs. A program whose *signature* does not fit the kernel
//! asked for is an [`EmitError`].

mod c;
mod cuda;
mod expr;
mod host;
mod lang;
mod link;
mod names;
mod opencl;
mod point;
mod sweep;

pub use host::{HOST_SHIM, host_cuda};
pub use point::point_kernel;
pub use sweep::{NO_KEY, RECORD, Sweep, sweep_kernel};

use crate::ops::Prim;

/// How an OpenCL device comes by a correctly rounded `float` division, square root and reciprocal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CorrectF32Divide {
    /// The device has them; the program must be built with `-cl-fp32-correctly-rounded-divide-sqrt`.
    Native,
    /// Through `double`, whose division and square root OpenCL requires to be correctly rounded. Rounding twice is
    /// harmless here; the emitted helper carries the proof.
    Derived,
}

/// The language of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// CUDA C, for NVRTC with `--fmad=false --ftz=false --prec-div=true --prec-sqrt=true`.
    Cuda,
    /// OpenCL C 1.2 with `cl_khr_fp64`.
    OpenCl(CorrectF32Divide),
}

/// What to emit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Options {
    /// The language.
    pub dialect: Dialect,
    /// `#line` directives that make a compiler's messages point into the Rust source, in place of comments.
    pub line_directives: bool,
}

impl Options {
    /// CUDA C, source references as comments.
    #[must_use]
    pub const fn cuda() -> Self {
        Options {
            dialect: Dialect::Cuda,
            line_directives: false,
        }
    }
    /// OpenCL C, source references as comments.
    #[must_use]
    pub const fn opencl(divide: CorrectF32Divide) -> Self {
        Options {
            dialect: Dialect::OpenCl(divide),
            line_directives: false,
        }
    }
}

/// An emitted text and how to launch it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The whole text.
    pub text: String,
    /// Name of its kernel.
    pub entry: String,
    /// Its language.
    pub dialect: Dialect,
    /// What its kernel takes.
    pub signature: Signature,
}

/// The arguments of an emitted kernel, in order. Words are 64 bits wide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signature {
    /// Each parameter: an array of words (const). Each result: an array of words. Then the number of elements, a
    /// word. A value is its bits, zero-extended; a mask is 0 or 1.
    Point {
        /// Lane types of the parameters.
        inputs: Vec<Prim>,
        /// Lane types of the results.
        outputs: Vec<Prim>,
    },
    /// `first` (the first key, as a word), `n` (how many keys, a word), `records` (an array of
    /// [`RECORD`]`.len()` words a work item).
    Sweep,
}

/// A program whose signature does not fit what was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmitError(String);

impl std::fmt::Display for EmitError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EmitError {}
