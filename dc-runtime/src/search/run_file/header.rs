//! The header in the file: as rows of `meta` and `kernel` for readers, and again in `copy`, with which they are compared.

use rusqlite::types::Value;
use rusqlite::{Connection, params};

use super::{Header, RunFileError, schema, seal};
use crate::model::space::InputSpace;
use crate::search::identity::{Identity, KernelIdentity, ROLES};
use crate::search::plan::Plan;
use crate::search::range::Range;
use crate::search::shard::Shard;

/// The keys of `meta`.
const META: [&str; 10] = [
    "sweep",
    "precision",
    "metric",
    "range",
    "range_text",
    "block_log2",
    "blocks",
    "shard",
    "created",
    "version",
];
/// The number of texts of a kernel: see [`texts`].
const OF_KERNEL: usize = 7;
/// The number of bytes of a piece of the copy, which fits on one page.
const PIECE: usize = 1024;

/// The complete contents of a header: the values of `meta` in the order of [`META`], then those of each kernel.
fn texts(header: &Header) -> Vec<String> {
    let id = &header.identity;
    let mut texts = vec![
        id.sweep.clone(),
        id.inputs.signature().into(),
        id.metric.clone(),
        header.plan.range().to_string(),
        header.range_text.clone(),
        header.plan.log2().to_string(),
        header.plan.blocks().to_string(),
        header.shard.to_string(),
        header.created.to_string(),
        header.version.clone(),
    ];
    for k in &id.kernels {
        texts.extend([
            k.role.clone(),
            k.name.clone(),
            k.module.clone(),
            k.file.clone(),
            k.line.to_string(),
            k.hash.clone(),
            k.source.clone(),
        ]);
    }
    texts
}

/// The header with these texts.
fn parse(texts: &[String]) -> Result<Header, String> {
    let (meta, kernels) = texts
        .split_at_checked(META.len())
        .ok_or("it is cut short")?;
    let text = |key: &str| {
        let at = META.iter().position(|k| *k == key);
        at.map(|i| meta[i].clone()).unwrap_or_default()
    };
    let number = |key: &str| -> Result<i64, String> {
        let parsed = text(key).parse();
        parsed.map_err(|_| format!("`{key}` is not a number"))
    };
    let signature = text("precision");
    let inputs =
        InputSpace::of_signature(&signature).ok_or_else(|| format!("precision `{signature}`"))?;
    let range = Range::parse(&text("range"), inputs).map_err(|e| e.to_string())?;
    let log2 = u32::try_from(number("block_log2")?).unwrap_or(u32::MAX);
    let plan = Plan::new(range, Some(log2)).map_err(|e| e.to_string())?;
    if text("blocks") != plan.blocks().to_string() {
        return Err("`blocks` is not the number of blocks of its range".into());
    }
    let shard = Shard::parse(&text("shard")).map_err(|e| e.to_string())?;
    let kernels = kernels
        .chunks(OF_KERNEL)
        .map(|k| match k {
            [role, name, module, file, line, hash, source] => Ok(KernelIdentity {
                role: role.clone(),
                name: name.clone(),
                module: module.clone(),
                file: file.clone(),
                line: line.parse().map_err(|_| "a line is not a number")?,
                hash: hash.clone(),
                source: source.clone(),
            }),
            _ => Err("a kernel is cut short".to_string()),
        })
        .collect::<Result<Vec<_>, _>>()?;
    if !kernels.iter().map(|k| k.role.as_str()).eq(ROLES) {
        return Err("its kernels are not the three of a sweep".into());
    }
    Ok(Header {
        identity: Identity {
            sweep: text("sweep"),
            precision: kernels
                .first()
                .and_then(KernelIdentity::signature)
                .map_or(inputs.precision(), |s| s.result.precision()),
            inputs,
            metric: text("metric"),
            kernels,
        },
        range_text: text("range_text"),
        plan,
        shard,
        created: number("created")?,
        version: text("version"),
    })
}

/// The texts one after the other, each preceded by its length.
fn encode(texts: &[String]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for t in texts {
        bytes.extend_from_slice(&(t.len() as u64).to_le_bytes());
        bytes.extend_from_slice(t.as_bytes());
    }
    bytes
}

/// Writes a header; returns its checksum.
pub(super) fn write(connection: &Connection, header: &Header) -> rusqlite::Result<i64> {
    let texts = texts(header);
    let bytes = encode(&texts);
    let run = seal::of(&bytes);
    let checksum = format!("{:016x}", run as u64);
    let meta = META.iter().zip(texts.iter().map(String::as_str));
    for (key, value) in meta.chain([(&schema::CHECKSUM, checksum.as_str())]) {
        connection.execute("INSERT INTO meta VALUES (?1, ?2)", params![key, value])?;
    }
    for (i, k) in header.identity.kernels.iter().enumerate() {
        connection.execute(
            "INSERT INTO kernel VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                k.role, i as i64, k.name, k.module, k.file, k.line, k.hash, k.source
            ],
        )?;
    }
    let table = schema::copy();
    let pieces = bytes.chunks(PIECE);
    let n = pieces.len() as i64;
    for (piece, id) in pieces.zip(1..) {
        let row = [
            Value::Integer(id),
            Value::Integer(n),
            Value::Blob(piece.into()),
        ];
        // The copy is found by its own checksum alone, because it is the source of the run's.
        super::rows::put(connection, &table, 0, &row)?;
    }
    Ok(run)
}

/// Reads the header of a format and its checksum (0 if the format has none), and compares it with its copy.
pub(super) fn read(
    connection: &Connection,
    format: i64,
    path: &std::path::Path,
) -> Result<(Header, i64), RunFileError> {
    let (header, run, bytes) = of_tables(connection, format, path)?;
    if format < 2 {
        return Ok((header, run));
    }
    let mut copy = Vec::new();
    let mut of = 0;
    super::rows::each(connection, path, &schema::copy(), 0, "ORDER BY id", |r| {
        let (id, pieces, text) = (r.get::<_, i64>(0)?, r.get(1)?, r.get::<_, Vec<u8>>(2)?);
        of = if id == copy.len() as i64 + 1 {
            pieces
        } else {
            -1
        };
        copy.push(text);
        Ok(())
    })?;
    if of != copy.len() as i64 || copy.concat() != bytes {
        let reason = "its copy of the header differs from it";
        return Err(RunFileError::damaged(path, reason));
    }
    Ok((header, run))
}

/// Reads a header from `meta` and `kernel` only: with its checksum, and its bytes in the form of the copy.
fn of_tables(
    connection: &Connection,
    format: i64,
    path: &std::path::Path,
) -> Result<(Header, i64, Vec<u8>), RunFileError> {
    let sql = |e| RunFileError::sql(path, &e);
    let damaged = |reason: String| RunFileError::damaged(path, reason);
    let rows: Vec<(String, String)> = connection
        .prepare("SELECT key, value FROM meta")
        .and_then(|mut s| {
            s.query_map([], |r| Ok((r.get(0)?, r.get(1)?)))?
                .collect::<Result<_, _>>()
        })
        .map_err(sql)?;
    let text = |key: &str| {
        let found = rows.iter().find(|(k, _)| k == key);
        found
            .map(|(_, v)| v.clone())
            .ok_or_else(|| damaged(format!("`{key}` is missing from its table `meta`")))
    };
    let mut texts = Vec::new();
    for key in META {
        texts.push(text(key)?);
    }
    let mut statement = connection
        .prepare("SELECT position, role, name, module, file, line, identity, source FROM kernel ORDER BY position")
        .map_err(sql)?;
    let kernels = statement
        .query_map([], |r| {
            let line: i64 = r.get(5)?;
            let position: i64 = r.get(0)?;
            let values: [String; OF_KERNEL] = [
                r.get(1)?,
                r.get(2)?,
                r.get(3)?,
                r.get(4)?,
                line.to_string(),
                r.get(6)?,
                r.get(7)?,
            ];
            Ok((position, values))
        })
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(sql)?;
    for ((position, values), i) in kernels.into_iter().zip(0..) {
        if position != i {
            return Err(damaged("its kernels are not numbered".into()));
        }
        texts.extend(values);
    }
    let header = parse(&texts).map_err(damaged)?;
    if format < 2 {
        return Ok((header, 0, Vec::new()));
    }
    let bytes = encode(&texts);
    let run = seal::of(&bytes);
    if rows.len() != META.len() + 1 || text(schema::CHECKSUM)? != format!("{:016x}", run as u64) {
        return Err(damaged(
            "the checksum of its header (`meta` and `kernel`) does not hold".into(),
        ));
    }
    Ok((header, run, bytes))
}
