use super::*;
use crate::search::engine::{Device, Groups, Stop};
use crate::search::range::Range;
use crate::search::run::{Settings, create, proceed};
use crate::search::testing::{CHANGED, Fake, Folder, SWEEP};
use crate::sweep::Sweep;

const RANGE: &str = "1.0..=0x1.00000004p0";

fn run(path: &Path, sweep: &Sweep, range: &str, log2: u32, shard: Shard) {
    let plan = Plan::new(
        Range::parse(range, sweep.precision).expect(range),
        Some(log2),
    )
    .expect(range);
    let mut w = create(path, sweep, range, plan, shard).expect("a new run");
    let settings = Settings {
        devices: vec![Device {
            backend: Fake::new("scalar").shared(),
            workers: 2,
        }],
        groups: Groups::default(),
        command: format!("shard {shard}"),
    };
    proceed(&mut w, sweep, &settings, &Stop::new(), &mut |_| {}).expect("a run");
}

fn records(path: &Path) -> Vec<Record> {
    let mut v = Vec::new();
    Reader::open(path)
        .and_then(|r| {
            r.blocks(|b| {
                v.push(*b);
                Ok(())
            })
        })
        .expect("blocks");
    v
}

#[test]
fn a_merged_run_equals_an_unsharded_one() {
    let dir = Folder::new("merge");
    let whole = dir.file("whole");
    run(&whole, &SWEEP, RANGE, 12, Shard::WHOLE);
    let parts: Vec<PathBuf> = (1..=5)
        .map(|i| {
            let path = dir.file(&format!("part-{i}"));
            run(&path, &SWEEP, RANGE, 12, Shard::new(i, 5).expect("a shard"));
            path
        })
        .collect();
    let out = dir.file("merged");
    let shuffled: Vec<PathBuf> = [3, 0, 4, 2, 1]
        .iter()
        .map(|&i: &usize| parts[i].clone())
        .collect();
    merge(&out, &shuffled).expect("a merged run");
    let (a, b) = (records(&whole), records(&out));
    assert!(a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a.same(b)));
    let status = |p: &Path| Reader::open(p).and_then(|r| r.status()).expect("status");
    let (a, b) = (status(&whole), status(&out));
    assert!(b.is_complete());
    assert_eq!(
        (a.result, a.worst.map(|w| w.key)),
        (b.result, b.worst.map(|w| w.key))
    );
    assert_eq!(b.sessions.len(), 5);
    let inputs = |s: &super::super::run_file::Status| -> u64 {
        s.sessions
            .iter()
            .flat_map(|s| &s.devices)
            .map(|d| d.inputs)
            .sum()
    };
    assert_eq!(inputs(&a), inputs(&b));
    let e = merge(&out, &parts).expect_err("it exists").to_string();
    assert!(e.contains("exists already"), "{e}");
}

/// A shard without blocks overlaps nothing, not even itself.
#[test]
fn the_empty_shard_cannot_be_merged_twice() {
    let dir = Folder::new("empty-shard");
    // Three blocks in five shards.
    let range = "1.0..=bits:0x3ff0000000000bff";
    let parts: Vec<PathBuf> = (1..=5)
        .map(|i| {
            let path = dir.file(&format!("part-{i}"));
            run(&path, &SWEEP, range, 10, Shard::new(i, 5).expect("a shard"));
            path
        })
        .collect();
    let empty = parts
        .iter()
        .find(|p| records(p).is_empty())
        .expect("an empty shard");
    let out = dir.file("out");
    let twice = [&parts[..], std::slice::from_ref(empty)].concat();
    let e = merge(&out, &twice).expect_err("twice").to_string();
    assert!(
        e.contains("are both shard ") && e.contains("/5; leave one"),
        "{e}"
    );
    assert!(!out.exists());
    merge(&out, &parts).expect("each once");
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let dir = Folder::new("misfits");
    let shard = |i, n| Shard::new(i, n).expect("a shard");
    let file = |name: &str, sweep, range, log2, shard| {
        let path = dir.file(name);
        run(&path, sweep, range, log2, shard);
        path
    };
    let a = file("a", &SWEEP, RANGE, 12, shard(1, 3));
    let b = file("b", &SWEEP, RANGE, 12, shard(2, 3));
    let c = file("c", &SWEEP, RANGE, 12, shard(3, 3));
    let half = file("half", &SWEEP, RANGE, 12, shard(1, 2));
    let other = file("other", &CHANGED, RANGE, 12, shard(2, 3));
    let wide = file("wide", &SWEEP, "1.0..=0x1.00000008p0", 12, shard(2, 3));
    let fine = file("fine", &SWEEP, RANGE, 11, shard(2, 3));
    // A shard that is not finished.
    let begun = dir.file("begun");
    let plan = Reader::open(&a).expect("a").header().plan.clone();
    drop(create(&begun, &SWEEP, RANGE, plan, shard(3, 3)).expect("a new run"));
    let out = dir.file("out");
    let cases: [(&[&PathBuf], &[&str]); 8] = [
        (&[], &["no run files"]),
        (
            &[&a, &b, &half, &c],
            &["a and", "half overlap", "blocks 0 to", "leave one"],
        ),
        (&[&a, &a, &b, &c], &["overlap"]),
        (
            &[&a, &c],
            &["a gap: blocks 341 to", "name the file of the shard"],
        ),
        (
            &[&a, &b, &begun],
            &["a gap: blocks 683 to", "crunch resume", "begun"],
        ),
        (
            &[&a, &other, &c],
            &["a and", "other:", "`identity` against `negation`"],
        ),
        (
            &[&a, &wide, &c],
            &["0x1.00000008p0", "not parts of one run"],
        ),
        (&[&a, &fine, &c], &["blocks of 2^12", "blocks of 2^11"]),
    ];
    for (parts, words) in cases {
        let parts: Vec<PathBuf> = parts.iter().map(|p| (*p).clone()).collect();
        let e = merge(&out, &parts).expect_err("a misfit").to_string();
        for w in words {
            assert!(e.contains(w) && !e.contains('\n'), "{e:?} lacks {w:?}");
        }
        assert!(!out.exists());
    }
    merge(&out, &[a, b, c]).expect("the three that fit");
}
