//! The instruction set whose times are compared.

#[cfg(target_arch = "x86_64")]
use dc_runtime::isa::{Avx2, Avx512, Isa as _};

/// An instruction set, or the processor's own choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The widest instruction set of this processor.
    Widest,
    /// One value at a time.
    Scalar,
    /// Registers of 256 bits.
    Avx2,
    /// Registers of 512 bits.
    Avx512,
    /// Registers of 128 bits, on AArch64.
    Neon,
}

impl Target {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Target::Widest => "the processor's widest",
            Target::Scalar => "scalar",
            Target::Avx2 => "avx2",
            Target::Avx512 => "avx512",
            Target::Neon => "neon",
        }
    }

    /// The instruction set with that name.
    ///
    /// # Errors
    /// If there is no such instruction set, or if this processor does not have it.
    pub fn by_name(name: &str) -> Result<Target, String> {
        let all = [Target::Scalar, Target::Avx2, Target::Avx512, Target::Neon];
        let found = all.into_iter().find(|t| t.name() == name);
        let found = found.ok_or("the sets are scalar, avx2, avx512 and neon")?;
        if found.here() {
            return Ok(found);
        }
        let here: Vec<&str> = all.iter().filter(|t| t.here()).map(|t| t.name()).collect();
        let here = here.join(", ");
        Err(format!(
            "this processor does not have it, so no time is measured; it has {here}"
        ))
    }

    fn here(self) -> bool {
        match self {
            Target::Widest | Target::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Target::Avx2 => Avx2::<1>::detect().is_some(),
            #[cfg(target_arch = "x86_64")]
            Target::Avx512 => Avx512::<1>::detect().is_some(),
            Target::Neon => cfg!(target_arch = "aarch64"),
            #[cfg(not(target_arch = "x86_64"))]
            Target::Avx2 | Target::Avx512 => false,
        }
    }

    /// The options of a C++ compiler.
    #[cfg(feature = "references")]
    pub(crate) const fn options(self) -> &'static [&'static str] {
        match self {
            Target::Scalar => &[
                "-march=native",
                "-fno-tree-vectorize",
                "-fno-tree-slp-vectorize",
            ],
            Target::Avx2 => &["-march=x86-64-v3"],
            Target::Avx512 => &["-march=x86-64-v4", "-mprefer-vector-width=512"],
            Target::Widest if cfg!(target_arch = "x86_64") => {
                &["-march=native", "-mprefer-vector-width=512"]
            }
            Target::Widest | Target::Neon => &["-march=native"],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Target;

    #[test]
    fn sets_are_found_by_name_where_they_are() {
        assert_eq!(Target::by_name("scalar"), Ok(Target::Scalar));
        let unknown = Target::by_name("sse9").expect_err("none");
        assert!(
            unknown.contains("scalar, avx2, avx512 and neon"),
            "{unknown}"
        );
        let other = match cfg!(target_arch = "x86_64") {
            true => "neon",
            false => "avx2",
        };
        let elsewhere = Target::by_name(other).expect_err("of another processor");
        assert!(elsewhere.contains("it has scalar"), "{elsewhere}");
    }
}
