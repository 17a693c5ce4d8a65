use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    const HALF: f64 = 0.5;
    x * HALF
}

fn main() {}
