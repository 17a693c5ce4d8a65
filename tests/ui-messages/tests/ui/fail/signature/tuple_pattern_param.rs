use doublecrunch::prelude::*;

#[crunch]
fn kernel((x, y): (DcDouble, DcDouble)) -> DcDouble {
    x + y
}

fn main() {}
