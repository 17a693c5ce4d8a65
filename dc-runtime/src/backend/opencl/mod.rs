//! OpenCL devices, through the crate `ocl`'s thin layer.
//!
//! `ocl` links the loader, libOpenCL. So with the feature `opencl`, a program does not build without the loader's development files and
//! does not start without the loader. If the loader may be missing, leave the feature off. A missing platform or device, in contrast, is
//! only reported.
//!
//! | file | what |
//! |---|---|
//! | `icd` | whether there is any platform |
//! | `devices` | platforms, their devices and the ids of both |
//! | `facts` | the properties that a device reports |
//! | `pocl` | PoCL's own cache, without which it reports no device |
//! | `build` | programs from text or from the cache |
//! | `launch` | launches |

mod build;
mod devices;
mod facts;
mod find;
mod icd;
mod launch;
mod name;
mod pocl;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use kernels_gen::emit::{Options, Source};
use ocl::core::{self, CommandQueue, Context, DeviceId, DeviceInfo, DeviceInfoResult};

use super::cache::Cache;
use super::launch::Launch;
use super::options::CompileOptions;
use super::text::{Device, Failure, Functions, NoFunctions, Sizes};
use super::{BackendError, Hardware, Speed};
use crate::model::show;
use devices::Platform;
use facts::{Facts, without_double};
use launch::{OpenClKernel, Shape, alone};

#[cfg(test)]
pub(super) use find::altered;
pub(super) use find::find;

/// A device and its properties, which are queried once.
#[derive(Debug, Clone)]
pub(super) struct OpenCl {
    id: String,
    context: Context,
    device: DeviceId,
    facts: Facts,
    /// The files of its driver, for the cache's key.
    files: Arc<str>,
    cache: Cache,
    /// A test's change to emitted texts.
    #[cfg(test)]
    pub alter: Option<fn(&str) -> String>,
}

impl OpenCl {
    fn new(id: &str, platform: &Platform, device: DeviceId) -> Result<Self, BackendError> {
        let refused = |reason: String| BackendError::Refused {
            backend: id.into(),
            reason,
        };
        let info = |what| {
            core::get_device_info(device, what)
                .map(|i| show::lines(&i.to_string()))
                .unwrap_or_default()
        };
        let double = core::get_device_info(device, DeviceInfo::DoubleFpConfig);
        let unusable = |reason: String| BackendError::Unavailable {
            backend: id.into(),
            reason,
            remedy: "Take another device.".into(),
        };
        if let Some(reason) = without_double(&info(DeviceInfo::Name), double) {
            return Err(unusable(reason));
        }
        let fail = |e: core::Error| refused(format!("it does not answer: {e}"));
        if let Ok(DeviceInfoResult::CompilerAvailable(false)) =
            core::get_device_info(device, DeviceInfo::CompilerAvailable)
        {
            return Err(unusable("it has no compiler".into()));
        }
        let facts = Facts::of(&platform.name, device).map_err(fail)?;
        let cache = match facts.keeps {
            true => Cache::none(),
            false => Cache::from_env(),
        };
        let context = core::create_context(None, &[device], None, None).map_err(fail)?;
        Ok(OpenCl {
            id: id.into(),
            context,
            device,
            facts,
            files: platform.files.clone(),
            cache,
            #[cfg(test)]
            alter: None,
        })
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
    fn workers(&self, _: usize) -> usize {
        // PoCL and oclgrind have threads of their own; on a GPU the batches are long enough for one worker.
        1
    }
    fn speed(&self) -> Speed {
        match self.facts.slow {
            true => Speed::Simulated,
            false => Speed::Compiled,
        }
    }
    fn hardware(&self) -> Hardware {
        let Facts { cpu, nvidia, .. } = self.facts;
        match (cpu, nvidia) {
            (true, _) => Hardware::ProcessorIndirectly,
            (_, true) => Hardware::NvidiaWithoutCuda,
            _ => Hardware::OtherDevice,
        }
    }
    fn functions(&self) -> Result<&dyn Functions, NoFunctions> {
        Ok(self)
    }
    fn compile(&self, source: &Source) -> Result<Box<dyn Launch>, Failure> {
        self.compile_with(source, &self.options()?)
    }
}

impl Functions for OpenCl {
    fn defaults(&self) -> CompileOptions {
        CompileOptions::defaults(&self.own())
    }
    fn compile_function(&self, source: &Source) -> Result<Box<dyn Launch>, Failure> {
        self.compile_with(source, &self.defaults())
    }
    fn device(&self) -> String {
        self.facts.name.clone()
    }
    fn driver(&self) -> String {
        format!("{}, {}", self.facts.platform, self.facts.driver)
    }
}

impl OpenCl {
    fn compile_with(
        &self,
        source: &Source,
        options: &CompileOptions,
    ) -> Result<Box<dyn Launch>, Failure> {
        let _alone = alone(self.facts.slow);
        let program = self.program(source, options)?;
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
        // On a CPU a group is one item, which one core processes at a time; sixteen items per core balance the load. A
        // GPU needs more items than it has lanes, in whole groups.
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
