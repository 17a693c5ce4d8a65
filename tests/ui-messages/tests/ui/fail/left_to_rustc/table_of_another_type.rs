use doublecrunch::prelude::*;

const BYTES: [u8; 2] = [1, 2];

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    x * BYTES[0]
}

fn main() {}
