use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let mut y = x;
    for _ in 0..x.to_i32() {
        y = y * 0.5;
    }
    y
}

fn main() {}
