//! A stretch of inputs with its largest error by brute force, and certificates for it in all forms.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use dc_exact::bound::{Effort, RangeBound, bound_range};
use dc_exact::cell::{Cell, Values, input_format};
use dc_exact::certificate::{self, Subject};
use dc_exact::exact::{self, Exact, maximum};
use dc_exact::law::Truth;
use dc_exact::num::Interval;
use dc_exact::num::float::BINARY64;
use dc_exact::point::error_at;
use kernels_gen::program::Program;

use crate::columns;
use crate::forms::{by_method, halved, moved, only_cuts};
use crate::hold::step;
use crate::kept::kept;
use crate::random::Random;

/// How far below the truth claims are, in ULP, beside the next number below it.
const BELOW: [f64; 4] = [1e-12, 1e-9, 1e-6, 1e-3];

/// A certificate.
pub struct Form {
    /// In which way it says what it claims.
    pub name: String,
    pub text: String,
    /// How far below the truth claims are tried, beside the next number below it.
    pub below: Vec<f64>,
}

/// A stretch with its largest error.
pub struct Stretch {
    /// The input with the largest error.
    pub x: f64,
    pub error: Interval,
    /// The first cuts the stretch alone; there are others where the search proves the maximum.
    pub forms: Vec<Form>,
}

impl Stretch {
    /// The stretch of a kernel; none if its largest error is not known. It is kept for later tests as text, and read from it.
    pub fn of(name: &str, program: &Program, truth: &Truth, cell: Cell) -> Option<Stretch> {
        let ends = format!("{:016x}-{:016x}", cell.lo.to_bits(), cell.hi.to_bits());
        let text = kept(&format!("{}-{ends}.forms", name.replace(' ', "-")), || {
            let made = Self::made(program, truth, cell);
            made.as_ref().map_or(String::new(), Self::text)
        });
        Self::parsed(&text)
    }

    fn text(&self) -> String {
        let bits = |x: f64| format!("{:016x}", x.to_bits());
        let mut text = [self.x, self.error.lo, self.error.hi].map(bits).join(" ") + "\n";
        for form in &self.forms {
            let below: Vec<String> = form.below.iter().map(f64::to_string).collect();
            text += &format!("==== {}/{}\n{}", form.name, below.join(" "), form.text);
        }
        text
    }

    fn parsed(text: &str) -> Option<Stretch> {
        let mut parts = text.split("==== ");
        let ends: Vec<f64> = (parts.next()?.split_whitespace())
            .map(|w| f64::from_bits(u64::from_str_radix(w, 16).expect("bits")))
            .collect();
        let form = |part: &str| {
            let (head, text) = part.split_once('\n').expect("a form");
            let (name, below) = head.split_once('/').expect("a form's name");
            Form {
                name: name.into(),
                text: text.into(),
                below: (below.split_whitespace())
                    .map(|b| b.parse().expect("a number"))
                    .collect(),
            }
        };
        Some(Stretch {
            x: *ends.first()?,
            error: Interval::new(ends[1], ends[2]),
            forms: parts.map(form).collect(),
        })
    }

    fn made(program: &Program, truth: &Truth, cell: Cell) -> Option<Stretch> {
        let x = worst(program, truth, cell)?;
        let mut values = Values::new(program);
        let error = error_at(program, truth, &mut values, x)?.abs();
        // Next to a power of two the unit of the true value may be undecided.
        if error.hi - error.lo > 1e-13 * error.hi.max(1.0) || error.lo <= 0.0 {
            return None;
        }
        let mut random = Random::of(cell.lo.to_bits(), 0);
        let mut forms = vec![("cut", cut(program, truth, cell, error.hi))];
        if let Some(text) = planned(program, truth, cell, error.hi) {
            let mut at = |n: u64| random.below(n as usize) as u64;
            let parts = halved(&halved(&only_cuts(&text), &mut at), &mut at);
            forms.extend([
                ("as written", text.clone()),
                ("cut in parts", parts),
                ("halved", halved(&text, &mut at)),
                ("moved", moved(&text, &mut at)),
                ("by bounds", by_method(&text, "bound")),
                ("by lattices", by_method(&text, "lattice")),
            ]);
            // That costs an evaluation of each input for each claim.
            if random.chance(6) {
                forms.push(("by inputs", by_method(&text, "inputs")));
            }
            // Of most stretches of a long run the cut and one form more: ten thousand of them in place of two thousand in the same time.
            if std::env::var_os("RING_SOME").is_some() && !random.chance(12) {
                let one = 1 + random.below(forms.len() - 1);
                forms = vec![forms[0].clone(), forms[one].clone()];
            }
        }
        let mut form = |(i, (name, text)): (usize, (&str, String))| Form {
            name: name.into(),
            text,
            below: match i {
                0 | 1 => BELOW.to_vec(),
                _ => vec![BELOW[random.below(BELOW.len())]],
            },
        };
        let forms = forms.into_iter().enumerate().map(&mut form).collect();
        Some(Stretch { x, error, forms })
    }
}

/// A certificate that cuts one stretch.
pub fn cut(program: &Program, truth: &Truth, cell: Cell, error: f64) -> String {
    let subject = Subject {
        sweep: "lowered",
        program,
        truth,
        stretches: &[cell],
    };
    certificate::claim(subject, &[], error)
}

/// Stretches of at most so many inputs are evaluated one by one.
const SHORT: u64 = 1 << 10;

/// The input with the largest error; `None` if some input has none.
fn worst(program: &Program, truth: &Truth, cell: Cell) -> Option<f64> {
    let mut worst = (-1.0, f64::NAN);
    match truth {
        // In columns there are the operations of numerical kernels alone.
        Truth::Program(_) if cell.count(BINARY64) > SHORT => {
            columns::errors(program, cell, &mut |x, e| {
                if e > worst.0 {
                    worst = (e, x);
                }
            })?
        }
        _ => {
            let mut values = Values::new(program);
            for i in 0..cell.count(input_format(program)) {
                let x = step(cell.lo.abs().min(cell.hi.abs()), i, BINARY64).copysign(cell.lo);
                let error = error_at(program, truth, &mut values, x)?.abs().lo;
                if error > worst.0 {
                    worst = (error, x);
                }
            }
        }
    }
    Some(worst.1)
}

/// The certificate of the search; none if it ends with a bracket.
fn planned(program: &Program, truth: &Truth, cell: Cell, error: f64) -> Option<String> {
    let effort = Effort {
        tolerance: 1e-3,
        cells: 3000,
        ..Effort::default()
    };
    let stretches = [cell];
    let bound = bound_range(program, truth, &stretches, effort);
    if !bound.bound.is_finite() || !bound.special.is_empty() {
        return None;
    }
    let found = searched(program, truth, &bound, error, 3);
    let subject = Subject {
        sweep: "lowered",
        program,
        truth,
        stretches: &stretches,
    };
    certificate::certificate(subject, &bound, &found, error).ok()
}

/// The search for the largest error of a stretch whose errors are known to reach `known`, for so many seconds.
pub fn searched(
    program: &Program,
    truth: &Truth,
    bound: &RangeBound,
    known: f64,
    seconds: u64,
) -> Exact {
    let effort = exact::Effort {
        threads: 1,
        time: Duration::from_secs(seconds),
        list: false,
    };
    let slack = f64::max(bound.bound - known, 1e-3 * bound.bound);
    let stop = AtomicBool::new(false);
    maximum(
        program,
        truth,
        bound,
        None,
        slack,
        effort,
        &stop,
        &mut |_| {},
    )
}
