use doublecrunch::prelude::*;

const C: [f64; 4] = [1.0; 4];

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    C[x as usize]
}

fn main() {}
