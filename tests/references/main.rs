//! The built-in library compared with MPFR: every bound that its documentation states, measured on random and
//! adversarial inputs. A measured maximum above its bound fails; the measurements are printed (`-- --nocapture`).
//!
//! `CRUNCH_REFERENCE_INPUTS=10000000 cargo test --release --features mpfr --test references` measures that many inputs
//! per kernel.

mod arithmetic;
mod compiled;
mod doubles;
mod exact;
mod exp;
mod functions;
mod inputs;
mod log;
mod measure;
mod measured;
mod midpoints;
mod mutants;
mod polynomials;
mod state;
mod tiers;
mod two;
