//! The programs of a kit, and the way in which a step runs them.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::nvrtc::{self, Found};
use crate::options::Options;
use crate::record::Record;

/// The folder of the programs.
pub struct Kit {
    pub folder: PathBuf,
    /// `kit.json`: how it was built.
    pub about: Value,
    pub nvrtc: Option<Found>,
    /// A folder for compiled kernels, which the programs share; `None` if nothing can be written.
    cache: Option<PathBuf>,
}

impl Kit {
    pub fn open(options: &Options, record: &mut Record) -> Result<Self, String> {
        let file = options.kit.join("kit.json");
        let text = std::fs::read_to_string(&file).map_err(|e| {
            format!(
                "{}: {e}: this program runs in a folder by `cargo xtask kit`, or --kit names one",
                file.display()
            )
        })?;
        let about: Value =
            serde_json::from_str(&text).map_err(|e| format!("{}: {e}", file.display()))?;
        println!(
            "DoubleCrunch {}, commit {}",
            about["version"].as_str().unwrap_or("?"),
            about["commit"].as_str().unwrap_or("?")
        );
        record.found.insert("kit".into(), about.clone());
        let folder = options
            .kit
            .canonicalize()
            .map_err(|e| format!("{}: {e}", options.kit.display()))?;
        let nvrtc = nvrtc::find(options.nvrtc.as_deref(), &folder)?;
        let absent = about["missing"].as_array().into_iter().flatten();
        for text in absent.filter_map(Value::as_str) {
            record.missing(format!("{text} (since the kit was built)"));
        }
        Ok(Kit {
            folder,
            about,
            nvrtc,
            cache: record.scratch(),
        })
    }

    /// A folder for temporary files.
    pub fn scratch(&self) -> Option<PathBuf> {
        self.cache.clone()
    }

    /// One of the programs, with the settings that all of them share.
    pub fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.folder.join("bin").join(name));
        if let Some(found) = &self.nvrtc {
            command.env("CRUNCH_NVRTC", &found.path);
        }
        let cache = self.cache.clone().unwrap_or_default();
        command
            .env("CRUNCH_CACHE_DIR", cache)
            .env("RUST_BACKTRACE", "0");
        command
    }
}

/// The backends that `doctor` found, in its order. If it did not end, the backends that any processor of this kind has.
pub fn backends(record: &Record) -> Vec<String> {
    if !record.found.contains_key("doctor") {
        let sets = record.found.get("machine").map(|m| &m["instruction_sets"]);
        let has = |set: &str| {
            let sets = sets.and_then(Value::as_array);
            sets.is_some_and(|all| all.iter().any(|s| s == set))
        };
        let mut all = vec!["scalar".to_string(), "interpreter".into()];
        let own = [("avx2", "avx2"), ("avx512", "avx512dq")];
        all.extend(own.iter().filter(|s| has(s.1)).map(|s| s.0.to_string()));
        return all;
    }
    let available = record
        .found
        .get("doctor")
        .and_then(|d| d["available"].as_array());
    let names = available.into_iter().flatten();
    names
        .filter_map(|b| Some(b["backend"].as_str()?.to_string()))
        .collect()
}
