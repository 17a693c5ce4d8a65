//! PoCL stores its compiled programs in a folder. Without the folder it reports no device, and other drivers give the same answer when the
//! device is missing.

use std::path::PathBuf;

/// The reason why PoCL cannot write to its folder, if the platform is PoCL and it cannot.
pub(super) fn unwritable(platform: &str) -> Option<String> {
    if !platform.starts_with("pocl") {
        return None;
    }
    let named = |variable| std::env::var_os(variable).filter(|v| !v.is_empty());
    // The folders that PoCL uses (its manual, section "Environment variables").
    let folder = named("POCL_CACHE_DIR").map(PathBuf::from).or_else(|| {
        let base = named("XDG_CACHE_HOME").map(PathBuf::from);
        let base = base.or_else(|| Some(PathBuf::from(named("HOME")?).join(".cache")));
        Some(base?.join("pocl/kcache"))
    })?;
    let name = format!("crunch-{}", std::process::id());
    let tried = std::fs::create_dir_all(&folder)
        .and_then(|()| std::fs::write(folder.join(&name), ""))
        .and_then(|()| std::fs::remove_file(folder.join(&name)));
    let reason = tried.err()?;
    Some(format!(
        "it cannot write to its cache, {} ({reason})",
        folder.display()
    ))
}

#[cfg(test)]
mod tests {
    use super::unwritable;

    #[test]
    fn other_platforms_have_no_such_folder() {
        assert_eq!(unwritable("nvidia"), None);
    }
}
