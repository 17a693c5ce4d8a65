//! `bless`: a run file's worst inputs and coverage in `accuracy.toml`.

use std::fs;
use std::path::PathBuf;

use super::{RANGE, crunch, crunch_of, json};
use dc_driver::exit;
use dc_runtime::search::identity::Identity;
use dc_runtime::search::testing::{CHANGED, Folder, SWEEP};
use dc_runtime::suite::baseline::{Baseline, Known};

/// A folder with a run of the whole range, and of a part of it, and the tables.
struct Place {
    folder: Folder,
    tables: PathBuf,
    whole: String,
    part: String,
}

/// The known error at one input near the range's beginning, as a sample would have left it.
fn known() -> Known {
    let identity = Identity::of(&SWEEP).expect("kernels");
    let kernels = identity.kernels.iter().take(2).map(|k| k.hash.clone());
    Known {
        range: RANGE.into(),
        error: 0.0,
        worst: Vec::new(),
        inputs: 7,
        exhaustive: false,
        faults: Vec::new(),
        kernels: kernels.collect(),
    }
}

impl Place {
    fn new(name: &str, table: &Known) -> Place {
        let folder = Folder::new(name);
        let file = |name: &str| folder.file(name).to_str().expect("UTF-8").to_string();
        let (whole, part) = (file("whole"), file("part"));
        let run = |out: &str, more: &[&str]| {
            let run = [
                "run", "test", "--range", RANGE, "--block", "2^12", "-q", "-b", "scalar", "-o", out,
            ];
            let e = crunch(&[&run, more].concat());
            assert_eq!(e.code, exit::OK, "{}", e.err);
        };
        run(&whole, &[]);
        run(&part, &["--shard", "1/40"]);
        let tables = folder.file("accuracy.toml");
        let place = Place {
            folder,
            tables,
            whole,
            part,
        };
        place.write(table);
        place
    }

    fn write(&self, table: &Known) {
        let tables = [("a::promises::test".to_string(), table.clone())];
        fs::write(&self.tables, Baseline(tables.into()).text()).expect("the tables");
    }

    fn read(&self) -> Known {
        let mut baseline = Baseline::read(&self.tables).expect("the tables");
        baseline.0.remove("a::promises::test").expect("the table")
    }

    fn args<'a>(&'a self, file: &'a str, more: &[&'a str]) -> Vec<&'a str> {
        let tables = self.tables.to_str().expect("UTF-8");
        [&["bless", file, "--accuracy", tables], more].concat()
    }
}

#[test]
fn a_run_is_taken_over() {
    let place = Place::new("bless", &known());
    let before = fs::read(&place.tables).expect("the tables");
    let e = crunch(&place.args(&place.part, &["--dry-run"]));
    assert_eq!(e.code, exit::OK, "{}", e.err);
    assert!(
        e.out.contains(r#"["a::promises::test"] in"#) && e.out.contains("would have"),
        "{}",
        e.out
    );
    assert_eq!(fs::read(&place.tables).expect("the tables"), before);

    // A part: its worst inputs, and no claim that these are all.
    let (_, status) = json(&["status", &place.part]);
    let (code, v) = json(&place.args(&place.part, &[]));
    assert_eq!(
        (code, &v["written"], &v["exhaustive"]),
        (exit::OK, &true.into(), &false.into()),
        "{v}"
    );
    let of_part = place.read();
    assert_eq!(v["after"], serde_json::to_value(&of_part).expect("a table"));
    assert_eq!(status[0]["worst"]["error"], of_part.error);
    assert_eq!(
        (of_part.exhaustive, &status[0]["inputs"]),
        (false, &of_part.inputs.into())
    );
    let max = status[0]["worst"]["input"]["bits"].as_str().expect("bits");
    assert_eq!(of_part.worst.first(), Some(&format!("bits:{max}")));

    // All of it: at least as large an error, every input, and the input of the largest error on the other side.
    let e = crunch(&place.args(&place.whole, &["--entry", "test"]));
    assert_eq!(e.code, exit::OK, "{}", e.err);
    let of_whole = place.read();
    assert!(
        of_whole.error >= of_part.error && of_whole.exhaustive,
        "{}",
        e.out
    );
    assert_eq!((of_whole.inputs, of_whole.worst.len()), (1_048_577, 2));
    assert_eq!(of_whole.kernels, known().kernels);

    // Neither takes anything away from it.
    for file in [&place.part, &place.whole] {
        let e = crunch(&place.args(file, &[]));
        assert!(
            e.code == exit::OK && e.out.contains("nothing to change"),
            "{}{}",
            e.out,
            e.err
        );
        assert_eq!(place.read(), of_whole);
    }

    // A table without identities is of these kernels if its worst inputs have its error.
    let from_before = Known {
        kernels: Vec::new(),
        inputs: 7,
        exhaustive: false,
        ..of_whole.clone()
    };
    place.write(&from_before);
    let e = crunch(&place.args(&place.whole, &[]));
    assert!(
        e.code == exit::INPUT && e.err.contains("--entry NAME"),
        "{}",
        e.err
    );
    let e = crunch(&place.args(&place.whole, &["--entry", "promises::test"]));
    assert!(
        e.code == exit::OK && e.err.contains("records no kernels"),
        "{}",
        e.err
    );
    assert_eq!(place.read(), of_whole);
}

#[test]
fn what_does_not_fit_is_refused() {
    let place = Place::new("bless-refused", &known());
    let worse = Known {
        error: 0.25,
        worst: vec!["bits:0x3ff0000000000000".into()],
        ..known()
    };
    let refused = |table: &Known, args: &[&str], code: u8, says: &str| {
        place.write(table);
        let e = crunch(&place.args(&place.whole, args));
        assert_eq!(e.code, code, "{}{}", e.out, e.err);
        assert!(e.err.contains(says), "{says}: {}", e.err);
        assert_eq!(
            e.err.lines().last().map(|l| l.starts_with("error: ")),
            Some(true),
            "{}",
            e.err
        );
        assert_eq!(&place.read(), table, "the table was changed");
    };
    let entry = ["--entry", "test"];
    refused(
        &Known {
            range: "1.0..2.0".into(),
            ..known()
        },
        &[],
        exit::INPUT,
        "search that range with --range '1.0..2.0'",
    );
    let other = vec!["0".repeat(32), "1".repeat(32)];
    let other = Known {
        kernels: other,
        ..known()
    };
    refused(&other, &[], exit::INPUT, "no table with its kernels");
    refused(
        &other,
        &entry,
        exit::INPUT,
        "run its test with CRUNCH_BLESS=1 first",
    );
    refused(
        &worse,
        &[],
        exit::INPUT,
        "the table is of another routine or reference",
    );
    refused(
        &known(),
        &["--entry", "tset"],
        exit::INPUT,
        "similar are `test`",
    );

    place.write(&known());
    let e = crunch_of(&[CHANGED], &place.args(&place.whole, &[]));
    assert!(
        e.code == exit::INPUT && e.err.contains("the approximation is not the same"),
        "{}",
        e.err
    );
    let e = crunch(&["bless", &place.whole, "--accuracy", "/no/such/file"]);
    assert!(
        e.code == exit::INPUT && e.err.contains("CRUNCH_BLESS=1 cargo test"),
        "{}",
        e.err
    );

    // A fault, and a damaged row.
    let nan = place.folder.file("nan");
    let nan = nan.to_str().expect("UTF-8");
    let range = "bits:0x7ff0000000000000..=bits:0x7ff00000000000ff";
    let e = crunch(&[
        "run", "test", "--range", range, "-q", "-b", "scalar", "-o", nan,
    ]);
    assert_eq!(e.code, exit::OK, "{}", e.err);
    place.write(&Known {
        range: range.into(),
        ..known()
    });
    let e = crunch(&place.args(nan, &[]));
    assert!(
        e.code == exit::FINDING && e.err.contains("wrong special values (nan)"),
        "{}{}",
        e.out,
        e.err
    );
    place.write(&known());
    let file = rusqlite::Connection::open(&place.whole).expect("the file");
    file.execute("UPDATE block SET inputs = inputs - 1 WHERE idx = 3", [])
        .expect("damage");
    drop(file);
    let e = crunch(&place.args(&place.whole, &[]));
    assert!(
        e.code == exit::INPUT && e.err.contains("checksum"),
        "{}{}",
        e.out,
        e.err
    );
    assert_eq!(place.read(), known());
}
