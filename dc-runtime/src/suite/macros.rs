//! `suite!`.

/// Declares sweeps and their tests: see [`suite`](mod@crate::suite).
///
/// ```text
/// doublecrunch::suite! {
///     /// What this crate promises.
///     pub mod accuracy;
///     name: routine, against reference, over "range", within ulp;
///     name: routine, against reference, over "range", within ulp, inputs number;
///     name: routine, computes function, over "range", within ulp;
///     name: routine, computes function, over "range", within ulp, exact "certificate";
///     name: |x: f32| expression, computes function, over "range", within ulp;
///     name: routine, against |x: f64| expression, over "range", within ulp;
///     name: routine, computes function, over "range", within ulp, hunt seconds;
///     name: |x: f32, y: f32| expression, computes function, over "range", within ulp;
///     name: routine, computes function, over "all", within ulp, stored Half;
///     name: routine, computes function, over "range", within 1e-4 absolute;
///     name: routine, computes function, over "all", within ulp, exhaustive;
///     name: routine, against reference, over "range", within 1e-6 relative, inputs number;
///     name: routine, reduces sum, within units, beside (other, third), inputs number;
///     name: routine, computes function, over "range", within ulp, promising (exact where possible, monotone, results "0.0..=1.0");
/// }
/// ```
///
/// The module `accuracy` then has `SWEEPS`, for `driver::main`, and `SUITE`. In tests it also has, for each name,
/// `accuracy::crunch_suite::NAME::accuracy`, and one test for each family of backends.
///
/// | part | meaning |
/// |---|---|
/// | `routine` | a kernel, named as in the code that calls the macro; or a closure |
/// | `against` | the reference, your own kernel |
/// | `computes sin` | the library's reference for the sine, in the routine's precision ([`computes`](mod@crate::computes)) |
/// | `over` | the range; the module [`range`](crate::search::range) has the syntax |
/// | `within` | the largest error allowed, in ULP; `1e-4 absolute` and `1e-6 relative` are literals and need two kernels |
/// | `inputs` | the approximate number of inputs of a test: 2^20 by default, or all inputs of a smaller range |
/// | `exhaustive` | instead of `inputs`: a test takes every input of the range, up to 2^34; binary32 has 2^32 |
/// | `exact` | a file that `crunch exact --certificate` wrote, in or below the folder of `Cargo.toml`. The test fails if it is for another kernel, function or range, or for an error above `within`. The test does not prove it; `crunch-check` does |
/// | `hunt` | the number of seconds in which `CRUNCH_BLESS=1` searches for the worst input from the certified bound downward. The input goes into `accuracy.toml`, and every test evaluates it |
/// | `promising` | in parentheses at the end: `exact where possible` (if the true value is known to be a number of the format, the result is that number), `monotone` or `decreasing`, `odd`, `even`, `results "0.0..=1.0"`, `seams 2.0` (between neighbours, the error changes by at most this many ULP) |
/// | `reduces` | a kernel of arrays: their `sum`, `dot`, `norm`, `mean`, `variance`, `sample_variance`, `softmax` or `logsumexp` ([`reductions`](mod@crate::reductions)). `within` is then in units such as `u Σ\|x\|`, and `inputs` is a number of vectors, 2^14 by default. The kernels after `beside` are other orders: the test shows for how many vectors they give other bits |
/// | `stored` | `Half` or `Bfloat`: the routine loads and stores such numbers ([`Sweep::stored`](crate::sweep::Sweep::stored)) |
///
/// Routines of two arguments are declared in the same way: `pow: my_pow, computes pow, over "2^22 of 0.5..2.0 x -8.0..8.0", within 2.0`. The test
/// takes the first pairs of the sample, as many as requested. These are never all pairs.
///
/// Functions of three arguments, of two results and of complex numbers are refused: `crunch run --library` judges them.
///
/// A closure of one or two numbers that captures nothing, such as `|x: f32| x.sin()`, is not a kernel. Only this processor can evaluate it, so only
/// its accuracy is tested. As the reference of a routine in binary32, a closure takes an `f64`, and its accuracy is an assumption.
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
///     proven: third, against third_exact, over "1.0..2.0", within 1.0, exact "third.cert", hunt 5, inputs 1000;
///     sine: |x: f32| x.sin(), computes sin, over "all", within 0.6;
///     theirs: |x: f32| x.tan(), against |x: f64| x.tan(), over "all", within 1.5;
///     power: |x: f32| x.exp2(), computes exp2, over "-8.0..8.0", within 1.0, promising (exact where possible, monotone);
/// }
///
/// # fn main() {
/// assert_eq!(accuracy::SWEEPS[0].name(), "third");
/// assert_eq!(accuracy::SWEEPS[1].reference().name(), "recip_reference");
/// assert_eq!(accuracy::SUITE.entry("proven").certificate, Some("third.cert"));
/// assert_eq!(accuracy::SUITE.entry("proven").hunt, 5.0);
/// assert_eq!(accuracy::SWEEPS[3].candidate().name(), "|x: f32| x.sin()");
/// assert_eq!(accuracy::SUITE.entry("power").promises.len(), 2);
/// # }
/// ```
#[macro_export]
macro_rules! suite {
    ($(#[$meta:meta])* $vis:vis mod $module:ident; $($entries:tt)+) => {
        $crate::__suite_entries! { ({$(#[$meta])*} {$vis} $module []) [] $($entries)+ }
    };
}

/// Parses the entries one by one: up to the candidate here, its reference and its requirements in `__suite_reference`. The parsed parts are
/// in brackets: name, sweep, `within`, `exact`, `hunt`, `inputs`, `promising`, and whether the sweep is of kernels only.
#[doc(hidden)]
#[macro_export]
macro_rules! __suite_entries {
    ($head:tt $done:tt $name:ident: |$x:ident: $float:ident| $body:expr, $($rest:tt)+) => {
        $crate::__suite_reference! { $head $done $name (|$x: $float| $body) closure $($rest)+ }
    };
    ($head:tt $done:tt $name:ident: |$x:ident: $float:ident, $y:ident: $same:ident| $body:expr, $($rest:tt)+) => {
        $crate::__suite_reference! { $head $done $name (|$x: $float, $y: $same| $body) closure $($rest)+ }
    };
    ($head:tt $done:tt $name:ident: |$x:ident: $float:ident, $y:ident: $same:ident, $($more:tt)+) => {
        $crate::__suite_refuses_several! { $name "a closure of three numbers" }
    };
    ($head:tt $done:tt $name:ident: $routine:ty, $($rest:tt)+) => {
        $crate::__suite_reference! { $head $done $name ($routine) kernels $($rest)+ }
    };
    (
        ({$(#[$meta:meta])*} {$vis:vis} $module:ident [$({
            $reduction:ident ($function:expr) ($kernel:ty) ($units:expr) [$($other:ty),*] ($vectors:expr)
        })*])
        [$({
            $name:ident ($sweep:expr) ($ulp:expr) ($($certificate:literal)?) ($($hunt:expr)?) ($($inputs:expr)?) ($($promises:tt)?) $kind:ident
        })*]
    ) => {
        $(#[$meta])*
        $vis mod $module {
            #[allow(unused_imports, reason = "the kernels may be named by paths")]
            use super::*;

            /// The sweeps, for the `crunch` driver.
            pub const SWEEPS: &[$crate::sweep::Sweep] = &[
                $($sweep
                    .within($ulp)
                    // The suite's own tests compare them with the accepted ones.
                    .tolerating(&$crate::model::block::FaultKind::ALL),)*
            ];

            /// The sweeps with their requirements.
            pub const SUITE: $crate::suite::Suite = $crate::suite::Suite {
                module: module_path!(),
                folder: env!("CARGO_MANIFEST_DIR"),
                entries: &[
                    $($crate::suite::Entry {
                        sweep: $sweep
                            .within($ulp)
                            .tolerating(&$crate::model::block::FaultKind::ALL),
                        within: $ulp,
                        certificate: $crate::__suite_certificate!($($certificate)?),
                        hunt: $crate::__suite_hunt!($($hunt)?),
                        inputs: $crate::__suite_inputs!($($inputs)?),
                        promises: $crate::__suite_promises!([] $($promises)?),
                    },)*
                ],
                reductions: &[
                    $($crate::suite::Reduced {
                        reduction: $crate::reductions::Reduction {
                            name: stringify!($reduction),
                            function: $function,
                            orders: &[
                                $crate::reductions::Order::of::<$kernel>(stringify!($kernel)).within($units),
                                $($crate::reductions::Order::of::<$other>(stringify!($other)),)*
                            ],
                        },
                        inputs: $vectors,
                    },)*
                ],
            };

            #[cfg(test)]
            mod crunch_suite {
                $(mod $name {
                    $crate::__suite_tests!($kind stringify!($name));
                })*
                $(mod $reduction {
                    $crate::__suite_tests!(kernels stringify!($reduction));
                })*

                #[test]
                fn no_baseline_is_stale() {
                    super::SUITE.test_stale();
                }

                #[test]
                fn what_ran() {
                    super::SUITE.test_summary();
                }
            }
        }
    };
}

/// Refuses what a suite does not accept: a function of three arguments, of two results or of complex numbers.
#[doc(hidden)]
#[macro_export]
macro_rules! __suite_refuses_several {
    ($name:ident $what:expr) => {
        compile_error!(concat!(
            "`", stringify!($name), "`: ", $what, " is not for a suite, which takes functions of one or two arguments with one result; \
             `crunch run --library FILE --symbol NAME --signature f64,f64,f64 --computes fma` judges a function of three arguments, and \
             f64->f64,f64 with sincos one of two results"
        ));
    };
}

/// The rest of an entry.
#[doc(hidden)]
#[macro_export]
macro_rules! __suite_reference {
    ($head:tt $done:tt $name:ident $candidate:tt $kind:ident computes fma, $($rest:tt)*) => {
        $crate::__suite_refuses_several! { $name "`computes fma`" }
    };
    ($head:tt $done:tt $name:ident $candidate:tt $kind:ident computes lerp, $($rest:tt)*) => {
        $crate::__suite_refuses_several! { $name "`computes lerp`" }
    };
    ($head:tt $done:tt $name:ident $candidate:tt $kind:ident computes clamp, $($rest:tt)*) => {
        $crate::__suite_refuses_several! { $name "`computes clamp`" }
    };
    ($head:tt $done:tt $name:ident $candidate:tt $kind:ident computes sincos, $($rest:tt)*) => {
        $crate::__suite_refuses_several! { $name "`computes sincos`" }
    };
    (
        ($meta:tt $vis:tt $module:ident [$($reductions:tt)*]) $done:tt $name:ident ($($kernel:tt)+) kernels
        reduces $function:ident, within $units:expr $(, beside ($($other:ty),+ $(,)?))? $(, inputs $inputs:expr)?; $($rest:tt)*
    ) => {
        $crate::__suite_entries! {
            ($meta $vis $module [$($reductions)* {
                $name ($crate::__suite_reduces!($function)) ($($kernel)+) ($units) [$($($other),+)?] ($crate::__suite_vectors!($($inputs)?))
            }])
            $done $($rest)*
        }
    };
    ($head:tt $done:tt $name:ident $candidate:tt $kind:ident reduces $($rest:tt)*) => {
        compile_error!(concat!(
            "`", stringify!($name), "`: a reduction is a kernel with `reduces FUNCTION, within UNITS`, and if you like `beside (OTHER, …)` \
             and `inputs NUMBER`"
        ));
    };
    (
        $head:tt $done:tt $name:ident $candidate:tt $kind:ident
        computes $function:ident, over $range:expr, within $ulp:expr, exhaustive $(, promising $promises:tt)?; $($rest:tt)*
    ) => {
        $crate::__suite_reference! {
            $head $done $name $candidate $kind computes $function, over $range, within $ulp, inputs $crate::suite::EXHAUSTIVE $(, promising $promises)?; $($rest)*
        }
    };
    (
        $head:tt $done:tt $name:ident $candidate:tt $kind:ident
        computes $function:ident, over $range:expr, within $ulp:literal $unit:ident, exhaustive $(, promising $promises:tt)?; $($rest:tt)*
    ) => {
        $crate::__suite_reference! {
            $head $done $name $candidate $kind computes $function, over $range, within $ulp $unit, inputs $crate::suite::EXHAUSTIVE $(, promising $promises)?; $($rest)*
        }
    };
    (
        $head:tt $done:tt $name:ident $candidate:tt $kind:ident
        against $reference:ty, over $range:expr, within $ulp:expr, exhaustive $(, promising $promises:tt)?; $($rest:tt)*
    ) => {
        $crate::__suite_reference! {
            $head $done $name $candidate $kind against $reference, over $range, within $ulp, inputs $crate::suite::EXHAUSTIVE $(, promising $promises)?; $($rest)*
        }
    };
    (
        $head:tt $done:tt $name:ident $candidate:tt $kind:ident
        against $reference:ty, over $range:expr, within $ulp:literal $unit:ident, exhaustive $(, promising $promises:tt)?; $($rest:tt)*
    ) => {
        $crate::__suite_reference! {
            $head $done $name $candidate $kind against $reference, over $range, within $ulp $unit, inputs $crate::suite::EXHAUSTIVE $(, promising $promises)?; $($rest)*
        }
    };
    (
        $head:tt [$($done:tt)*] $name:ident ($($candidate:tt)+) kernels
        computes $function:ident, over $range:expr, within $ulp:literal absolute $(, inputs $inputs:expr)? $(, promising $promises:tt)?; $($rest:tt)*
    ) => {
        $crate::__suite_entries! { $head [$($done)* {
            $name ($crate::__suite_sweep!($name, $range, $($candidate)+, computes $function).measuring($crate::model::measure::Measure::Absolute))
            ($ulp) () () ($($inputs)?) ($($promises)?) kernels
        }] $($rest)* }
    };
    (
        $head:tt [$($done:tt)*] $name:ident ($($candidate:tt)+) kernels
        computes $function:ident, over $range:expr, within $ulp:literal relative $(, inputs $inputs:expr)? $(, promising $promises:tt)?; $($rest:tt)*
    ) => {
        $crate::__suite_entries! { $head [$($done)* {
            $name ($crate::__suite_sweep!($name, $range, $($candidate)+, computes $function).measuring($crate::model::measure::Measure::Relative))
            ($ulp) () () ($($inputs)?) ($($promises)?) kernels
        }] $($rest)* }
    };
    (
        $head:tt [$($done:tt)*] $name:ident ($($candidate:tt)+) kernels
        against $reference:ty, over $range:expr, within $ulp:literal absolute $(, inputs $inputs:expr)? $(, promising $promises:tt)?; $($rest:tt)*
    ) => {
        $crate::__suite_entries! { $head [$($done)* {
            $name ($crate::__suite_sweep!($name, $range, $($candidate)+, against $reference).measuring($crate::model::measure::Measure::Absolute))
            ($ulp) () () ($($inputs)?) ($($promises)?) kernels
        }] $($rest)* }
    };
    (
        $head:tt [$($done:tt)*] $name:ident ($($candidate:tt)+) kernels
        against $reference:ty, over $range:expr, within $ulp:literal relative $(, inputs $inputs:expr)? $(, promising $promises:tt)?; $($rest:tt)*
    ) => {
        $crate::__suite_entries! { $head [$($done)* {
            $name ($crate::__suite_sweep!($name, $range, $($candidate)+, against $reference).measuring($crate::model::measure::Measure::Relative))
            ($ulp) () () ($($inputs)?) ($($promises)?) kernels
        }] $($rest)* }
    };
    (
        $head:tt [$($done:tt)*] $name:ident ($($candidate:tt)+) $kind:ident
        computes $function:ident, over $range:expr, within $ulp:expr $(, stored $format:ident)?
        $(, exact $certificate:literal)? $(, hunt $hunt:expr)? $(, inputs $inputs:expr)? $(, promising $promises:tt)?; $($rest:tt)*
    ) => {
        $crate::__suite_entries! { $head [$($done)* {
            $name ($crate::__suite_stored!(($crate::__suite_sweep!($name, $range, $($candidate)+, computes $function)) $($format)?))
            ($ulp) ($($certificate)?) ($($hunt)?) ($($inputs)?) ($($promises)?) $kind
        }] $($rest)* }
    };
    (
        $head:tt [$($done:tt)*] $name:ident ($($candidate:tt)+) $kind:ident
        against |$y:ident: $double:ident| $truth:expr, over $range:expr, within $ulp:expr
        $(, exact $certificate:literal)? $(, hunt $hunt:expr)? $(, inputs $inputs:expr)? $(, promising $promises:tt)?; $($rest:tt)*
    ) => {
        $crate::__suite_entries! { $head [$($done)* {
            $name ($crate::__suite_sweep!($name, $range, $($candidate)+, against |$y: $double| $truth))
            ($ulp) ($($certificate)?) ($($hunt)?) ($($inputs)?) ($($promises)?) closure
        }] $($rest)* }
    };
    (
        $head:tt [$($done:tt)*] $name:ident ($($candidate:tt)+) $kind:ident
        against |$y:ident: $double:ident, $z:ident: $same:ident| $truth:expr, over $range:expr, within $ulp:expr
        $(, exact $certificate:literal)? $(, hunt $hunt:expr)? $(, inputs $inputs:expr)? $(, promising $promises:tt)?; $($rest:tt)*
    ) => {
        $crate::__suite_entries! { $head [$($done)* {
            $name ($crate::__suite_sweep!($name, $range, $($candidate)+, against |$y: $double, $z: $same| $truth))
            ($ulp) ($($certificate)?) ($($hunt)?) ($($inputs)?) ($($promises)?) closure
        }] $($rest)* }
    };
    (
        $head:tt [$($done:tt)*] $name:ident ($($candidate:tt)+) $kind:ident
        against $reference:ty, over $range:expr, within $ulp:expr $(, stored $format:ident)?
        $(, exact $certificate:literal)? $(, hunt $hunt:expr)? $(, inputs $inputs:expr)? $(, promising $promises:tt)?; $($rest:tt)*
    ) => {
        $crate::__suite_entries! { $head [$($done)* {
            $name ($crate::__suite_stored!(($crate::__suite_sweep!($name, $range, $($candidate)+, against $reference)) $($format)?))
            ($ulp) ($($certificate)?) ($($hunt)?) ($($inputs)?) ($($promises)?) $kind
        }] $($rest)* }
    };
    (
        $head:tt $done:tt $name:ident $candidate:tt $kind:ident
        $word:ident $reference:tt, over $range:expr, within $ulp:literal $unit:ident $($rest:tt)*
    ) => {
        compile_error!(concat!(
            "`", stringify!($name), "`: `within ", stringify!($ulp), " ", stringify!($unit), "` is for two kernels of one argument, as \
             `within 1e-4 absolute` or `within 1e-6 relative`, with no more than `inputs NUMBER` and `promising (…)` after it"
        ));
    };
    ($head:tt $done:tt $name:ident $($rest:tt)*) => {
        compile_error!(concat!(
            "`", stringify!($name), "` needs a reference: `computes FUNCTION` for one of the library \
             (`crunch list --references`), or `against KERNEL` for one of your own, and not both; then `over RANGE, within ULP`, \
             and if you like `exact FILE`, `hunt SECONDS`, `inputs NUMBER` and `promising (…)`"
        ));
    };
}

/// The sweep of an entry.
#[doc(hidden)]
#[macro_export]
macro_rules! __suite_sweep {
    ($name:ident, $range:expr, |$x:ident: $float:ident, $y:ident: $same:ident| $body:expr, $($reference:tt)+) => {
        $crate::sweep::Sweep::accuracy_only(
            stringify!($name),
            $crate::model::candidate::Candidate::Host(
                $crate::__suite_closure_of_two!($x $float, $y $same, $body)
            ),
            $crate::__suite_reference_of_two!($float $($reference)+),
            $range,
        )
    };
    ($name:ident, $range:expr, $routine:ty, against |$y:ident: $double:ident, $z:ident: $same:ident| $truth:expr) => {
        $crate::sweep::Sweep::accuracy_only(
            stringify!($name),
            $crate::model::candidate::Candidate::Kernel($crate::model::kernel_ref::KernelRef::of::<$routine>()),
            $crate::model::candidate::Reference::Host(
                $crate::__suite_closure_of_two!($y $double, $z $same, $truth)
            ),
            $range,
        )
    };
    ($name:ident, $range:expr, |$x:ident: $float:ident| $body:expr, computes $function:ident) => {
        $crate::sweep::Sweep::accuracy_only(
            stringify!($name),
            $crate::__suite_closure!(Candidate, $x, $float, $body),
            $crate::sweep::computed::$float::<$crate::builtins::reference::computes::$function>(),
            $range,
        )
        .of(<$crate::builtins::reference::computes::$function as $crate::builtins::reference::computes::Computes>::FUNCTION)
    };
    ($name:ident, $range:expr, |$x:ident: $float:ident| $body:expr, against |$y:ident: $double:ident| $truth:expr) => {
        $crate::sweep::Sweep::accuracy_only(
            stringify!($name),
            $crate::__suite_closure!(Candidate, $x, $float, $body),
            $crate::__suite_closure!(Reference, $y, $double, $truth),
            $range,
        )
    };
    ($name:ident, $range:expr, |$x:ident: $float:ident| $body:expr, against $reference:ty) => {
        $crate::sweep::Sweep::accuracy_only(
            stringify!($name),
            $crate::__suite_closure!(Candidate, $x, $float, $body),
            $crate::model::candidate::Reference::Kernel($crate::model::kernel_ref::KernelRef::of::<$reference>()),
            $range,
        )
    };
    ($name:ident, $range:expr, $routine:ty, against |$y:ident: $double:ident| $truth:expr) => {
        $crate::sweep::Sweep::accuracy_only(
            stringify!($name),
            $crate::model::candidate::Candidate::Kernel($crate::model::kernel_ref::KernelRef::of::<$routine>()),
            $crate::__suite_closure!(Reference, $y, $double, $truth),
            $range,
        )
    };
    ($name:ident, $range:expr, $routine:ty, against $reference:ty) => {
        $crate::sweep::Sweep::new::<$routine, $reference>(stringify!($name), $range)
    };
    ($name:ident, $range:expr, $routine:ty, computes $function:ident) => {
        $crate::sweep::Sweep::computing::<$routine, $crate::builtins::reference::computes::$function>(stringify!($name), $range)
    };
}

/// The sweep; if a format is given, of numbers of that format.
#[doc(hidden)]
#[macro_export]
macro_rules! __suite_stored {
    (($sweep:expr)) => {
        $sweep
    };
    (($sweep:expr) $format:ident) => {
        $sweep.stored($crate::model::stored::Format::$format)
    };
}

/// A closure as a candidate or a reference, named by its text.
#[doc(hidden)]
#[macro_export]
macro_rules! __suite_closure {
    ($role:ident, $x:ident, $float:ident, $body:expr) => {
        $crate::model::candidate::$role::Host($crate::model::host::HostFunction::$float(
            concat!(
                "|",
                stringify!($x),
                ": ",
                stringify!($float),
                "| ",
                stringify!($body)
            ),
            |$x: $float| -> $float { $body },
        ))
    };
}

/// A closure of two numbers, named by its text.
#[doc(hidden)]
#[macro_export]
macro_rules! __suite_closure_of_two {
    ($x:ident f32, $y:ident f32, $body:expr) => {
        $crate::model::host::HostFunction::f32_two(
            concat!(
                "|",
                stringify!($x),
                ": f32, ",
                stringify!($y),
                ": f32| ",
                stringify!($body)
            ),
            |$x: f32, $y: f32| -> f32 { $body },
        )
    };
    ($x:ident f64, $y:ident f64, $body:expr) => {
        $crate::model::host::HostFunction::f64_two(
            concat!(
                "|",
                stringify!($x),
                ": f64, ",
                stringify!($y),
                ": f64| ",
                stringify!($body)
            ),
            |$x: f64, $y: f64| -> f64 { $body },
        )
    };
    ($($other:tt)*) => {
        compile_error!("a closure of two numbers takes two of f32, or two of f64")
    };
}

/// The reference of a closure of two numbers.
#[doc(hidden)]
#[macro_export]
macro_rules! __suite_reference_of_two {
    (f32 computes $function:ident) => {
        $crate::sweep::computed::f32_two::<$crate::builtins::reference::computes::$function>()
    };
    (f64 computes $function:ident) => {
        $crate::sweep::computed::f64_two::<$crate::builtins::reference::computes::$function>()
    };
    ($float:ident against |$y:ident: $double:ident, $z:ident: $same:ident| $truth:expr) => {
        $crate::model::candidate::Reference::Host(
            $crate::__suite_closure_of_two!($y $double, $z $same, $truth)
        )
    };
    ($float:ident against $reference:ty) => {
        $crate::model::candidate::Reference::Kernel($crate::model::kernel_ref::KernelRef::of::<$reference>())
    };
}

/// The certificate's file, if one is given.
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

/// The seconds of a hunt, or none.
#[doc(hidden)]
#[macro_export]
macro_rules! __suite_hunt {
    () => {
        0.0
    };
    ($hunt:expr) => {
        $hunt as f64
    };
}

/// The number of vectors as given, or the default.
#[doc(hidden)]
#[macro_export]
macro_rules! __suite_vectors {
    () => {
        $crate::suite::VECTORS
    };
    ($inputs:expr) => {
        $inputs
    };
}

/// The function of a reduction.
#[doc(hidden)]
#[macro_export]
macro_rules! __suite_reduces {
    (sum) => {
        $crate::reductions::Function::Sum
    };
    (dot) => {
        $crate::reductions::Function::Dot
    };
    (norm) => {
        $crate::reductions::Function::Norm
    };
    (mean) => {
        $crate::reductions::Function::Mean
    };
    (variance) => {
        $crate::reductions::Function::Variance
    };
    (sample_variance) => {
        $crate::reductions::Function::SampleVariance
    };
    (softmax) => {
        $crate::reductions::Function::Softmax
    };
    (logsumexp) => {
        $crate::reductions::Function::LogSumExp
    };
    ($other:ident) => {
        compile_error!(concat!(
            "`",
            stringify!($other),
            "` is no reduction; there are `sum`, `dot`, `norm`, `mean`, `variance`, \
             `sample_variance`, `softmax` and `logsumexp`"
        ))
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

/// The promises of an entry, one after the other.
#[doc(hidden)]
#[macro_export]
macro_rules! __suite_promises {
    ([$($done:tt)*]) => {
        &[$($done)*]
    };
    ([] ($($promises:tt)+)) => {
        $crate::__suite_promises!(@ [] $($promises)+)
    };
    (@ [$($done:tt)*]) => {
        &[$($done)*]
    };
    (@ $done:tt, $($rest:tt)*) => {
        $crate::__suite_promises!(@ $done $($rest)*)
    };
    (@ [$($done:tt)*] exact where possible $($rest:tt)*) => {
        $crate::__suite_promises!(@ [$($done)* $crate::suite::Promise::Exact,] $($rest)*)
    };
    (@ [$($done:tt)*] monotone $($rest:tt)*) => {
        $crate::__suite_promises!(@ [$($done)* $crate::suite::Promise::Increasing,] $($rest)*)
    };
    (@ [$($done:tt)*] decreasing $($rest:tt)*) => {
        $crate::__suite_promises!(@ [$($done)* $crate::suite::Promise::Decreasing,] $($rest)*)
    };
    (@ [$($done:tt)*] odd $($rest:tt)*) => {
        $crate::__suite_promises!(@ [$($done)* $crate::suite::Promise::Odd,] $($rest)*)
    };
    (@ [$($done:tt)*] even $($rest:tt)*) => {
        $crate::__suite_promises!(@ [$($done)* $crate::suite::Promise::Even,] $($rest)*)
    };
    (@ [$($done:tt)*] results $range:literal $($rest:tt)*) => {
        $crate::__suite_promises!(@ [$($done)* $crate::suite::Promise::Results($range),] $($rest)*)
    };
    (@ [$($done:tt)*] seams $ulp:literal $($rest:tt)*) => {
        $crate::__suite_promises!(@ [$($done)* $crate::suite::Promise::Seams($ulp),] $($rest)*)
    };
    ($($other:tt)*) => {
        compile_error!(
            "`promising` takes, in parentheses and separated by commas, `exact where possible`, `monotone`, `decreasing`, `odd`, `even`, \
             `results \"0.0..=1.0\"` and `seams 2.0`"
        )
    };
}

/// The tests of one entry: of two kernels, or of a closure. A new family of backends needs one more line here, and one in `model::family`.
///
/// If this build or this target cannot have a backend, its test is ignored with the reason. NEON has no test on targets other than AArch64,
/// because the list of ignored tests would be too long to read. Other missing backends become known only when the test runs, and then it
/// cannot be ignored: `what_ran` reports them.
#[doc(hidden)]
#[macro_export]
macro_rules! __suite_tests {
    (closure $name:expr) => {
        #[test]
        fn accuracy() {
            super::super::SUITE.test_accuracy($name);
        }
    };
    (kernels $name:expr) => {
        #[test]
        fn accuracy() {
            super::super::SUITE.test_accuracy($name);
        }
        #[test]
        #[cfg_attr(
            not(target_arch = "x86_64"),
            ignore = "avx2: this target is not x86-64"
        )]
        fn avx2() {
            super::super::SUITE.test_equivalence($name, "avx2");
        }
        #[test]
        #[cfg_attr(
            not(target_arch = "x86_64"),
            ignore = "avx512: this target is not x86-64"
        )]
        fn avx512() {
            super::super::SUITE.test_equivalence($name, "avx512");
        }
        #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
        #[test]
        fn neon() {
            super::super::SUITE.test_equivalence($name, "neon");
        }
        #[test]
        fn interpreter() {
            super::super::SUITE.test_equivalence($name, "interpreter");
        }
        #[test]
        fn cuda_host() {
            super::super::SUITE.test_equivalence($name, "cuda-host");
        }
        $crate::__suite_opencl!($name);
        $crate::__suite_cuda!($name);
    };
}

// The tests of families that a feature of this crate builds. A macro is expanded with the features of the crate that
// uses it, not with this crate's; so each has two forms.

/// The test on OpenCL devices.
#[cfg(feature = "opencl")]
#[doc(hidden)]
#[macro_export]
macro_rules! __suite_opencl {
    ($name:expr) => {
        #[test]
        fn opencl() {
            super::super::SUITE.test_equivalence($name, "opencl");
        }
    };
}

/// The test on OpenCL devices, which this build cannot run.
#[cfg(not(feature = "opencl"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __suite_opencl {
    ($name:expr) => {
        #[test]
        #[ignore = "doublecrunch is built without the feature `opencl`"]
        fn opencl() {
            super::super::SUITE.test_equivalence($name, "opencl");
        }
    };
}

/// The test on CUDA devices.
#[cfg(feature = "cuda")]
#[doc(hidden)]
#[macro_export]
macro_rules! __suite_cuda {
    ($name:expr) => {
        #[test]
        fn cuda() {
            super::super::SUITE.test_equivalence($name, "cuda");
        }
    };
}

/// The test on CUDA devices, which this build cannot run.
#[cfg(not(feature = "cuda"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __suite_cuda {
    ($name:expr) => {
        #[test]
        #[ignore = "doublecrunch is built without the feature `cuda`"]
        fn cuda() {
            super::super::SUITE.test_equivalence($name, "cuda");
        }
    };
}
