use doublecrunch::prelude::*;

#[crunch]
fn kernel(n: DcLong) -> DcLong {
    n + 1.0
}

fn main() {}
