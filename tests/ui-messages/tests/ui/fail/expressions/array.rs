use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let a = [x, x];
    a[0]
}

fn main() {}
