//! What the nine routines promise: one line each.

use doublecrunch::prelude::*;
use own_crate::nine::{cbrt, gelu, hypotf, log2, root_2_4, rsqrt, sigmoid, sinf, tanhf};

/// The library has no x^(5/12).
#[crunch]
fn root_2_4_exact(x: DcDouble) -> DcDoubleDouble {
    dd_exp(dd_div_f64(dd_mul_f64(dd_log(dd_from_f64(x)), 5.0), 12.0))
}

doublecrunch::suite! {
    pub mod accuracy;
    sinf: sinf, computes sin, over "-1000.0..=1000.0", within 0.51;
    log2: log2, computes log2, over "positive-normals", within 4.0;
    tanhf: tanhf, computes tanh, over "all", within 0.51;
    cbrt: cbrt, computes cbrt, over "positive-normals", within 1.0;
    rsqrt: rsqrt, computes rsqrt, over "positive-normals", within 1.0;
    root_2_4: root_2_4, against root_2_4_exact, over "0.0031308..=1.0", within 5.0;
    hypotf: hypotf, computes hypot, over "all", within 0.51;
    sigmoid: sigmoid, computes sigmoid, over "-700.0..=700.0", within 4.0;
    gelu: gelu, computes gelu, over "-37.0..=37.0", within 8.0;
}
