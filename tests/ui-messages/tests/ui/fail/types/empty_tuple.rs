use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble, y: ()) -> DcDouble {
    let _ = y;
    x
}

fn main() {}
