use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let mut s = x;
    for i in 0..4 {
        s = s + x;
        i += 1;
    }
    s
}

fn main() {}
