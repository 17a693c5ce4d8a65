//! The tables. `docs/run-file.md` says the same to people.

/// `PRAGMA application_id`: "CRUN".
pub const APPLICATION_ID: i32 = 0x4352_554e;
/// `PRAGMA user_version`: goes up when an older program could not read the file.
pub const FORMAT: i64 = 1;

/// The columns of a result, in `block` and `total`.
macro_rules! result_columns {
    () => {
        "inputs INTEGER NOT NULL, \
         max_error REAL, max_key INTEGER, max_result INTEGER, max_ref_hi INTEGER, max_ref_lo INTEGER, \
         pos_error REAL, pos_key INTEGER, neg_error REAL, neg_key INTEGER, \
         misrounded INTEGER NOT NULL, \
         nan INTEGER NOT NULL, nan_key INTEGER, \
         infinity INTEGER NOT NULL, infinity_key INTEGER, \
         zero_sign INTEGER NOT NULL, zero_sign_key INTEGER, \
         digest INTEGER NOT NULL, histogram BLOB NOT NULL"
    };
}

/// Names of the columns of a result, in the order of [`super::record`].
pub const RESULT: &str = "inputs, max_error, max_key, max_result, max_ref_hi, max_ref_lo, pos_error, pos_key, \
     neg_error, neg_key, misrounded, nan, nan_key, infinity, infinity_key, zero_sign, zero_sign_key, digest, histogram";
/// How many they are.
pub const RESULT_COLUMNS: usize = 19;

/// The tables with their texts: a file whose tables read otherwise is none of ours.
pub const TABLES: [(&str, &str); 7] = [
    (
        "meta",
        "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    ),
    (
        "kernel",
        "CREATE TABLE kernel (role TEXT PRIMARY KEY, position INTEGER NOT NULL, name TEXT NOT NULL, \
         module TEXT NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL, identity TEXT NOT NULL, \
         source TEXT NOT NULL) WITHOUT ROWID",
    ),
    (
        "session",
        "CREATE TABLE session (id INTEGER PRIMARY KEY, started INTEGER NOT NULL, ended INTEGER, \
         machine TEXT NOT NULL, version TEXT NOT NULL, rustc TEXT NOT NULL, command TEXT NOT NULL)",
    ),
    (
        "device",
        "CREATE TABLE device (session INTEGER NOT NULL, backend TEXT NOT NULL, description TEXT NOT NULL, \
         workers INTEGER NOT NULL, inputs INTEGER NOT NULL, seconds REAL NOT NULL, \
         PRIMARY KEY (session, backend)) WITHOUT ROWID",
    ),
    (
        "grp",
        "CREATE TABLE grp (id INTEGER PRIMARY KEY, session INTEGER NOT NULL, blocks INTEGER NOT NULL, \
         inputs INTEGER NOT NULL, seconds REAL NOT NULL, committed INTEGER NOT NULL)",
    ),
    (
        "block",
        concat!(
            "CREATE TABLE block (idx INTEGER PRIMARY KEY, grp INTEGER NOT NULL, ",
            result_columns!(),
            ")"
        ),
    ),
    (
        "total",
        concat!(
            "CREATE TABLE total (id INTEGER PRIMARY KEY CHECK (id = 1), blocks INTEGER NOT NULL, ",
            result_columns!(),
            ")"
        ),
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_listed_in_order() {
        let declared: Vec<&str> = result_columns!()
            .split(',')
            .filter_map(|c| c.split_whitespace().next())
            .collect();
        let listed: Vec<&str> = RESULT.split(',').map(str::trim).collect();
        assert_eq!(declared, listed);
        assert_eq!(listed.len(), RESULT_COLUMNS);
    }
}
