use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    if x < 0.0 {
        return 0.0;
    }
    x
}

fn main() {}
