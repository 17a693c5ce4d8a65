//! Rivals in C: `benches/rivals/`, compiled by `cargo xtask bench`, with one shared library per variant.

use std::path::{Path, PathBuf};

use doublecrunch::search::block::{BlockResult, Extreme, Fault};
use libloading::Library;

/// `struct block` of `search.h`.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Block {
    count: u64,
    extremes: [(u64, i64); 3],
    misrounded: u64,
    undecided: u64,
    faults: [u64; 3],
    fault_keys: [i64; 3],
    digest: u64,
    histogram: [u64; 16],
}

type Search = unsafe extern "C" fn(i64, u64, *mut Block);

/// One compiled variant.
pub struct Rival {
    /// `reciprocal`, …
    pub kernel: String,
    /// `avx2` or `avx512`.
    pub set: String,
    /// `gcc` or `clang`.
    pub compiler: String,
    /// Registers side by side and `fused` or `chunks`; `maximum` where it computes nothing else.
    pub variant: String,
    search: Search,
    _library: Library,
}

impl Rival {
    /// All of a folder for these instruction sets, named `<kernel>.<set>.<compiler>.<variant>.so`. Others are not even
    /// loaded: what runs then may have instructions that this processor lacks.
    pub fn all(folder: &Path, sets: &[&str]) -> Vec<Rival> {
        let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
            .unwrap_or_else(|e| panic!("{}: {e}: run `cargo xtask bench`", folder.display()))
            .map(|entry| entry.expect("an entry").path())
            .collect();
        paths.sort();
        paths.iter().filter_map(|p| Rival::load(p, sets)).collect()
    }

    fn load(path: &Path, sets: &[&str]) -> Option<Rival> {
        let name = path.file_name()?.to_str()?.strip_suffix(".so")?;
        let [kernel, set, compiler, variant] = name.split('.').collect::<Vec<_>>()[..] else {
            return None;
        };
        if !sets.contains(&set) {
            return None;
        }
        // SAFETY: compiled from `benches/rivals/` by `cargo xtask bench`; its constructor fills a table.
        let library = match unsafe { Library::new(path) } {
            Ok(library) => library,
            Err(e) => {
                println!("!! {}: it does not load: {e}", path.display());
                return None;
            }
        };
        // SAFETY: `search` has this signature in `search.h`.
        let search = unsafe { *library.get::<Search>(b"search\0").ok()? };
        Some(Rival {
            kernel: kernel.into(),
            set: set.into(),
            compiler: compiler.into(),
            variant: variant.into(),
            search,
            _library: library,
        })
    }

    /// Searches a stretch.
    pub fn search(&self, first: i64, count: u64) -> BlockResult {
        let mut block = Block::default();
        // SAFETY: `block` is `struct block`; the processor has the instruction set, which was detected before.
        unsafe { (self.search)(first, count, &raw mut block) };
        let extreme = |(error_bits, key)| Extreme { error_bits, key };
        let fault = |i: usize| Fault {
            count: block.faults[i],
            first_key: block.fault_keys[i],
        };
        BlockResult {
            count: block.count,
            max: extreme(block.extremes[0]),
            max_positive: extreme(block.extremes[1]),
            max_negative: extreme(block.extremes[2]),
            misrounded: block.misrounded,
            undecided: block.undecided,
            faults: [fault(0), fault(1), fault(2)],
            digest: block.digest,
            histogram: block.histogram,
            ..BlockResult::EMPTY
        }
    }
}
