//! Faults that were read, and why they cannot make a claim false: `harmless.tsv`, a line each of its class, its key and the reason.
//!
//! Class `a` changes nothing. Class `b` has the program refuse more, examine more, or print something else. A key has the text of the line
//! and not its number, so that it survives changes elsewhere in the file.

use std::collections::{BTreeMap, BTreeSet};

use super::fault::{Fault, error};
use crate::error::Result;
use crate::process::root;

/// The faults of `harmless.tsv` by number, with their class.
pub fn harmless(faults: &[Fault]) -> Result<BTreeMap<usize, char>> {
    let path = root().join("xtask/src/mutants/harmless.tsv");
    let text = std::fs::read_to_string(&path).map_err(|e| error(&path.display().to_string(), e))?;
    let (known, gone) = matched(&keys(faults), &text);
    for line in gone {
        println!("harmless.tsv: no such fault: {line}");
    }
    Ok(known)
}

/// What names each fault: its file, the change, the source's line, and its number among those of the same name.
pub fn keys(faults: &[Fault]) -> Vec<String> {
    let mut count: BTreeMap<String, u32> = BTreeMap::new();
    let key = |fault: &Fault| {
        let name = fault.by_source();
        let n = count.entry(name.clone()).or_default();
        *n += 1;
        if *n == 1 {
            name
        } else {
            format!("{name} #{n}")
        }
    };
    faults.iter().map(key).collect()
}

/// The classes of the faults that are listed, and the lines that name none.
fn matched<'a>(keys: &[String], text: &'a str) -> (BTreeMap<usize, char>, BTreeSet<&'a str>) {
    let by_key: BTreeMap<&str, usize> = (keys.iter().enumerate())
        .map(|(n, key)| (key.as_str(), n))
        .collect();
    let (mut known, mut gone) = (BTreeMap::new(), BTreeSet::new());
    for line in text.lines() {
        let mut words = line.split('\t');
        let class = words.next().and_then(|w| w.chars().next());
        let fault = words.next().and_then(|key| by_key.get(key));
        match (class, fault) {
            (Some(class @ ('a' | 'b')), Some(&n)) => {
                known.insert(n, class);
            }
            _ => {
                gone.insert(line);
            }
        }
    }
    (known, gone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_one_fault_by_its_key() {
        let keys = ["f.rs: < as <=: a <= b", "f.rs: < as <=: a <= b #2"].map(String::from);
        let text = "b\tf.rs: < as <=: a <= b #2\tonly slower\n\
                    a\tf.rs: < as <=: b <= a\tgone\n\
                    c\tf.rs: < as <=: a <= b\tno class of the file\n";
        let (known, gone) = matched(&keys, text);
        assert_eq!(known, BTreeMap::from([(1, 'b')]));
        assert_eq!(gone.len(), 2);
    }
}
