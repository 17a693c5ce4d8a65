//! CUDA devices, through `cudarc`'s driver layer; texts are compiled by NVRTC.
//!
//! None of this is needed for building. A library that is missing at run time is reported. `cudarc` itself would panic, so all functions
//! that it will call are looked up first.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use cudarc::driver::{CudaContext, DriverError, result, sys};
use cudarc::nvrtc::Ptx;
use kernels_gen::emit::{Options, Source, merge_entry};

use super::Hardware;
use super::cache::{Cache, Key};
use super::cuda_launch::CudaKernel;
use super::filter::Filter;
use super::found::{Absent, Found};
use super::identity;
use super::launch::Launch;
use super::nvrtc::{self, Nvrtc, Target, nvrtc};
use super::options::{CompileOptions, Compiler};
use super::text::{Device, Failure, Functions, NoFunctions, Sizes, Text};
use super::{Backend, BackendError};
use crate::model::show;

const NO_DRIVER: &str =
    "Install the driver of an NVIDIA GPU; the proofs of the CUDA text and `cuda-host` need none.";

/// The driver's functions that are called here or by `cudarc`.
const DRIVER_FUNCTIONS: &[&str] = &[
    "cuCtxGetCurrent",
    "cuCtxSetCurrent",
    "cuDeviceGet",
    "cuDeviceGetAttribute",
    "cuDeviceGetCount",
    "cuDeviceGetName",
    "cuDevicePrimaryCtxRelease_v2",
    "cuDevicePrimaryCtxRetain",
    "cuDriverGetVersion",
    "cuEventCreate",
    "cuEventDestroy_v2",
    "cuEventRecord",
    "cuGetErrorName",
    "cuGetErrorString",
    "cuInit",
    "cuLaunchKernel",
    "cuMemAllocAsync",
    "cuMemAlloc_v2",
    "cuMemFreeAsync",
    "cuMemFree_v2",
    "cuMemcpyDtoHAsync_v2",
    "cuMemcpyHtoDAsync_v2",
    "cuMemsetD32Async",
    "cuModuleGetFunction",
    "cuModuleLoadData",
    "cuModuleUnload",
    "cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
    "cuStreamCreate",
    "cuStreamDestroy_v2",
    "cuStreamSynchronize",
    "cuStreamWaitEvent",
];

/// Whether the driver's library is present, with all functions that are needed.
fn driver() -> Result<(), Absent> {
    let absent = |reason: String| Absent {
        id: "cuda".into(),
        reason,
        remedy: NO_DRIVER.into(),
    };
    // SAFETY: loading the driver's library runs its initialisers, as any use of CUDA does.
    if !unsafe { sys::is_culib_present() } {
        return Err(absent(
            "the NVIDIA driver's library, libcuda, does not load".into(),
        ));
    }
    // SAFETY: the library is present, as `culib` requires.
    let library = unsafe { sys::culib() };
    for name in DRIVER_FUNCTIONS {
        // SAFETY: the symbol is only looked up, not called.
        if let Err(e) = unsafe { library.get::<unsafe extern "C" fn()>(name.as_bytes()) } {
            let reason = std::error::Error::source(&e).map_or(e.to_string(), ToString::to_string);
            return Err(absent(format!("the NVIDIA driver is too old: {reason}")));
        }
    }
    result::init().map_err(|e| {
        absent(format!(
            "the NVIDIA driver does not start: {}",
            error_text(e)
        ))
    })
}

/// The text of a driver's error.
pub(super) fn error_text(error: DriverError) -> String {
    let text =
        |t: Result<&std::ffi::CStr, DriverError>| t.map(|t| t.to_string_lossy().into_owned());
    match (text(error.error_name()), text(error.error_string())) {
        (Ok(name), Ok(meaning)) => format!("{meaning} ({name})"),
        _ => format!("error {}", error.0 as u32),
    }
}

/// The devices that `filter` selects.
pub(super) fn find(filter: &Filter) -> Found {
    let mut found = Found::default();
    let compiler = nvrtc();
    let devices = driver().and_then(|()| {
        let count = result::device::get_count().map_err(error_text).unwrap_or(0);
        match count {
            1.. => Ok(count),
            _ => Err(Absent {
                id: "cuda".into(),
                reason: "the NVIDIA driver finds no device".into(),
                remedy: "Check with `nvidia-smi`.".into(),
            }),
        }
    });
    let without = compiler.as_ref().err().map(|reason| Absent {
        id: "cuda".into(),
        reason: reason.clone(),
        remedy: nvrtc::REMEDY.into(),
    });
    match (devices, compiler) {
        (Ok(count), Ok(compiler)) => {
            for i in 0..count {
                let id = format!("cuda:{i}");
                if filter.matches(&id) {
                    let backend = Cuda::new(&id, i as usize, compiler);
                    let backend = backend.map(|b| Arc::new(Text(b)) as Arc<dyn Backend>);
                    found.present.push((id, backend));
                }
            }
        }
        // A backend that lacks two things is reported as one absent backend.
        (Err(absent), Err(_)) => found.absent.extend(without.map(|w| Absent {
            reason: format!("{}; and {}", absent.reason, w.reason),
            remedy: format!("{} {}", absent.remedy, w.remedy),
            ..w
        })),
        (Err(absent), Ok(_)) => found.absent.push(absent),
        (Ok(_), Err(_)) => found.absent.extend(without),
    }
    found
}

/// The files of driver and compiler, read once per process.
fn files() -> &'static str {
    static FILES: OnceLock<String> = OnceLock::new();
    FILES.get_or_init(|| {
        let theirs = |file: &&PathBuf| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            ["libcuda", "libnvidia", "libnvrtc"]
                .iter()
                .any(|n| name.starts_with(n))
        };
        identity::libraries(identity::loaded().iter().filter(theirs))
    })
}

/// A device and its properties, which are queried once.
struct Cuda {
    id: String,
    context: Arc<CudaContext>,
    compiler: &'static Nvrtc,
    target: Target,
    name: String,
    /// Major and minor version.
    capability: (u32, u32),
    multiprocessors: u32,
    driver: i32,
    cache: Cache,
}

impl Cuda {
    fn new(id: &str, ordinal: usize, compiler: &'static Nvrtc) -> Result<Self, BackendError> {
        let refused = |reason: String| BackendError::Refused {
            backend: id.into(),
            reason,
        };
        let fail = |e| refused(format!("it does not answer: {}", error_text(e)));
        let context = CudaContext::new(ordinal).map_err(fail)?;
        // SAFETY: events order the use of memory by several streams; here each buffer is used by only one.
        unsafe { context.disable_event_tracking() };
        let name = show::lines(&context.name().map_err(fail)?);
        let (major, minor) = context.compute_capability().map_err(fail)?;
        let capability = (major.unsigned_abs(), minor.unsigned_abs());
        let target = compiler.target(10 * capability.0 + capability.1);
        let target = target.ok_or_else(|| BackendError::Unavailable {
            backend: id.into(),
            reason: format!(
                "{} does not compile for {name} (compute capability {major}.{minor})",
                compiler.version()
            ),
            remedy: "Install an older NVRTC, which does.".into(),
        })?;
        let multiprocessors = context
            .attribute(sys::CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)
            .map_err(fail)?;
        let mut driver = 0;
        // SAFETY: valid for the write of an integer.
        unsafe { sys::cuDriverGetVersion(&raw mut driver) }
            .result()
            .map_err(fail)?;
        Ok(Cuda {
            id: id.into(),
            context,
            compiler,
            target,
            name,
            capability,
            multiprocessors: multiprocessors.unsigned_abs().max(1),
            driver,
            cache: Cache::from_env(),
        })
    }

    fn load(&self, image: &[u8], source: &Source) -> Result<CudaKernel, String> {
        let module = self
            .context
            .load_module(Ptx::from_binary(image.to_vec()))
            .map_err(error_text)?;
        let function = module.load_function(&source.entry).map_err(error_text)?;
        let merge = match source.signature.has_records() {
            true => Some(
                module
                    .load_function(&merge_entry(&source.entry))
                    .map_err(error_text)?,
            ),
            false => None,
        };
        CudaKernel::new(&self.context, function, merge, source, self.multiprocessors)
            .map_err(error_text)
    }
}

impl Device for Cuda {
    fn id(&self) -> &str {
        &self.id
    }
    fn describe(&self) -> String {
        format!(
            "{}, {} multiprocessors; {}",
            Functions::device(self),
            self.multiprocessors,
            Functions::driver(self)
        )
    }
    fn dialect(&self) -> Options {
        Options::cuda()
    }
    fn sizes(&self) -> Sizes {
        Sizes {
            point: 1 << 20,
            // A launch takes a hundredth of a second on a compute device and a second on one for graphics, so that
            // displays keep working. The overhead of a launch is 0.05 ms.
            sweep: u64::from(self.multiprocessors) << 24,
            batch: u64::from(self.multiprocessors) << 24,
        }
    }
    fn workers(&self, _: usize) -> usize {
        // One launch is queued while the result of the other is processed.
        2
    }
    fn hardware(&self) -> Hardware {
        Hardware::Cuda
    }
    fn functions(&self) -> Result<&dyn Functions, NoFunctions> {
        Ok(self)
    }
    fn compile(&self, source: &Source) -> Result<Box<dyn Launch>, Failure> {
        let options = CompileOptions::new(Compiler::Nvrtc, &[self.target.option()])
            .map_err(|e| Failure::Compile(e.to_string()))?;
        self.compile_with(source, &options)
    }
}

impl Functions for Cuda {
    fn defaults(&self) -> CompileOptions {
        CompileOptions::defaults(&[self.target.option()])
    }
    fn compile_function(&self, source: &Source) -> Result<Box<dyn Launch>, Failure> {
        self.compile_with(source, &self.defaults())
    }
    fn device(&self) -> String {
        let (major, minor) = self.capability;
        format!("{}, compute capability {major}.{minor}", self.name)
    }
    fn driver(&self) -> String {
        format!(
            "{}, driver for CUDA {}.{}",
            self.compiler.version(),
            self.driver / 1000,
            self.driver % 1000 / 10
        )
    }
}

impl Cuda {
    fn compile_with(
        &self,
        source: &Source,
        options: &CompileOptions,
    ) -> Result<Box<dyn Launch>, Failure> {
        let (major, minor) = self.capability;
        let files = files();
        let key = Key::new(&[
            ("source", &source.text),
            ("compiler", &self.compiler.version()),
            ("files", files),
            ("options", &options.to_string()),
            ("device", &format!("{} {major}.{minor}", self.name)),
            ("driver", &self.driver.to_string()),
        ]);
        if let Some(image) = self.cache.get(&key) {
            match self.load(&image, source) {
                Ok(kernel) => return Ok(Box::new(kernel)),
                Err(_) => self.cache.remove(&key),
            }
        }
        let image = self
            .compiler
            .compile(&source.text, options, self.target)
            .map_err(|e| match e {
                nvrtc::Failure::Refused(log) => Failure::Compile(log),
                nvrtc::Failure::Other(reason) => Failure::Load(reason),
            })?;
        let kernel = self.load(&image, source).map_err(Failure::Load)?;
        self.cache.put(&key, &image);
        Ok(Box::new(kernel))
    }
}

/// The PTX of a CUDA text, compiled as for a device. `arch` is `sm_90` or `compute_90`, which mean the same here. Neither a GPU nor a
/// driver is needed.
///
/// # Errors
/// [`BackendError::Unavailable`] without NVRTC, which is looked up under the path in `CRUNCH_NVRTC` and then by name;
/// [`BackendError::Compile`] with the compiler's log if it rejects the text or the architecture.
pub fn compile_ptx(text: &str, arch: &str) -> Result<String, BackendError> {
    ptx(text, arch, |own| {
        CompileOptions::new(Compiler::Nvrtc, own).map_err(|e| e.to_string())
    })
}

/// The PTX of a text that calls a function of CUDA ([`function_kernel`](kernels_gen::emit::function_kernel)), compiled with
/// the language's defaults.
///
/// # Errors
/// As for [`compile_ptx`].
pub fn function_ptx(text: &str, arch: &str) -> Result<String, BackendError> {
    ptx(text, arch, |own| Ok(CompileOptions::defaults(own)))
}

fn ptx(
    text: &str,
    arch: &str,
    options: impl FnOnce(&[String]) -> Result<CompileOptions, String>,
) -> Result<String, BackendError> {
    let compile = |log: String| BackendError::Compile {
        backend: "cuda".into(),
        kernel: "PTX".into(),
        log,
    };
    let compiler = nvrtc().map_err(|reason| BackendError::Unavailable {
        backend: "cuda".into(),
        reason,
        remedy: nvrtc::REMEDY.into(),
    })?;
    let number = ["sm_", "compute_"]
        .iter()
        .find_map(|p| arch.strip_prefix(p)?.parse().ok());
    let number: u32 = number.ok_or_else(|| {
        compile(format!(
            "`{arch}` is not an architecture; write it as sm_90"
        ))
    })?;
    let target = Target::Ptx(number);
    let options = options(&[target.option()]).map_err(compile)?;
    let ptx = compiler
        .compile(text, &options, target)
        .map_err(|e| match e {
            nvrtc::Failure::Refused(log) | nvrtc::Failure::Other(log) => compile(log),
        })?;
    let ptx = String::from_utf8_lossy(&ptx);
    Ok(ptx.trim_end_matches('\0').into())
}

#[cfg(test)]
mod tests {
    use super::super::fixtures;
    use super::super::skip::skip;
    use super::*;
    use kernels_gen::emit::point_kernel;

    /// NVRTC; without it a note that the test does not run.
    fn compiler() -> Option<&'static Nvrtc> {
        nvrtc().map_err(|reason| skip("nvrtc", &reason)).ok()
    }

    #[test]
    fn what_is_missing_is_reported_with_a_remedy() {
        let found = find(&Filter::all());
        assert!(!found.present.is_empty() || !found.absent.is_empty());
        assert!(
            found.absent.len() <= 1,
            "one row of a table for each: {:?}",
            found.absent
        );
        for absent in &found.absent {
            assert_eq!(absent.id, "cuda");
            assert!(
                !absent.reason.is_empty() && absent.remedy.ends_with('.'),
                "{absent:?}"
            );
        }
        // One reason about the driver or the device, one about NVRTC; without either, a row with both.
        let reasons: Vec<&str> = found.absent.iter().map(|a| a.reason.as_str()).collect();
        assert_eq!(
            nvrtc().is_err(),
            found
                .absent
                .iter()
                .any(|a| a.remedy.ends_with(nvrtc::REMEDY)),
            "{reasons:?}"
        );
        assert_eq!(
            found.present.is_empty(),
            !found.absent.is_empty(),
            "{reasons:?}"
        );
    }

    #[test]
    fn without_nvrtc_there_is_no_ptx_and_no_panic() {
        let text = point_kernel(&fixtures::copy(), &Options::cuda()).text;
        match (nvrtc(), compile_ptx(&text, "sm_90")) {
            (Ok(_), Ok(ptx)) => assert!(ptx.contains(".target sm_90")),
            (Err(_), Err(BackendError::Unavailable { remedy, .. })) => {
                assert!(remedy.contains("pip install"));
            }
            (_, other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_rounding_of_the_ptx_is_written_down() {
        if compiler().is_none() {
            return;
        }
        let text = point_kernel(&fixtures::contraction(), &Options::cuda()).text;
        for arch in ["sm_80", "sm_90"] {
            let ptx = compile_ptx(&text, arch).expect("it compiles");
            let count = |what: &str| ptx.matches(what).count();
            // One product, one sum, one fused operation; no operation whose rounding depends on the compiler.
            assert_eq!(
                [
                    count("mul.rn.f64"),
                    count("add.rn.f64"),
                    count("fma.rn.f64")
                ],
                [1, 1, 1],
                "{ptx}"
            );
            assert_eq!(
                [
                    count("mad.f64"),
                    count("add.f64"),
                    count("mul.f64"),
                    count(".ftz")
                ],
                [0; 4]
            );
        }
        // The control: a text that leaves contraction to the compiler is contracted where that is allowed, and not with
        // our options.
        let loose = "extern \"C\" __global__ void k(double *x) { x[0] = x[1] * x[2] + x[3]; }";
        let ptx = compile_ptx(loose, "sm_90").expect("it compiles");
        assert!(ptx.contains("mul.rn.f64") && !ptx.contains("fma"), "{ptx}");
        let options = CompileOptions::with(Compiler::Nvrtc, &[Target::Ptx(90).option()], &[]);
        let options = options.expect("strict").relaxed("--fmad=true");
        let compiler = compiler().expect("asked above");
        let ptx = compiler
            .compile(loose, &options, Target::Ptx(90))
            .expect("it compiles");
        assert!(String::from_utf8_lossy(&ptx).contains("fma.rn.f64"));
    }

    #[test]
    fn machine_code_and_searches_compile() {
        let Some(compiler) = compiler() else { return };
        assert_eq!(compiler.target(90), Some(Target::Cubin(90)));
        assert_eq!(compiler.target(10), None);
        assert!(matches!(compiler.target(999), Some(Target::Ptx(_))));
        let options = CompileOptions::with(Compiler::Nvrtc, &[Target::Cubin(90).option()], &[]);
        let options = options.expect("strict");
        for kernel in super::super::probe::kernels() {
            let program = super::super::lowered(kernel.kernel).expect("it lowers");
            let source = point_kernel(program, &Options::cuda());
            let image = compiler.compile(&source.text, &options, Target::Cubin(90));
            assert!(
                image.is_ok_and(|i| i.starts_with(b"\x7fELF")),
                "{}",
                kernel.kernel.name
            );
        }
        for precision in [kernels_gen::ops::Prim::F64, kernels_gen::ops::Prim::F32] {
            let [approx, reference, metric] = &fixtures::search(precision);
            let sweep = kernels_gen::emit::Sweep {
                approx: kernels_gen::emit::Routine::Program(approx),
                reference,
                metric,
                fast_path: None,
                precision,
            };
            let source =
                kernels_gen::emit::sweep_kernel(&sweep, &Options::cuda()).expect("it fits");
            let image = compiler
                .compile(&source.text, &options, Target::Cubin(90))
                .expect("it compiles");
            assert!(image.starts_with(b"\x7fELF"));
        }
    }

    #[test]
    fn what_nvrtc_refuses_is_an_error_with_its_log() {
        if compiler().is_none() {
            return;
        }
        let refused = |text: &str, arch: &str| match compile_ptx(text, arch) {
            Err(BackendError::Compile { log, .. }) => log,
            other => panic!("{other:?}"),
        };
        assert!(refused("this_is_no_type x;", "sm_90").contains("this_is_no_type"));
        assert!(refused("", "sm_1").contains("architecture"));
        assert!(refused("", "avx2").contains("`avx2` is not an architecture"));
    }
}
