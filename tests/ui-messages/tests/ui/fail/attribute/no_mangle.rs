use doublecrunch::prelude::*;

#[crunch]
#[unsafe(no_mangle)]
fn kernel(x: DcDouble) -> DcDouble {
    x
}

fn main() {}
