use doublecrunch::prelude::*;

#[crunch]
fn kernel() -> DcDouble {
    1.0
}

fn main() {}
