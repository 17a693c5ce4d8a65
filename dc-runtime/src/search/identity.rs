//! The identity of a run, to the bit. Continuing or merging runs with different identities would mix the results of two searches.

use std::path::Path;
use std::sync::OnceLock;

use kernels_gen::ir::Kernel;
use kernels_gen::{LowerError, identity};

use crate::model::candidate::{Candidate, Reference};
use crate::model::device::DeviceFunction;
use crate::model::host::HostFunction;
use crate::model::key::Precision;
use crate::model::library::{LibraryFunction, Object, full_name};
use crate::model::machine;
use crate::model::measure::Measure;
use crate::model::programs::program_of;
use crate::model::signature::Signature;
use crate::model::space::InputSpace;
use crate::sweep::Sweep;

/// The metric that is stored: the Handbook's ULP. Other definitions are derived from it; see the module `ulp`.
pub const METRIC: &str = "handbook";

/// The metric of a search for only the largest errors. Its results are not those of a full search.
const MAXIMA: &str = "handbook, maxima";

/// The name of the metric together with the measure.
const fn metric_of(measure: Measure) -> &'static str {
    match measure {
        Measure::Full => METRIC,
        Measure::Maxima => MAXIMA,
        Measure::Absolute | Measure::Relative => measure.name(),
    }
}

/// The roles of kernels in a sweep.
pub const ROLES: [&str; 3] = ["approximation", "reference", "metric"];

/// The prefix of the identity of a function of the host.
const HOST: &str = "host:";
/// The prefix for a library's function; its symbol, its signature and the library's build follow.
const LIBRARY: &str = "library:";
/// The beginning of the first line of a library's description.
const SIGNATURE: &str = "signature ";
/// The prefix for a device's function; its name, its signature and the hash of the data on which its results depend
/// follow.
const DEVICE: &str = "device:";
/// The prefix for a function in MPFR; its name and the number of bits follow.
const MPFR: &str = "mpfr:";
/// The prefix of the metrics of references that report where they do not know their value.
const KNOWN: &str = "known_ulp_error_";

/// The identity of this program: the hash of its file. If the file cannot be read, the identity is one that no other process has, so that
/// no two are treated as equal.
fn program() -> &'static str {
    static PROGRAM: OnceLock<String> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let read = std::env::current_exe().and_then(std::fs::read);
        match read {
            Ok(bytes) => format!("{:032x}", identity::fnv1a_128(&bytes)),
            Err(_) => format!("unreadable-{}-{}", machine::now(), std::process::id()),
        }
    })
}

/// A kernel's identity, with further information for readers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelIdentity {
    /// One of [`ROLES`].
    pub role: String,
    /// Name, with its const generics: `horner::<N = 21>`.
    pub name: String,
    /// The module in which it is defined; empty for a function that is not a kernel.
    pub module: String,
    /// The source file; for a function of a library, the library's file; for a function of a device, the device's name as on the command
    /// line; for a function of the host, empty.
    pub file: String,
    /// Line in the file.
    pub line: u32,
    /// The IR's identity: 32 hexadecimal digits. For a function of the host, `host:` and the hash of the program. For a function of a
    /// library, `library:`, its symbol, its signature and the library's build. For a function of a device, `device:`, its name, its
    /// signature and the hash of [`KernelIdentity::source`]. For a function in MPFR, `mpfr:`, its name and the number of bits.
    pub hash: String,
    /// Its source text; for a library, its description; for a device's function, language, device, driver, options and
    /// the text that calls it.
    pub source: String,
}

impl KernelIdentity {
    /// The identity of a kernel.
    ///
    /// # Errors
    /// If it cannot be lowered.
    pub fn of(role: &str, kernel: &'static Kernel) -> Result<KernelIdentity, LowerError> {
        Ok(KernelIdentity {
            role: role.into(),
            name: kernel_name(kernel),
            module: kernel.module.into(),
            file: kernel.file.into(),
            line: kernel.line,
            hash: identity::identity_hex(program_of(kernel)?),
            source: kernel.source.into(),
        })
    }

    /// The identity of a function of the host. Its computation cannot be inspected, so it is equal only in the same program: another build
    /// may have another function with this name, or use another library.
    #[must_use]
    pub(crate) fn of_host(role: &str, function: &HostFunction) -> KernelIdentity {
        KernelIdentity {
            role: role.into(),
            name: function.name().into(),
            module: String::new(),
            file: String::new(),
            line: 0,
            hash: format!("{HOST}{}", program()),
            source: String::new(),
        }
    }

    /// The identity of a function of a library. It is the same if the library's file is the same build. The source describes the file.
    #[must_use]
    pub fn of_library(role: &str, function: &LibraryFunction) -> KernelIdentity {
        let object = function.object();
        let mut source = format!("{SIGNATURE}{}\n", function.signature());
        if let Some(soname) = &object.soname {
            source += &format!("soname {soname}\n");
        }
        if let Some(version) = &object.version {
            source += &format!("version {version}\n");
        }
        if let Some(version) = machine::c_library() {
            source += &format!("C library {version}\n");
        }
        source += &object.build.replacen(':', " ", 1);
        KernelIdentity {
            role: role.into(),
            name: function.symbol().into(),
            module: String::new(),
            file: object.path.to_string_lossy().into_owned(),
            line: 0,
            hash: library(function.symbol(), function.signature(), object),
            source,
        }
    }

    /// The identity of a function of a device. It is the same if device, driver, options and text are the same.
    #[must_use]
    pub fn of_device(role: &str, function: &DeviceFunction) -> KernelIdentity {
        let facts = function.facts();
        let options = match facts.options.as_str() {
            "" => "none",
            options => options,
        };
        let source = format!(
            "signature {}\nlanguage {}\ndevice {}\ndriver {}\noptions {options}\n\n{}",
            function.inputs().signature(),
            facts.language,
            facts.device,
            facts.driver,
            facts.text
        );
        KernelIdentity {
            role: role.into(),
            name: function.name().into(),
            module: String::new(),
            file: function.device().into(),
            line: 0,
            hash: format!(
                "{DEVICE}{}:{}:{:032x}",
                function.name(),
                function.inputs().signature(),
                identity::fnv1a_128(source.as_bytes())
            ),
            source,
        }
    }

    /// The identity of a function in MPFR. It is equal wherever it is rounded to the same number of bits, because MPFR rounds correctly.
    #[cfg(feature = "mpfr")]
    #[must_use]
    pub(crate) fn of_mpfr(
        role: &str,
        reference: &crate::model::mpfr_reference::MpfrReference,
    ) -> KernelIdentity {
        let bits = crate::builtins::reference::BITS;
        let name = reference.function().name();
        KernelIdentity {
            role: role.into(),
            name: name.into(),
            module: String::new(),
            file: String::new(),
            line: 0,
            hash: format!("{MPFR}{name}:{bits}"),
            source: format!("MPFR, {bits} bits"),
        }
    }

    /// Whether it is the identity of a kernel.
    #[must_use]
    pub fn is_kernel(&self) -> bool {
        !self.hash.starts_with(HOST)
            && !self.is_of_library()
            && !self.is_of_device()
            && !self.is_of_mpfr()
    }

    /// Whether it is the identity of a function in MPFR.
    #[must_use]
    pub fn is_of_mpfr(&self) -> bool {
        self.hash.starts_with(MPFR)
    }

    /// Whether it is the identity of a function of a library.
    #[must_use]
    pub fn is_of_library(&self) -> bool {
        self.hash.starts_with(LIBRARY)
    }

    /// The signature of a function of a library.
    #[must_use]
    pub fn signature(&self) -> Option<Signature> {
        let line = self.source.lines().next()?.strip_prefix(SIGNATURE)?;
        Signature::parse(line).ok().filter(|_| self.is_of_library())
    }

    /// Whether it is the identity of a function of a device.
    #[must_use]
    pub fn is_of_device(&self) -> bool {
        self.hash.starts_with(DEVICE)
    }
}

/// The identity of a function of a library, without loading it.
#[must_use]
pub fn library(symbol: &str, signature: Signature, object: &Object) -> String {
    format!("{LIBRARY}{symbol}:{signature}:{}", object.build)
}

/// A kernel's name with its const generics: `horner::<N = 21>`.
#[must_use]
pub fn kernel_name(kernel: &Kernel) -> String {
    kernel.title()
}

/// The identity of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Identity {
    /// The sweep's name.
    pub sweep: String,
    /// Precision of the result.
    pub precision: Precision,
    /// The space of all inputs of its types.
    pub inputs: InputSpace,
    /// The metric: [`METRIC`], and the measure.
    pub metric: String,
    /// The three kernels, in the order of [`ROLES`].
    pub kernels: Vec<KernelIdentity>,
}

impl Identity {
    /// The measure of the inputs.
    #[must_use]
    pub fn measure(&self) -> Measure {
        let all = [Measure::Maxima, Measure::Absolute, Measure::Relative];
        let found = all.into_iter().find(|&m| metric_of(m) == self.metric);
        found.unwrap_or_default()
    }

    /// The hashes of routine and reference, as in `accuracy.toml`. Empty if one of them is not a kernel.
    #[must_use]
    pub fn hashes_of_both(&self) -> Vec<String> {
        let both = &self.kernels[..self.kernels.len().min(2)];
        match both.iter().all(KernelIdentity::is_kernel) {
            true => both.iter().map(|k| k.hash.clone()).collect(),
            false => Vec::new(),
        }
    }

    /// The identity of a sweep.
    ///
    /// # Errors
    /// If one of its kernels cannot be lowered.
    pub fn of(sweep: &Sweep) -> Result<Identity, LowerError> {
        let [candidate, reference, metric] = ROLES;
        let kernels = vec![
            match &sweep.candidate {
                Candidate::Kernel(k) => KernelIdentity::of(candidate, k.kernel)?,
                Candidate::Host(f) => KernelIdentity::of_host(candidate, f),
                Candidate::Library(f) => KernelIdentity::of_library(candidate, f),
                Candidate::Device(f) => KernelIdentity::of_device(candidate, f),
            },
            match &sweep.reference {
                Reference::Kernel(k) | Reference::Formula(k) => {
                    KernelIdentity::of(reference, k.kernel)?
                }
                Reference::Host(f) => KernelIdentity::of_host(reference, f),
                Reference::Library(f) => KernelIdentity::of_library(reference, f),
                #[cfg(feature = "mpfr")]
                Reference::Mpfr(m) => KernelIdentity::of_mpfr(reference, m),
            },
            KernelIdentity::of(metric, sweep.metric.kernel)?,
        ];
        Ok(Identity {
            sweep: sweep.name.into(),
            precision: sweep.precision,
            inputs: sweep.inputs.whole(),
            metric: metric_of(sweep.measure).into(),
            kernels,
        })
    }

    /// For a run of functions that are not kernels: the meaning and the limits of its results.
    #[must_use]
    pub fn accuracy_only(&self) -> Option<String> {
        let host = |at: usize| self.kernels.get(at).filter(|k| !k.is_kernel());
        let assumed = |k: &KernelIdentity| {
            format!(
                "; the reference `{}` is assumed to have no error of its own",
                k.name
            )
        };
        let assumed = host(1)
            .filter(|k| !k.is_of_mpfr())
            .map_or_else(String::new, assumed);
        if let [a, b, metric] = &self.kernels[..]
            && a.is_kernel()
            && b.is_kernel()
            && metric.name.starts_with(KNOWN)
        {
            return Some(
                "the reference is a formula, which the processor evaluates, so no backends were compared"
                    .into(),
            );
        }
        let of = host(0).or(host(1))?;
        let what = if of.is_of_library() {
            let name = full_name(&of.name, Path::new(&of.file));
            format!("`{name}` is a function of a library")
        } else if of.is_of_device() {
            let name = full_name(&of.name, Path::new(&of.file));
            format!("`{name}` is a function of a device")
        } else if of.is_of_mpfr() {
            format!("the reference is `{}` in MPFR", of.name)
        } else {
            format!("`{}` is a function of the host", of.name)
        };
        Some(format!("{what}, so no backends were compared{assumed}"))
    }

    /// How the computation of `other` differs: one phrase, with the name of the kernel. Names and places may differ.
    #[must_use]
    pub fn difference(&self, other: &Identity) -> Option<String> {
        if self.inputs != other.inputs {
            return Some(format!(
                "one searches {} inputs and the other {}",
                self.inputs.signature(),
                other.inputs.signature()
            ));
        }
        if self.metric != other.metric {
            return Some(format!(
                "the metrics are `{}` and `{}`",
                self.metric, other.metric
            ));
        }
        if self.kernels.len() != other.kernels.len() {
            return Some("the numbers of kernels differ".into());
        }
        self.kernels
            .iter()
            .zip(&other.kernels)
            .find(|(a, b)| a.hash != b.hash || a.role != b.role)
            .map(|(a, b)| {
                let names = if a.name == b.name {
                    format!("`{}`", a.name)
                } else {
                    format!("`{}` against `{}`", a.name, b.name)
                };
                format!(
                    "the {} is not the same: {names}, identities {} and {}",
                    a.role, a.hash, b.hash
                )
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::testing::SWEEP;

    const HOST_SWEEP: Sweep = Sweep::accuracy_only(
        "sin",
        Candidate::Host(HostFunction::f32("f32::sin", f32::sin)),
        Reference::Host(HostFunction::f64("f64::sin", f64::sin)),
        "all",
    );

    #[test]
    fn a_function_of_another_program_is_another() {
        let id = Identity::of(&HOST_SWEEP).expect("a metric");
        assert_eq!(
            id.difference(&Identity::of(&HOST_SWEEP).expect("again")),
            None
        );
        assert!(!id.kernels[0].is_kernel() && id.kernels[2].is_kernel());
        let mut other = id.clone();
        other.kernels[0].hash = "host:0123".into();
        let difference = id.difference(&other).expect("another program");
        assert!(
            difference.contains("the approximation is not the same: `f32::sin`"),
            "{difference}"
        );
        assert_eq!(
            id.accuracy_only().as_deref(),
            Some(
                "`f32::sin` is a function of the host, so no backends were compared; the reference `f64::sin` is \
                 assumed to have no error of its own"
            )
        );
    }

    #[test]
    fn two_kernels_are_more_than_accuracy() {
        assert!(SWEEP.kernels().is_some());
        let kernels = Identity::of(&crate::sweeps::ALL[0]).expect("kernels");
        assert_eq!(kernels.accuracy_only(), None);
    }
}
