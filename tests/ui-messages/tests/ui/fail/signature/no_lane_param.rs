use doublecrunch::prelude::*;

#[crunch]
fn kernel(c: &[f64]) -> DcDouble {
    c[0]
}

fn main() {}
