use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble, y: DcFloat) -> DcDouble {
    x + y
}

fn main() {}
