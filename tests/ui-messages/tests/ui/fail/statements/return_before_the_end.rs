use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    return x;
    let y = x;
    y
}

fn main() {}
