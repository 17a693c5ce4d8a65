use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    f64::from_bits(x.to_bits())
}

fn main() {}
