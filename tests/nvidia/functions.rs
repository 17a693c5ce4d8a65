//! Searches of CUDA's own functions: such a text is compiled with the language's defaults, which may fuse and approximate. The
//! reference and the metric in it must keep the roundings that they state.

use std::collections::BTreeMap;

use doublecrunch::__private_v0_2::{CrunchFn as _, ir};
use doublecrunch::builtins::reference::binary32::exp_f32_reference;
use doublecrunch::builtins::reference::binary64::exp_reference;
use doublecrunch::builtins::ulp_error::{KEY_FACTOR, gpu_fast_path_f32, gpu_fast_path_f64};
use doublecrunch::builtins::ulp_error::{ulp_error_f32, ulp_error_f64};
use kernels_gen::emit::{FastPath, Options, Routine, Source, Sweep, sweep_kernel};
use kernels_gen::lower;
use kernels_gen::ops::Prim;

use crate::nvidia::{Nvrtc, STRICT};
use crate::{need, workspace};

/// A search of a function of one argument, as if it computed an exponential.
fn search(name: &str, precision: Prim) -> Source {
    let lowered = |kernel: &'static ir::Kernel| lower(kernel).expect("it can be lowered");
    let [reference, metric, short] = match precision {
        Prim::F64 => [
            exp_reference::KERNEL,
            ulp_error_f64::KERNEL,
            gpu_fast_path_f64::KERNEL,
        ],
        _ => [
            exp_f32_reference::KERNEL,
            ulp_error_f32::KERNEL,
            gpu_fast_path_f32::KERNEL,
        ],
    }
    .map(lowered);
    let sweep = Sweep {
        approx: Routine::Function(name),
        reference: &reference,
        metric: &metric,
        fast_path: Some(FastPath {
            program: &short,
            key_factor: KEY_FACTOR,
            in_ulp: true,
        }),
        precision,
    };
    sweep_kernel(&sweep, &Options::cuda()).expect("it fits")
}

/// The operations of binary64 in PTX, with their modifiers.
fn doubles(ptx: &str) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for line in ptx.lines() {
        let words = line.split_whitespace();
        let mut words = words.filter(|w| !w.starts_with('@'));
        let name = words.next().unwrap_or_default();
        let arithmetic = ["add", "sub", "mul", "fma", "mad", "div", "rcp", "sqrt"];
        let is = arithmetic.iter().any(|a| name.starts_with(a));
        if is && name.trim_end_matches(';').ends_with(".f64") {
            *found.entry(name.into()).or_default() += 1;
        }
    }
    found
}

#[test]
fn the_defaults_of_a_function_change_nothing_beside_it() {
    let Some(nvrtc) = need("nvrtc", Nvrtc::open(workspace())) else {
        return;
    };
    for name in ["expf", "__expf", "ex2.approx.ftz.f32", "tanh.approx.f32"] {
        let source = search(name, Prim::F32);
        let ptx = |options: &[&str]| {
            nvrtc
                .ptx(&source.text, "sm_90", options)
                .unwrap_or_else(|e| panic!("{name}: {e}"))
        };
        let (defaults, strict) = (ptx(&[]), ptx(&STRICT));
        assert!(!doubles(&strict).is_empty(), "{name}");
        assert_eq!(doubles(&defaults), doubles(&strict), "{name}");
        // The control: the reference with plain operators is fused.
        let plain = format!("{}{}", crate::PLAIN, source.text);
        let fused = nvrtc.ptx(&plain, "sm_90", &[]).expect("it compiles");
        assert_ne!(doubles(&fused), doubles(&strict), "{name}");
    }
    for (name, instruction) in [
        ("exp", "fma.rn.f64"),
        ("rcp.approx.ftz.f64", "rcp.approx.ftz.f64"),
        ("rsqrt.approx.ftz.f64", "rsqrt.approx.ftz.f64"),
    ] {
        let ptx = nvrtc.ptx(&search(name, Prim::F64).text, "sm_90", &[]);
        let ptx = ptx.unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(ptx.contains(instruction), "{name}");
    }
}

#[test]
fn another_language_has_no_search_of_a_function() {
    let program = lower(ulp_error_f32::KERNEL).expect("it can be lowered");
    let reference = lower(exp_f32_reference::KERNEL).expect("it can be lowered");
    let sweep = Sweep {
        approx: Routine::Function("exp"),
        reference: &reference,
        metric: &program,
        fast_path: None,
        precision: Prim::F32,
    };
    let error = sweep_kernel(
        &sweep,
        &Options::opencl(kernels_gen::emit::CorrectF32Divide::Native),
    )
    .expect_err("CUDA's alone");
    assert!(error.to_string().contains("CUDA"), "{error}");
}
