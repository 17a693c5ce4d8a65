//! The paper's Table 2: bits in, bits out and the largest error of approximate instructions. They are measured on the emulations, over all
//! 2^23 fractions of a binade (two binades for `1 / √x`).
//!
//! The error is `|estimate - exact| · 2^24`, the paper's unit. `crunch dump-instruction rcpps` prints the same for the
//! processor's own instruction.

use doublecrunch::builtins::instructions::catalogue;
use doublecrunch::builtins::instructions::figures::measure;

fn main() {
    println!(
        "{:<16} {:<20} {:<28} {:>8}   {:>18}  {:<8}    result",
        "kernel", "instruction", "processors", "bits", "max |error| * 2^24", "at"
    );
    for e in catalogue::ALL {
        let figures = measure(e.function, e.run);
        for (i, m) in figures.maxima.iter().enumerate() {
            let bits = format!("{:>2} -> {:>2}", figures.bits_in, figures.bits_out);
            let [kernel, instruction, processors, bits] = match i {
                0 => [e.name, e.instruction, e.processors, &bits],
                _ => [""; 4],
            };
            println!(
                "{kernel:<16} {instruction:<20} {processors:<28} {bits:>8}   {:>18.6}  {:08x} -> {:08x}",
                m.error, m.input, m.result
            );
        }
    }
}
