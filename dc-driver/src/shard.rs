//! The shard that a process works on.

use crate::args::ShardArg;
use crate::failure::Failure;
use dc_runtime::search::shard::Shard;

/// The shard, or the place among tasks, that an option or the environment gives.
pub fn shard(arg: Option<ShardArg>, option: &str) -> Result<Shard, Failure> {
    let automatic = || {
        Shard::from_environment(|name| std::env::var(name).ok())
            .map_err(|e| Failure::input(e.to_string()))
    };
    match arg {
        Some(ShardArg::Given(s)) => Ok(s),
        None => Ok(automatic()?.unwrap_or(Shard::WHOLE)),
        Some(ShardArg::Auto) => automatic()?.ok_or_else(|| {
            Failure::input(format!(
                "{option} auto: this process is not a task of an array job (neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX is set), \
                 nor one of several ranks; give {option} i/n"
            ))
        }),
    }
}
