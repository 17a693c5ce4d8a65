//! The libraries: their functions of one argument in binary32 and in binary64, by the names of the functions they compute.

mod c;
mod devices;
mod fast_math;
mod libm;
mod micromath;
mod pxfm;
mod std;
mod wide;

use doublecrunch::search::HostFunction;
use doublecrunch::search::key::Precision;

/// A library's function, and the function that it is meant to compute, by its name in the registry of references.
#[derive(Clone, Copy)]
pub struct Routine {
    pub computes: &'static str,
    pub function: Function,
}

/// What is called.
#[derive(Clone, Copy)]
pub enum Function {
    /// A function of this program.
    Host(HostFunction),
    /// One of a device's language, by its name there: of the library's device.
    Device(&'static str),
}

/// A library.
pub struct Library {
    /// As on the command line.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// Its version, as in the tables.
    pub version: fn() -> String,
    pub routines: &'static [Routine],
    /// Those in binary64, of which the host's have some.
    pub doubles: &'static [Routine],
    /// Of a library of functions of a device, the device.
    pub device: Option<&'static str>,
}

impl Library {
    /// Its functions in a precision.
    pub fn of(&self, precision: Precision) -> &'static [Routine] {
        match precision {
            Precision::F32 => self.routines,
            Precision::F64 => self.doubles,
        }
    }
}

/// All, in the order of the tables.
pub const ALL: &[Library] = &[
    std::LIBRARY,
    c::LIBRARY,
    libm::LIBRARY,
    pxfm::LIBRARY,
    wide::LIBRARY,
    micromath::LIBRARY,
    fast_math::LIBRARY,
    devices::POCL,
    devices::POCL_NATIVE,
    devices::POCL_HALF,
    devices::CUDA,
    devices::CUDA_INTRINSICS,
];

/// A table of routines of a type: `computes: function`, each called by its name in the library.
macro_rules! routines {
    ($type:ident: $($computes:ident: $name:literal = $function:expr;)+) => {
        &[$($crate::libraries::Routine {
            computes: stringify!($computes),
            function: $crate::libraries::Function::Host(doublecrunch::search::HostFunction::$type($name, $function)),
        }),+]
    };
}
use routines;

/// The version of a crate, of the lock file that this program was built with.
fn locked(name: &str) -> String {
    let lock = include_str!("../../Cargo.lock");
    let package = format!("name = \"{name}\"\nversion = \"");
    let version = lock
        .split_once(&package)
        .and_then(|(_, rest)| rest.split('"').next());
    format!("crate {name} {}", version.unwrap_or("of unknown version"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_has_a_reference_and_is_there_once() {
        let precisions = [Precision::F32, Precision::F64];
        for (library, precision) in ALL.iter().flat_map(|l| precisions.map(|p| (l, p))) {
            let mut seen = ::std::collections::BTreeSet::new();
            for r in library.of(precision) {
                if let Function::Host(f) = r.function {
                    assert_eq!(f.precision(), precision);
                }
                assert_eq!(
                    matches!(r.function, Function::Device(_)),
                    library.device.is_some()
                );
                assert!(
                    doublecrunch::driver::reference(r.computes, precision).is_some(),
                    "{}: {}",
                    library.name,
                    r.computes
                );
                assert!(seen.insert(r.computes), "{}: {}", library.name, r.computes);
            }
            assert!(!(library.version)().contains("unknown"));
        }
    }

    #[test]
    fn results_are_near_the_function() {
        // The coarsest, a logarithm, is off by 19 % there.
        for library in ALL {
            for r in library.routines {
                let Function::Host(function) = r.function else {
                    continue;
                };
                // In the domain of all, and where none of these is near zero.
                let x = if r.computes == "acosh" {
                    1.75f32
                } else {
                    0.625
                };
                let mut out = Vec::new();
                function
                    .eval(&[&[u64::from(x.to_bits())]], &mut out)
                    .expect("a result");
                let found = f32::from_bits(out[0] as u32);
                let mut std = Vec::new();
                let Some(same) = std::LIBRARY
                    .routines
                    .iter()
                    .find(|s| s.computes == r.computes)
                else {
                    assert!(found.is_finite(), "{}: {}", library.name, r.computes);
                    continue;
                };
                let Function::Host(same) = same.function else {
                    panic!("std's functions are the host's");
                };
                same.eval(&[&[u64::from(x.to_bits())]], &mut std)
                    .expect("a result");
                let wanted = f32::from_bits(std[0] as u32);
                assert!(
                    (found - wanted).abs() <= 0.2 * wanted.abs(),
                    "{}: {} of {x} is {found}, not {wanted}",
                    library.name,
                    r.computes
                );
            }
        }
    }
}
