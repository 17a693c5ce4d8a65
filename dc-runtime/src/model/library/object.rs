//! What is read of a library's file without loading it.

use std::path::{Path, PathBuf};

use object::elf::{DT_SONAME, FileHeader64};
use object::read::elf::ElfFile;
use object::{Endianness, Object as _, ObjectSymbol as _, SymbolKind};
use sha2::{Digest as _, Sha256};

use super::LibraryError;
use crate::model::near::near;

/// A library's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    /// Where it is, links resolved.
    pub path: PathBuf,
    /// The name that programs ask the loader for.
    pub soname: Option<String>,
    /// The version of the symbol that was asked for: `GLIBC_2.27`.
    pub version: Option<String>,
    /// `build-id:` and what the linker noted; where it noted nothing, `sha256:` and the file's hash.
    pub build: String,
    /// Its functions: names, and whether the name is a function's.
    symbols: Vec<(String, bool)>,
}

impl Object {
    /// Reads it; with the version of a symbol, if one is named.
    ///
    /// # Errors
    /// When it cannot be read or is no library for this kind of machine.
    pub fn read(path: &Path, symbol: Option<&str>) -> Result<Object, LibraryError> {
        let wrong = |reason: String| LibraryError::File {
            path: path.into(),
            reason,
        };
        let bytes = std::fs::read(path).map_err(|e| wrong(e.to_string()))?;
        let file: ElfFile<'_, FileHeader64<Endianness>> = ElfFile::parse(&*bytes)
            .map_err(|e| wrong(format!("it is no shared library of this machine ({e})")))?;
        let noted = file.build_id().ok().flatten();
        let build = match noted {
            Some(id) => format!("build-id:{}", hex(id)),
            None => format!("sha256:{}", hex(&Sha256::digest(&bytes))),
        };
        let symbols = file
            .dynamic_symbols()
            .filter(|s| !s.is_undefined())
            .filter_map(|s| {
                // An indirect function (STT_GNU_IFUNC) is of no kind that the crate knows.
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

    /// Whether a symbol of it is a function.
    ///
    /// # Errors
    /// When it is something else. One that the file's table does not name passes: the loader has found it.
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

    /// Its functions with names like that one, three at most.
    #[must_use]
    pub fn near(&self, symbol: &str) -> Vec<String> {
        let functions = self.symbols.iter().filter(|(_, function)| *function);
        // A name that is the same is one that the loader does not give out: of an old version.
        let others = functions.map(|f| f.0.as_str()).filter(|n| *n != symbol);
        near(symbol, others).into_iter().map(String::from).collect()
    }
}

/// The name that the dynamic section gives.
fn soname(file: &ElfFile<'_, FileHeader64<Endianness>>) -> Option<String> {
    let table = file.elf_dynamic_table().ok()?;
    let entry = table.iter().find(|d| d.tag == DT_SONAME)?;
    String::from_utf8(table.string(entry).ok()?.into()).ok()
}

/// The version that the library gives to the symbol.
fn version(
    file: &ElfFile<'_, FileHeader64<Endianness>>,
    bytes: &[u8],
    symbol: &str,
) -> Option<String> {
    let versions = file
        .elf_section_table()
        .versions(file.endian(), bytes)
        .ok()??;
    // Of several definitions the loader takes the one that is not hidden.
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
