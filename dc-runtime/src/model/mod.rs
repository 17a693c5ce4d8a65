//! What backends and the search both speak of. Neither knows the other: a backend makes what is described here ready, the
//! search uses what was made ready.
//!
//! | file | what |
//! |---|---|
//! | `key`, `block` | inputs as keys, in the order of the reals; what a block of them comes to |
//! | `space` | the inputs of a search: which words of the arguments a key stands for |
//! | `pairs` | the stratified sample of pairs of arguments |
//! | `stored` | numbers of formats of 16 bits, and pairs of them |
//! | `kernel_ref`, `host` | a kernel with its compiled forms; a function of the host |
//! | `library` | a function of a shared library, called in processes of its own |
//! | `device` | a function of a device: of OpenCL C or of CUDA |
//! | `candidate`, `sweep` | what is judged, and what it is held against; both with a range |
//! | `function` | the functions that routines are meant to compute: those that there are references of |
//! | `backend` | what every backend implements |
//! | `show`, `machine` | numbers, and this machine, as text |
//! | `mpfr_reference` | MPFR as a reference (feature `mpfr`) |
//! | `patience` | calls that may never return |

pub mod backend;
pub mod block;
pub mod candidate;
pub mod device;
pub mod fine;
pub mod host;
pub mod kernel_ref;
pub mod key;
pub mod library;
pub mod machine;
#[cfg(feature = "mpfr")]
pub mod mpfr_reference;
#[doc(hidden)]
pub mod near;
mod pairs;
pub mod patience;
pub mod show;
pub mod space;
pub mod stored;
pub mod sweep;

pub use crate::builtins::reference::function;
