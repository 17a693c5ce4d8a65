//! AVX-512's estimates of doubles, run, against their emulations. There are too many doubles for `crunch dump-instruction`, which has the
//! instructions of binary32.

use core::arch::x86_64::{_mm512_loadu_pd, _mm512_rcp14_pd, _mm512_rsqrt14_pd, _mm512_storeu_pd};

use super::{doubles, rcp14_f64, rsqrt14_f64};
use crate::isa::Avx512;
use crate::isa::tests::level;

type Map = fn(&[f64], &mut [f64]);

/// Both instructions of a vector. (A test with `avx512` in its name would run in the emulator as well.)
#[target_feature(enable = "avx512f")]
fn both(x: &[f64; 8]) -> [[f64; 8]; 2] {
    // SAFETY: the array has as many elements as the vector.
    let x = unsafe { _mm512_loadu_pd(x.as_ptr()) };
    let mut out = [[0.0; 8]; 2];
    for (out, v) in out
        .iter_mut()
        .zip([_mm512_rcp14_pd(x), _mm512_rsqrt14_pd(x)])
    {
        // SAFETY: as above.
        unsafe { _mm512_storeu_pd(out.as_mut_ptr(), v) };
    }
    out
}

#[test]
fn estimates_of_doubles_are_the_instructions() {
    if level::<Avx512<1>>("builtins::instructions: estimates of doubles").is_none() {
        return;
    }
    let inputs = doubles();
    let emulations: [Map; 2] = [rcp14_f64::map, rsqrt14_f64::map];
    let emulated = emulations.map(|map| {
        let mut out = vec![0.0; inputs.len()];
        map(&inputs, &mut out);
        out
    });
    let bits = |y: f64| {
        if y.is_nan() {
            0x7ff8 << 48
        } else {
            y.to_bits()
        }
    };
    for (i, x) in inputs.chunks(8).enumerate() {
        let mut lanes = [1.0; 8];
        lanes[..x.len()].copy_from_slice(x);
        // SAFETY: the processor has AVX-512.
        let here = unsafe { both(&lanes) };
        for (name, here, emulated) in [
            ("rcp14_f64", here[0], &emulated[0]),
            ("rsqrt14_f64", here[1], &emulated[1]),
        ] {
            for ((x, &here), &emulated) in x.iter().zip(&here).zip(&emulated[8 * i..]) {
                let (here, emulated) = (bits(here), bits(emulated));
                assert!(
                    here == emulated,
                    "{name} of {:016x}: {here:016x} here, {emulated:016x} emulated",
                    x.to_bits()
                );
            }
        }
    }
    println!("{} inputs", inputs.len());
}
