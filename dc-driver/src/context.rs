//! The environment of every command: the sweeps, the backends, the streams.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::args::{BackendArgs, RangeArgs, UlpArgs};
use super::estimate;
use super::failure::Failure;
use super::folder::Temporary;
use super::output::Out;
use kernels_gen::ir::Kernel;

use dc_runtime::backend::discover::RequireError;
use dc_runtime::backend::filter::FilterError;
use dc_runtime::backend::{Backend, Discovery, Filter, Hardware};
use dc_runtime::model::block::Worst;
use dc_runtime::model::candidate::Candidate;
use dc_runtime::model::family::Family;
use dc_runtime::model::key::Precision;
use dc_runtime::model::measure::Measure;
use dc_runtime::model::signature::Number;
use dc_runtime::model::space::InputSpace;
use dc_runtime::model::{machine, show};
use dc_runtime::reductions::Reduction;
use dc_runtime::search::engine::Device;
use dc_runtime::search::identity::Identity;
use dc_runtime::search::mount;
use dc_runtime::search::plan::Plan;
use dc_runtime::search::range::{Range, quote};
use dc_runtime::search::run;
use dc_runtime::search::run_file::{Reader, SEALED};
use dc_runtime::search::ulp::Definition;
use dc_runtime::sweep::Sweep;

pub(super) struct Context<'a> {
    pub sweeps: &'a [Sweep],
    /// Further kernels that the program lists.
    pub kernels: &'a [&'static Kernel],
    pub reductions: &'a [Reduction<'a>],
    pub discover: &'a dyn Fn(&Filter) -> Discovery,
    pub required: &'a dyn Fn(&Discovery) -> Result<(), RequireError>,
    pub out: Out<'a>,
    pub err: &'a mut dyn Write,
    pub json: bool,
    pub program: String,
    pub command_line: String,
    /// Folders that are removed with their content when the command ends.
    pub folders: Vec<Temporary>,
}

/// The time for which each backend is measured when the fastest is requested.
const TRIAL: Duration = Duration::from_millis(300);

/// The sweep with that name.
pub(super) fn sweep_of<'a>(sweeps: &'a [Sweep], name: &str) -> Result<&'a Sweep, Failure> {
    sweeps.iter().find(|s| s.name() == name).ok_or_else(|| {
        let names: Vec<&str> = sweeps.iter().map(|s| s.name()).collect();
        Failure::input(format!(
            "no sweep is called `{}`; there are: {}",
            quote(name),
            if names.is_empty() {
                "none".into()
            } else {
                names.join(", ")
            }
        ))
    })
}

impl<'a> Context<'a> {
    /// The sweep with that name.
    pub fn sweep(&self, name: &str) -> Result<&'a Sweep, Failure> {
        sweep_of(self.sweeps, name)
    }

    /// Whether every input of a routine is evaluated. This is the case for routines in binary32, and of numbers that are stored in 16 bits.
    pub fn runs_every_input(&self, name: &str) -> Result<bool, Failure> {
        Ok(match self.sweep(name)?.inputs() {
            InputSpace::Stored(_) => true,
            _ => self.sweep_of_one(name)?.precision() == Precision::F32,
        })
    }

    /// The sweep with that name, for commands that do not work with two arguments.
    pub fn sweep_of_one(&self, name: &str) -> Result<&'a Sweep, Failure> {
        let sweep = self.sweep(name)?;
        let why = match sweep.inputs() {
            InputSpace::Numbers(_) => return Ok(sweep),
            InputSpace::Pairs(_) => "has two arguments",
            InputSpace::Stored(_) => "has numbers stored in 16 bits",
            _ => "has other inputs",
        };
        Err(Failure::input(format!(
            "`{}` {why}, and this command takes routines of one argument in binary32 or binary64; `run`, `verify`, `trace` and `estimate` \
             take all routines",
            sweep.name()
        )))
    }

    /// The requested definition of an error in ULP. For numbers stored in 16 bits there is only one definition. In a search for other
    /// errors, their definition is used.
    pub fn definition(
        &self,
        args: &UlpArgs,
        (space, result): (InputSpace, Number),
        measure: Measure,
    ) -> Result<Definition, Failure> {
        if !measure.is_in_ulp() {
            return match args.ulp == Definition::Handbook {
                true => Ok(Definition::searched(measure)),
                false => Err(Failure::input(format!(
                    "--ulp {}: the search was for the largest {} error, whose inputs are not the worst in ULP; leave --ulp out",
                    args.ulp.name(),
                    measure.name()
                ))),
            };
        }
        let numbers = match (space, result) {
            _ if args.ulp == Definition::Handbook => return Ok(args.ulp),
            (InputSpace::Numbers(_) | InputSpace::Pairs(_), Number::F32 | Number::F64) => {
                return Ok(args.ulp);
            }
            (_, Number::Integer(_)) => "integers",
            (InputSpace::Stored(_), _) | (_, Number::F16 | Number::Bf16) => {
                "numbers that are stored in 16 bits"
            }
            _ => "such inputs",
        };
        Err(Failure::input(format!(
            "--ulp {}: errors of {numbers} are shown only under the Handbook's definition; leave --ulp out",
            args.ulp.name()
        )))
    }

    /// The plan for a command's range and block size, and the range's text. The default block size depends on the sweep's measure.
    pub fn plan(&self, sweep: &Sweep, args: &RangeArgs) -> Result<(Plan, String), Failure> {
        let text = args.range.as_deref().unwrap_or(sweep.range());
        let range = Range::parse(text, sweep.inputs().whole())
            .map_err(|e| Failure::input(e.to_string()))?;
        let block = args
            .block
            .unwrap_or_else(|| Plan::default_log2(range.count(), sweep.measure()));
        let plan = Plan::new(range, Some(block)).map_err(|e| Failure::input(e.to_string()))?;
        Ok((plan, text.into()))
    }

    /// The identity of a sweep.
    pub fn identity(&self, sweep: &Sweep) -> Result<Identity, Failure> {
        Identity::of(sweep).map_err(|e| Failure::input(e.to_string()))
    }

    pub fn note(&mut self, text: &str) {
        // Nothing can be done about a closed stderr.
        let _ = writeln!(self.err, "{}", show::lines(text));
    }

    /// Reports a file whose rows have no checksums, and a shard on a file system that keeps locks on each machine.
    pub fn note_format(&mut self, reader: &Reader) {
        if reader.format() < SEALED {
            self.note(&format!(
                "{}: written in format {}, whose rows carry no checksums: damage may go unnoticed",
                reader.path().display(),
                reader.format()
            ));
        }
        if !reader.header().shard.is_whole()
            && let Some(why) = mount::local_locks_of_file(reader.path())
        {
            self.note(&format!(
                "{}: {why}: locks of other machines are not seen here, and reading a file that one of them writes can destroy \
                 its commit; read it there, or after its task has ended",
                reader.path().display()
            ));
        }
    }

    /// Evaluates the worst input in a file again, if the file's sweep is one of this program's sweeps. Returns whether it is.
    pub fn evaluate_again(&self, reader: &Reader, worst: Option<&Worst>) -> Result<bool, Failure> {
        let header = reader.header();
        let known = self
            .sweeps
            .iter()
            .find(|s| s.name() == header.identity.sweep);
        match known {
            Some(sweep) => Ok(run::evaluate_again(reader.path(), header, worst, sweep)?),
            None => Ok(false),
        }
    }

    /// The backends that match a list. Each pattern must be matched. For `all`, the backends of `CRUNCH_REQUIRE` must
    /// be available.
    pub fn backends(&self, list: &[String]) -> Result<Discovery, Failure> {
        let filter = filter(list)?;
        let discovery = (self.discover)(&filter);
        self.require(&discovery, &filter)?;
        Ok(discovery)
    }

    /// Reports backends that are present but not used, because they were refused.
    pub fn note_refused(&mut self, discovery: &Discovery) {
        for (_, e) in &discovery.refused {
            let text = e.to_string();
            let line = text.lines().next().unwrap_or_default();
            self.note(&format!("{line}; it is not used"));
        }
    }

    /// Checks that every requested backend was found.
    pub fn require(&self, discovery: &Discovery, filter: &Filter) -> Result<(), Failure> {
        let one_line = |e: RequireError| {
            let text = e.to_string();
            let lines: Vec<&str> = text.lines().map(str::trim).collect();
            Failure::unavailable(lines.join(" "))
        };
        discovery.require(filter).map_err(one_line)?;
        if filter.patterns().iter().any(|p| p == "all") {
            (self.required)(discovery).map_err(one_line)?;
        }
        Ok(())
    }

    /// The devices for a sweep.
    pub fn devices(
        &mut self,
        args: &BackendArgs,
        sweep: &Sweep,
        plan: &Plan,
    ) -> Result<Vec<Device>, Failure> {
        let threads = args.threads.unwrap_or_else(machine::cores);
        let device = |b: &Arc<dyn Backend>| Device::new(b.clone(), threads);
        let list = args.backend.join(",");
        let list = list.trim();
        if list != "fastest" && list != "all" {
            let discovery = self.backends(&args.backend)?;
            self.note_refused(&discovery);
            return Ok(discovery.backends.iter().map(device).collect());
        }
        let discovery = (self.discover)(&filter(&[searching(sweep)])?);
        self.note_refused(&discovery);
        let mut devices: Vec<Device> = discovery.backends.iter().map(device).collect();
        if sweep.kernels().is_none() {
            let on = match sweep.candidate() {
                Candidate::Device(_) => "measured on the processor",
                _ => "on the processor",
            };
            self.note(&format!(
                "{}: accuracy only, {on}: {}",
                sweep.name(),
                sweep.why_accuracy_only()
            ));
            devices.retain(|d| d.backend.hardware() == Hardware::Processor);
        }
        // Only the widest of the processor's instruction sets is used: they are ordered from narrow to wide.
        let cpu = |d: &Device| d.backend.hardware() == Hardware::Processor;
        if let Some(widest) = devices.iter().rposition(cpu) {
            let mut i = 0;
            devices.retain(|d| {
                i += 1;
                !cpu(d) || i - 1 == widest
            });
        }
        if list == "all" {
            drop_duplicates(&mut devices);
            return Ok(devices);
        }
        let mut notes = Vec::new();
        let found = estimate::fastest(sweep, plan, &devices, TRIAL, &mut |device, e| {
            let text = e.to_string();
            let line = text.lines().next().unwrap_or_default();
            notes.push(format!("{}: {line}; it is not used", device.backend.id()));
        })?;
        notes.iter().for_each(|n| self.note(n));
        match found {
            None => Err(Failure::unavailable(format!(
                "no backend is available; `{} doctor` reports why",
                self.program
            ))),
            Some((device, rate)) => {
                if rate > 0.0 {
                    self.note(&format!(
                        "fastest of {}: {} ({})",
                        devices.len(),
                        device.backend.id(),
                        super::progress::rate(rate)
                    ));
                }
                Ok(vec![device])
            }
        }
    }
}

/// A path in shell notation.
pub(super) fn shell(path: &Path) -> String {
    let text = path.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:@".contains(c);
    if text.chars().all(plain) && !text.is_empty() {
        text.into()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// The backends of which the fastest, or all, search a sweep: this target's instruction sets and, for kernels, devices. Backends that
/// cannot search it are not probed.
fn searching(sweep: &Sweep) -> String {
    let searches = |family: &&Family| match family {
        Family::Set(_) => family.is_built(),
        Family::OpenCl | Family::Cuda => sweep.kernels().is_some(),
        _ => false,
    };
    let names = Family::ALL.iter().filter(searches).map(|f| f.name());
    names.collect::<Vec<_>>().join(",")
}

/// Parses a list of backends.
pub(super) fn filter(list: &[String]) -> Result<Filter, Failure> {
    let list = list.join(",");
    list.parse()
        .map_err(|e: FilterError| Failure::input(e.to_string()))
}

/// Removes OpenCL devices that are the processor, or a GPU that is also used through CUDA.
fn drop_duplicates(devices: &mut Vec<Device>) {
    let hardware = |d: &Device| d.backend.hardware();
    let cuda = devices.iter().any(|d| hardware(d) == Hardware::Cuda);
    devices.retain(|d| match hardware(d) {
        Hardware::ProcessorIndirectly => false,
        Hardware::NvidiaWithoutCuda => !cuda,
        _ => true,
    });
}
