//! The CUDA text on the CPU, built by the host's C++ compiler after a shim of the intrinsics. On a machine without a GPU, it shows that the
//! text has the meaning of the IR.

use std::ffi::{c_uint, c_ulonglong};
use std::path::PathBuf;
use std::process::Command;

use kernels_gen::emit::{MERGED, Options, PIECE, RECORD, Signature, Source, host_cuda};
use libloading::Library;

use super::Hardware;
use super::cache::{Cache, Key};
use super::dl;
use super::found::Absent;
use super::identity;
use super::launch::{Launch, check_columns, checks_without};
use super::options::{CompileOptions, Compiler};
use super::scratch::Scratch;
use super::text::{Device, Failure, Functions, NoFunctions, Sizes};
use crate::model::show;
use crate::model::{machine, patience};

/// The numbers of simulated blocks and threads: more than one each, so that the arithmetic on their indices is tested.
const GRID: c_uint = 2;
const BLOCK: c_uint = 2;
/// The number of threads per block in a search: the records of two blocks are merged into two.
const SWEEP_BLOCK: c_uint = 100;

/// The host's C++ compiler.
#[derive(Debug, Clone)]
pub(super) struct CudaHost {
    program: PathBuf,
    version: String,
    /// The identity of its files, for the cache's key.
    identity: String,
    cache: Cache,
    /// Options of the backend itself.
    own: Vec<String>,
    /// The function that adds the shim and the strict options, or a test's replacement that breaks them.
    translate: fn(&Source) -> String,
    options: fn(&[String]) -> Result<CompileOptions, String>,
}

impl CudaHost {
    pub const ID: &'static str = "cuda-host";

    /// The compiler named by `CXX`, or the first of the usual ones that starts.
    pub fn detect() -> Result<CudaHost, Absent> {
        let named = std::env::var_os("CXX").filter(|p| !p.is_empty());
        let candidates: Vec<PathBuf> = match named {
            Some(program) => vec![program.into()],
            None => ["g++", "c++", "clang++"].map(PathBuf::from).into(),
        };
        let limit = patience::limit();
        let found = candidates.iter().find_map(|program| {
            let out = patience::output(Command::new(program).arg("--version"), limit).ok()?;
            let version = String::from_utf8_lossy(&out.stdout);
            let line = version.lines().next().unwrap_or_default().trim();
            (out.status.success()).then(|| (program.clone(), show::lines(line)))
        });
        let Some((program, version)) = found else {
            let names: Vec<String> = candidates.iter().map(|c| c.display().to_string()).collect();
            return Err(Absent {
                id: Self::ID.into(),
                reason: format!("no C++ compiler starts ({})", names.join(", ")),
                remedy: "Install one (Debian: apt-get install g++) or name it in CXX.".into(),
            });
        };
        // Without this option g++ calls the C library's fma: the same bits, ten times slower.
        #[cfg(target_arch = "x86_64")]
        let fma = is_x86_feature_detected!("fma").then(|| "-mfma".to_string());
        #[cfg(not(target_arch = "x86_64"))]
        let fma = None;
        Ok(CudaHost {
            identity: identity::cxx(&program),
            program,
            version,
            cache: Cache::from_env(),
            own: ["-O2".to_string()].into_iter().chain(fma).collect(),
            translate: host_cuda,
            options: |own| CompileOptions::new(Compiler::Cxx, own).map_err(|e| e.to_string()),
        })
    }

    /// A host whose compiler contracts, for tests.
    #[cfg(test)]
    pub fn contracting(mut self, cache: &std::path::Path) -> CudaHost {
        self.cache = Cache::unchecked(cache);
        self.options = |own| {
            let options = CompileOptions::new(Compiler::Cxx, own).map_err(|e| e.to_string())?;
            Ok(options.relaxed("-ffp-contract=fast"))
        };
        self
    }

    /// A host whose text is changed, for tests.
    #[cfg(test)]
    pub fn altered(
        mut self,
        cache: &std::path::Path,
        translate: fn(&Source) -> String,
    ) -> CudaHost {
        self.cache = Cache::unchecked(cache);
        self.translate = translate;
        self
    }

    /// The shared library's bytes.
    fn build(&self, text: &str, options: &[String]) -> Result<Vec<u8>, Failure> {
        let scratch = Scratch::new(&self.cache).map_err(|e| Failure::Load(e.to_string()))?;
        let (cpp, so) = (scratch.path("kernel.cpp"), scratch.path("kernel.so"));
        let io = |what: &str, e: std::io::Error| Failure::Load(format!("{what}: {e}"));
        std::fs::write(&cpp, text).map_err(|e| io("writing the text", e))?;
        let mut command = Command::new(&self.program);
        command.args(options).arg(&cpp).arg("-o").arg(&so);
        let out = patience::output(&mut command, patience::limit())
            .map_err(|e| io("starting the C++ compiler", e))?;
        if !out.status.success() {
            let log = String::from_utf8_lossy(&out.stderr);
            return Err(Failure::Compile(match log.trim() {
                // The compiler may have been killed, for example for lack of memory.
                "" => format!(
                    "{} ended without a word: {}",
                    self.program.display(),
                    out.status
                ),
                log => log.into(),
            }));
        }
        std::fs::read(&so).map_err(|e| io("reading the compiler's result", e))
    }
}

impl Device for CudaHost {
    fn id(&self) -> &str {
        Self::ID
    }
    fn describe(&self) -> String {
        format!(
            "CUDA text run on {}; {}",
            machine::processor(),
            self.version
        )
    }
    fn dialect(&self) -> Options {
        Options::cuda()
    }
    fn sizes(&self) -> Sizes {
        Sizes {
            point: 1 << 16,
            sweep: 1 << 30,
            batch: 1 << 20,
        }
    }
    fn workers(&self, threads: usize) -> usize {
        threads.max(1)
    }
    fn hardware(&self) -> Hardware {
        Hardware::ProcessorIndirectly
    }
    fn functions(&self) -> Result<&dyn Functions, NoFunctions> {
        Err(NoFunctions {
            reason: "it runs CUDA text on the processor, whose functions of that name are the C library's and not the \
                     device's",
            remedy: "Name a CUDA device, such as cuda:0; for the C library's function give --library libm.so.6.",
        })
    }
    fn compile(&self, source: &Source) -> Result<Box<dyn Launch>, Failure> {
        let options = (self.options)(&self.own).map_err(Failure::Compile)?;
        let text = (self.translate)(source);
        let key = Key::new(&[
            ("source", &text),
            (
                "compiler",
                &format!("{} {}", self.program.display(), self.version),
            ),
            ("files", &self.identity),
            ("options", &options.to_string()),
            ("device", &machine::processor()),
            ("driver", ""),
        ]);
        if let Some(bytes) = self.cache.get(&key) {
            match HostKernel::load(&bytes, source, &self.cache) {
                Ok(kernel) => return Ok(Box::new(kernel)),
                Err(_) => self.cache.remove(&key),
            }
        }
        let bytes = self.build(&text, options.as_slice())?;
        let kernel = HostKernel::load(&bytes, source, &self.cache).map_err(Failure::Load)?;
        self.cache.put(&key, &bytes);
        Ok(Box::new(kernel))
    }
}

type PointEntry = unsafe extern "C" fn(
    c_uint,
    c_uint,
    *const *const c_ulonglong,
    *const *mut c_ulonglong,
    c_ulonglong,
);
type SweepEntry = unsafe extern "C" fn(c_uint, c_uint, c_ulonglong, c_ulonglong, *mut c_ulonglong);
type MaximaEntry = unsafe extern "C" fn(
    c_uint,
    c_uint,
    c_ulonglong,
    c_ulonglong,
    *const c_ulonglong,
    c_ulonglong,
    *mut c_ulonglong,
);
type MergeEntry =
    unsafe extern "C" fn(*const c_ulonglong, c_ulonglong, *mut c_ulonglong, c_ulonglong);

/// A loaded shared library and its launcher.
struct HostKernel {
    entry: Entry,
    signature: Signature,
    /// This keeps the code in memory.
    _library: Library,
}

enum Entry {
    Point(PointEntry),
    Sweep(SweepEntry, MergeEntry),
    Maxima(MaximaEntry, MergeEntry),
}

impl HostKernel {
    fn load(bytes: &[u8], source: &Source, cache: &Cache) -> Result<Self, String> {
        // The library is loaded from a private copy, which can be deleted at once: pages of a library are read when
        // they are first used, and a change of the file in between kills the process.
        let scratch = Scratch::new(cache).map_err(|e| e.to_string())?;
        let path = scratch.path("kernel.so");
        std::fs::write(&path, bytes).map_err(|e| e.to_string())?;
        // SAFETY: the library was built from emitted text and has no initialisers.
        let library = unsafe { Library::new(&path) }.map_err(|e| dl::reason(&e))?;
        let entry = match &source.signature {
            Signature::Point { .. } => Entry::Point(
                // SAFETY: this launcher has this type in the text of `host_cuda` (see its documentation).
                *unsafe { library.get::<PointEntry>(c"dc_launch_point") }
                    .map_err(|e| dl::reason(&e))?,
            ),
            Signature::Sweep => Entry::Sweep(
                // SAFETY: as above.
                *unsafe { library.get::<SweepEntry>(c"dc_launch_sweep") }
                    .map_err(|e| dl::reason(&e))?,
                // SAFETY: as above.
                *unsafe { library.get::<MergeEntry>(c"dc_launch_merge") }
                    .map_err(|e| dl::reason(&e))?,
            ),
            Signature::Maxima => Entry::Maxima(
                // SAFETY: as above.
                *unsafe { library.get::<MaximaEntry>(c"dc_launch_maxima") }
                    .map_err(|e| dl::reason(&e))?,
                // SAFETY: as above.
                *unsafe { library.get::<MergeEntry>(c"dc_launch_merge") }
                    .map_err(|e| dl::reason(&e))?,
            ),
        };
        Ok(HostKernel {
            entry,
            signature: source.signature.clone(),
            _library: library,
        })
    }
}

impl Launch for HostKernel {
    fn point(
        &mut self,
        inputs: &[&[u64]],
        outputs: &mut [&mut [u64]],
        sentinel: u64,
    ) -> Result<(), String> {
        check_columns(&self.signature, inputs, outputs)?;
        let Entry::Point(launch) = self.entry else {
            return Err("it is a search kernel".into());
        };
        let n = inputs.first().map_or(0, |i| i.len());
        for column in outputs.iter_mut() {
            column.fill(sentinel);
        }
        let ins: Vec<*const u64> = inputs.iter().map(|i| i.as_ptr()).collect();
        let outs: Vec<*mut u64> = outputs.iter_mut().map(|o| o.as_mut_ptr()).collect();
        // SAFETY: as many pointers as the kernel has parameters and results, each to `n` words.
        unsafe { launch(GRID, BLOCK, ins.as_ptr(), outs.as_ptr(), n as u64) };
        Ok(())
    }

    fn sweep(&mut self, first: i64, count: u64, sentinel: u64) -> Result<Vec<u64>, String> {
        let Entry::Sweep(launch, merge) = self.entry else {
            return Err("it is not a search kernel".into());
        };
        Ok(merged(merge, sentinel, |records| {
            // SAFETY: a record of `RECORD.len()` words for each simulated thread.
            unsafe { launch(GRID, SWEEP_BLOCK, first as u64, count, records) }
        }))
    }

    fn maxima(
        &mut self,
        first: i64,
        count: u64,
        pieces: &[u64],
        sentinel: u64,
    ) -> Result<Vec<u64>, String> {
        let Entry::Maxima(launch, merge) = self.entry else {
            return Err("it is not a search for maxima".into());
        };
        let many = (pieces.len() / PIECE.len()) as u64;
        Ok(merged(merge, sentinel, |records| {
            // SAFETY: as in `sweep`, and each piece has its words.
            unsafe {
                launch(
                    GRID,
                    SWEEP_BLOCK,
                    first as u64,
                    count,
                    pieces.as_ptr(),
                    many,
                    records,
                );
            }
        }))
    }
}

/// The records of a launch, merged.
fn merged(merge: MergeEntry, sentinel: u64, launch: impl FnOnce(*mut u64)) -> Vec<u64> {
    let threads = GRID * SWEEP_BLOCK;
    let mut records = vec![sentinel; RECORD.len() * threads as usize];
    let mut merged = vec![sentinel; RECORD.len() * threads.div_ceil(MERGED) as usize];
    launch(records.as_mut_ptr());
    // SAFETY: a record of `RECORD.len()` words for each simulated thread, and one for each `MERGED` of them.
    unsafe {
        merge(
            records.as_ptr(),
            threads.into(),
            merged.as_mut_ptr(),
            sentinel,
        );
    }
    checks_without(sentinel, &mut merged);
    merged
}

#[cfg(test)]
mod tests {
    use super::super::{conformance, fixtures};
    use super::*;
    use crate::backend::probe::probe;
    use crate::backend::skip::skip;
    use crate::backend::text::Text;
    #[cfg(target_arch = "x86_64")]
    use crate::fenv::Environment;

    /// A host with a separate cache. The test is skipped where there is no C++ compiler.
    fn host(name: &str) -> Option<CudaHost> {
        let mut host = match CudaHost::detect() {
            Ok(host) => host,
            Err(absent) => {
                skip(
                    CudaHost::ID,
                    &format!("{}. {}", absent.reason, absent.remedy),
                );
                return None;
            }
        };
        let dir = std::env::temp_dir().join(format!("dc-host-{name}-{}", std::process::id()));
        host.cache = Cache::unchecked(&dir);
        Some(host)
    }

    fn files(host: &Text<CudaHost>) -> Vec<PathBuf> {
        host.0.cache.entries()
    }

    fn clean(host: &CudaHost) {
        let _ = std::fs::remove_dir_all(host.cache.dir().expect("it has one"));
    }

    #[test]
    fn points_are_the_interpreters() {
        let Some(host) = host("points").map(Text) else {
            return;
        };
        conformance::points(&host, 100_000);
        clean(&host.0);
    }

    #[test]
    fn the_probe_passes() {
        let Some(host) = host("probe").map(Text) else {
            return;
        };
        probe(&host).expect("exact");
        clean(&host.0);
    }

    /// The host's compiler contracts through the shim's inlined functions if it is allowed to.
    #[test]
    #[cfg(target_arch = "x86_64")]
    fn a_compiler_that_contracts_is_refused() {
        if !is_x86_feature_detected!("fma") {
            eprintln!("NOT RUN: this processor has nothing to contract to");
            return;
        }
        let Some(mut host) = host("contracts") else {
            return;
        };
        host.options = |own| {
            let options = CompileOptions::new(Compiler::Cxx, own).map_err(|e| e.to_string())?;
            Ok(options.relaxed("-ffp-contract=fast"))
        };
        let error = probe(&Text(host.clone())).expect_err("refused").to_string();
        assert!(
            error.contains("cuda-host is refused: contraction"),
            "{error}"
        );
        host.options = |own| {
            let options = CompileOptions::new(Compiler::Cxx, own).map_err(|e| e.to_string())?;
            Ok(options.relaxed("-ffast-math"))
        };
        let error = probe(&Text(host.clone())).expect_err("refused").to_string();
        // Up to version 12, gcc links an object that changes the floating-point environment of the thread that loads it.
        let noticed = error.contains("cuda-host is refused: ") || error.contains("FTZ");
        assert!(noticed, "{error}");
        assert_eq!(Environment::check(), Ok(()));
        clean(&host);
    }

    /// The code that `-ffast-math` links in on some compilers, written out.
    #[test]
    #[cfg(target_arch = "x86_64")]
    fn a_library_that_changes_the_environment_is_not_used() {
        let Some(mut host) = host("environment") else {
            return;
        };
        host.translate = |source| {
            format!(
                "{}\n__attribute__((constructor)) static void fast() {{ __builtin_ia32_ldmxcsr(0x9fc0); }}\n",
                host_cuda(source)
            )
        };
        let host = Text(host);
        let error = probe(&host).expect_err("refused").to_string();
        assert!(
            error.contains(
                "cuda-host: compiling or loading `all` changed the floating-point environment"
            ),
            "{error}"
        );
        assert_eq!(Environment::check(), Ok(()), "the default is set again");
        // The result is the same for a library from the cache.
        let error = probe(&host).expect_err("refused").to_string();
        assert!(error.contains("FTZ"), "{error}");
        clean(&host.0);
    }

    /// One intrinsic has another meaning.
    #[test]
    fn a_shim_that_is_wrong_is_refused() {
        type Altered = (fn(&Source) -> String, &'static str);
        let altered: [Altered; 3] = [
            (
                |s| host_cuda(s).replace("r = __builtin_fma(a, b, c)", "r = a * b + c"),
                "fused multiply-add (f64)",
            ),
            (
                |s| {
                    host_cuda(s).replace(
                        "return a / b; }\nDC_SHIM double __fma",
                        "return a * (1.0 / b); }\nDC_SHIM double __fma",
                    )
                },
                "division (f64)",
            ),
            (
                |s| {
                    host_cuda(s).replace(
                        "return __builtin_sqrtf(a)",
                        "return a * (1.0f / __builtin_sqrtf(a))",
                    )
                },
                "square root (f32)",
            ),
        ];
        for (translate, says) in &altered {
            let Some(mut host) = host("shim") else { return };
            host.translate = *translate;
            let error = probe(&Text(host.clone())).expect_err(says).to_string();
            assert!(error.contains(says), "{error}");
            clean(&host);
        }
    }

    #[test]
    fn searches_are_the_interpreters() {
        let Some(host) = host("searches").map(Text) else {
            return;
        };
        conformance::searches(&host, 20_000);
        clean(&host.0);
    }

    #[test]
    fn a_text_that_does_not_compile_is_an_error_with_the_log() {
        let Some(host) = host("refused").map(Text) else {
            return;
        };
        conformance::refused_text(&host.0);
        assert!(files(&host).is_empty(), "{:?}", files(&host));
        clean(&host.0);
    }

    #[test]
    fn compiled_once_and_again_when_the_entry_is_damaged() {
        let Some(host) = host("cache").map(Text) else {
            return;
        };
        conformance::cached(&host, &host.0.cache);
        let source = kernels_gen::emit::point_kernel(&fixtures::copy(), &host.0.dialect());
        let before = files(&host).len();
        let mut other = host.0.clone();
        other.version.push('!');
        other.compile(&source).map(|_| ()).expect("it compiles");
        assert_eq!(
            files(&host).len(),
            before + 1,
            "another compiler is another key"
        );
        clean(&host.0);
    }
}
