//! One file a subcommand.

mod doctor;
mod emit;
mod list;
mod run;
mod verify;

use super::args::Command;
use super::context::Context;
use super::failure::Failure;

pub(super) fn dispatch(command: Command, context: &mut Context) -> Result<(), Failure> {
    match command {
        Command::List => list::list(context),
        Command::Run(args) => run::run(&args, context),
        Command::Resume(args) => run::resume(&args, context),
        Command::Verify(args) => verify::verify(&args, context),
        Command::Emit(args) => emit::emit(&args, context),
        Command::Doctor(args) => doctor::doctor(&args, context),
        _ => Err(Failure::failed("not there yet")),
    }
}
