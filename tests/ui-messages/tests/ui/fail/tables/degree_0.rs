use doublecrunch::prelude::*;

const CONSTANT: [f64; 1] = [1.5];

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    x + horner(x, &CONSTANT)
}

fn main() {}
