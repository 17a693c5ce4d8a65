use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble, n: usize) -> DcDouble {
    let _ = n;
    x
}

fn main() {}
