//! A suite takes functions with one result.

use doublecrunch::prelude::*;

#[crunch]
fn sine(x: DcDouble) -> DcDouble {
    x
}

doublecrunch::suite! {
    mod promises;
    both: sine, computes sincos, over "1.0..2.0", within 1.0;
}

fn main() {}
