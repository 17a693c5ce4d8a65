use doublecrunch::prelude::*;

#[crunch(step)]
fn step(y: DcDouble, x: DcDouble, c: &[f64]) -> DcDouble {
    y.mul_add(x, c[0])
}

fn main() {}
