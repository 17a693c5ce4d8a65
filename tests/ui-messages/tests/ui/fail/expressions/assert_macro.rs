use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    assert!(x > 0.0);
    x
}

fn main() {}
