use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let mut y = x;
    while y > 1.0 {
        y = y * 0.5;
    }
    y
}

fn main() {}
