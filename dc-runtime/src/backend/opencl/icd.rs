//! Whether there is any OpenCL platform. This is checked before the crate `ocl` is used, because `ocl` waits ten seconds for a platform to
//! appear.
//!
//! The loader finds platforms through `.icd` files, each naming a library (the `cl_khr_icd` extension, section
//! "Installable Client Driver Loader").

use std::path::{Path, PathBuf};

use libloading::Library;

use crate::backend::dl;
use crate::backend::found::Absent;

/// The folder that Debian's and Khronos' loaders read if no variable names another one.
const VENDORS: &str = "/etc/OpenCL/vendors";

/// The places where the loader looks for platforms: those in the environment variables, or the usual folder.
fn places() -> Vec<PathBuf> {
    let named = |variable| std::env::var_os(variable).filter(|v| !v.is_empty());
    let mut places = Vec::new();
    // Only Khronos' loader: libraries, in addition to the folder.
    if let Some(list) = named("OCL_ICD_FILENAMES") {
        places.extend(std::env::split_paths(&list));
    }
    let folder = named("OCL_ICD_VENDORS").or_else(|| named("OPENCL_VENDOR_PATH"));
    places.push(folder.map_or_else(|| VENDORS.into(), PathBuf::from));
    places
}

/// The libraries listed at a place: a folder of `.icd` files, one such file, or a library.
fn libraries(place: &Path) -> Vec<String> {
    if place.is_dir() {
        let files = std::fs::read_dir(place).into_iter().flatten().flatten();
        return files
            .map(|f| f.path())
            .filter(|p| p.extension().is_some_and(|e| e == "icd"))
            .flat_map(|p| libraries(&p))
            .collect();
    }
    if place.extension().is_some_and(|e| e == "icd") {
        let text = std::fs::read_to_string(place).unwrap_or_default();
        let line = text.lines().next().unwrap_or_default().trim();
        return Vec::from_iter((!line.is_empty()).then(|| line.into()));
    }
    Vec::from_iter(place.to_str().filter(|p| !p.is_empty()).map(Into::into))
}

/// Checks whether the library of any platform can be loaded. Returns the registered platforms that cannot be loaded; if none can be loaded,
/// the list of attempts.
pub(super) fn any_platform() -> Result<Vec<Absent>, Absent> {
    load_any(&places())
}

fn load_any(places: &[PathBuf]) -> Result<Vec<Absent>, Absent> {
    let named: Vec<String> = places.iter().flat_map(|p| libraries(p)).collect();
    let mut tried = Vec::new();
    let mut loads = false;
    for name in &named {
        // SAFETY: loading a library runs its initialisers; these are the ones that the OpenCL loader would load next.
        match unsafe { Library::new(name) } {
            Ok(library) => {
                // OpenCL libraries start threads and register exit handlers: they must stay.
                std::mem::forget(library);
                loads = true;
            }
            Err(e) => tried.push(dl::reason(&e)),
        }
    }
    if loads {
        // The loader skips them silently.
        let broken = |why: String| Absent {
            id: "opencl".into(),
            reason: format!("a registered OpenCL platform does not load: {why}"),
            remedy: format!(
                "Reinstall it, or remove its .icd file from {}.",
                places[places.len() - 1].display()
            ),
        };
        return Ok(tried.into_iter().map(broken).collect());
    }
    let where_ = places
        .iter()
        .map(|p| p.display().to_string())
        .collect::<Vec<_>>()
        .join(", ");
    Err(Absent {
        id: "opencl".into(),
        reason: if named.is_empty() {
            format!("no OpenCL platform is registered in {where_}")
        } else {
            format!("no registered OpenCL platform loads: {}", tried.join("; "))
        },
        remedy: "Install one: a GPU's driver, or for this processor PoCL (Debian: apt-get install pocl-opencl-icd)."
            .into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn platforms_are_found_through_their_files() {
        let dir = std::env::temp_dir().join(format!("dc-icd-{}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("a scratch folder");
        let place = [dir.clone()];
        let reason = |r: Result<Vec<Absent>, Absent>| r.expect_err("nothing there").reason;
        assert!(reason(load_any(&place)).contains("no OpenCL platform is registered"));
        assert!(reason(load_any(&["/nonexistent".into()])).contains("/nonexistent"));
        std::fs::write(dir.join("broken.icd"), "/nonexistent/libodd.so\n").expect("writable");
        std::fs::write(dir.join("empty.icd"), "").expect("writable");
        assert!(reason(load_any(&place)).contains("libodd.so"));
        // Any library that loads will do for this test.
        let icd = dir.join("good.icd");
        std::fs::write(&icd, "libc.so.6").expect("writable");
        assert_eq!(load_any(&[icd]), Ok(Vec::new()));
        assert_eq!(load_any(&["libc.so.6".into()]), Ok(Vec::new()));
        // A broken driver next to a working one is named.
        let broken = load_any(&place).expect("one loads");
        let [one] = &broken[..] else {
            panic!("{broken:?}");
        };
        assert!(one.reason.contains("does not load: ") && one.reason.contains("libodd.so"));
        assert!(one.remedy.contains("dc-icd-"), "{}", one.remedy);
        std::fs::remove_dir_all(dir).expect("it was made above");
    }
}
