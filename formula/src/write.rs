//! Writes a kernel as FPCore: `emit -t fpcore`.

use std::fmt::Write as _;

use dc_runtime::model::key::Precision;
use dc_runtime::model::show;
use kernels_gen::interp::{Domain, Site, eval};
use kernels_gen::ops::{Op, Prim};
use kernels_gen::program::{Program, TableData};

/// Writes a program whose operations FPCore has. Operations in the precision of the parameters are plain, and those in the other precision
/// are annotated.
///
/// # Errors
/// The first operation that FPCore does not have, with its place.
pub fn fpcore(program: &Program, name: &str) -> Result<String, String> {
    let entry = program.entry();
    let prims: Vec<Prim> = entry.params.iter().map(|p| p.1).collect();
    let precision = match prims.first() {
        Some(Prim::F64) => Precision::F64,
        Some(Prim::F32) => Precision::F32,
        _ => return Err("FPCore has routines of binary32 and binary64 alone".into()),
    };
    if prims.iter().any(|p| *p != prims[0]) {
        return Err("FPCore has one precision, and the parameters have several".into());
    }
    let names: Vec<String> = entry.params.iter().map(|p| p.0.clone()).collect();
    let mut prefix = "t".to_string();
    while names.iter().any(|n| n.starts_with(&prefix)) {
        prefix.push('_');
    }
    let types = program.funcs.iter().flat_map(|f| &f.insts).map(|i| i.ty);
    let mut writer = Writer {
        precision,
        mixed: types.into_iter().any(|ty| is_number(ty) && ty != prims[0]),
        prefix,
        lines: Vec::new(),
    };
    let results = eval(program, &mut writer, &names)?;
    let [result] = &results[..] else {
        return Err(format!(
            "FPCore has one result, and this has {}",
            results.len()
        ));
    };
    if entry.ty(entry.results[0]) != prims[0] {
        return Err(format!(
            "the parameters are in {0}, and the result is not: convert it to {0} at the end",
            name_of(prims[0])
        ));
    }
    let format = name_of(prims[0]);
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name: String = name.chars().filter(|c| plain(*c)).collect();
    let mut out = format!(
        "(FPCore {name} ({})\n  :precision {format}\n",
        names.join(" ")
    );
    if writer.lines.is_empty() {
        let _ = writeln!(out, "  {result})");
        return Ok(out);
    }
    let _ = writeln!(out, "  (let* ({})", writer.lines.join("\n         "));
    let _ = writeln!(out, "    {result}))");
    Ok(out)
}

/// The name of a precision.
const fn name_of(prim: Prim) -> &'static str {
    match prim {
        Prim::F32 => "binary32",
        _ => "binary64",
    }
}

const fn is_number(prim: Prim) -> bool {
    matches!(prim, Prim::F32 | Prim::F64)
}

struct Writer {
    precision: Precision,
    /// Whether there are operations in the other precision.
    mixed: bool,
    /// The prefix of the names of values.
    prefix: String,
    lines: Vec<String>,
}

impl Writer {
    fn refused(&self, site: Site<'_>, what: &str) -> String {
        let (file, line) = site.source();
        let place = match file.is_empty() {
            true => String::new(),
            false => format!("{file}:{line}: "),
        };
        format!("{place}FPCore has no form for {what}")
    }
}

impl Domain for Writer {
    type Value = String;
    type Refusal = String;

    fn constant(&mut self, site: Site<'_>, ty: Prim, bits: u64) -> Result<String, String> {
        if ty == Prim::Mask {
            return Ok(if bits == 0 { "FALSE" } else { "TRUE" }.into());
        }
        let (precision, least) = match ty {
            Prim::F32 => (Precision::F32, f64::from(f32::MIN_POSITIVE)),
            Prim::F64 => (Precision::F64, f64::MIN_POSITIVE),
            _ => return Err(self.refused(site, "a constant of another type")),
        };
        let x = precision.value_of_bits(bits);
        Ok(match x {
            x if x.is_nan() => "NAN".into(),
            f64::INFINITY => "INFINITY".into(),
            f64::NEG_INFINITY => "(- INFINITY)".into(),
            x if x == 0.0 => if x.is_sign_negative() { "(- 0)" } else { "0" }.into(),
            x if x.abs() < least => return Err(self.refused(site, "a subnormal constant")),
            _ => show::hex_float(precision, bits),
        })
    }

    fn op(
        &mut self,
        site: Site<'_>,
        op: Op,
        prims: &[Prim],
        args: &[&String],
    ) -> Result<String, String> {
        let ty = site.instruction().ty;
        let known = |p: &Prim| is_number(*p) || *p == Prim::Mask;
        if !prims.iter().all(known) || !known(&ty) {
            return Err(self.refused(site, &format!("`{op:?}` of these types")));
        }
        let all = || {
            args.iter()
                .map(|a| a.as_str())
                .collect::<Vec<_>>()
                .join(" ")
        };
        let mask = prims.iter().all(|p| *p == Prim::Mask);
        let text = match op {
            Op::Add => format!("(+ {})", all()),
            Op::Sub | Op::Neg => format!("(- {})", all()),
            Op::Mul => format!("(* {})", all()),
            Op::Div => format!("(/ {})", all()),
            Op::Recip => format!("(/ 1 {})", all()),
            Op::Fma => format!("(fma {})", all()),
            Op::Sqrt => format!("(sqrt {})", all()),
            Op::Abs => format!("(fabs {})", all()),
            Op::Floor => format!("(floor {})", all()),
            Op::Ceil => format!("(ceil {})", all()),
            Op::Trunc => format!("(trunc {})", all()),
            // FPCore rounds to nearest, ties to even, unless it is told otherwise.
            Op::RoundTiesEven => format!("(nearbyint {})", all()),
            Op::CopySign => format!("(copysign {})", all()),
            Op::ToF32 | Op::ToF64 => format!("(cast {})", all()),
            Op::Min => format!("(if (< {0} {1}) {0} {1})", args[0], args[1]),
            Op::Max => format!("(if (> {0} {1}) {0} {1})", args[0], args[1]),
            Op::Select => format!("(if {})", all()),
            Op::Lt => format!("(< {})", all()),
            Op::Le => format!("(<= {})", all()),
            Op::Gt => format!("(> {})", all()),
            Op::Ge => format!("(>= {})", all()),
            Op::Eq if !mask => format!("(== {})", all()),
            Op::Ne if !mask => format!("(!= {})", all()),
            Op::IsNan => format!("(!= {0} {0})", args[0]),
            Op::And if mask => format!("(and {})", all()),
            Op::Or if mask => format!("(or {})", all()),
            Op::Xor if mask => format!(
                "(or (and {0} (not {1})) (and (not {0}) {1}))",
                args[0], args[1]
            ),
            Op::Not if mask => format!("(not {})", all()),
            _ => return Err(self.refused(site, &format!("the operation `{op:?}`"))),
        };
        if ty == Prim::Mask {
            // A condition has no name. Its constants are read in the precision of the operation that it is a part of, so it has its own.
            let of = prims.iter().copied().find(|p| is_number(*p));
            return Ok(match of.filter(|_| self.mixed) {
                Some(of) => format!("(! :precision {} {text})", name_of(of)),
                None => text,
            });
        }
        let text = match ty == self.precision.prim() {
            true => text,
            false => format!("(! :precision {} {text})", name_of(ty)),
        };
        let name = format!("{}{}", self.prefix, self.lines.len());
        self.lines.push(format!("[{name} {text}]"));
        Ok(name)
    }

    fn load(
        &mut self,
        site: Site<'_>,
        _: &TableData,
        _: Prim,
        _: &String,
    ) -> Result<String, String> {
        Err(self.refused(site, "a table"))
    }
}
