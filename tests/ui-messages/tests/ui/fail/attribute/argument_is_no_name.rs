use doublecrunch::prelude::*;

#[crunch(1 + 1)]
fn kernel(x: DcDouble) -> DcDouble {
    x
}

fn main() {}
