use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let y = x;
    if x > 0.0 {
        y = x * 2.0;
    }
    y
}

fn main() {}
