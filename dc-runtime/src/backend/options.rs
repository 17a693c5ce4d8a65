//! Compile options. They are assembled only here, and none may relax arithmetic.
//!
//! Options that the user adds through the environment are compared with a list of options that are known not to change results. All others
//! are refused. A list of *bad* options would be incomplete: one project's check missed `--ftz true`, written as two arguments.

use std::fmt;

/// A compiler for which options are assembled.
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
    /// The option as given, with its value.
    pub option: String,
    /// The environment variable that contains it.
    pub variable: &'static str,
    /// The reason.
    pub reason: &'static str,
}

const RELAXES: &str = "it relaxes arithmetic, and results would differ between backends";
const UNKNOWN: &str = "it is not on the list of options known to leave results alone";
const REPLACES: &str = "it would undo an option that keeps arithmetic exact";

/// The form of an option.
enum Form {
    /// Exactly this option.
    Plain(&'static str),
    /// This option with a value, as `name=value` or in the next argument.
    Valued(&'static str),
    /// Any option that begins so.
    Prefix(&'static str),
}
use Form::{Plain, Prefix, Valued};

impl Compiler {
    /// The environment variable with additional options, separated by spaces.
    #[must_use]
    pub const fn variable(self) -> &'static str {
        match self {
            Compiler::Nvrtc => "CRUNCH_CUDA_OPTIONS",
            Compiler::OpenCl => "CRUNCH_OPENCL_OPTIONS",
            Compiler::Cxx => "CRUNCH_CXXFLAGS",
        }
    }

    /// Options without which results would not be exact.
    const fn required(self) -> &'static [&'static str] {
        match self {
            // The defaults of `fmad`, and of the other three under `-use_fast_math`, are the opposite.
            Compiler::Nvrtc => &[
                "--fmad=false",
                "--ftz=false",
                "--prec-div=true",
                "--prec-sqrt=true",
            ],
            // The text itself has FP_CONTRACT OFF: OpenCL has no option for it.
            Compiler::OpenCl => &["-cl-std=CL1.2"],
            // The text includes headers of C alone, and C++'s own around them take half of the time of a short kernel.
            Compiler::Cxx => &[
                "-std=c++17",
                "-nostdinc++",
                "-fPIC",
                "-shared",
                "-w",
                "-ffp-contract=off",
            ],
        }
    }

    /// Options that do not change results.
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

    /// Words that occur in options that relax arithmetic, used only for the reason of a refusal.
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

/// Options for one compilation, none of which relaxes arithmetic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompileOptions(Vec<String>);

impl CompileOptions {
    /// The backend's options `own` (such as the architecture), those added by the environment, and those that exact arithmetic requires.
    ///
    /// # Errors
    /// If an option from the environment is not known to leave results unchanged.
    pub fn new(compiler: Compiler, own: &[String]) -> Result<Self, OptionError> {
        let extra = std::env::var(compiler.variable()).unwrap_or_default();
        let extra: Vec<String> = extra.split_whitespace().map(Into::into).collect();
        Self::with(compiler, own, &extra)
    }

    /// The same as [`CompileOptions::new`], with the given additions instead of the environment's.
    ///
    /// # Errors
    /// As for [`CompileOptions::new`].
    pub fn with(compiler: Compiler, own: &[String], extra: &[String]) -> Result<Self, OptionError> {
        check(compiler, extra)?;
        let required = compiler.required().iter().map(|&o| o.into());
        // In all three compilers the last option takes effect.
        let all = own.iter().cloned().chain(extra.iter().cloned());
        Ok(CompileOptions(all.chain(required).collect()))
    }

    /// Only `own`, which must not change results: the language's defaults, for texts whose bits are not compared. The environment's
    /// additions are only for kernels.
    #[must_use]
    pub fn defaults(own: &[String]) -> Self {
        CompileOptions(own.to_vec())
    }

    /// The options, one string per argument.
    #[must_use]
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }
}

#[cfg(test)]
impl CompileOptions {
    /// The options with one that relaxes arithmetic, placed where it takes effect: for tests, which must notice it.
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

/// Refuses options that are not known to be harmless.
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
        // `--ftz true`: the message names the value as well.
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
            // Either could bring in relaxed arithmetic indirectly.
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
