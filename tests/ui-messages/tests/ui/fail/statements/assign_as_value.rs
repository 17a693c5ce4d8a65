use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let mut y = x;
    let z = (y = x + 1.0);
    y
}

fn main() {}
