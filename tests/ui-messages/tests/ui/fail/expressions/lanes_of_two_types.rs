use doublecrunch::prelude::*;

#[crunch]
fn of_two_precisions(x: DcDouble, y: DcFloat) -> DcDouble {
    x + y
}

#[crunch]
fn seen_through_a_let(x: DcFloat) -> DcDouble {
    let wide = x.to_f64();
    wide.mul_add(2.0, x)
}

#[crunch]
fn with_integers(x: DcFloat, n: DcInt) -> DcFloat {
    (x - 0.5) * n
}

fn main() {}
