use doublecrunch::prelude::*;

const C: [f64; 2] = [1.0, 2.0];

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let mut i = 0usize;
    if x > 0.0 {
        i = 1;
    }
    x * C[i]
}

fn main() {}
