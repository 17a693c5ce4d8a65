//! Compiled programs on disk.
//!
//! An entry's key consists of all inputs of the compilation: final source, compiler and its files, all options, device, driver. The file's
//! name is the SHA-256 of the key. It contains the key itself and the program's SHA-256, so a damaged file is compiled again and not
//! loaded. These hashes are no protection against files from another user, because anybody can compute them. So the folder must be private
//! (`backend::private`), or it is not used.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use sha2::{Digest as _, Sha256};

use super::identity::hex;
use super::private;
use super::scratch::Scratch;

/// The first bytes of an entry: the format and its version.
const MAGIC: &[u8; 8] = b"DCRUNCH2";

/// All inputs of the compilation of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key(Vec<u8>);

impl Key {
    /// The key of named parts, such as `source`, `compiler`, `options`, `device`, `driver`.
    #[must_use]
    pub fn new(parts: &[(&str, &str)]) -> Key {
        let mut bytes = Vec::new();
        for (name, value) in parts {
            // The lengths of the parts are included, so that no text can pass from one part into the next.
            let _ = writeln!(bytes, "{name} {}\n{value}", value.len());
        }
        Key(bytes)
    }
    fn file_name(&self) -> String {
        format!("{}.bin", hex(&Sha256::digest(&self.0)))
    }
}

/// A folder of compiled programs, or no folder.
#[derive(Debug, Clone)]
pub struct Cache {
    dir: Option<PathBuf>,
    /// Whether the folder is used without a check, as in tests.
    unchecked: bool,
}

impl Cache {
    /// The folder named by the environment: `CRUNCH_CACHE_DIR` (empty: no cache), otherwise `doublecrunch` under `XDG_CACHE_HOME`,
    /// otherwise under `~/.cache`.
    #[must_use]
    pub fn from_env() -> Self {
        // The XDG specification requires that relative paths are ignored in its variables.
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
        Cache {
            dir,
            unchecked: false,
        }
    }

    /// A cache in this folder, which is created when it is first needed.
    #[must_use]
    pub fn at(dir: &Path) -> Self {
        Cache {
            dir: Some(dir.into()),
            unchecked: false,
        }
    }

    /// A cache in this folder, without a check of who may write to it: any user may write to temporary folders.
    #[cfg(test)]
    pub(super) fn unchecked(dir: &Path) -> Self {
        Cache {
            unchecked: true,
            ..Cache::at(dir)
        }
    }

    /// No cache.
    #[must_use]
    pub const fn none() -> Self {
        Cache {
            dir: None,
            unchecked: false,
        }
    }

    /// The folder.
    #[must_use]
    pub fn dir(&self) -> Option<&Path> {
        self.dir.as_deref()
    }

    /// The folder, if it exists or can be created, and is private. If not, a message is printed once.
    pub fn private_dir(&self) -> Option<&Path> {
        static KNOWN: Mutex<BTreeMap<PathBuf, bool>> = Mutex::new(BTreeMap::new());
        let dir = self.dir()?;
        let made = || private::builder().recursive(true).create(dir);
        if self.unchecked {
            return made().is_ok().then_some(dir);
        }
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let usable = *known.entry(dir.into()).or_insert_with(|| {
            let checked = made().map_err(|e| format!("{}: {e}", dir.display()));
            match checked.and_then(|()| private::check(dir)) {
                Ok(()) => true,
                Err(reason) => {
                    eprintln!(
                        "note: the cache of compiled programs in {} is not used, because its files would be executed: {reason}, or name \
                         another folder in CRUNCH_CACHE_DIR",
                        dir.display()
                    );
                    false
                }
            }
        });
        usable.then_some(dir)
    }

    /// The program with this key, if it is present and undamaged.
    #[must_use]
    pub fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let mut file = File::open(self.private_dir()?.join(key.file_name())).ok()?;
        if !private::is_own(&file) {
            return None;
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).ok()?;
        let start = payload_start(&bytes, key)?;
        Some(bytes.split_off(start))
    }

    /// Stores a program. A failure is not an error: the program will be compiled again.
    pub fn put(&self, key: &Key, program: &[u8]) {
        let Some(dir) = self.private_dir() else {
            return;
        };
        let mut bytes = Vec::with_capacity(64 + key.0.len() + program.len());
        bytes.extend(MAGIC);
        bytes.extend((key.0.len() as u64).to_le_bytes());
        bytes.extend((program.len() as u64).to_le_bytes());
        bytes.extend(Sha256::digest(program));
        bytes.extend(&key.0);
        bytes.extend(program);
        // The file is renamed into place, so that no reader sees an incomplete one.
        let _ = Scratch::under(dir).and_then(|scratch| {
            let part = scratch.path("entry");
            own(&part)?.write_all(&bytes)?;
            fs::rename(part, dir.join(key.file_name()))
        });
    }

    /// Removes a program that turned out to be unusable.
    pub fn remove(&self, key: &Key) {
        if let Some(dir) = self.private_dir() {
            let _ = fs::remove_file(dir.join(key.file_name()));
        }
    }
}

/// A new file that only this user can write to, whatever the umask is.
fn own(path: &Path) -> std::io::Result<File> {
    let mut options = File::options();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.write(true).create_new(true).open(path)
}

#[cfg(test)]
impl Cache {
    /// The files of the cache.
    pub(super) fn entries(&self) -> Vec<PathBuf> {
        let entries = self.dir.iter().flat_map(fs::read_dir).flatten();
        entries.map(|e| e.expect("readable").path()).collect()
    }
    /// The key of an entry.
    pub(super) fn key_of(&self, path: &Path) -> Option<Key> {
        let bytes = fs::read(path).ok()?;
        let len = u64::from_le_bytes(*bytes.get(8..)?.first_chunk()?);
        Some(Key(bytes.get(56..56 + len as usize)?.to_vec()))
    }
}

/// The offset of the program in an entry's bytes. `None` if the entry has another key or is damaged.
fn payload_start(bytes: &[u8], key: &Key) -> Option<usize> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let (key_len, rest) = rest.split_first_chunk::<8>()?;
    let (len, rest) = rest.split_first_chunk::<8>()?;
    let (sum, rest) = rest.split_first_chunk::<32>()?;
    let (stored, program) =
        rest.split_at_checked(usize::try_from(u64::from_le_bytes(*key_len)).ok()?)?;
    let whole =
        program.len() as u64 == u64::from_le_bytes(*len) && Sha256::digest(program)[..] == sum[..];
    (stored == key.0 && whole).then(|| bytes.len() - program.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> Cache {
        let dir = std::env::temp_dir().join(format!("dc-cache-{name}-{}", std::process::id()));
        Cache::unchecked(&dir)
    }

    /// Folders that others can write to, or that belong to another user, are not used, and their entries are not
    /// loaded.
    #[cfg(unix)]
    #[test]
    fn a_folder_that_others_can_write_to_is_not_used() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        // A private folder that contains the test's, if there is one: the build's own.
        let Some(base) = option_env!("CARGO_MANIFEST_DIR").map(|d| Path::new(d).join("../target"))
        else {
            return;
        };
        if let Err(reason) = fs::create_dir_all(&base)
            .map_err(|e| e.to_string())
            .and_then(|()| private::check(&fs::canonicalize(&base).expect("it exists")))
        {
            return super::super::skip::skip("private-folder", &reason);
        }
        let base = fs::canonicalize(base).expect("it exists");
        let base = base.join(format!("crunch-private-{}", std::process::id()));
        let mode = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("ours");
        };
        let key = Key::new(&[("source", "kernel")]);
        let usable = |dir: &Path| {
            let cache = Cache::at(dir);
            cache.put(&key, b"program");
            cache.get(&key).is_some()
        };
        fs::create_dir(&base).expect("a folder");
        assert!(usable(&base.join("private/cache")));
        // An entry that others may write to is not loaded.
        let entry = base.join("private/cache").join(key.file_name());
        mode(&entry, 0o666);
        assert_eq!(Cache::at(&base.join("private/cache")).get(&key), None);
        mode(&entry, 0o600);
        assert!(Cache::at(&base.join("private/cache")).get(&key).is_some());
        // The folder itself is writable for others; one above it is; with the sticky bit; for the group.
        for (i, bits) in [0o777, 0o1777, 0o775].into_iter().enumerate() {
            let open = base.join(format!("open-{i}"));
            fs::create_dir_all(open.join("below")).expect("a folder");
            // An entry that an attacker put there earlier.
            fs::copy(&entry, open.join(key.file_name())).expect("a copy");
            fs::copy(&entry, open.join("below").join(key.file_name())).expect("a copy");
            mode(&open, bits);
            assert!(!usable(&open), "{bits:o}");
            // Where root runs this, the sticky folder is one of root's, which is as safe above a private folder as the temporary one.
            // SAFETY: the function has no arguments and cannot fail.
            if bits == 0o1777 && unsafe { libc::geteuid() } == 0 {
                assert!(usable(&open.join("below")));
                continue;
            }
            assert!(!usable(&open.join("below")), "{bits:o}");
            let reason = private::check(&open.join("below")).expect_err("open");
            assert!(
                reason.contains(&format!("open-{i} (mode {bits:o})")),
                "{reason}"
            );
        }
        // Through a link that others can replace, to a folder that they cannot write to.
        symlink(base.join("private"), base.join("open-0/link")).expect("a link");
        assert!(!usable(&base.join("open-0/link/cache")));
        // And through one that they cannot replace.
        symlink(base.join("private"), base.join("link")).expect("a link");
        assert!(usable(&base.join("link/cache")));
        // Through such a link to a folder that they can write to.
        symlink(base.join("open-0"), base.join("to-open")).expect("a link");
        assert!(!usable(&base.join("to-open/below")));
        fs::remove_dir_all(base).expect("it was made above");
    }

    /// A folder of the user below the temporary folder, where a clone may be, is a cache. The temporary folder itself is not, nor is a
    /// folder below it to which others can write.
    #[cfg(unix)]
    #[test]
    fn a_folder_of_one_s_own_below_the_temporary_one_is_used() {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
        let shared = Path::new("/tmp");
        let Ok(meta) = fs::metadata(shared) else {
            return super::super::skip::skip("sticky-folder", "/tmp is not here");
        };
        if meta.uid() != 0 || meta.mode() & 0o1777 != 0o1777 {
            let reason = format!(
                "/tmp belongs to user {}, mode {:o}",
                meta.uid(),
                meta.mode() & 0o7777
            );
            return super::super::skip::skip("sticky-folder", &reason);
        }
        let base = shared.join(format!("dc-sticky-{}", std::process::id()));
        fs::DirBuilder::new().create(&base).expect("a folder");
        let mode = |bits| {
            fs::set_permissions(&base, fs::Permissions::from_mode(bits)).expect("ours");
        };
        let key = Key::new(&[("source", "kernel")]);
        for (bits, used) in [
            (0o755, true),
            (0o777, false),
            (0o1777, false),
            (0o700, true),
        ] {
            mode(bits);
            // The result for a folder is cached, so each case uses another folder.
            let cache = Cache::at(&base.join(format!("cache-{bits:o}")));
            cache.put(&key, b"program");
            // Root may write to all folders that it owns, sticky or not.
            // SAFETY: the function has no arguments and cannot fail.
            let root = unsafe { libc::geteuid() } == 0;
            let used = used || (root && bits == 0o1777);
            assert_eq!(cache.get(&key).is_some(), used, "{bits:o}");
        }
        assert!(
            private::check(shared).is_err(),
            "others can create files there"
        );
        fs::remove_dir_all(base).expect("it was made above");
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
        // Text moved from one part to the next gives another key.
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
        // A file under this name with another key in it, as for two keys with the same hash.
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
