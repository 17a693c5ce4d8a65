use doublecrunch::prelude::*;

#[crunch]
fn no_reason(x: DcDouble, #[length(2..)] c: &[f64]) -> DcDouble {
    x * c[1]
}

#[crunch]
fn of_lanes(#[length(2.., "why")] x: DcDouble) -> DcDouble {
    x
}

#[crunch]
fn twice(x: DcDouble, #[length(2.., "why")] #[length(3.., "why")] c: &[f64]) -> DcDouble {
    x * c[1]
}

fn main() {}
