use doublecrunch::prelude::*;

/// A runtime whose macro is of version 0.1.
mod old {
    pub mod __private {}
}

#[crunch(crate = "old")]
fn kernel(x: DcDouble) -> DcDouble {
    x
}

fn main() {}
