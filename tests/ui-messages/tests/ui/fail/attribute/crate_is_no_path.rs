use doublecrunch::prelude::*;

#[crunch(crate = "1 + 1")]
fn kernel(x: DcDouble) -> DcDouble {
    x
}

fn main() {}
