use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    'outer: for _ in 0..4 {}
    x
}

fn main() {}
