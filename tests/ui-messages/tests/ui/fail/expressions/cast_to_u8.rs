use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let y = x as u8;
    x
}

fn main() {}
