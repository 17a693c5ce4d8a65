//! Kernels as `crunch design` wrote them (`docs/book/src/tasks/design.md`), compiled by rustc: their suites hold what their files say.

#[path = "designed/exp_all.rs"]
mod exp_all;
#[path = "designed/exp_f32.rs"]
mod exp_f32;
#[path = "designed/sin_f64.rs"]
mod sin_f64;
#[path = "designed/tanh_coarse.rs"]
mod tanh_coarse;
#[path = "designed/tanh_f16.rs"]
mod tanh_f16;

doublecrunch::suite! {
    mod designed;
    exp_f32: exp_f32::exp_f32, computes exp, over "0.5..1", within 0.9638;
    tanh_f16: tanh_f16::tanh_f16, computes tanh, over "all", within 0.5254;
    tanh_coarse: tanh_coarse::tanh_coarse, computes tanh, over "all";
    sin_f64: sin_f64::sin_f64, computes sin, over "-0.7853981633974483..=0.7853981633974483", within 0.5063;
    exp_all: exp_all::exp_f32, computes exp, over "-120..100", within 0.5;
}
