//! Kernels made by `macro_rules`, and names that the expansion uses itself.
#![deny(warnings)]
use doublecrunch::prelude::*;

/// One source for both precisions.
macro_rules! precisions {
    ($($name:ident $lanes:ident),*) => {$(
        #[crunch]
        pub fn $name(x: $lanes) -> $lanes {
            let y = x * 0.5;
            y + x
        }
    )*};
}
precisions!(wide DcDouble, narrow DcFloat);

/// The macro's `y` is not the caller's, though both are called `y`.
macro_rules! with_expression {
    ($name:ident, $y:ident, $value:expr) => {
        #[crunch]
        pub fn $name(x: DcDouble, $y: DcDouble) -> DcDouble {
            let y = x * 100.0;
            let z = -$value;
            $y + z + y
        }
    };
}
with_expression!(mixed, y, y * 2.0 + 1.0);

#[crunch]
pub fn own_names(
    args: DcDouble,
    out: DcDouble,
    __isa: DcDouble,
    value: DcDouble,
    c: DcDouble,
    then: DcDouble,
    otherwise: DcDouble,
    new0: DcDouble,
) -> DcDouble {
    let mut r = args;
    if args > 0.0 {
        r = value + c + then + otherwise + new0;
    }
    r + out + __isa
}

#[crunch]
fn eval(map: DcDouble) -> DcDouble {
    map
}

#[allow(
    non_snake_case,
    dead_code,
    reason = "names that a careless expansion would find"
)]
mod core {
    pub struct Some;
    pub struct None;
}
#[allow(unused_imports, reason = "as above")]
use core::{None, Some};

fn main() {
    assert_eq!(wide::eval(1.0), 1.5);
    assert_eq!(narrow::eval(1.0), 1.5);
    assert_eq!(mixed::eval(1.0, 3.0), 3.0 - 7.0 + 100.0);
    assert_eq!(
        own_names::eval(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0),
        35.0
    );
    assert_eq!(eval::eval(2.0), 2.0);
    // The tree agrees on which `y` is which: the sum's first operand is the parameter, its last the variable.
    let tree = format!(
        "{:?}",
        <mixed as doublecrunch::__private_v0_2::CrunchFn>::KERNEL
            .body
            .value
    );
    let locals: Vec<&str> = tree.split("Local(").skip(1).map(|t| &t[..1]).collect();
    assert_eq!(locals, ["1", "3", "2"]);
}
