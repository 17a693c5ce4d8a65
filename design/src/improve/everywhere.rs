//! The errors of programs at all inputs of a range of binary32.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use dc_runtime::search::range::Range;

use super::truth::Truth;
use crate::compare::{compare, error};
use crate::each::each_strip;
use crate::spec::Unit;
use crate::strips::{Results, STRIP, Strips};

/// The number of stretches of the range whose worst inputs are kept.
const STRETCHES: usize = 4096;

/// The errors of a program.
#[derive(Debug, Clone, Default)]
pub struct Everywhere {
    /// The number of inputs.
    pub inputs: u64,
    /// The largest error, in ULP.
    pub largest: f64,
    /// The input with this error.
    pub worst: Option<i64>,
    /// Wrong special values: NaN or infinity, or the sign of a zero.
    pub faults: u64,
    /// Inputs at which a formula's value is not known well enough.
    pub undecided: u64,
    /// The worst input of each stretch, with its error.
    pub stretches: Vec<(f64, i64)>,
}

impl Everywhere {
    fn merge(&mut self, other: Everywhere) {
        self.inputs += other.inputs;
        self.faults += other.faults;
        self.undecided += other.undecided;
        let earlier = other.largest == self.largest && other.worst < self.worst;
        if other.worst.is_some()
            && (other.largest > self.largest || self.worst.is_none() || earlier)
        {
            (self.largest, self.worst) = (other.largest, other.worst);
        }
        for (to, from) in self.stretches.iter_mut().zip(other.stretches) {
            if from.0 > to.0 {
                *to = from;
            }
        }
    }

    fn add(&mut self, stretch: usize, key: i64, error: f64) {
        if error > self.stretches[stretch].0 {
            self.stretches[stretch] = (error, key);
        }
        if error > self.largest || self.worst.is_none() {
            (self.largest, self.worst) = (error, Some(key));
        }
    }
}

/// The errors of programs at all inputs of a range; `None` if this is stopped early.
///
/// # Errors
/// The same as for [`Strips::new`].
pub fn everywhere(
    truth: &Truth,
    range: &Range,
    programs: &(dyn Fn() -> Result<Vec<Strips>, String> + Sync),
    stop: &AtomicBool,
) -> Result<Option<Vec<Everywhere>>, String> {
    struct State<'a> {
        strips: Vec<Strips>,
        values: super::truth::Values<'a>,
        found: Vec<Everywhere>,
        x: [f64; STRIP],
        y: [f64; STRIP],
        into: Arc<Mutex<Vec<Everywhere>>>,
    }
    impl Drop for State<'_> {
        fn drop(&mut self) {
            let mut all = self.into.lock().unwrap_or_else(|e| e.into_inner());
            for (to, from) in all.iter_mut().zip(self.found.drain(..)) {
                to.merge(from);
            }
        }
    }
    let empty = Everywhere {
        stretches: vec![(-1.0, 0); STRETCHES],
        ..Everywhere::default()
    };
    let count = programs()?.len();
    let total = Arc::new(Mutex::new(vec![empty.clone(); count]));
    let first = range.spans().iter().map(|s| s.first).min().unwrap_or(0);
    let last = range.spans().iter().map(|s| s.last).max().unwrap_or(0);
    let each = (last - first) as u64 / STRETCHES as u64 + 1;
    let state = || -> Result<State<'_>, String> {
        Ok(State {
            strips: programs()?,
            values: truth.values()?,
            found: vec![empty.clone(); count],
            x: [0.0; STRIP],
            y: [0.0; STRIP],
            into: total.clone(),
        })
    };
    let format = truth.format();
    each_strip(range, stop, &state, &|s: &mut State<'_>, xs, key| {
        let n = xs.len();
        for (to, &x) in s.x.iter_mut().zip(xs) {
            *to = x.into();
        }
        let (hi, lo) = s.values.at(&s.x[..n]);
        for (strips, found) in s.strips.iter_mut().zip(&mut s.found) {
            strips.inputs_f32()[..n].copy_from_slice(xs);
            strips.run(n);
            let Results::F32(ys) = strips.results(0) else {
                continue;
            };
            for (to, &y) in s.y.iter_mut().zip(&ys[..n]) {
                *to = y.into();
            }
            found.inputs += n as u64;
            let unknown = lo.iter().filter(|l| l.is_nan()).count();
            let compared = compare(Unit::Ulp, format, 0.0, &s.y[..n], hi);
            let stretch = |i: usize| ((key + i as i64 - first) as u64 / each) as usize;
            let (a, b) = (stretch(0), stretch(n - 1));
            let known = found.stretches[a].0.min(found.stretches[b].0);
            if unknown == 0 && !compared.special && compared.largest <= known {
                continue;
            }
            for i in 0..n {
                if lo[i].is_nan() {
                    found.undecided += 1;
                    continue;
                }
                match error(Unit::Ulp, format, s.y[i], hi[i]) {
                    Ok(e) => found.add(stretch(i), key + i as i64, e),
                    Err(_) => found.faults += 1,
                }
            }
        }
    })?;
    if stop.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let all = total.lock().unwrap_or_else(|e| e.into_inner()).clone();
    Ok(Some(all))
}
