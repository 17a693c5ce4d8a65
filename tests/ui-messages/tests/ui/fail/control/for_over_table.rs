use doublecrunch::prelude::*;

const C: [f64; 4] = [1.0; 4];

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let mut y = x;
    for c in C {
        y = y * c;
    }
    y
}

fn main() {}
