//! AVX-512's estimates of doubles, run, against their emulations. There are too many doubles for `crunch dump-instruction`, which has the
//! instructions of binary32.

use core::arch::x86_64::{_mm512_loadu_pd, _mm512_rcp14_pd, _mm512_rsqrt14_pd, _mm512_storeu_pd};

use super::{against_instruction, doubles, rcp14_f64, rsqrt14_f64};
use crate::isa::Avx512;
use crate::isa::tests::level;

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
    let (mut rcp, mut rsqrt) = (vec![0.0; inputs.len()], vec![0.0; inputs.len()]);
    let (vectors, rest) = inputs.as_chunks();
    assert!(rest.is_empty(), "whole vectors");
    let out = rcp
        .as_chunks_mut()
        .0
        .iter_mut()
        .zip(rsqrt.as_chunks_mut().0);
    for (x, out) in vectors.iter().zip(out) {
        // SAFETY: the processor has AVX-512.
        [*out.0, *out.1] = unsafe { both(x) };
    }
    against_instruction("rcp14_f64", rcp14_f64::map, &inputs, &rcp);
    against_instruction("rsqrt14_f64", rsqrt14_f64::map, &inputs, &rsqrt);
}
