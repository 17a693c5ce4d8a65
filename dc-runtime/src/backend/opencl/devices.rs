//! Platforms, their devices and the ids of both.

use std::sync::{Arc, OnceLock};

use ocl::core::{self, DeviceId, DeviceType, PlatformInfo};

use super::{OpenCl, icd};
use crate::backend::Backend;
#[cfg(test)]
use crate::backend::cache::Cache;
use crate::backend::discover::{Absent, Found};
use crate::backend::filter::Filter;
use crate::backend::text::Text;

/// A platform's name in backend ids.
pub(super) fn slug(platform: &str) -> String {
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
pub(super) struct Platform {
    pub name: String,
    /// Its name in ids; numbered if two platforms share it.
    pub short: String,
    pub devices: Vec<DeviceId>,
}

/// The platforms of this machine, asked for once: a second thread that asks while PoCL 3.1 is still setting up its
/// devices crashes in it.
pub(super) fn platforms() -> &'static Result<Vec<Platform>, Absent> {
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
pub fn find(filter: &Filter) -> Found {
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
pub fn spoilt(short: &str, cache: &std::path::Path, spoil: fn(&str) -> String) -> Option<OpenCl> {
    let platforms = platforms().as_ref().ok()?;
    let platform = platforms.iter().find(|p| p.short == short)?;
    let id = format!("opencl:{short}/0");
    let mut device = OpenCl::new(&id, &platform.name, *platform.devices.first()?).ok()?;
    device.cache = Cache::at(cache);
    device.spoil = Some(spoil);
    Some(device)
}
