//! What a program or shared library needs of the system that it runs on: libraries, and versions of the C library's symbols,
//! from its dynamic section (System V gABI, "Dynamic Linking"; the versions as in the Linux Standard Base).

use std::fmt;

/// What a file needs.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Names of shared libraries.
    pub libraries: Vec<String>,
    /// Versions of symbols, as `GLIBC_2.34`.
    pub versions: Vec<String>,
}

/// A version of the C library, as (2, 36).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Glibc(pub u32, pub u32);

impl fmt::Display for Glibc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}

impl Needs {
    /// What a system with this C library and nothing else lacks; and the newest version that is needed.
    pub fn beyond(&self, glibc: Glibc) -> (Vec<String>, Option<Glibc>) {
        // The loader, and what the C library is in: all of one package.
        const LIBRARIES: [&str; 6] = [
            "libc.so.6",
            "libm.so.6",
            "libdl.so.2",
            "libpthread.so.0",
            "librt.so.1",
            "ld-linux-x86-64.so.2",
        ];
        let others = self.libraries.iter();
        let mut lacking: Vec<String> = others
            .filter(|l| !LIBRARIES.contains(&l.as_str()))
            .cloned()
            .collect();
        let mut newest = None;
        for version in &self.versions {
            match number(version) {
                Some(n) => {
                    newest = newest.max(Some(n));
                    if n > glibc {
                        lacking.push(version.clone());
                    }
                }
                None => lacking.push(version.clone()),
            }
        }
        (lacking, newest)
    }
}

/// `GLIBC_2.36` and `GLIBC_2.2.5`.
fn number(version: &str) -> Option<Glibc> {
    // Relative relocations, since 2.36.
    if version == "GLIBC_ABI_DT_RELR" {
        return Some(Glibc(2, 36));
    }
    let mut parts = version.strip_prefix("GLIBC_")?.split('.');
    let mut next = || parts.next()?.parse().ok();
    Some(Glibc(next()?, next()?))
}

/// Whether these bytes are an ELF file.
pub fn is_elf(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x7fELF")
}

/// Reads a file for x86-64; a static program needs nothing.
pub fn needs(bytes: &[u8]) -> Result<Needs, String> {
    let file = File(bytes);
    // 64 bits, least significant byte first; machine 62 is x86-64.
    if !is_elf(bytes) || bytes.get(4..6) != Some(&[2, 1]) || file.number(18, 2)? != 62 {
        return Err("it is no ELF file for x86-64".into());
    }
    let (table, size, count) = (
        file.number(40, 8)?,
        file.number(58, 2)?,
        file.number(60, 2)?,
    );
    let section = |n: u64| Section::read(&file, table + n * size);
    let mut needs = Needs::default();
    if count == 0 {
        return Err("it has no table of sections".into());
    }
    for n in 0..count {
        let own = section(n)?;
        match own.kind {
            DYNAMIC => {
                let names = section(own.link)?;
                for at in (own.offset..own.offset + own.size).step_by(16) {
                    match (file.number(at, 8)?, file.number(at + 8, 8)?) {
                        (0, _) => break,
                        (NEEDED, name) => needs.libraries.push(file.text(names.offset + name)?),
                        _ => {}
                    }
                }
            }
            VERSIONS_NEEDED => {
                let names = section(own.link)?;
                file.versions(&own, &names, &mut needs.versions)?;
            }
            _ => {}
        }
    }
    needs.versions.sort();
    needs.versions.dedup();
    Ok(needs)
}

const DYNAMIC: u64 = 6;
const NEEDED: u64 = 1;
const VERSIONS_NEEDED: u64 = 0x6fff_fffe;

struct Section {
    kind: u64,
    offset: u64,
    size: u64,
    link: u64,
    /// Entries, where it counts them.
    info: u64,
}

impl Section {
    fn read(file: &File<'_>, at: u64) -> Result<Self, String> {
        Ok(Section {
            kind: file.number(at + 4, 4)?,
            offset: file.number(at + 24, 8)?,
            size: file.number(at + 32, 8)?,
            link: file.number(at + 40, 4)?,
            info: file.number(at + 44, 4)?,
        })
    }
}

struct File<'a>(&'a [u8]);

impl File<'_> {
    fn number(&self, at: u64, bytes: u64) -> Result<u64, String> {
        let range = usize::try_from(at)
            .ok()
            .and_then(|at| Some(at..at.checked_add(bytes as usize)?));
        let found = range.and_then(|r| self.0.get(r));
        let found = found.ok_or_else(|| format!("it ends before byte {at}"))?;
        Ok(found.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b)))
    }

    fn text(&self, at: u64) -> Result<String, String> {
        let rest = usize::try_from(at).ok().and_then(|at| self.0.get(at..));
        let name = rest.and_then(|r| r.split(|b| *b == 0).next());
        let name = name.ok_or_else(|| format!("it ends before byte {at}"))?;
        Ok(String::from_utf8_lossy(name).into_owned())
    }

    /// The versions of a section: a list of libraries, each with a list of versions; each entry has the distance to the
    /// next.
    fn versions(
        &self,
        own: &Section,
        names: &Section,
        out: &mut Vec<String>,
    ) -> Result<(), String> {
        let mut library = own.offset;
        for _ in 0..own.info {
            let mut version = library + self.number(library + 8, 4)?;
            for _ in 0..self.number(library + 2, 2)? {
                out.push(self.text(names.offset + self.number(version + 8, 4)?)?);
                version += self.number(version + 12, 4)?;
            }
            library += self.number(library + 12, 4)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own() -> Vec<u8> {
        let path = std::env::current_exe().expect("a test has a program");
        std::fs::read(path).expect("readable")
    }

    #[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
    #[test]
    fn this_program_needs_the_c_library() {
        let found = needs(&own()).expect("an ELF file");
        assert!(
            found.libraries.contains(&"libc.so.6".to_string()),
            "{found:?}"
        );
        let (_, newest) = found.beyond(Glibc(2, 36));
        assert!(newest.is_some_and(|n| n >= Glibc(2, 14)), "{found:?}");
        // Any program for this target needs more than 2.2.
        assert!(!found.beyond(Glibc(2, 2)).0.is_empty());
    }

    #[test]
    fn newer_versions_and_other_libraries_are_refused() {
        let found = Needs {
            libraries: vec!["libc.so.6".into(), "libgcc_s.so.1".into()],
            versions: [
                "GLIBC_2.2.5",
                "GLIBC_2.36",
                "GLIBC_2.37",
                "GLIBC_ABI_DT_RELR",
                "GCC_3.0",
            ]
            .map(String::from)
            .into(),
        };
        let (lacking, newest) = found.beyond(Glibc(2, 36));
        assert_eq!(lacking, ["libgcc_s.so.1", "GLIBC_2.37", "GCC_3.0"]);
        assert_eq!(newest, Some(Glibc(2, 37)));
        assert_eq!(number("GLIBC_2.2.5"), Some(Glibc(2, 2)));
        assert_eq!(number("GLIBC_PRIVATE"), None);
    }

    #[test]
    fn a_file_that_ends_too_soon_is_an_error() {
        let whole = own();
        for length in [0, 4, 18, 63, whole.len() / 2] {
            assert!(needs(&whole[..length]).is_err(), "{length}");
        }
        assert!(needs(b"#!/bin/sh\n").is_err());
    }
}
