//! The built-in library against MPFR: every bound that its documentation states, measured on random and adversarial
//! inputs. A measured maximum beyond its bound fails; what is measured is printed (`-- --nocapture`).
//!
//! `CRUNCH_REFERENCE_INPUTS=10000000 cargo test --release --features mpfr --test references` takes so many inputs a
//! kernel.

mod arithmetic;
mod compiled;
mod doubles;
mod exact;
mod exp;
mod functions;
mod inputs;
mod judged;
mod log;
mod measure;
mod midpoints;
mod mutants;
mod polynomials;
mod state;
mod tiers;
mod two;
