use doublecrunch::prelude::*;

const C: [f64; 4] = [1.0; 4];

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let mut y = x;
    for (i, j) in 0..4 {
        y = y + C[i];
    }
    y
}

fn main() {}
