//! The crate `wide`: vectors, here of eight numbers.

use wide::f32x8;

use super::{Function, Library, Routine, locked};

/// Functions of vectors as functions of slices. A slice that does not end with a whole vector is filled up with ones.
macro_rules! vectors {
    ($($computes:ident: $name:ident;)+) => {
        &[$(Routine {
            computes: stringify!($computes),
            function: Function::Host(doublecrunch::search::HostFunction::f32_slice(
                concat!("f32x8::", stringify!($name)),
                |x, y| each(x, y, |x| x.$name()),
            )),
        }),+]
    };
}

#[inline(always)]
fn each(x: &[f32], y: &mut [f32], f: impl Fn(f32x8) -> f32x8) {
    for (x, y) in x.chunks(8).zip(y.chunks_mut(8)) {
        let mut lanes = [1.0; 8];
        lanes[..x.len()].copy_from_slice(x);
        y.copy_from_slice(&f(f32x8::from(lanes)).to_array()[..x.len()]);
    }
}

pub const LIBRARY: Library = Library {
    name: "wide",
    about: "vectors of numbers; as compiled for any x86-64, which has no fused multiply-add",
    version: || locked("wide"),
    routines: vectors! {
        exp: exp;
        exp2: exp2;
        expm1: exp_m1;
        log: ln;
        log2: log2;
        log10: log10;
        log1p: ln_1p;
        sin: sin;
        cos: cos;
        tan: tan;
        asin: asin;
        acos: acos;
        atan: atan;
        sinh: sinh;
        cosh: cosh;
        tanh: tanh;
        cbrt: cbrt;
        sqrt: sqrt;
        recip: recip;
        rsqrt: recip_sqrt;
    },
    doubles: &[],
    device: None,
};
