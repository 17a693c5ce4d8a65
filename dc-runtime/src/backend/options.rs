//! Compile options: assembled here and nowhere else, and none may relax arithmetic.
//!
//! What a person adds through the environment is held against a list of options that are known to leave results
//! alone; whatever is not on it is refused. A list of *bad* options would have holes: one project's guard let
//! `--ftz true`, written as two arguments, slip past.

use std::fmt;

/// A compiler whose options are assembled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Compiler {
    /// NVRTC
    Nvrtc,
    /// A device's OpenCL C compiler.
    OpenCl,
    /// The host's C++ compiler.
    Cxx,
}

/// An option that was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the option `{option}` in {variable} is refused: {reason}")]
pub struct OptionError {
    /// As given, with its value.
    pub option: String,
    /// The environment variable it comes from.
    pub variable: &'static str,
    /// Why.
    pub reason: &'static str,
}

const RELAXES: &str = "it relaxes arithmetic, and results would differ between backends";
const UNKNOWN: &str = "it is not on the list of options known to leave results alone";
const REPLACES: &str = "it would undo an option that keeps arithmetic exact";

/// What an option may look like.
enum Form {
    /// Exactly this.
    Plain(&'static str),
    /// This and a value, as `name=value` or in the next argument.
    Valued(&'static str),
    /// Anything that begins so.
    Prefix(&'static str),
}
use Form::{Plain, Prefix, Valued};

impl Compiler {
    /// The environment variable with options to add, separated by spaces.
    #[must_use]
    pub const fn variable(self) -> &'static str {
        match self {
            Compiler::Nvrtc => "CRUNCH_CUDA_OPTIONS",
            Compiler::OpenCl => "CRUNCH_OPENCL_OPTIONS",
            Compiler::Cxx => "CRUNCH_CXXFLAGS",
        }
    }

    /// Options without which results are not exact.
    const fn required(self) -> &'static [&'static str] {
        match self {
            // The defaults of `fmad`, and of the other three under `-use_fast_math`, are the opposite.
            Compiler::Nvrtc => &[
                "--fmad=false",
                "--ftz=false",
                "--prec-div=true",
                "--prec-sqrt=true",
            ],
            // The text itself says FP_CONTRACT OFF: OpenCL has no option for it.
            Compiler::OpenCl => &["-cl-std=CL1.2"],
            Compiler::Cxx => &["-std=c++17", "-fPIC", "-shared", "-w", "-ffp-contract=off"],
        }
    }

    /// Options that leave results alone.
    const fn harmless(self) -> &'static [Form] {
        match self {
            Compiler::Nvrtc => &[
                Plain("--fmad=false"),
                Plain("--ftz=false"),
                Plain("--prec-div=true"),
                Plain("--prec-sqrt=true"),
                Plain("--generate-line-info"),
                Plain("-lineinfo"),
                Plain("--disable-warnings"),
                Plain("-w"),
                Valued("--maxrregcount"),
                Valued("-maxrregcount"),
            ],
            Compiler::OpenCl => &[
                Plain("-cl-opt-disable"),
                Plain("-cl-fp32-correctly-rounded-divide-sqrt"),
                Plain("-cl-kernel-arg-info"),
                Plain("-g"),
                Plain("-w"),
                Plain("-Werror"),
            ],
            Compiler::Cxx => &[
                Plain("-O0"),
                Plain("-O1"),
                Plain("-O2"),
                Plain("-O3"),
                Plain("-Os"),
                Plain("-g"),
                Plain("-w"),
                Plain("-ffp-contract=off"),
                Prefix("-march="),
                Prefix("-mtune="),
                Plain("-mfma"),
                Plain("-mavx2"),
            ],
        }
    }

    /// Words that occur in options that relax arithmetic: only for saying why an option is refused.
    const fn relaxing(self) -> &'static [&'static str] {
        match self {
            Compiler::Nvrtc => &["fast", "fmad", "ftz", "prec-div", "prec-sqrt"],
            Compiler::OpenCl => &[
                "fast-relaxed",
                "mad-enable",
                "unsafe-math",
                "finite-math",
                "no-signed-zeros",
                "denorms-are-zero",
                "single-precision-constant",
            ],
            Compiler::Cxx => &[
                "fast",
                "unsafe-math",
                "finite-math",
                "fp-contract",
                "associative-math",
                "reciprocal-math",
                "no-signed-zeros",
                "rounding-math",
                "daz",
                "ftz",
                "fpmath",
            ],
        }
    }
}

/// Options for one compilation, of which none relaxes arithmetic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompileOptions(Vec<String>);

impl CompileOptions {
    /// `own` (the backend's: architecture and the like), what the environment adds, and what exact arithmetic needs.
    ///
    /// # Errors
    /// When an option from the environment is not known to leave results alone.
    pub fn new(compiler: Compiler, own: &[String]) -> Result<Self, OptionError> {
        let extra = std::env::var(compiler.variable()).unwrap_or_default();
        let extra: Vec<String> = extra.split_whitespace().map(Into::into).collect();
        Self::with(compiler, own, &extra)
    }

    /// [`CompileOptions::new`] with the additions given.
    ///
    /// # Errors
    /// As there.
    pub fn with(compiler: Compiler, own: &[String], extra: &[String]) -> Result<Self, OptionError> {
        check(compiler, extra)?;
        let required = compiler.required().iter().map(|&o| o.into());
        // Last wins in all three compilers.
        let all = own.iter().cloned().chain(extra.iter().cloned());
        Ok(CompileOptions(all.chain(required).collect()))
    }

    /// Nothing but `own`, which must leave results alone: the language's defaults, for what is not held to any bits. What
    /// the environment adds is for kernels.
    #[must_use]
    pub fn defaults(own: &[String]) -> Self {
        CompileOptions(own.to_vec())
    }

    /// One string an argument.
    #[must_use]
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }
}

#[cfg(test)]
impl CompileOptions {
    /// With an option that relaxes arithmetic where it wins: for what must be caught.
    pub(super) fn relaxed(mut self, option: &str) -> Self {
        self.0.push(option.into());
        self
    }
}

impl fmt::Display for CompileOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(" "))
    }
}

/// Refuses what is not known to be harmless.
fn check(compiler: Compiler, options: &[String]) -> Result<(), OptionError> {
    let mut rest = options.iter().map(String::as_str).peekable();
    while let Some(option) = rest.next() {
        let mut value = None;
        let known = compiler.harmless().iter().any(|form| match form {
            Plain(name) => option == *name,
            Prefix(start) => option.starts_with(start),
            Valued(name) => match option.strip_prefix(name) {
                Some("") => {
                    value = rest.peek().copied();
                    value.is_some_and(|v| !v.starts_with('-'))
                }
                Some(after) => after.starts_with('='),
                None => false,
            },
        });
        if known {
            if value.is_some() {
                rest.next();
            }
            continue;
        }
        let relaxed = compiler.relaxing().iter().any(|w| option.contains(w));
        let name = option.split('=').next().unwrap_or(option);
        let replaces = |r: &&'static str| r.split('=').next() == Some(name);
        let reason = if compiler.required().iter().any(replaces) && !relaxed {
            REPLACES
        } else if relaxed {
            RELAXES
        } else {
            UNKNOWN
        };
        // `--ftz true`: name the value as well.
        let option = match rest.peek() {
            Some(v) if !v.starts_with('-') => format!("{option} {v}"),
            _ => option.into(),
        };
        return Err(OptionError {
            option,
            variable: compiler.variable(),
            reason,
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(compiler: Compiler, extra: &str) -> Result<CompileOptions, OptionError> {
        let extra: Vec<String> = extra.split_whitespace().map(Into::into).collect();
        CompileOptions::with(compiler, &["--own".into()], &extra)
    }

    #[test]
    fn relaxing_options_are_refused_in_every_spelling() {
        for (compiler, option) in [
            (Compiler::Nvrtc, "--fmad=true"),
            (Compiler::Nvrtc, "--fmad true"),
            (Compiler::Nvrtc, "-fmad true"),
            (Compiler::Nvrtc, "-fmad=true"),
            (Compiler::Nvrtc, "--ftz true"),
            (Compiler::Nvrtc, "-ftz=true"),
            (Compiler::Nvrtc, "--prec-div=false"),
            (Compiler::Nvrtc, "--prec-sqrt false"),
            (Compiler::Nvrtc, "--use_fast_math"),
            (Compiler::Nvrtc, "-use_fast_math"),
            (Compiler::Nvrtc, "--maxrregcount=32 --use_fast_math"),
            (Compiler::Nvrtc, "--maxrregcount 32 --ftz true"),
            (Compiler::OpenCl, "-cl-fast-relaxed-math"),
            (Compiler::OpenCl, "-cl-mad-enable"),
            (Compiler::OpenCl, "-cl-unsafe-math-optimizations"),
            (Compiler::OpenCl, "-cl-denorms-are-zero"),
            (Compiler::OpenCl, "-w -cl-no-signed-zeros"),
            (Compiler::Cxx, "-ffast-math"),
            (Compiler::Cxx, "-Ofast"),
            (Compiler::Cxx, "-ffp-contract=fast"),
            (Compiler::Cxx, "-O3 -ffp-contract=on"),
            (Compiler::Cxx, "-mdaz-ftz"),
        ] {
            let error = with(compiler, option).expect_err(option);
            assert_eq!(error.reason, RELAXES, "{option}");
        }
        let error = with(Compiler::Nvrtc, "-lineinfo --ftz true").expect_err("relaxes");
        assert!(error.to_string().contains("`--ftz true`"), "{error}");
        assert!(error.to_string().contains("CRUNCH_CUDA_OPTIONS"), "{error}");
    }

    #[test]
    fn unknown_options_are_refused() {
        for (compiler, option) in [
            // Either could bring relaxed arithmetic in by the back door.
            (Compiler::Nvrtc, "--options-file=x"),
            (Compiler::Nvrtc, "-D__dadd_rn(a,b)=a"),
            (Compiler::Nvrtc, "--maxrregcount"),
            (Compiler::Nvrtc, "--maxrregcount --w"),
            (Compiler::OpenCl, "-D fma=mad"),
            (Compiler::Cxx, "@file"),
        ] {
            let error = with(compiler, option).expect_err(option);
            assert_eq!(error.reason, UNKNOWN, "{option}");
        }
        let error = with(Compiler::OpenCl, "-cl-std=CL3.0").expect_err("ours");
        assert_eq!(error.reason, REPLACES);
    }

    #[test]
    fn harmless_options_come_before_the_required_ones() {
        let options = with(Compiler::Nvrtc, "--maxrregcount 32 -lineinfo").expect("harmless");
        assert_eq!(
            options.to_string(),
            "--own --maxrregcount 32 -lineinfo --fmad=false --ftz=false --prec-div=true --prec-sqrt=true"
        );
        let options = with(Compiler::Cxx, "-O3 -march=native").expect("harmless");
        assert!(
            options
                .as_slice()
                .last()
                .is_some_and(|o| o == "-ffp-contract=off")
        );
        assert!(with(Compiler::OpenCl, "-cl-opt-disable").is_ok());
    }
}
