use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    for i in 0..4 {
        if i == 2 {
            continue;
        }
    }
    x
}

fn main() {}
