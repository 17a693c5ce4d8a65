//! Zeros of two signs as constants, in choices that a compiler may take for a minimum or a maximum of its own, which may
//! give the other zero. docs/book/src/understand/compiler-faults.md names the compilers that did.

use std::hint::black_box;

use crate::check::kernels;

/// Eight choices by one comparison.
macro_rules! eight {
    ($x:ident $op:tt $plus:expr, $minus:expr) => {
        (
            if $x $op $plus { $x } else { $plus },
            if $x $op $plus { $x } else { $minus },
            if $x $op $minus { $x } else { $plus },
            if $x $op $minus { $x } else { $minus },
            if $x $op $plus { $plus } else { $x },
            if $x $op $plus { $minus } else { $x },
            if $x $op $minus { $plus } else { $x },
            if $x $op $minus { $minus } else { $x },
        )
    };
}

macro_rules! zeros {
    ($module:ident $lanes:ident $float:ident) => {
        pub mod $module {
            use doublecrunch::prelude::*;

            const PLUS: $float = 0.0;
            const MINUS: $float = -0.0;

            zeros!(@choice below $lanes <);
            zeros!(@choice above $lanes >);
            zeros!(@choice not_above $lanes <=);
            zeros!(@choice not_below $lanes >=);
            zeros!(@choice equal $lanes ==);
            zeros!(@choice unequal $lanes !=);

            #[crunch]
            pub fn extrema(
                x: $lanes,
            ) -> ($lanes, $lanes, $lanes, $lanes, $lanes, $lanes, $lanes, $lanes) {
                (
                    x.min(PLUS),
                    x.min(MINUS),
                    x.max(PLUS),
                    x.max(MINUS),
                    PLUS.min(x),
                    MINUS.min(x),
                    PLUS.max(x),
                    MINUS.max(x),
                )
            }

            /// None is `abs`, which would clear the sign of a zero.
            #[crunch]
            pub fn magnitudes(
                x: $lanes,
            ) -> ($lanes, $lanes, $lanes, $lanes, $lanes, $lanes, $lanes, $lanes) {
                (
                    if x < PLUS { -x } else { x },
                    if x <= PLUS { -x } else { x },
                    if x > MINUS { x } else { -x },
                    if x >= MINUS { x } else { -x },
                    if x < MINUS { x } else { -x },
                    if x <= MINUS { x } else { -x },
                    if x > PLUS { -x } else { x },
                    if x >= PLUS { -x } else { x },
                )
            }

            #[crunch]
            fn lesser(x: $lanes, y: $lanes) -> $lanes {
                x.min(y)
            }
            #[crunch]
            fn greater(x: $lanes, y: $lanes) -> $lanes {
                x.max(y)
            }
            #[crunch]
            fn lower(x: $lanes, y: $lanes) -> $lanes {
                if x < y { x } else { y }
            }
            #[crunch]
            fn higher(x: $lanes, y: $lanes) -> $lanes {
                if y < x { x } else { y }
            }

            /// Constants that a compiler sees only where it inlines, or takes apart a loop.
            #[crunch]
            pub fn of_calls(
                x: $lanes,
            ) -> ($lanes, $lanes, $lanes, $lanes, $lanes, $lanes, $lanes, $lanes) {
                let mut least: $lanes = PLUS;
                let mut most: $lanes = MINUS;
                for _ in 0..2 {
                    least = x.min(least);
                    most = x.max(most);
                }
                (
                    lesser(x, PLUS),
                    lesser(MINUS, x),
                    greater(x, MINUS),
                    greater(MINUS, x),
                    lower(x, PLUS),
                    higher(x, MINUS),
                    least,
                    most,
                )
            }
        }
    };
    (@choice $name:ident $lanes:ident $op:tt) => {
        #[crunch]
        pub fn $name(
            x: $lanes,
        ) -> ($lanes, $lanes, $lanes, $lanes, $lanes, $lanes, $lanes, $lanes) {
            (
                if x $op PLUS { x } else { PLUS },
                if x $op PLUS { x } else { MINUS },
                if x $op MINUS { x } else { PLUS },
                if x $op MINUS { x } else { MINUS },
                if x $op PLUS { PLUS } else { x },
                if x $op PLUS { MINUS } else { x },
                if x $op MINUS { PLUS } else { x },
                if x $op MINUS { MINUS } else { x },
            )
        }
    };
}
zeros!(doubles DcDouble f64);
zeros!(floats DcFloat f32);

/// The same in Rust, with zeros that its compiler does not know.
macro_rules! oracle {
    ($op:tt) => {
        |(x,)| {
            let (plus, minus) = black_box((0.0, -0.0));
            eight!(x $op plus, minus)
        }
    };
}
macro_rules! extrema_oracle {
    () => {
        |(x,)| {
            let (plus, minus) = black_box((0.0, -0.0));
            let min = |a, b| if a < b { a } else { b };
            let max = |a, b| if a > b { a } else { b };
            (
                min(x, plus),
                min(x, minus),
                max(x, plus),
                max(x, minus),
                min(plus, x),
                min(minus, x),
                max(plus, x),
                max(minus, x),
            )
        }
    };
}
macro_rules! magnitudes_oracle {
    () => {
        |(x,)| {
            let (plus, minus) = black_box((0.0, -0.0));
            (
                if x < plus { -x } else { x },
                if x <= plus { -x } else { x },
                if x > minus { x } else { -x },
                if x >= minus { x } else { -x },
                if x < minus { x } else { -x },
                if x <= minus { x } else { -x },
                if x > plus { -x } else { x },
                if x >= plus { -x } else { x },
            )
        }
    };
}
macro_rules! calls_oracle {
    () => {
        |(x,)| {
            let (plus, minus) = black_box((0.0, -0.0));
            let min = |a, b| if a < b { a } else { b };
            let max = |a, b| if a > b { a } else { b };
            (
                min(x, plus),
                min(minus, x),
                max(x, minus),
                max(minus, x),
                min(x, plus),
                max(x, minus),
                min(x, min(x, plus)),
                max(x, max(x, minus)),
            )
        }
    };
}

kernels! {
    doubles_below: doubles::below = oracle!(<);
    doubles_above: doubles::above = oracle!(>);
    doubles_not_above: doubles::not_above = oracle!(<=);
    doubles_not_below: doubles::not_below = oracle!(>=);
    doubles_equal: doubles::equal = oracle!(==);
    doubles_unequal: doubles::unequal = oracle!(!=);
    extrema_of_doubles: doubles::extrema = extrema_oracle!();
    calls_of_doubles: doubles::of_calls = calls_oracle!();
    magnitudes_of_doubles: doubles::magnitudes = magnitudes_oracle!();
    floats_below: floats::below = oracle!(<);
    floats_above: floats::above = oracle!(>);
    floats_not_above: floats::not_above = oracle!(<=);
    floats_not_below: floats::not_below = oracle!(>=);
    floats_equal: floats::equal = oracle!(==);
    floats_unequal: floats::unequal = oracle!(!=);
    extrema_of_floats: floats::extrema = extrema_oracle!();
    calls_of_floats: floats::of_calls = calls_oracle!();
    magnitudes_of_floats: floats::magnitudes = magnitudes_oracle!();
}
