//! Run files of a million blocks: how long `status` and `format` take. Ignored because a time on a shared machine
//! proves nothing; run it by hand: `cargo test --release --test million -- --ignored --nocapture`.
#![cfg(feature = "cli")]

use std::process::Command;
use std::time::{Duration, Instant};

use doublecrunch::search::block::{BlockResult, Extreme, Worst};
use doublecrunch::search::key::Precision;
use doublecrunch::search::plan::Plan;
use doublecrunch::search::range::Range;
use doublecrunch::search::run;
use doublecrunch::search::run_file::{Group, NewSession, Record};
use doublecrunch::search::shard::Shard;

const BLOCKS: u64 = 1_000_000;

fn record(plan: &Plan, index: u64) -> Record {
    let block = plan.block(index).expect("a block");
    let mut histogram = [0; 16];
    histogram[..4].fill(block.count / 4);
    let error = 0.5 + (index.wrapping_mul(0x9e37_79b9) % 1000) as f64 * 1e-3;
    let max = Extreme {
        error_bits: error.to_bits(),
        key: block.first + 5,
    };
    let result = BlockResult {
        count: block.count,
        max,
        max_positive: max,
        max_negative: max,
        misrounded: index,
        digest: index.wrapping_mul(0x9e37_79b9_7f4a_7c15),
        histogram,
        ..BlockResult::EMPTY
    };
    let worst = Some(Worst {
        precision: Precision::F64,
        key: max.key,
        error,
        result_bits: index,
        reference: [1.0, 1e-17],
        scale: 0,
    });
    Record {
        index,
        result,
        worst,
    }
}

fn time(args: &[&str]) -> Duration {
    let start = Instant::now();
    let o = Command::new(env!("CARGO_BIN_EXE_crunch"))
        .args(args)
        .output()
        .expect("the program");
    assert!(o.status.success(), "{}", String::from_utf8_lossy(&o.stderr));
    start.elapsed()
}

#[test]
#[ignore = "measures times; see the head of this file"]
fn a_million_blocks_are_read_fast() {
    let dir = std::env::temp_dir().join(format!("crunch-million-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder");
    let path = dir.join("run");
    let sweep = &doublecrunch::sweeps::ALL[0];
    let range = Range::parse("1.0..2.0", Precision::F64).expect("a range");
    let plan = Plan::new(range, Some(32)).expect("a plan");
    let mut w = run::create(&path, sweep, "1.0..2.0", plan.clone(), Shard::WHOLE).expect("a file");
    let session = w
        .begin(&NewSession {
            command: "test".into(),
            devices: vec![("scalar".into(), "test".into(), 1)],
        })
        .expect("a session");
    for first in (0..BLOCKS).step_by(1 << 14) {
        let records = (first..(first + (1 << 14)).min(BLOCKS)).map(|i| record(&plan, i));
        let group = Group {
            records: records.collect(),
            parts: Vec::new(),
            seconds: 1.0,
            work: vec![(1, 1.0)],
        };
        w.commit(session, &["scalar".into()], &group)
            .expect("a commit");
    }
    let path = path.to_str().expect("UTF-8");
    // The file is open for writing: the run is running.
    let status = (0..5)
        .map(|_| time(&["status", path]))
        .min()
        .expect("a time");
    let format = (0..3)
        .map(|_| time(&["format", path]))
        .min()
        .expect("a time");
    println!("1,000,000 blocks: status {status:.1?}, format {format:.1?}");
    drop(w);
    let _ = std::fs::remove_dir_all(&dir);
    assert!(
        status < Duration::from_millis(100),
        "status took {status:?}"
    );
    assert!(format < Duration::from_secs(2), "format took {format:?}");
}
