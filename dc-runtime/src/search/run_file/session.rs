//! Periods of work, as stored in a run file.

/// A period of work by one process.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Session {
    /// Its number, from 1.
    pub id: i64,
    /// When it began, in seconds since 1970.
    pub started: i64,
    /// When it ended. `None` while it runs, or if it was killed.
    pub ended: Option<i64>,
    /// The machine.
    pub machine: String,
    /// Version of the program.
    pub version: String,
    /// The compiler that built it.
    pub rustc: String,
    /// The command line.
    pub command: String,
    /// The work of its devices.
    pub devices: Vec<DeviceWork>,
}

impl Session {
    /// Inputs per second, on average.
    pub(super) fn rate(&self) -> Option<f64> {
        let rates = self.devices.iter().filter_map(DeviceWork::rate);
        Some(rates.sum()).filter(|r| *r > 0.0)
    }
}

/// The work of one backend in a session.
#[derive(Debug, Clone, PartialEq)]
pub struct DeviceWork {
    /// The backend's id.
    pub backend: String,
    /// Device, driver, compiler.
    pub description: String,
    /// The number of workers.
    pub workers: u64,
    /// The number of inputs searched.
    pub inputs: u64,
    /// Seconds, summed over the workers.
    pub seconds: f64,
}

impl DeviceWork {
    /// Inputs per second with all workers busy.
    #[must_use]
    pub fn rate(&self) -> Option<f64> {
        (self.seconds > 0.0).then(|| self.inputs as f64 / self.seconds * self.workers as f64)
    }
}
