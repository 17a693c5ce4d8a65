use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    x + const { 1.0 + 2.0 }
}

fn main() {}
