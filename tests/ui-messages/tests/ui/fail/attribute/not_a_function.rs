use doublecrunch::prelude::*;

#[crunch]
struct Kernel;

fn main() {}
