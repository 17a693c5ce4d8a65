use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let n = 3u8;
    x
}

fn main() {}
