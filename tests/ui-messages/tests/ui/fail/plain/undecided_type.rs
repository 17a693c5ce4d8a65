use doublecrunch::prelude::*;

macro_rules! declare {
    ($name:ident) => {
        const $name: u32 = 0xffff_0000;
    };
}
declare!(MAGIC);

#[crunch]
fn shifted(x: f32) -> f32 {
    let bits = MAGIC >> 4;
    x * (bits as f32)
}

#[crunch]
fn bound(x: f32) -> f32 {
    let bits: u32 = MAGIC;
    x * ((bits >> 4) as f32)
}

fn main() {}
