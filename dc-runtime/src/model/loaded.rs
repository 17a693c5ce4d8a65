//! Kernels and functions that a backend has prepared for evaluation at given inputs.

use kernels_gen::emit::Dialect;

use super::error::BackendError;

/// A kernel prepared for evaluation at given inputs.
pub trait PointKernel: Send {
    /// Evaluates it at each of `n` inputs. There is one column of bits (zero-extended) for every flattened parameter, all of the same
    /// length, and one output column for every flattened result, resized to that length. Output NaNs are canonical.
    ///
    /// # Errors
    /// If a launch fails; the outputs are then in an unspecified state.
    fn eval(&mut self, inputs: &[&[u64]], outputs: &mut [Vec<u64>]) -> Result<(), BackendError>;
}

/// A function of a device, prepared for evaluation, with the data on which its results depend.
pub struct LoadedFunction {
    /// Evaluates the function. NaNs have the bits that the device gives.
    pub kernel: Box<dyn PointKernel>,
    /// The language of the function.
    pub dialect: Dialect,
    /// The text that calls it.
    pub text: String,
    /// The options with which the text is compiled.
    pub options: String,
    /// The device's name.
    pub device: String,
    /// The versions of driver and compiler.
    pub driver: String,
}
