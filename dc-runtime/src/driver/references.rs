//! The references of functions, compiled: what a candidate that is named at run time is held against.
//!
//! Nothing below the driver needs them, and a program that names its references in its source compiles those alone.

use crate::builtins::reference::{binary32, binary64};
use crate::model::candidate::Reference;
use crate::model::kernel_ref::KernelRef;
use crate::model::key::Precision;

macro_rules! compiled {
    ($($name:ident $function:ident { $f32:ident $bits:literal $note:literal } $({ $f64:ident $bits64:literal $note64:literal })?;)+) => {
        /// By the functions' names: those of binary32, and those of binary64.
        static BINARY32: &[(&str, KernelRef)] = &[$((stringify!($name), KernelRef::of::<binary32::$f32>())),+];
        static BINARY64: &[(&str, KernelRef)] = &[$($((stringify!($name), KernelRef::of::<binary64::$f64>()),)?)+];
    };
}
crate::__references!(compiled);

fn of(precision: Precision) -> &'static [(&'static str, KernelRef)] {
    match precision {
        Precision::F32 => BINARY32,
        Precision::F64 => BINARY64,
    }
}

/// The reference of the function of that name (`sin`, as in [`REFERENCES`]) for routines of a precision, if there is one.
///
/// [`REFERENCES`]: crate::builtins::reference::REFERENCES
///
/// # Examples
///
/// ```
/// use dc_runtime::driver;
/// use dc_runtime::model::key::Precision;
///
/// let sine = driver::reference("sin", Precision::F32).unwrap();
/// assert_eq!(sine.name(), "sin_f32_reference");
/// assert!(driver::reference("sine", Precision::F32).is_none());
/// ```
#[must_use]
pub fn reference(function: &str, precision: Precision) -> Option<Reference> {
    let found = of(precision).iter().find(|(name, _)| *name == function)?;
    Some(Reference::Kernel(found.1))
}

/// The name of the function whose reference for routines of a precision is the kernel of that name.
pub(super) fn function_of(kernel: &str, precision: Precision) -> Option<&'static str> {
    let mut all = of(precision).iter();
    let found = all.find(|(_, k)| k.kernel.name == kernel)?;
    Some(found.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtins::reference::REFERENCES;

    #[test]
    fn they_are_those_of_the_registry() {
        for r in REFERENCES {
            for (precision, tier) in [
                (Precision::F32, Some(r.binary32)),
                (Precision::F64, r.binary64),
            ] {
                let found = reference(r.name, precision);
                assert_eq!(
                    found.as_ref().map(Reference::name),
                    tier.map(|t| t.kernel.name),
                    "{}",
                    r.name
                );
                if let Some(tier) = tier {
                    assert_eq!(function_of(tier.kernel.name, precision), Some(r.name));
                }
            }
        }
    }
}
