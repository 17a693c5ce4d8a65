use doublecrunch::prelude::*;

const C: [f64; 2] = [1.0, 2.0];

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    C[0] = 1.0;
    x * C[0]
}

fn main() {}
