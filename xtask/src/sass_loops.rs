//! The cost of an input on a GPU: the loops of our searches in machine code, compared with hand-written ones in CUDA.

use std::path::Path;
use std::process::Command;

use crate::cuda_text::{self, KERNELS};
use crate::error::{Error, Result};
use crate::nvidia::sass::Sass;
use crate::nvidia::sass::hot::{Kind, Loop};
use crate::nvidia::{Nvrtc, STRICT};
use crate::process::{cargo, root};

/// The number of threads of a block of a search.
const BLOCK: u32 = 128;

/// The resources of a multiprocessor.
struct Machine {
    warps: u32,
    blocks: u32,
    shared: u32,
    /// The number of cycles per instruction of a scheduler's binary64 pipeline.
    binary64: usize,
}

/// The architectures with full binary64 throughput (CUDA C Programming Guide, "Compute Capabilities").
fn machine(arch: &str) -> Result<Machine> {
    let of = |shared, binary64| Machine {
        warps: 64,
        blocks: 32,
        shared,
        binary64,
    };
    match arch {
        "sm_70" => Ok(of(96 << 10, 4)),
        "sm_80" => Ok(of(164 << 10, 4)),
        "sm_90" | "sm_100" => Ok(of(228 << 10, 2)),
        _ => Err(Error(format!(
            "{arch}: the tables have sm_70, sm_80, sm_90 and sm_100"
        ))),
    }
}

impl Machine {
    /// The percentage of a multiprocessor's largest number of warps that can be resident.
    fn occupancy(&self, sass: &Sass) -> u32 {
        // Registers are allocated to warps in units of 256, from a quarter of 64 K each.
        let each = (32 * sass.registers).next_multiple_of(256);
        let by_registers = (1 << 14) / each * 4 * 32 / BLOCK;
        // The system uses 1 KiB of a block's shared memory.
        let by_shared = self.shared / (sass.shared + 1024);
        let blocks = by_registers.min(by_shared).min(self.blocks);
        100 * (blocks * BLOCK / 32).min(self.warps) / self.warps
    }
}

/// The text of our search of a measure, by a program or, without one, by the one that cargo builds.
fn ours(name: &str, measure: &str, crunch: Option<&Path>) -> Result<(String, String)> {
    let sweep = name.replace('_', "-");
    let mut command = match crunch {
        Some(program) => Command::new(program),
        None => {
            let mut command = cargo();
            command.args([
                "run",
                "--quiet",
                "--features",
                "cli",
                "--bin",
                "crunch",
                "--",
            ]);
            command
        }
    };
    command.args(["emit", "--search", "--measure", measure]);
    command.args(["--target", "cuda", &sweep]);
    let output = command.output();
    let output = output.map_err(|e| Error(format!("crunch: {e}")))?;
    if !output.status.success() {
        let log = String::from_utf8_lossy(&output.stderr);
        return Err(Error(format!("crunch emit {sweep}: {log}")));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let entry = text
        .split("__global__ void ")
        .nth(1)
        .and_then(|t| t.split('(').next());
    let entry = entry.ok_or_else(|| Error(format!("{sweep}: no kernel")))?;
    Ok((entry.into(), text))
}

fn inspect(nvrtc: &Nvrtc, arch: &str, entry: &str, text: &str) -> Result<(Sass, Loop)> {
    let failed = |e: crate::nvidia::Error| Error(e.to_string());
    let ptx = nvrtc.ptx(text, arch, &STRICT).map_err(failed)?;
    let sass = Sass::of_ptx(&root(), &ptx, arch).map_err(failed)?;
    let found = sass.longest_loop(entry);
    let found = found.ok_or_else(|| Error(format!("{entry}: no loop")))?;
    Ok((sass, found))
}

/// The instructions of the fast path on the binary64 pipe, a line each: architecture, kernel, number.
pub fn binary64(crunch: &Path, archs: &[&str]) -> Result<String> {
    let nvrtc = Nvrtc::open(&root()).map_err(|e| Error(e.to_string()))?;
    let mut out = String::new();
    for kernel in KERNELS {
        let (entry, text) = ours(kernel, "full", Some(crunch))?;
        for arch in archs {
            let (_, found) = inspect(&nvrtc, arch, &entry, &text)?;
            out += &format!("{arch} {kernel} {}\n", found.count(Kind::Fp64));
        }
    }
    Ok(out)
}

/// One table per architecture.
pub fn print(archs: &[String]) -> Result<()> {
    let nvrtc = Nvrtc::open(&root()).map_err(|e| Error(e.to_string()))?;
    let mut texts = Vec::new();
    for kernel in KERNELS {
        let rival = cuda_text::text(&root(), kernel);
        let mut each = vec![
            ("ours", ours(kernel, "full", None)?),
            ("by hand", (cuda_text::ENTRY.to_string(), rival)),
        ];
        // Of binary32 there is none for CUDA.
        if !kernel.ends_with("_f32") {
            each.push(("ours, maxima", ours(kernel, "maxima", None)?));
        }
        texts.push((kernel, each));
    }
    for arch in archs {
        let machine = machine(arch)?;
        println!(
            "\n{arch}: instructions on the fast path; in cycles of a scheduler, whose binary64 pipe takes one in {}",
            machine.binary64
        );
        println!(
            "| search | all | binary64 | special | memory | branch | other | cycles | of them binary64 | registers | local | occupancy |"
        );
        println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
        for (kernel, each) in &texts {
            let mut cycles = Vec::new();
            for (name, (entry, text)) in each {
                let (sass, found) = inspect(&nvrtc, arch, entry, text)?;
                let kinds: Vec<String> = Kind::ALL
                    .iter()
                    .map(|k| found.count(*k).to_string())
                    .collect();
                let all = found.cycles(machine.binary64);
                let busy = 100 * machine.binary64 * found.count(Kind::Fp64) / all;
                println!(
                    "| {kernel}, {name} | {} | {} | {all} | {busy} % | {} | {} | {} % |",
                    found.total(),
                    kinds.join(" | "),
                    sass.registers,
                    sass.local,
                    machine.occupancy(&sass)
                );
                cycles.push((all, found.total()));
            }
            let ratio = |a: usize, b: usize| b as f64 / a as f64;
            println!(
                "| {kernel}, by hand over ours | **{:.3}** | | | | | | **{:.3}** | | | | |",
                ratio(cycles[0].1, cycles[1].1),
                ratio(cycles[0].0, cycles[1].0)
            );
            if let Some(maxima) = cycles.get(2) {
                println!(
                    "| {kernel}, ours over maxima | **{:.3}** | | | | | | **{:.3}** | | | | |",
                    ratio(maxima.1, cycles[0].1),
                    ratio(maxima.0, cycles[0].0)
                );
            }
        }
    }
    Ok(())
}
