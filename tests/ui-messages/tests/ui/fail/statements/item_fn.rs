use doublecrunch::prelude::*;

#[crunch]
fn kernel(x: DcDouble) -> DcDouble {
    fn helper(x: f64) -> f64 {
        x
    }
    x
}

fn main() {}
