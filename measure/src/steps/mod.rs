//! The steps. Each has a time by which it must end, and records what it has found as it goes.

mod bench;
mod device;
mod doctor;
mod equivalence;
mod functions;
mod kernels;
mod kit;

use std::time::Instant;

use crate::record::Record;
pub use kit::Kit;

/// A part of the run.
pub struct Step {
    pub name: &'static str,
    /// Its part of the time that is left.
    pub weight: f64,
    pub run: fn(&Kit, Instant, &mut Record) -> Result<(), String>,
}

/// In this order, since what a step leaves of its time is for those after it: equivalence can use as much as there is.
pub const STEPS: [Step; 5] = [
    Step {
        name: "doctor",
        weight: 0.1,
        run: doctor::run,
    },
    Step {
        name: "rivals",
        weight: 0.35,
        run: bench::rivals,
    },
    Step {
        name: "threads",
        weight: 0.06,
        run: bench::threads,
    },
    Step {
        name: "random kernels",
        weight: 0.12,
        run: kernels::run,
    },
    Step {
        name: "equivalence",
        weight: 0.37,
        run: equivalence::run,
    },
];

/// `--device-day`: what only a GPU can answer, in order of worth, in a quarter of an hour.
pub const DEVICE_DAY: [Step; 8] = [
    Step {
        name: "doctor",
        weight: 0.05,
        run: doctor::run,
    },
    Step {
        name: "conformance",
        weight: 0.08,
        run: device::conformance,
    },
    Step {
        name: "equivalence on the device",
        weight: 0.35,
        run: equivalence::on_device,
    },
    Step {
        name: "random kernels",
        weight: 0.12,
        run: kernels::run,
    },
    Step {
        name: "rivals on the device",
        weight: 0.12,
        run: device::rivals,
    },
    Step {
        name: "tables of instructions",
        weight: 0.1,
        run: device::tables,
    },
    Step {
        name: "functions of the device",
        weight: 0.25,
        run: device::functions,
    },
    Step {
        name: "OpenCL",
        weight: 0.08,
        run: device::opencl,
    },
];
