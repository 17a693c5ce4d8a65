use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    if x > 1.0 {
        const HALF: f64 = 0.5;
        x * HALF
    } else {
        x
    }
}

fn main() {}
