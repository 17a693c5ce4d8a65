use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let y = x;
    y = x * 2.0;
    y
}

fn main() {}
