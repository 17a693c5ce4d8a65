//! A folder of shards in place of a run file: commands that read one run file read the blocks of all its files, merged in a
//! temporary file.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::context::{Context, shell};
use crate::failure::Failure;
use dc_runtime::model::show;
use dc_runtime::search::merge;
use dc_runtime::search::run_file::Reader;
use dc_runtime::search::shards::{Shards, ShardsError, State};

/// How long a run may write nothing before `status` calls it stale, if `--stale` is not given. Runs commit about once a second.
pub(super) const STALE: f64 = 300.0;
/// How long to wait for busy files.
const PATIENCE: Duration = Duration::from_secs(10);

/// A run file, or a merged folder, open for reading.
pub(super) struct Opened {
    pub reader: Reader,
    /// It is removed after the reader is closed.
    _temporary: Option<Temporary>,
}

/// A temporary folder, which is removed with its content.
pub(super) struct Temporary(pub PathBuf);

impl Temporary {
    /// Creates a folder in the system's folder for temporary files, with a name for its purpose.
    pub fn new(purpose: &str) -> Result<Self, Failure> {
        // A command may have several.
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("crunch-{purpose}-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir(&path)
            .map_err(|e| Failure::failed(format!("{}: {e}", path.display())))?;
        Ok(Temporary(path))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // Files that remain in the system's folder for temporary files do no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Opens a run file, or the existing shards in a folder. Prints what is missing.
pub(super) fn open(path: &Path, context: &mut Context) -> Result<Opened, Failure> {
    if !path.is_dir() {
        return Ok(Opened {
            reader: Reader::open(path)?,
            _temporary: None,
        });
    }
    let shards = Shards::read(path, Duration::from_secs_f64(STALE), PATIENCE)?;
    let part = shards.found.iter().filter(|f| f.is_part()).count();
    let complete = (shards.found.iter()).filter(|f| f.state == State::Complete);
    let complete = complete.count();
    if complete < shards.count as usize || shards.found.len() > part {
        context.note(&format!(
            "{}: {} of {} shards are complete, {} more are begun; `{} status {}` names the others",
            path.display(),
            show::count(complete as u128),
            show::count(shards.count.into()),
            show::count((part - complete) as u128),
            context.program,
            shell(path)
        ));
    }
    let temporary = Temporary::new("folder")?;
    let file = temporary.0.join("run");
    merge::snapshot(&file, &shards.parts())?;
    Ok(Opened {
        reader: Reader::open(&file)?.called(path),
        _temporary: Some(temporary),
    })
}

impl From<ShardsError> for Failure {
    fn from(e: ShardsError) -> Self {
        Failure::input(show::plain(&e.to_string()))
    }
}
