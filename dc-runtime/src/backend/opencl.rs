//! OpenCL devices, through the crate `ocl`'s thin layer.
//!
//! `ocl` links the loader, libOpenCL: with the feature `opencl` a program does not build without the loader's
//! development files and does not start without the loader. Where that may be missing, leave the feature off; a
//! missing platform or device, on the other hand, is only reported.

use std::ffi::CString;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use kernels_gen::emit::{CorrectF32Divide, Options, Source};
use ocl::core::{
    self, CommandQueue, Context, DeviceFpConfig, DeviceId, DeviceInfo, DeviceInfoResult,
    DeviceType, PlatformInfo, Program, ProgramBuildInfo, ProgramBuildInfoResult, ProgramInfo,
    ProgramInfoResult,
};

use super::cache::{Cache, Key};
use super::discover::{Absent, Found};
use super::filter::Filter;
use super::launch::Launch;
use super::opencl_launch::{OpenClKernel, Shape, alone};
use super::options::{CompileOptions, Compiler};
use super::text::{Device, Failure, Sizes, Text};
use super::{Backend, BackendError, icd};

/// A device and what was asked of it once.
#[derive(Debug, Clone)]
pub(super) struct OpenCl {
    id: String,
    context: Context,
    device: DeviceId,
    facts: Facts,
    cache: Cache,
    /// What a test puts in the emitter's place to break a text.
    #[cfg(test)]
    pub spoil: Option<fn(&str) -> String>,
}

/// What a device says of itself.
#[derive(Debug, Clone)]
struct Facts {
    name: String,
    /// Platform, its version, the driver's: for a person and for the cache's key.
    platform: String,
    driver: String,
    cpu: bool,
    units: usize,
    max_group: usize,
    /// Its preferred width of vectors of doubles.
    preferred: u32,
    divide: CorrectF32Divide,
    /// Interprets kernels one work item at a time.
    slow: bool,
}

impl Facts {
    fn of(platform: &str, device: DeviceId) -> core::Result<Facts> {
        let text = |what| core::get_device_info(device, what).map(|i| i.to_string());
        let kind = match core::get_device_info(device, DeviceInfo::Type)? {
            DeviceInfoResult::Type(kind) => kind,
            _ => DeviceType::DEFAULT,
        };
        let number = |what| {
            Ok::<_, core::Error>(match core::get_device_info(device, what)? {
                DeviceInfoResult::MaxComputeUnits(n)
                | DeviceInfoResult::PreferredVectorWidthDouble(n) => n as usize,
                DeviceInfoResult::MaxWorkGroupSize(n) => n,
                _ => 1,
            })
        };
        let floats = match core::get_device_info(device, DeviceInfo::SingleFpConfig)? {
            DeviceInfoResult::SingleFpConfig(bits) => bits,
            _ => DeviceFpConfig::empty(),
        };
        let divides = floats.contains(DeviceFpConfig::CORRECTLY_ROUNDED_DIVIDE_SQRT);
        let slow = slug(platform) == "oclgrind";
        Ok(Facts {
            name: text(DeviceInfo::Name)?.trim().into(),
            platform: platform.into(),
            driver: format!(
                "{}, {}",
                text(DeviceInfo::Version)?,
                text(DeviceInfo::DriverVersion)?
            ),
            // Oclgrind says that it is of every type.
            cpu: kind.contains(DeviceType::CPU),
            units: number(DeviceInfo::MaxComputeUnits)?.max(1),
            max_group: number(DeviceInfo::MaxWorkGroupSize)?.max(1),
            preferred: number(DeviceInfo::PreferredVectorWidthDouble)? as u32,
            divide: match divides {
                true => CorrectF32Divide::Native,
                false => CorrectF32Divide::Derived,
            },
            slow,
        })
    }
}

/// Why a device of that name is not to be used, from its answer about binary64.
///
/// What is in the answer beyond that there is one does not matter: devices exist that say less than they do, and the
/// probe finds out.
fn without_double(name: &str, answer: core::Result<DeviceInfoResult>) -> Option<String> {
    match answer {
        Ok(DeviceInfoResult::DoubleFpConfig(bits)) if !bits.is_empty() => None,
        _ => Some(format!(
            "{} does not compute in binary64 (no cl_khr_fp64)",
            name.trim()
        )),
    }
}

/// A platform's name in backend ids.
fn slug(platform: &str) -> String {
    let lower = platform.to_ascii_lowercase();
    let known = [
        ("portable computing language", "pocl"),
        ("oclgrind", "oclgrind"),
        ("nvidia", "nvidia"),
        ("amd", "amd"),
        ("intel", "intel"),
        ("rusticl", "rusticl"),
        ("clover", "clover"),
        ("apple", "apple"),
    ];
    if let Some((_, slug)) = known.iter().find(|k| lower.contains(k.0)) {
        return (*slug).into();
    }
    let words = lower.split(|c: char| !c.is_ascii_alphanumeric());
    words
        .filter(|w| !w.is_empty())
        .collect::<Vec<_>>()
        .join("-")
}

/// A platform and its devices.
struct Platform {
    name: String,
    /// Its name in ids; numbered if two platforms share it.
    short: String,
    devices: Vec<DeviceId>,
}

/// The platforms of this machine, asked for once: a second thread that asks while PoCL 3.1 is still setting up its
/// devices crashes in it.
fn platforms() -> &'static Result<Vec<Platform>, Absent> {
    static PLATFORMS: OnceLock<Result<Vec<Platform>, Absent>> = OnceLock::new();
    PLATFORMS.get_or_init(|| {
        icd::any_platform()?;
        let ids = core::get_platform_ids().map_err(|e| Absent {
            id: "opencl".into(),
            reason: e.to_string(),
            remedy: "Check with `clinfo`, and install a platform (Debian: apt-get install pocl-opencl-icd).".into(),
        })?;
        let mut platforms: Vec<Platform> = Vec::new();
        for id in ids {
            let name = core::get_platform_info(id, PlatformInfo::Name)
                .map_or_else(|_| "unnamed".into(), |n| n.to_string());
            let short = slug(&name);
            let same = platforms.iter().filter(|p| slug(&p.name) == short).count();
            platforms.push(Platform {
                short: match same {
                    0 => short,
                    n => format!("{short}-{}", n + 1),
                },
                name,
                // A platform without a device answers with an error.
                devices: core::get_device_ids(id, Some(DeviceType::ALL), None).unwrap_or_default(),
            });
        }
        Ok(platforms)
    })
}

/// The devices that `filter` asks for.
pub(super) fn find(filter: &Filter) -> Found {
    let mut found = Found::default();
    let platforms = match platforms() {
        Ok(platforms) => platforms,
        Err(absent) => {
            found.absent.push(absent.clone());
            return found;
        }
    };
    for p in platforms {
        let family = format!("opencl:{}", p.short);
        if p.devices.is_empty() && filter.wants(&family) {
            found.absent.push(Absent {
                id: family.clone(),
                reason: format!("the platform {} has no device", p.name),
                remedy: "Check with `clinfo` that its driver sees the device.".into(),
            });
        }
        for (i, &device) in p.devices.iter().enumerate() {
            let id = format!("{family}/{i}");
            if filter.matches(&id) {
                let backend = OpenCl::new(&id, &p.name, device);
                let backend = backend.map(|b| Arc::new(Text(b)) as Arc<dyn Backend>);
                found.present.push((id, backend));
            }
        }
    }
    found
}

/// The first device of a platform, with something done to its texts.
#[cfg(test)]
pub(super) fn spoilt(
    short: &str,
    cache: &std::path::Path,
    spoil: fn(&str) -> String,
) -> Option<OpenCl> {
    let platforms = platforms().as_ref().ok()?;
    let platform = platforms.iter().find(|p| p.short == short)?;
    let id = format!("opencl:{short}/0");
    let mut device = OpenCl::new(&id, &platform.name, *platform.devices.first()?).ok()?;
    device.cache = Cache::at(cache);
    device.spoil = Some(spoil);
    Some(device)
}

impl OpenCl {
    fn new(id: &str, platform: &str, device: DeviceId) -> Result<Self, BackendError> {
        let refused = |reason: String| BackendError::Refused {
            backend: id.into(),
            reason,
        };
        let info = |what| {
            core::get_device_info(device, what)
                .map(|i| i.to_string())
                .unwrap_or_default()
        };
        let double = core::get_device_info(device, DeviceInfo::DoubleFpConfig);
        if let Some(reason) = without_double(&info(DeviceInfo::Name), double) {
            return Err(refused(reason));
        }
        let fail = |e: core::Error| refused(format!("it does not answer: {e}"));
        if let Ok(DeviceInfoResult::CompilerAvailable(false)) =
            core::get_device_info(device, DeviceInfo::CompilerAvailable)
        {
            return Err(refused("it has no compiler".into()));
        }
        let facts = Facts::of(platform, device).map_err(fail)?;
        let context = core::create_context(None, &[device], None, None).map_err(fail)?;
        Ok(OpenCl {
            id: id.into(),
            context,
            device,
            facts,
            cache: Cache::from_env(),
            #[cfg(test)]
            spoil: None,
        })
    }

    /// A program from its source, with the compiler's log if it refuses.
    fn build(&self, text: &str, options: &CString) -> Result<Program, Failure> {
        let load = |e: core::Error| Failure::Load(e.to_string());
        let text = CString::new(text).map_err(|e| Failure::Load(e.to_string()))?;
        let program = core::create_program_with_source(&self.context, &[text]).map_err(load)?;
        self.link(&program, options)
            .map_err(Failure::Compile)
            .map(|()| program)
    }

    /// A program from what [`OpenCl::binary`] gave; nothing if the driver does not like it.
    fn reload(&self, binary: &[u8], options: &CString) -> Option<Program> {
        let program =
            core::create_program_with_binary(&self.context, &[self.device], &[binary]).ok()?;
        self.link(&program, options).ok().map(|()| program)
    }

    fn link(&self, program: &Program, options: &CString) -> Result<(), String> {
        // One at a time: compilers built on LLVM have not always been safe to enter twice.
        static BUILD: Mutex<()> = Mutex::new(());
        let _alone = BUILD.lock().unwrap_or_else(PoisonError::into_inner);
        let built = core::build_program(program, Some(&[self.device]), options, None, None);
        // `ocl` calls a failed build with an empty log a success, so the status is asked for.
        let status =
            core::get_program_build_info(program, self.device, ProgramBuildInfo::BuildStatus);
        if let (
            Ok(()),
            Ok(ProgramBuildInfoResult::BuildStatus(core::ProgramBuildStatus::Success)),
        ) = (&built, &status)
        {
            return Ok(());
        }
        let log = core::get_program_build_info(program, self.device, ProgramBuildInfo::BuildLog)
            .map(|log| log.to_string())
            .unwrap_or_default();
        Err(match built {
            _ if !log.trim().is_empty() => log,
            Err(e) => e.to_string(),
            Ok(()) => "the build failed, and the compiler gives no log".into(),
        })
    }

    /// The program as the driver stores it.
    fn binary(program: &Program) -> Option<Vec<u8>> {
        match core::get_program_info(program, ProgramInfo::Binaries) {
            Ok(ProgramInfoResult::Binaries(binaries)) => {
                binaries.into_iter().next().filter(|b| !b.is_empty())
            }
            _ => None,
        }
    }

    fn options(&self) -> Result<CompileOptions, Failure> {
        // The text's unused helpers and constants are no news to anyone.
        let mut own = vec!["-w".to_string()];
        if self.facts.slow {
            // Clang makes a rotation out of two shifts, which oclgrind 21.10 does not know (llvm.fshl); and without
            // that pass, inlining leaves markers that it does not know either.
            own.extend(["-cl-opt-disable", "-Dalways_inline=noinline"].map(Into::into));
        }
        if self.facts.divide == CorrectF32Divide::Native {
            own.push("-cl-fp32-correctly-rounded-divide-sqrt".into());
        }
        CompileOptions::new(Compiler::OpenCl, &own).map_err(|e| Failure::Compile(e.to_string()))
    }
}

impl Device for OpenCl {
    fn id(&self) -> &str {
        &self.id
    }
    fn describe(&self) -> String {
        let Facts {
            name,
            platform,
            driver,
            units,
            ..
        } = &self.facts;
        format!("{name}, {units} compute units; {platform}, {driver}")
    }
    fn dialect(&self) -> Options {
        Options::opencl(self.facts.divide).for_device(self.facts.preferred)
    }
    fn sizes(&self) -> Sizes {
        let Facts { slow, cpu, .. } = self.facts;
        Sizes {
            // Oclgrind has 128 MB of global memory.
            point: if slow { 1 << 14 } else { 1 << 18 },
            sweep: 1 << 30,
            batch: match (slow, cpu) {
                (true, _) => 1 << 14,
                (_, true) => 1 << 24,
                _ => 1 << 30,
            },
        }
    }
    fn compile(&self, source: &Source) -> Result<Box<dyn Launch>, Failure> {
        let _alone = alone(self.facts.slow);
        let options = self.options()?;
        let text = self.text(source);
        let Facts {
            name,
            platform,
            driver,
            ..
        } = &self.facts;
        let key = Key::new(&[
            ("source", &text),
            ("compiler", platform),
            ("options", &options.to_string()),
            ("device", name),
            ("driver", driver),
        ]);
        let options =
            CString::new(options.to_string()).map_err(|e| Failure::Load(e.to_string()))?;
        let cached = self.cache.get(&key).and_then(|b| self.reload(&b, &options));
        let program = match cached {
            Some(program) => program,
            None => {
                let program = self.build(&text, &options)?;
                if let Some(binary) = Self::binary(&program) {
                    self.cache.put(&key, &binary);
                }
                program
            }
        };
        let load = |e: core::Error| Failure::Load(e.to_string());
        let kernel = core::create_kernel(&program, &source.entry).map_err(load)?;
        let queue: CommandQueue =
            core::create_command_queue(&self.context, self.device, None).map_err(load)?;
        let Facts {
            cpu,
            units,
            max_group,
            slow,
            ..
        } = self.facts;
        // On a CPU a group is one item, taken by one core at a time, and sixteen for each core even the load out. A
        // GPU wants more items than it has lanes, in whole groups.
        let (group, items) = match (slow, cpu) {
            (true, _) => (1, 8),
            (_, true) => (1, units * 16),
            _ => (max_group.min(128), units * 1024),
        };
        let shape = Shape {
            group,
            items,
            alone: slow,
        };
        let context = self.context.clone();
        Ok(Box::new(OpenClKernel::new(
            context, queue, kernel, source, shape,
        )))
    }
}

impl OpenCl {
    #[cfg(not(test))]
    fn text(&self, source: &Source) -> String {
        source.text.clone()
    }
    #[cfg(test)]
    fn text(&self, source: &Source) -> String {
        match self.spoil {
            Some(spoil) => spoil(&source.text),
            None => source.text.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::conformance;
    use super::super::probe::probe;
    use super::*;
    use crate::backend::skip::skip;
    use crate::search::scan::tests::{SWEEPS, searched_as_by_the_interpreter};

    /// The devices of this machine, each with a cache of its own; where there is none the test is skipped.
    fn devices(name: &str) -> Vec<Text<OpenCl>> {
        let mut devices = Vec::new();
        let platforms = match platforms() {
            Ok(platforms) => platforms,
            Err(absent) => {
                skip("opencl", &format!("{}. {}", absent.reason, absent.remedy));
                return devices;
            }
        };
        for p in platforms {
            for (i, &device) in p.devices.iter().enumerate() {
                let id = format!("opencl:{}/{i}", p.short);
                let mut device = OpenCl::new(&id, &p.name, device).expect("usable");
                let folder = format!("dc-cl-{name}-{}-{i}-{}", p.short, std::process::id());
                device.cache = Cache::at(&std::env::temp_dir().join(folder));
                devices.push(Text(device));
            }
        }
        assert!(!devices.is_empty(), "no OpenCL device");
        devices
    }

    fn clean(device: &OpenCl) {
        let _ = std::fs::remove_dir_all(device.cache.dir().expect("it has one"));
    }

    #[test]
    fn points_are_the_interpreters() {
        for device in devices("points") {
            let n = if device.0.facts.slow { 20_000 } else { 300_000 };
            conformance::points(&device, n);
            clean(&device.0);
        }
    }

    #[test]
    fn the_probe_passes() {
        for device in devices("probe") {
            for _ in 0..2 {
                let t = std::time::Instant::now();
                probe(&device).unwrap_or_else(|e| panic!("{e}"));
                eprintln!("TIME {} {:?}", device.0.id, t.elapsed());
            }
            clean(&device.0);
        }
    }

    /// The device's compiler, let loose: each must be refused, or the probe does not see it.
    #[test]
    fn a_compiler_that_takes_liberties_is_refused() {
        // One operation a statement is not contracted unless the compiler is told to look across statements.
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
        for (spoil, says) in [
            (contract, "contraction"),
            (fuse, "fused multiply-add"),
            (round, "rounding to an integer"),
        ] {
            for mut device in devices("liberties") {
                // Oclgrind contracts nothing across statements, whatever it is told.
                if device.0.facts.slow && says == "contraction" {
                    continue;
                }
                device.0.spoil = Some(spoil);
                let error = probe(&device).expect_err(says).to_string();
                let start = format!("{} is refused: {says}", device.0.id);
                assert!(error.starts_with(&start), "{error}");
                clean(&device.0);
            }
        }
    }

    #[test]
    fn searches_are_the_interpreters() {
        for device in devices("searches") {
            let n = if device.0.facts.slow { 1000 } else { 100_000 };
            conformance::searches(&device, n);
            clean(&device.0);
        }
    }

    /// The built-in sweeps and some with faults of every kind, over the seams of the numbers and of the loop.
    #[test]
    fn sweeps_are_searched_as_by_the_interpreter() {
        for device in devices("sweeps") {
            // One item at a time, oclgrind has its turn in the test above.
            if !device.0.facts.slow {
                searched_as_by_the_interpreter(&device, 2);
            }
            clean(&device.0);
        }
    }

    /// So many inputs an item that its counters of 16 bits must have been emptied in between.
    #[test]
    fn a_long_search_loses_no_count() {
        for device in devices("long") {
            let Facts { units, slow, .. } = device.0.facts;
            let sweep = SWEEPS.iter().find(|s| s.name == "same");
            let sweep = sweep.expect("it is there");
            if !slow {
                // All inputs in one bin, a 480th of them chunks, 16 items a unit.
                let (first, count) = (1f64.to_bits() as i64, 480 * 16 * 600 * units as u64);
                let mut kernel = device.load_sweep(sweep).expect("it compiles");
                let got = kernel.run(first, count).expect("it runs");
                assert_eq!(got, (sweep.cpu.scalar)(first, count));
            }
            clean(&device.0);
        }
    }

    #[test]
    fn a_text_that_does_not_compile_is_an_error_with_the_log() {
        for device in devices("refused") {
            conformance::refused_text(&device.0);
            clean(&device.0);
        }
    }

    #[test]
    fn compiled_once_and_again_when_the_entry_is_damaged() {
        for device in devices("cache") {
            conformance::cached(&device, &device.0.cache);
            clean(&device.0);
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
}
