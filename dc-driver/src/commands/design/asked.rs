//! What is asked for, complete and checked, and the command that asks for it.

use std::path::Path;

use dc_design::spec::{Format, Tolerance, Unit};
use dc_design::target::Target;
use dc_runtime::builtins::reference::Reference;
use dc_runtime::model::key::Precision;
use dc_runtime::search::range::{Range, quote};

use crate::args::DesignArgs;
use crate::context::shell;
use crate::failure::Failure;

/// A request.
pub(super) struct Asked {
    pub function: &'static Reference,
    pub range: Range,
    /// The range as it was written, without spaces.
    pub written: String,
    pub format: Format,
    pub tolerance: Tolerance,
    pub target: Target,
    /// The kernel's name.
    pub name: String,
    pub pick: Option<usize>,
    pub finalists: u16,
    pub proof: f64,
}

/// How many designs are searched at all inputs.
const FINALISTS: u16 = 8;
/// The seconds of a proof.
const PROOF: f64 = 60.0;

impl Asked {
    /// Checks the arguments.
    pub fn read(args: &DesignArgs) -> Result<Asked, Failure> {
        let missing = |what: &str| Failure::input(format!("{what} is missing: name one"));
        let function = args.function.as_ref().ok_or(missing("the function"))?;
        let range = args.range.as_ref().ok_or(missing("--range"))?;
        let function = Reference::by_name(function).map_err(|e| Failure::input(e.to_string()))?;
        if function.function.arguments() != 1 {
            return Err(Failure::input(format!(
                "`{}` is a function of two arguments, and designs are of one",
                function.name
            )));
        }
        let precision = args.precision.as_deref().unwrap_or("f32");
        let format = Format::by_name(precision).ok_or_else(|| {
            Failure::input(format!(
                "--precision {}: designs are of f64, f32, f16 and bf16",
                quote(precision)
            ))
        })?;
        let tolerance = args.within.as_deref().unwrap_or("1.0ulp");
        let tolerance = Tolerance::parse(tolerance).map_err(Failure::input)?;
        if format == Format::F64 {
            provable(function.name, tolerance)?;
        }
        let target = match &args.set {
            None => Target::Widest,
            Some(name) => Target::by_name(name)
                .map_err(|why| Failure::input(format!("--for {}: {why}", quote(name))))?,
        };
        let precision = match format {
            Format::F64 => Precision::F64,
            _ => Precision::F32,
        };
        let written: String = range.chars().filter(|c| !c.is_whitespace()).collect();
        let range = Range::parse(range, precision).map_err(|e| Failure::input(e.to_string()))?;
        let name = args.name.clone();
        let name = name.unwrap_or_else(|| format!("{}_{}", function.name, format.name()));
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if !name.chars().all(letter)
            || name.is_empty()
            || name.starts_with(|c: char| c.is_ascii_digit())
        {
            return Err(Failure::input(format!(
                "--name {}: a kernel's name is of letters, digits and `_`, as `exp_f32`",
                quote(&name)
            )));
        }
        Ok(Asked {
            function,
            range,
            written,
            format,
            tolerance,
            target,
            name,
            pick: args.pick,
            finalists: args.finalists.unwrap_or(FINALISTS),
            proof: args.proof.unwrap_or(PROOF),
        })
    }

    /// The command that asks for this, in the form in which heads have it: whatever the program was called as, and with the file's name alone,
    /// for a file can be moved.
    pub fn command(&self, file: Option<&Path>) -> String {
        let (name, format) = (self.function.name, self.format.name());
        // A value with a minus is no option.
        let range = match self.written.starts_with('-') {
            true => format!("--range={}", self.written),
            false => format!("--range {}", self.written),
        };
        let mut words = vec![
            format!("crunch design {name} {range}"),
            format!("--precision {format}"),
            format!("--within {}", self.tolerance),
        ];
        if self.target != Target::Widest {
            words.push(format!("--for {}", self.target.name()));
        }
        if self.name != format!("{name}_{format}") {
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

/// Refuses what is not proven in binary64.
fn provable(function: &str, tolerance: Tolerance) -> Result<(), Failure> {
    if dc_design::proof::law(function).is_none() {
        return Err(Failure::input(format!(
            "`{function}` has no known derivatives, so no design of it in f64 is proven; --precision f32 runs every input"
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

    /// The command of a request that is read from a command, and again from that.
    fn command(text: &str) -> String {
        let asked = Asked::read(&arguments(text).expect(text)).unwrap_or_else(|e| panic!("{e:?}"));
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
