//! Kernels as `crunch design` wrote them (`docs/book/src/tasks/design.md`), compiled by rustc: their suites hold what their files say.

#[path = "designed/exp_all.rs"]
mod exp_all;
#[path = "designed/exp_f32.rs"]
mod exp_f32;
#[path = "designed/tanh_f16.rs"]
mod tanh_f16;

doublecrunch::suite! {
    mod designed;
    exp_f32: exp_f32::exp_f32, computes exp, over "0.5..1", within 0.9638;
    tanh_f16: tanh_f16::tanh_f16, computes tanh, over "all", within 0.5254;
    exp_all: exp_all::exp_f32, computes exp, over "-120..100", within 0.5;
}
