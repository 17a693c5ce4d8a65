//! The devices that a filter selects, as backends.

use std::sync::Arc;

use super::devices::platforms;
use super::{OpenCl, pocl};
use crate::backend::Backend;
#[cfg(test)]
use crate::backend::cache::Cache;
use crate::backend::filter::Filter;
use crate::backend::found::{Absent, Found};
use crate::backend::text::Text;

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
