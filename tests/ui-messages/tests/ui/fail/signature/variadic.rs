use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble, _: ...) -> DcDouble {
    x
}

fn main() {}
