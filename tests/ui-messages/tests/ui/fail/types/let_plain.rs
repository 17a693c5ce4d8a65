use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let y: f64 = 1.0;
    x + y
}

fn main() {}
