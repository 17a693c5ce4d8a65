use doublecrunch::prelude::*;

fn counts() -> [usize; 2] {
    [1, 2]
}

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    for i in counts() {
        let _ = i;
    }
    x
}

fn main() {}
