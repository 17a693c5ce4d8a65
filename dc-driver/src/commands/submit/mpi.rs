//! MPI: one rank for each shard.

use super::job::{Job, Written, script};
use crate::commands::submit::args::MpiArgs;

pub(super) fn write(args: &MpiArgs, job: &Job) -> Vec<Written> {
    let body = format!(
        r#"# A rank's number is {number}; the program reads it from the launcher's environment (Open MPI, MPICH and
# others by PMI, srun). Ranks exchange nothing, so no MPI library is linked.
start=1
# Most launchers end all ranks where one fails. Their run files are continued by the next start; complete ones take a moment.
until {launcher} -n {n} sh task.sh; do
    [ "$start" -lt {attempts} ] || exit 1
    start=$((start + 1))
    echo "start $start"
done
sh merge.sh
"#,
        number = job.number(),
        launcher = args.launcher,
        n = job.tasks,
        attempts = args.attempts
    );
    let mut files = job.scripts();
    let submit = script("Runs all ranks, then merges.", &body);
    files.push(Written::new("submit.sh", submit));
    files
}
