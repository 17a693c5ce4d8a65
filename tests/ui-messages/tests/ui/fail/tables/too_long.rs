use doublecrunch::prelude::*;

const LONG: [f64; 129] = [1.5; 129];

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    estrin(x, &LONG)
}

fn main() {}
