use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let d = DcDoubleDouble { hi: x, lo: x };
    d.hi
}

fn main() {}
