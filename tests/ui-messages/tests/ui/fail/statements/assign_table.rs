use doublecrunch::prelude::*;

const C: [f64; 2] = [1.0, 2.0];

#[crunch]
fn kernel(x: DcDouble, mut c: &[f64]) -> DcDouble {
    c = &C;
    x * c[0]
}

fn main() {}
