use doublecrunch::prelude::*;

#[crunch]
fn kernel<T>(x: DcDouble, y: T) -> T {
    y
}

fn main() {}
