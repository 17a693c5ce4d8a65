//! The goals of a script: a kernel's results, rounded and exact.

use super::{GappaGoal, Statement, Term, Writer, twin};
use crate::emit::EmitError;
use crate::program::Func;
use std::sync::Arc;

impl Writer {
    /// The results as goals; for a double-double, the sum of its parts.
    pub(super) fn goals(
        &mut self,
        entry: &Func,
        results: &[Term],
    ) -> Result<Vec<GappaGoal>, EmitError> {
        let mut parts = entry.results.iter().map(|&r| entry.ty(r)).zip(results);
        let mut goals = Vec::new();
        let kinds = kinds(entry);
        self.origin = (Arc::clone(&entry.origin), entry.origin.line);
        for (i, double) in kinds.iter().enumerate() {
            let mut number = || match parts.next() {
                Some((prim, Term::Number { rounded, exact, by })) if prim.is_float() => {
                    Some((prim, rounded, exact, *by))
                }
                _ => None,
            };
            let Some((prim, rounded, exact, by)) = number() else {
                return self.refuse(
                    "Gappa has no form for a result that is no float",
                    "emit a kernel that returns floats",
                );
            };
            let mut goal = GappaGoal {
                rounded: rounded.clone(),
                exact: exact.clone(),
                prim,
            };
            let mut needs: Vec<usize> = by.into_iter().collect();
            let plain = |c: &str| !c.starts_with(|c: char| c.is_ascii_alphabetic());
            let sum = if *double {
                let (_, lo, exact_lo, by) = number().expect("a double-double is two values");
                needs.extend(by);
                Some((format!("{rounded} + {lo}"), format!("{exact} + {exact_lo}")))
            } else if plain(rounded) || rounded == exact {
                // A goal needs two names.
                Some((format!("{rounded} + 0"), format!("{exact} - 0")))
            } else {
                None
            };
            if let Some((sum, exact_sum)) = sum {
                let stem = match kinds.len() {
                    1 => "result".to_string(),
                    _ => format!("result_{i}"),
                };
                goal.rounded = self.fresh(&stem, true);
                goal.exact = twin(&goal.rounded);
                let text = format!("{} = {sum};\n{} = {exact_sum};\n", goal.rounded, goal.exact);
                self.statements.push(Statement {
                    origin: self.origin.clone(),
                    text,
                    needs: Vec::new(),
                });
                needs.push(self.statements.len() - 1);
            }
            // The values that a result needs and nothing else does: the last statement of all.
            self.statements.push(Statement {
                origin: self.origin.clone(),
                text: String::new(),
                needs,
            });
            goals.push(goal);
        }
        Ok(goals)
    }
}

/// The results of a type, in order; whether each is a double-double.
fn kinds(entry: &Func) -> Vec<bool> {
    let mut kinds = Vec::new();
    let mut at = 0;
    while at < entry.results.len() {
        let double = entry.origin.double_doubles.contains(&at);
        kinds.push(double);
        at += 1 + usize::from(double);
    }
    kinds
}
