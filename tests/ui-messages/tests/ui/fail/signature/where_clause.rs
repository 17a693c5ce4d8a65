use doublecrunch::prelude::*;

#[crunch]
fn kernel<const N: usize>(x: DcDouble) -> DcDouble
where
    [f64; N]: Sized, {
    x
}

fn main() {}
