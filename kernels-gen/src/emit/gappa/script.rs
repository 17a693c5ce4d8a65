//! The text: the statements that a goal depends on, the hypotheses and the question.

use super::{GappaGoal, GappaRequest, Writer};
use crate::emit::source::{comment, file_name, reference};
use crate::program::Func;
use std::fmt::Write as _;

/// The beginning of every script.
const HEAD: &str = "\
#
# Each value stands here twice: as the kernel rounds it, and, with M before its name, computed from the same inputs
# without any rounding. One operation of the kernel is one rounding; a fused multiply-add is one.
# The formats have subnormals but no largest number: a bound holds for inputs where no operation overflows.

@f64 = float<ieee_64,ne>;
@f32 = float<ieee_32,ne>;

";

impl Writer {
    pub(super) fn finish(
        &self,
        entry: &Func,
        hypotheses: &str,
        goals: &[GappaGoal],
        request: &GappaRequest,
    ) -> String {
        let origin = &entry.origin;
        let mut text = format!(
            "# {}::{}, {}:{}: how far rounding takes it from its exact value.\n",
            comment(&origin.module),
            comment(&entry.name),
            comment(file_name(origin)),
            origin.line
        );
        text.push_str(HEAD);
        text.push_str(&self.inputs);
        let live = self.live();
        let mut last = None;
        for (statement, _) in self.statements.iter().zip(&live).filter(|s| *s.1) {
            let here = Some(&statement.origin);
            if here != last && !statement.text.is_empty() {
                last = here;
                let (origin, line) = &statement.origin;
                let _ = writeln!(text, "\n# {}", reference(origin, *line));
            }
            text.push_str(&statement.text);
        }
        let asked: Vec<String> = goals
            .iter()
            .flat_map(
                |GappaGoal {
                     rounded: r,
                     exact: m,
                     ..
                 }| {
                    [
                        format!("|{r} - {m}| in ?"),
                        format!("{r} -/ {m} in ?"),
                        format!("|{m}| in ?"),
                    ]
                },
            )
            .collect();
        let _ = write!(
            text,
            "\n# Largest absolute error, relative error, and size of the exact value.\n{{ {hypotheses}\n  -> {} }}\n",
            asked.join("\n  /\\ ")
        );
        if !request.hints.trim().is_empty() {
            let _ = write!(
                text,
                "\n# Hints, as they were given.\n{}\n",
                request.hints.trim_end()
            );
        }
        text
    }

    /// For each statement, whether a goal depends on it. The statements of a goal are those without text, with everything that they need.
    fn live(&self) -> Vec<bool> {
        let mut live: Vec<bool> = self.statements.iter().map(|s| s.text.is_empty()).collect();
        for i in (0..live.len()).rev() {
            if live[i] {
                for &n in &self.statements[i].needs {
                    live[n] = true;
                }
            }
        }
        live
    }
}
