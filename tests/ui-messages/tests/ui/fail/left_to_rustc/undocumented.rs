//! A kernel without documentation is reported once, on its type: the generic function is hidden from the documentation.
#![deny(missing_docs)]
use doublecrunch::prelude::*;

#[crunch]
pub fn undocumented(x: DcDouble) -> DcDouble {
    x
}

/// Documented.
#[crunch]
pub fn documented(x: DcDouble) -> DcDouble {
    x
}

fn main() {}
