//! A reference must fit the routine: this one takes binary64 arguments, where binary32 is required.

use doublecrunch::prelude::*;

#[crunch]
fn double(x: DcDouble) -> DcDouble {
    x + x
}

#[crunch]
fn double_f32(x: DcFloat) -> DcFloat {
    x + x
}

doublecrunch::suite! {
    mod promises;
    double: double, against double_f32, over "1.0..2.0", within 1.0;
}

fn main() {}
