use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble, y: impl Copy) -> DcDouble {
    x
}

fn main() {}
