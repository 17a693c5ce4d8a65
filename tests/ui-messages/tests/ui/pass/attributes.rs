//! Documentation, `cfg`, lint levels and the rest go where they belong; nothing generated needs documentation.
#![deny(warnings, missing_docs, unreachable_pub, unused)]
use doublecrunch::prelude::*;

/// Documented once.
#[crunch]
#[must_use]
#[allow(non_snake_case, reason = "the paper's name")]
pub fn RCP(x: DcDouble) -> DcDouble {
    1.0 / x
}

/// For one of two configurations.
#[crunch]
#[cfg(debug_assertions)]
pub fn chosen(x: DcDouble) -> DcDouble {
    x
}

/// For the other.
#[cfg(not(debug_assertions))]
#[crunch]
pub fn chosen(x: DcDouble) -> DcDouble {
    x
}

#[crunch]
#[expect(unused_variables, reason = "to see that the lint still works")]
#[rustfmt::skip]
fn unused(x: DcDouble, y: DcDouble) -> DcDouble { x }

#[crunch]
#[cfg_attr(debug_assertions, allow(unused_mut, reason = "as above"))]
#[cfg_attr(not(debug_assertions), allow(unused_mut, reason = "as above"))]
fn mutable(x: DcDouble) -> DcDouble {
    let mut y = x;
    y
}

/// Nobody calls it, and nobody complains.
#[crunch]
fn never_called(r#final: DcDouble) -> DcDouble {
    r#final
}

fn main() {
    assert_eq!(RCP::eval(4.0), 0.25);
    assert_eq!(chosen::eval(4.0), unused::eval(mutable::eval(4.0), 1.0));
}
