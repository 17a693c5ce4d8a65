//! The results of a sample: the largest errors, shares and faults, of each part and each stratum.

use super::format::Format;
use super::sample::Place;
use super::search::{Task, words_at};
use super::truth::{Expected, Fault, Judged, Rounding};
use dc_runtime::model::several::Several;
use dc_runtime::reductions::accumulator::Scaled;

/// An error and its place.
#[derive(Debug, Clone)]
pub struct Worst {
    pub error: f64,
    pub place: Place,
    /// The results.
    pub results: [u64; 2],
    /// The true values.
    pub values: [String; 2],
}

/// A number of occurrences, and the first place.
#[derive(Debug, Clone, Default)]
pub struct Count {
    pub count: u64,
    pub first: Option<(Place, [u64; 2], [String; 2])>,
}

/// The results for one part.
#[derive(Debug, Clone, Default)]
pub struct Part {
    /// The number of cases in which both result and value are numbers.
    pub measured: u64,
    /// Among these, the number of results that are the nearest number, and those with errors up to 1 and 2 ULP.
    pub nearest: u64,
    pub one: u64,
    pub two: u64,
    pub undecided: u64,
    pub not_judged: u64,
    pub worst: Option<Worst>,
    pub faults: [Count; 4],
}

/// The results of a sample.
#[derive(Debug, Clone)]
pub struct Tally {
    pub inputs: u64,
    pub parts: Vec<Part>,
    /// The largest error of the complex number, relative to it, or to the smallest normal number if that is larger.
    pub norm: Option<Worst>,
    /// Inputs and the largest errors of each part in each stratum.
    pub strata: Vec<(u64, [f64; 2])>,
}

/// A result and its expected value.
pub struct Case<'a> {
    pub place: Place,
    pub results: [u64; 2],
    pub expected: &'a [Expected; 2],
}

impl Tally {
    pub fn new(parts: usize, strata: usize) -> Tally {
        Tally {
            inputs: 0,
            parts: vec![Part::default(); parts],
            norm: None,
            strata: vec![(0, [0.0; 2]); strata],
        }
    }

    /// Adds the results of a task, as columns.
    pub fn add_all(
        &mut self,
        types: Several,
        task: &Task,
        results: &[Vec<u64>],
        values: &[[Expected; 2]],
    ) {
        for (i, expected) in values.iter().enumerate() {
            let case = Case {
                place: task.place(i),
                results: words_at(results, i),
                expected,
            };
            self.add(Format::of(types.number), &case, types.is_complex());
        }
    }

    /// Adds a case.
    fn add(&mut self, format: Format, case: &Case<'_>, complex: bool) {
        self.inputs += 1;
        let stratum = &mut self.strata[case.place.1];
        stratum.0 += 1;
        let mut judged: Vec<Judged> = Vec::new();
        for (n, part) in self.parts.iter_mut().enumerate() {
            let one = case.expected[n].judge(format, case.results[n]);
            part.add(&one, case);
            if let Some(ulp) = one.ulp {
                stratum.1[n] = stratum.1[n].max(ulp.abs());
            }
            judged.push(one);
        }
        let squares: Vec<_> = judged.iter().map(|j| j.squares).collect();
        if let (true, [Some([a, re]), Some([b, im])]) = (complex, &squares[..]) {
            // Below the smallest normal number the unit is the distance of numbers there.
            let least = Scaled::power(2 * format.least);
            let size = re.plus(*im);
            let large = size.m != 0.0 && size.ratio(least) >= 1.0;
            let unit = if large { size } else { least };
            if size.m != 0.0 {
                let error = a.plus(*b).ratio(unit).sqrt() / format.epsilon();
                consider(&mut self.norm, error, case);
            }
        }
    }

    /// Adds the results of another tally.
    pub fn merge(&mut self, other: Tally) {
        self.inputs += other.inputs;
        for (part, other) in self.parts.iter_mut().zip(other.parts) {
            part.merge(other);
        }
        larger(&mut self.norm, other.norm);
        for (own, other) in self.strata.iter_mut().zip(other.strata) {
            own.0 += other.0;
            for (a, b) in own.1.iter_mut().zip(other.1) {
                *a = a.max(b);
            }
        }
    }
}

fn texts(expected: &[Expected; 2]) -> [String; 2] {
    expected.each_ref().map(Expected::show)
}

/// Keeps the larger of both errors, or the first if they are equal.
fn larger(own: &mut Option<Worst>, other: Option<Worst>) {
    let Some(other) = other else { return };
    let is_less = own.as_ref().is_none_or(|own| {
        let (a, b) = (own.error.abs(), other.error.abs());
        a < b || (a == b && other.place < own.place)
    });
    if is_less {
        *own = Some(other);
    }
}

fn consider(own: &mut Option<Worst>, error: f64, case: &Case<'_>) {
    let is_less = own.as_ref().is_none_or(|own| own.error.abs() < error.abs());
    if is_less {
        *own = Some(Worst {
            error,
            place: case.place,
            results: case.results,
            values: texts(case.expected),
        });
    }
}

impl Part {
    fn add(&mut self, judged: &Judged, case: &Case<'_>) {
        if let Some(fault) = judged.fault {
            let place = Fault::ALL.iter().position(|f| *f == fault);
            let count = &mut self.faults[place.unwrap_or(0)];
            count.count += 1;
            if count.first.is_none() {
                count.first = Some((case.place, case.results, texts(case.expected)));
            }
        }
        match judged.rounding {
            Rounding::NotJudged => self.not_judged += 1,
            Rounding::Undecided => self.undecided += 1,
            Rounding::Nearest | Rounding::Other => {}
        }
        let Some(ulp) = judged.ulp else { return };
        self.measured += 1;
        self.nearest += u64::from(judged.rounding == Rounding::Nearest);
        self.one += u64::from(ulp.abs() <= 1.0);
        self.two += u64::from(ulp.abs() <= 2.0);
        consider(&mut self.worst, ulp, case);
    }

    fn merge(&mut self, other: Part) {
        self.measured += other.measured;
        self.nearest += other.nearest;
        self.one += other.one;
        self.two += other.two;
        self.undecided += other.undecided;
        self.not_judged += other.not_judged;
        larger(&mut self.worst, other.worst);
        for (own, other) in self.faults.iter_mut().zip(other.faults) {
            own.count += other.count;
            let Some(found) = other.first else { continue };
            if own.first.as_ref().is_none_or(|own| found.0 < own.0) {
                own.first = Some(found);
            }
        }
    }
}
