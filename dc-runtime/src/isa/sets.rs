//! The instruction sets, as a table. All code that is compiled, detected, listed or tested for each set is generated from its
//! rows.
//!
//! The sets' operations are the columns of `operations.rs`. A new set needs a row here, a column there, and a file with its
//! types.

/// Passes a row for each instruction set of the target to a macro, from narrow to wide, after the macro's arguments:
/// `for_each_isa!([macro!] arguments)`. `every_isa!` has the names of all sets, including those of other targets.
///
/// A row has: the set's field in [`PerIsa`], which is its backend's name; its token; its level in the search (`scan`); its type in `map`
/// (`run.rs`); its name in words; the features it needs, with the macro that detects them; the number of units of a value at points, in
/// `map`, and in a search (narrow, wide, and for the metric); how many chains of operations keep it busy, of one kind and of each of two
/// (`search/ceiling.rs`); the names and widths of tests, and of tests in one width.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
macro_rules! for_each_isa {
    ([$($take:tt)+] $($args:tt)*) => { $($take)+ { $($args)*
        { scalar Scalar ScalarLevel WideScalar "one number at a time"
          [] points 1 map 4 search 4 4 4 chains 10 8 tests [scalar_1 1 scalar_4 4] [scalar_4 4] }
        { avx2 Avx2 Avx2Level WideAvx2 "AVX2, FMA and F16C"
          [is_x86_feature_detected "avx2" "fma" "f16c"]
          points 1 map 1 search 1 2 1 chains 5 4 tests [avx2_1 1 avx2_2 2] [avx2_1 1] }
        { avx512 Avx512 Avx512Level WideAvx512 "AVX-512 F, VL, DQ, BW"
          [is_x86_feature_detected "avx512f" "avx512vl" "avx512dq" "avx512bw"]
          points 1 map 2 search 1 2 1 chains 5 5 tests [avx512_1 1 avx512_2 2] [avx512_2 2] }
    } };
}

/// As above. NEON has as many registers as AVX-512, and the same widths.
#[cfg(all(
    target_arch = "aarch64",
    target_endian = "little",
    target_feature = "neon"
))]
macro_rules! for_each_isa {
    ([$($take:tt)+] $($args:tt)*) => { $($take)+ { $($args)*
        { scalar Scalar ScalarLevel WideScalar "one number at a time"
          [] points 1 map 4 search 4 4 4 chains 10 8 tests [scalar_1 1 scalar_4 4] [scalar_4 4] }
        { neon Neon NeonLevel WideNeon "NEON with fused multiply-add"
          [is_aarch64_feature_detected "neon"]
          points 1 map 2 search 1 2 1 chains 8 6 tests [neon_1 1 neon_2 2] [neon_2 2] }
    } };
}

/// As above.
#[cfg(not(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(
        target_arch = "aarch64",
        target_endian = "little",
        target_feature = "neon"
    )
)))]
macro_rules! for_each_isa {
    ([$($take:tt)+] $($args:tt)*) => { $($take)+ { $($args)*
        { scalar Scalar ScalarLevel WideScalar "one number at a time"
          [] points 1 map 4 search 4 4 4 chains 10 8 tests [scalar_1 1 scalar_4 4] [scalar_4 4] }
    } };
}

/// Passes to a macro the name of each instruction set's backend, with the targets that have it in words.
#[cfg(feature = "search")]
macro_rules! every_isa {
    ($take:ident) => {
        $take! {
            { scalar "every target" }
            { avx2 "x86-64" }
            { avx512 "x86-64" }
            { neon "AArch64 (little-endian)" }
        }
    };
}

/// Evaluates an expression with the widest instruction set of this processor: `on_widest!(isa: points => expression)`. `isa` is the set's
/// token; its number of units is that of the table for `points` or `map`.
macro_rules! on_widest {
    ($isa:ident: $width:ident => $e:expr) => {
        $crate::isa::sets::for_each_isa! { [$crate::isa::sets::on_widest!] @$width $isa ($e) (unreachable!("plain Rust runs everywhere")) }
    };
    (@points $isa:ident $e:tt ($($else:tt)*)
        { $field:ident $token:ident $level:ident $map:ident $name:literal $features:tt points $points:literal $($more:tt)* }
        $($rows:tt)*
    ) => {
        $crate::isa::sets::on_widest! { @points $isa $e
            (if let Some($isa) = <$crate::isa::$token<$points> as $crate::isa::Isa>::detect() { $e } else { $($else)* }) $($rows)* }
    };
    (@map $isa:ident $e:tt ($($else:tt)*)
        { $field:ident $token:ident $level:ident $map:ident $name:literal $features:tt
          points $points:literal map $wide:literal $($more:tt)* }
        $($rows:tt)*
    ) => {
        $crate::isa::sets::on_widest! { @map $isa $e
            (if let Some($isa) = <$crate::isa::$token<$wide> as $crate::isa::Isa>::detect() { $e } else { $($else)* }) $($rows)* }
    };
    (@$width:ident $isa:ident $e:tt ($($all:tt)*)) => { $($all)* };
}

/// Evaluates an expression with plain Rust on one lane: `on_one_lane!(isa => expression)`. `isa` is its token.
macro_rules! on_one_lane {
    ($isa:ident => $e:expr) => {{
        // With the standard library `Scalar` uses FMA itself.
        #[cfg(all(not(feature = "std"), target_arch = "x86_64", target_feature = "sse2"))]
        let fused = <$crate::isa::Fused<1> as $crate::isa::Isa>::detect();
        #[cfg(not(all(not(feature = "std"), target_arch = "x86_64", target_feature = "sse2")))]
        let fused = None::<$crate::isa::Scalar<1>>;
        match fused {
            Some($isa) => $e,
            None => {
                let $isa = $crate::isa::Scalar::<1>::new();
                $e
            }
        }
    }};
}

#[cfg(feature = "search")]
pub(crate) use every_isa;
pub(crate) use {for_each_isa, on_one_lane, on_widest};

#[cfg(feature = "search")]
pub use self::searched::PerIsa;
#[cfg(feature = "search")]
pub(crate) use self::searched::{InstructionSet, NAMES, per_isa};

/// The items of the search for each set.
#[cfg(feature = "search")]
mod searched {
    #[cfg(all(
        target_arch = "aarch64",
        target_endian = "little",
        target_feature = "neon"
    ))]
    use std::arch::is_aarch64_feature_detected;

    /// A [`PerIsa`] with an expression for each set: `per_isa!(I: points => expression)`. `I` is the token with a width from the table,
    /// `points` or `map`, or the set's `level`.
    macro_rules! per_isa {
        ($i:ident: $width:ident => $e:expr) => {
            $crate::isa::sets::for_each_isa! { [$crate::isa::sets::per_isa!] @$width $i ($e) }
        };
        (@points $i:ident $e:tt $(
            { $field:ident $token:ident $level:ident $map:ident $name:literal $features:tt points $points:literal $($more:tt)* }
        )+) => {
            $crate::isa::PerIsa { $($field: { type $i = $crate::isa::$token<$points>; $e }),+ }
        };
        (@map $i:ident $e:tt $(
            { $field:ident $token:ident $level:ident $map:ident $name:literal $features:tt
              points $points:literal map $wide:literal $($more:tt)* }
        )+) => {
            $crate::isa::PerIsa { $($field: { type $i = $crate::isa::$token<$wide>; $e }),+ }
        };
        (@level $i:ident $e:tt $({ $field:ident $token:ident $level:ident $($more:tt)* })+) => {
            $crate::isa::PerIsa { $($field: { type $i = $level; $e }),+ }
        };
    }
    pub(crate) use per_isa;

    macro_rules! sets {
        ($({
            $field:ident $token:ident $level:ident $map:ident $name:literal
            [$($detected:ident $($feature:tt)+)?] $($more:tt)*
        })+) => {
            /// A value for each instruction set.
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            pub struct PerIsa<T> {$(
                #[doc = concat!("For ", $name, ".")]
                pub $field: T,
            )+}

            impl<T: Copy> PerIsa<T> {
                /// The same value for each set.
                #[must_use]
                pub const fn all(it: T) -> Self {
                    PerIsa { $($field: it),+ }
                }

                /// The value for one set.
                pub(crate) const fn of(&self, set: InstructionSet) -> T {
                    match set {
                        $(InstructionSet::$token => self.$field,)+
                    }
                }
            }

            /// An instruction set that kernels are compiled for on this target.
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            pub(crate) enum InstructionSet {
                $($token,)+
            }

            impl InstructionSet {
                /// All of them, from narrow to wide.
                pub const ALL: &[InstructionSet] = &[$(InstructionSet::$token),+];

                /// The backend's name.
                pub const fn id(self) -> &'static str {
                    match self {
                        $(InstructionSet::$token => stringify!($field),)+
                    }
                }

                /// Its description, in words.
                pub const fn name(self) -> &'static str {
                    match self {
                        $(InstructionSet::$token => $name,)+
                    }
                }

                /// The needed features that the processor lacks.
                pub fn missing(self) -> Vec<&'static str> {
                    match self {$(
                        InstructionSet::$token => {
                            let features: &[(&'static str, bool)] = &[$($(($feature, $detected!($feature))),+)?];
                            features.iter().filter(|f| !f.1).map(|f| f.0).collect()
                        }
                    )+}
                }
            }
        };
    }
    super::for_each_isa!([sets!]);

    macro_rules! names {
        ($({ $name:ident $targets:literal })+) => {
            /// The backends of all instruction sets, with the targets that have them.
            pub(crate) const NAMES: &[(&str, &str)] = &[$((stringify!($name), $targets)),+];
        };
    }
    super::every_isa!(names);
}
