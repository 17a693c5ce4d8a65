use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let n = -9223372036854775809;
    x
}

fn main() {}
