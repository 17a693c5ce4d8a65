use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble, c: &[u8]) -> DcDouble {
    let _ = c;
    x
}

fn main() {}
