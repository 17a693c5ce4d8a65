//! `suite!`.

/// Declares sweeps, and with them tests: see [`suite`](mod@crate::suite).
///
/// ```text
/// doublecrunch::suite! {
///     /// What this crate promises.
///     pub mod accuracy;
///     name: routine, against reference, over "range", within ulp;
///     name: routine, against reference, over "range", within ulp, inputs number;
///     name: routine, computes function, over "range", within ulp;
///     name: routine, computes function, over "range", within ulp, exact "certificate";
/// }
/// ```
///
/// makes the module `accuracy` with `SWEEPS`, for [`driver::main`](crate::driver::main), and `SUITE`; and in tests, for
/// each name, `accuracy::crunch_suite::NAME::accuracy` and one test for each family of backends. `within` is the
/// largest error allowed in ULP, `inputs` about how many inputs are taken (2^20 by default; all of a range that has no
/// more). Kernels are named as they are where the macro stands. `computes sin` takes the library's reference of the sine for
/// the routine's precision ([`computes`](mod@crate::computes)); `against` takes a kernel of one's own. `exact` names a file,
/// beside the crate's `Cargo.toml` or below, that `crunch exact --certificate` wrote: the test fails where it is of another
/// kernel, function or range than the sweep's, or of an error above `within`. `crunch-check` proves the file itself.
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
///     wrong: third, computes recip, over "1.0..2.0", within 1e16;
///     proven: third, against third_exact, over "1.0..2.0", within 1.0, exact "third.cert", inputs 1000;
/// }
///
/// # fn main() {
/// assert_eq!(accuracy::SWEEPS[0].name, "third");
/// assert_eq!(accuracy::SWEEPS[1].reference.name(), "recip_reference");
/// assert_eq!(accuracy::SUITE.entry("proven").certificate, Some("third.cert"));
/// # }
/// ```
#[macro_export]
macro_rules! suite {
    (
        $(#[$meta:meta])*
        $vis:vis mod $module:ident;
        $($name:ident: $routine:ty, $(computes $function:ident)? $(against $reference:ty)?, over $range:expr, within $ulp:expr
            $(, exact $certificate:literal)? $(, inputs $inputs:expr)?;)+
    ) => {
        $(#[$meta])*
        $vis mod $module {
            #[allow(unused_imports, reason = "the kernels may be named by paths")]
            use super::*;

            /// The sweeps, for the `crunch` driver.
            pub const SWEEPS: &[$crate::sweep::Sweep] = &[
                $($crate::__suite_sweep!(
                    $name, $routine, $range, $(computes $function)? $(against $reference)?
                )
                    .within($ulp)
                    // The suite's own tests hold them against those that are accepted.
                    .tolerating(&$crate::model::block::FaultKind::ALL),)+
            ];

            /// The sweeps with what is asked of them.
            pub const SUITE: $crate::suite::Suite = $crate::suite::Suite {
                module: module_path!(),
                folder: env!("CARGO_MANIFEST_DIR"),
                entries: &[
                    $($crate::suite::Entry {
                        sweep: $crate::__suite_sweep!(
                            $name, $routine, $range, $(computes $function)? $(against $reference)?
                        )
                            .within($ulp)
                            .tolerating(&$crate::model::block::FaultKind::ALL),
                        within: $ulp,
                        certificate: $crate::__suite_certificate!($($certificate)?),
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

/// The sweep of an entry.
#[doc(hidden)]
#[macro_export]
macro_rules! __suite_sweep {
    ($name:ident, $routine:ty, $range:expr, against $reference:ty) => {
        $crate::sweep::Sweep::new::<$routine, $reference>(stringify!($name), $range)
    };
    ($name:ident, $routine:ty, $range:expr, computes $function:ident) => {
        $crate::sweep::Sweep::computing::<$routine, $crate::builtins::reference::computes::$function>(stringify!($name), $range)
    };
    ($name:ident, $($rest:tt)*) => {
        compile_error!(concat!(
            "`", stringify!($name), "` needs a reference: `computes FUNCTION` for one of the library              (`crunch list --references`), or `against KERNEL` for one of your own, and not both"
        ))
    };
}

/// The certificate's file, if one is named.
#[doc(hidden)]
#[macro_export]
macro_rules! __suite_certificate {
    () => {
        None
    };
    ($certificate:literal) => {
        Some($certificate)
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
