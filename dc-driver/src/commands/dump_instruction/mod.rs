//! `dump-instruction`: measures an approximate instruction of this processor, and compares it with its emulations on every input.

mod values;

use serde_json::{Value, json};

use crate::args::DumpInstructionArgs;
use crate::context::Context;
use crate::exit;
use crate::failure::Failure;
use crate::results;
use dc_runtime::builtins::instructions::catalogue::{self, Emulation};
use dc_runtime::builtins::instructions::figures::{Figures, measure};
use dc_runtime::builtins::instructions::host::{self, Difference, HostInstruction};
use dc_runtime::model::key::Precision;
use dc_runtime::model::machine;
use dc_runtime::model::show;
use dc_runtime::search::range::quote;

pub(super) fn dump_instruction(
    args: &DumpInstructionArgs,
    context: &mut Context,
) -> Result<(), Failure> {
    if let Some(device) = &args.device {
        return values::dump(args, device, context);
    }
    let name = args.instruction.to_lowercase();
    let Some(instruction) = host::INSTRUCTIONS.iter().find(|i| i.name == name) else {
        return Err(unknown(&name));
    };
    if !(instruction.detect)() {
        return Err(Failure::unavailable(format!(
            "{name} needs {}, which {} does not have",
            instruction.needs,
            machine::processor()
        )));
    }
    dump(
        instruction,
        args.threads.unwrap_or_else(machine::cores),
        context,
    )
}

fn unknown(name: &str) -> Failure {
    let here: Vec<&str> = host::INSTRUCTIONS.iter().map(|i| i.name).collect();
    let here = if here.is_empty() {
        format!("this program can run none on {}", std::env::consts::ARCH)
    } else {
        format!("there are: {}", here.join(", "))
    };
    let emulated: Vec<&str> = catalogue::ALL
        .iter()
        .filter(|e| e.instruction == name || e.name == name)
        .map(|e| e.name)
        .collect();
    Failure::input(if emulated.is_empty() {
        format!("no instruction is called `{}`; {here}", quote(name))
    } else {
        format!(
            "`{}` is emulated ({}), but not this processor's; {here}",
            quote(name),
            emulated.join(", ")
        )
    })
}

fn dump(
    instruction: &HostInstruction,
    threads: usize,
    context: &mut Context,
) -> Result<(), Failure> {
    let figures = measure(instruction.function, instruction.run);
    let emulations: Vec<&Emulation> = catalogue::ALL
        .iter()
        .filter(|e| e.instruction == instruction.name)
        .collect();
    let runs: Vec<_> = emulations.iter().map(|e| e.run).collect();
    let found = host::compare(instruction.run, &runs, threads);
    let compared: Vec<(&Emulation, Option<Difference>)> =
        emulations.into_iter().zip(found).collect();
    if context.json {
        context
            .out
            .json(&document(instruction, &figures, &compared))?;
    } else {
        text(instruction, &figures, &compared, context)?;
    }
    if compared.iter().any(|(_, d)| d.is_none()) {
        return Ok(());
    }
    if !context.json {
        context
            .out
            .line("verdict: no emulation matches this instruction")?;
    }
    Err(Failure::silent(exit::FINDING))
}

fn text(
    instruction: &HostInstruction,
    figures: &Figures,
    compared: &[(&Emulation, Option<Difference>)],
    context: &mut Context,
) -> Result<(), Failure> {
    context
        .out
        .line(&format!("{} on {}", instruction.name, machine::processor()))?;
    let (bits_in, bits_out) = (figures.bits_in, figures.bits_out);
    context.out.line(&format!(
        "bits of the fraction: {bits_in} in, {bits_out} out"
    ))?;
    let heading = ["binade", "max |error| * 2^24", "at", "result"];
    let mut rows = vec![heading.map(String::from).to_vec()];
    for m in &figures.maxima {
        rows.push(vec![
            format!("[{}, {})", m.binade, 2.0 * m.binade),
            format!("{:.6}", m.error),
            show::bits(Precision::F32, m.input.into()),
            show::bits(Precision::F32, m.result.into()),
        ]);
    }
    context.out.table(&rows)?;
    context
        .out
        .line("compared with its emulations on all 4,294,967,296 inputs")?;
    let mut rows = vec![["emulation", "of", "verdict"].map(String::from).to_vec()];
    for (e, d) in compared {
        let verdict = match d {
            None => "identical on every input".into(),
            Some(d) => {
                let [input, here, there] = [d.input, d.instruction, d.emulation]
                    .map(|bits| show::bits(Precision::F32, bits.into()));
                format!("differs first at {input}: {here} here, {there} emulated")
            }
        };
        rows.push(vec![e.name.into(), e.processors.into(), verdict]);
    }
    context.out.table(&rows)?;
    Ok(())
}

fn document(
    instruction: &HostInstruction,
    figures: &Figures,
    compared: &[(&Emulation, Option<Difference>)],
) -> Value {
    let word = |bits: u32| results::word(Precision::F32, bits.into());
    let maxima = figures.maxima.iter().map(|m| {
        json!({
            "binade": [m.binade, 2.0 * m.binade],
            "error_2_24": m.error,
            "input": word(m.input),
            "result": word(m.result),
        })
    });
    let emulations = compared.iter().map(|(e, d)| {
        let first = d.map(|d| {
            json!({
                "input": word(d.input),
                "instruction": word(d.instruction),
                "emulation": word(d.emulation),
            })
        });
        json!({
            "kernel": e.name,
            "processors": e.processors,
            "identical": d.is_none(),
            "first_difference": first,
        })
    });
    json!({
        "instruction": instruction.name,
        "processor": machine::processor(),
        "bits_in": figures.bits_in,
        "bits_out": figures.bits_out,
        "maxima": maxima.collect::<Vec<_>>(),
        "inputs": 1u64 << 32,
        "emulations": emulations.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Out;
    use dc_runtime::backend::Discovery;
    #[cfg(target_arch = "x86_64")]
    use dc_runtime::backend::skip::skip;
    use dc_runtime::builtins::instructions::catalogue::Function;

    /// The output of a command, and its exit code.
    fn captured(
        json: bool,
        command: impl FnOnce(&mut Context) -> Result<(), Failure>,
    ) -> (String, Result<(), Failure>) {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut context = Context {
            sweeps: &[],
            kernels: &[],
            reductions: &[],
            discover: &|_| Discovery::default(),
            required: &|_| Ok(()),
            out: Out::new(&mut out),
            err: &mut err,
            json,
            program: "crunch".into(),
            command_line: "crunch".into(),
            folders: Vec::new(),
        };
        let ended = command(&mut context);
        context.out.flush().expect("a vector");
        drop(context);
        (String::from_utf8(out).expect("UTF-8"), ended)
    }

    fn named(instruction: &str) -> DumpInstructionArgs {
        DumpInstructionArgs {
            instruction: instruction.into(),
            device: None,
            signature: None,
            range: None,
            stride: 1,
            out: None,
            threads: None,
        }
    }

    #[test]
    fn an_unknown_instruction_is_bad_input() {
        let (_, ended) = captured(false, |c| dump_instruction(&named("rcpqs"), c));
        let failure = ended.expect_err("unknown");
        assert_eq!(failure.code, exit::INPUT);
        assert!(
            failure
                .message
                .starts_with("no instruction is called `rcpqs`; ")
        );
    }

    #[test]
    fn an_instruction_of_other_processors_is_named_as_such() {
        let (_, ended) = captured(false, |c| dump_instruction(&named("PFRCP"), c));
        let failure = ended.expect_err("no 3DNow!");
        assert_eq!(failure.code, exit::INPUT);
        let start = "`pfrcp` is emulated (pfrcp_3dnow), but not this processor's; ";
        assert!(failure.message.starts_with(start), "{}", failure.message);
    }

    /// Intel's results, except for one subnormal number: no processor has these.
    fn odd(x: &[f32], out: &mut [f32]) {
        dc_runtime::builtins::instructions::rcpps_intel::map(x, out);
        for (x, out) in x.iter().zip(out) {
            if x.to_bits() == 0x0000_1234 {
                *out = 1.0;
            }
        }
    }
    const ODD: HostInstruction = HostInstruction {
        name: "rcpps",
        function: Function::Reciprocal,
        needs: "",
        detect: || true,
        run: odd,
    };

    #[test]
    fn an_instruction_that_no_emulation_gives_is_a_finding() {
        let (out, ended) = captured(false, |c| dump(&ODD, 2, c));
        assert_eq!(ended.expect_err("a finding").code, exit::FINDING);
        let line = |name: &str| {
            let found = out.lines().find(|l| l.starts_with(name));
            found.unwrap_or_else(|| panic!("{out}")).to_owned()
        };
        assert!(line("bits").ends_with("11 in, 12 out"), "{out}");
        assert!(
            line("[1, 2)").contains("4995.549501  0x3f810fff  0x3f7df800"),
            "{out}"
        );
        let text = "differs first at 0x00001234: 0x3f800000 here, 0x7f800000 emulated";
        for name in ["rcpps_intel", "rcpps_amd"] {
            assert!(line(name).ends_with(text), "{out}");
        }
    }

    /// The command's document for an instruction of this processor. If an emulation is named, it must be exact.
    #[cfg(target_arch = "x86_64")]
    fn compared(instruction: &str, emulation: Option<&str>) {
        let (out, ended) = captured(true, |c| dump_instruction(&named(instruction), c));
        let value: Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!(value["instruction"], instruction);
        let emulations = value["emulations"].as_array().expect("a list");
        let identical = |e: &Value| e["identical"] == true;
        for e in emulations {
            assert_eq!(identical(e), e["first_difference"].is_null(), "{out}");
            if emulation.is_some_and(|name| e["kernel"] == name) {
                assert!(identical(e), "{out}");
            }
        }
        assert_eq!(ended.is_ok(), emulations.iter().any(identical));
        assert!(emulation.is_none() || ended.is_ok(), "{out}");
    }

    /// The vendor in the emulations' names, if it is this processor's.
    #[cfg(target_arch = "x86_64")]
    fn vendor() -> Option<&'static str> {
        let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let id = info.lines().find_map(|l| l.strip_prefix("vendor_id"))?;
        match id.trim_start_matches([' ', '\t', ':']) {
            "AuthenticAMD" => Some("amd"),
            "GenuineIntel" => Some("intel"),
            _ => None,
        }
    }

    #[cfg(target_arch = "x86_64")]
    fn sse_instruction(name: &str) {
        match vendor() {
            Some(vendor) => compared(name, Some(&format!("{name}_{vendor}"))),
            None => {
                compared(name, None);
                skip("instructions", "no emulation is known for this processor");
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn rcpps_of_this_processor_on_all_inputs() {
        sse_instruction("rcpps");
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn rsqrtps_of_this_processor_on_all_inputs() {
        sse_instruction("rsqrtps");
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn avx_512s_own_on_all_inputs() {
        if !is_x86_feature_detected!("avx512f") {
            skip("avx512", "this processor has no AVX-512");
            let (_, ended) = captured(false, |c| dump_instruction(&named("vrcp14ps"), c));
            assert_eq!(ended.expect_err("no AVX-512").code, exit::UNAVAILABLE);
            return;
        }
        compared("vrcp14ps", Some("rcp14"));
        compared("vrsqrt14ps", Some("rsqrt14"));
    }
}
