use doublecrunch::prelude::*;

#[crunch]
async fn kernel(x: DcDouble) -> DcDouble {
    x
}

fn main() {}
