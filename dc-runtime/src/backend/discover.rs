//! The discovery of this machine's backends.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::cpu;
use super::cuda_host::CudaHost;
use super::filter::{Filter, FilterError, pattern_matches};
use super::found::{Absent, Found};
use super::interp::Interp;
use super::probe::probe;
use super::text::Text;
use super::{Backend, BackendError};
use crate::fenv::Guard;
use crate::isa::sets::{InstructionSet, NAMES};
use crate::model::family::Family;
use crate::model::patience::{self, Ended, within};

/// The result of looking for the selected backends.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct Discovery {
    /// Backends that are present and have passed the probe.
    pub backends: Vec<Arc<dyn Backend>>,
    /// Backends that are present but failed, with the reason. A search that should use such a backend must not pass without it.
    pub refused: Vec<(String, BackendError)>,
    /// Backends that are not present.
    pub absent: Vec<Absent>,
}

impl Discovery {
    /// A result with only these backends, to replace the result of [`discover`]. None is refused or missing.
    #[must_use]
    pub fn of(backends: Vec<Arc<dyn Backend>>) -> Discovery {
        Discovery {
            backends,
            ..Discovery::default()
        }
    }
}

/// Finds the backends that `filter` selects and probes them, each once per process.
///
/// Their order is fixed: the CPU's backends from narrow to wide, the interpreter, host-run CUDA text, OpenCL, CUDA.
#[must_use]
pub fn discover(filter: &Filter) -> Discovery {
    let mut found = Found::default();
    instruction_sets(filter, &mut found);
    if filter.matches(Interp::ID) {
        found.add(Ok(Interp));
    }
    if filter.matches(CudaHost::ID) {
        found.add(CudaHost::detect().map(Text));
    }
    type Find = fn(&Filter) -> Found;
    let devices: [(Family, Find); 2] = [(Family::OpenCl, opencl), (Family::Cuda, cuda)];
    for (family, find) in devices {
        if filter.wants(family.name()) {
            let filter = filter.clone();
            found.extend(watched(family.name(), move || find(&filter)));
        }
    }
    let mut discovery = Discovery {
        absent: found.absent,
        ..Discovery::default()
    };
    for (id, backend) in found.present {
        match backend.and_then(trusted) {
            Ok(backend) => discovery.backends.push(backend),
            // The device was found but lacks a feature; this is not a wrong result.
            Err(BackendError::Unavailable { reason, remedy, .. }) => {
                discovery.absent.push(Absent { id, reason, remedy });
            }
            Err(error) => discovery.refused.push((id, error)),
        }
    }
    discovery
}

/// The processor's instruction sets, and named ones of other targets.
fn instruction_sets(filter: &Filter, found: &mut Found) {
    for &(id, targets) in NAMES.iter().filter(|name| filter.matches(name.0)) {
        let set = InstructionSet::ALL.iter().find(|set| set.id() == id);
        match set {
            Some(&set) => found.add(cpu::detect(set)),
            // It can never be available here, so it counts as missing only if it is requested.
            None if filter.names(id) => found.absent.push(cpu::of_another_target(id, targets)),
            None => {}
        }
    }
}

/// The backends of a family. Looking for them loads drivers. If that changes the floating-point environment, the default is restored, the
/// devices stay, and the family is also listed as refused, so that the change is noticed.
///
/// A driver that does not answer in time is abandoned. Then the devices of drivers that are loaded with it are unknown too.
fn watched(family: &'static str, find: impl FnOnce() -> Found + Send + 'static) -> Found {
    const CALL: &str = "loading its drivers";
    let limit = patience::limit();
    let watched = move || {
        let guard = Guard::new();
        let mut found = find();
        if let Some(environment) = guard.changed() {
            let error = BackendError::Environment {
                backend: family.into(),
                call: CALL.into(),
                environment,
            };
            found.present.push((family.into(), Err(error)));
        }
        found
    };
    match within(limit, || true, watched) {
        Ended::With(found) => found,
        Ended::Not | Ended::Unwanted => {
            let error = BackendError::TimedOut {
                backend: family.into(),
                call: CALL.into(),
                seconds: limit.as_secs(),
            };
            Found {
                present: vec![(family.into(), Err(error))],
                ..Found::default()
            }
        }
    }
}

#[cfg(feature = "opencl")]
fn opencl(filter: &Filter) -> Found {
    super::opencl::find(filter)
}

#[cfg(not(feature = "opencl"))]
fn opencl(_: &Filter) -> Found {
    Found::without(
        Family::OpenCl.name(),
        "Build with `--features opencl`; it needs libOpenCL (Debian: apt-get install ocl-icd-opencl-dev).",
    )
}

#[cfg(feature = "cuda")]
fn cuda(filter: &Filter) -> Found {
    super::cuda::find(filter)
}

#[cfg(not(feature = "cuda"))]
fn cuda(_: &Filter) -> Found {
    Found::without(
        Family::Cuda.name(),
        "Build with `--features cuda`; it needs nothing to build.",
    )
}

/// The backend, if the probe passes. The probe runs once per process for each id.
fn trusted(backend: Arc<dyn Backend>) -> Result<Arc<dyn Backend>, BackendError> {
    static KNOWN: Mutex<Option<HashMap<String, Result<(), BackendError>>>> = Mutex::new(None);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known
        .get_or_insert_default()
        .entry(backend.id().into())
        .or_insert_with(|| probe_in_time(backend.clone()))
        .clone()
        .map(|()| backend)
}

/// The probe with a time limit, which is longer than the limit of a compiler. On expiry, the compiler is named.
fn probe_in_time(backend: Arc<dyn Backend>) -> Result<(), BackendError> {
    let (limit, id) = (3 * patience::limit(), backend.id().to_string());
    match within(limit, || true, move || probe(&*backend)) {
        Ended::With(result) => result,
        Ended::Not | Ended::Unwanted => Err(BackendError::TimedOut {
            backend: id,
            call: "the probe".into(),
            seconds: limit.as_secs(),
        }),
    }
}

/// Not all required backends are available.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RequireError {
    /// `CRUNCH_REQUIRE` is malformed.
    #[error("CRUNCH_REQUIRE: {0}")]
    Filter(#[from] FilterError),
    /// A required backend is not available.
    #[error("required backends are missing:\n{}", .0.join("\n"))]
    Missing(Vec<String>),
}

impl Discovery {
    /// Checks that each pattern of a list matches an available backend. The backend must have been selected.
    ///
    /// # Errors
    /// If a pattern matches none: each such pattern with the reason and the remedy.
    pub fn require(&self, required: &Filter) -> Result<(), RequireError> {
        let missing: Vec<String> = required
            .patterns()
            .iter()
            .filter(|p| !self.backends.iter().any(|b| pattern_matches(p, b.id())))
            .map(|p| format!("  {p}: {}", self.why_not(p)))
            .collect();
        if missing.is_empty() {
            Ok(())
        } else {
            Err(RequireError::Missing(missing))
        }
    }

    /// [`Discovery::require`] with the list in the environment variable `CRUNCH_REQUIRE`, if that is set.
    ///
    /// # Errors
    /// As for [`Discovery::require`]; also if the list is malformed.
    pub fn require_from_env(&self) -> Result<(), RequireError> {
        match required_from_env()? {
            Some(required) => self.require(&required),
            None => Ok(()),
        }
    }

    /// The reason why no available backend matches a pattern.
    fn why_not(&self, pattern: &str) -> String {
        let related = |id: &str| pattern_matches(pattern, id) || pattern_matches(id, pattern);
        let refused = self.refused.iter().filter(|r| related(&r.0));
        let absent = self.absent.iter().filter(|a| related(&a.id));
        let reasons: Vec<String> = refused
            .map(|r| r.1.to_string())
            .chain(absent.map(|a| format!("{} is not available: {}. {}", a.id, a.reason, a.remedy)))
            .collect();
        if reasons.is_empty() {
            "no such device was found among the requested ones".into()
        } else {
            reasons.join("; ")
        }
    }

    /// The backend with this name.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Arc<dyn Backend>> {
        self.backends.iter().find(|b| b.id() == id)
    }
}

/// Names that `CRUNCH_REQUIRE` may contain besides backends, only for tests: the checks of CUDA texts by NVIDIA's compilers, Gappa's
/// proofs, the engines of clusters and the checks of their files, a browser for reports, and clang for lifted functions.
pub const PROOFS: [&str; 9] = [
    "nvrtc",
    "sass",
    "gappa",
    "slurm",
    "openmpi",
    "parallel",
    "kubernetes",
    "browser",
    "lift",
];

/// The backends that the environment variable `CRUNCH_REQUIRE` names, if it is set and names any.
///
/// # Errors
/// If it is malformed.
pub fn required_from_env() -> Result<Option<Filter>, FilterError> {
    backends_among(&std::env::var("CRUNCH_REQUIRE").unwrap_or_default())
}

/// The backends in such a list.
fn backends_among(list: &str) -> Result<Option<Filter>, FilterError> {
    let backends: Vec<&str> = list
        .split([',', ' '])
        .filter(|name| !name.is_empty() && !PROOFS.contains(name))
        .collect();
    if backends.is_empty() {
        return Ok(None);
    }
    backends.join(",").parse().map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_required_and_missing_is_named_with_the_reason() {
        let discovery = Discovery {
            backends: vec![Arc::new(Interp)],
            refused: vec![(
                "opencl:odd/0".into(),
                BackendError::Refused {
                    backend: "opencl:odd/0".into(),
                    reason: "no fp64".into(),
                },
            )],
            absent: vec![Absent {
                id: "cuda".into(),
                reason: "no driver".into(),
                remedy: "Install it.".into(),
            }],
        };
        let require = |list: &str| discovery.require(&list.parse().expect("well-formed"));
        assert_eq!(require("interpreter"), Ok(()));
        for (list, says) in [
            ("interpreter,opencl", "no fp64"),
            ("cuda:0", "Install it."),
            ("avx512", "no such device"),
        ] {
            let error = require(list).expect_err("missing").to_string();
            assert!(error.contains(says), "{error}");
            assert!(!error.contains("interpreter"), "{error}");
        }
    }

    #[test]
    fn proofs_are_not_backends() {
        let among = |list: &str| Ok::<_, FilterError>(backends_among(list)?.map(|f| f.to_string()));
        assert_eq!(among(""), Ok(None));
        assert_eq!(among("sass, nvrtc"), Ok(None));
        assert_eq!(
            among("sass,avx2,nvrtc, opencl:pocl"),
            Ok(Some("avx2,opencl:pocl".into()))
        );
        assert!(among("sass,avx1024").is_err());
    }

    #[test]
    fn a_backend_that_fails_the_probe_is_not_used() {
        let wrong: Arc<dyn Backend> =
            Arc::new(super::super::fault_injection::Rewritten::contracted(None));
        for _ in 0..2 {
            let error = trusted(wrong.clone()).err().expect("refused").to_string();
            assert!(
                error.starts_with("contracted is refused: contraction"),
                "{error}"
            );
        }
    }

    #[test]
    fn scalar_and_the_interpreter_are_everywhere() {
        let discovery = discover(&"scalar,interpreter,avx512".parse().expect("well-formed"));
        assert!(discovery.get("scalar").is_some() && discovery.get("interpreter").is_some());
        assert!(discovery.get("avx2").is_none());
        assert!(discovery.get("avx512").is_some() != (discovery.absent.len() == 1));
    }

    #[test]
    fn instruction_sets_of_other_targets_are_absent_with_the_reason() {
        let absent = |filter: &Filter| {
            let mut found = Found::default();
            instruction_sets(filter, &mut found);
            found.absent
        };
        let named = absent(&"scalar,avx2,avx512,neon".parse().expect("well-formed"));
        let mut others = 0;
        for (id, targets) in NAMES {
            if InstructionSet::ALL.iter().any(|set| set.id() == *id) {
                continue;
            }
            others += 1;
            let reason = named.iter().find(|a| a.id == *id).map(|a| &a.reason);
            assert!(
                reason.is_some_and(|r| r.contains(targets)),
                "{id}: {reason:?}"
            );
            // If all backends are requested, they do not count as missing.
            assert!(absent(&Filter::all()).iter().all(|a| a.id != *id), "{id}");
        }
        assert!(others > 0);
    }
}
