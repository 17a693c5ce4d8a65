//! `suite!`.

/// Declares sweeps, and with them tests: see [`suite`](mod@crate::suite).
///
/// ```text
/// doublecrunch::suite! {
///     /// What this crate promises.
///     pub mod accuracy;
///     name: routine, against reference, over "range", within ulp;
///     name: routine, against reference, over "range", within ulp, inputs number;
/// }
/// ```
///
/// makes the module `accuracy` with `SWEEPS`, for [`driver::main`](crate::driver::main), and `SUITE`; and in tests, for
/// each name, `accuracy::crunch_suite::NAME::accuracy` and one test for each family of backends. `within` is the
/// largest error allowed in ULP, `inputs` about how many inputs are taken (2^20 by default; all of a range that has no
/// more). Kernels are named as they are where the macro stands.
///
/// # Examples
///
/// ```
/// # extern crate dc_runtime as doublecrunch;
/// use doublecrunch::prelude::*;
///
/// #[crunch]
/// fn third(x: DcDouble) -> DcDouble {
///     x * 0.333_333_333_333_333_3
/// }
/// #[crunch]
/// fn third_exact(x: DcDouble) -> DcDoubleDouble {
///     dd_div(DcDoubleDouble::new(x, 0.0), DcDoubleDouble::new(3.0, 0.0))
/// }
///
/// doublecrunch::suite! {
///     /// What this example promises.
///     pub mod accuracy;
///     third: third, against third_exact, over "1.0..2.0", within 1.0;
/// }
///
/// # fn main() {
/// assert_eq!(accuracy::SWEEPS[0].name, "third");
/// # }
/// ```
#[macro_export]
macro_rules! suite {
    (
        $(#[$meta:meta])*
        $vis:vis mod $module:ident;
        $($name:ident: $routine:ty, against $reference:ty, over $range:expr, within $ulp:expr
            $(, inputs $inputs:expr)?;)+
    ) => {
        $(#[$meta])*
        $vis mod $module {
            #[allow(unused_imports, reason = "the kernels may be named by paths")]
            use super::*;

            /// The sweeps, for the `crunch` driver.
            pub const SWEEPS: &[$crate::sweep::Sweep] = &[
                $($crate::sweep::Sweep::new::<$routine, $reference>(stringify!($name), $range),)+
            ];

            /// The sweeps with what is asked of them.
            pub const SUITE: $crate::suite::Suite = $crate::suite::Suite {
                module: module_path!(),
                folder: env!("CARGO_MANIFEST_DIR"),
                entries: &[
                    $($crate::suite::Entry {
                        sweep: $crate::sweep::Sweep::new::<$routine, $reference>(stringify!($name), $range),
                        within: $ulp,
                        inputs: $crate::__suite_inputs!($($inputs)?),
                    },)+
                ],
            };

            #[cfg(test)]
            mod crunch_suite {
                $(mod $name {
                    $crate::__suite_tests!(stringify!($name));
                })+

                #[test]
                fn no_baseline_is_stale() {
                    super::SUITE.test_stale();
                }
            }
        }
    };
}

/// The number of inputs as given, or the default.
#[doc(hidden)]
#[macro_export]
macro_rules! __suite_inputs {
    () => {
        $crate::suite::INPUTS
    };
    ($inputs:expr) => {
        $inputs
    };
}

/// The tests of one entry. A new family of backends is one more line here.
#[doc(hidden)]
#[macro_export]
macro_rules! __suite_tests {
    ($name:expr) => {
        #[test]
        fn accuracy() {
            super::super::SUITE.test_accuracy($name);
        }
        $crate::__suite_tests! { $name;
            avx2 "avx2",
            avx512 "avx512",
            interpreter "interpreter",
            cuda_host "cuda-host",
            opencl "opencl",
            cuda "cuda",
        }
    };
    ($name:expr; $($test:ident $family:literal,)+) => {
        $(#[test]
        fn $test() {
            super::super::SUITE.test_equivalence($name, $family);
        })+
    };
}
