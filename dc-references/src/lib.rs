//! The references of all functions, compiled, for candidates that are named at run time.
//!
//! Only the command line needs them: a program that names its references in its source compiles only those. They are a separate crate
//! because they would be most of the code of the command line, and its tests would compile them again.

use dc_runtime::builtins::reference::{binary32, binary64};
use dc_runtime::model::candidate::Reference;
use dc_runtime::model::kernel_ref::KernelRef;
use dc_runtime::model::key::Precision;
use dc_runtime::model::space::InputSpace;

/// References by the functions' names.
type Table = [(&'static str, KernelRef)];

macro_rules! compiled {
    ($binary32:ident $binary64:ident; $($name:ident $function:ident { $f32:ident $bits:literal $note:literal } $({ $f64:ident $bits64:literal $note64:literal })?;)+) => {
        static $binary32: &Table = &[$((stringify!($name), KernelRef::of::<binary32::$f32>())),+];
        static $binary64: &Table = &[$($((stringify!($name), KernelRef::of::<binary64::$f64>()),)?)+];
    };
}
macro_rules! of_one {
    ($($all:tt)+) => { compiled! { BINARY32 BINARY64; $($all)+ } };
}
macro_rules! of_two {
    ($($all:tt)+) => { compiled! { BINARY32_OF_TWO BINARY64_OF_TWO; $($all)+ } };
}
dc_runtime::__references!(of_one);
dc_runtime::__references_of_two!(of_two);

fn of(inputs: InputSpace) -> &'static Table {
    match (inputs.arguments().len(), inputs.precision()) {
        (1, Precision::F32) => BINARY32,
        (1, Precision::F64) => BINARY64,
        (_, Precision::F32) => BINARY32_OF_TWO,
        (_, Precision::F64) => BINARY64_OF_TWO,
    }
}

/// The reference of the function with this name (`sin`, one of [`REFERENCES`]), for routines with this precision and number of arguments;
/// `None` if there is no such reference.
///
/// [`REFERENCES`]: dc_runtime::builtins::reference::REFERENCES
///
/// # Examples
///
/// ```
/// use dc_runtime::model::key::Precision;
///
/// let sine = dc_references::reference("sin", Precision::F32).unwrap();
/// assert_eq!(sine.name(), "sin_f32_reference");
/// assert!(dc_references::reference("sine", Precision::F32).is_none());
/// ```
#[must_use]
pub fn reference(function: &str, inputs: impl Into<InputSpace>) -> Option<Reference> {
    let found = of(inputs.into())
        .iter()
        .find(|(name, _)| *name == function)?;
    Some(Reference::Kernel(found.1))
}

/// The function whose reference, for routines with these inputs, is the kernel with this name. `None` if there is no such function.
#[must_use]
pub fn function_of(kernel: &str, inputs: InputSpace) -> Option<&'static str> {
    let mut all = of(inputs).iter();
    let found = all.find(|(_, k)| k.kernel.name == kernel)?;
    Some(found.0)
}
