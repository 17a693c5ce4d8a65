//! `improve`: finds other constants for a kernel, so that its largest error is smaller.
//!
//! The errors before and after are those of all inputs in binary32, and brackets of proofs in binary64. A sample only chooses constants; it
//! proves nothing.

mod certify;
mod improved;
mod report;
mod scan;
mod source;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dc_design::improve::search::{Job, Known};
use dc_design::improve::truth::Truth;
use dc_design::improve::vary::{Kept, kept};
use dc_exact::point::Hit;
use kernels_gen::constants::Constants;
use kernels_gen::ir::Kernel;

use crate::args::ImproveArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::{exit, interrupt};
use certify::{Parts, Work, bracket};
use dc_runtime::model::candidate::Candidate;
use dc_runtime::model::key::Precision;
use dc_runtime::model::show;
use dc_runtime::search::certify::Subject;
use dc_runtime::search::range::{Range, quote};
use dc_runtime::search::replace::replace;
use dc_runtime::sweep::Sweep;
use improved::{Errors, Fixed, Improved, Written, changes};

/// The share of the search's time for each proof in binary64, and its least time in seconds.
const PROOF: f64 = 0.25;
const LEAST: f64 = 10.0;

/// The smallest largest error of results in one number: the error of the last rounding.
const LAST: f64 = 0.5;

pub(super) fn improve(args: &ImproveArgs, context: &mut Context) -> Result<(), Failure> {
    let begun = Instant::now();
    let name = args.sweep.as_deref().unwrap_or_default();
    let sweep = context.sweep_of_one(name)?;
    let kernel = kernel(sweep)?;
    let text = args.range.as_deref().unwrap_or(sweep.range());
    let range = Range::parse(text, sweep.precision()).map_err(|e| Failure::input(e.to_string()))?;
    let output = output(args, sweep)?;
    let truth = Truth::new(sweep).map_err(Failure::input)?;
    let library = |k: &Kernel| k.module.starts_with("dc_runtime::builtins");
    let constants = Constants::of(kernel, &library).map_err(|e| Failure::input(e.to_string()))?;
    let (varied, fixed) = choose(args, sweep, &constants)?;
    let subject = match sweep.precision() {
        Precision::F64 => Some(Subject::of(sweep, &range)?),
        Precision::F32 => None,
    };
    let asked = interrupt::stop("stopping; the best result so far is verified");
    let quiet = args.quiet;
    let progress = move |text: &str| {
        if !quiet {
            let seconds = begun.elapsed().as_secs_f64();
            eprintln!("{seconds:6.1} s  {}", show::plain(text));
        }
    };
    let work = Work {
        name: sweep.name(),
        range: text,
        cells: args.cells,
        seconds: (args.time * PROOF).max(LEAST),
        stop: &asked,
    };
    let certify = |known: &Known, bits: Option<&[u64]>, context: &mut Context| {
        let Some(subject) = &subject else {
            return Ok(Some(None));
        };
        let mut all: Vec<u64> = constants.all.iter().map(|c| c.bits).collect();
        for (&v, &b) in varied.iter().zip(bits.unwrap_or_default()) {
            all[v] = b;
        }
        let hit = known.worst.map(|key| Hit {
            x: sweep.precision().value_of_key(key),
            error: known.error,
        });
        let program = constants.program(&all);
        bracket(subject, program, hit, &work, context).map(|b| b.map(Some))
    };
    let (stop, done) = (AtomicBool::new(false), AtomicBool::new(false));
    let job = |until: Option<Instant>| Job {
        constants: &constants,
        varied: &varied,
        truth: &truth,
        range: &range,
        precision: sweep.precision(),
        until,
        stop: &stop,
        progress: &progress,
    };
    let watch = |scope_done: &AtomicBool| {
        while !scope_done.load(Ordering::Relaxed) {
            if asked.asked() {
                stop.store(true, Ordering::Relaxed);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    let stopped = || Failure {
        code: exit::STOPPED,
        message: format!("{}: stopped before its errors were known", sweep.name()),
    };
    std::thread::scope(|scope| {
        scope.spawn(|| watch(&done));
        let ran = (|| -> Result<Improved<'_>, Failure> {
            progress("the errors as they are");
            let known = job(None).before().map_err(Failure::input)?;
            let known = known.ok_or_else(stopped)?;
            let proven = certify(&known, None, context)?.ok_or_else(stopped)?;
            let mut result = Improved {
                sweep,
                range: text,
                inputs: range.count(),
                constants: &constants,
                varied: &varied,
                fixed: &fixed,
                before: Errors {
                    known,
                    bracket: proven,
                },
                no_room: None,
                outcome: None,
                after: None,
                written: None,
                others: Vec::new(),
                seconds: 0.0,
            };
            let narrow = match sweep.precision() {
                Precision::F64 => None,
                Precision::F32 => {
                    progress("the roundings' part");
                    let bits: Vec<u64> = constants.all.iter().map(|c| c.bits).collect();
                    let program = constants.program(&bits);
                    certify::parts_of_binary32(sweep, &range, program, &work, context)?
                }
            };
            let parts = narrow
                .as_ref()
                .or_else(|| result.before.bracket.as_ref()?.parts.as_ref());
            result.no_room = no_room(&result.before, parts, args.gain);
            if result.no_room.is_none() {
                let until = Instant::now().checked_add(Duration::from_secs_f64(args.time));
                let outcome = job(until).search(&result.before.known);
                let outcome = outcome.map_err(Failure::input)?;
                if let Some(found) = &outcome.found {
                    // A proof that was asked to stop proves nothing, so it is not asked.
                    let proven = certify(&found.known, Some(&found.bits), context)?;
                    result.after = proven.map(|bracket| Errors {
                        known: found.known.clone(),
                        bracket,
                    });
                }
                result.outcome = Some(outcome);
            }
            Ok(result)
        })();
        done.store(true, Ordering::Relaxed);
        let mut result = ran?;
        if result.better() {
            result.others = others(&result, context);
            result.written = Some(write(&result, &output)?);
        }
        result.seconds = begun.elapsed().as_secs_f64();
        report::report(&result, context)?;
        match stop.load(Ordering::Relaxed) {
            true => Err(Failure::silent(exit::STOPPED)),
            false => Ok(()),
        }
    })
}

/// The kernel whose constants are varied.
fn kernel(sweep: &Sweep) -> Result<&'static Kernel, Failure> {
    if !sweep.measure().is_in_ulp() {
        return Err(Failure::input(format!(
            "{}: its errors are {}, and constants are chosen by errors in ULP; use a sweep without `measuring`",
            sweep.name(),
            sweep.measure().name()
        )));
    }
    sweep.candidate().program().ok_or_else(|| {
        let what = match sweep.candidate() {
            Candidate::Library(_) => "a function of a library",
            Candidate::Device(_) => "a function of a device",
            _ => "a function of the host",
        };
        Failure::input(format!(
            "{}: its routine is {what}, whose constants are not known; write it as a kernel, or give its source with --lift",
            sweep.name()
        ))
    })
}

/// The file to write, which must not exist.
fn output(args: &ImproveArgs, sweep: &Sweep) -> Result<PathBuf, Failure> {
    let path = match &args.output {
        Some(path) => path.clone(),
        None => PathBuf::from(format!("{}.patch", sweep.name().replace(['/', ' '], "-"))),
    };
    if path.symlink_metadata().is_ok() {
        return Err(Failure::input(format!(
            "{} exists; remove it, or name another file with -o",
            show::plain(&path.display().to_string())
        )));
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    if let Some(folder) = folder
        && !folder.is_dir()
    {
        return Err(Failure::input(format!(
            "{} is not a folder; make it, or name another file with -o",
            show::plain(&folder.display().to_string())
        )));
    }
    Ok(path)
}

/// The constants that are varied, and those that are kept.
fn choose(
    args: &ImproveArgs,
    sweep: &Sweep,
    constants: &Constants,
) -> Result<(Vec<usize>, Vec<Fixed>), Failure> {
    let names: Vec<String> = constants.all.iter().map(source::name).collect();
    for wanted in args.also.iter().chain(&args.keep) {
        if !names.contains(wanted) {
            let mut known = names.clone();
            known.dedup();
            return Err(Failure::input(format!(
                "{}: no constant is called `{}`; there are: {}",
                sweep.name(),
                quote(wanted),
                if known.is_empty() {
                    "none".into()
                } else {
                    known.join(", ")
                }
            )));
        }
    }
    let (mut varied, mut fixed) = (Vec::new(), Vec::new());
    for (n, (constant, name)) in constants.all.iter().zip(&names).enumerate() {
        let why = match kept(constant) {
            _ if args.keep.contains(name) => Some(Kept::Asked),
            // Zero and infinity have no neighbours that are moved to.
            Some(why @ (Kept::Zero | Kept::Special)) => Some(why),
            _ if args.also.contains(name) => None,
            why => why,
        };
        match why {
            Some(why) => fixed.push(Fixed { constant: n, why }),
            None => varied.push(n),
        }
    }
    if varied.is_empty() {
        return Err(Failure::input(match fixed.is_empty() {
            true => format!(
                "{}: the kernel has no constant in floating point, so there is nothing to vary",
                sweep.name()
            ),
            false => format!(
                "{}: no constant is varied; kept are {}; --also NAMES varies some of them",
                sweep.name(),
                report::fixed(constants, &fixed)
            ),
        }));
    }
    Ok((varied, fixed))
}

/// The reason why no constants can gain that share.
fn no_room(before: &Errors, parts: Option<&Parts>, gain: f64) -> Option<String> {
    let percent = 100.0 * gain;
    if before.lower() == 0.0 {
        return Some("no error is found".into());
    }
    if before.lower() * (1.0 - gain) < LAST {
        return Some(format!(
            "0.5000 of {:.4} ULP is the last rounding, so no constants can lower it by {percent} %",
            before.lower()
        ));
    }
    let Parts { bound, method } = *parts?;
    (method < gain * bound).then(|| {
        format!(
            "the roundings add {:.4} of the bound's {bound:.4} ULP, whatever the constants are; the method, and with it the constants, \
             adds {method:.4}, so they cannot lower it by {percent} %",
            bound - method
        )
    })
}

/// Other sweeps that call a changed kernel.
fn others(result: &Improved<'_>, context: &Context) -> Vec<&'static str> {
    let changed: Vec<&Kernel> = changes(result)
        .iter()
        .flat_map(|(c, _)| c.sites.iter().map(|s| s.kernel))
        .collect();
    let is = |k: &Kernel| changed.iter().any(|c| c.file == k.file && c.line == k.line);
    fn calls(kernel: &'static Kernel, is: &dyn Fn(&Kernel) -> bool) -> bool {
        is(kernel) || kernel.callees().iter().any(|k| calls(k, is))
    }
    let sweeps = context
        .sweeps
        .iter()
        .filter(|s| s.name() != result.sweep.name());
    sweeps
        .filter(|s| s.candidate().program().is_some_and(|k| calls(k, &is)))
        .map(|s| s.name())
        .collect()
}

/// Writes the patch, or the new text.
fn write(result: &Improved<'_>, path: &Path) -> Result<Written, Failure> {
    let changed = changes(result);
    let mut files = source::Files::default();
    let patched: Result<(), String> = changed.iter().try_for_each(|(constant, bits)| {
        files
            .change(constant, *bits)
            .map_err(|why| format!("{}: {why}", source::name(constant)))
    });
    let (text, why_no_patch) = match patched {
        Ok(()) => (files.all.iter().map(source::File::patch).collect(), None),
        Err(why) => (report::head(result) + &source::text(&changed), Some(why)),
    };
    let file = show::plain(&path.display().to_string());
    if path.symlink_metadata().is_ok() {
        return Err(Failure::failed(format!(
            "{file} was made by something else meanwhile"
        )));
    }
    replace(path, text.as_bytes()).map_err(|e| Failure::failed(format!("{file}: {e}")))?;
    Ok(Written {
        path: path.to_path_buf(),
        why_no_patch,
    })
}
