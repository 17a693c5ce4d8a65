//! What a device says of itself.

use kernels_gen::emit::CorrectF32Divide;
use ocl::core::{self, DeviceFpConfig, DeviceId, DeviceInfo, DeviceInfoResult, DeviceType};

use super::devices::slug;
use crate::model::show;

/// What a device says of itself.
#[derive(Debug, Clone)]
pub(super) struct Facts {
    pub name: String,
    /// Platform, its version, the driver's: for a person and for the cache's key.
    pub platform: String,
    pub driver: String,
    pub cpu: bool,
    /// Made by NVIDIA.
    pub nvidia: bool,
    pub units: usize,
    pub max_group: usize,
    /// Its preferred width of vectors of doubles.
    pub preferred: u32,
    pub divide: CorrectF32Divide,
    /// Interprets kernels one work item at a time.
    pub slow: bool,
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
            nvidia: text(DeviceInfo::Vendor)?.to_lowercase().contains("nvidia"),
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
pub(super) fn without_double(name: &str, answer: core::Result<DeviceInfoResult>) -> Option<String> {
    match answer {
        Ok(DeviceInfoResult::DoubleFpConfig(bits)) if !bits.is_empty() => None,
        _ => Some(format!(
            "{} does not compute in binary64 (no cl_khr_fp64)",
            name.trim()
        )),
    }
}
