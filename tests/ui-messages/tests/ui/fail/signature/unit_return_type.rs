use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> () {
    let _ = x;
}

fn main() {}
