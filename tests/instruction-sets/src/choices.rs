//! Choices between a number and a zero that LLVM knows, of which it may make minima that order zeros (`super::fence`).

use std::hint::black_box;

use crate::isa::{Isa, WithIsa};

/// The choices, by name.
const NAMES: [&str; 8] = [
    "min(x, c)",
    "min(c, x)",
    "max(x, c)",
    "max(c, x)",
    "x < c ? x : c",
    "c < x ? x : c",
    "x < c ? c : x",
    "c <= x ? c : x",
];

macro_rules! choices {
    ($struct:ident $all:ident $expected:ident $check:ident $group:ident $t:ty; $load:ident $store:ident $splat:ident $min:ident $max:ident $select:ident $lt:ident $le:ident) => {
        /// All choices, written where LLVM sees all of them; those with +0 first.
        struct $struct<'a> {
            x: &'a [$t],
            out: &'a mut [Vec<$t>],
        }

        impl<I: Isa> WithIsa<I> for $struct<'_> {
            type Output = ();
            #[inline(always)]
            fn call(self, isa: I) {
                let x = isa.$load(self.x);
                // No loop, which might hide the zeros.
                let all = [
                    $all(isa, x, isa.$splat(0.0)),
                    $all(isa, x, isa.$splat(-0.0)),
                ];
                for (choice, out) in all.into_iter().flatten().zip(self.out) {
                    isa.$store(choice, out);
                }
            }
        }

        #[inline(always)]
        fn $all<I: Isa>(isa: I, x: I::$group, c: I::$group) -> [I::$group; NAMES.len()] {
            [
                isa.$min(x, c),
                isa.$min(c, x),
                isa.$max(x, c),
                isa.$max(c, x),
                isa.$select(isa.$lt(x, c), x, c),
                isa.$select(isa.$lt(c, x), x, c),
                isa.$select(isa.$lt(x, c), c, x),
                isa.$select(isa.$le(c, x), c, x),
            ]
        }

        /// The same, of zeros that the compiler does not know.
        fn $expected(x: $t) -> Vec<$t> {
            let of = |c: $t| {
                [
                    if x < c { x } else { c },
                    if c < x { c } else { x },
                    if x > c { x } else { c },
                    if c > x { c } else { x },
                    if x < c { x } else { c },
                    if c < x { x } else { c },
                    if x < c { c } else { x },
                    if c <= x { c } else { x },
                ]
            };
            [black_box(0.0), black_box(-0.0)].map(of).concat()
        }

        fn $check<I: Isa>(isa: I) {
            let least = <$t>::from_bits(1);
            for x in [
                0.0,
                -0.0,
                least,
                -least,
                1.0,
                -1.0,
                <$t>::INFINITY,
                <$t>::NEG_INFINITY,
                <$t>::NAN,
            ] {
                let mut out = vec![vec![7.0; I::LANES]; 2 * NAMES.len()];
                isa.run($struct {
                    x: &vec![x; I::LANES],
                    out: &mut out,
                });
                let expected = $expected(black_box(x));
                for (i, (lanes, want)) in out.iter().zip(expected).enumerate() {
                    let is_right =
                        |z: &$t| z.to_bits() == want.to_bits() || z.is_nan() && want.is_nan();
                    let (name, c) = (NAMES[i % NAMES.len()], ["0.0", "-0.0"][i / NAMES.len()]);
                    assert!(
                        lanes.iter().all(is_right),
                        "{name} of x = {x:?}, c = {c}: {lanes:?}, not {want:?}"
                    );
                }
            }
        }
    };
}
choices!(Doubles choices_of_doubles doubles check_doubles F64 f64; load_f64 store_f64 splat_f64 min_f64 max_f64 select_f64 lt_f64 le_f64);
choices!(Floats choices_of_floats floats check_floats F32 f32; load_f32 store_f32 splat_f32 min_f32 max_f32 select_f32 lt_f32 le_f32);

pub(super) fn check_choices<I: Isa>(isa: I) {
    check_doubles(isa);
    check_floats(isa);
}
