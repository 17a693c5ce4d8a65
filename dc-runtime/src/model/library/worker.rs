//! A worker loads a library and calls one of its functions, once for each request.
//!
//! It is this program, started again. Its standard input is a socket, its standard output the shared memory. Both are moved to other
//! descriptors before the library is loaded, because the library may itself read and print.

use std::ffi::{CStr, CString, OsString, c_void};
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::UnixStream;

use super::calls;
use super::protocol::WORKER;
use super::shared::Shared;
use crate::fenv::{Environment, Guard};
use crate::model::several::Shape;

/// A worker's answer: its kind, and a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub enum Answer {
    /// The function was found; the shared memory has the path of its library, whose length is the number.
    Ready = 1,
    /// The library cannot be loaded; the memory has the loader's message.
    NoLibrary = 2,
    /// The library has no such symbol; the memory has the library's path.
    NoSymbol = 3,
    /// The batch is done.
    Done = 4,
    /// The batch is done, and changed the floating-point environment to this one.
    Environment = 5,
}

impl Answer {
    pub fn of(number: u64) -> Option<Answer> {
        use Answer::{Done, Environment, NoLibrary, NoSymbol, Ready};
        let all = [Ready, NoLibrary, NoSymbol, Done, Environment];
        all.into_iter().find(|a| *a as u64 == number)
    }
}

/// Serves as a worker if this process was started as one; returns whether it was. Nothing may be written to standard output before.
#[must_use]
pub fn serve(args: &[OsString]) -> bool {
    match args {
        [_, worker, library, symbol, signature] if worker == WORKER => {
            let Some(Ok(shape)) = signature.to_str().map(Shape::parse) else {
                return false;
            };
            // If this fails, the starting process sees the end of the socket.
            let _ = work(library.as_bytes(), symbol.as_bytes(), shape);
            true
        }
        _ => false,
    }
}

fn work(library: &[u8], symbol: &[u8], shape: Shape) -> io::Result<()> {
    let (socket, shared) = take_over()?;
    leave_with(&socket)?;
    let answer = |answer: Answer, number: u64| -> io::Result<()> {
        let mut message = [0; 24];
        message[..8].copy_from_slice(&(answer as u64).to_le_bytes());
        message[8..16].copy_from_slice(&number.to_le_bytes());
        let environment = u64::from(Environment::current().word());
        message[16..].copy_from_slice(&environment.to_le_bytes());
        let mut stream = &socket;
        stream.write_all(&message)
    };
    let name = |bytes: &[u8]| CString::new(bytes).map_err(io::Error::other);
    // SAFETY: a C string. The library's initialisers can only affect this process.
    let handle = unsafe { libc::dlopen(name(library)?.as_ptr(), libc::RTLD_NOW) };
    if handle.is_null() {
        let reason = loader_error();
        return answer(Answer::NoLibrary, shared.put_text(&reason));
    }
    // SAFETY: a library's handle and a C string.
    let found = unsafe { libc::dlsym(handle, name(symbol)?.as_ptr()) };
    if found.is_null() {
        return answer(Answer::NoSymbol, shared.put_text(&path_of_library(handle)));
    }
    answer(Answer::Ready, shared.put_text(&path_of_symbol(found)))?;
    let call = calls::of(shape);
    loop {
        let mut count = [0; 8];
        if (&socket).read_exact(&mut count).is_err() {
            return Ok(());
        }
        let count = usize::try_from(u64::from_le_bytes(count)).unwrap_or(0);
        let guard = Guard::new();
        // SAFETY: the user states that it is a function of this type; if it is not, only this process is affected.
        unsafe { call(found, &shared, count) };
        match guard.changed() {
            None => answer(Answer::Done, 0)?,
            Some(environment) => answer(Answer::Environment, environment.word().into())?,
        }
    }
}

/// The socket and the memory that this process got as its standard streams, which are then redirected to the null
/// device.
fn take_over() -> io::Result<(UnixStream, Shared)> {
    // SAFETY: the arguments are numbers, and the result is checked: a new descriptor of ours, above those of the
    // streams.
    let copy = |stream: i32| match unsafe { libc::fcntl(stream, libc::F_DUPFD_CLOEXEC, 3) } {
        -1 => Err(io::Error::last_os_error()),
        // SAFETY: the call created the descriptor for us.
        fd => Ok(unsafe { OwnedFd::from_raw_fd(fd) }),
    };
    let none = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // A crash is reported, so no core file is needed. Where the limit cannot be set, one is written. SAFETY: a
    // structure that is alive during the call.
    unsafe { libc::setrlimit(libc::RLIMIT_CORE, &raw const none) };
    let socket = UnixStream::from(copy(0)?);
    let shared = Shared::of(&copy(1)?)?;
    let null = std::fs::File::options()
        .read(true)
        .write(true)
        .open("/dev/null")?;
    for stream in 0..3 {
        // SAFETY: the arguments are numbers.
        if unsafe { libc::dup2(null.as_raw_fd(), stream) } == -1 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok((socket, shared))
}

/// Ends this process as soon as the other end of the socket is closed, whatever the library is doing then.
fn leave_with(socket: &UnixStream) -> io::Result<()> {
    let socket = socket.try_clone()?;
    std::thread::Builder::new()
        .stack_size(64 << 10)
        .spawn(move || {
            let mut wanted = libc::pollfd {
                fd: socket.as_raw_fd(),
                // The other side's end is always reported.
                events: 0,
                revents: 0,
            };
            loop {
                // SAFETY: one structure, alive during the call.
                if unsafe { libc::poll(&raw mut wanted, 1, -1) } > 0 {
                    // SAFETY: the argument is a number, and nothing runs after the call.
                    unsafe { libc::_exit(0) };
                }
            }
        })?;
    Ok(())
}

fn loader_error() -> String {
    // SAFETY: the call gives null or a C string that lives until the next call of the loader.
    let text = unsafe { libc::dlerror() };
    if text.is_null() {
        return "the loader gives no reason".into();
    }
    // SAFETY: as above.
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}

/// The file of the library that contains an address.
fn path_of_symbol(address: *mut c_void) -> String {
    // SAFETY: a structure of pointers and numbers, for which zeros are valid.
    let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: the function accepts any address; the structure is ours.
    let known = unsafe { libc::dladdr(address, &raw mut info) } != 0;
    if !known || info.dli_fname.is_null() {
        return String::new();
    }
    // SAFETY: the loader's own C string, which lives as long as the library is loaded.
    let name = unsafe { CStr::from_ptr(info.dli_fname) };
    name.to_string_lossy().into_owned()
}

/// The file of a library.
fn path_of_library(handle: *mut c_void) -> String {
    /// The beginning of the loader's `struct link_map` (dlinfo(3)).
    #[repr(C)]
    struct LinkMap {
        address: usize,
        name: *const libc::c_char,
    }
    let mut map: *const LinkMap = std::ptr::null();
    // SAFETY: a library's handle, and a place for the requested pointer.
    let failed = unsafe { libc::dlinfo(handle, libc::RTLD_DI_LINKMAP, (&raw mut map).cast()) } != 0;
    if failed || map.is_null() {
        return String::new();
    }
    // SAFETY: the loader's own structure and C string, which live as long as the library is loaded.
    let name = unsafe { CStr::from_ptr((*map).name) };
    name.to_string_lossy().into_owned()
}
