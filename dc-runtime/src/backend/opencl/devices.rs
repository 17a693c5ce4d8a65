//! Platforms, their devices and the ids of both.

use std::sync::{Arc, OnceLock};

use ocl::core::{self, DeviceId, DeviceType, PlatformInfo};

use super::icd;
use super::name::slug;
use crate::backend::found::Absent;
use crate::backend::identity;
use crate::model::show;

/// A platform and its devices.
pub(super) struct Platform {
    pub name: String,
    /// Its name in ids. It is numbered if two platforms share it.
    pub short: String,
    pub devices: Vec<DeviceId>,
    /// The driver's error, if the platform has no devices.
    pub error: Option<String>,
    /// The files of its driver, and of the other platforms' drivers, for the cache's key.
    pub files: Arc<str>,
}

/// The platforms of the machine.
pub(super) struct Platforms {
    pub all: Vec<Platform>,
    /// The registered platforms that cannot be loaded.
    pub broken: Vec<Absent>,
}

/// The platforms of this machine, queried once: PoCL 3.1 crashes if a second thread queries it while it is still initializing its devices.
pub(super) fn platforms() -> &'static Result<Platforms, Absent> {
    static PLATFORMS: OnceLock<Result<Platforms, Absent>> = OnceLock::new();
    PLATFORMS.get_or_init(|| {
        let before = identity::loaded();
        let broken = icd::any_platform()?;
        let ids = core::get_platform_ids().map_err(|e| Absent {
            id: "opencl".into(),
            reason: e.to_string(),
            remedy: "Check with `clinfo`, and install a platform (Debian: apt-get install pocl-opencl-icd).".into(),
        })?;
        let mut platforms: Vec<Platform> = Vec::new();
        for id in ids {
            let name = core::get_platform_info(id, PlatformInfo::Name)
                .map_or_else(|_| "unnamed".into(), |n| show::lines(&n.to_string()));
            let short = slug(&name);
            let same = platforms.iter().filter(|p| slug(&p.name) == short).count();
            // A platform without a device returns an error.
            let (devices, error) = match core::get_device_ids(id, Some(DeviceType::ALL), None) {
                Ok(devices) => (devices, None),
                Err(e) => (Vec::new(), Some(e.to_string())),
            };
            platforms.push(Platform {
                short: match same {
                    0 => short,
                    n => format!("{short}-{}", n + 1),
                },
                name,
                devices,
                error,
                files: "".into(),
            });
        }
        let mut loaded = identity::loaded();
        loaded.retain(|file| !before.contains(file));
        let files: Arc<str> = identity::libraries(&loaded).into();
        platforms.iter_mut().for_each(|p| p.files = files.clone());
        Ok(Platforms {
            all: platforms,
            broken,
        })
    })
}
