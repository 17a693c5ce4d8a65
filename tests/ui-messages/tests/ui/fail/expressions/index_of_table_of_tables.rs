use doublecrunch::prelude::*;

const C: [[f64; 2]; 2] = [[1.0, 2.0], [3.0, 4.0]];

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    x * C[0][1]
}

fn main() {}
