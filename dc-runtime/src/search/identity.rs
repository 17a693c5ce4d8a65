//! What a run is about, to the bit: continuing or merging under anything else would mix the results of two searches.

use kernels_gen::ir::{Kernel, Konst};
use kernels_gen::{LowerError, identity, lower};

use super::key::Precision;
use crate::sweep::Sweep;

/// The metric that is stored: the Handbook's ULP. Others are derived from it, see the module `ulp`.
pub const METRIC: &str = "handbook";

/// The parts that kernels play in a sweep.
pub const ROLES: [&str; 3] = ["approximation", "reference", "metric"];

/// A kernel's identity, and what a person wants to know of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelIdentity {
    /// One of [`ROLES`].
    pub role: String,
    /// Name, with its const generics: `horner::<N = 21>`.
    pub name: String,
    /// The module it is defined in.
    pub module: String,
    /// Its source file.
    pub file: String,
    /// Line in the file.
    pub line: u32,
    /// The IR's identity: 32 hexadecimal digits.
    pub hash: String,
    /// Its source text.
    pub source: String,
}

impl KernelIdentity {
    /// That of a kernel.
    ///
    /// # Errors
    /// When it cannot be lowered.
    pub fn of(role: &str, kernel: &'static Kernel) -> Result<KernelIdentity, LowerError> {
        Ok(KernelIdentity {
            role: role.into(),
            name: kernel_name(kernel),
            module: kernel.module.into(),
            file: kernel.file.into(),
            line: kernel.line,
            hash: identity::identity_hex(&lower(kernel)?),
            source: kernel.source.into(),
        })
    }
}

/// A kernel's name with its const generics: `horner::<N = 21>`.
#[must_use]
pub fn kernel_name(kernel: &Kernel) -> String {
    if kernel.generics.is_empty() {
        return kernel.name.into();
    }
    let list: Vec<String> = kernel
        .generics
        .iter()
        .map(|(name, value)| {
            let value = match value {
                Konst::F64(x) => x.to_string(),
                Konst::F32(x) => x.to_string(),
                Konst::I64(x) => x.to_string(),
                Konst::U64(x) => x.to_string(),
                Konst::I32(x) => x.to_string(),
                Konst::U32(x) => x.to_string(),
                Konst::Usize(x) => x.to_string(),
                Konst::Bool(x) => x.to_string(),
                Konst::Table(_) => "[…]".into(),
            };
            format!("{name} = {value}")
        })
        .collect();
    format!("{}::<{}>", kernel.name, list.join(", "))
}

/// What a run is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The sweep's name.
    pub sweep: String,
    /// Precision of input and result.
    pub precision: Precision,
    /// The metric, [`METRIC`].
    pub metric: String,
    /// The three kernels, in the order of [`ROLES`].
    pub kernels: Vec<KernelIdentity>,
}

impl Identity {
    /// That of a sweep.
    ///
    /// # Errors
    /// When one of its kernels cannot be lowered.
    pub fn of(sweep: &Sweep) -> Result<Identity, LowerError> {
        let kernels = [&sweep.approx, &sweep.reference, &sweep.judge];
        let kernels = ROLES
            .iter()
            .zip(kernels)
            .map(|(role, k)| KernelIdentity::of(role, k.kernel))
            .collect::<Result<_, _>>()?;
        Ok(Identity {
            sweep: sweep.name.into(),
            precision: sweep.precision,
            metric: METRIC.into(),
            kernels,
        })
    }

    /// How `other` differs in what it computes: one phrase, naming the kernel. Names and places may differ.
    #[must_use]
    pub fn difference(&self, other: &Identity) -> Option<String> {
        if self.precision != other.precision {
            return Some(format!(
                "one searches {} inputs and the other {}",
                self.precision.name(),
                other.precision.name()
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
