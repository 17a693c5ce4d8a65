use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    match x {
        _ => x,
    }
}

fn main() {}
