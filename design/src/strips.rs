//! A program over strips of inputs, one operation at a time. In this way, thousands of candidates are evaluated without a compiler.
//!
//! Each operation reads and writes columns that stay in the first-level cache, with the registers of the processor's widest
//! instruction set, so it costs about a cycle per register. Every parameter except the first is *uniform*: it has one value for the whole
//! strip, such as a coefficient. Changing it between runs costs nothing, and candidates with the same operations share one
//! program.

mod on;
mod operations;
mod plan;

use dc_runtime::fenv::Guard;
use dc_runtime::isa::{Isa as _, Scalar};
use kernels_gen::program::Program;

use on::{On, Run};
pub use on::{Results, STRIP};
use plan::Plan;

/// A program that is ready to run.
pub struct Strips(Box<dyn Run>);

impl Strips {
    /// Prepares a program whose first parameter is the input. The others are uniform.
    ///
    /// # Errors
    /// If an operation is not supported (the error names it), or if the input or a result is not a floating-point number.
    pub fn new(program: &Program) -> Result<Strips, String> {
        let plan = Plan::new(program)?;
        #[cfg(target_arch = "x86_64")]
        {
            use dc_runtime::isa::{Avx2, Avx512};
            if let Some(isa) = Avx512::<2>::detect() {
                return Ok(Strips(Box::new(On::new(isa, plan))));
            }
            if let Some(isa) = Avx2::<2>::detect() {
                return Ok(Strips(Box::new(On::new(isa, plan))));
            }
        }
        #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
        if let Some(isa) = dc_runtime::isa::Neon::<2>::detect() {
            return Ok(Strips(Box::new(On::new(isa, plan))));
        }
        Ok(Strips(Box::new(On::new(Scalar::<4>::new(), plan))))
    }

    /// Sets a uniform parameter to the number with these bits.
    pub fn set(&mut self, param: usize, bits: u64) {
        self.0.set(param, bits);
    }

    /// Sets an entry of a table to the number with these bits.
    pub fn set_entry(&mut self, table: usize, entry: usize, bits: u64) {
        self.0.set_entry(table, entry, bits);
    }

    /// The column of inputs in binary32.
    pub fn inputs_f32(&mut self) -> &mut [f32] {
        self.0.inputs().1
    }

    /// The column of inputs in binary64.
    pub fn inputs_f64(&mut self) -> &mut [f64] {
        self.0.inputs().0
    }

    /// Evaluates the program at the first `n` inputs.
    ///
    /// # Panics
    /// If `n` is above [`STRIP`].
    pub fn run(&mut self, n: usize) {
        assert!(n <= STRIP, "{n} inputs are no strip");
        let _default = Guard::new();
        self.0.run(n);
    }

    /// The result with this number, for the inputs of the last run.
    #[must_use]
    pub fn results(&self, number: usize) -> Results<'_> {
        self.0.results(number)
    }
}
