use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble<f64>) -> DcDouble {
    x
}

fn main() {}
