//! Progress: a bar on a terminal, occasional plain lines elsewhere.

use std::io::{IsTerminal as _, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use dc_runtime::model::block::BlockResult;
use dc_runtime::model::measure::Measure;
use dc_runtime::model::show;
use dc_runtime::model::space::InputSpace;
use dc_runtime::search::engine::Progress;
use dc_runtime::search::format::number;

/// Time between plain lines; the first comes sooner.
const LINES: Duration = Duration::from_secs(30);
const FIRST_LINE: Duration = Duration::from_secs(3);
/// The duration in seconds from which [`advice`] is given.
const LONG: f64 = 3600.0;
/// The number of steps of the bar.
const STEPS: u64 = 10_000;

pub(super) struct Display {
    bar: Option<ProgressBar>,
    quiet: bool,
    label: String,
    space: InputSpace,
    measure: Measure,
    /// The result before this job.
    before: BlockResult,
    next_line: Instant,
    /// The time at which the duration of a search is known well enough for advice; `None` after that, or if there is no advice.
    advise: Option<Instant>,
    /// Recent pairs of time and inputs, for a rate that follows changes.
    recent: Vec<(Duration, u64)>,
}

impl Display {
    pub fn new(quiet: bool, label: &str, space: InputSpace, before: BlockResult) -> Display {
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new(STEPS);
            if let Ok(style) =
                ProgressStyle::with_template("{prefix} {wide_bar} {percent:>3} %  {msg}")
            {
                bar.set_style(style);
            }
            bar.set_prefix(label.to_string());
            bar
        });
        Display {
            bar,
            quiet,
            label: label.into(),
            space,
            measure: Measure::Full,
            before,
            next_line: Instant::now() + FIRST_LINE,
            advise: None,
            recent: Vec::new(),
        }
    }

    /// The display of a search with this measure.
    pub fn measuring(mut self, measure: Measure) -> Display {
        self.measure = measure;
        self
    }

    /// Prints advice, once, if the search takes long.
    pub fn advising(mut self) -> Display {
        self.advise = Some(Instant::now() + FIRST_LINE);
        self
    }

    pub fn show(&mut self, p: &Progress, err: &mut dyn Write) {
        if self.quiet {
            return;
        }
        if self.advise.is_some_and(|at| Instant::now() >= at) && !p.stopping {
            self.advise = None;
            if let Some(text) = advice(p) {
                match &self.bar {
                    Some(bar) => bar.println(text),
                    // Nothing can be done about a closed stderr.
                    None => _ = writeln!(err, "{text}"),
                }
            }
        }
        self.recent.push((p.elapsed, p.inputs));
        if self.recent.len() > 50 {
            self.recent.remove(0);
        }
        let due = Instant::now() >= self.next_line;
        if self.bar.is_none() && !due {
            return;
        }
        let message = self.message(p);
        let share = p.inputs as f64 / (p.of_inputs as f64).max(1.0);
        if let Some(bar) = &self.bar {
            bar.set_position((share * STEPS as f64) as u64);
            bar.set_message(message);
        } else {
            self.next_line = Instant::now() + LINES;
            // Nothing can be done about a closed stderr.
            let _ = writeln!(err, "{} {:.1} %  {message}", self.label, share * 100.0);
        }
    }

    fn message(&self, p: &Progress) -> String {
        let rate = match (self.recent.first(), self.recent.last()) {
            (Some(a), Some(b)) if b.0 > a.0 => (b.1 - a.1) as f64 / (b.0 - a.0).as_secs_f64(),
            _ => p.inputs as f64 / p.elapsed.as_secs_f64().max(1e-9),
        };
        let left = p.of_inputs.saturating_sub(u128::from(p.inputs)) as f64 / rate;
        let worst = self.before.max.or(p.result.max);
        let worst = if worst.exists() {
            let at = self.space.decimal(worst.key);
            let unit = self.measure.unit();
            format!("worst {} {unit} at {at}", short(worst.error()))
        } else {
            "worst not known yet".into()
        };
        let eta = if p.stopping {
            "stopping".into()
        } else {
            format!("{} left", show::seconds(left))
        };
        format!("{}  {eta}  {worst}", self::rate(rate))
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// The share that a search of hours covers in a minute, and better uses of a minute.
fn advice(p: &Progress) -> Option<String> {
    let rate = p.inputs as f64 / p.elapsed.as_secs_f64().max(1e-9);
    let left = p.of_inputs.saturating_sub(u128::from(p.inputs)) as f64 / rate.max(1e-9);
    let share = rate * 60.0 / (p.of_inputs as f64).max(1.0);
    (left > LONG).then(|| {
        format!(
            "{share:.1e} of the inputs per minute, {} for all of them; whenever it is stopped, the searched blocks are spread over the \
             whole range. `run --time 60s` takes a sample of every binade instead, and searches around the worst",
            show::seconds(left)
        )
    })
}

/// A rate: `1.2 G inputs/s`.
pub(super) fn rate(x: f64) -> String {
    format!("{} inputs/s", show::si(x))
}

/// An error with few digits. If they would round to one half, its distance from one half is shown: `0.5 + 2.220e-13`.
pub(super) fn short(x: f64) -> String {
    let excess = x.abs() - 0.5;
    if excess != 0.0 && excess.abs() < 1e-6 {
        let sign = if excess < 0.0 { '-' } else { '+' };
        let text = format!("0.5 {sign} {:.3e}", excess.abs());
        return match x < 0.0 {
            true => format!("-({text})"),
            false => text,
        };
    }
    if x == 0.0 || (1e-3..1e6).contains(&x.abs()) {
        number((x * 1e6).round() / 1e6)
    } else {
        format!("{x:.4e}")
    }
}

#[cfg(test)]
mod tests {
    use dc_runtime::model::key::Precision;

    use super::*;

    #[test]
    fn a_search_of_years_comes_with_advice() {
        let progress = |of_inputs| {
            let mut progress = Progress::none(of_inputs);
            progress.inputs = 3_000_000_000;
            progress.elapsed = Duration::from_secs(3);
            progress
        };
        assert_eq!(advice(&progress(3_500_000_000_000)), None);
        let text = advice(&progress(1 << 63)).expect("advice");
        assert!(
            text.starts_with("6.5e-9 of the inputs per minute, 292 years"),
            "{text}"
        );
        assert!(text.contains("--time 60s"), "{text}");
        let mut display = Display::new(
            false,
            "exp",
            InputSpace::Numbers(Precision::F64),
            BlockResult::EMPTY,
        )
        .advising();
        display.bar = None;
        display.advise = Some(Instant::now());
        let mut text = Vec::new();
        for _ in 0..3 {
            display.show(&progress(1 << 63), &mut text);
        }
        let text = String::from_utf8(text).expect("UTF-8");
        assert_eq!(text.matches("per minute").count(), 1, "{text}");
    }

    #[test]
    fn what_is_beside_one_half_is_seen() {
        for (x, text) in [
            (0.5, "0.5"),
            (0.500_000_000_000_222, "0.5 + 2.220e-13"),
            (-0.500_000_000_000_222, "-(0.5 + 2.220e-13)"),
            (0.499_999_999_9, "0.5 - 1.000e-10"),
            (0.500_001_4, "0.500001"),
            (1.793_411_844, "1.793412"),
            (0.0, "0"),
        ] {
            assert_eq!(short(x), text);
        }
    }
}
