//! Times of contestants that take turns.

use std::time::{Duration, Instant};

/// One way to search the stretches.
pub struct Contestant<'a> {
    /// Its name in the table.
    pub name: String,
    /// Inputs a round.
    inputs: u64,
    search: Box<dyn Fn() + 'a>,
    /// Seconds of each round.
    seconds: Vec<f64>,
}

impl<'a> Contestant<'a> {
    pub fn new(name: impl Into<String>, inputs: u64, search: impl Fn() + 'a) -> Self {
        Contestant {
            name: name.into(),
            inputs,
            search: Box::new(search),
            seconds: Vec::new(),
        }
    }

    fn round(&mut self) {
        let begun = Instant::now();
        (self.search)();
        self.seconds.push(begun.elapsed().as_secs_f64());
    }

    /// A few rounds for a first choice among variants, one at least and others until `end`.
    pub fn try_some(&mut self, rounds: usize, end: Option<Instant>) {
        for round in 0..rounds {
            if round > 0 && end.is_some_and(|end| Instant::now() > end) {
                return;
            }
            self.round();
        }
    }

    /// Seconds of the shortest round.
    pub fn least(&self) -> f64 {
        self.seconds.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Inputs a second in each round.
    pub fn rates(&self) -> Vec<f64> {
        self.seconds
            .iter()
            .map(|s| self.inputs as f64 / s)
            .collect()
    }

    /// The time an input takes over that of another, round by round.
    pub fn over(&self, other: &Contestant<'_>) -> Vec<f64> {
        let pairs = self.rates().into_iter().zip(other.rates());
        pairs.map(|(own, theirs)| theirs / own).collect()
    }
}

/// The median, and the spread: largest less smallest, over the median.
pub fn median(mut values: Vec<f64>) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    let middle = values[values.len() / 2];
    (middle, (values[values.len() - 1] - values[0]) / middle)
}

/// The fewest rounds of which a median says something.
const FEWEST: usize = 3;

/// All take turns, `rounds` times or, if that takes longer, until `most` is over; each time beginning with another.
/// Returns the number of rounds.
pub fn take_turns(all: &mut [Contestant<'_>], rounds: usize, most: Duration) -> usize {
    all.iter_mut().for_each(|c| c.seconds.clear());
    let begun = Instant::now();
    for round in 0..rounds {
        if round >= FEWEST && begun.elapsed() > most {
            return round;
        }
        for i in 0..all.len() {
            all[(i + round) % all.len()].round();
        }
    }
    rounds
}
