use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let mut y = x;
    for i in 0.. {
        y = y * 0.5;
    }
    y
}

fn main() {}
