use doublecrunch::prelude::*;

trait Kernels {
    #[crunch]
    fn kernel(x: f64) -> f64;
}

fn main() {}
