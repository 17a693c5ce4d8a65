use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble, c: &mut [f64]) -> DcDouble {
    x * c[0]
}

fn main() {}
