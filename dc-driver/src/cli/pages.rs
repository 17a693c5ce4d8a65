//! The book's pages on commands. Their lower part, a table of each command's arguments, is generated from the same declarations as `crunch
//! help`, so it is always up to date.

use std::fmt::Write as _;
use std::path::Path;

use clap::{Arg, Command, CommandFactory as _};

use super::Cli;

/// Each page, and its commands.
const PAGES: [(&str, &[&str]); 6] = [
    ("search", &["run", "resume", "status", "format"]),
    ("files", &["plot", "merge", "bless"]),
    ("machines", &["submit", "estimate"]),
    ("compare", &["verify", "compare", "reduce", "trace", "at"]),
    ("prove", &["bound", "hunt", "exact"]),
    (
        "kernels",
        &[
            "list",
            "emit",
            "lift",
            "design",
            "improve",
            "doctor",
            "dump-instruction",
        ],
    ),
];

/// The text above this line is written by hand.
const MARK: &str = "<!-- Made from the declarations of the command line by CRUNCH_BLESS=1 cargo test -p dc-driver --features suite --lib pages -->";

/// The text of a table's cell. Options become code, which help texts do not mark, and no character has a meaning in Markdown.
fn cell(text: &str) -> String {
    let text = text.replace('|', "\\|").replace('\n', " ");
    let mut parts = text.split('`');
    let mut out = plain(parts.next().unwrap_or_default());
    while let Some(code) = parts.next() {
        out += &format!("`{code}`{}", plain(parts.next().unwrap_or_default()));
    }
    out
}

/// A part of a help text that is not code.
fn plain(text: &str) -> String {
    let word = |word: &str| {
        let start = word.find(|c: char| c != '(' && c != '[').unwrap_or(0);
        let name = word[start..].split(|c: char| c != '-' && !c.is_ascii_alphanumeric());
        let name = name.into_iter().next().unwrap_or_default();
        match name.strip_prefix("--") {
            Some(rest) if !rest.is_empty() => word.replacen(name, &format!("`{name}`"), 1),
            _ => word
                .replace('*', "\\*")
                .replace('<', "&lt;")
                .replace('_', "\\_"),
        }
    };
    let words: Vec<String> = text.split(' ').map(word).collect();
    words.join(" ")
}

/// The subcommands of a command, or the command itself if it has none.
fn leaves<'a>(name: &str, command: &'a Command, into: &mut Vec<(String, &'a Command)>) {
    let shown = command.get_subcommands().filter(|c| c.get_name() != "help");
    let before = into.len();
    for inner in shown {
        leaves(&format!("{name} {}", inner.get_name()), inner, into);
    }
    if into.len() == before {
        into.push((name.to_string(), command));
    }
}

/// The notation of an argument: `-o FILE`, `--out FILE`.
fn usage(arg: &Arg) -> String {
    let values: Vec<String> = arg
        .get_value_names()
        .into_iter()
        .flatten()
        .map(ToString::to_string)
        .collect();
    let values = values.join(" ");
    if arg.is_positional() {
        let many = arg.get_num_args().is_some_and(|n| n.max_values() > 1);
        let dots = if many { "…" } else { "" };
        return if arg.is_required_set() {
            format!("`{values}{dots}`")
        } else {
            format!("`[{values}{dots}]`")
        };
    }
    let long = arg.get_long().map(|l| format!("--{l}"));
    let long = long.unwrap_or_else(|| format!("-{}", arg.get_short().unwrap_or_default()));
    let takes = arg.get_action().takes_values() && !values.is_empty();
    let optional = arg.get_num_args().is_some_and(|n| n.min_values() == 0);
    let long = match (takes, optional) {
        (false, _) => format!("`{long}`"),
        (true, true) => format!("`{long}[={values}]`"),
        (true, false) => format!("`{long} {values}`"),
    };
    match arg.get_short().filter(|_| arg.get_long().is_some()) {
        Some(short) => format!("`-{short}`, {long}"),
        None => long,
    }
}

/// The meaning of an argument, with its values and its default.
fn meaning(arg: &Arg) -> String {
    let help = arg.get_long_help().or_else(|| arg.get_help());
    let mut text = help.map(ToString::to_string).unwrap_or_default();
    let values = arg.get_possible_values();
    if arg.get_action().takes_values() && !arg.is_hide_possible_values_set() {
        for (value, separator) in values
            .iter()
            .zip(std::iter::once(": ").chain(std::iter::repeat("; ")))
        {
            let _ = write!(text, "{separator}`{}`", value.get_name());
            if let Some(help) = value.get_help() {
                let _ = write!(text, " ({help})");
            }
        }
    }
    let defaults: Vec<_> = arg
        .get_default_values()
        .iter()
        .map(|v| v.to_string_lossy())
        .collect();
    if arg.get_action().takes_values() && !defaults.is_empty() {
        let _ = write!(text, " [default: {}]", defaults.join(","));
    }
    cell(&text)
}

/// The rows of a command's table, arguments without a name first.
fn rows(command: &Command) -> Vec<String> {
    let own =
        |a: &&Arg| !a.is_hide_set() && !["help", "version", "json"].contains(&a.get_id().as_str());
    let (first, rest): (Vec<&Arg>, Vec<&Arg>) = command
        .get_arguments()
        .filter(own)
        .partition(|a| a.is_positional());
    let all = first.into_iter().chain(rest);
    all.map(|arg| format!("| {} | {} |", usage(arg), meaning(arg)))
        .collect()
}

/// A heading, the command's purpose, and a table.
fn section(name: &str, about: &str, rows: &[String]) -> String {
    let head = format!("\n## `{name}`\n\n{about}.\n");
    if rows.is_empty() {
        return head;
    }
    format!(
        "{head}\n| Argument | Meaning |\n|---|---|\n{}\n",
        rows.join("\n")
    )
}

/// The generated part of a page.
fn made(names: &[&str]) -> String {
    let mut cli = Cli::command();
    cli.build();
    let mut text = String::new();
    for name in names {
        let command = cli
            .find_subcommand(name)
            .unwrap_or_else(|| panic!("no command {name}"));
        let name = format!("crunch {name}");
        let mut all = Vec::new();
        leaves(&name, command, &mut all);
        let mut tables: Vec<(String, String, Vec<String>)> = all
            .into_iter()
            .map(|(name, c)| (name, about(c), rows(c)))
            .collect();
        // Names that several of them share are listed once.
        if tables.len() > 1 {
            let shared = tables[0].2.clone();
            let shared: Vec<String> = (shared.into_iter())
                .filter(|row| tables.iter().all(|t| t.2.contains(row)))
                .collect();
            for table in &mut tables {
                table.2.retain(|row| !shared.contains(row));
            }
            tables.insert(0, (name, about(command), shared));
        }
        for (name, about, rows) in tables {
            text += &section(&name, &about, &rows);
        }
    }
    text
}

fn about(command: &Command) -> String {
    command
        .get_about()
        .map(ToString::to_string)
        .unwrap_or_default()
}

#[test]
fn the_pages_of_commands_are_those_of_the_command_line() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/book/src/reference/commands");
    let bless = std::env::var_os("CRUNCH_BLESS").is_some();
    for (page, names) in PAGES {
        let file = folder.join(format!("{page}.md"));
        let text =
            std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let (by_hand, old) = text
            .split_once(MARK)
            .unwrap_or_else(|| panic!("{page}.md lacks the line {MARK}"));
        let new = format!("\n{}", made(names));
        if bless {
            std::fs::write(&file, format!("{by_hand}{MARK}{new}")).expect("the page");
            continue;
        }
        for (line, (old, new)) in old.lines().zip(new.lines()).enumerate() {
            assert_eq!(
                old, new,
                "{page}.md, line {line} below the mark: CRUNCH_BLESS=1 writes it"
            );
        }
        assert_eq!(old, new, "{page}.md: CRUNCH_BLESS=1 writes it");
    }
}

#[test]
fn every_command_has_its_page() {
    let cli = Cli::command();
    for command in cli.get_subcommands().filter(|c| !c.is_hide_set()) {
        let pages = PAGES.iter().filter(|p| p.1.contains(&command.get_name()));
        assert_eq!(pages.count(), 1, "{}", command.get_name());
    }
}
