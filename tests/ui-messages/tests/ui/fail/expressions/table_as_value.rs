use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble, c: &[f64]) -> DcDouble {
    let d = c;
    x * d[0]
}

fn main() {}
