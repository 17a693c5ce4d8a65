//! The properties that a device reports.

use kernels_gen::emit::CorrectF32Divide;
use ocl::core::{self, DeviceFpConfig, DeviceId, DeviceInfo, DeviceInfoResult, DeviceType};

use super::name::slug;
use crate::model::show;

/// The properties that a device reports.
#[derive(Debug, Clone)]
pub(super) struct Facts {
    pub name: String,
    /// The platform with its version, and the driver's version, for messages and for the cache's key.
    pub platform: String,
    pub driver: String,
    pub cpu: bool,
    /// Whether it is made by NVIDIA.
    pub nvidia: bool,
    pub units: usize,
    pub max_group: usize,
    /// Its preferred width of vectors of doubles.
    pub preferred: u32,
    pub divide: CorrectF32Divide,
    /// Whether it interprets kernels one work item at a time.
    pub slow: bool,
    /// Whether its driver caches compiled programs in a folder of the driver. If a program's binary is requested, PoCL compiles each kernel
    /// a second time, for work groups of any size.
    pub keeps: bool,
}

impl Facts {
    pub(super) fn of(platform: &str, device: DeviceId) -> core::Result<Facts> {
        let text = |what| core::get_device_info(device, what).map(|i| show::lines(&i.to_string()));
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
        let short = slug(platform);
        Ok(Facts {
            name: text(DeviceInfo::Name)?.trim().into(),
            platform: platform.into(),
            driver: format!(
                "{}, {}",
                text(DeviceInfo::Version)?,
                text(DeviceInfo::DriverVersion)?
            ),
            // Oclgrind reports every type of device.
            cpu: kind.contains(DeviceType::CPU),
            nvidia: text(DeviceInfo::Vendor)?.to_lowercase().contains("nvidia"),
            units: number(DeviceInfo::MaxComputeUnits)?.max(1),
            max_group: number(DeviceInfo::MaxWorkGroupSize)?.max(1),
            preferred: number(DeviceInfo::PreferredVectorWidthDouble)? as u32,
            divide: match divides {
                true => CorrectF32Divide::Native,
                false => CorrectF32Divide::Derived,
            },
            slow: short == "oclgrind",
            keeps: short == "pocl",
        })
    }
}

/// The reason why a device with this name cannot be used, from its answer about binary64.
///
/// Any answer is sufficient, whatever its content: some devices report less than they support, and the probe decides.
pub(super) fn without_double(name: &str, answer: core::Result<DeviceInfoResult>) -> Option<String> {
    match answer {
        Ok(DeviceInfoResult::DoubleFpConfig(bits)) if !bits.is_empty() => None,
        _ => Some(format!(
            "{} does not compute in binary64 (no cl_khr_fp64)",
            name.trim()
        )),
    }
}
