use doublecrunch::prelude::*;

const BYTE: u8 = 3;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    x * BYTE
}

fn main() {}
