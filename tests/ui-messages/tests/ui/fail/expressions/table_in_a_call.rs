use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    horner(x, &[1.0, 1.0, 0.5])
}

fn main() {}
