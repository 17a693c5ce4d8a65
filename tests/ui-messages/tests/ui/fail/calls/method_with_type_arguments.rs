use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    x.sqrt::<f64>()
}

fn main() {}
