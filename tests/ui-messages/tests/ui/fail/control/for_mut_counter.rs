use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    for mut i in 0..4 {
        let _ = i;
    }
    x
}

fn main() {}
