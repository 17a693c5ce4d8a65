//! The results of a sample, as text and as JSON.

use serde_json::{Value, json};

use super::format::Format;
use super::reference::Reference;
use super::sample::{Place, Sample};
use super::tally::{Count, Part, Tally, Worst};
use super::truth::Fault;
use crate::context::Context;
use crate::failure::Failure;
use crate::progress::{rate, short};
use crate::results;
use dc_runtime::model::library::SeveralFunction;
use dc_runtime::model::several::{Kind, Several};
use dc_runtime::model::show;
use dc_runtime::search::format::share;

/// The results of a sample for a function.
pub struct Found<'a> {
    pub function: &'a SeveralFunction,
    pub reference: &'a Reference,
    pub sample: &'a Sample,
    pub tally: &'a Tally,
    pub rounds: u64,
    pub seconds: f64,
    pub stopped: bool,
}

/// The name for inputs of these types.
pub fn inputs_are(types: Several) -> &'static str {
    match types.kind {
        Kind::Three => "triples",
        Kind::Two => "numbers",
        Kind::Complex => "complex numbers",
        Kind::ComplexTwo => "pairs of complex numbers",
    }
}

/// Arguments or results as decimals and as bits.
pub fn shown(types: Several, words: &[u64]) -> String {
    let decimal = types.show(words, show::decimal);
    format!("{decimal} = {}", types.show(words, show::bits))
}

/// A share in percent that is never rounded up to 100.
pub fn percent(part: u64, of: u64) -> String {
    match part == of {
        true => "all".into(),
        false => format!("{:.4} %", (1e6 * share(part, of)).floor() / 1e4),
    }
}

impl Found<'_> {
    pub fn types(&self) -> Several {
        self.function.types()
    }

    pub fn arguments(&self, place: Place) -> String {
        let tuple = self.sample.at(place);
        let types = self.types();
        shown(types, &tuple[..types.arguments()])
    }

    pub fn results(&self, results: [u64; 2]) -> String {
        let types = self.types();
        shown(types, &results[..types.results()])
    }

    fn values(&self, values: &[String; 2]) -> String {
        match self.types().results() {
            1 => values[0].clone(),
            _ => format!("({}, {})", values[0], values[1]),
        }
    }

    pub fn print(&self, context: &mut Context) -> Result<(), Failure> {
        let tally = self.tally;
        let types = self.types();
        let mut lines = vec![
            format!(
                "{}: {} {} in {} ({})",
                self.function.symbol(),
                show::count(tally.inputs.into()),
                inputs_are(types),
                show::seconds(self.seconds),
                rate(tally.inputs as f64 / self.seconds.max(1e-9))
            ),
            format!("function      {} of {types}", self.function.full_name()),
            format!("reference     {}", self.reference.describe()),
            "sample        stratified, not exhaustive: other inputs may have larger errors".into(),
        ];
        for line in lines.drain(..) {
            context.out.line(&show::plain(&line))?;
        }
        context.out.table(&self.strata())?;
        let least = tally.strata.iter().skip(1).map(|s| s.0).min();
        // With n inputs, what occurs at one in n / 3 is missed with a probability of exp(-3).
        lines.push(format!(
            "  what occurs at one in {} inputs of a stratum is in the sample with 95 %",
            show::count((least.unwrap_or(0) / 3).into())
        ));
        for (n, part) in tally.parts.iter().enumerate() {
            lines.extend(self.part(types.parts()[n], part));
        }
        if let Some(worst) = &tally.norm {
            let format = Format::of(types.number);
            lines.push(format!(
                "norm          worst error {} eps, |result - value| / |value| in units of 2^{}",
                short(worst.error),
                1 - format.digits
            ));
            lines.extend(self.worst(worst));
        }
        lines.push(
            "no run file: `run --time` takes a larger sample, `at` shows single inputs".into(),
        );
        for line in lines {
            context.out.line(&show::plain(&line))?;
        }
        Ok(())
    }

    /// The strata, with the largest error in each.
    fn strata(&self) -> Vec<Vec<String>> {
        let parts = self.types().parts();
        let mut head = vec!["  stratum".to_string(), "inputs".into()];
        head.extend(parts.iter().map(|p| match parts.len() {
            1 => "worst ULP".into(),
            _ => format!("{p} ULP"),
        }));
        let mut rows = vec![head];
        for (n, (inputs, worst)) in self.tally.strata.iter().enumerate() {
            let mut row = vec![
                format!("  {}", self.sample.name(n)),
                show::count((*inputs).into()),
            ];
            row.extend(worst.iter().take(parts.len()).map(|w| short(*w)));
            rows.push(row);
        }
        rows
    }

    fn worst(&self, worst: &Worst) -> Vec<String> {
        vec![
            format!("  at          {}", self.arguments(worst.place)),
            format!("  result      {}", self.results(worst.results)),
            format!("  reference   {}", self.values(&worst.values)),
        ]
    }

    fn part(&self, name: &str, part: &Part) -> Vec<String> {
        let mut lines = Vec::new();
        match &part.worst {
            None => lines.push(format!("{name:13} no input has an error")),
            Some(worst) => {
                lines.push(format!("{name:13} worst error {} ULP", short(worst.error)));
                lines.extend(self.worst(worst));
            }
        }
        let of = |n: u64| percent(n, part.measured);
        lines.push(format!(
            "  shares      of {} numbers: correctly rounded {}, within 1 ULP {}, within 2 ULP {}",
            show::count(part.measured.into()),
            of(part.nearest),
            of(part.one),
            of(part.two)
        ));
        if part.undecided > 0 {
            lines.push(format!(
                "  undecided   {}: the reference cannot tell which number is nearest",
                show::count(part.undecided.into())
            ));
        }
        if part.not_judged > 0 {
            lines.push(format!(
                "  not judged  {}: {}",
                show::count(part.not_judged.into()),
                self.reference.undefined()
            ));
        }
        let faults = self.faults(part);
        for (n, fault) in faults.iter().enumerate() {
            let name = if n == 0 { "  faults" } else { "" };
            lines.push(format!("{name:13} {fault}"));
        }
        if faults.is_empty() {
            lines.push("  faults      none".into());
        }
        lines
    }

    /// Each kind of fault of a part, with the number of occurrences and the first place.
    pub fn faults(&self, part: &Part) -> Vec<String> {
        let all = Fault::ALL.iter().zip(&part.faults);
        let shown = |(fault, found): (&Fault, &Count)| {
            let (place, results, values) = found.first.as_ref()?;
            Some(format!(
                "{} {}, first at {}: {}, not {}",
                show::count(found.count.into()),
                fault.name(),
                self.arguments(*place),
                self.results(*results),
                self.values(values)
            ))
        };
        all.filter_map(shown).collect()
    }

    pub fn document(&self) -> Value {
        let types = self.types();
        let tally = self.tally;
        let format = Format::of(types.number);
        let strata = tally.strata.iter().enumerate().map(|(n, (inputs, worst))| {
            json!({
                "stratum": self.sample.name(n),
                "inputs": inputs,
                "max_ulp": worst[..types.results()].iter().map(|w| results::error(*w)).collect::<Vec<_>>(),
            })
        });
        json!({
            "function": self.function.full_name(),
            "signature": types.to_string(),
            "reference": self.reference.describe(),
            "exhaustive": false,
            "stopped": self.stopped,
            "inputs": tally.inputs,
            "rounds": self.rounds,
            "seconds": self.seconds,
            "strata": strata.collect::<Vec<_>>(),
            "parts": self.parts_json(),
            "norm": tally.norm.as_ref().map(|w| json!({
                "unit": format!("2^{}", 1 - format.digits),
                "worst": self.worst_json(w),
            })),
        })
    }

    /// The results for each part.
    pub fn parts_json(&self) -> Vec<Value> {
        let parts = self.tally.parts.iter().enumerate().map(|(n, part)| {
            json!({
                "part": self.types().parts()[n],
                "worst": part.worst.as_ref().map(|w| self.worst_json(w)),
                "numbers": part.measured,
                "correctly_rounded": part.nearest,
                "within_1_ulp": part.one,
                "within_2_ulp": part.two,
                "undecided": part.undecided,
                "not_judged": part.not_judged,
                "faults": self.faults_json(&part.faults),
            })
        });
        parts.collect()
    }

    pub fn words(&self, words: &[u64]) -> Vec<Value> {
        let precision = self.types().number.precision();
        let all = words.iter().map(|w| results::word(precision, *w));
        all.collect()
    }

    fn worst_json(&self, worst: &Worst) -> Value {
        json!({
            "error": results::error(worst.error),
            "at": self.place_json(worst.place),
            "results": self.words(&worst.results[..self.types().results()]),
            "reference": &worst.values[..self.types().results()],
        })
    }

    pub fn place_json(&self, place: Place) -> Vec<Value> {
        let tuple = self.sample.at(place);
        self.words(&tuple[..self.types().arguments()])
    }

    fn faults_json(&self, faults: &[Count; 4]) -> Value {
        let count = self.types().results();
        let all = Fault::ALL.iter().zip(faults).map(|(fault, found)| {
            json!({
                "fault": fault.name(),
                "count": found.count,
                "first": found.first.as_ref().map(|(place, results, values)| json!({
                    "at": self.place_json(*place),
                    "results": self.words(&results[..count]),
                    "reference": &values[..count],
                })),
            })
        });
        Value::Array(all.collect())
    }
}
