//! The bound of a routine of two arguments, over all pairs of a range.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use dc_exact::pairs::{PairBox, PairsBound, Sign, Span, Subject, bound_pairs, certificate};
use serde_json::{Value, json};

use super::certified::Certificate;
use crate::args::BoundCommandArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::proven::Limit;
use crate::proven::wording::up;
use crate::{exit, results};
use dc_runtime::model::show;
use dc_runtime::search::certify::pairs::{PairSubject, format};
use dc_runtime::search::evaluator::PointEvaluator;
use dc_runtime::search::range::Range;
use dc_runtime::sweep::Sweep;

/// The number of pairs of the sample that are run afterwards.
const NET: i64 = 1 << 16;
/// The largest share of the pairs that a bound may leave out.
const LEFT_OUT: f64 = 0.01;
/// The precision with which a bound is compared with errors, which are known by a reference of two words.
const SLACK: f64 = 1e-9;

/// The pairs that were run, with the largest error.
struct Net {
    pairs: u64,
    worst: f64,
    at: String,
}

pub(super) fn bound(
    args: &BoundCommandArgs,
    sweep: &Sweep,
    limit: Limit<'_>,
    context: &mut Context,
) -> Result<(), Failure> {
    if args.claim.is_some() {
        return Err(Failure::input(
            "--claim: the certificate of a bound over pairs claims the bound",
        ));
    }
    if args.at.is_some() {
        return Err(Failure::input(
            "--at: what each rounding adds is known only for routines of one argument; `crunch trace` shows a pair",
        ));
    }
    let text = args.bound.range.as_deref().unwrap_or(sweep.range());
    let range = Range::parse(text, sweep.inputs()).map_err(|e| Failure::input(e.to_string()))?;
    let subject = PairSubject::of(sweep, &range)?;
    let begun = Instant::now();
    let cut_short = AtomicBool::new(false);
    let ends = || {
        let ends = limit.ends();
        if ends {
            cut_short.store(true, Ordering::Relaxed);
        }
        ends
    };
    let bound = bound_pairs(
        &subject.program,
        subject.function,
        &subject.boxes,
        args.bound.cells,
        limit.threads.unwrap_or(0),
        &ends,
    );
    let time = begun.elapsed().as_secs_f64();
    let net = net(sweep, &range, &bound)?;
    let share = bound.without() as f64 / (subject.pairs as f64);
    let certificate = match &args.certificate {
        Some(path) => {
            let about = Subject {
                sweep: sweep.name(),
                program: &subject.program,
                function: subject.function,
                boxes: &subject.boxes,
            };
            let proven = (share <= LEFT_OUT)
                .then(|| certificate(about, &bound))
                .flatten();
            match proven {
                Some(text) => Certificate::written(path, sweep.name(), &text, args.jobs, context)?,
                None => Certificate::NoBound,
            }
        }
        None => Certificate::NotAsked,
    };
    let found = Found {
        name: sweep.name(),
        range: text,
        subject: &subject,
        cut_short: cut_short.into_inner(),
        share,
        bound: &bound,
        net,
        time,
        sweep,
        certificate,
    };
    match context.json {
        true => found.json(context)?,
        false => found.text(context)?,
    }
    found.certificate.holds()?;
    match found.is_bound() {
        _ if limit.stop.is_some_and(|s| s.asked()) => Err(Failure::silent(exit::STOPPED)),
        true => Ok(()),
        false => Err(Failure::silent(exit::FINDING)),
    }
}

/// Runs pairs of the sample. None of them may be above the bound.
fn net(sweep: &Sweep, range: &Range, bound: &PairsBound) -> Result<Option<Net>, Failure> {
    // If some are left out, it is not known here which of them.
    let complete = bound.verdict.filter(|_| bound.without() == 0);
    let Some(verdict) = complete.filter(|v| v.bound.is_finite()) else {
        return Ok(None);
    };
    let of_range = sweep.over(range.space());
    let mut evaluator = PointEvaluator::plain(&of_range);
    let last = range.spans().iter().map(|s| s.last).max().unwrap_or(0);
    let keys: Vec<i64> = (0..NET.min(last.saturating_add(1))).collect();
    let results = (evaluator.evaluate(&keys)).map_err(|e| Failure::failed(e.to_string()))?;
    let finite = |r: &&dc_runtime::search::evaluator::PointResult| {
        let mut words = range.space().words(r.key);
        let p = sweep.precision();
        words.all(|w| p.value_of_bits(w).is_finite())
            && p.value_of_bits(r.result_bits).is_finite()
            && r.error.is_finite()
    };
    let mut worst: Option<(f64, i64)> = None;
    let mut pairs = 0;
    for r in results.iter().filter(finite) {
        pairs += 1;
        if worst.is_none_or(|(error, _)| r.error.abs() > error) {
            worst = Some((r.error.abs(), r.key));
        }
    }
    let Some((error, key)) = worst else {
        return Ok(None);
    };
    let words = range.space().words(key);
    let shown: Vec<String> = words.map(|w| show::decimal(sweep.precision(), w)).collect();
    let at = format!("({})", shown.join(", "));
    if error > verdict.bound + SLACK {
        return Err(Failure::contradiction(&format!(
            "{}: the error at {at} is {error} ULP, above the bound {}",
            sweep.name(),
            verdict.bound
        )));
    }
    Ok(Some(Net {
        pairs,
        worst: error,
        at,
    }))
}

struct Found<'a> {
    name: &'a str,
    range: &'a str,
    subject: &'a PairSubject,
    bound: &'a PairsBound,
    cut_short: bool,
    /// The share of the pairs for which nothing is proven.
    share: f64,
    net: Option<Net>,
    time: f64,
    sweep: &'a Sweep,
    certificate: Certificate,
}

impl Found<'_> {
    fn is_bound(&self) -> bool {
        self.share <= LEFT_OUT && self.bound.verdict.is_some()
    }

    /// The reasons why pairs have no bound, by decreasing number of pairs, each with a box.
    fn left_out(&self) -> Vec<(String, u128, String)> {
        let mut rows: Vec<_> = (self.bound.left_out.iter())
            .map(|(why, (count, boxes))| {
                let first = boxes.first().map_or_else(String::new, place);
                ((*why).to_string(), *count, first)
            })
            .collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.1));
        rows
    }

    fn text(&self, context: &mut Context) -> Result<(), Failure> {
        let bound = self.bound;
        context.out.line(&format!(
            "{}: {} pairs of finite numbers of {}, none of them run for the bound",
            self.name,
            number(self.subject.pairs),
            self.range
        ))?;
        let mut rows = vec![];
        let mut row = |name: &str, text: String| rows.push(vec![name.to_string(), text]);
        match bound.verdict {
            None => row("no bound", "nothing is proven of any pair".into()),
            Some(verdict) => {
                let ulp = up(verdict.bound);
                let left = bound.without();
                match (left, self.is_bound()) {
                    (0, _) => row(
                        "bound",
                        format!("{ulp} ULP, proven: no error of a finite result is larger"),
                    ),
                    (_, true) => row(
                        "bound",
                        format!(
                            "{ulp} ULP, proven: no error of a finite result is larger, but for {} pairs that are not bounded",
                            number(left)
                        ),
                    ),
                    _ => row(
                        "no bound",
                        format!(
                            "{:.4} % of the pairs are not bounded. No error of the others is above {ulp} ULP",
                            100.0 * self.share
                        ),
                    ),
                }
                if verdict.nearest {
                    row(
                        "  rounding",
                        "each of these results is the function's value, rounded to nearest, ties to even: also subnormal and infinite results".into(),
                    );
                } else if let Some(worst) = &bound.worst {
                    row("  worst box", place(worst));
                }
                if verdict.overflows && !verdict.nearest {
                    row(
                        "  infinities",
                        format!(
                            "results of {} pairs lie in boxes where they may be infinite: there the function's value is within the bound of numbers that \
                             round to infinity",
                            number(bound.may_overflow)
                        ),
                    );
                }
            }
        }
        row(
            "  relative to",
            format!(
                "the function {}, and to IEEE 754's meaning of the routine's operations",
                self.subject.name
            ),
        );
        row(
            "boxes",
            format!(
                "{} have a bound; {} were examined",
                show::count(bound.boxes.into()),
                show::count(bound.looked.into())
            ),
        );
        if let Some(net) = &self.net {
            row(
                "net",
                format!(
                    "{} pairs run afterwards, the largest error {:.9} ULP at {}: none is above the bound (a net, and not the proof)",
                    show::count(net.pairs.into()),
                    net.worst,
                    net.at
                ),
            );
        }
        for (why, count, first) in self.left_out() {
            row(
                "not bounded",
                format!("{} pairs: {why}; such as {first}", number(count)),
            );
        }
        if self.subject.special > 0 {
            row(
                "not bounded",
                format!(
                    "{} pairs with an infinity or a NaN",
                    number(self.subject.special)
                ),
            );
        }
        if self.cut_short {
            row(
                "unfinished",
                "the time ran out, or a stop was requested: the pairs that were not examined have no bound"
                    .into(),
            );
        }
        if let Some(text) = self.certificate.in_words() {
            row("certificate", text);
        }
        row("time", show::seconds(self.time));
        context.out.columns(&rows)?;
        Ok(())
    }

    fn json(&self, context: &mut Context) -> Result<(), Failure> {
        let bound = self.bound;
        let verdict = bound.verdict;
        let left: Vec<Value> = (self.left_out().iter())
            .map(|(why, count, first)| {
                json!({ "why": why, "pairs": results::count(*count), "box": first })
            })
            .collect();
        let p = format(self.sweep.precision()).precision;
        let mut document = json!({
            "sweep": self.name,
            "range": self.range,
            "pairs": results::count(self.subject.pairs),
            "precision": p,
            "bound": match self.is_bound() {
                true => verdict.map(|v| v.bound),
                false => None,
            },
            "bound_of_the_rest": verdict.map(|v| v.bound),
            "nearest": verdict.is_some_and(|v| v.nearest),
            "may_overflow": results::count(bound.may_overflow),
            "left_out_share": self.share,
            "left_out": left,
            "special_left_out": results::count(self.subject.special),
            "boxes": bound.boxes,
            "looked": bound.looked,
            "cut_short": self.cut_short,
            "net_pairs": self.net.as_ref().map(|n| n.pairs),
            "net_worst": self.net.as_ref().map(|n| n.worst),
            "bound_seconds": self.time,
        });
        self.certificate.add_to(&mut document);
        context.out.json(&document)?;
        Ok(())
    }
}

/// A number of pairs, exactly if it is short.
fn number(n: u128) -> String {
    match n < 1_000_000_000_000 {
        true => show::count(n),
        false => format!("about 2^{:.2}", (n as f64).log2()),
    }
}

fn span(name: &str, s: &Span) -> String {
    if s.hi == 0.0 {
        return format!("{name} = 0");
    }
    let (name, lo, hi) = match s.sign {
        Sign::Any => (format!("|{name}|"), s.lo, s.hi),
        Sign::Plus => (name.to_string(), s.lo, s.hi),
        Sign::Minus => (name.to_string(), -s.hi, -s.lo),
    };
    match lo == hi {
        true => format!("{name} = {lo:?}"),
        false => format!("{name} from {lo:?} to {hi:?}"),
    }
}

fn place(b: &PairBox) -> String {
    let order = match b.first_is_larger {
        None => "",
        Some(true) => ", |x| >= |y|",
        Some(false) => ", |x| < |y|",
    };
    format!(
        "{}, {}{order}",
        span("x", &b.spans[0]),
        span("y", &b.spans[1])
    )
}
