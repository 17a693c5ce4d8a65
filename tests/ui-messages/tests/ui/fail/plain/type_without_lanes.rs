use doublecrunch::prelude::*;

struct Named {
    name: String,
    value: f32,
}

#[crunch]
fn of_structure(x: &Named) -> f32 {
    x.value
}

#[crunch]
fn of_slice(x: f32, out: &mut [f32]) {
    out[0] = x;
}

#[crunch]
fn to_text(x: f32) -> String {
    x.to_string()
}

#[crunch]
fn of_wide(x: u128) -> u32 {
    x as u32
}

fn main() {}
