use doublecrunch::prelude::*;

const C: [f64; 4] = [1.0; 4];

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let mut y = x;
    for (i, c) in C.iter().enumerate() {
        y = y + *c;
    }
    y
}

fn main() {}
