//! `dump-instruction NAME --device cuda:0 --out FILE`: the results of a device's instruction or function, in a file from which it can be
//! emulated bit for bit.
//!
//! The file is a line of JSON (the name, the device, the keys, the number of values), followed by one zlib stream. In the stream, each
//! result is coded by its difference, as an integer, from the linear continuation `2 a - b` of the two results before it, modulo the word.
//! The difference is coded as zigzag, then LEB128. Estimates consist of short tables and of pieces of parabolas, so nearly all of these
//! differences are 0 or ±1.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde_json::json;

use crate::args::DumpInstructionArgs;
use crate::context::Context;
use crate::device;
use crate::failure::Failure;
use crate::library;
use dc_runtime::model::device::{BATCH, DeviceFunction};
use dc_runtime::model::machine;
use dc_runtime::model::show;
use dc_runtime::search::range::Range;

/// The largest number of values in a file: 2^32, as many as binary32 has.
const MOST: u128 = 1 << 32;
/// The number of values that are evaluated before they are written.
const CHUNK: usize = 64 * BATCH;

/// The keys of a file: every `stride`-th of a range.
struct Keys {
    first: i64,
    stride: i64,
    count: usize,
}

pub(super) fn dump(
    args: &DumpInstructionArgs,
    name: &str,
    context: &mut Context,
) -> Result<(), Failure> {
    let (Some(signature), Some(out)) = (&args.signature, &args.out) else {
        return Err(Failure::input(
            "--device needs --signature and --out: the function's type, and the file for its results",
        ));
    };
    let inputs = library::inputs(signature)?;
    if inputs.arguments().len() != 1 {
        return Err(Failure::input(format!(
            "--signature {signature}: only a function of one argument can be written to a file"
        )));
    }
    let text = args.range.as_deref().unwrap_or("all");
    let range = Range::parse(text, inputs).map_err(|e| Failure::input(e.to_string()))?;
    let [span] = range.spans() else {
        return Err(Failure::input(format!(
            "--range {text}: one stretch of inputs is written to a file"
        )));
    };
    let count = span.count().div_ceil(u128::from(args.stride));
    if count > MOST {
        return Err(Failure::input(format!(
            "--range {text} has {} inputs at this stride, and a file holds at most 2^32: give a larger --stride",
            show::count(count)
        )));
    }
    let keys = Keys {
        first: span.first,
        stride: args.stride.cast_signed(),
        count: usize::try_from(count).unwrap_or(usize::MAX),
    };
    let function = DeviceFunction::open(device::device(name, context)?, &args.instruction, inputs)?;
    let file = |e: std::io::Error| Failure::input(format!("{}: {e}", out.display()));
    let mut to = BufWriter::new(File::create(out).map_err(file)?);
    let facts = function.facts();
    let head = json!({
        "values": function.name(),
        "signature": signature,
        "device": facts.device,
        "driver": facts.driver,
        "options": facts.options,
        "range": text,
        "first_key": keys.first,
        "stride": keys.stride,
        "count": keys.count,
    });
    writeln!(to, "{head}").map_err(file)?;
    let mut coder = Coder::new(to);
    let threads = args.threads.unwrap_or_else(machine::cores);
    for start in (0..keys.count).step_by(CHUNK) {
        let n = CHUNK.min(keys.count - start);
        for part in evaluated(&function, &keys, start, n, threads)? {
            part.into_iter()
                .try_for_each(|w| coder.put(w))
                .map_err(file)?;
        }
    }
    let size = coder.finish().map_err(file)?;
    context.out.line(&format!(
        "{}: {} results of {text} in {size} bytes: {}",
        function.full_name(),
        show::count(count),
        out.display()
    ))?;
    Ok(())
}

/// The results at `n` keys, beginning with key number `start`, in batches.
fn evaluated(
    function: &DeviceFunction,
    keys: &Keys,
    start: usize,
    n: usize,
    threads: usize,
) -> Result<Vec<Vec<u64>>, Failure> {
    let batches = n.div_ceil(BATCH);
    let next = AtomicUsize::new(0);
    let results = Mutex::new((vec![Vec::new(); batches], None));
    std::thread::scope(|scope| {
        for _ in 0..threads.min(batches) {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= batches {
                        return;
                    }
                    let from = start + i * BATCH;
                    let key = |j: usize| {
                        keys.first
                            .wrapping_add(keys.stride.wrapping_mul(j.cast_signed() as i64))
                    };
                    let len = BATCH.min(start + n - from);
                    let columns = function.inputs().columns((from..from + len).map(key));
                    let columns: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
                    let mut out = Vec::new();
                    let done = function.eval(&columns, &mut out);
                    let mut results = results.lock().expect("no thread panics");
                    match done {
                        Ok(()) => results.0[i] = out,
                        Err(e) => {
                            results.1 = Some(e);
                            return;
                        }
                    }
                }
            });
        }
    });
    match results.into_inner().expect("no thread panics") {
        (_, Some(e)) => Err(e.into()),
        (parts, None) => Ok(parts),
    }
}

/// Results as a compressed stream.
struct Coder {
    to: ZlibEncoder<BufWriter<File>>,
    /// The last two results.
    before: [u64; 2],
}

impl Coder {
    fn new(to: BufWriter<File>) -> Coder {
        Coder {
            to: ZlibEncoder::new(to, Compression::new(6)),
            before: [0; 2],
        }
    }

    fn put(&mut self, word: u64) -> std::io::Result<()> {
        let [last, older] = self.before;
        let difference = word.wrapping_sub(last.wrapping_mul(2).wrapping_sub(older));
        self.before = [word, last];
        let mut rest = difference << 1 ^ (difference.cast_signed() >> 63).cast_unsigned();
        loop {
            let byte = (rest & 0x7f) as u8;
            rest >>= 7;
            if rest == 0 {
                return self.to.write_all(&[byte]);
            }
            self.to.write_all(&[byte | 0x80])?;
        }
    }

    /// Writes the rest. Returns the size of the stream.
    fn finish(mut self) -> std::io::Result<u64> {
        self.to.try_finish()?;
        let size = self.to.total_out();
        self.to.finish()?.flush()?;
        Ok(size)
    }
}
