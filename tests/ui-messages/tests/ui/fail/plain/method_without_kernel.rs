use doublecrunch::prelude::*;

struct Complex {
    re: f32,
    im: f32,
}

impl Complex {
    fn norm(&self) -> f32 {
        self.re * self.re + self.im * self.im
    }
}

#[crunch]
fn twice(x: f32, z: Complex) -> f32 {
    x * z.size()
}

#[crunch]
fn with_kernel(x: f32, z: Complex) -> f32 {
    x * z.norm()
}

fn main() {}
