use doublecrunch::prelude::*;

struct Pair {
    a: f64,
}

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    let p = Pair { a: x };
    p.a
}

fn main() {}
