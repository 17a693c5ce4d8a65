//! The steps. Each step has a time by which it must end, and records its results while it runs.

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
    /// Its share of the remaining time.
    pub weight: f64,
    pub run: fn(&Kit, Instant, &mut Record) -> Result<(), String>,
}

/// The steps in this order. Time that a step does not use is available to later steps, and equivalence can use any amount of it.
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

/// The steps of `--device-day`, which only a GPU can answer, in order of their value. They take a quarter of an hour.
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
