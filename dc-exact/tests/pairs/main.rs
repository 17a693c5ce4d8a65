//! Bounds of kernels of two arguments.

use kernels_gen::ir::Kernel;
use kernels_gen::lower;

extern crate dc_runtime as doublecrunch;
use dc_exact::num::float::{BINARY32, BINARY64, Format};
use dc_exact::pairs::*;
use dc_runtime::kernel::CrunchFn;
use dc_runtime::prelude::*;

fn magnitudes(format: Format, sign: Sign) -> Span {
    let least = match format == BINARY32 {
        true => f64::from(f32::from_bits(1)),
        false => f64::from_bits(1),
    };
    Span {
        lo: least,
        hi: format.max(),
        sign,
    }
}

fn all(format: Format) -> Vec<PairBox> {
    let spans = [Span::ZERO, magnitudes(format, Sign::Any)];
    let pair = |x: Span| {
        spans.map(|y| PairBox {
            spans: [x, y],
            first_is_larger: None,
        })
    };
    spans.into_iter().flat_map(pair).collect()
}

fn bound_of(kernel: &'static Kernel, function: Function, boxes: &[PairBox]) -> PairsBound {
    let program = lower(kernel).expect("a kernel");
    bound_pairs(&program, function, boxes, 1_000_000, 0, &|| false)
}

#[crunch]
fn hypot_wide(x: DcFloat, y: DcFloat) -> DcFloat {
    let (a, b) = (x.to_f64(), y.to_f64());
    let length = a.mul_add(a, b * b).sqrt().to_f32();
    let infinite = (x.abs() == f32::INFINITY) | (y.abs() == f32::INFINITY);
    if infinite { f32::INFINITY } else { length }
}

#[test]
fn hypot_in_double() {
    let bound = bound_of(hypot_wide::KERNEL, Function::Hypot, &all(BINARY32));
    eprintln!("{bound:?}");
}

#[test]
fn hypot_reference_binary64() {
    let span = Span { lo: 1.0, hi: 8.0, sign: Sign::Plus };
    #[crunch]
    fn hypot(x: DcDouble, y: DcDouble) -> DcDouble {
        let z = dc_runtime::builtins::reference::binary64::hypot_reference(x, y);
        z.hi + z.lo
    }
    let b = PairBox { spans: [span, span], first_is_larger: None };
    let bound = bound_of(hypot::KERNEL, Function::Hypot, &[b]);
    eprintln!("{bound:?}");
}
