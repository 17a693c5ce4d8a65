//! Errors at all inputs.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use kernels_gen::identity::identity_hex;

use crate::inputs::{Inputs, Keys};
use crate::judge::{Candidate, Problem, Report, rounded, widened, words};
use crate::strips::{Results, STRIP, Strips};
use crate::vectors::Fill;

/// The subject of a judgement.
#[derive(Clone, Copy)]
pub enum Judged<'a> {
    /// A kernel.
    Kernel(&'a Candidate),
    /// A function over slices, with its name.
    Function(&'a str, &'a Fill<f32>),
}

impl Judged<'_> {
    /// The key that distinguishes it from others: a kernel's identity and the bits of its coefficients, or a name.
    #[must_use]
    pub fn identity(&self) -> String {
        match self {
            Judged::Kernel(c) => {
                let bits = c.coefficients.iter().map(|c| format!(" {:x}", c.bits));
                identity_hex(&c.program) + &bits.collect::<String>()
            }
            Judged::Function(name, _) => format!("`{name}`"),
        }
    }
}

/// The same, ready to run.
enum Ready<'a> {
    Kernel(Strips),
    Function(&'a Fill<f32>),
}

impl<'a> Ready<'a> {
    fn new(judged: &Judged<'a>) -> Result<Ready<'a>, String> {
        Ok(match *judged {
            Judged::Kernel(candidate) => Ready::Kernel(candidate.strips()?),
            Judged::Function(_, fill) => Ready::Function(fill),
        })
    }
}

/// The state of a thread.
struct State<'a> {
    judged: Vec<Ready<'a>>,
    reference: Strips,
    reports: Vec<Report>,
    y: [f64; STRIP],
    narrow: [f32; STRIP],
    into: Arc<Mutex<Vec<Report>>>,
}

impl Drop for State<'_> {
    fn drop(&mut self) {
        let mut all = self.into.lock().unwrap_or_else(|e| e.into_inner());
        for (to, from) in all.iter_mut().zip(self.reports.drain(..)) {
            to.merge(from);
        }
    }
}

impl Problem {
    /// The errors at all inputs. Each value of the reference is computed once for all subjects. If this is stopped early, the errors cover
    /// fewer inputs.
    ///
    /// # Errors
    /// The same as for [`Strips::new`].
    pub fn everywhere(
        &self,
        inputs: &Inputs,
        judged: &[Judged<'_>],
        stop: &AtomicBool,
    ) -> Result<Vec<Report>, String> {
        let total = Arc::new(Mutex::new(vec![Report::default(); judged.len()]));
        let state = || {
            Ok(State {
                judged: judged.iter().map(Ready::new).collect::<Result<_, _>>()?,
                reference: self.reference()?,
                reports: vec![Report::default(); judged.len()],
                y: [0.0; STRIP],
                narrow: [0.0; STRIP],
                into: total.clone(),
            })
        };
        let work = |s: &mut State<'_>, xs: &[f32], keys: Keys<'_>| {
            let n = xs.len();
            widened(&mut s.reference, xs);
            s.reference.run(n);
            let r = &words(&s.reference)[..n];
            for (judged, report) in s.judged.iter_mut().zip(&mut s.reports) {
                let results = match judged {
                    Ready::Kernel(strips) => {
                        strips.inputs_f32()[..n].copy_from_slice(xs);
                        strips.run(n);
                        strips.results(0)
                    }
                    Ready::Function(fill) => {
                        fill(xs, &mut s.narrow[..n]);
                        Results::F32(&s.narrow)
                    }
                };
                rounded(self.format, results, n, &mut s.y);
                self.count(&s.y[..n], r, &|i| keys.at(i), report);
            }
        };
        inputs.each_strip(stop, &state, &work)?;
        let reports = total.lock().unwrap_or_else(|e| e.into_inner()).clone();
        Ok(reports)
    }
}
