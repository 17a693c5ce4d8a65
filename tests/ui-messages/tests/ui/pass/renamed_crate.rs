//! A crate that knows `doublecrunch` under another name.
#![deny(warnings)]

mod reexport {
    pub use doublecrunch as dc;
}

use reexport::dc::prelude::*;

#[crunch(crate = "crate::reexport::dc")]
fn square(x: DcDouble) -> DcDouble {
    if x > 0.0 { x * x } else { 0.0 }
}

fn main() {
    assert_eq!(square::eval(3.0), 9.0);
}
