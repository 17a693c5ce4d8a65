use doublecrunch::prelude::*;

#[crunch]
fn kernel<'a>(x: DcDouble, c: &'a [f64]) -> DcDouble {
    x * c[0]
}

fn main() {}
