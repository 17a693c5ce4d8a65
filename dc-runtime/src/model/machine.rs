//! The machine and the tools, as named in run files and reports.

use std::time::{SystemTime, UNIX_EPOCH};

/// Version of this crate.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The compiler that built it.
pub const RUSTC: &str = env!("DC_RUSTC_VERSION");

/// The machine in one line: host, processor, logical cores, operating system.
#[must_use]
pub fn describe() -> String {
    let host = host().unwrap_or_else(|| "unnamed host".into());
    let system = std::fs::read_to_string("/proc/sys/kernel/osrelease").map_or_else(
        |_| std::env::consts::OS.into(),
        |r| format!("{} {}", std::env::consts::OS, r.trim()),
    );
    format!(
        "{host}: {}, {} logical cores, {system}",
        processor(),
        cores()
    )
}

/// The host's name.
#[must_use]
pub fn host() -> Option<String> {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok()?;
    let name = name.trim();
    (!name.is_empty()).then(|| name.into())
}

/// The processor's name.
#[must_use]
pub fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    info.lines()
        .find_map(|l| l.strip_prefix("model name"))
        .and_then(|l| l.split_once(':'))
        .map_or_else(
            || std::env::consts::ARCH.into(),
            |(_, name)| name.trim().into(),
        )
}

/// The C library of this process, if it reports its version: `glibc 2.36`.
#[must_use]
pub fn c_library() -> Option<String> {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        // SAFETY: the function returns a static C string (glibc's manual, gnu/libc-version.h).
        let version = unsafe { std::ffi::CStr::from_ptr(libc::gnu_get_libc_version()) };
        Some(format!("glibc {}", version.to_string_lossy()))
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    None
}

/// Logical cores that this process may use.
#[must_use]
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Seconds since 1970.
#[must_use]
pub fn now() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| d.as_secs() as i64)
}

/// Seconds since 1970 as `2026-01-31 13:05:09 UTC`.
#[must_use]
pub fn utc(seconds: i64) -> String {
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Days to civil date in the proleptic Gregorian calendar, in eras of 400 years that begin on 1 March.
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let day_of_era = z.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let m = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * m + 2) / 5 + 1;
    let month = if m < 10 { m + 3 } else { m - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

#[cfg(test)]
mod tests {
    #[test]
    fn dates() {
        assert_eq!(super::utc(0), "1970-01-01 00:00:00 UTC");
        assert_eq!(super::utc(951_782_399), "2000-02-28 23:59:59 UTC");
        assert_eq!(super::utc(951_782_400), "2000-02-29 00:00:00 UTC");
        assert_eq!(super::utc(1_798_761_599), "2026-12-31 23:59:59 UTC");
        assert_eq!(super::utc(-1), "1969-12-31 23:59:59 UTC");
    }
}
