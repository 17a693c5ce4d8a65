use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: f64) -> DcDouble {
    DcDouble::from_bits(x)
}

fn main() {}
