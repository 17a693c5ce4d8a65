use doublecrunch::prelude::*;

const C: [f64; 2] = [1.0, 2.0];

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let y: &[f64] = &C;
    x * y[0]
}

fn main() {}
