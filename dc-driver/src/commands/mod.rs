//! One file per subcommand.

mod at;
#[cfg(feature = "suite")]
mod bless;
mod bound;
mod compare;
#[cfg(feature = "references")]
mod design;
mod doctor;
mod dump_instruction;
mod emit;
mod estimate;
mod exact;
mod format;
mod improve;
mod lift;
mod list;
mod merge;
mod plot;
mod reduce;
mod run;
mod status;
pub(super) mod submit;
mod trace;
mod verify;

pub use plot::draw_envelope;

use super::args::BoundArgs;
use super::cli::Command;
use super::context::Context;
use super::failure::Failure;
use super::{fpcore, lifted};

/// Makes the function of `--lift` or `--fpcore` the program's only sweep, and names it.
fn of_source(args: &mut BoundArgs, context: &mut Context) -> Result<(), Failure> {
    let made = match fpcore::alone(&args.fpcore, context)? {
        None => lifted::alone(&args.source, context)?,
        made => made,
    };
    args.sweep = args.sweep.take().or(made);
    Ok(())
}

pub(super) fn dispatch(command: Command, context: &mut Context) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::list(&args, context),
        Command::At(args) => at::at(&args, context),
        Command::Run(args) => run::run(&args, context),
        Command::Resume(args) => run::resume(&args, context),
        Command::Verify(args) => verify::verify(&args, context),
        Command::Trace(args) => trace::trace(&args, context),
        Command::Reduce(args) => reduce::reduce(&args, context),
        Command::Compare(args) => compare::compare(&args, context),
        Command::Bound(mut args) => {
            of_source(&mut args.bound, context)?;
            bound::bound(&args, context)
        }
        Command::Hunt(mut args) => {
            of_source(&mut args.bound, context)?;
            exact::hunt(&args, context)
        }
        Command::Exact(mut args) => {
            of_source(&mut args.bound, context)?;
            exact::exact(&args, context)
        }
        Command::Emit(args) => emit::emit(&args, context),
        Command::Lift(args) => lift::lift(&args, context),
        #[cfg(feature = "references")]
        Command::Design(args) => design::design(args, context),
        Command::Improve(mut args) => {
            let made = lifted::alone(&args.source, context)?;
            args.sweep = args.sweep.take().or(made);
            improve::improve(&args, context)
        }
        Command::Doctor(args) => doctor::doctor(&args, context),
        Command::Submit(args) => submit::submit(&args, context),
        Command::Status(args) => status::status(&args, context),
        Command::Format(args) => format::format(&args, context),
        Command::Plot(args) => plot::plot(&args, context),
        Command::Estimate(args) => estimate::estimate(&args, context),
        Command::Merge(args) => merge::merge(&args, context),
        #[cfg(feature = "suite")]
        Command::Bless(args) => bless::bless(&args, context),
        Command::DumpInstruction(args) => dump_instruction::dump_instruction(&args, context),
    }
}
