//! Runs a program under a time limit.

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

unsafe extern "C" {
    fn kill(process: i32, signal: i32) -> i32;
    #[cfg(target_os = "linux")]
    fn prctl(option: i32, ...) -> i32;
}

const SIGKILL: i32 = 9;
#[cfg(target_os = "linux")]
const PR_SET_PDEATHSIG: i32 = 1;

/// Ends the program when this process ends. It is in a process group of its own, which Ctrl-C does not reach.
#[cfg(target_os = "linux")]
fn die_with_us(command: &mut Command) {
    // SAFETY: between fork and exec only this system call is made, which is safe there; its argument is a signal.
    unsafe {
        command.pre_exec(
            || match prctl(PR_SET_PDEATHSIG, u64::from(SIGKILL.unsigned_abs())) {
                0 => Ok(()),
                _ => Err(std::io::Error::last_os_error()),
            },
        );
    }
}

#[cfg(not(target_os = "linux"))]
fn die_with_us(_: &mut Command) {}

/// How a program ended, with the output that it printed until then.
pub struct Ended {
    pub stdout: String,
    pub stderr: String,
    /// The reason, if it did not end well.
    pub problem: Option<Problem>,
    pub seconds: f64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// It was stopped.
    TimedOut(String),
    /// It ended by itself, or never started.
    Failed(String),
}

impl Ended {
    /// The last line of its messages that is not a display of progress.
    pub fn last_message(&self) -> &str {
        let lines = self.stderr.lines().chain(self.stdout.lines());
        let mut lines = lines.filter(|l| !l.trim().is_empty() && !l.contains(" s left"));
        lines.next_back().unwrap_or("it says nothing").trim()
    }
}

/// Runs a program, until `end` at the latest. Then it is killed, with all processes that it started.
pub fn run(command: &mut Command, end: Instant) -> Ended {
    let begun = Instant::now();
    let name = command.get_program().to_string_lossy().into_owned();
    let name = name.rsplit('/').next().unwrap_or_default().to_string();
    die_with_us(command);
    // The input is a pipe that is closed at once: there may be no /dev/null.
    let child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(e) => {
            return Ended {
                stdout: String::new(),
                stderr: String::new(),
                problem: Some(Problem::Failed(format!("{name} does not start: {e}"))),
                seconds: 0.0,
            };
        }
    };
    drop(child.stdin.take());
    let stdout = reader(child.stdout.take());
    let stderr = reader(child.stderr.take());
    let mut timed_out = false;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Ok(status),
            Err(e) => break Err(e),
            Ok(None) => {}
        }
        if Instant::now() >= end && !timed_out {
            timed_out = true;
            // SAFETY: the group is the child's own, which has not been waited for, so the number is still its own.
            unsafe { kill(-child.id().cast_signed(), SIGKILL) };
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let seconds = begun.elapsed().as_secs_f64();
    let problem = match status {
        _ if timed_out => Some(Problem::TimedOut(format!(
            "{name}: stopped after {seconds:.0} s"
        ))),
        Ok(status) if status.success() => None,
        Ok(status) => Some(Problem::Failed(format!("{name}: {status}"))),
        Err(e) => Some(Problem::Failed(format!("{name}: {e}"))),
    };
    let text = |reader: JoinHandle<String>| reader.join().unwrap_or_default();
    Ended {
        stdout: text(stdout),
        stderr: text(stderr),
        problem,
        seconds,
    }
}

fn reader(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What was read before an error is kept.
            let _ = pipe.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(text: &str, limit: Duration) -> Ended {
        run(
            Command::new("sh").args(["-c", text]),
            Instant::now() + limit,
        )
    }

    #[test]
    fn what_a_program_printed_is_kept_when_it_is_stopped() {
        // The process that sleeps is the shell's child, and has its output.
        let ended = shell("echo begun; sleep 100; echo no", Duration::from_millis(200));
        assert_eq!(ended.stdout, "begun\n");
        assert!(matches!(ended.problem, Some(Problem::TimedOut(_))));
        assert!(ended.seconds < 50.0);
    }

    #[test]
    fn a_failure_is_told_from_a_program_that_is_not_there() {
        let minute = Duration::from_secs(60);
        let ended = shell("echo why >&2; exit 3", minute);
        assert_eq!(
            ended.problem,
            Some(Problem::Failed("sh: exit status: 3".into()))
        );
        assert_eq!(ended.last_message(), "why");
        assert_eq!(shell("cat", minute).problem, None);
        let ended = run(&mut Command::new("/nonexistent/x"), Instant::now() + minute);
        assert!(
            matches!(ended.problem, Some(Problem::Failed(t)) if t.contains("x does not start"))
        );
    }
}
