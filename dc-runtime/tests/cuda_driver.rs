//! The CUDA backend without a GPU: with a driver and an NVRTC that run kernels on the CPU (`cuda_driver/fake.cpp`).
//!
//! It shows that buffers, arguments, grids and records are right, and that errors are noticed. It does not test a GPU's
//! arithmetic; the probe does, on the GPU.

#![cfg(all(feature = "cuda", target_os = "linux", target_arch = "x86_64"))]

#[cfg(not(feature = "sweeps"))]
compile_error!("the built-in sweeps are searched here: `--features cuda,sweeps`");

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use dc_runtime::backend::skip::skip;
use dc_runtime::backend::{Discovery, Filter, discover};
use dc_runtime::sweeps;

/// This variable is set in the processes that use the fake.
const CHILD: &str = "FAKE_CUDA_DIR";
/// The number of sweeps that a child searches, if not all.
const SWEEPS: &str = "FAKE_CUDA_SWEEPS";

/// The driver's library is found only by its name, so each case is a process with another search path.
fn child(folder: &Path, fault: &str, nvrtc: bool) -> String {
    start(folder, fault, nvrtc, &[])
}

/// As above, with environment variables.
fn start(folder: &Path, fault: &str, nvrtc: bool, variables: &[(&str, &str)]) -> String {
    let cases = folder.join(fault);
    std::fs::create_dir_all(&cases).expect("writable");
    let mut command = Command::new(std::env::current_exe().expect("a test has a program"));
    command
        .args(["in_the_child", "--exact", "--nocapture", "--test-threads=1"])
        .env("LD_LIBRARY_PATH", folder)
        .env(CHILD, &cases)
        .env("FAKE_CUDA_FAULT", fault)
        .env("FAKE_CUDA_SHIM", folder.join("shim.h"))
        .env("CRUNCH_CACHE_DIR", cases.join("cache"))
        .env_remove("CRUNCH_CUDA_OPTIONS")
        .env_remove("CRUNCH_REQUIRE")
        .envs(variables.iter().copied());
    let library = if nvrtc { "libnvrtc.so.13" } else { "nothing" };
    command.env("CRUNCH_NVRTC", folder.join(library));
    let out = command.output().expect("it starts");
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let errors = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{fault}: {text}\n{errors}");
    text
}

/// Builds the fake; none without a C++ compiler or a processor that can run it.
fn build() -> Option<PathBuf> {
    if !is_x86_feature_detected!("fma") {
        skip("cuda-host", "this processor has no FMA");
        return None;
    }
    // Below the temporary folder, where people try things: programs are cached there, too, where others cannot rename what is in it.
    let shared = std::env::temp_dir();
    let mode = shared.metadata().expect("it is there").mode();
    let base = match mode & 0o022 == 0 || mode & 0o1000 != 0 {
        true => shared,
        false => PathBuf::from(env!("CARGO_TARGET_TMPDIR")),
    };
    let folder = base.join(format!("dc-fake-cuda-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("writable");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cuda_driver/fake.cpp");
    let library = folder.join("libcuda.so.1");
    let built = Command::new("g++")
        .args(["-std=c++17", "-O1", "-fPIC", "-shared", "-w", "-o"])
        .arg(&library)
        .arg(source)
        .arg("-ldl")
        .output();
    match built {
        Err(e) => {
            skip("cuda-host", &format!("no C++ compiler: {e}"));
            return None;
        }
        Ok(out) => assert!(
            out.status.success(),
            "{}",
            String::from_utf8_lossy(&out.stderr)
        ),
    }
    for name in ["libcuda.so", "libnvrtc.so.13"] {
        std::fs::copy(&library, folder.join(name)).expect("writable");
    }
    std::fs::write(folder.join("shim.h"), kernels_gen::emit::HOST_SHIM).expect("writable");
    Some(folder)
}

#[test]
fn the_backend_on_a_fake_driver() {
    if std::env::var_os(CHILD).is_some() {
        return;
    }
    let Some(folder) = build() else { return };
    let good = child(&folder, "none", true);
    assert!(
        good.contains(
            "cuda:0: Fake GPU, compute capability 9.0, 3 multiprocessors; NVRTC 13.7, driver for CUDA 13.7"
        ),
        "{good}"
    );
    assert!(good.contains("searches are the same"), "{good}");
    // The second time the programs come from the cache and NVRTC compiles nothing; it compiles everything again if the
    // driver or an option differs.
    let compiled = || {
        let files = std::fs::read_dir(folder.join("none")).expect("it is there");
        let names = files.map(|f| f.expect("an entry").path());
        let texts: Vec<PathBuf> = names
            .filter(|p| p.extension() == Some("cpp".as_ref()))
            .collect();
        for text in &texts {
            std::fs::remove_file(text).expect("ours");
        }
        texts.len()
    };
    // The programs of the probe and of the searches; from here on one search is enough.
    let all = compiled() - (sweeps::ALL.len() - 1);
    assert!(all > 5, "{all}");
    let newer = ("FAKE_CUDA_VERSION", "13080");
    let option = ("CRUNCH_CUDA_OPTIONS", "--maxrregcount=64");
    for (variables, want) in [
        (&[][..], 0),
        (&[(SWEEPS, "1"), newer], all),
        (&[(SWEEPS, "1"), newer], 0),
        // An option for kernels does not apply to the two texts that call a function of the device.
        (&[(SWEEPS, "1"), option], all - 2),
    ] {
        let text = start(&folder, "none", true, variables);
        assert!(
            text.contains("searches are the same"),
            "{variables:?}: {text}"
        );
        assert_eq!(compiled(), want, "{variables:?}: compilations");
    }
    for (fault, says) in [
        (
            "contracts",
            "refused cuda:0 is refused: contraction (f64): ",
        ),
        ("does-nothing", "output words unwritten"),
        ("loses-a-thread", "output words unwritten"),
        (
            "launch-fails",
            "unspecified launch failure (CUDA_ERROR_LAUNCH_FAILED)",
        ),
        ("no-memory", "out of memory (CUDA_ERROR_OUT_OF_MEMORY)"),
        (
            "no-device",
            "absent cuda: the NVIDIA driver does not start: no CUDA-capable device is detected",
        ),
    ] {
        let text = child(&folder, fault, true);
        assert!(text.contains(says), "{fault}: {text}");
        assert!(!text.contains("searches are the same"), "{fault}: {text}");
    }
    let text = child(&folder, "none", false);
    assert!(text.contains("absent cuda: CRUNCH_NVRTC names"), "{text}");
    std::fs::remove_dir_all(folder).expect("it was made above");
}

#[test]
fn a_driver_that_lacks_functions_is_absent() {
    if std::env::var_os(CHILD).is_some() {
        return;
    }
    let folder = std::env::temp_dir().join(format!("dc-old-cuda-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("writable");
    let source = folder.join("old.c");
    std::fs::write(&source, "int cuInit(unsigned n) { return 0; }\n").expect("writable");
    let built = Command::new("gcc")
        .args(["-shared", "-fPIC", "-o"])
        .arg(folder.join("libcuda.so.1"))
        .arg(&source)
        .output();
    match built {
        Err(e) => return skip("cuda-host", &format!("no C compiler: {e}")),
        Ok(out) => assert!(
            out.status.success(),
            "{}",
            String::from_utf8_lossy(&out.stderr)
        ),
    }
    std::fs::copy(folder.join("libcuda.so.1"), folder.join("libcuda.so")).expect("writable");
    let text = child(&folder, "none", false);
    assert!(
        text.contains("absent cuda: the NVIDIA driver is too old"),
        "{text}"
    );
    std::fs::remove_dir_all(folder).expect("it was made above");
}

/// The work with the fake, whose output the tests above check.
#[test]
fn in_the_child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let filter: Filter = "cuda".parse().expect("well-formed");
    let Discovery {
        backends,
        refused,
        absent,
        ..
    } = discover(&filter);
    for a in absent {
        println!("absent {}: {}. {}", a.id, a.reason, a.remedy);
    }
    for (_, error) in refused {
        println!("refused {error}");
    }
    for backend in backends {
        println!("{}: {}", backend.id(), backend.describe());
        let some = std::env::var(SWEEPS).ok().and_then(|n| n.parse().ok());
        for sweep in sweeps::ALL.iter().take(some.unwrap_or(usize::MAX)) {
            let mut kernel = backend.load_sweep(sweep).expect("it compiles");
            let one = sweep.precision().key_of_bits(match sweep.precision() {
                dc_runtime::search::key::Precision::F64 => 1f64.to_bits(),
                dc_runtime::search::key::Precision::F32 => u64::from(1f32.to_bits()),
            });
            // Fewer inputs than threads, slightly more, and many per thread.
            for count in [1, 127, 3072, 3073, 100_000] {
                let want = (sweep.compiled().scalar)(one - 50, count);
                let got = kernel.run(one - 50, count).expect("it runs");
                assert_eq!(got, want, "{}: {count} inputs", sweep.name());
            }
        }
        #[cfg(feature = "exact")]
        same_maxima(&*backend, &sweeps::ALL[0]);
        a_function_is_measured_here_and_there(&backend);
        println!("searches are the same");
    }
}

/// A function of the device: its results measured on the processor, and with reference and metric beside it on the device.
fn a_function_is_measured_here_and_there(
    device: &std::sync::Arc<dyn dc_runtime::backend::Backend>,
) {
    use dc_runtime::backend::KernelRef;
    use dc_runtime::builtins::reference::binary32::exp_f32_reference;
    use dc_runtime::model::candidate::{Candidate, Reference};
    use dc_runtime::model::device::DeviceFunction;
    use dc_runtime::model::key::Precision;
    use dc_runtime::model::space::InputSpace;

    let inputs = InputSpace::Numbers(Precision::F32);
    let function = DeviceFunction::open(device.clone(), "expf", inputs).expect("it has one");
    let sweep = dc_runtime::sweep::Sweep::accuracy_only(
        "expf",
        Candidate::Device(Box::leak(Box::new(function))),
        Reference::Kernel(KernelRef::of::<exp_f32_reference>()),
        "all",
    );
    let plain = discover(&"scalar".parse().expect("well-formed"));
    let one = Precision::F32.key_of_bits(u64::from(1f32.to_bits()));
    let run = |backend: &dyn dc_runtime::backend::Backend| {
        let mut kernel = backend.load_sweep(&sweep).expect("it compiles");
        kernel.run(one - 50, 100_000).expect("it runs")
    };
    let (here, there) = (run(&*plain.backends[0]), run(&**device));
    assert_eq!(there, here);
    assert!(here.misrounded > 0, "the C library's is not always right");
}

/// The largest errors alone: its launches have a table of polynomials among their arguments.
#[cfg(feature = "exact")]
fn same_maxima(backend: &dyn dc_runtime::backend::Backend, sweep: &dc_runtime::sweep::Sweep) {
    use dc_runtime::model::measure::Measure;
    use dc_runtime::search::engine;

    let load = |backend: &dyn dc_runtime::backend::Backend| {
        engine::load(backend, &sweep.measuring(Measure::Maxima)).expect("it compiles")
    };
    let plain = discover(&"scalar".parse().expect("well-formed"));
    let (mut here, mut device) = (load(&*plain.backends[0]), load(backend));
    // Across a power of two, where one polynomial ends and another begins; fewer inputs than threads, and some pieces.
    let one = sweep.precision().key_of_bits(1.5f64.to_bits()) & -(1 << 21);
    for count in [1, 3073, 5_000_000] {
        let want = here.run(one - 50, count).expect("it runs");
        let got = device.run(one - 50, count).expect("it runs");
        assert_eq!(got, want, "{}: {count} inputs", sweep.name());
    }
    let evaluated = device.in_full().expect("it is counted");
    assert!((3074..1_000_000).contains(&evaluated), "{evaluated}");
}
