//! What was found, made small.

use std::path::Path;
use std::sync::Arc;

use doublecrunch::backend::Backend;
use doublecrunch::search::points;

use super::Slice;
use crate::ast::Unit;
use crate::compare::{Finding, What};
use crate::{compare, cpu, fault_injection, inputs, regressions, shrink};

impl Slice {
    /// Makes what was found small, shows it and saves it.
    pub(super) fn small(
        &self,
        finding: &Finding,
        backends: &[Arc<dyn Backend>],
        fault: Option<&'static fault_injection::Fault>,
        number: u64,
        save: Option<&Path>,
    ) {
        let unit = &self.units[finding.unit];
        let columns = inputs::columns(self.seed, self.rows);
        let Some(backend) = backends.iter().find(|b| b.id() == finding.backend) else {
            return self.small_in_rust(unit, finding, fault, &columns, number, save);
        };
        let mut oracle = TextOracle {
            columns: &columns,
            backends: &[backends[0].clone(), backend.clone()],
        };
        let small = shrink::shrink(unit, &mut oracle);
        let findings = compare::compare(std::slice::from_ref(&small), &columns, oracle.backends);
        self.report(
            &small,
            findings.first().unwrap_or(finding),
            &columns,
            number,
            save,
        );
    }

    fn small_in_rust(
        &self,
        unit: &Unit,
        finding: &Finding,
        fault: Option<&'static fault_injection::Fault>,
        columns: &[Vec<u64>],
        number: u64,
        save: Option<&Path>,
    ) {
        if self.prebuilt.is_some() {
            println!("not made small: that needs a compiler");
            return;
        }
        let mut oracle = RustOracle {
            slice: self,
            builder: cpu::Builder::new(&self.folder, &self.profile),
            backend: &finding.backend,
            fault,
        };
        let small = shrink::shrink(unit, &mut oracle);
        let found = oracle.findings(std::slice::from_ref(&small));
        self.report(
            &small,
            found.first().unwrap_or(finding),
            columns,
            number,
            save,
        );
    }

    fn report(
        &self,
        small: &Unit,
        finding: &Finding,
        columns: &[Vec<u64>],
        number: u64,
        save: Option<&Path>,
    ) {
        let operations = shrink::operations(small).unwrap_or_default();
        let describe = describe(small, finding, columns);
        println!("made small, {operations} operations: {describe}");
        let name = format!("k{number}_{:x}", self.seed & 0xffff_ffff);
        let text = regressions::file(small, finding, columns, &describe);
        println!("{text}");
        if let Some(folder) = save
            && let Err(e) = regressions::save(folder, &name, &text)
        {
            println!("it could not be saved in {}: {e}", folder.display());
        }
    }
}

/// Kernels as trees, on the backend that differs and the one it differs from.
pub struct TextOracle<'a> {
    /// The inputs.
    pub columns: &'a [Vec<u64>],
    /// The two.
    pub backends: &'a [Arc<dyn Backend>],
}

impl shrink::Oracle for TextOracle<'_> {
    fn together(&self) -> usize {
        compare::TOGETHER
    }
    fn fails(&mut self, units: &[Unit]) -> Vec<bool> {
        let findings = compare::compare(units, self.columns, self.backends);
        failing(units.len(), &findings)
    }
}

/// Kernels as Rust source; of a refusal, any.
struct RustOracle<'a> {
    slice: &'a Slice,
    builder: cpu::Builder,
    backend: &'a str,
    fault: Option<&'static fault_injection::Fault>,
}

impl RustOracle<'_> {
    fn findings(&self, units: &[Unit]) -> Vec<Finding> {
        let injected: Vec<_> = units
            .iter()
            .map(|u| fault_injection::in_rust(u, self.fault))
            .collect();
        let outcome = self
            .builder
            .run(units, &injected, self.slice.seed, self.slice.rows);
        let mut findings = outcome.map(|o| o.findings).unwrap_or_default();
        findings.retain(|f| f.backend == self.backend);
        findings
    }
}

impl shrink::Oracle for RustOracle<'_> {
    fn together(&self) -> usize {
        cpu::TOGETHER
    }
    fn fails(&mut self, units: &[Unit]) -> Vec<bool> {
        failing(units.len(), &self.findings(units))
    }
}

fn failing(units: usize, findings: &[Finding]) -> Vec<bool> {
    let mut fails = vec![false; units];
    for f in findings {
        fails[f.unit] = true;
    }
    fails
}

/// A finding in a few words.
#[must_use]
pub fn describe(unit: &Unit, finding: &Finding, columns: &[Vec<u64>]) -> String {
    let backend = &finding.backend;
    match &finding.what {
        What::Refused(why) => format!("{backend}: {why}"),
        What::Differs {
            row,
            result,
            want,
            got,
        } => {
            let inputs: Vec<String> = unit
                .columns()
                .iter()
                .map(|&c| points::text(inputs::prim(c), columns[c][*row]))
                .collect();
            let prim = unit.entry().ret.prims()[*result];
            format!(
                "result {result} of {} is {} on {backend}, {} on the interpreter",
                inputs.join(", "),
                points::text(prim, *got),
                points::text(prim, *want)
            )
        }
    }
}
