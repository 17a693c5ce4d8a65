//! The calls of a sample, on several threads.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::sample::{Place, Sample, Tuple};
use crate::context::Context;
use crate::failure::Failure;
use dc_runtime::model::library::SeveralFunction;
use dc_runtime::model::several::Several;
use dc_runtime::search::engine::Stop;

/// The number of tuples per task.
const TASK: u64 = 1 << 12;

/// The length of a sample.
pub struct Length<'a> {
    pub threads: usize,
    /// Rounds are begun until this time has passed. Without it, there is one round.
    pub time: Option<Duration>,
    pub stop: &'a Stop,
}

/// Tuples of one stratum, and the place of the first.
pub struct Task {
    pub first: Place,
    pub tuples: Vec<Tuple>,
}

impl Task {
    /// The columns of its arguments.
    pub fn columns(&self, types: Several) -> Vec<Vec<u64>> {
        let column = |n: usize| self.tuples.iter().map(|t| t[n]).collect();
        (0..types.arguments()).map(column).collect()
    }

    /// The place of a tuple in the sample.
    pub fn place(&self, n: usize) -> Place {
        let (round, stratum, from) = self.first;
        (round, stratum, from + n as u64)
    }
}

/// The words of the results with that number.
pub fn words_at(columns: &[Vec<u64>], i: usize) -> [u64; 2] {
    [0, 1].map(|n| columns.get(n).map_or(0, |c: &Vec<u64>| c[i]))
}

/// Reports a library that changes the floating-point environment of its process.
pub fn note_environment(function: &SeveralFunction, context: &mut Context) {
    if let Some(environment) = function.changed_environment() {
        context.note(&format!(
            "{}: loading it changes the floating-point environment of the thread to {environment}; `{}` is called in the default one",
            function.object().path.display(),
            function.symbol()
        ));
    }
}

/// The results of a sample's tasks.
pub struct Done<T> {
    pub found: T,
    pub rounds: u64,
    pub stopped: bool,
}

/// Performs all tasks of a sample, and merges their results.
pub fn over<T: Send>(
    sample: &Sample,
    length: &Length<'_>,
    empty: &(dyn Fn() -> T + Sync),
    one: &(dyn Fn(&Task, &mut T) -> Result<(), Failure> + Sync),
    merge: fn(&mut T, T),
) -> Result<Done<T>, Failure> {
    let begun = Instant::now();
    let is_over = || length.time.is_some_and(|time| begun.elapsed() >= time);
    let mut found = empty();
    let mut round = 0;
    loop {
        let tasks = tasks(sample, round);
        let next = AtomicUsize::new(0);
        let shared: Mutex<(T, Option<Failure>)> = Mutex::new((found, None));
        std::thread::scope(|scope| {
            for _ in 0..length.threads {
                scope.spawn(|| {
                    let mut own = empty();
                    let mut failure = None;
                    while !length.stop.asked() && (round == 0 || !is_over()) {
                        let Some(&(stratum, from, count)) =
                            tasks.get(next.fetch_add(1, Ordering::Relaxed))
                        else {
                            break;
                        };
                        let tuple = |n: u64| sample.tuple(round, stratum, from + n);
                        let task = Task {
                            first: (round, stratum, from),
                            tuples: (0..count).map(tuple).collect(),
                        };
                        if let Err(e) = one(&task, &mut own) {
                            failure = Some(e);
                            // The others end with the tasks that they have.
                            next.store(usize::MAX / 2, Ordering::Relaxed);
                            break;
                        }
                    }
                    let mut all = shared.lock().unwrap_or_else(PoisonError::into_inner);
                    merge(&mut all.0, own);
                    all.1 = all.1.take().or(failure);
                });
            }
        });
        let (all, failure) = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(failure) = failure {
            return Err(failure);
        }
        found = all;
        round += 1;
        let stopped = length.stop.asked();
        if stopped || length.time.is_none() || is_over() {
            return Ok(Done {
                found,
                rounds: round,
                stopped,
            });
        }
    }
}

fn tasks(sample: &Sample, round: u64) -> Vec<(usize, u64, u64)> {
    let of = |stratum: usize| {
        let count = sample.count(round, stratum);
        let starts = (0..count).step_by(TASK as usize);
        starts.map(move |from| (stratum, from, TASK.min(count - from)))
    };
    (0..sample.strata()).flat_map(of).collect()
}
