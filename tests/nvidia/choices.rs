//! Choices of zeros: NVRTC takes `x < 0 ? x : 0` for `min`, which orders zeros (PTX ISA, `min`: +0.0 > -0.0).

use doublecrunch::__private_v0_2::CrunchFn as _;
use doublecrunch::prelude::*;
use kernels_gen::emit::{Options, point_kernel};

use crate::nvidia::{Nvrtc, STRICT};
use crate::{ARCHITECTURES, need, workspace};

#[crunch]
fn lesser(x: DcDouble, y: DcDouble) -> DcDouble {
    x.min(y)
}
#[crunch]
fn lower(x: DcDouble, y: DcDouble) -> DcDouble {
    if !(x < y) { y } else { x }
}
#[crunch]
fn choices(x: DcDouble, y: DcFloat) -> (DcDouble, DcDouble, DcDouble, DcDouble, DcFloat, DcFloat) {
    (
        x.min(0.0),
        x.max(-0.0),
        lesser(x, 0.0),
        lower(x, 0.0),
        y.min(0.0),
        if y > -0.0 { y } else { -0.0 },
    )
}

fn extrema(ptx: &str) -> usize {
    let is_one = |line: &&str| {
        ["min.f", "max.f"]
            .iter()
            .any(|op| line.trim_start().starts_with(op))
    };
    ptx.lines().filter(is_one).count()
}

#[test]
fn no_choice_of_a_zero_becomes_a_minimum() {
    let Some(nvrtc) = need("nvrtc", Nvrtc::open(workspace())) else {
        return;
    };
    let program = kernels_gen::lower(choices::KERNEL).expect("it lowers");
    let text = point_kernel(&program, &Options::cuda()).text;
    // The control: the same choices as they are usually written.
    let plain = "extern \"C\" __global__ void k(double *x) { *x = *x < 0.0 ? *x : 0.0; }";
    for arch in ARCHITECTURES {
        let compile = |text: &str| {
            nvrtc
                .ptx(text, arch, &STRICT)
                .unwrap_or_else(|e| panic!("{e}"))
        };
        let ptx = compile(&text);
        assert_eq!(extrema(&ptx), 0, "{arch}: {text}\n{ptx}");
        assert_eq!(
            extrema(&compile(plain)),
            1,
            "{arch}: a compiler that no longer does it"
        );
    }
}
