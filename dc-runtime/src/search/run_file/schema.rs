//! The tables. `docs/book/src/reference/run-file.md` describes them for readers.

use super::column;

/// `PRAGMA application_id`: "CRUN".
pub const APPLICATION_ID: i32 = 0x4352_554e;
/// `PRAGMA user_version`. It increases whenever an older program could not read the file.
pub const FORMAT: i64 = 3;
/// The oldest format that is read. Rows of format 1 have no checksums, rows of format 2 no fine histogram. Files of
/// either can be read but not continued.
pub const OLDEST: i64 = 1;
/// The first format whose rows have checksums.
pub const SEALED: i64 = 2;
/// The last column of each row of a table that changes.
pub const CHECKSUM: &str = "checksum";

/// The part that is missing in the rows of an older format.
pub const fn lacking(format: i64) -> &'static str {
    if format < SEALED {
        "carry no checksums"
    } else {
        "have no fine histogram"
    }
}

/// A table.
#[derive(Debug, Clone)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// Names and types of the columns, as in SQL, without the checksum.
    columns: String,
    sealed: bool,
    tail: &'static str,
}

impl Table {
    fn new(name: &'static str, columns: impl Into<String>) -> Table {
        Table {
            name,
            columns: columns.into(),
            sealed: false,
            tail: "",
        }
    }
    fn sealed(name: &'static str, columns: impl Into<String>) -> Table {
        Table {
            sealed: true,
            ..Table::new(name, columns)
        }
    }
    fn keyed(name: &'static str, columns: &str) -> Table {
        Table {
            tail: " WITHOUT ROWID",
            ..Table::new(name, columns)
        }
    }

    /// The SQL text that creates it. A file whose tables have other texts is not a run file.
    pub fn text(&self) -> String {
        let checksum = match self.sealed {
            true => format!(", {CHECKSUM} INTEGER NOT NULL"),
            false => String::new(),
        };
        format!(
            "CREATE TABLE {} ({}{checksum}){}",
            self.name, self.columns, self.tail
        )
    }

    /// Each column's name and whether it is of type REAL; without the checksum.
    pub fn columns(&self) -> impl Iterator<Item = (&str, bool)> {
        self.columns.split(", ").map(|c| {
            let name = c.split(' ').next().unwrap_or(c);
            (name, c.contains(" REAL"))
        })
    }

    /// The columns' names, and the checksum's at the end if there is one.
    pub fn names(&self) -> String {
        let mut names: Vec<&str> = self.columns().map(|(name, _)| name).collect();
        if self.sealed {
            names.push(CHECKSUM);
        }
        names.join(", ")
    }

    /// The SQL that inserts or replaces a row with the values of all columns.
    pub fn put(&self) -> String {
        let names = self.names();
        let places = vec!["?"; names.split(", ").count()].join(", ");
        format!(
            "INSERT OR REPLACE INTO {} ({names}) VALUES ({places})",
            self.name
        )
    }
}

/// The columns of a result, in `block` and `total`.
fn result(format: i64) -> String {
    let columns: Vec<String> = column::of(format)
        .map(|c| format!("{} {}", c.name, c.kind.sql()))
        .collect();
    columns.join(", ")
}

const SESSION: &str = "id INTEGER PRIMARY KEY, started INTEGER NOT NULL, ended INTEGER, machine TEXT NOT NULL, \
     version TEXT NOT NULL, rustc TEXT NOT NULL, command TEXT NOT NULL";
const DEVICE: &str = "session INTEGER NOT NULL, backend TEXT NOT NULL, description TEXT NOT NULL, \
     workers INTEGER NOT NULL, inputs INTEGER NOT NULL, seconds REAL NOT NULL";
const GROUP: &str = "id INTEGER PRIMARY KEY, session INTEGER NOT NULL, blocks INTEGER NOT NULL, \
     inputs INTEGER NOT NULL, seconds REAL NOT NULL, committed INTEGER NOT NULL";

/// Tables that are written once and never change; they are checked as a whole.
fn fixed() -> [Table; 2] {
    [
        Table::keyed("meta", "key TEXT PRIMARY KEY, value TEXT NOT NULL"),
        Table::keyed(
            "kernel",
            "role TEXT PRIMARY KEY, position INTEGER NOT NULL, name TEXT NOT NULL, module TEXT NOT NULL, \
             file TEXT NOT NULL, line INTEGER NOT NULL, identity TEXT NOT NULL, source TEXT NOT NULL",
        ),
    ]
}

/// The header again, in pieces: damage of either copy is noticed by comparison with the other.
pub fn copy() -> Table {
    Table::sealed(
        "copy",
        "id INTEGER PRIMARY KEY, pieces INTEGER NOT NULL, text BLOB NOT NULL",
    )
}
/// The processes that worked on the run.
pub fn session() -> Table {
    Table::sealed("session", SESSION)
}
/// The work of each backend in a session.
pub fn device() -> Table {
    Table::sealed("device", format!("id INTEGER PRIMARY KEY, {DEVICE}"))
}
/// The groups, one per commit, with chained checksums.
pub fn group() -> Table {
    Table::sealed(
        "grp",
        format!("{GROUP}, block_sum INTEGER NOT NULL, chain INTEGER NOT NULL"),
    )
}
/// The finished blocks.
pub fn block(format: i64) -> Table {
    Table::sealed(
        "block",
        format!(
            "idx INTEGER PRIMARY KEY, grp INTEGER NOT NULL, {}",
            result(format)
        ),
    )
}
/// The parts of unfinished blocks.
pub fn part(format: i64) -> Table {
    let columns = format!("idx INTEGER PRIMARY KEY, {}", result(format));
    Table::sealed("part", columns)
}
/// The combination of all blocks.
pub fn total(format: i64) -> Table {
    Table::sealed(
        "total",
        format!(
            "id INTEGER PRIMARY KEY CHECK (id = 1), blocks INTEGER NOT NULL, {}, groups INTEGER NOT NULL, \
             block_sum INTEGER NOT NULL, chain INTEGER NOT NULL, session_sum INTEGER NOT NULL, \
             part_sum INTEGER NOT NULL",
            result(format)
        ),
    )
}

/// The tables of a format.
pub fn tables(format: i64) -> Vec<Table> {
    let mut tables = fixed().to_vec();
    if format >= SEALED {
        tables.extend([
            copy(),
            session(),
            device(),
            group(),
            block(format),
            part(format),
            total(format),
        ]);
        return tables;
    }
    tables.extend([
        Table::new("session", SESSION),
        Table::keyed(
            "device",
            &format!("{DEVICE}, PRIMARY KEY (session, backend)"),
        ),
        Table::new("grp", GROUP),
        Table::new(
            "block",
            format!(
                "idx INTEGER PRIMARY KEY, grp INTEGER NOT NULL, {}",
                result(1)
            ),
        ),
        Table::new(
            "total",
            format!(
                "id INTEGER PRIMARY KEY CHECK (id = 1), blocks INTEGER NOT NULL, {}",
                result(1)
            ),
        ),
    ]);
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_1_is_what_it_was() {
        let texts: Vec<String> = tables(1).iter().map(Table::text).collect();
        assert_eq!(
            texts[3],
            "CREATE TABLE device (session INTEGER NOT NULL, backend TEXT NOT NULL, description TEXT NOT NULL, \
             workers INTEGER NOT NULL, inputs INTEGER NOT NULL, seconds REAL NOT NULL, \
             PRIMARY KEY (session, backend)) WITHOUT ROWID"
        );
        assert_eq!(
            texts[6],
            "CREATE TABLE total (id INTEGER PRIMARY KEY CHECK (id = 1), blocks INTEGER NOT NULL, \
             inputs INTEGER NOT NULL, max_error REAL, max_key INTEGER, max_result INTEGER, max_ref_hi INTEGER, \
             max_ref_lo INTEGER, pos_error REAL, pos_key INTEGER, neg_error REAL, neg_key INTEGER, \
             misrounded INTEGER NOT NULL, nan INTEGER NOT NULL, nan_key INTEGER, infinity INTEGER NOT NULL, \
             infinity_key INTEGER, zero_sign INTEGER NOT NULL, zero_sign_key INTEGER, digest INTEGER NOT NULL, \
             histogram BLOB NOT NULL)"
        );
    }
}
