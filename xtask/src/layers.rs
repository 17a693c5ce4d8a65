//! The layers of `dc-runtime`: which of its modules may import which, checked in its source.
//!
//! The source is read as tokens, from `lib.rs` along its `mod` declarations. Every path that begins with `crate::`, with
//! `$crate::` in a macro, with `doublecrunch::` (the crate's name for itself) or with as many `super::` as lead to the
//! root counts, in `use` declarations and in code. Code that is compiled only for tests may import anything and is not
//! read.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use crate::error::{Error, Result};
use crate::process::root;

/// The layers from the bottom up. A module imports modules of lower layers, and of its own layer if that allows it.
const LAYERS: &[Layer] = &[
    Layer::One("fenv"),
    Layer::One("isa"),
    Layer::One("types"),
    Layer::Apart(&["ops", "kernel"]),
    Layer::Apart(&["callee", "run", "step", "mpfr"]),
    // The library is written in the language that the prelude exports, and is itself part of that prelude.
    Layer::Together(&["builtins", "prelude", "__private_v0_2"]),
    Layer::One("model"),
    Layer::One("scan"),
    Layer::One("sweep"),
    Layer::Apart(&["backend", "search"]),
    Layer::One("reductions"),
    Layer::One("sweeps"),
    Layer::One("suite"),
];

/// Modules of one layer.
enum Layer {
    /// A single module.
    One(&'static str),
    /// Modules that must not import one another.
    Apart(&'static [&'static str]),
    /// Modules that may import one another.
    Together(&'static [&'static str]),
}

impl Layer {
    fn modules(&self) -> &[&'static str] {
        match self {
            Layer::One(module) => std::slice::from_ref(module),
            Layer::Apart(modules) | Layer::Together(modules) => modules,
        }
    }
}

/// A module that imports another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Import {
    from: String,
    to: String,
    file: PathBuf,
    line: usize,
}

/// Checks the crate with [`LAYERS`], and the picture in ARCHITECTURE.md with the crate.
pub fn check() -> Result<()> {
    let source = root().join("dc-runtime/src");
    let crate_ = read_crate(&source)?;
    let mut wrong = violations(&crate_, LAYERS);
    if wrong.is_empty() {
        let picture = picture(&crate_, LAYERS);
        let text = std::fs::read_to_string(root().join("ARCHITECTURE.md"))
            .map_err(|e| Error(format!("ARCHITECTURE.md: {e}")))?;
        if !text.contains(&picture) {
            wrong.push(format!(
                "the picture of the modules in ARCHITECTURE.md differs from the source; it must be:\n{picture}"
            ));
        }
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(Error(wrong.join("\n")))
    }
}

/// Violations of the order of the layers, and modules that are not in the layers or do not exist.
fn violations(crate_: &Crate, layers: &[Layer]) -> Vec<String> {
    let height: BTreeMap<&str, usize> = layers
        .iter()
        .enumerate()
        .flat_map(|(i, layer)| layer.modules().iter().map(move |m| (*m, i)))
        .collect();
    let known: BTreeSet<&str> = crate_.modules.iter().map(String::as_str).collect();
    let mut wrong = Vec::new();
    for module in &known {
        if !height.contains_key(module) {
            wrong.push(format!(
                "dc-runtime's module `{module}` is in no layer: add it to LAYERS in xtask/src/layers.rs"
            ));
        }
    }
    for module in height.keys() {
        if !known.contains(module) {
            wrong.push(format!(
                "LAYERS in xtask/src/layers.rs names `{module}`, which dc-runtime/src/lib.rs does not declare"
            ));
        }
    }
    for import in &crate_.imports {
        let (Some(&from), Some(&to)) = (
            height.get(import.from.as_str()),
            height.get(import.to.as_str()),
        ) else {
            continue;
        };
        let allowed = to < from || (to == from && matches!(layers[from], Layer::Together(_)));
        if !allowed {
            let relation = if to == from { "beside" } else { "above" };
            wrong.push(format!(
                "{}:{}: `{}` imports `{}`, which is {relation} it: put what both need into a lower layer, or pass it as a parameter",
                import.file.display(),
                import.line,
                import.from,
                import.to
            ));
        }
    }
    wrong
}

/// A line for each module, from the top down, with the modules that it imports.
fn picture(crate_: &Crate, layers: &[Layer]) -> String {
    let order: Vec<&str> = layers
        .iter()
        .rev()
        .flat_map(|layer| layer.modules().iter().copied())
        // Re-exports for users and for the macro, no modules of their own.
        .filter(|m| !matches!(*m, "prelude" | "__private_v0_2"))
        .collect();
    let mut text = String::from("```text\n");
    for from in &order {
        let imports = |from: &str, to: &str| {
            let all = &crate_.imports;
            all.iter().any(|i| i.from == from && i.to == to)
        };
        // A module that imports the prelude imports its contents.
        let through = |to: &str| imports(from, "prelude") && imports("prelude", to);
        let below: Vec<&str> = order
            .iter()
            .copied()
            .filter(|to| to != from && (imports(from, to) || through(to)))
            .collect();
        let line = format!("{from:<10} ──▶ {}", below.join(", "));
        text.push_str(line.trim_end_matches([' ', '─', '▶']));
        text.push('\n');
    }
    text.push_str("```\n");
    text
}

/// The modules of a crate's root, and their imports.
#[derive(Debug, Default)]
struct Crate {
    modules: Vec<String>,
    imports: Vec<Import>,
}

fn read_crate(source: &Path) -> Result<Crate> {
    let mut reader = Reader::default();
    reader.file(&source.join("lib.rs"), source, &[])?;
    let mut crate_ = reader.crate_;
    // Paths to items that the root itself defines or re-exports are no imports of a module.
    let modules = crate_.modules.clone();
    crate_
        .imports
        .retain(|i| i.from != i.to && modules.contains(&i.to));
    crate_.imports.sort();
    crate_.imports.dedup();
    Ok(crate_)
}

#[derive(Default)]
struct Reader {
    crate_: Crate,
    file: PathBuf,
}

impl Reader {
    /// Reads a module's file; `folder` is where its submodules' files are.
    fn file(&mut self, file: &Path, folder: &Path, module: &[String]) -> Result<()> {
        let error = |e: &dyn std::fmt::Display| Error(format!("{}: {e}", file.display()));
        let text = std::fs::read_to_string(file).map_err(|e| error(&e))?;
        let tokens: TokenStream = text.parse().map_err(|e| error(&e))?;
        let shown = file.strip_prefix(root()).unwrap_or(file).to_path_buf();
        let outer = std::mem::replace(&mut self.file, shown);
        self.tokens(tokens, folder, module)?;
        self.file = outer;
        Ok(())
    }

    fn tokens(&mut self, tokens: TokenStream, folder: &Path, module: &[String]) -> Result<()> {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            if attribute(&tokens[at..]).is_some_and(|a| for_tests(&a.stream().to_string())) {
                at = after_item(&tokens, at + 2);
            } else if let Some((name, body)) = module_at(&tokens[at..]) {
                if module.is_empty() {
                    self.crate_.modules.push(name.clone());
                }
                self.module(&name, body, folder, module)?;
                at += 3;
            } else if let Some(length) = self.path(&tokens[at..], module) {
                at += length;
            } else {
                if let TokenTree::Group(group) = &tokens[at] {
                    self.tokens(group.stream(), folder, module)?;
                }
                at += 1;
            }
        }
        Ok(())
    }

    /// `mod name { … }` or `mod name;`.
    fn module(
        &mut self,
        name: &str,
        body: Option<&Group>,
        folder: &Path,
        module: &[String],
    ) -> Result<()> {
        let inner: Vec<String> = module.iter().cloned().chain([name.to_string()]).collect();
        let within = folder.join(name);
        match body {
            Some(group) => self.tokens(group.stream(), &within, &inner),
            None => {
                let file = folder.join(format!("{name}.rs"));
                let file = if file.exists() {
                    file
                } else {
                    within.join("mod.rs")
                };
                self.file(&file, &within, &inner)
            }
        }
    }

    /// Records a path that begins at the crate's root; returns its length in tokens, as far as it was read.
    fn path(&mut self, tokens: &[TokenTree], module: &[String]) -> Option<usize> {
        let mut at = match tokens.first()? {
            TokenTree::Ident(i) if i == "crate" || i == "doublecrunch" => 1,
            TokenTree::Ident(i) if i == "super" => {
                let mut up = 1;
                while colons(&tokens[3 * up - 2..]) && is_super(tokens.get(3 * up)) {
                    up += 1;
                }
                if up < module.len() {
                    // The path stays within its module.
                    return Some(3 * up - 2);
                }
                3 * up - 2
            }
            _ => return None,
        };
        if !colons(&tokens[at..]) {
            return Some(at);
        }
        at += 2;
        match tokens.get(at) {
            Some(TokenTree::Ident(to)) => {
                self.import(module, to);
                at += 1;
            }
            Some(TokenTree::Group(group)) => {
                let mut first = true;
                for token in group.stream() {
                    if let (true, TokenTree::Ident(to)) = (first, &token) {
                        self.import(module, to);
                    }
                    first = matches!(&token, TokenTree::Punct(p) if p.as_char() == ',');
                }
                at += 1;
            }
            _ => {}
        }
        Some(at)
    }

    fn import(&mut self, module: &[String], to: &proc_macro2::Ident) {
        // The root may import everything.
        if let Some(from) = module.first() {
            self.crate_.imports.push(Import {
                from: from.clone(),
                to: to.to_string(),
                file: self.file.clone(),
                line: to.span().start().line,
            });
        }
    }
}

fn colons(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [TokenTree::Punct(a), TokenTree::Punct(b), ..] if a.as_char() == ':' && b.as_char() == ':')
}

fn is_super(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Ident(i)) if i == "super")
}

/// `#[…]`
fn attribute(tokens: &[TokenTree]) -> Option<&Group> {
    match tokens {
        [TokenTree::Punct(hash), TokenTree::Group(group), ..]
            if hash.as_char() == '#' && group.delimiter() == Delimiter::Bracket =>
        {
            Some(group)
        }
        _ => None,
    }
}

/// `cfg(test)` or `cfg(all(test, …))`; `cfg(not(test))` and `cfg(any(test, …))` are not only for tests.
pub fn for_tests(attribute: &str) -> bool {
    let text: String = attribute.split_whitespace().collect();
    text == "cfg(test)" || text.starts_with("cfg(all(test,")
}

/// The index after the item or statement that begins at `at`.
fn after_item(tokens: &[TokenTree], at: usize) -> usize {
    let ends = |token: &TokenTree| match token {
        TokenTree::Punct(p) => p.as_char() == ';',
        TokenTree::Group(g) => g.delimiter() == Delimiter::Brace,
        _ => false,
    };
    let length = tokens[at..].iter().position(ends);
    length.map_or(tokens.len(), |length| at + length + 1)
}

/// `mod name;` or `mod name { … }`, three tokens.
fn module_at(tokens: &[TokenTree]) -> Option<(String, Option<&Group>)> {
    match tokens {
        [TokenTree::Ident(keyword), TokenTree::Ident(name), third, ..] if keyword == "mod" => {
            match third {
                TokenTree::Group(group) => Some((name.to_string(), Some(group))),
                TokenTree::Punct(p) if p.as_char() == ';' => Some((name.to_string(), None)),
                _ => None,
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Crate, Layer, Reader, picture, violations};

    const ORDER: &[Layer] = &[
        Layer::Together(&["ground", "cellar"]),
        Layer::Apart(&["left", "right"]),
        Layer::One("roof"),
    ];

    /// A crate whose modules are all in one file.
    fn crate_of(text: &str) -> Crate {
        let mut reader = Reader::default();
        let tokens = text.parse().expect("tokens");
        reader
            .tokens(tokens, std::path::Path::new(""), &[])
            .expect("no files");
        let mut crate_ = reader.crate_;
        crate_.imports.retain(|i| i.from != i.to);
        crate_
    }

    const SOUND: &str = "
        mod ground { use super::cellar::X; mod inner { fn f() { super::super::cellar::g() } } }
        mod cellar { use crate::ground::inner; }
        mod left { /* use crate::roof::Y; */ use crate::{cellar, ground::inner}; }
        mod right { //! [`crate::roof`]
            #[cfg(test)] mod tests { use crate::roof::Z; }
            #[cfg(all(test, unix))] use crate::{left::a};
            use super::ground; const TEXT: &str = \"crate::roof\"; }
        mod roof { use crate::{left::a, right::{b, c}}; use self::cellar; }
    ";

    #[test]
    fn imports_downwards_are_fine() {
        assert_eq!(
            violations(&crate_of(SOUND), ORDER),
            <[String; 0]>::default()
        );
    }

    #[test]
    fn imports_upwards_and_sideways_are_found() {
        for (injected, into, to) in [
            ("use crate::roof::Y;", "left", "roof"),
            ("use crate::{cellar, roof};", "left", "roof"),
            ("fn f() { crate::roof::g() }", "ground", "roof"),
            ("fn f() { g(&[super::roof::G]) }", "ground", "roof"),
            (
                "mod deep { use super::super::right::a; }",
                "ground",
                "right",
            ),
            (
                "macro_rules! m { () => { $crate::roof::g() } }",
                "right",
                "roof",
            ),
            ("use doublecrunch::roof;", "right", "roof"),
            ("#[cfg(not(test))] use crate::roof;", "right", "roof"),
            ("#[cfg(test)] fn f() {} use crate::roof;", "right", "roof"),
            ("use crate::right::a;", "left", "right"),
        ] {
            let opened = format!("mod {into} {{");
            let text = SOUND.replace(&opened, &format!("{opened} {injected}"));
            let wrong = violations(&crate_of(&text), ORDER);
            assert_eq!(wrong.len(), 1, "{injected}: {wrong:?}");
            let says = format!("`{into}` imports `{to}`");
            assert!(wrong[0].contains(&says), "{injected}: {wrong:?}");
        }
    }

    #[test]
    fn a_module_without_a_layer_and_a_layer_without_its_module_are_found() {
        let wrong = violations(&crate_of(&SOUND.replace("mod cellar", "mod attic")), ORDER);
        let all = wrong.join("\n");
        assert!(all.contains("`attic` is in no layer"), "{all}");
        assert!(all.contains("names `cellar`"), "{all}");
    }

    #[test]
    fn the_picture_is_from_the_top_down() {
        assert_eq!(
            picture(&crate_of(SOUND), ORDER),
            "```text\nroof       ──▶ left, right\nleft       ──▶ ground, cellar\nright      ──▶ ground\n\
             ground     ──▶ cellar\ncellar     ──▶ ground\n```\n"
        );
    }

    #[test]
    fn this_repository_keeps_its_layers() {
        super::check().expect("the order of the layers");
    }
}
