use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: [DcDouble; 4]) -> DcDouble {
    x[0]
}

fn main() {}
