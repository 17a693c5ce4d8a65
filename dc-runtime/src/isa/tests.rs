//! Shared code of the tests of every instruction set.
//!
//! A test is named after its level (`avx512_4`: four registers per group), so `cargo test avx512` runs the tests of one instruction set. On
//! a processor without the instructions the test is skipped, unless `CRUNCH_REQUIRE` names the level. Skips are appended to the file named
//! by `CRUNCH_SKIP_LOG`.
//!
//! The tests of the operations are a separate program, `tests/instruction-sets`. They are half of the code that the tests of this crate
//! compile.

use kernels_gen::skip::note;

use super::Isa;

/// The reduction of tests for emulators: `DC_TEST_SCALE=n` divides the number of cases by n.
pub(crate) fn scale() -> usize {
    std::env::var("DC_TEST_SCALE").map_or(1, |n| {
        n.parse()
            .ok()
            .filter(|&n| n > 0)
            .unwrap_or_else(|| panic!("DC_TEST_SCALE={n} is not a positive number"))
    })
}

/// The token; or a note that the named test does not run here.
pub(crate) fn level<I: Isa>(test: &str) -> Option<I> {
    let isa = I::detect();
    if isa.is_none() {
        let required = std::env::var("CRUNCH_REQUIRE").unwrap_or_default();
        assert!(
            !required.split(',').any(|name| name.trim() == I::NAME),
            "CRUNCH_REQUIRE names {}, which this processor does not have",
            I::NAME
        );
        note(&format!("{test}: this processor has no {}", I::NAME));
    } else if scale() != 1 {
        println!("{test}: NOT all cases: DC_TEST_SCALE={}", scale());
    }
    isa
}

/// A test of every level for each named function `fn(impl Isa)`.
macro_rules! on_every_level {
    ($($test:ident = $f:path;)+) => {$(
        mod $test {
            #[allow(unused_imports, reason = "for the path of the function")]
            use super::*;
            $crate::isa::sets::for_each_isa! { [$crate::isa::tests::on_every_level!] @each $test ($f) }
        }
    )+};
    // One width per instruction set, for code that is built on its operations.
    (wide: $($test:ident = $f:path;)+) => {$(
        mod $test {
            use super::*;
            $crate::isa::sets::for_each_isa! { [$crate::isa::tests::on_every_level!] @wide $test ($f) }
        }
    )+};
    (@each $test:ident $f:tt $({
        $field:ident $token:ident $level:ident $map:ident $name:literal $features:tt points $points:literal map $wide:literal
        search $n:literal $w:literal $m:literal chains $fused:literal $mixed:literal
        tests [$($each:ident $units:literal)+] $one:tt
    })+) => {
        $($($crate::isa::tests::on_every_level! { @level $test $f $each $token $units })+)+
    };
    (@wide $test:ident $f:tt $({
        $field:ident $token:ident $level:ident $map:ident $name:literal $features:tt points $points:literal map $wide:literal
        search $n:literal $w:literal $m:literal chains $fused:literal $mixed:literal
        tests $each:tt [$one:ident $units:literal]
    })+) => {
        $($crate::isa::tests::on_every_level! { @level $test $f $one $token $units })+
    };
    (@level $test:ident ($f:path) $name:ident $isa:ident $units:literal) => {
        #[test]
        fn $name() {
            let test = concat!(module_path!(), "::", stringify!($name));
            if let Some(isa) = $crate::isa::tests::level::<$crate::isa::$isa<$units>>(test) {
                $f(isa);
            }
        }
    };
}
pub(crate) use on_every_level;
