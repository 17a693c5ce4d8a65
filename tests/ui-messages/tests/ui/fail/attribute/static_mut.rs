use doublecrunch::prelude::*;

#[crunch]
static mut STATE: f64 = 0.0;

fn main() {}
