//! The constants in the source of a kernel: their names, and the source with other constants.

use std::ops::Range;
use std::path::PathBuf;

use dc_runtime::model::key::Precision;
use dc_runtime::model::show;
use kernels_gen::constants::{Constant, Form, Site};
use kernels_gen::ir::Kernel;
use kernels_gen::ops::Prim;

use super::scan;

/// Whether a constant is in binary32.
pub(super) fn narrow(constant: &Constant) -> bool {
    constant.ty == Prim::F32
}

pub(super) fn precision(constant: &Constant) -> Precision {
    match narrow(constant) {
        true => Precision::F32,
        false => Precision::F64,
    }
}

/// A number in the fewest decimal digits that give the same number when its format reads them.
pub(super) fn decimal(constant: &Constant, bits: u64) -> String {
    match narrow(constant) {
        true => format!("{:?}", f32::from_bits(bits as u32)),
        false => format!("{:?}", f64::from_bits(bits)),
    }
}

/// The place of a site's first token in the text of its kernel.
fn offset(site: &Site) -> Option<usize> {
    let Kernel { source, name, .. } = site.kernel;
    let head = format!("fn {name}");
    let head = source.lines().position(|l| l.contains(&head))?;
    let number = (site.loc.line as usize).checked_sub(site.kernel.line as usize)? + head;
    // The first line is without its indentation.
    if number == 0 || site.loc.col == 0 {
        return None;
    }
    let line = source.split('\n').nth(number)?;
    let start = line.as_ptr().addr() - source.as_ptr().addr();
    let before: usize = line
        .chars()
        .take(site.loc.col as usize - 1)
        .map(char::len_utf8)
        .sum();
    let rest = &source[start + before..];
    let skipped = rest.len() - rest.trim_start_matches(['&', '-', ' ']).len();
    Some(start + before + skipped)
}

/// The token of a constant, or the name of its table, in the text of its kernel.
fn token(constant: &Constant, site: &Site) -> Option<Range<usize>> {
    let source = site.kernel.source;
    if constant.form == Form::Literal {
        let is = |n: scan::Number| {
            let bits = n.bits(narrow(constant));
            bits == constant.bits || bits == constant.bits ^ sign(constant)
        };
        if let Some(at) = offset(site)
            && let Some((n, length)) = source.get(at..).and_then(scan::number)
            && is(n)
        {
            return Some(at..at + length);
        }
        // The only number of that value.
        let mut same = scan::numbers(source).into_iter().filter(|(n, _)| is(*n));
        return match (same.next(), same.next()) {
            (Some((_, at)), None) => Some(at),
            _ => None,
        };
    }
    let at = offset(site)?;
    let path = scan::path(source.get(at..)?)?;
    Some(at..at + path.len())
}

fn sign(constant: &Constant) -> u64 {
    if narrow(constant) { 1 << 31 } else { 1 << 63 }
}

/// The name of a constant: `C[2]`, `std::f64::consts::LN_2`, a number.
pub(super) fn name(constant: &Constant) -> String {
    let text = || {
        let site = constant.sites.first()?;
        Some(site.kernel.source[token(constant, site)?].to_string())
    };
    match (constant.form, text()) {
        (Form::Entry(n, _), Some(text)) => format!("{text}[{n}]"),
        (Form::Entry(n, of), None) => format!("entry {n} of {of}"),
        // The sign belongs to the number.
        (Form::Literal, _) | (_, None) => decimal(constant, constant.bits),
        (_, Some(text)) => text,
    }
}

/// `src/exp.rs:12`.
pub(super) fn place(constant: &Constant) -> String {
    let of = |s: &Site| {
        let line = if s.loc.line == 0 {
            s.kernel.line
        } else {
            s.loc.line
        };
        format!("{}:{line}", s.kernel.file)
    };
    constant.sites.first().map_or_else(String::new, of)
}

/// A change: its place, and the new text.
type Edit = (Range<usize>, String);

/// A file with a kernel, as it is on the disk.
pub(super) struct File {
    /// Its path as the compiler saw it.
    pub name: String,
    pub text: String,
    edits: Vec<Edit>,
}

/// Files that are changed.
#[derive(Default)]
pub(super) struct Files {
    pub all: Vec<File>,
}

impl Files {
    /// The file of a kernel. It is found by the compiler's path, from here or from a parent folder.
    fn of(&mut self, kernel: &Kernel) -> Result<usize, String> {
        if let Some(n) = self.all.iter().position(|f| f.name == kernel.file) {
            return Ok(n);
        }
        let here = std::env::current_dir().map_err(|e| e.to_string())?;
        let paths = here.ancestors().map(|a| a.join(kernel.file));
        let mut found: Vec<PathBuf> = paths.filter(|p| p.is_file()).collect();
        if found.is_empty() {
            return Err(format!(
                "{} is not below this folder, or one above it",
                kernel.file
            ));
        }
        let path = found.remove(0);
        let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", kernel.file))?;
        self.all.push(File {
            name: kernel.file.into(),
            text,
            edits: Vec::new(),
        });
        Ok(self.all.len() - 1)
    }

    /// Changes a constant.
    ///
    /// # Errors
    /// The reason why its place in the source cannot be changed, or is not certain.
    pub fn change(&mut self, constant: &Constant, bits: u64) -> Result<(), String> {
        let new = decimal(constant, bits);
        let read = scan::value(&new, narrow(constant));
        if read != Some(bits) {
            return Err(format!("`{new}` is read as another number"));
        }
        let mut edits = Vec::new();
        for site in &constant.sites {
            let n = self.of(site.kernel)?;
            let text = &self.all[n].text;
            edits.push((n, edit(constant, site, text, &new)?));
        }
        for (n, edit) in edits {
            let edits = &mut self.all[n].edits;
            if edits.contains(&edit) {
                continue;
            }
            let overlaps = |e: &Edit| e.0.start < edit.0.end && edit.0.start < e.0.end;
            if edits.iter().any(overlaps) {
                return Err("two constants are at one place".into());
            }
            edits.push(edit);
        }
        Ok(())
    }
}

/// The change at a site in the text of its file.
fn edit(constant: &Constant, site: &Site, text: &str, new: &str) -> Result<Edit, String> {
    let kernel = site.kernel;
    if kernel.source.is_empty() {
        return c_literal(constant, text, new);
    }
    let mut found = text.match_indices(kernel.source);
    let (Some((base, _)), None) = (found.next(), found.next()) else {
        return Err(format!(
            "{} does not contain the text of `{}` that was compiled",
            kernel.file, kernel.name
        ));
    };
    let token = token(constant, site).ok_or("its place in the line is not known")?;
    let name = &kernel.source[token.clone()];
    let in_file = |r: Range<usize>| base + r.start..base + r.end;
    if constant.form == Form::Literal {
        // The sign stays where it is.
        return Ok((in_file(token), new.trim_start_matches('-').into()));
    }
    // Its definition, in the kernel or else in the file, if nothing else reads it.
    let last = name.rsplit(':').next().unwrap_or(name);
    let mut scope = (kernel.source, base);
    let mut definition = scan::definition(scope.0, last);
    if definition.is_none() {
        scope = (text, 0);
        definition = scan::definition(text, last);
    }
    let others = scan::mentions(scope.0, last) != constant.sites.len() + 1;
    match (constant.form, definition) {
        (Form::Entry(..), Some(_)) if others => {
            Err(format!("something else reads `{last}` as well"))
        }
        (Form::Entry(n, of), Some(at)) => {
            let value = &scope.0[at.clone()];
            let entries = scan::entries(value).filter(|e| e.len() == of);
            let entry = entries
                .map(|e| e[n].clone())
                .ok_or_else(|| format!("the entries of `{last}` are not written one by one"))?;
            is(constant, &value[entry.clone()])?;
            let start = scope.1 + at.start;
            Ok((start + entry.start..start + entry.end, new.into()))
        }
        (Form::Entry(..), None) => Err(format!(
            "the definition of `{last}` is not in {}",
            kernel.file
        )),
        (_, Some(at)) if !others => {
            is(constant, &scope.0[at.clone()])?;
            Ok((scope.1 + at.start..scope.1 + at.end, new.into()))
        }
        _ => Ok((in_file(token), new.into())),
    }
}

/// Compares the value of a text with a constant.
fn is(constant: &Constant, text: &str) -> Result<(), String> {
    match scan::value(text, narrow(constant)) {
        // A patch keeps the number of lines.
        _ if text.contains('\n') => Err("it is written on more than one line".into()),
        Some(bits) if bits == constant.bits => Ok(()),
        Some(_) => Err(format!(
            "`{}` is not the number that was compiled",
            show::quote(text)
        )),
        None => Err(format!("`{}` is no number", show::quote(text))),
    }
}

/// A literal in C, which must be the only one with its value.
fn c_literal(constant: &Constant, text: &str, new: &str) -> Result<Edit, String> {
    let bits = [constant.bits, constant.bits ^ sign(constant)];
    let is = |n: scan::Number| bits.contains(&n.bits(narrow(constant)));
    let numbers = scan::numbers(text);
    let mut same = numbers.into_iter().filter(|(n, _)| is(*n));
    match (same.next(), same.next()) {
        (Some((_, at)), None) => {
            let suffix = if text[at.clone()].ends_with(['f', 'F']) {
                "f"
            } else {
                ""
            };
            let new = format!("{}{suffix}", new.trim_start_matches('-'));
            Ok((at, new))
        }
        (None, _) => Err("no number in the source has its value".into()),
        _ => Err("more than one number in the source has its value".into()),
    }
}

impl File {
    /// The text with the changes.
    pub fn changed(&self) -> String {
        let mut edits = self.edits.clone();
        edits.sort_by_key(|e| e.0.start);
        let mut out = String::new();
        let mut at = 0;
        for (range, new) in edits {
            out += &self.text[at..range.start];
            out += &new;
            at = range.end;
        }
        out + &self.text[at..]
    }

    /// A patch. Every change keeps the number of lines.
    pub fn patch(&self) -> String {
        const AROUND: usize = 3;
        let changed = self.changed();
        let (old, new): (Vec<&str>, Vec<&str>) = (
            self.text.split('\n').collect(),
            changed.split('\n').collect(),
        );
        let differ: Vec<usize> = (0..old.len()).filter(|&i| old[i] != new[i]).collect();
        let last = old.len() - usize::from(old.last() == Some(&""));
        let mut out = format!("--- a/{0}\n+++ b/{0}\n", self.name);
        let mut k = 0;
        while k < differ.len() {
            let mut end = k;
            while end + 1 < differ.len() && differ[end + 1] - differ[end] <= 2 * AROUND {
                end += 1;
            }
            let first = differ[k].saturating_sub(AROUND);
            let until = (differ[end] + AROUND + 1).min(last);
            let lines = until - first;
            out += &format!("@@ -{0},{lines} +{0},{lines} @@\n", first + 1);
            let mut i = first;
            while i < until {
                if old[i] == new[i] {
                    out += &format!(" {}\n", old[i]);
                    i += 1;
                    continue;
                }
                let mut run = i;
                while run < until && old[run] != new[run] {
                    run += 1;
                }
                old[i..run].iter().for_each(|l| out += &format!("-{l}\n"));
                new[i..run].iter().for_each(|l| out += &format!("+{l}\n"));
                i = run;
            }
            k = end + 1;
        }
        out
    }
}

/// The new constants by name in hexadecimal, and their kernels.
pub(super) fn text(changed: &[(&Constant, u64)]) -> String {
    let mut out = String::new();
    let mut kernels: Vec<(&Kernel, Vec<Edit>)> = Vec::new();
    for (n, (constant, bits)) in changed.iter().enumerate() {
        let (ty, digits) = match narrow(constant) {
            true => ("f32", 8),
            false => ("f64", 16),
        };
        out += &format!(
            "/// {} in {}, which was {}.\npub const IMPROVED_{n}: {ty} = {ty}::from_bits({bits:#0width$x}); // {}\n",
            name(constant),
            place(constant),
            show::hex_float(precision(constant), constant.bits),
            show::hex_float(precision(constant), *bits),
            width = digits + 2
        );
        for site in &constant.sites {
            let k = match kernels
                .iter()
                .position(|k| k.0.line == site.kernel.line && k.0.file == site.kernel.file)
            {
                Some(k) => k,
                None => {
                    kernels.push((site.kernel, Vec::new()));
                    kernels.len() - 1
                }
            };
            // A kernel that reads a table reads the whole table.
            if matches!(constant.form, Form::Entry(..)) {
                continue;
            }
            if let Some(at) = token(constant, site) {
                let minus = bits & sign(constant) != 0 && constant.form == Form::Literal;
                kernels[k]
                    .1
                    .push((at, format!("{}IMPROVED_{n}", if minus { "-" } else { "" })));
            }
        }
    }
    for (kernel, mut edits) in kernels {
        if kernel.source.is_empty() {
            continue;
        }
        edits.sort_by_key(|e| e.0.start);
        let file = File {
            name: kernel.file.into(),
            text: kernel.source.into(),
            edits,
        };
        out += &format!(
            "\n// {}:{}\n#[crunch]\n{}\n",
            kernel.file,
            kernel.line,
            file.changed()
        );
    }
    out
}
