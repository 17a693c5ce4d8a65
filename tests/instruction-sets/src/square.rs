//! The sign of zero after a fused multiply-add of a square, which LLVM assumes not to be negative (`super::fence`).

use crate::isa::{Isa, WithIsa};

/// `x.mul_add(x, c) + 0.0`, written where LLVM sees all of it.
struct Sums<'a> {
    x: (&'a [f64], &'a [f32]),
    c: (&'a [f64], &'a [f32]),
    out: (&'a mut [f64], &'a mut [f32]),
}

impl<I: Isa> WithIsa<I> for Sums<'_> {
    type Output = ();
    #[inline(always)]
    fn call(self, isa: I) {
        let (x, c) = (isa.load_f64(self.x.0), isa.load_f64(self.c.0));
        let sum = isa.add_f64(isa.fma_f64(x, x, c), isa.splat_f64(0.0));
        isa.store_f64(sum, self.out.0);
        let (x, c) = (isa.load_f32(self.x.1), isa.load_f32(self.c.1));
        let sum = isa.add_f32(isa.fma_f32(x, x, c), isa.splat_f32(0.0));
        isa.store_f32(sum, self.out.1);
    }
}

/// Both squares are 1.6 times the least subnormal and are rounded to twice it: the remainder is negative, and so small
/// that it is rounded to −0. −0 plus +0 is +0.
pub(super) fn check_squares<I: Isa>(isa: I) {
    let (x, narrow) = (2.81e-162_f64, 4.735e-23_f32);
    assert!(x.mul_add(x, -(x * x)).to_bits() == 1 << 63, "-0 for {x:e}");
    assert!(narrow.mul_add(narrow, -(narrow * narrow)).to_bits() == 1 << 31);
    let n = I::LANES;
    let (xs, cs) = (vec![x; n], vec![-(x * x); n]);
    let (narrows, narrow_cs) = (vec![narrow; n], vec![-(narrow * narrow); n]);
    let (mut out, mut narrow_out) = (vec![1.0; n], vec![1.0; n]);
    isa.run(Sums {
        x: (&xs, &narrows),
        c: (&cs, &narrow_cs),
        out: (&mut out, &mut narrow_out),
    });
    assert!(out.iter().all(|z| z.to_bits() == 0), "{out:?}");
    assert!(
        narrow_out.iter().all(|z| z.to_bits() == 0),
        "{narrow_out:?}"
    );
}
