//! The programs of kernels: each kernel is lowered once per process, whoever asks for it.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use kernels_gen::ir::Kernel;
use kernels_gen::program::Program;
use kernels_gen::{LowerError, lower};

/// By the address of the kernel. Kernels live as long as the process, and so do the programs. rustc may give one kernel several addresses; each of them is
/// lowered.
static PROGRAMS: LazyLock<Mutex<HashMap<usize, &'static Program>>> = LazyLock::new(Mutex::default);

/// The program of a kernel.
///
/// # Errors
/// If it cannot be lowered.
pub fn program_of(kernel: &'static Kernel) -> Result<&'static Program, LowerError> {
    // A panic leaves the map as it was.
    let programs = || PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner);
    let address = std::ptr::from_ref(kernel).addr();
    if let Some(program) = programs().get(&address) {
        return Ok(program);
    }
    // Not under the lock: lowering takes milliseconds, and two threads that lower one kernel get equal programs.
    let made = lower(kernel)?;
    Ok(programs()
        .entry(address)
        .or_insert_with(|| Box::leak(Box::new(made))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::CrunchFn as _;
    use crate::prelude::*;
    use kernels_gen::identity::identity;

    #[crunch]
    fn one_more(x: DcDouble) -> DcDouble {
        x + 1.0
    }

    #[test]
    fn a_kernel_is_lowered_once() {
        let of = || program_of(one_more::KERNEL).expect("it is lowered");
        assert!(std::ptr::eq(of(), of()));
        let anew = lower(one_more::KERNEL).expect("it is lowered");
        assert_eq!(identity(of()), identity(&anew));
    }
}
