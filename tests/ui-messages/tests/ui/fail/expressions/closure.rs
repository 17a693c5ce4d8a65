use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let square = |y: DcDouble| y * y;
    x
}

fn main() {}
