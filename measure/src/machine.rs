//! Describes the machine, without its name, which does not belong on a page.

use serde_json::json;

use crate::record::Record;

/// Describes it in the record and on the terminal.
pub fn describe(record: &mut Record) {
    let processor = processor();
    let threads = std::thread::available_parallelism().map_or(0, usize::from);
    if threads == 0 {
        record.missing("number of processors: the system does not say".into());
    }
    let sets = sets();
    let memory = line("/proc/meminfo", "MemTotal:")
        .and_then(|kib| kib.split(' ').next()?.parse::<u64>().ok())
        .map(|kib| kib >> 20);
    let load =
        first_line("/proc/loadavg").map(|l| l.split(' ').take(3).collect::<Vec<_>>().join(" "));
    if memory.is_none() || load.is_none() {
        record.missing("/proc: memory and load are not known".into());
    }
    println!(
        "{processor}, {threads} logical processors, {}; {} GiB; load {}",
        sets.join(" "),
        memory.map_or("unknown".into(), |m| m.to_string()),
        load.as_deref().unwrap_or("unknown")
    );
    record.found.insert(
        "machine".into(),
        json!({
            "processor": processor,
            "logical_processors": threads,
            "instruction_sets": sets,
            "memory_gib": memory,
            "load": load,
        }),
    );
}

fn first_line(path: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    text.lines().next().map(String::from)
}

/// The text after a word at the beginning of a line.
fn line(path: &str, word: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix(word))?;
    Some(line.trim().to_string())
}

/// The processor's own name for itself, without /proc.
#[cfg(target_arch = "x86_64")]
fn processor() -> String {
    use std::arch::x86_64::__cpuid;
    if __cpuid(0x8000_0000).eax < 0x8000_0004 {
        return "a processor without a name".into();
    }
    let words = (0x8000_0002..=0x8000_0004).flat_map(|leaf| {
        let r = __cpuid(leaf);
        [r.eax, r.ebx, r.ecx, r.edx]
    });
    let bytes: Vec<u8> = words
        .flat_map(u32::to_le_bytes)
        .filter(|b| *b != 0)
        .collect();
    let name = String::from_utf8_lossy(&bytes);
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(not(target_arch = "x86_64"))]
fn processor() -> String {
    format!("a processor of the kind {}", std::env::consts::ARCH)
}

#[cfg(target_arch = "x86_64")]
fn sets() -> Vec<&'static str> {
    let all = [
        ("fma", is_x86_feature_detected!("fma")),
        ("avx2", is_x86_feature_detected!("avx2")),
        ("avx512f", is_x86_feature_detected!("avx512f")),
        ("avx512vl", is_x86_feature_detected!("avx512vl")),
        ("avx512dq", is_x86_feature_detected!("avx512dq")),
        ("avx512bw", is_x86_feature_detected!("avx512bw")),
    ];
    all.into_iter().filter(|s| s.1).map(|s| s.0).collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn sets() -> Vec<&'static str> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_has_a_name() {
        assert!(processor().len() > 2, "{}", processor());
    }
}
