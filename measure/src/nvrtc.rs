//! Finds NVIDIA's run-time compiler. It is not part of the kit: the library alone is more than twice as large as the kit.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::record::Record;

/// A library, and the installation of which it is part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub path: PathBuf,
    pub source: &'static str,
}

/// Searches in the order of the table in docs/book/src/contribute/kit.md. `given` comes from the command line.
pub fn find(given: Option<&Path>, kit: &Path) -> Result<Option<Found>, String> {
    let variable = |name: &str| {
        std::env::var_os(name)
            .filter(|v| !v.is_empty())
            .map(PathBuf::from)
    };
    let named = [
        (given.map(Into::into), "named by --nvrtc"),
        (variable("CRUNCH_NVRTC"), "named by CRUNCH_NVRTC"),
    ];
    for (path, source) in named {
        if let Some(path) = path {
            return match path.is_file() {
                true => Ok(Some(Found { path, source })),
                false => Err(format!("{}, {source}, is no file", path.display())),
            };
        }
    }
    let mut places = vec![(kit.join("nvrtc"), "the kit's folder nvrtc")];
    for name in ["CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"] {
        places.extend(variable(name).into_iter().flat_map(toolkit));
    }
    places.extend(toolkit("/usr/local/cuda".into()));
    places.extend(toolkit("/opt/cuda".into()));
    // Several toolkits side by side: the newest first.
    for folder in children(Path::new("/usr/local"), "cuda-") {
        places.extend(toolkit(folder));
    }
    let mut python = Vec::new();
    for name in ["VIRTUAL_ENV", "CONDA_PREFIX"] {
        python.extend(variable(name));
    }
    python.extend(variable("HOME").map(|home| home.join(".local")));
    python.extend(["/usr/local", "/usr", "/opt/conda"].map(PathBuf::from));
    for root in python {
        places.push((root.join("lib"), "a Python environment"));
        for version in children(&root.join("lib"), "python3") {
            for packages in ["site-packages", "dist-packages"] {
                for part in ["cu13", "cu12", "cuda_nvrtc"] {
                    let folder = version.join(packages).join("nvidia").join(part).join("lib");
                    places.push((folder, "a Python package"));
                }
            }
        }
    }
    places.push(("/usr/lib/x86_64-linux-gnu".into(), "the distribution"));
    let library = |(folder, source): (PathBuf, _)| {
        Some(Found {
            path: library(&folder)?,
            source,
        })
    };
    Ok(places.into_iter().find_map(library))
}

fn toolkit(root: PathBuf) -> [(PathBuf, &'static str); 2] {
    ["lib64", "targets/x86_64-linux/lib"].map(|lib| (root.join(lib), "a CUDA toolkit"))
}

/// Folders whose names begin with this text, in descending order of the numbers in their names.
fn children(folder: &Path, start: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .filter(|e| e.file_name().to_string_lossy().starts_with(start))
        .map(|e| e.path())
        .collect();
    found.sort_by_key(|path| std::cmp::Reverse(numbers(path)));
    found
}

fn numbers(path: &Path) -> Vec<u64> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let parts = name.split(|c: char| !c.is_ascii_digit());
    parts.filter_map(|p| p.parse().ok()).collect()
}

/// The newest `libnvrtc.so.*` in a folder. The built-ins beside it have other names.
fn library(folder: &Path) -> Option<PathBuf> {
    let mut all = children(folder, "libnvrtc.so.");
    all.retain(|p| p.is_file());
    all.into_iter().next()
}

/// Writes the result to the record and to the terminal.
pub fn describe(found: Option<&Found>, record: &mut Record) {
    let value = match found {
        Some(f) => {
            println!("NVRTC: {} ({})", f.path.display(), f.source);
            json!({ "path": f.path.display().to_string(), "source": f.source })
        }
        None => {
            println!(
                "NVRTC: not in the kit, a toolkit or a Python package; the system's loader may still find one (see doctor)"
            );
            serde_json::Value::Null
        }
    };
    record.found.insert("nvrtc".into(), value);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_named_library_comes_first_and_the_kits_folder_next() {
        let kit = std::env::temp_dir().join(format!("measure-nvrtc-{}", std::process::id()));
        let folder = kit.join("nvrtc");
        std::fs::create_dir_all(&folder).expect("writable");
        for name in [
            "libnvrtc.so.9",
            "libnvrtc.so.13",
            "libnvrtc-builtins.so.13.0",
        ] {
            std::fs::write(folder.join(name), "").expect("writable");
        }
        if std::env::var_os("CRUNCH_NVRTC").is_none() {
            let found = find(None, &kit).expect("no error").expect("one");
            assert_eq!(found.path, folder.join("libnvrtc.so.13"));
            assert_eq!(found.source, "the kit's folder nvrtc");
        }
        let named = folder.join("libnvrtc.so.9");
        let found = find(Some(&named), &kit).expect("no error").expect("one");
        assert_eq!(found.path, named);
        let wrong = find(Some(&kit.join("nothing")), &kit);
        assert!(wrong.is_err_and(|e| e.contains("nothing")));
        std::fs::remove_dir_all(kit).expect("ours");
    }
}
