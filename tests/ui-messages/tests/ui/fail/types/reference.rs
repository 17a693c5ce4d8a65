use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: &DcDouble) -> DcDouble {
    *x
}

fn main() {}
