//! The complete, checked request, and the command that makes it.

use std::path::Path;

use dc_design::spec::{Format, Tolerance, Unit};
use dc_design::subject::Subject;
use dc_design::target::Target;
use dc_design::time::Clock;
use dc_design::variable::Variable;
use dc_runtime::builtins::reference::Reference;
use dc_runtime::model::key::Precision;
use dc_runtime::search::range::{Range, quote};
use dc_runtime::sweep::Sweep;

use crate::args::DesignArgs;
use crate::context::{shell, sweep_of};
use crate::failure::Failure;

/// A request.
pub(super) struct Asked {
    pub subject: Subject,
    pub range: Range,
    /// The range as it was written, without spaces.
    pub written: String,
    pub format: Format,
    pub tolerance: Tolerance,
    pub variable: Option<Variable>,
    pub fused: bool,
    pub target: Target,
    pub clock: Clock,
    /// The kernel's name.
    pub name: String,
    pub pick: Option<usize>,
    pub finalists: u16,
    pub proof: f64,
}

/// The number of designs that are searched at all inputs.
const FINALISTS: u16 = 8;
/// The seconds of a proof.
const PROOF: f64 = 60.0;

impl Asked {
    /// Checks the arguments. `--against` names one of the sweeps.
    pub fn read(args: &DesignArgs, sweeps: &[Sweep]) -> Result<Asked, Failure> {
        let missing = |what: &str| Failure::input(format!("{what} is missing: name one"));
        let range = args.range.as_ref().ok_or(missing("--range"))?;
        let subject = match (&args.against, &args.function) {
            (Some(name), _) => Subject::own(sweep_of(sweeps, name)?).map_err(Failure::input)?,
            (None, Some(name)) => library(name)?,
            (None, None) => return Err(missing("the function")),
        };
        let precision = args.precision.as_deref().unwrap_or("f32");
        let format = Format::by_name(precision).ok_or_else(|| {
            Failure::input(format!(
                "--precision {}: the formats are f64, f32, f16 and bf16",
                quote(precision)
            ))
        })?;
        let tolerance = args.within.as_deref().unwrap_or("1.0ulp");
        let tolerance = Tolerance::parse(tolerance).map_err(Failure::input)?;
        if format == Format::F64 {
            provable(&subject, tolerance)?;
        }
        if tolerance == Tolerance::Correct && format == Format::F32 && !subject.decides() {
            return Err(Failure::input(format!(
                "--against {}: its reference has one word, which does not decide how a value rounds; let it return `DcDoubleDouble`, or \
                 give a tolerance such as `0.51ulp` with --within",
                subject.name
            )));
        }
        let variable = args.variable.as_deref().map(Variable::parse).transpose();
        let variable = variable.map_err(|e| Failure::input(format!("--variable {e}")))?;
        let target = match &args.set {
            None => Target::Widest,
            Some(name) => Target::by_name(name)
                .map_err(|why| Failure::input(format!("--for {}: {why}", quote(name))))?,
        };
        let clock = match args.times.as_deref() {
            None | Some("loop") => Clock::Loop,
            Some("map") => Clock::Map,
            Some(other) => {
                return Err(Failure::input(format!(
                    "--times {}: the times are `loop` and `map`",
                    quote(other)
                )));
            }
        };
        let precision = match format {
            Format::F64 => Precision::F64,
            _ => Precision::F32,
        };
        let written: String = range.chars().filter(|c| !c.is_whitespace()).collect();
        let range = Range::parse(range, precision).map_err(|e| Failure::input(e.to_string()))?;
        let name = args.name.clone();
        let name = name.unwrap_or_else(|| default_name(&subject, format));
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if !name.chars().all(letter)
            || name.is_empty()
            || name.starts_with(|c: char| c.is_ascii_digit())
        {
            return Err(Failure::input(format!(
                "--name {}: a kernel's name consists of letters, digits and `_`, such as `exp_f32`",
                quote(&name)
            )));
        }
        Ok(Asked {
            subject,
            range,
            written,
            format,
            tolerance,
            variable,
            fused: !args.unfused,
            target,
            clock,
            name,
            pick: args.pick,
            finalists: args.finalists.unwrap_or(FINALISTS),
            proof: args.proof.unwrap_or(PROOF),
        })
    }

    /// The command that makes this request, in the form used in heads: independent of the program's name, and with the file's name only, since
    /// a file can be moved.
    pub fn command(&self, file: Option<&Path>) -> String {
        let format = self.format.name();
        let of = match self.subject.known {
            Some(function) => function.name.into(),
            None => format!("--against {}", shell(Path::new(self.subject.name))),
        };
        // A value with a minus sign is not an option.
        let range = match self.written.starts_with('-') {
            true => format!("--range={}", self.written),
            false => format!("--range {}", self.written),
        };
        let mut words = vec![
            format!("crunch design {of} {range}"),
            format!("--precision {format}"),
            format!("--within {}", self.tolerance),
        ];
        if let Some(variable) = &self.variable {
            words.push(format!("--variable {}", shell(Path::new(variable.text()))));
        }
        if !self.fused {
            words.push("--unfused".into());
        }
        if self.target != Target::Widest {
            words.push(format!("--for {}", self.target.name()));
        }
        if self.clock == Clock::Map {
            words.push("--times map".into());
        }
        if self.name != default_name(&self.subject, self.format) {
            words.push(format!("--name {}", self.name));
        }
        if let Some(number) = self.pick {
            words.push(format!("--pick {number}"));
        }
        if self.finalists != FINALISTS {
            words.push(format!("--finalists {}", self.finalists));
        }
        if self.format == Format::F64 && self.proof != PROOF {
            words.push(format!("--proof {}s", self.proof));
        }
        if let Some(name) = file.and_then(Path::file_name) {
            words.push(format!("-o {}", shell(Path::new(name))));
        }
        words.join(" ")
    }
}

/// A function of the library.
fn library(name: &str) -> Result<Subject, Failure> {
    let function = Reference::by_name(name).map_err(|e| Failure::input(e.to_string()))?;
    if function.function.arguments() != 1 {
        return Err(Failure::input(format!(
            "`{}` is a function of two arguments, and designs have one",
            function.name
        )));
    }
    Subject::of(function).map_err(Failure::input)
}

/// The kernel's name if none is given. A sweep's name may contain characters that a kernel's name cannot.
fn default_name(subject: &Subject, format: Format) -> String {
    format!("{}_{}", subject.name.replace('-', "_"), format.name())
}

/// Refuses requests that cannot be proven in binary64.
fn provable(subject: &Subject, tolerance: Tolerance) -> Result<(), Failure> {
    let name = subject.name;
    if subject.known.is_none() {
        return Err(Failure::input(format!(
            "--against {name}: the derivatives of a reference are not known, so no design of it in f64 is proven; --precision f32 runs \
             every input"
        )));
    }
    if dc_design::proof::law(name).is_none() {
        return Err(Failure::input(format!(
            "`{name}` has no known derivatives, so no design of it in f64 is proven; --precision f32 runs every input"
        )));
    }
    match tolerance {
        Tolerance::Within(_, Unit::Ulp | Unit::Relative) => Ok(()),
        _ => Err(Failure::input(format!(
            "--within {tolerance}: errors in f64 are proven in ULP; name `0.51ulp` or `1e-6rel`"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::again::arguments;
    use super::*;

    /// The command of a request that is parsed from a command, and the command of the request that is parsed from that.
    fn command(text: &str) -> String {
        let asked =
            Asked::read(&arguments(text).expect(text), &[]).unwrap_or_else(|e| panic!("{e:?}"));
        asked.command(Some(Path::new("/some/where/a kernel.rs")))
    }

    #[test]
    fn a_command_asks_for_what_it_was_made_from() {
        let end = "-o 'a kernel.rs'";
        for (given, canonical) in [
            (
                "/x/debug/crunch design exp --range '0.5 .. 1' -o k.rs",
                "exp --range 0.5..1 --precision f32 --within 1ulp",
            ),
            (
                "own design sin --range=-0x1p-1..=0.5,1..2 --precision f64 --within 0.51ulp --proof 90s --time 5s -q",
                "sin --range=-0x1p-1..=0.5,1..2 --precision f64 --within 0.51ulp --proof 90s",
            ),
            (
                "crunch design tanh --range all --precision f16 --within 1e-3abs --name t --pick 2 --finalists 3 --plot f.svg --for scalar",
                "tanh --range all --precision f16 --within 1e-3abs --for scalar --name t --pick 2 --finalists 3",
            ),
            (
                "crunch design atan --range 1..8 --unfused --variable ' 1 / x'",
                "atan --range 1..8 --precision f32 --within 1ulp --variable '1 / x' --unfused",
            ),
            (
                "crunch design exp --range all --within correctly-rounded --name exp_f32 --finalists 8 --proof 7s",
                "exp --range all --precision f32 --within correctly-rounded",
            ),
        ] {
            let canonical = format!("crunch design {canonical} {end}");
            assert_eq!(command(given), canonical);
            assert_eq!(command(&canonical), canonical);
        }
    }
}
