//! `list`: the sweeps.

use serde_json::json;

use crate::driver::context::Context;
use crate::driver::failure::Failure;
use crate::search::identity::KernelIdentity;

pub(super) fn list(context: &mut Context) -> Result<(), Failure> {
    let mut values = Vec::new();
    let mut rows = vec![
        ["sweep", "precision", "approximation", "reference", "range"]
            .map(String::from)
            .to_vec(),
    ];
    for s in context.sweeps {
        let id = context.identity(s)?;
        let kernel = |k: &KernelIdentity| json!({ "name": k.name, "module": k.module, "file": k.file, "line": k.line, "identity": k.hash });
        let kernels = &id.kernels;
        values.push(json!({
            "sweep": s.name,
            "precision": s.precision.name(),
            "range": s.range,
            "approximation": kernel(&kernels[0]),
            "reference": kernel(&kernels[1]),
            "metric": kernel(&kernels[2]),
        }));
        rows.push(vec![
            s.name.into(),
            s.precision.name().into(),
            kernels[0].name.clone(),
            kernels[1].name.clone(),
            s.range.into(),
        ]);
    }
    if context.json {
        context.out.json(&json!(values))?;
    } else if context.sweeps.is_empty() {
        context.out.line("this program knows no sweeps")?;
    } else {
        context.out.table(&rows)?;
    }
    Ok(())
}
