//! Compiled programs on disk.
//!
//! An entry's key is everything that went into it: final source, compiler and its version, all options, device,
//! driver. The file is named by the key's hash and holds the key itself, so two keys of one hash are told apart, and
//! a checksum, so a damaged file is compiled anew rather than loaded.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use kernels_gen::identity::fnv1a_128;

/// First bytes of an entry: the format and its version.
const MAGIC: &[u8; 8] = b"DCRUNCH1";

/// Everything that went into a compiled program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key(Vec<u8>);

impl Key {
    /// The key of named parts, such as `source`, `compiler`, `options`, `device`, `driver`.
    #[must_use]
    pub fn new(parts: &[(&str, &str)]) -> Key {
        let mut bytes = Vec::new();
        for (name, value) in parts {
            // With their lengths, so that no text can pass from one part into the next.
            let _ = writeln!(bytes, "{name} {}\n{value}", value.len());
        }
        Key(bytes)
    }
    fn file_name(&self) -> String {
        format!("{:032x}.bin", fnv1a_128(&self.0))
    }
}

/// A folder of compiled programs, or none.
#[derive(Debug, Clone)]
pub struct Cache {
    dir: Option<PathBuf>,
}

impl Cache {
    /// The folder that the environment names: `CRUNCH_CACHE_DIR` (empty: no cache), else `doublecrunch` under
    /// `XDG_CACHE_HOME`, else under `~/.cache`.
    #[must_use]
    pub fn from_env() -> Self {
        // The XDG specification says to ignore relative paths in its variables.
        let absolute = |name: &str| {
            let path = PathBuf::from(std::env::var_os(name)?);
            path.is_absolute().then_some(path)
        };
        let dir = match std::env::var_os("CRUNCH_CACHE_DIR") {
            Some(dir) if dir.is_empty() => None,
            Some(dir) => Some(dir.into()),
            None => absolute("XDG_CACHE_HOME")
                .or_else(|| Some(absolute("HOME")?.join(".cache")))
                .map(|base| base.join("doublecrunch")),
        };
        Cache { dir }
    }

    /// That folder, which is made when it is first needed.
    #[must_use]
    pub fn at(dir: &Path) -> Self {
        Cache {
            dir: Some(dir.into()),
        }
    }

    /// No cache.
    #[must_use]
    pub const fn none() -> Self {
        Cache { dir: None }
    }

    /// The folder.
    #[must_use]
    pub fn dir(&self) -> Option<&Path> {
        self.dir.as_deref()
    }

    /// The program of that key, if it is there and whole.
    #[must_use]
    pub fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let mut bytes = fs::read(self.dir.as_ref()?.join(key.file_name())).ok()?;
        let start = payload_start(&bytes, key)?;
        Some(bytes.split_off(start))
    }

    /// Keeps a program. Failing to is no error: it will be compiled again.
    pub fn put(&self, key: &Key, program: &[u8]) {
        let Some(dir) = &self.dir else { return };
        let mut bytes = Vec::with_capacity(64 + key.0.len() + program.len());
        bytes.extend(MAGIC);
        bytes.extend((key.0.len() as u64).to_le_bytes());
        bytes.extend((program.len() as u64).to_le_bytes());
        bytes.extend(fnv1a_128(program).to_le_bytes());
        bytes.extend(&key.0);
        bytes.extend(program);
        // Renamed into place, so that no reader sees half of it.
        let _ = make_private(dir)
            .and_then(|()| Scratch::under(dir))
            .and_then(|scratch| {
                let part = scratch.path("entry");
                fs::write(&part, bytes)?;
                fs::rename(part, dir.join(key.file_name()))
            });
    }

    /// Forgets a program that turned out to be unusable.
    pub fn remove(&self, key: &Key) {
        if let Some(dir) = &self.dir {
            let _ = fs::remove_file(dir.join(key.file_name()));
        }
    }
}

#[cfg(test)]
impl Cache {
    /// Its files.
    pub(super) fn entries(&self) -> Vec<PathBuf> {
        let entries = self.dir.iter().flat_map(fs::read_dir).flatten();
        entries.map(|e| e.expect("readable").path()).collect()
    }
    /// The key of an entry.
    pub(super) fn key_of(&self, path: &Path) -> Option<Key> {
        let bytes = fs::read(path).ok()?;
        let len = u64::from_le_bytes(*bytes.get(8..)?.first_chunk()?);
        Some(Key(bytes.get(40..40 + len as usize)?.to_vec()))
    }
}

/// A folder of one's own, removed with what is in it when it is dropped.
#[derive(Debug)]
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// In the cache's folder or, if that cannot be, in the system's temporary one.
    pub fn new(cache: &Cache) -> std::io::Result<Self> {
        let base = cache.dir.as_ref().filter(|dir| make_private(dir).is_ok());
        Self::under(&base.cloned().unwrap_or_else(std::env::temp_dir))
    }

    fn under(base: &Path) -> std::io::Result<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let dir = base.join(format!("dc-{}-{number}.tmp", std::process::id()));
            // Fails where anything of that name exists, so nobody can have put a link there.
            match private().create(&dir) {
                Ok(()) => return Ok(Scratch(dir)),
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(e),
            }
        }
    }

    /// A file in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// For folders that only their owner can write to: what lies in them is executed.
fn private() -> fs::DirBuilder {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

fn make_private(dir: &Path) -> std::io::Result<()> {
    private().recursive(true).create(dir)
}

/// Where the program begins in an entry's bytes; nothing if it is another key's or damaged.
fn payload_start(bytes: &[u8], key: &Key) -> Option<usize> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let (key_len, rest) = rest.split_first_chunk::<8>()?;
    let (len, rest) = rest.split_first_chunk::<8>()?;
    let (sum, rest) = rest.split_first_chunk::<16>()?;
    let (stored, program) =
        rest.split_at_checked(usize::try_from(u64::from_le_bytes(*key_len)).ok()?)?;
    let whole = program.len() as u64 == u64::from_le_bytes(*len)
        && fnv1a_128(program) == u128::from_le_bytes(*sum);
    (stored == key.0 && whole).then(|| bytes.len() - program.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> Cache {
        let dir = std::env::temp_dir().join(format!("dc-cache-{name}-{}", std::process::id()));
        Cache::at(&dir)
    }

    #[test]
    fn entries_return_only_under_their_own_key() {
        let cache = folder("keys");
        let parts = [
            ("source", "kernel"),
            ("compiler", "cc 1"),
            ("options", "-O2"),
            ("device", "d"),
            ("driver", "1"),
        ];
        let key = Key::new(&parts);
        assert_eq!(cache.get(&key), None);
        cache.put(&key, b"program");
        assert_eq!(cache.get(&key).as_deref(), Some(&b"program"[..]));
        for i in 0..parts.len() {
            let mut other = parts;
            other[i].1 = "another";
            assert_eq!(cache.get(&Key::new(&other)), None, "{}", parts[i].0);
        }
        // Text moved from one part to the next is another key.
        assert_ne!(
            Key::new(&[("a", "x"), ("b", "yz")]),
            Key::new(&[("a", "xy"), ("b", "z")])
        );
        cache.remove(&key);
        assert_eq!(cache.get(&key), None);
        let _ = fs::remove_dir_all(cache.dir().expect("it has one"));
    }

    #[test]
    fn damaged_entries_are_not_there() {
        let cache = folder("damage");
        let key = Key::new(&[("source", "kernel")]);
        cache.put(&key, &[7; 100]);
        let path = cache.dir().expect("it has one").join(key.file_name());
        let whole = fs::read(&path).expect("just written");
        for i in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[i] ^= 1;
            assert_eq!(payload_start(&damaged, &key), None, "byte {i}");
            assert_eq!(payload_start(&whole[..i], &key), None, "{i} bytes");
        }
        fs::write(&path, &whole[..whole.len() - 1]).expect("writable");
        assert_eq!(cache.get(&key), None);
        // A file under this name with another key in it: two keys of one hash.
        let other = Key::new(&[("source", "colliding")]);
        cache.put(&other, &[8; 100]);
        fs::rename(path.with_file_name(other.file_name()), &path).expect("writable");
        assert_eq!(cache.get(&key), None);
        let _ = fs::remove_dir_all(cache.dir().expect("it has one"));
    }

    #[test]
    fn an_unwritable_folder_is_no_error() {
        let cache = Cache::at(Path::new("/dev/null/nowhere"));
        let key = Key::new(&[("source", "kernel")]);
        cache.put(&key, b"program");
        assert_eq!(cache.get(&key), None);
        assert_eq!(Cache::none().get(&key), None);
    }
}
