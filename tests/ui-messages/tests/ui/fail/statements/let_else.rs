use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let (a, b) = (x, 1.0) else { return x };
    a + b
}

fn main() {}
