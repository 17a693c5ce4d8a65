//! Tests on the devices of this machine.

use ocl::core::{DeviceFpConfig, DeviceInfoResult};

use super::OpenCl;
use super::devices::platforms;
use super::facts::{Facts, without_double};
use super::name::slug;
use crate::backend::Backend;
use crate::backend::cache::Cache;
use crate::backend::conformance;
use crate::backend::probe::probe;
use crate::backend::skip::skip;
use crate::backend::text::Text;
use crate::scan::tests::{SWEEPS, searched_as_by_the_interpreter};

/// The devices of this machine; where there is none the test is skipped.
fn devices() -> Vec<Text<OpenCl>> {
    let mut devices = Vec::new();
    let platforms = match platforms() {
        Ok(platforms) => platforms,
        Err(absent) => {
            skip("opencl", &format!("{}. {}", absent.reason, absent.remedy));
            return devices;
        }
    };
    for p in &platforms.all {
        for (i, &device) in p.devices.iter().enumerate() {
            let id = format!("opencl:{}/{i}", p.short);
            let mut device = OpenCl::new(&id, p, device).expect("usable");
            device.cache = Cache::none();
            devices.push(Text(device));
        }
    }
    assert!(!devices.is_empty(), "no OpenCL device");
    devices
}

#[test]
fn points_are_the_interpreters() {
    for device in devices() {
        let n = if device.0.facts.slow { 20_000 } else { 300_000 };
        conformance::points(&device, n);
    }
}

#[test]
fn the_probe_passes() {
    for device in devices() {
        for _ in 0..2 {
            let t = std::time::Instant::now();
            probe(&device).unwrap_or_else(|e| panic!("{e}"));
            eprintln!("TIME {} {:?}", device.0.id, t.elapsed());
        }
    }
}

/// The device's compiler with options that relax arithmetic: each must be refused, or the probe does not notice it.
#[test]
fn a_compiler_that_takes_liberties_is_refused() {
    // A text with one operation per statement is not contracted unless an option allows the compiler to contract across
    // statements.
    let contract: fn(&str) -> String = |text| {
        text.replace(
            "#pragma OPENCL FP_CONTRACT OFF",
            "#pragma clang fp contract(fast)",
        )
    };
    let fuse: fn(&str) -> String = |text| {
        let prologue = "#pragma OPENCL FP_CONTRACT OFF\n";
        text.replacen(
            prologue,
            &format!("{prologue}#define fma(a, b, c) ((a) * (b) + (c))\n"),
            1,
        )
    };
    let round: fn(&str) -> String = |text| {
        text.replace("__builtin_elementwise_roundeven(", "round(")
            .replace("rint(", "round(")
    };
    for (alter, says) in [
        (contract, "contraction"),
        (fuse, "fused multiply-add"),
        (round, "rounding to an integer"),
    ] {
        for mut device in devices() {
            // Oclgrind contracts nothing across statements, whatever the options.
            if device.0.facts.slow && says == "contraction" {
                continue;
            }
            device.0.alter = Some(alter);
            let error = probe(&device).expect_err(says).to_string();
            let start = format!("{} is refused: {says}", device.0.id);
            assert!(error.starts_with(&start), "{error}");
        }
    }
}

#[test]
fn searches_are_the_interpreters() {
    for device in devices() {
        let n = if device.0.facts.slow { 1000 } else { 100_000 };
        conformance::searches(&device, n);
    }
}

/// The built-in sweeps and some with faults of every kind, across boundaries of numbers and of the loop.
#[test]
fn sweeps_are_searched_as_by_the_interpreter() {
    for device in devices() {
        // Oclgrind, which runs one item at a time, is tested above.
        if !device.0.facts.slow {
            searched_as_by_the_interpreter(&device, 2);
        }
    }
}

/// So many inputs per item that its 16-bit counters must have been emptied in between.
#[test]
fn a_long_search_loses_no_count() {
    for device in devices() {
        let Facts { units, slow, .. } = device.0.facts;
        let sweep = SWEEPS.iter().find(|s| s.name == "same");
        let sweep = sweep.expect("it is there");
        if !slow {
            // All inputs are in one bin; there are 480 inputs per chunk and 16 items per unit.
            let (first, count) = (1f64.to_bits() as i64, 480 * 16 * 600 * units as u64);
            let mut kernel = device.load_sweep(sweep).expect("it compiles");
            let got = kernel.run(first, count).expect("it runs");
            assert_eq!(got, (sweep.compiled().scalar)(first, count));
        }
    }
}

#[test]
fn a_text_that_does_not_compile_is_an_error_with_the_log() {
    for device in devices() {
        conformance::refused_text(&device.0);
    }
}

#[test]
fn compiled_once_and_again_when_the_entry_is_damaged() {
    for (i, mut device) in devices().into_iter().enumerate() {
        let folder = std::env::temp_dir().join(format!("dc-cl-cache-{i}-{}", std::process::id()));
        device.0.cache = Cache::unchecked(&folder);
        conformance::cached(&device, &device.0.cache);
        let _ = std::fs::remove_dir_all(folder);
    }
}

#[test]
fn a_device_without_binary64_is_refused_by_name() {
    let answer = |bits| Ok(DeviceInfoResult::DoubleFpConfig(bits));
    let reason = without_double("Small GPU ", answer(DeviceFpConfig::empty()));
    let want = "Small GPU does not compute in binary64 (no cl_khr_fp64)";
    assert_eq!(reason.as_deref(), Some(want));
    assert!(without_double("x", Err("CL_INVALID_VALUE".into())).is_some());
    assert!(without_double("x", answer(DeviceFpConfig::FMA)).is_none());
}

#[test]
fn platforms_have_short_names() {
    for (name, short) in [
        ("Portable Computing Language", "pocl"),
        ("Oclgrind", "oclgrind"),
        ("NVIDIA CUDA", "nvidia"),
        ("AMD Accelerated Parallel Processing", "amd"),
        ("Intel(R) OpenCL HD Graphics", "intel"),
        ("Some (R) Other", "some-r-other"),
    ] {
        assert_eq!(slug(name), short);
    }
}
