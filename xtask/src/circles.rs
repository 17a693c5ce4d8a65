//! Circles of files that import one another, in every crate of the workspace.
//!
//! A circle of two files is a file and its part, which is how Rust's `impl` blocks are split; a larger one, or one that crosses folders, is a
//! design in which nothing can be understood alone. `use` declarations and paths in code count, and lead to the file that defines the item:
//! re-exports are followed. Paths in macros are not read, nor is code that is compiled for tests alone.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::visit::Visit;

use crate::error::{Error, Result};
use crate::layers::for_tests;
use crate::process::root;

/// The crates, and how many files their largest circle may have. A number that is no longer needed must be lowered.
const CRATES: &[(&str, usize)] = &[
    ("crunch-check", 2),
    ("dc-driver", 2),
    ("dc-exact", 2),
    ("dc-macros", 2),
    ("dc-math", 2),
    ("design", 2),
    ("formula", 2),
    ("kernels-gen", 2),
    ("lift", 2),
    ("measure", 2),
    ("xtask", 2),
    ("dc-runtime", 2),
];

/// Folders whose parts must not import one another: no command of the command line imports a command.
const APART: &[(&str, &str)] = &[("dc-driver", "commands")];

type Module = Vec<String>;

/// Checks all crates.
pub fn check() -> Result<()> {
    let mut wrong = Vec::new();
    for &(name, most) in CRATES {
        let source = root().join(name).join("src");
        let house = House::read(&source)?;
        for (_, folder) in APART.iter().filter(|a| a.0 == name) {
            wrong.extend(house.imports_beside(folder));
        }
        let circles = house.circles();
        let largest = circles.iter().map(Vec::len).max().unwrap_or(2).max(2);
        for circle in circles.iter().filter(|c| c.len() > most) {
            wrong.push(format!(
                "{name}: {} files import one another, and {most} may: {}. Put what they share into a file below them",
                circle.len(),
                circle.join(", ")
            ));
        }
        for circle in circles.iter().filter(|c| crosses_folders(c)) {
            wrong.push(format!(
                "{name}: a circle of files crosses folders: {}. Put what they share into a file below them",
                circle.join(", ")
            ));
        }
        if largest < most {
            wrong.push(format!(
                "{name}: its largest circle has {largest} files: lower the number in xtask/src/circles.rs, which is {most}"
            ));
        }
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(Error(wrong.join("\n"))),
    }
}

/// Whether files of a circle are in different folders; `a.rs` is a file of the folder `a`, too.
fn crosses_folders(circle: &[String]) -> bool {
    let folder = |file: &str| Path::new(file).parent().map(Path::to_path_buf);
    let own = |file: &str| Path::new(file).with_extension("");
    circle.iter().any(|a| {
        circle.iter().any(|b| {
            let (fa, fb) = (folder(a), folder(b));
            fa != fb && fa != Some(own(b)) && fb != Some(own(a))
        })
    })
}

/// A crate's files by their modules, with what each names.
#[derive(Default)]
struct House {
    rooms: BTreeMap<Module, Room>,
}

#[derive(Default)]
struct Room {
    file: PathBuf,
    /// What it defines.
    items: BTreeSet<String>,
    /// What it hands on: name and path.
    handed: Vec<(String, Module)>,
    /// Modules all of whose items it hands on.
    globs: Vec<Module>,
    /// The paths that it names, from the crate's root.
    names: Vec<Module>,
}

impl House {
    fn read(source: &Path) -> Result<House> {
        let mut files = Vec::new();
        list(source, &mut Vec::new(), &mut files)?;
        let modules: BTreeSet<Module> = files.iter().map(|f| f.0.clone()).collect();
        let mut house = House::default();
        for (module, path) in files {
            let error = |e: &dyn std::fmt::Display| Error(format!("{}: {e}", path.display()));
            let text = std::fs::read_to_string(&path).map_err(|e| error(&e))?;
            let tree = syn::parse_file(&text).map_err(|e| error(&e))?;
            let file = path.strip_prefix(source).unwrap_or(&path).to_path_buf();
            house.add(&modules, module, file, &tree);
        }
        Ok(house)
    }

    fn add(&mut self, modules: &BTreeSet<Module>, module: Module, file: PathBuf, tree: &syn::File) {
        let mut reader = Reader {
            modules,
            module: module.clone(),
            room: Room {
                file,
                ..Room::default()
            },
            inside: 0,
        };
        reader.visit_file(tree);
        self.rooms.insert(module, reader.room);
    }

    /// The module that defines what a path names.
    fn defines(&self, path: &[String], depth: usize) -> Option<&Module> {
        let at = (0..=path.len())
            .rev()
            .find(|&n| self.rooms.contains_key(&path[..n]))?;
        let (module, room) = self.rooms.get_key_value(&path[..at])?;
        let Some(item) = path.get(at).filter(|_| depth < 8) else {
            return Some(module);
        };
        if room.items.contains(item) {
            return Some(module);
        }
        let rest = &path[at + 1..];
        if let Some((_, to)) = room.handed.iter().find(|h| h.0 == *item) {
            return self.defines(&[to, rest].concat(), depth + 1);
        }
        let mut globs = room.globs.iter().filter(|g| *g != module);
        let through = globs.find_map(|g| {
            let found = self.defines(&[g, &path[at..]].concat(), depth + 1)?;
            self.rooms[found].items.contains(item).then_some(found)
        });
        // What a macro defines is in its module; what the root does not define is in a file of another folder.
        through.or((!module.is_empty()).then_some(module))
    }

    /// The imports of one part of a folder by another.
    fn imports_beside(&self, folder: &str) -> Vec<String> {
        let part = |module: &Module| match &module[..] {
            [first, part, ..] if first == folder => Some(part.clone()),
            _ => None,
        };
        let mut found = BTreeSet::new();
        for (module, room) in &self.rooms {
            let Some(from) = part(module) else { continue };
            for to in room.names.iter().filter_map(|n| self.defines(n, 0)) {
                if part(to).is_some_and(|to| to != from) {
                    found.insert(format!(
                        "{}: imports {}, which is beside it in {folder}: put what both need into a file below them",
                        room.file.display(),
                        self.rooms[to].file.display()
                    ));
                }
            }
        }
        found.into_iter().collect()
    }

    /// The files of each circle.
    fn circles(&self) -> Vec<Vec<String>> {
        let arrows: BTreeMap<&Module, BTreeSet<&Module>> = self
            .rooms
            .iter()
            .map(|(module, room)| {
                let to = room.names.iter().filter_map(|n| self.defines(n, 0));
                (module, to.filter(|to| *to != module).collect())
            })
            .collect();
        let reached: BTreeMap<&Module, BTreeSet<&Module>> = arrows
            .keys()
            .map(|&from| {
                let mut all = BTreeSet::new();
                let mut left: Vec<&Module> = arrows[from].iter().copied().collect();
                while let Some(next) = left.pop() {
                    if all.insert(next) {
                        left.extend(&arrows[next]);
                    }
                }
                (from, all)
            })
            .collect();
        let mut circles: Vec<Vec<String>> = Vec::new();
        let mut seen: BTreeSet<&Module> = BTreeSet::new();
        for (&module, all) in &reached {
            if !all.contains(module) || seen.contains(module) {
                continue;
            }
            let circle: Vec<&Module> = all
                .iter()
                .copied()
                .filter(|m| reached[*m].contains(module))
                .collect();
            let files = circle.iter().map(|m| self.rooms[*m].file.display());
            circles.push(files.map(|f| f.to_string()).collect());
            seen.extend(circle);
        }
        circles
    }
}

/// All files of a folder but those of tests and programs, with their modules.
fn list(folder: &Path, module: &mut Module, files: &mut Vec<(Module, PathBuf)>) -> Result<()> {
    let error = |e: std::io::Error| Error(format!("{}: {e}", folder.display()));
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(error)? {
        entries.push(entry.map_err(error)?.path());
    }
    entries.sort();
    for path in entries {
        let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or("");
        if matches!(stem, "tests" | "bin") {
            continue;
        }
        if path.is_dir() {
            module.push(stem.into());
            list(&path, module, files)?;
            module.pop();
        } else if path.extension().is_some_and(|e| e == "rs") {
            let mut own = module.clone();
            if !matches!(stem, "mod" | "lib" | "main") {
                own.push(stem.into());
            }
            files.push((own, path));
        }
    }
    Ok(())
}

/// Whether what has an attribute is compiled for tests alone.
pub fn is_for_tests(attribute: &syn::Attribute) -> bool {
    attribute.path().is_ident("cfg")
        && matches!(&attribute.meta, syn::Meta::List(l) if for_tests(&format!("cfg({})", l.tokens)))
}

struct Reader<'a> {
    modules: &'a BTreeSet<Module>,
    module: Module,
    room: Room,
    /// How many modules of the file itself the reader is in.
    inside: usize,
}

impl Reader<'_> {
    /// A path from the crate's root, if it leads into this crate.
    fn absolute(&self, path: &[String]) -> Option<Module> {
        let first = path.first()?.as_str();
        match first {
            "crate" => Some(path[1..].to_vec()),
            "self" => Some([&self.module, &path[1..]].concat()),
            "super" => {
                let supers = path.iter().take_while(|s| *s == "super").count();
                // The first ones lead out of the modules that are written in the file.
                let up = supers.saturating_sub(self.inside);
                let left = self.module.len().checked_sub(up)?;
                Some([&self.module[..left], &path[supers..]].concat())
            }
            _ => {
                let own = [self.module.as_slice(), &path[..1]].concat();
                let is_child = self.modules.contains(&own);
                is_child.then(|| [self.module.as_slice(), path].concat())
            }
        }
    }

    fn import(&mut self, tree: &syn::UseTree, path: &mut Module, handed: bool) {
        let whole = |last: &syn::Ident, path: &Module| {
            let mut all = path.clone();
            if last != "self" {
                all.push(last.to_string());
            }
            all
        };
        let (all, name) = match tree {
            syn::UseTree::Path(p) => {
                path.push(p.ident.to_string());
                self.import(&p.tree, path, handed);
                path.pop();
                return;
            }
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(tree, path, handed);
                }
                return;
            }
            syn::UseTree::Glob(_) => (path.clone(), None),
            syn::UseTree::Name(n) => (whole(&n.ident, path), Some(n.ident.to_string())),
            syn::UseTree::Rename(r) => (whole(&r.ident, path), Some(r.rename.to_string())),
        };
        let Some(all) = self.absolute(&all) else {
            return;
        };
        match (handed, name) {
            (true, Some(name)) => self.room.handed.push((name, all)),
            (true, None) => self.room.globs.push(all),
            (false, _) => self.room.names.push(all),
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let (attributes, name): (&[syn::Attribute], Option<&syn::Ident>) = match item {
            syn::Item::Const(i) => (&i.attrs, Some(&i.ident)),
            syn::Item::Enum(i) => (&i.attrs, Some(&i.ident)),
            syn::Item::Fn(i) => (&i.attrs, Some(&i.sig.ident)),
            syn::Item::Impl(i) => (&i.attrs, None),
            syn::Item::Mod(i) => (&i.attrs, None),
            syn::Item::Static(i) => (&i.attrs, Some(&i.ident)),
            syn::Item::Struct(i) => (&i.attrs, Some(&i.ident)),
            syn::Item::Trait(i) => (&i.attrs, Some(&i.ident)),
            syn::Item::Type(i) => (&i.attrs, Some(&i.ident)),
            syn::Item::Macro(i) => (&i.attrs, i.ident.as_ref()),
            syn::Item::Use(i) => (&i.attrs, None),
            _ => (&[], None),
        };
        if attributes.iter().any(is_for_tests) {
            return;
        }
        self.room.items.extend(name.map(ToString::to_string));
        syn::visit::visit_item(self, item);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        self.inside += 1;
        syn::visit::visit_item_mod(self, item);
        self.inside -= 1;
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let handed = !matches!(item.vis, syn::Visibility::Inherited);
        self.import(&item.tree, &mut Vec::new(), handed);
    }

    /// `pub(in crate::commands)` imports nothing.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 && path.leading_colon.is_none() {
            let words: Module = path.segments.iter().map(|s| s.ident.to_string()).collect();
            self.room.names.extend(self.absolute(&words));
        }
        syn::visit::visit_path(self, path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The circles of a crate of these files.
    fn circles(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        house(files).circles()
    }

    fn house(files: &[(&str, &str)]) -> House {
        let module = |name: &str| -> Module {
            let path = name.trim_end_matches(".rs").trim_end_matches("/mod");
            match path {
                "lib" => Vec::new(),
                path => path.split('/').map(String::from).collect(),
            }
        };
        let modules = files.iter().map(|f| module(f.0)).collect();
        let mut house = House::default();
        for (name, text) in files {
            let tree = syn::parse_file(text).expect("Rust");
            house.add(&modules, module(name), PathBuf::from(name), &tree);
        }
        house
    }

    #[test]
    fn a_circle_that_crosses_folders_is_found() {
        let circle = |files: [&str; 2]| crosses_folders(&files.map(String::from));
        assert!(circle(["a/x.rs", "b/y.rs"]) && circle(["a/x.rs", "lib.rs"]));
        assert!(!circle(["a/x.rs", "a/mod.rs"]) && !circle(["a.rs", "a/x.rs"]));
        assert!(!circle(["a.rs", "b.rs"]));
    }

    #[test]
    fn a_command_that_imports_a_command_is_found() {
        let files = [
            ("lib.rs", "mod commands; mod below;"),
            (
                "commands/mod.rs",
                "mod a; mod b; fn dispatch() { a::run(); b::run() }",
            ),
            ("commands/a.rs", "use crate::below::f; pub fn run() { f() }"),
            (
                "commands/b/mod.rs",
                "mod part; pub fn run() { part::f() } pub fn shared() {}",
            ),
            ("commands/b/part.rs", "pub fn f() { super::shared() }"),
            ("below.rs", "pub fn f() {}"),
        ];
        assert!(house(&files).imports_beside("commands").is_empty());
        let mut beside = files;
        beside[2].1 = "pub fn run() { super::b::shared() }";
        assert_eq!(house(&beside).imports_beside("commands").len(), 1);
    }

    #[test]
    fn a_circle_is_found_through_uses_paths_and_re_exports() {
        let three = [
            ("lib.rs", "mod a; mod b; mod c; pub use c::{f as g};"),
            ("a.rs", "use super::b::B; pub fn a() { B::new() }"),
            ("b.rs", "pub struct B; impl B { fn new() { crate::g() } }"),
            ("c.rs", "pub fn f() { crate::a::a() }"),
        ];
        assert_eq!(circles(&three), [["a.rs", "b.rs", "c.rs"]]);
        let mut none = three;
        none[3].1 = "pub fn f() {} #[cfg(test)] mod tests { fn f() { crate::a::a() } }";
        assert!(circles(&none).is_empty());
    }

    #[test]
    fn what_a_parent_hands_on_is_an_import_of_its_part() {
        let files = [
            ("lib.rs", "mod x;"),
            (
                "x/mod.rs",
                "mod part; mod user; pub use part::*; pub fn own() { user::user() }",
            ),
            ("x/part.rs", "pub struct Part;"),
            ("x/user.rs", "use super::Part; pub fn user() {}"),
        ];
        assert!(circles(&files).is_empty());
        let mut two = files;
        two[3].1 = "use super::own; pub fn user() {}";
        assert_eq!(circles(&two), [["x/mod.rs", "x/user.rs"]]);
    }

    /// `super` in a module that is written in a file is the file, and not its parent with an item of the same name.
    #[test]
    fn the_parent_of_a_module_in_a_file_is_the_file() {
        let files = [
            ("lib.rs", "mod a; pub struct Program; fn run() { a::a() }"),
            (
                "a.rs",
                "use other::Program; pub fn a() {} mod inner { use super::Program; fn f() { super::a() } }",
            ),
        ];
        assert!(circles(&files).is_empty());
        let mut two = files;
        two[1].1 = "pub fn a() {} mod inner { use super::super::Program; }";
        assert_eq!(circles(&two), [["lib.rs", "a.rs"]]);
    }
}
