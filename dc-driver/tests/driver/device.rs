//! Functions of devices: found by name, searched, resumed only on the same device with the same driver.

use std::sync::Arc;

use kernels_gen::emit::Dialect;

use super::{Ended, crunch_on, words};
use dc_driver::exit;
use dc_runtime::backend::{
    Absent, Backend, BackendError, Discovery, Filter, Hardware, KernelRef, PointKernel, SweepKernel,
};
use dc_runtime::model::backend::LoadedFunction;
use dc_runtime::model::space::InputSpace;
use dc_runtime::search::run_file::Reader;
use dc_runtime::search::testing::Folder;
use dc_runtime::sweep::Sweep;

/// A device whose language has `half_of` and `fails`.
struct Gpu {
    id: &'static str,
    driver: &'static str,
}

struct Point(fn(f32) -> Option<f32>);

impl PointKernel for Point {
    fn eval(&mut self, inputs: &[&[u64]], outputs: &mut [Vec<u64>]) -> Result<(), BackendError> {
        outputs[0].clear();
        for &word in inputs[0] {
            let y = (self.0)(f32::from_bits(word as u32)).ok_or(BackendError::Launch {
                backend: "opencl:gpu/0".into(),
                kernel: "fails".into(),
                reason: "the device is gone".into(),
            })?;
            outputs[0].push(y.to_bits().into());
        }
        Ok(())
    }
}

impl dc_runtime::model::backend::sealed::Sealed for Gpu {}

impl Backend for Gpu {
    fn id(&self) -> &str {
        self.id
    }
    fn describe(&self) -> String {
        "a GPU".into()
    }
    fn load(&self, _: &KernelRef) -> Result<Box<dyn PointKernel>, BackendError> {
        unreachable!("it is asked for functions alone")
    }
    fn load_sweep(&self, sweep: &Sweep) -> Result<Box<dyn SweepKernel>, BackendError> {
        sweep.kernels_for(self.id())?;
        unreachable!("it is asked for functions alone")
    }
    fn hardware(&self) -> Hardware {
        Hardware::OtherDevice
    }
    fn load_function(
        &self,
        name: &str,
        inputs: InputSpace,
    ) -> Result<LoadedFunction, BackendError> {
        let f: fn(f32) -> Option<f32> = match (name, inputs.signature()) {
            // A NaN of the device's own in addition to those that are correct results.
            ("native_recip", "f32") => |x| {
                Some(if x == 1.5 {
                    f32::from_bits(0xffff_ffff)
                } else {
                    1.0 / x
                })
            },
            ("half_recip", "f32") => |x| (x < 1.0625).then_some(1.0 / x),
            _ => {
                return Err(BackendError::Compile {
                    backend: self.id.into(),
                    kernel: name.into(),
                    log: format!("use of undeclared identifier '{name}'"),
                });
            }
        };
        Ok(LoadedFunction {
            kernel: Box::new(Point(f)),
            dialect: Dialect::OpenCl(kernels_gen::emit::CorrectF32Divide::Native),
            text: format!("y = {name}(x);"),
            options: String::new(),
            device: "Some GPU".into(),
            driver: self.driver.into(),
        })
    }
}

/// The processors of this machine, and such a device with that driver; two of them if `two` is set.
fn crunch(driver: &'static str, two: bool, args: &[&str]) -> Ended {
    let discover = |filter: &Filter| {
        let all = "scalar,avx2,avx512".parse().expect("a list");
        let mut found: Discovery = dc_runtime::backend::discover(&all);
        found.backends.retain(|b| filter.matches(b.id()));
        for id in ["opencl:gpu/0", "opencl:gpu/1"]
            .iter()
            .take(1 + usize::from(two))
        {
            if filter.matches(id) {
                found.backends.push(Arc::new(Gpu { id, driver }));
            }
        }
        if filter.wants("cuda") {
            found.absent.push(Absent {
                id: "cuda".into(),
                reason: "no libcuda".into(),
                remedy: "Install the driver.".into(),
            });
        }
        found
    };
    crunch_on(&[], &discover, args)
}

/// `run` of a function into a file.
fn run<'a>(symbol: &'a str, file: &'a str) -> Vec<&'a str> {
    let words = "run --device opencl:gpu --signature f32 --computes recip --range 1.0..2.0 --block 2^16 --symbol";
    words.split(' ').chain([symbol, "-o", file]).collect()
}

#[test]
fn a_function_of_a_device_is_measured_and_resumed_on_the_same_device_alone() {
    let folder = Folder::new("device-run");
    let path = folder.file("recip.crunch");
    let file = path.to_str().expect("UTF-8");
    let e = crunch("driver 1", false, &run("native_recip", file));
    assert_eq!(e.code, exit::OK, "{}", e.err);
    let note = "native_recip: accuracy only, measured on the processor: `native_recip of opencl:gpu/0` is a function of a device";
    assert!(e.err.contains(note), "{}", e.err);
    assert!(e.out.contains("so no backends were compared"), "{}", e.out);
    // The NaN at 1.5 is the only wrong result; all others are correctly rounded quotients.
    let reader = Reader::open(&path).expect("a run file");
    let status = reader.status().expect("its status");
    assert_eq!(
        (status.result.misrounded, status.result.faults[0].count),
        (1, 1)
    );
    let candidate = &reader.header().identity.kernels[0];
    for line in [
        "language OpenCL C",
        "device Some GPU",
        "driver driver 1",
        "options none",
        "y = native_recip(x);",
    ] {
        assert!(
            candidate.source.lines().any(|l| l == line),
            "{line}: {}",
            candidate.source
        );
    }
    assert!(
        candidate.hash.starts_with("device:native_recip:f32:"),
        "{}",
        candidate.hash
    );

    let e = crunch("driver 1", false, &["resume", file]);
    assert_eq!(e.code, exit::OK, "{}", e.err);
    contains!(e.out, "native_recip: complete already");
    let e = crunch("driver 2", false, &["resume", file]);
    assert_eq!(e.code, exit::INPUT, "{}", e.out);
    let says = "`native_recip of opencl:gpu/0` is not what was searched: there is `driver driver 2` now and `driver driver 1` in \
                the file";
    assert!(e.err.contains(says), "{}", e.err);
    let e = crunch("driver 1", false, &["status", file]);
    contains!(e.out, "`resume` evaluates it again on the device");
}

#[test]
fn what_a_device_does_not_have_is_refused_with_the_compilers_words() {
    let folder = Folder::new("device-refused");
    let path = folder.file("x.crunch");
    let file = path.to_str().expect("UTF-8");
    let with = |change: &[(&'static str, &'static str)]| {
        let mut args = run("native_recip", file);
        for (from, to) in change {
            for arg in &mut args {
                if arg == from {
                    *arg = to;
                }
            }
        }
        crunch("driver 1", false, &args)
    };
    for (change, code, says) in [
        (
            &[("native_recip", "native_recipp")][..],
            exit::INPUT,
            "opencl:gpu/0 does not compile a call of `native_recipp` of f32 (near it: native_recip); its compiler:\\nuse of undeclared identifier 'native_recipp'",
        ),
        (
            &[("f32", "f64")],
            exit::INPUT,
            "a call of `native_recip` of f64; its compiler:",
        ),
        (&[("recip", "recipp")], exit::INPUT, "recip"),
        (
            &[("opencl:gpu", "cuda:0")],
            exit::UNAVAILABLE,
            "no libcuda. Install the driver.",
        ),
        (
            &[("opencl:gpu", "scalar")],
            exit::UNAVAILABLE,
            "scalar is not a device with functions of its own",
        ),
        (
            &[("opencl:gpu", "gpu")],
            exit::INPUT,
            "no backend is called `gpu`",
        ),
    ] {
        let e = with(change);
        assert_eq!(e.code, code, "{change:?}: {}{}", e.out, e.err);
        assert!(e.err.contains(says), "{change:?}: {}", e.err);
        assert!(!path.exists(), "{change:?}");
    }
    let e = crunch("driver 1", true, &run("native_recip", file));
    contains!(e.err, "name one of them: opencl:gpu/0, opencl:gpu/1");
    let args = [&run("native_recip", file)[..], &["-b", "opencl:gpu"]].concat();
    let e = crunch("driver 1", false, &args);
    assert_ne!(e.code, exit::OK);
    contains!(
        e.err,
        "Take scalar, avx2 or avx512, which measure what the device returns."
    );
}

#[test]
fn a_device_that_fails_ends_the_run_and_two_functions_are_compared() {
    let folder = Folder::new("device-fails");
    let path = folder.file("half.crunch");
    let file = path.to_str().expect("UTF-8");
    let e = crunch("driver 1", false, &run("half_recip", file));
    assert_eq!(e.code, exit::FAILED, "{}", e.err);
    assert!(e.err.contains("the device is gone"), "{}", e.err);
    let both = words(
        "verify --differ opencl:gpu/0:native_recip:f32 opencl:gpu:native_recip:f32 \
                --range 1.0..2.0",
    );
    let e = crunch("driver 1", false, &both);
    assert_eq!(e.code, exit::OK, "{}{}", e.out, e.err);
    contains!(
        e.out,
        "native_recip of opencl:gpu/0 and native_recip of opencl:gpu/0: 8,388,608 inputs"
    );
}

/// `at` shows the device's results, at the inputs and beside them.
#[test]
fn single_inputs_of_a_device_are_shown() {
    let at = |symbol: &'static str, more: &[&str]| {
        let words = ["at", "--device", "opencl:gpu", "--symbol", symbol];
        let function = ["--signature", "f32", "--computes", "recip"];
        crunch("driver 1", false, &[&words[..], &function, more].concat())
    };
    let e = at("native_recip", &["1.25", "1.5", "-0.0"]);
    assert_eq!((e.code, e.err.as_str()), (exit::OK, ""), "{}", e.out);
    let lines: Vec<&str> = e.out.lines().collect();
    for (n, line) in [
        (0, "native_recip at 1.25 = 0x1.4p0 (0x3fa00000)"),
        (1, "result        0.8 = 0x1.99999ap-1 (0x3f4ccccd)"),
        (4, "before        1.2499999 gives 0.8000"),
        (5, "after         1.2500001 gives 0.7999999"),
        (6, "native_recip at 1.5 = 0x1.8p0 (0x3fc00000)"),
        // All NaNs are the same.
        (7, "result        NaN"),
        (9, "error         none: a NaN and a number"),
        (10, "before        1.4999999 gives 0.66666"),
        (13, "result        -inf = -inf (0xff800000)"),
    ] {
        assert!(
            lines.get(n).is_some_and(|l| l.starts_with(line)),
            "{line}: {}",
            e.out
        );
    }
    // Beyond -1e-45 the quotients of subnormals are infinite.
    let e = at("native_recip", &["1.5", "--json"]);
    let v: serde_json::Value = serde_json::from_str(&e.out).expect("a document");
    assert_eq!(v[0]["sweep"], "native_recip");
    assert_eq!(v[0]["at"]["verdict"], "a NaN and a number");
    assert_eq!(v[0]["neighbours"][1]["input"]["decimal"], "1.5000001");
    // A device that fails, at a neighbour alone.
    let e = at("half_recip", &["1.0624999"]);
    assert_eq!((e.code, e.out.as_str()), (exit::FAILED, ""), "{}", e.err);
    assert!(e.err.contains("the device is gone"), "{}", e.err);
    for (symbol, more, code, says) in [
        ("native_recip", &["one"][..], exit::INPUT, "input `one`"),
        ("native_recip", &["1,2"], exit::INPUT, "input `1,2`"),
        ("native_recip", &[], exit::INPUT, "<SWEEP INPUT>"),
        (
            "nonesuch",
            &["1"],
            exit::INPUT,
            "does not compile a call of `nonesuch`",
        ),
    ] {
        let e = at(symbol, more);
        assert_eq!((e.code, e.out.as_str()), (code, ""), "{}", e.err);
        assert!(e.err.contains(says), "{says}: {}", e.err);
    }
}

/// Functions of several numbers are called in libraries alone; every command says so.
#[test]
fn several_numbers_are_refused_on_devices() {
    let of = "--device opencl:gpu --symbol fma --signature f32,f32,f32 --computes fma";
    let named = "opencl:gpu:fma:f32,f32,f32";
    for words in [
        format!("at {of} 1,2,3"),
        format!("run {of}"),
        format!("verify --differ {named} libm.so.6:fmaf:f32,f32,f32"),
        format!("compare {named} libm.so.6:fmaf:f32,f32,f32 --computes fma"),
    ] {
        let e = crunch("driver 1", false, &words.split(' ').collect::<Vec<_>>());
        assert_eq!(
            (e.code, e.out.as_str()),
            (exit::INPUT, ""),
            "{words}: {}",
            e.err
        );
        let says = "opencl:gpu: functions of f32,f32,f32 are called only in shared libraries; for a device, give one of f32, f64";
        assert!(e.err.contains(says), "{words}: {}", e.err);
    }
}
