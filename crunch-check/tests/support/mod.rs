//! Certificates as the search writes them, and as a search with a fault would write them.

mod kept;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use dc_exact::bound::{Effort, RangeBound, bound_range};
use dc_exact::cell::{Cell, Values};
use dc_exact::certificate::{Subject, certificate, function};
use dc_exact::exact::{self, Exact, maximum, prove};
use dc_exact::law::Truth;
use dc_exact::point::{Hit, error_at, stretches};
use dc_runtime::sweeps;
use kernels_gen::program::Program;

/// A proof over a part of a built-in sweep.
pub struct Proof {
    pub name: &'static str,
    pub program: Program,
    pub truth: Truth,
    pub stretches: Vec<Cell>,
    pub bound: RangeBound,
    pub found: Exact,
}

fn effort(list: bool) -> exact::Effort {
    exact::Effort {
        threads: 2,
        time: Duration::from_secs(600),
        list,
    }
}

impl Proof {
    /// Proves the maximum over the inputs from `lo` to `hi`; the first level is `slack` below the bound.
    pub fn against(name: &'static str, truth: Truth, lo: f64, hi: f64, slack: f64) -> Proof {
        let sweep = sweeps::ALL.iter().find(|s| s.name() == name).expect(name);
        let kernel = sweep.candidate().kernel().expect("a kernel").kernel;
        let program = kernels_gen::lower(kernel).expect("it lowers");
        let stretches = stretches(&program, lo, hi);
        let bound = bound_range(&program, &truth, &stretches, Effort::default());
        let stop = AtomicBool::new(false);
        let found = maximum(
            &program,
            &truth,
            &bound,
            None,
            slack,
            effort(false),
            &stop,
            &mut |_| {},
        );
        assert!(found.is_exact(), "{name}: {:?}", found.open);
        Proof {
            name,
            program,
            truth,
            stretches,
            bound,
            found,
        }
    }

    /// All inputs with an error of at least `level`, the largest first.
    #[allow(dead_code, reason = "not every test needs it")]
    pub fn above(&self, level: f64) -> Vec<Hit> {
        let stop = AtomicBool::new(false);
        let from = Hit {
            x: f64::NAN,
            error: level,
        };
        let all = prove(
            &self.program,
            &self.truth,
            &self.bound,
            from,
            effort(true),
            &stop,
            &mut |_| {},
        );
        let mut hits = all.hits;
        hits.sort_by(|a, b| b.error.abs().total_cmp(&a.error.abs()));
        hits
    }

    /// The certificate in which `worst` is the worst input.
    pub fn certificate_of(&self, worst: f64) -> String {
        let mut found = self.found.clone();
        found.worst.x = worst;
        let mut values = Values::new(&self.program);
        let error = error_at(&self.program, &self.truth, &mut values, worst);
        let error = error.expect("finite").abs().hi;
        let subject = Subject {
            sweep: self.name,
            program: &self.program,
            truth: &self.truth,
            stretches: &self.stretches,
        };
        certificate(subject, &self.bound, &found, error).expect("it is proven")
    }

    /// The certificate.
    pub fn certificate(&self) -> String {
        self.certificate_of(self.found.worst.x)
    }
}

/// The certificate of a part of a built-in sweep.
#[allow(dead_code, reason = "not every test needs it")]
pub fn certified(name: &'static str, truth: Truth, lo: f64, hi: f64) -> String {
    let ends = format!("{:016x}-{:016x}", lo.to_bits(), hi.to_bits());
    kept::kept(&format!("{name}-{}-{ends}.cert", function(&truth)), || {
        Proof::against(name, truth, lo, hi, 0.002).certificate()
    })
}
