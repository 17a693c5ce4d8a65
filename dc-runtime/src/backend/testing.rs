//! Backends for the tests of other modules, and of crates above this one.

use std::sync::Arc;

use kernels_gen::program::{Func, Program};

use super::fault_injection::{self, Fault, Faulty, Rewritten};
use super::{Backend, interp};
#[cfg(test)]
pub use of_text::*;

/// The interpreter.
pub fn interpreter() -> Arc<dyn Backend> {
    Arc::new(interp::Interp)
}
/// The interpreter with a fault: one operation of the kernel with this name is contracted.
pub fn contracted(only: &'static str) -> Arc<dyn Backend> {
    Arc::new(Rewritten::contracted(Some(only)))
}
/// The interpreter with a fault: the first of these products in each program (by the indices of product and sum) is contracted.
pub fn contracting(
    wanted: impl Fn(&Func, usize, usize) -> bool + Send + Sync + 'static,
) -> Arc<dyn Backend> {
    rewriting(move |program| fault_injection::contract(program, &wanted))
}
/// The interpreter with a fault in one operation.
pub fn faulty(fault: Fault) -> Arc<dyn Backend> {
    Arc::new(Faulty(fault))
}
/// The interpreter with a change to each program.
pub fn rewriting(rewrite: impl Fn(Program) -> Program + Send + Sync + 'static) -> Arc<dyn Backend> {
    Arc::new(Rewritten::by(rewrite))
}

/// Backends that compile texts, with a change to the text or the compiler.
#[cfg(test)]
mod of_text {
    use std::path::Path;
    use std::sync::Arc;

    use kernels_gen::emit::Source;

    use crate::backend::Backend;
    use crate::backend::cuda_host::CudaHost;
    #[cfg(feature = "opencl")]
    use crate::backend::opencl;
    use crate::backend::skip::skip;
    use crate::backend::text::Text;

    /// The CUDA text on the CPU, with a compiler that contracts.
    pub fn contracting_host(cache: &Path) -> Option<Arc<dyn Backend>> {
        Some(Arc::new(Text(host()?.contracting(cache))))
    }
    /// The CUDA text on the CPU, with a change to it.
    pub fn altered_host(
        cache: &Path,
        translate: fn(&Source) -> String,
    ) -> Option<Arc<dyn Backend>> {
        Some(Arc::new(Text(host()?.altered(cache, translate))))
    }
    fn host() -> Option<CudaHost> {
        let host = CudaHost::detect();
        host.map_err(|absent| skip(&absent.id, &absent.reason)).ok()
    }
    /// OpenCL on PoCL, with a change to its text.
    #[cfg(feature = "opencl")]
    pub fn altered_pocl(cache: &Path, alter: fn(&str) -> String) -> Option<Arc<dyn Backend>> {
        let Some(device) = opencl::altered("pocl", cache, alter) else {
            skip("opencl:pocl", "no such platform");
            return None;
        };
        Some(Arc::new(Text(device)))
    }
}
