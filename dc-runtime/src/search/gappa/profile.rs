//! A bound as a function of the input, proved for each stretch separately.

use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use kernels_gen::ir::Kernel;

use super::{Bounds, Gappa, GappaError, exponent, power, script};
use crate::model::key::Precision;
use crate::model::machine;
use crate::model::show;
use crate::search::range::{Range, Span};

/// A bound for a stretch of inputs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Its first key.
    pub first: i64,
    /// Its last key.
    pub last: i64,
    /// The bound of the error in ULP; infinity if none was found.
    pub ulp: f64,
}

/// The number of binades of the result that are examined separately in a stretch; for smaller results the relative
/// error is used.
const BINADES: i32 = 4;
/// The exponent of the smallest binade that is distinguished.
const LEAST: i32 = -1000;
/// The exponent of the largest binade that is distinguished.
const GREATEST: i32 = 1000;

/// Bounds for a kernel of one parameter and one result over `steps` stretches with equally many inputs, on all cores. Gappa is run with and
/// without the hints, because a hint can help to prove one bound and prevent another.
///
/// # Errors
/// See [`GappaError`].
pub fn profile(
    gappa: &Gappa,
    kernel: &'static Kernel,
    range: &Range,
    steps: u64,
    hints: &str,
) -> Result<Vec<Step>, GappaError> {
    let spans = cut(range, steps);
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..machine::cores().min(spans.len()) {
            scope.spawn(|| {
                while let Some(&span) = spans.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let step = step(gappa, kernel, range.precision(), span, hints);
                    let failed = step.is_err();
                    done.lock().expect("no worker panics").push(step);
                    if failed {
                        // The other threads need not continue.
                        next.store(spans.len(), Ordering::Relaxed);
                    }
                }
            });
        }
    });
    let done = done.into_inner().expect("no worker panics");
    let mut steps = done.into_iter().collect::<Result<Vec<Step>, _>>()?;
    steps.sort_unstable_by_key(|s| s.first);
    Ok(steps)
}

/// About `steps` stretches with equally many inputs; none spans a gap of the range.
fn cut(range: &Range, steps: u64) -> Vec<Span> {
    let length = range.count().div_ceil(u128::from(steps.max(1))) as i128;
    let mut spans = Vec::new();
    for s in range.spans() {
        let mut first = i128::from(s.first);
        let last = i128::from(s.last);
        while first <= last {
            let end = (first + length - 1).min(last);
            spans.push(Span {
                first: first as i64,
                last: end as i64,
            });
            first = end + 1;
        }
    }
    spans
}

/// The bound for one stretch.
fn step(
    gappa: &Gappa,
    kernel: &'static Kernel,
    precision: Precision,
    span: Span,
    hints: &str,
) -> Result<Step, GappaError> {
    let range =
        Range::from_spans(precision, vec![span]).map_err(|e| GappaError::Script(e.to_string()))?;
    let ranges = [range];
    let ask = |given: &[String]| -> Result<(String, Bounds), GappaError> {
        let plain = script(kernel, &ranges, given, "")?;
        let mut bounds = gappa.bounds(&plain)?;
        if !hints.trim().is_empty() {
            let hinted = gappa.bounds(&script(kernel, &ranges, given, hints)?)?;
            for (a, b) in bounds.iter_mut().zip(hinted) {
                *a = a.and(b);
            }
        }
        match (&plain.goals[..], &bounds[..]) {
            ([goal], [bounds]) => Ok((goal.exact.clone(), *bounds)),
            _ => Err(GappaError::Script(format!(
                "{} has several results; a profile is for one",
                kernel.name
            ))),
        }
    };
    let (exact, whole) = ask(&[])?;
    let mut ulp = whole.ulp();
    let binade = |x: f64| exponent(x).map(|e| e.max(LEAST));
    let (low, high) = (binade(whole.least), binade(whole.largest));
    // Where the ULP changes within the stretch, the binades of the result are examined one after the other.
    if let Some(top) = high.filter(|&top| low != Some(top) && top < GREATEST) {
        let bottom = low.unwrap_or(LEAST).max(top - BINADES);
        let text = |e| show::hex_float(Precision::F64, power(e).to_bits());
        let mut worst = 0f64;
        for e in bottom..=top {
            let mut given = vec![format!("|{exact}| <= {}", text(e + 1))];
            if e > bottom {
                given.push(format!("|{exact}| >= {}", text(e)));
            }
            match ask(&given) {
                Ok((_, bounds)) => worst = worst.max(bounds.ulp()),
                // Gappa's enclosure was wider than the actual range of values.
                Err(GappaError::NoInputs) => {}
                Err(e) => return Err(e),
            }
        }
        ulp = ulp.min(worst);
    }
    Ok(Step {
        first: span.first,
        last: span.last,
        ulp,
    })
}

/// Steps as a tab-delimited table with a line of column names.
#[must_use]
pub fn write_table(precision: Precision, steps: &[Step]) -> String {
    let mut text = "first\tlast\tulp\n".to_string();
    for s in steps {
        let [first, last] =
            [s.first, s.last].map(|k| show::decimal(precision, precision.bits_of_key(k)));
        let _ = writeln!(text, "{first}\t{last}\t{:?}", s.ulp);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_cut_into_all_of_itself() {
        for (text, steps) in [
            ("1.0..2.0", 64),
            ("-1.0..=-0.5, 1.0..3.0", 7),
            ("1.0..=1.0", 5),
        ] {
            let range = Range::parse(text, Precision::F64).expect(text);
            let spans = cut(&range, steps);
            assert!(spans.len() as u64 <= steps + 1, "{text}: {}", spans.len());
            let again = Range::from_spans(Precision::F64, spans).expect("ascending");
            assert_eq!(again.count(), range.count(), "{text}");
            assert_eq!(again.union(&range), range);
        }
    }

    #[test]
    fn tables_have_a_line_a_step() {
        let keys = [1.0f64, 1.5, 1.75].map(|x| x.to_bits().cast_signed());
        let steps = [
            Step {
                first: keys[0],
                last: keys[1],
                ulp: 0.1,
            },
            Step {
                first: keys[1] + 1,
                last: keys[2],
                ulp: f64::INFINITY,
            },
        ];
        let text = write_table(Precision::F64, &steps);
        let rows = "1.0\t1.5\t0.1\n1.5000000000000002\t1.75\tinf\n";
        assert_eq!(text, format!("first\tlast\tulp\n{rows}"));
    }
}
