//! Text of a kernel for compilers that are not rustc: CUDA C and OpenCL C.
//!
//! | file | what |
//! |---|---|
//! | `c` | the writer both languages share: functions, statements, structs, tables |
//! | `expr` | one operation, one constant, one helper function |
//! | `lang` | what the languages spell differently |
//! | `cuda`, `opencl` | how each language spells a floating-point operation, a constant, a kernel |
//! | `directed` | directed roundings where a language has none: the crate's derivation as statements |
//! | `names` | identifiers |
//! | `source` | the Rust source in comments |
//! | `link` | several programs in one text, equal helpers once |
//! | `point` | the kernel over arrays |
//! | `vectors` | operations on OpenCL's vectors that compilers for processors do badly |
//! | `sweep` | the search kernel: what it is made of |
//! | `grid` | its text for CUDA |
//! | `reduce` | its text for OpenCL devices with many threads |
//! | `passes`, `totals` | its text for processors: chunks in three passes, on vectors |
//! | `gappa` | a script that has Gappa bound a kernel's rounding errors |
//! | `host` | the CUDA text for the host's C++ compiler, behind a shim of the intrinsics |
//!
//! Emitters never diagnose: they are handed checked programs. A program whose *signature* does not fit the kernel
//! asked for is an [`EmitError`]; so is an operation that Gappa has no form for.

mod c;
mod cuda;
mod directed;
mod expr;
mod gappa;
mod grid;
mod host;
mod lang;
mod link;
mod names;
mod opencl;
mod passes;
mod point;
mod reduce;
mod source;
mod sweep;
mod totals;
mod vectors;

pub use gappa::{GappaGoal, GappaRequest, GappaScript, gappa};
pub use grid::{BLOCK, MERGED, merge_entry, merge_text};
pub use host::{HOST_SHIM, host_cuda};
pub use point::point_kernel;
pub use sweep::{NO_KEY, Ordinary, RECORD, Sweep, sweep_kernel};

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
    /// OpenCL: how many elements a work item takes at a time, as a vector: 1, 2, 4, 8 or 16; see [`lanes_for`]. CUDA
    /// text is always of width 1.
    pub lanes: u32,
}

impl Options {
    /// CUDA C, source references as comments.
    #[must_use]
    pub const fn cuda() -> Self {
        Options {
            dialect: Dialect::Cuda,
            line_directives: false,
            lanes: 1,
        }
    }
    /// OpenCL C, source references as comments, one element a work item.
    #[must_use]
    pub const fn opencl(divide: CorrectF32Divide) -> Self {
        Options {
            dialect: Dialect::OpenCl(divide),
            line_directives: false,
            lanes: 1,
        }
    }
    /// The same with vectors of the largest width OpenCL has that is not above `lanes`.
    #[must_use]
    pub const fn with_lanes(self, lanes: u32) -> Self {
        let lanes = match lanes {
            0..2 => 1,
            2..4 => 2,
            4..8 => 4,
            8..16 => 8,
            _ => 16,
        };
        Options { lanes, ..self }
    }
    /// The writer of the dialect.
    fn lang(&self) -> Box<dyn lang::Lang> {
        match self.dialect {
            Dialect::Cuda => Box::new(cuda::Cuda),
            Dialect::OpenCl(divide) => {
                let lanes = self.with_lanes(self.lanes).lanes;
                Box::new(opencl::OpenCl { divide, lanes })
            }
        }
    }
}

/// The vector width that suits an OpenCL device, from its `CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE`.
///
/// Devices that prefer vectors are CPUs: twice their width keeps two chains of dependent operations in flight
/// (PoCL on AVX2, preferred 4: 31 M keys/s at 1 lane, 128 at 4, 168 at 8, 155 at 16). GPUs and oclgrind prefer 1;
/// oclgrind 21.10 also *needs* 1, because it widens the lanes of a vector comparison wrongly.
#[must_use]
pub const fn lanes_for(preferred_double_width: u32) -> u32 {
    if preferred_double_width < 2 {
        return 1;
    }
    Options::opencl(CorrectF32Divide::Native)
        .with_lanes(preferred_double_width.saturating_mul(2))
        .lanes
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
    /// How many elements a work item takes at a time: a launch for `n` elements needs no more than `n / lanes` items.
    pub lanes: u32,
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
    ///
    /// A CUDA text has a second kernel, [`merge_entry`], with the arguments `records` (const), `n` (how many they are),
    /// `merged` (an array of a record for [`MERGED`] of them, begun ones included) and the word that no launch has
    /// overwritten; it runs with a block of 32 threads a merged record. Blocks of the first have at most [`BLOCK`].
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

#[cfg(test)]
mod tests {
    use super::lanes_for;

    #[test]
    fn lanes_follow_the_device() {
        assert_eq!(
            [0, 1, 2, 4, 8, 16, u32::MAX].map(lanes_for),
            [1, 1, 4, 8, 16, 16, 16]
        );
    }
}
