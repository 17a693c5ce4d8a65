//! Platforms, their devices and the ids of both.

use std::sync::{Arc, OnceLock};

use ocl::core::{self, DeviceId, DeviceType, PlatformInfo};

use super::{OpenCl, icd, pocl};
use crate::backend::Backend;
#[cfg(test)]
use crate::backend::cache::Cache;
use crate::backend::filter::Filter;
use crate::backend::found::{Absent, Found};
use crate::backend::identity;
use crate::backend::text::Text;
use crate::model::show;

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
    /// Its name in ids, which is numbered if two platforms share it.
    pub short: String,
    pub devices: Vec<DeviceId>,
    /// The driver's error if it has no devices.
    pub error: Option<String>,
    /// The files of its driver, and of the other platforms' drivers, for the cache's key.
    pub files: Arc<str>,
}

/// The platforms of the machine.
pub(super) struct Platforms {
    pub all: Vec<Platform>,
    /// The registered platforms that do not load.
    pub broken: Vec<Absent>,
}

/// The platforms of this machine, queried once: PoCL 3.1 crashes if a second thread queries it while it is still
/// initializing its devices.
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

/// The devices that `filter` selects.
pub fn find(filter: &Filter) -> Found {
    let mut found = Found::default();
    let platforms = match platforms() {
        Ok(platforms) => platforms,
        Err(absent) => {
            found.absent.push(absent.clone());
            return found;
        }
    };
    if filter.wants("opencl") {
        found.absent.extend(platforms.broken.iter().cloned());
    }
    for p in &platforms.all {
        let family = format!("opencl:{}", p.short);
        if p.devices.is_empty() && filter.wants(&family) {
            found.absent.push(Absent {
                id: family.clone(),
                reason: match (pocl::unwritable(&p.short), &p.error) {
                    (Some(why), _) => format!("the platform {} gives no device: {why}", p.name),
                    (None, None) => format!("the platform {} has no device", p.name),
                    (None, Some(e)) => {
                        let line: Vec<&str> = e.split_whitespace().collect();
                        format!(
                            "the platform {} gives no device: {}",
                            p.name,
                            line.join(" ")
                        )
                    }
                },
                remedy: match pocl::unwritable(&p.short) {
                    Some(_) => "Make that folder writable, or name another in POCL_CACHE_DIR.",
                    None => "Check with `clinfo` that its driver sees the device.",
                }
                .into(),
            });
        }
        for (i, &device) in p.devices.iter().enumerate() {
            let id = format!("{family}/{i}");
            if filter.matches(&id) {
                let backend = OpenCl::new(&id, p, device);
                let backend = backend.map(|b| Arc::new(Text(b)) as Arc<dyn Backend>);
                found.present.push((id, backend));
            }
        }
    }
    found
}

/// The first device of a platform, with a change to its texts.
#[cfg(test)]
pub fn altered(short: &str, cache: &std::path::Path, alter: fn(&str) -> String) -> Option<OpenCl> {
    let platforms = platforms().as_ref().ok()?;
    let platform = platforms.all.iter().find(|p| p.short == short)?;
    let id = format!("opencl:{short}/0");
    let mut device = OpenCl::new(&id, platform, *platform.devices.first()?).ok()?;
    device.cache = Cache::unchecked(cache);
    device.alter = Some(alter);
    Some(device)
}
