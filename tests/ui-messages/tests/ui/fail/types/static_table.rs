use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble, c: &'static [f64]) -> DcDouble {
    x * c[0]
}

fn main() {}
