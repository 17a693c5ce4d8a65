//! Data from a library's file, read without loading it.

use std::path::{Path, PathBuf};

use object::elf::{DT_SONAME, FileHeader64};
use object::read::elf::ElfFile;
use object::{Endianness, Object as _, ObjectSymbol as _, SymbolKind};
use sha2::{Digest as _, Sha256};

use super::error::LibraryError;
use crate::model::near::near;

/// A library's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    /// Its path, with links resolved.
    pub path: PathBuf,
    /// The name by which programs request it from the loader.
    pub soname: Option<String>,
    /// The version of the requested symbol: `GLIBC_2.27`.
    pub version: Option<String>,
    /// `build-id:` and the linker's note; without such a note, `sha256:` and the file's hash.
    pub build: String,
    /// Its symbols, and whether each is a function's.
    symbols: Vec<(String, bool)>,
}

impl Object {
    /// Reads a file, and the version of a symbol, if one is given.
    ///
    /// # Errors
    /// If it cannot be read or is not a library for this kind of machine.
    pub fn read(path: &Path, symbol: Option<&str>) -> Result<Object, LibraryError> {
        let wrong = |reason: String| LibraryError::File {
            path: path.into(),
            reason,
        };
        let bytes = std::fs::read(path).map_err(|e| wrong(e.to_string()))?;
        let file: ElfFile<'_, FileHeader64<Endianness>> = ElfFile::parse(&*bytes)
            .map_err(|e| wrong(format!("it is not a shared library for this machine ({e})")))?;
        let noted = file.build_id().ok().flatten();
        let build = match noted {
            Some(id) => format!("build-id:{}", hex(id)),
            None => format!("sha256:{}", hex(&Sha256::digest(&bytes))),
        };
        let symbols = file
            .dynamic_symbols()
            .filter(|s| !s.is_undefined())
            .filter_map(|s| {
                // The crate has no kind for an indirect function (STT_GNU_IFUNC).
                let function = matches!(s.kind(), SymbolKind::Text | SymbolKind::Unknown);
                Some((s.name().ok()?.to_string(), function))
            })
            .collect();
        Ok(Object {
            path: std::fs::canonicalize(path).unwrap_or_else(|_| path.into()),
            soname: soname(&file),
            version: symbol.and_then(|s| version(&file, &bytes, s)),
            build,
            symbols,
        })
    }

    /// Checks that a symbol is a function.
    ///
    /// # Errors
    /// If it is something else. A symbol that is missing in the file's table is accepted, because the loader found it.
    pub fn expect_function(&self, symbol: &str) -> Result<(), LibraryError> {
        let mut named = self.symbols.iter().filter(|(name, _)| name == symbol);
        match named.next() {
            Some((_, false)) => Err(LibraryError::NoFunction {
                library: self.path.clone(),
                symbol: symbol.into(),
            }),
            _ => Ok(()),
        }
    }

    /// Its functions with names similar to this one, at most three.
    #[must_use]
    pub fn near(&self, symbol: &str) -> Vec<String> {
        let functions = self.symbols.iter().filter(|(_, function)| *function);
        // A function with the same name is one that the loader does not provide: that of an old version.
        let others = functions.map(|f| f.0.as_str()).filter(|n| *n != symbol);
        near(symbol, others).into_iter().map(String::from).collect()
    }
}

/// The name in the dynamic section.
fn soname(file: &ElfFile<'_, FileHeader64<Endianness>>) -> Option<String> {
    let table = file.elf_dynamic_table().ok()?;
    let entry = table.iter().find(|d| d.tag == DT_SONAME)?;
    String::from_utf8(table.string(entry).ok()?.into()).ok()
}

/// The version of a symbol in the library.
fn version(
    file: &ElfFile<'_, FileHeader64<Endianness>>,
    bytes: &[u8],
    symbol: &str,
) -> Option<String> {
    let versions = file
        .elf_section_table()
        .versions(file.endian(), bytes)
        .ok()??;
    // Of several definitions the loader uses the one that is not hidden.
    let found = file.dynamic_symbols().find_map(|s| {
        let index = versions.version_index(file.endian(), s.index());
        let wanted = !s.is_undefined() && s.name() == Ok(symbol) && !index.is_hidden();
        versions.version(index.index()).ok()?.filter(|_| wanted)
    })?;
    String::from_utf8(found.name().into()).ok()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
