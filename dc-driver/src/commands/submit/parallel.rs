//! GNU parallel: on this machine, or on hosts that are reached by ssh and share the folder.

use super::job::{Job, Written, script};
use crate::commands::submit::args::ParallelArgs;
use crate::context::shell;
use crate::failure::Failure;

pub(super) fn write(args: &ParallelArgs, job: &Job) -> Result<Vec<Written>, Failure> {
    let hosts = match &args.hosts {
        None => String::new(),
        Some(file) => {
            let file = std::fs::canonicalize(file)
                .map_err(|e| Failure::input(format!("--hosts {}: {e}", file.display())))?;
            format!(" \\\n    --sshloginfile {}", shell(&file))
        }
    };
    let body = format!(
        r#"# --jobs: tasks at a time on each host; each takes all cores that it may, unless `submit` had -j.
# --workdir: the hosts share this folder under this name.
# --joblog, --resume-failed: started again, this does what has failed or is missing, and nothing twice.
# --retries: a task that fails, as by its host's death, is started again, on another host if there is one.
# --termseq: stopped, it leaves the tasks time to commit.
seq 1 {n} | parallel --jobs {jobs} --workdir "$PWD" --joblog parallel.log --resume-failed --retries {attempts} \
    --termseq TERM,20000,KILL,25{hosts} \
    sh task.sh '{{}}/{n}' || exit 1
sh merge.sh
"#,
        n = job.tasks,
        jobs = args.at_once,
        attempts = args.attempts,
    );
    let mut files = job.scripts();
    let submit = script("Runs all tasks, then merges.", &body);
    files.push(Written::new("submit.sh", submit));
    Ok(files)
}
