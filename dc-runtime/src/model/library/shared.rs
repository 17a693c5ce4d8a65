//! Memory shared by a worker and this process: the worker's progress, and columns of words.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

use super::protocol::{ARGUMENTS, BATCH};

/// The number of words before the columns: one cache line.
const HEAD: usize = 8;
const WORDS: usize = HEAD + ARGUMENTS * BATCH;
const BYTES: usize = WORDS * size_of::<u64>();

/// A mapping of the shared memory.
///
/// Each side accesses the columns only while the other side waits for it. Nothing forces a worker to obey this, so all
/// words are atomic.
#[derive(Debug)]
pub struct Shared {
    words: NonNull<AtomicU64>,
}

// SAFETY: only this value has the mapping, and its words are atomic.
unsafe impl Send for Shared {}

impl Shared {
    /// New memory, all zeros, and the file with which another process maps it.
    pub fn new() -> io::Result<(Shared, OwnedFd)> {
        // SAFETY: the name is a C string; the result is checked.
        let fd = unsafe { libc::memfd_create(c"crunch".as_ptr(), libc::MFD_CLOEXEC) };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the call created the descriptor for us.
        let file = unsafe { OwnedFd::from_raw_fd(fd) };
        // SAFETY: the arguments are numbers.
        if unsafe { libc::ftruncate(fd, BYTES as libc::off_t) } != 0 {
            return Err(io::Error::last_os_error());
        }
        Ok((Shared::of(&file)?, file))
    }

    /// The memory of a file from [`Shared::new`], in this or another process.
    pub fn of(file: &impl AsRawFd) -> io::Result<Shared> {
        // SAFETY: a new mapping at an address of the system's choice, of a file of that length.
        let address = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                BYTES,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED,
                file.as_raw_fd(),
                0,
            )
        };
        if address == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let words = NonNull::new(address.cast()).ok_or_else(io::Error::last_os_error)?;
        Ok(Shared { words })
    }

    fn words(&self) -> &[AtomicU64] {
        // SAFETY: the mapping has that length, lives as long as this value, and is aligned to a page; any bits are
        // valid words.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr(), WORDS) }
    }

    /// The index of the input whose call was started last.
    pub fn progress(&self) -> &AtomicU64 {
        &self.words()[0]
    }

    /// The findings of a worker about the lanes of a vector function in its last batch: how many inputs had different results in two lanes;
    /// for the first of these its index, its results in lane 0 and in the other lane, and that lane.
    pub fn lanes(&self) -> &[AtomicU64] {
        &self.words()[1..6]
    }

    /// The first arguments. The results replace them; second results replace the second arguments.
    pub fn column(&self) -> &[AtomicU64] {
        self.argument(0)
    }

    /// The column of an argument.
    pub fn argument(&self, number: usize) -> &[AtomicU64] {
        &self.words()[HEAD + number * BATCH..][..BATCH]
    }

    /// Writes a text, truncated to the available space; returns its length.
    pub fn put_text(&self, text: &str) -> u64 {
        let column = self.column();
        let mut length = 0;
        for (word, bytes) in column.iter().zip(text.as_bytes().chunks(8)) {
            let mut padded = [0; 8];
            padded[..bytes.len()].copy_from_slice(bytes);
            word.store(u64::from_le_bytes(padded), Ordering::Relaxed);
            length += bytes.len() as u64;
        }
        length
    }

    /// The text with that length.
    pub fn text(&self, length: u64) -> String {
        let length = usize::try_from(length).unwrap_or(0).min(8 * BATCH);
        let words = &self.column()[..length.div_ceil(8)];
        let bytes: Vec<u8> = words
            .iter()
            .flat_map(|w| w.load(Ordering::Relaxed).to_le_bytes())
            .take(length)
            .collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // SAFETY: the mapping of `of`, which nothing refers to any more.
        unsafe { libc::munmap(self.words.as_ptr().cast(), BYTES) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_see_the_same_words() {
        let (here, file) = Shared::new().expect("memory");
        let there = Shared::of(&file).expect("the same");
        let length = here.put_text("libm: größer als acht");
        assert_eq!(there.text(length), "libm: größer als acht");
        there.progress().store(7, Ordering::Relaxed);
        assert_eq!(here.progress().load(Ordering::Relaxed), 7);
        assert_eq!(here.column().len(), BATCH);
        assert_eq!(here.text(u64::MAX).len(), 8 * BATCH);
    }
}
