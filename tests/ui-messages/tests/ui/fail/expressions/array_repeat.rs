use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let a = [x; 4];
    a[0]
}

fn main() {}
