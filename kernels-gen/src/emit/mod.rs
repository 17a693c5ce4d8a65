//! Text of a kernel for compilers that are not rustc: CUDA C and OpenCL C.
//!
//! | file | what |
//! |---|---|
//! | `c` | the writer that both languages share: functions, statements, structs, tables |
//! | `expr` | one operation, one constant, one helper function |
//! | `choice` | comparisons and choices that compilers would replace by minima that order zeros |
//! | `lang` | the constructs that the languages write differently |
//! | `cuda`, `opencl` | each language's form of a floating-point operation, a constant, a kernel |
//! | `directed` | directed roundings for a language without them: the crate's derivation as statements |
//! | `names` | identifiers |
//! | `source` | the Rust source in comments |
//! | `link` | several programs in one text, with equal helpers emitted once |
//! | `point` | the kernel over arrays |
//! | `function` | a function of the language itself over arrays |
//! | `vectors` | operations on OpenCL's vectors that compilers for processors translate badly |
//! | `sweep`, `record`, `search` | a search: its three programs, the record that it writes, its text |
//! | `search_cuda` | its text for CUDA |
//! | `maxima_cuda` | the text of a search for only the largest errors, for CUDA |
//! | `search_opencl_gpu` | its text for OpenCL devices with many threads |
//! | `search_opencl_cpu`, `totals` | its text for OpenCL processors: chunks in three passes, on vectors |
//! | `gappa` | a script with which Gappa bounds a kernel's rounding errors |
//! | `host` | the CUDA text for the host's C++ compiler, after a shim of the intrinsics |
//! | `plain` | a function in C, after the same shim |
//! | `shader` | a function in WGSL or GLSL, of a binary32 kernel |
//!
//! Emitters report no errors in programs, because they receive checked ones. If a program's *signature* does not match the requested
//! kernel, the result is an [`EmitError`], as it is for an operation that Gappa, WGSL or GLSL cannot express.

mod c;
mod choice;
mod cuda;
mod directed;
mod expr;
mod function;
mod gappa;
mod host;
mod lang;
mod link;
mod maxima_cuda;
mod names;
mod opencl;
mod plain;
mod point;
mod record;
mod search;
mod search_cuda;
mod search_opencl_cpu;
mod search_opencl_gpu;
mod shader;
mod source;
mod sweep;
mod totals;
mod vectors;

pub use function::function_kernel;
pub use gappa::{GappaGoal, GappaRequest, GappaScript, gappa};
pub use host::{HOST_SHIM, host_cuda};
pub use maxima_cuda::{Maxima, PIECE, maxima_kernel};
pub use plain::plain_c;
pub use point::point_kernel;
pub use record::{CHECK, NO_KEY, RECORD, check, check_weight};
pub use search::sweep_kernel;
pub use search_cuda::{BLOCK, MERGED, merge_entry, merge_text};
pub use shader::{ShaderText, Shading, shader};
pub use sweep::{FastPath, Routine, Sweep};

use crate::ops::Prim;

/// How an OpenCL device gets a correctly rounded `float` division, square root and reciprocal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CorrectF32Divide {
    /// The device has them. The program must be built with `-cl-fp32-correctly-rounded-divide-sqrt`.
    Native,
    /// Through `double`, whose division and square root OpenCL requires to be correctly rounded. Rounding twice is
    /// harmless here; the comment of the emitted helper has the proof.
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
    /// Whether `#line` directives replace the comments, so that compiler messages point into the Rust source.
    pub line_directives: bool,
    /// OpenCL: the number of elements that a work item processes at a time, as a vector: 1, 2, 4, 8 or 16; see
    /// [`Options::for_device`]. CUDA text is always of width 1.
    pub lanes: u32,
    /// OpenCL, with vectors: the number of 64-bit lanes of a register of the device: 2, 4 or 8. A search computes the metric on vectors of
    /// this width. Processors with less than 8 have no AVX-512.
    pub register: u32,
}

impl Options {
    /// CUDA C, source references as comments.
    #[must_use]
    pub const fn cuda() -> Self {
        Options {
            dialect: Dialect::Cuda,
            line_directives: false,
            lanes: 1,
            register: 1,
        }
    }
    /// OpenCL C, source references as comments, one element per work item.
    #[must_use]
    pub const fn opencl(divide: CorrectF32Divide) -> Self {
        Options {
            dialect: Dialect::OpenCl(divide),
            line_directives: false,
            lanes: 1,
            register: 1,
        }
    }
    /// The same options with OpenCL's widest vectors that are not wider than `lanes`, two registers long.
    #[must_use]
    pub const fn with_lanes(self, lanes: u32) -> Self {
        let (lanes, register) = match lanes {
            0..2 => (1, 1),
            // The two widths must differ: the text has vectors of both.
            2..4 => (2, 4),
            4..8 => (4, 2),
            8..16 => (8, 4),
            _ => (16, 8),
        };
        Options {
            lanes,
            register,
            ..self
        }
    }
    /// The same options with the best vectors for an OpenCL device with this `CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE`.
    ///
    /// Devices that prefer vectors are processors. Four times their width keeps four chains of dependent operations in flight, as far as
    /// OpenCL's vectors allow (PoCL on AVX2, preferred 4, the sweep `exp`: 7 M inputs/s at 1 lane, 44 at 4, 64 at 8, 76 at 16). GPUs and
    /// oclgrind prefer 1. oclgrind 21.10 also *needs* 1, because it widens the lanes of a vector comparison wrongly.
    #[must_use]
    pub const fn for_device(self, preferred: u32) -> Self {
        if preferred < 2 {
            return self.with_lanes(1);
        }
        Options {
            register: match preferred {
                2..4 => 2,
                4..8 => 4,
                _ => 8,
            },
            ..self.with_lanes(preferred.saturating_mul(4))
        }
    }
    /// The same options with vectors of at most two registers, which compile faster: for kernels that are limited by memory.
    const fn for_arrays(self) -> Self {
        let lanes = match self.lanes > 2 * self.register {
            true => 2 * self.register,
            false => self.lanes,
        };
        Options { lanes, ..self }
    }
    /// The writer of the dialect.
    fn lang(&self) -> Box<dyn lang::Lang> {
        match self.dialect {
            Dialect::Cuda => Box::new(cuda::Cuda),
            Dialect::OpenCl(divide) => {
                let (lanes, register) = (self.lanes, self.register);
                Box::new(opencl::OpenCl {
                    divide,
                    lanes,
                    register,
                })
            }
        }
    }
}

/// An emitted text and the data for launching it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The whole text.
    pub text: String,
    /// Name of its kernel.
    pub entry: String,
    /// Its language.
    pub dialect: Dialect,
    /// The number of elements that a work item processes at a time. A launch for `n` elements needs at most `n /
    /// lanes` items.
    pub lanes: u32,
    /// The arguments of its kernel.
    pub signature: Signature,
}

/// The arguments of an emitted kernel, in order. Words are 64 bits wide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signature {
    /// For each parameter, an array of words (const); for each result, an array of words; then the number of elements, a word. A value is
    /// its bits, zero-extended; a mask is 0 or 1.
    Point {
        /// Lane types of the parameters.
        inputs: Vec<Prim>,
        /// Lane types of the results.
        outputs: Vec<Prim>,
    },
    /// `first` (the first key, as a word), `n` (the number of keys, a word), `records` (an array of
    /// [`RECORD`]`.len()` words per work item).
    ///
    /// A CUDA text has a second kernel, [`merge_entry`], with the arguments `records` (const), `n` (their number),
    /// `merged` (an array with one record per [`MERGED`] of them, rounded up) and the sentinel. It runs with a block of
    /// 32 threads per merged record. Blocks of the first kernel have at most [`BLOCK`] threads.
    Sweep,
    /// `first`, `n`, `pieces` (const: [`PIECE`]`.len()` words for each), `many` (the number of pieces), `records`; the rest is as for
    /// [`Signature::Sweep`]. A launch has fewer than 2^31 keys and threads.
    Maxima,
}

impl Signature {
    /// Whether the kernel writes records, which a second kernel merges.
    #[must_use]
    pub const fn has_records(&self) -> bool {
        matches!(self, Signature::Sweep | Signature::Maxima)
    }
}

/// The error for a program whose signature does not match the requested kernel.
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
    use super::{CorrectF32Divide, Options};

    #[test]
    fn vectors_follow_the_device() {
        let widths = |preferred| {
            let options = Options::opencl(CorrectF32Divide::Native).for_device(preferred);
            (options.lanes, options.register)
        };
        assert_eq!(
            [0, 1, 2, 4, 8, 16, u32::MAX].map(widths),
            [(1, 1), (1, 1), (8, 2), (16, 4), (16, 8), (16, 8), (16, 8)]
        );
    }
}
