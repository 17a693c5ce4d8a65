//! The data that backends and the search share. Neither depends on the other: a backend prepares what this module describes, and the search
//! uses the prepared kernels.
//!
//! | file | what |
//! |---|---|
//! | `key`, `block` | inputs as keys, in the order of the reals; the result of a block of them |
//! | `space` | the inputs of a search: the words of the arguments for each key |
//! | `pairs` | the stratified sample of pairs of arguments |
//! | `scatter` | single inputs at random places |
//! | `stored` | numbers of formats of 16 bits, and pairs of them |
//! | `integers` | integers as arguments |
//! | `neighbours` | an input's neighbours in each argument |
//! | `kernel_ref`, `host` | a kernel with its compiled forms; a function of the host |
//! | `signature` | the types of a function's arguments and of its result |
//! | `several` | the types of functions of three arguments, of two results and of complex numbers |
//! | `library` | a function of a shared library, called in separate processes |
//! | `device` | a function of a device: of OpenCL C or of CUDA |
//! | `candidate`, `sweep` | the candidate and its reference; both with a range |
//! | `measure` | what a search measures of its inputs: everything, or the largest errors |
//! | `function` | the functions that routines compute, for which there are references |
//! | `loaded` | kernels and functions that a backend has prepared for evaluation |
//! | `backend`, `family` | the interface of backends; their families |
//! | `show`, `machine` | numbers, and this machine, as text |
//! | `mpfr_reference` | MPFR as a reference (feature `mpfr`) |
//! | `patience` | calls that may never return |

pub mod backend;
pub mod block;
pub mod candidate;
pub mod device;
pub mod error;
pub mod family;
pub mod fine;
pub mod host;
pub mod integers;
pub mod kernel_ref;
pub mod key;
pub mod keys;
pub mod library;
mod loaded;
pub mod machine;
pub mod measure;
#[cfg(feature = "mpfr")]
pub mod mpfr_reference;
#[doc(hidden)]
pub mod near;
pub mod neighbours;
pub(crate) mod pairs;
pub mod patience;
pub mod programs;
pub mod scatter;
pub mod several;
pub mod show;
pub mod signature;
pub mod space;
pub mod stored;
pub mod sweep;

pub use crate::builtins::reference::function;
