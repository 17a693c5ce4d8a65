use doublecrunch::prelude::*;

#[crunch]
fn bound(x: DcDouble) -> DcDouble {
    let z = if x > 1.0 { 1.0 };
    x - z
}

#[crunch]
fn at_the_end(x: DcDouble) -> DcDouble {
    if x > 1.0 {
        x.sqrt()
    }
}

fn main() {}
