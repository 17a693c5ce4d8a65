use doublecrunch::prelude::*;

#[crunch(crate = doublecrunch)]
fn kernel(x: DcDouble) -> DcDouble {
    x
}

fn main() {}
