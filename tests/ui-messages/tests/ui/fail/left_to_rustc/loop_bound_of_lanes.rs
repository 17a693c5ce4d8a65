use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let n = x.to_i32();
    let mut y = x;
    for _ in 0..n {
        y += x;
    }
    y
}

fn main() {}
