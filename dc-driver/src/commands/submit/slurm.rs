//! Slurm: an array job, and a job that depends on it.

use super::job::{Job, Written, script};
use crate::commands::submit::args::SlurmArgs;
use crate::context::Context;

/// Slurm's limit of an array's largest index if nothing else is configured (`MaxArraySize` 1001, minus one).
const USUAL: u32 = 1000;

pub(super) fn write(args: &SlurmArgs, job: &Job, context: &mut Context) -> Vec<Written> {
    if job.tasks > USUAL {
        context.note(&format!(
            "a Slurm with the default MaxArraySize refuses arrays of more than {USUAL} tasks; submit.sh checks it before it submits, and \
             fewer tasks or a longer --task-time fit"
        ));
    }
    let limit = args.limit.or(job
        .claims
        .as_ref()
        .map(|c| (c.time * 1.5).max(c.time + 600.0)));
    let minutes = (limit.unwrap_or(3600.0) / 60.0).ceil().max(1.0);
    let at_once = args.at_once.map_or(String::new(), |n| format!("%{n}"));
    let options = |text: &mut String| {
        if !args.option.is_empty() {
            text.push_str("# As given to `submit`.\n");
        }
        for option in &args.option {
            text.push_str(&format!("#SBATCH {option}\n"));
        }
    };
    let (n, name) = (job.tasks, &job.name);
    // `status` reads both: of a task with a shard of its own beside this, of one that claims by itself.
    let log = match job.claims {
        None => "task",
        Some(_) => "claim",
    };
    let mut array = format!(
        r#"#!/bin/bash
# {tasks}. A task's number is {number}; any of them can be submitted again alone:
# sbatch --array=3,7 array.sbatch
#SBATCH --array=1-{n}{at_once}
# The name in the queue.
#SBATCH --job-name={name}
# A task is one process.
#SBATCH --ntasks=1
# With so many threads.
#SBATCH --cpus-per-task={cpus}
# Minutes until a task is stopped. It is then queued again, and resumed: no limit is too short for the search to end.
#SBATCH --time={minutes}
# So many seconds before, SIGTERM to this script alone (B:), which passes it on. Slurm may be a minute early.
#SBATCH --signal=B:TERM@{notice}
# After the death of a node Slurm queues its tasks again; each continues its run file.
#SBATCH --requeue
# One log for each task.
#SBATCH --output={log}-%a.log
# In which every start is kept.
#SBATCH --open-mode=append
"#,
        tasks = job.tasks(),
        number = job.number(),
        cpus = args.cpus,
        notice = args.notice,
    );
    options(&mut array);
    array.push_str(&format!(
        r#"
cd "$SLURM_SUBMIT_DIR" || exit 4
echo "task $SLURM_ARRAY_TASK_ID of {n} on $(hostname), start $((${{SLURM_RESTART_COUNT:-0}} + 1)), $(date)"
child= stop=
trap 'stop=1; test -z "$child" || kill -TERM "$child" 2>/dev/null' TERM
# In the background: the shell acts on a signal only where it waits.
sh task.sh "$SLURM_ARRAY_TASK_ID/{n}" &
child=$!
test -z "$stop" || kill -TERM "$child"
wait "$child"
code=$?
# A signal ends `wait` before the program has ended, which has yet to commit.
while kill -0 "$child" 2>/dev/null; do
    wait "$child"
    code=$?
done
echo "exit code $code"
# 5: stopped on request{time_up}, all that was done is committed. From 129 on: killed by a signal. Both go on where they were.
# 3 and 4: a backend that is missing or fails, the file system, or a lock that a dead node has not released yet; another node or a
# later start may succeed, so it is tried {FAILURES} times. Other codes would come again: they are the task's end, and the merging
# job is not started.
again=
if [ "$code" -eq 5 ] || [ "$code" -gt 128 ]; then
    again=1
elif [ "$code" -eq 3 ] || [ "$code" -eq 4 ]; then
    # Those in this task's log since it was submitted; where the log has another name, all starts.
    log={log}-$SLURM_ARRAY_TASK_ID.log failures=$((${{SLURM_RESTART_COUNT:-0}} + 1))
    [ ! -f "$log" ] || failures=$(awk '/^task .*, start 1, /{{n = 0}} /^exit code [34]$/{{n++}} END{{print n + 0}}' "$log")
    [ "$failures" -gt {FAILURES} ] || again=1
fi
if [ -n "$again" ]; then
    # A task that was cancelled (scancel) is not running any more, and neither is one that Slurm has queued again by itself.
    state=$(squeue -h -j "$SLURM_JOB_ID" -o %T)
    # A program that dies again and again must not do so for ever.
    if [ "$state" = RUNNING ] && [ "${{SLURM_RESTART_COUNT:-0}}" -lt {restarts} ]; then
        scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID" && exit 0
    fi
    echo "not queued again: it is ${{state:-gone}}"
fi
exit "$code"
"#,
        restarts = RESTARTS,
        time_up = match job.claims {
            None => "",
            Some(_) => ", or its time is up and shards are open",
        },
    ));
    let mut merge = format!(
        r#"#!/bin/bash
# Puts the files of all tasks together; submitted to start when they have succeeded.
# After the search, so that both are told apart in the queue.
#SBATCH --job-name={name}-merge
# One process, which takes about 1.5 ms for each shard.
#SBATCH --ntasks=1
# Its own log, beside those of the tasks.
#SBATCH --output=merge.log
# Where a task failed for good it would wait for ever.
#SBATCH --kill-on-invalid-dep=yes
"#
    );
    options(&mut merge);
    merge.push_str("\ncd \"$SLURM_SUBMIT_DIR\" && exec sh merge.sh\n");
    let submit = script(
        "Submits the array, and the job that merges when all of its tasks have succeeded (afterok).",
        &format!(
            r#"# Slurm refuses larger arrays, in words that name neither the limit nor a remedy.
limit=$(scontrol show config 2>/dev/null | awk '$1 == "MaxArraySize" {{print $3}}')
if [ -n "$limit" ] && [ {n} -ge "$limit" ]; then
    echo "error: {n} tasks: this Slurm has arrays of up to $((limit - 1)) (MaxArraySize $limit); submit fewer and longer tasks" >&2
    exit 2
fi
array=$(sbatch --parsable array.sbatch) || exit 1
# On federations the number is followed by the cluster's name.
array=${{array%%;*}}
merge=$(sbatch --parsable --dependency="afterok:$array" merge.sbatch) || exit 1
echo "submitted: array $array, then merge ${{merge%%;*}}"
"#
        ),
    );
    let mut files = job.scripts();
    files.extend([
        Written::new("array.sbatch", array),
        Written::new("merge.sbatch", merge),
        Written::new("submit.sh", submit),
    ]);
    files
}

/// How often a task is requeued.
const RESTARTS: u32 = 1000;

/// How often a task is requeued after a failure that its node may have caused.
const FAILURES: u32 = 5;
