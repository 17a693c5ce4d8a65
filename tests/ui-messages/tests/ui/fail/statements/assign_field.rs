use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDoubleDouble) -> DcDouble {
    let mut y = x;
    y.hi = y.lo;
    y.hi
}

fn main() {}
