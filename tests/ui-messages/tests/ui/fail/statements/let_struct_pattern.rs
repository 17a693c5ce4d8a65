use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDoubleDouble) -> DcDouble {
    let DcDoubleDouble { hi, lo } = x;
    hi + lo
}

fn main() {}
