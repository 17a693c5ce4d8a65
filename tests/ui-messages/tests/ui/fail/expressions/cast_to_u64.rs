use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    (x as u64).to_f64()
}

fn main() {}
