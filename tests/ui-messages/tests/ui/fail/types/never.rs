use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> ! {
    x
}

fn main() {}
