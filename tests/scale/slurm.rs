//! A real Slurm: munge, controller and node daemon in a folder of the test's own, on ports that are free, without accounting.

use std::collections::{BTreeMap, BTreeSet};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use doublecrunch::backend::skip::skip;
use doublecrunch::search::run_file::Reader;
use tempfile::TempDir;

use super::{
    clean, crunch, output, program, said, same_as_unsharded, signal, stop_midway, submit_four,
    succeed, text, wait,
};

/// 2^28 inputs: each of 16 tasks has work for a moment on the slowest instruction set.
const RANGE: &str = "1.0..=0x1.000001p0";
const TASKS: u32 = 16;
/// Half a minute is usual: Slurm looks for time limits every 30 s.
pub(super) const PATIENCE: Duration = Duration::from_secs(240);

/// Why no cluster started.
enum Cause {
    /// A program is not installed.
    Missing(String),
    /// A daemon ended or did not answer.
    Failed(String),
}

/// The cluster; its daemons end with it.
pub(super) struct Slurm {
    pub(super) dir: TempDir,
    daemons: Vec<Child>,
}

impl Slurm {
    /// Starts it, or says why it cannot run here. Another process may take one of its ports first: three clusters are tried.
    fn start() -> Result<Slurm, String> {
        let mut why = Vec::new();
        for _ in 0..3 {
            match Slurm::start_once() {
                Ok(slurm) => return Ok(slurm),
                Err(Cause::Missing(program)) => return Err(program),
                Err(Cause::Failed(cause)) => why.push(cause),
            }
        }
        Err(why.join("; then "))
    }

    fn start_once() -> Result<Slurm, Cause> {
        let find = |name| {
            program(name).ok_or(Cause::Missing(format!(
                "{name} is not here; as root: apt-get install slurm-wlm"
            )))
        };
        let (munged, slurmctld, slurmd) = (find("munged")?, find("slurmctld")?, find("slurmd")?);
        find("sbatch")?;
        let dir = tempfile::tempdir().expect("a folder");
        let at = |name: &str| dir.path().join(name);
        for name in ["munge", "state", "spool", "cgroup"] {
            std::fs::create_dir(at(name)).expect("a folder");
        }
        let key: Vec<u8> = (0..64u8).collect();
        std::fs::write(at("munge/key"), key).expect("a key");
        private(&at("munge"), 0o700);
        private(&at("munge/key"), 0o400);
        std::fs::write(at("slurm.conf"), conf(dir.path())).expect("a configuration");
        let mut slurm = Slurm {
            daemons: Vec::new(),
            dir,
        };
        let mut munge = clean(munged);
        munge.args(["--foreground", "--force", "--num-threads=2"]);
        for (option, name) in [
            ("--socket", "socket"),
            ("--key-file", "key"),
            ("--log-file", "log"),
            ("--pid-file", "pid"),
            ("--seed-file", "seed"),
        ] {
            let path = slurm.dir.path().join("munge").join(name);
            munge.arg(format!("{option}={}", path.display()));
        }
        slurm.daemon(&mut munge);
        let socket = slurm.dir.path().join("munge/socket");
        wait("munge", Duration::from_secs(20), || socket.exists()).map_err(Cause::Failed)?;
        let mut controller = slurm.command(&slurmctld);
        slurm.daemon(controller.arg("-D"));
        // Which kind of control groups a machine has is not Slurm's to guess; version 22 of it needs one of them.
        let mut why = Vec::new();
        for plugin in ["disabled", "cgroup/v1", "cgroup/v2"] {
            let cgroup = format!(
                "CgroupPlugin={plugin}\nIgnoreSystemd=yes\nCgroupMountpoint={}\n",
                slurm.dir.path().join("cgroup").display()
            );
            std::fs::write(slurm.dir.path().join("cgroup.conf"), cgroup).expect("a configuration");
            let _ = std::fs::remove_file(slurm.dir.path().join("slurmd.log"));
            let mut node = slurm.command(&slurmd);
            slurm.daemon(node.arg("-D"));
            let waited = wait("a node", Duration::from_secs(30), || {
                slurm.is_idle() || slurm.has_ended()
            });
            if waited.is_ok() && slurm.is_idle() {
                return Ok(slurm);
            }
            let log = slurm.log("slurmd.log");
            let errors = log
                .lines()
                .filter(|l| l.contains("fatal") || l.contains("error:"));
            let errors: Vec<_> = errors.collect();
            let ended = slurm.daemons.last_mut().and_then(|d| d.try_wait().ok()?);
            why.push(format!(
                "{plugin}: {ended:?}, {}",
                match errors.len() {
                    0 => log.lines().next_back().unwrap_or("no log").to_owned(),
                    _ => errors.join(", "),
                }
            ));
            if let Some(mut node) = slurm.daemons.pop() {
                let _ = node.kill();
                let _ = node.wait();
            }
        }
        let controller = slurm.log("slurmctld.log");
        why.push(format!(
            "the controller: {}",
            controller.lines().next_back().unwrap_or("no log")
        ));
        Err(Cause::Failed(format!(
            "its node daemon does not start: {}",
            why.join("; ")
        )))
    }

    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = clean(program);
        command.env("SLURM_CONF", self.dir.path().join("slurm.conf"));
        command
    }

    fn daemon(&mut self, command: &mut Command) {
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        self.daemons
            .push(child.unwrap_or_else(|e| panic!("{command:?}: {e}")));
    }

    fn is_idle(&self) -> bool {
        let o = self.command("sinfo").args(["-h", "-o", "%t"]).output();
        o.is_ok_and(|o| o.stdout.starts_with(b"idle"))
    }

    /// Whether the daemon that was started last has ended.
    fn has_ended(&mut self) -> bool {
        let last = self.daemons.last_mut();
        last.is_some_and(|d| d.try_wait().is_ok_and(|end| end.is_some()))
    }

    fn log(&self, name: &str) -> String {
        std::fs::read_to_string(self.dir.path().join(name)).unwrap_or_default()
    }

    /// The jobs and tasks in the queue.
    pub(super) fn queue(&self) -> String {
        succeed(self.command("squeue").args(["-h", "-r", "-o", "%i %t %r"]))
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        // Tasks would outlive the node's daemon.
        let _ = self
            .command("scancel")
            .args(["--quiet", "--full", "--signal=KILL", "-t", "R"])
            .status();
        for daemon in self.daemons.iter_mut().rev() {
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

fn conf(dir: &Path) -> String {
    let user = succeed(clean("id").arg("-un"));
    let host = succeed(clean("hostname").arg("-s"));
    let (user, host) = (user.trim(), host.trim());
    // Below the ports that the kernel gives to outgoing connections, of which the daemons' clients make many.
    let mut candidates = (20_000 + (std::process::id() % 5_000) as u16 * 2..32_000)
        .filter(|&port| TcpListener::bind(("0.0.0.0", port)).is_ok());
    let mut free = || candidates.next().expect("a port");
    let dir = dir.display();
    format!(
        "ClusterName=crunch\nSlurmctldHost={host}(127.0.0.1)\nSlurmctldPort={}\nSlurmdPort={}\n\
         SlurmUser={user}\nSlurmdUser={user}\n\
         AuthType=auth/munge\nCredType=cred/munge\nAuthInfo=socket={dir}/munge/socket,cred_expire=5\n\
         StateSaveLocation={dir}/state\nSlurmdSpoolDir={dir}/spool\n\
         SlurmctldPidFile={dir}/slurmctld.pid\nSlurmdPidFile={dir}/slurmd.pid\n\
         SlurmctldLogFile={dir}/slurmctld.log\nSlurmdLogFile={dir}/slurmd.log\n\
         ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nMpiDefault=none\n\
         JobAcctGatherType=jobacct_gather/none\nAccountingStorageType=accounting_storage/none\n\
         SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n\
         SlurmdParameters=config_overrides\nReturnToService=2\n\
         SchedulerParameters=sched_min_interval=0,batch_sched_delay=0,sched_interval=1\n\
         NodeName={host} NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN\n\
         PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n",
        free(),
        free(),
    )
}

pub(super) fn private(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("permissions");
}

/// The shards whose run files are being written, with their processes, as their locks name them.
fn running(job: &Path) -> BTreeMap<u32, u32> {
    let files = std::fs::read_dir(job).expect("the folder").flatten();
    let locks = files.filter_map(|f| {
        let name = f.file_name().into_string().ok()?;
        let shard = name.strip_suffix(".crunch.lock")?;
        let shard = shard.strip_prefix("reciprocal.")?.split('-').next()?;
        let text = std::fs::read_to_string(f.path()).ok()?;
        let process = text.strip_prefix("process ")?.split(' ').next()?;
        Some((shard.parse().ok()?, process.parse().ok()?))
    });
    locks.collect()
}

/// Whether SIGTERM waits for a process that is stopped.
fn is_told_to_stop(process: u32) -> bool {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let mask = text.lines().find_map(|l| l.strip_prefix("ShdPnd:"));
    let mask = mask.and_then(|m| u64::from_str_radix(m.trim(), 16).ok());
    mask.is_some_and(|m| m >> 14 & 1 == 1)
}

fn logs(job: &Path) -> Vec<String> {
    let log = |i| std::fs::read_to_string(job.join(format!("task-{i}.log"))).unwrap_or_default();
    (1..=TASKS).map(log).collect()
}

/// Three tasks are killed, a fourth is so slow that its time limit stops it: Slurm queues them again, and they go on where
/// they were. The merging job starts when all have succeeded.
#[test]
fn an_array_survives_kills_and_its_time_limit() {
    let slurm = match Slurm::start() {
        Ok(slurm) => slurm,
        Err(why) => {
            skip("slurm", &why);
            return;
        }
    };
    let begun = Instant::now();
    let job = slurm.dir.path().join("a job");
    let submit = [
        "submit",
        "slurm",
        "reciprocal",
        "--range",
        RANGE,
        "--block",
        super::BLOCK,
        "-b",
        "scalar",
        "--tasks",
        "16",
        "--limit",
        "60s",
        "--notice",
        "50",
        "--dir",
        text(&job),
        "--go",
    ];
    let conf = slurm.dir.path().join("slurm.conf");
    let submitted = succeed(crunch(&submit).env("SLURM_CONF", conf));
    assert!(submitted.contains("submitted: array "), "{submitted}");
    let mut killed = BTreeSet::new();
    let mut slow: Option<(u32, u32)> = None;
    let mut states = BTreeSet::new();
    let mut looked = None;
    let merged = job.join("merged.crunch");
    while !merged.exists() {
        assert!(
            begun.elapsed() < PATIENCE,
            "{}\n{}\n{}",
            slurm.queue(),
            logs(&job).join("\n"),
            slurm.log("slurmctld.log")
        );
        for (shard, process) in running(&job) {
            let file = job.join(format!("reciprocal.{shard}-of-16.crunch"));
            let chosen = killed.contains(&shard) || slow.is_some_and(|s| s.0 == shard);
            if chosen || slow.is_some() || !stop_midway(process, &file) {
                continue;
            }
            if killed.len() < 3 {
                signal("-KILL", process);
                killed.insert(shard);
            } else {
                slow = Some((shard, process));
            }
        }
        if let Some((_, process)) = slow
            && is_told_to_stop(process)
        {
            signal("-CONT", process);
        }
        // The folder is read while it is written. Once all tasks are chosen, what is left is to wait for a time limit, and each look
        // starts a process.
        if looked.is_none_or(|l: Instant| slow.is_none() || l.elapsed() >= Duration::from_secs(1)) {
            looked = Some(Instant::now());
            let status = output(&mut crunch(&["status", text(&job), "--json"]));
            let text = String::from_utf8_lossy(&status.stdout);
            for state in ["running", "killed", "stopped", "missing", "complete"] {
                if text.contains(&format!("\"state\": \"{state}\"")) {
                    states.insert(state);
                }
            }
        }
        let pause = if slow.is_some() { 250 } else { 20 };
        std::thread::sleep(Duration::from_millis(pause));
    }
    println!(
        "16 tasks, three killed, one stopped: merged after {:.1?}",
        begun.elapsed()
    );
    let logs = logs(&job);
    let count = |text: &str| logs.iter().filter(|l| l.contains(text)).count();
    let killed_logs = killed
        .iter()
        .filter(|&&i| logs[i as usize - 1].contains("exit code 137"));
    assert_eq!(killed_logs.count(), 3, "{killed:?}: {logs:#?}");
    let (slow, _) = slow.expect("a task that was slow");
    assert!(
        logs[slow as usize - 1].contains("exit code 5"),
        "{}",
        logs[slow as usize - 1]
    );
    assert_eq!(count("exit code 0"), TASKS as usize, "{logs:#?}");
    assert!(count(", start 2,") >= 4, "{logs:#?}");
    // Each start is a session of the run file; the killed ones have no end.
    for i in killed.iter().chain([&slow]) {
        let file: PathBuf = job.join(format!("reciprocal.{i}-of-16.crunch"));
        let sessions = Reader::open(&file)
            .and_then(|r| r.sessions())
            .expect("sessions");
        let was_killed = killed.contains(i);
        assert!(sessions.len() >= 2, "{i}: {sessions:?}");
        assert_eq!(sessions[0].ended.is_none(), was_killed, "{i}: {sessions:?}");
    }
    assert!(
        states.contains("complete") && states.len() >= 3,
        "{states:?}"
    );
    let all = succeed(&mut crunch(&["status", text(&job)]));
    assert!(
        all.contains("16 complete") && all.contains("merged in"),
        "{all}"
    );
    same_as_unsharded(&merged, RANGE);

    super::claims::nodes_that_are_not_alike(&slurm);

    // Cancelled, a task commits and is not queued again.
    let cancelled = slurm.dir.path().join("cancelled");
    let submit = [
        "submit",
        "slurm",
        "exp",
        "--range",
        "1.0..1.001",
        "-b",
        "scalar",
        "--tasks",
        "2",
        "--dir",
        text(&cancelled),
        "--go",
    ];
    let conf = slurm.dir.path().join("slurm.conf");
    succeed(crunch(&submit).env("SLURM_CONF", conf));
    let is_running = || slurm.queue().matches(" R ").count() == 2;
    wait("two tasks", PATIENCE, is_running).expect("a queue");
    let begun = || {
        cancelled.join("exp.1-of-2.crunch").exists() && cancelled.join("exp.2-of-2.crunch").exists()
    };
    wait("two run files", PATIENCE, begun).expect("run files");
    succeed(slurm.command("scancel").args(["-n", "exp"]));
    wait("the end", PATIENCE, || slurm.queue().is_empty()).expect("an end");
    for i in 1..=2 {
        let log = std::fs::read_to_string(cancelled.join(format!("task-{i}.log"))).expect("a log");
        assert!(
            log.contains("exit code ") && log.contains("not queued again: it is "),
            "{log}"
        );
        assert!(!log.contains("start 2,"), "{log}");
    }

    // Ranks of srun, which has no array.
    let ranks = slurm.dir.path().join("ranks");
    let conf = slurm.dir.path().join("slurm.conf");
    let o = output(submit_four("mpi", &ranks, &["--launcher", "srun"]).env("SLURM_CONF", conf));
    assert!(o.status.success(), "{}", said(&o));
    same_as_unsharded(&ranks.join("merged.crunch"), super::RANGE);
}
