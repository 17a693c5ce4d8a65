//! This process's side of the communication with a worker.

use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::error::LibraryError;
use super::object::Object;
use super::protocol::WORKER;
use super::shared::Shared;
use super::worker::Answer;
use crate::fenv::Environment;
use crate::model::patience;
use crate::model::several::Shape;

/// The number of seconds that one call of a function may take, unless an environment variable sets another.
const SECONDS: u64 = 60;

/// A worker.
#[derive(Debug)]
pub struct Process {
    child: Child,
    socket: UnixStream,
    shared: Shared,
    limit: Duration,
}

/// The worker's report after loading the library.
#[derive(Debug)]
pub struct Loaded {
    /// The file that contains the function.
    pub path: String,
    /// The floating-point environment after loading.
    pub environment: Environment,
}

/// Inputs of a batch whose results depend on the lane.
#[derive(Debug, Clone, Copy)]
pub struct Lanes {
    /// Their number.
    pub count: u64,
    /// The index of the first one.
    pub at: usize,
    /// Its results in lane 0 and in the other lane.
    pub results: [u64; 2],
    /// The other lane.
    pub lane: u64,
}

/// The reason why a batch has no results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failed {
    /// The process ended in the call at this index of the batch.
    Gone {
        /// The index.
        at: usize,
        /// `was killed by signal 11 (SIGSEGV)`, `ended its process with code 3`.
        how: String,
    },
    /// The call at this index did not return.
    Hung {
        /// The index.
        at: usize,
        /// The time limit.
        seconds: u64,
    },
    /// A call changed the floating-point environment to this.
    Environment(Environment),
}

impl Process {
    /// Starts a worker, which loads the library.
    pub fn start(
        library: &str,
        symbol: &str,
        shape: &Shape,
    ) -> Result<(Process, Loaded), LibraryError> {
        let failed = |e: io::Error| LibraryError::Worker {
            symbol: symbol.into(),
            reason: e.to_string(),
        };
        let (socket, theirs) = UnixStream::pair().map_err(failed)?;
        let (shared, memory) = Shared::new().map_err(failed)?;
        // The executable of this very process, even if its file has been replaced since it was started.
        let child = Command::new("/proc/self/exe")
            .args([WORKER, library, symbol, &shape.to_string()])
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::from(memory))
            .stderr(Stdio::null())
            // Ctrl-C is only for this process, which then waits until the worker's batch is done.
            .process_group(0)
            .spawn()
            .map_err(failed)?;
        let mut process = Process {
            child,
            socket,
            shared,
            limit: patience::limit_or(SECONDS),
        };
        let crashed = |how: String| LibraryError::Crashed {
            library: library.into(),
            how,
        };
        let (answer, number, environment) = match process.answer() {
            Ok(answer) => answer,
            Err(Failed::Gone { how, .. }) => return Err(crashed(how)),
            Err(Failed::Hung { seconds, .. }) => {
                return Err(crashed(format!("has not ended after {seconds} s")));
            }
            Err(Failed::Environment(_)) => return Err(crashed("gave no answer".into())),
        };
        let text = process.shared.text(number);
        match answer {
            Answer::Ready => {
                let loaded = Loaded {
                    path: text,
                    environment,
                };
                Ok((process, loaded))
            }
            Answer::NoSymbol => {
                let object = Object::read(Path::new(&text), None)?;
                Err(LibraryError::Symbol {
                    near: object.near(symbol),
                    library: object.path,
                    symbol: symbol.into(),
                })
            }
            Answer::NoLibrary => Err(LibraryError::Load {
                library: library.into(),
                reason: text,
            }),
            Answer::Done | Answer::Environment => Err(crashed("gave no answer".into())),
        }
    }

    /// Calls the function for a batch, with one column per word of its arguments; appends the words of its results to theirs.
    pub fn call(&mut self, batch: &[&[u64]], outputs: &mut [&mut Vec<u64>]) -> Result<(), Failed> {
        for (i, inputs) in batch.iter().enumerate() {
            for (word, &input) in self.shared.argument(i).iter().zip(*inputs) {
                word.store(input, Ordering::Relaxed);
            }
        }
        let length = batch.first().map_or(0, |c| c.len());
        self.shared.progress().store(0, Ordering::Relaxed);
        let count = (length as u64).to_le_bytes();
        if self.socket.write_all(&count).is_err() {
            return Err(self.gone());
        }
        match self.answer()? {
            (Answer::Done, ..) => {
                for (i, output) in outputs.iter_mut().enumerate() {
                    let results = self.shared.argument(i).iter().take(length);
                    output.extend(results.map(|word| word.load(Ordering::Relaxed)));
                }
                Ok(())
            }
            (Answer::Environment, word, _) => Err(Failed::Environment(Environment::of_word(word))),
            _ => Err(self.gone()),
        }
    }

    /// The findings of the worker about the lanes of a vector function in the last batch.
    pub fn lanes(&self) -> Option<Lanes> {
        let words = self.shared.lanes();
        let word = |n: usize| words[n].load(Ordering::Relaxed);
        (word(0) > 0).then(|| Lanes {
            count: word(0),
            at: usize::try_from(word(1)).unwrap_or(usize::MAX),
            results: [word(2), word(3)],
            lane: word(4),
        })
    }

    /// The index in a batch of the first call that changes the floating-point environment, if repeating the batch changes it again.
    pub fn first_to_change_the_environment(&mut self, batch: &[&[u64]]) -> Option<usize> {
        let mut changes = |length: usize| {
            let part: Vec<&[u64]> = batch.iter().map(|c| &c[..length]).collect();
            let again = self.call(&part, &mut []);
            matches!(again, Err(Failed::Environment(_)))
        };
        let (mut without, mut with) = (0, batch.first().map_or(0, |c| c.len()));
        if !changes(with) {
            return None;
        }
        while with - without > 1 {
            let middle = without.midpoint(with);
            match changes(middle) {
                true => with = middle,
                false => without = middle,
            }
        }
        Some(without)
    }

    /// Waits for an answer; returns it with its number and the worker's environment. The time limit starts again whenever the worker
    /// proceeds to another input.
    fn answer(&mut self) -> Result<(Answer, u64, Environment), Failed> {
        const TICK: Duration = Duration::from_millis(200);
        let mut message = [0; 24];
        let mut have = 0;
        let mut at = self.place();
        let mut waited = Duration::ZERO;
        // The timeout is above zero and the socket is ours, so this cannot fail.
        let _ = self.socket.set_read_timeout(Some(TICK));
        while have < message.len() {
            match self.socket.read(&mut message[have..]) {
                Ok(0) => return Err(self.gone()),
                Ok(n) => have += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => {
                    let now = self.place();
                    waited = if now == at { waited + TICK } else { TICK };
                    at = now;
                    if waited >= self.limit {
                        return Err(Failed::Hung {
                            at,
                            seconds: self.limit.as_secs(),
                        });
                    }
                }
                Err(_) => return Err(self.gone()),
            }
        }
        let number = |at: usize| {
            let bytes = message[at..].first_chunk::<8>();
            bytes.map_or(0, |b| u64::from_le_bytes(*b))
        };
        match Answer::of(number(0)) {
            Some(answer) => Ok((answer, number(8), Environment::of_word(number(16)))),
            None => Err(self.gone()),
        }
    }

    /// How the process ended, if it has ended or ends within a second.
    fn end(&mut self) -> io::Result<Option<ExitStatus>> {
        for _ in 0..100 {
            if let Some(status) = self.child.try_wait()? {
                return Ok(Some(status));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(None)
    }

    fn place(&self) -> usize {
        usize::try_from(self.shared.progress().load(Ordering::Relaxed)).unwrap_or(usize::MAX)
    }

    /// The failure of a worker whose socket is closed, or whose answer is invalid.
    fn gone(&mut self) -> Failed {
        let _ = self.socket.shutdown(std::net::Shutdown::Both);
        let how = match self.end() {
            Ok(Some(status)) => ended(status),
            Ok(None) => "closed the socket that its process reads requests from".into(),
            Err(e) => format!("ended its process ({e})"),
        };
        Failed::Gone {
            at: self.place(),
            how,
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The process may hang; if it has already ended, the error does not matter.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn ended(status: ExitStatus) -> String {
    match (status.signal(), status.code()) {
        (Some(signal), _) => format!("was killed by signal {signal}{}", name(signal)),
        (None, Some(code)) => format!("ended its process with code {code}"),
        (None, None) => format!("ended its process ({status})"),
    }
}

fn name(signal: i32) -> &'static str {
    match signal {
        libc::SIGSEGV => " (SIGSEGV)",
        libc::SIGBUS => " (SIGBUS)",
        libc::SIGFPE => " (SIGFPE)",
        libc::SIGILL => " (SIGILL)",
        libc::SIGABRT => " (SIGABRT)",
        libc::SIGTRAP => " (SIGTRAP)",
        libc::SIGSYS => " (SIGSYS)",
        libc::SIGKILL => " (SIGKILL)",
        libc::SIGTERM => " (SIGTERM)",
        _ => "",
    }
}
