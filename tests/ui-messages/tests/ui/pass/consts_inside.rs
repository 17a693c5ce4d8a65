//! Constants at the top of a function are part of it, tables among them.

use doublecrunch::prelude::*;

/// Another of the same name, which none of the kernels means.
pub const C: [f64; 1] = [7.0];

#[crunch]
pub fn kernel(x: DcDouble) -> DcDouble {
    /// e^x, three terms.
    const C: [f64; 3] = [1.0, 1.0, 0.5];
    const LAST: usize = C.len() - 1;
    let p = horner(x, &C);
    const THIRD: f64 = 1.0 / 3.0;
    let mut sum = p;
    for i in 0..=LAST {
        sum = sum + C[i] * THIRD;
    }
    sum
}

#[crunch]
pub fn outer(x: DcDouble) -> DcDouble {
    x + C[0]
}

fn main() {
    let p = 1.0f64.mul_add(0.5f64.mul_add(1.0, 1.0), 1.0);
    let third: f64 = 1.0 / 3.0;
    assert_eq!(kernel::eval(1.0), ((p + third) + third) + 0.5 * third);
    assert_eq!(outer::eval(1.0), 8.0);
    let program = kernels_gen_text();
    assert!(program.contains("0.3333"), "{program}");
}

/// The tree has the same constants.
fn kernels_gen_text() -> String {
    format!("{:?}", <kernel as doublecrunch::__private_v0_2::CrunchFn>::KERNEL.body)
}
