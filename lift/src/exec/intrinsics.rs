//! Calls: of functions with a body, of LLVM's intrinsics, and of C functions that are a single operation.

use std::rc::Rc;

use kernels_gen::ops::{Op, Prim};

use super::memory::Memory;
use super::state::{Exec, Res};
use super::value::Env;
use super::value::Val;
use crate::graph::Id;
use crate::ir::{Operand, Type};

/// C functions without a body that are operations of the language.
pub const KNOWN: &[(&str, &str)] = &[
    ("fabs", "fabs"),
    ("sqrt", "sqrt"),
    ("floor", "floor"),
    ("ceil", "ceil"),
    ("trunc", "trunc"),
    ("rint", "rint"),
    ("nearbyint", "nearbyint"),
    ("roundeven", "roundeven"),
    ("round", "round"),
    ("fma", "fma"),
    ("copysign", "copysign"),
    ("fmin", "minnum"),
    ("fmax", "maxnum"),
    ("lrint", "lrint"),
    ("llrint", "lrint"),
    ("ldexp", "ldexp"),
    ("scalbn", "ldexp"),
    ("frexp", "frexp"),
];

/// Calls without any effect on a result.
const NOTHING: &[&str] = &[
    "lifetime.start",
    "lifetime.end",
    "assume",
    "donothing",
    "experimental.noalias.scope.decl",
    "prefetch",
    "va_end",
];

impl Exec<'_> {
    pub(super) fn call(
        &mut self,
        ret: &Type,
        callee: &Operand,
        args: &[(Type, Operand)],
        env: &Env,
        memory: &mut Rc<Memory>,
    ) -> Res<Option<Val>> {
        let Operand::Global(name) = callee else {
            return Err(self.refuse(
                "a function is called through a pointer",
                "call it by its name",
            ));
        };
        if let Some(intrinsic) = name.strip_prefix("llvm.") {
            if NOTHING.iter().any(|n| intrinsic.starts_with(n))
                || args.iter().any(|a| a.0 == Type::Void)
            {
                return Ok(None);
            }
            let values = self.values(args, env)?;
            return self.intrinsic(intrinsic, ret, args, &values, memory);
        }
        let modules = self.modules;
        if let Some((module, f)) = self.find(name) {
            let name = f.name.clone();
            let f = &modules[module].functions[&name];
            let values = self.values(args, env)?;
            if let Some(value) = self.helper(module, f, &values)? {
                return Ok(Some(value));
            }
            let (value, after) = self.function(module, f, values, memory.clone())?;
            *memory = after;
            return Ok(Some(value));
        }
        if let "memcpy" | "memmove" | "memset" = &**name {
            let values = self.values(args, env)?;
            self.intrinsic(name, ret, args, &values, memory)?;
            return Ok(Some(values[0].clone()));
        }
        let stem = match ret {
            Type::Float => name.strip_suffix('f').unwrap_or(name),
            _ => name,
        };
        let known = KNOWN.iter().find(|k| k.0 == stem || k.0 == &**name);
        if let Some((_, intrinsic)) = known {
            let values = self.values(args, env)?;
            return self.intrinsic(intrinsic, ret, args, &values, memory);
        }
        let what = format!("it calls `{name}`, which has no body here");
        Err(self.refuse(what, "add the source file that defines it"))
    }

    fn values(&mut self, args: &[(Type, Operand)], env: &Env) -> Res<Vec<Val>> {
        args.iter().map(|(t, a)| self.operand(t, a, env)).collect()
    }

    fn intrinsic(
        &mut self,
        name: &str,
        ret: &Type,
        args: &[(Type, Operand)],
        values: &[Val],
        memory: &mut Rc<Memory>,
    ) -> Res<Option<Val>> {
        // Without the types: `fabs.f64`, `fma.v2f32`, `memset.p0.i64`, `fptosi.sat.i32.f64`.
        let typed = |p: &&str| {
            let letters = |b: u8| b.is_ascii_digit() || b"fipv".contains(&b);
            p.starts_with(['f', 'i', 'p', 'v'])
                && p.bytes().all(letters)
                && p.ends_with(|c: char| c.is_ascii_digit())
        };
        let parts: Vec<&str> = name.split('.').filter(|p| !typed(p)).collect();
        let base = parts.join(".");
        if let ("frexp", [x, to]) = (&*base, values) {
            let x = self.lanes(&args[0].0, x)?;
            let (mantissa, power) = self.frexp(x);
            self.store(&Type::Int(32), &Val::Lane(power), to, memory)?;
            return Ok(Some(Val::Lane(mantissa)));
        }
        let int = |v: &Exec<'_>, i: usize| match values.get(i) {
            Some(Val::Lane(id)) => v.g.integer(*id),
            _ => None,
        };
        match base.as_str() {
            "memset" => {
                let (Some(0), Some(n)) = (int(self, 1), int(self, 2)) else {
                    return Err(self.refuse(
                        "memory is filled with values other than zero, or to a computed length",
                        "assign the elements",
                    ));
                };
                self.fill(&values[0], n, memory)?;
                return Ok(None);
            }
            "memcpy" | "memmove" | "memcpy.inline" => {
                let Some(n) = int(self, 2) else {
                    return Err(
                        self.refuse("memory of a computed length is copied", "copy the elements")
                    );
                };
                self.copy(&values[0], &values[1], n, memory)?;
                return Ok(None);
            }
            // A path that ends here has no result.
            "trap" | "debugtrap" | "ubsantrap" => return Ok(None),
            "expect" | "expect.with.probability" | "ssa.copy" | "launder.invariant.group" => {
                return Ok(Some(values[0].clone()));
            }
            "is.constant" => return Ok(Some(Val::Lane(self.g.mask(false)))),
            _ => {}
        }
        if let (Some(op), [Val::Aggregate(items)], Some((Type::Vector(_, of), _))) =
            (base.strip_prefix("vector.reduce."), values, args.first())
            && let (Type::Int(bits), "add" | "mul" | "and" | "or" | "xor") = (&**of, op)
        {
            // Of integers, the order does not matter.
            let mut all = None;
            for item in items {
                let item = self.lanes(of, item)?;
                all = Some(match all {
                    None => item,
                    Some(sum) => self.binary(op, *bits, sum, item)?,
                });
            }
            return Ok(all.map(Val::Lane));
        }
        let mut ids = Vec::new();
        for ((ty, _), value) in args.iter().zip(values) {
            ids.push(self.lanes(ty, value)?);
        }
        let bits = match args.first().map(|a| &a.0) {
            Some(Type::Int(n)) => *n,
            _ => 0,
        };
        if let Some(value) = self.integers(&base, bits, &ids)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.exponents(&base, args, &ids) {
            return Ok(Some(value));
        }
        let Some(id) = self.floats(&base, ret, &ids)? else {
            let what = format!("it calls `{name}`, which has no meaning in a kernel yet");
            return Err(self.refuse(what, "lift a function without it"));
        };
        Ok(Some(Val::Lane(id)))
    }

    /// Intrinsics that split numbers or scale them.
    fn exponents(&mut self, base: &str, args: &[(Type, Operand)], ids: &[Id]) -> Option<Val> {
        let whole = matches!(args.get(1), Some((Type::Int(32 | 64), _)));
        Some(match (base, ids) {
            ("ldexp" | "amdgcn.ldexp", &[x, n]) if whole => Val::Lane(self.ldexp(x, n)),
            ("frexp", &[x]) => {
                let (mantissa, power) = self.frexp(x);
                Val::Aggregate(vec![Val::Lane(mantissa), Val::Lane(power)])
            }
            ("amdgcn.frexp.mant", &[x]) => Val::Lane(self.frexp(x).0),
            ("amdgcn.frexp.exp", &[x]) => Val::Lane(self.frexp(x).1),
            _ => return None,
        })
    }

    fn floats(&mut self, base: &str, ret: &Type, ids: &[Id]) -> Res<Option<Id>> {
        let simple = match base {
            "fabs" => Op::Abs,
            "sqrt" => Op::Sqrt,
            "floor" => Op::Floor,
            "ceil" => Op::Ceil,
            "trunc" => Op::Trunc,
            // In the default environment these are one.
            "rint" | "nearbyint" | "roundeven" => Op::RoundTiesEven,
            "fma" => Op::Fma,
            "copysign" => Op::CopySign,
            // Subnormal numbers are numbers, and no kernel shows which NaN it has.
            "canonicalize" => return Ok(ids.first().copied()),
            _ => return self.composed(base, ret, ids),
        };
        Ok(Some(self.g.op(simple, ids)))
    }

    fn composed(&mut self, base: &str, ret: &Type, ids: &[Id]) -> Res<Option<Id>> {
        let [x, rest @ ..] = ids else { return Ok(None) };
        let x = *x;
        Ok(Some(match (base, rest) {
            ("fmuladd", &[y, z]) => match self.options.contract {
                Some(true) => self.g.op(Op::Fma, &[x, y, z]),
                Some(false) => {
                    let p = self.g.op(Op::Mul, &[x, y]);
                    self.g.op(Op::Add, &[p, z])
                }
                None => {
                    let what = "a product and a sum that may be fused: what they compute depends on the target";
                    return Err(self.refuse(
                        what,
                        "choose one: --contract on (fused) or --contract off (two roundings)",
                    ));
                }
            },
            // The number where one is a NaN; `x.min(y)` is `y` where `x` is a NaN.
            ("minnum" | "maxnum" | "minimumnum" | "maximumnum", &[y]) => {
                let op = if base.starts_with("min") {
                    Op::Min
                } else {
                    Op::Max
                };
                let nan = self.g.op(Op::IsNan, &[y]);
                let m = self.g.op(op, &[x, y]);
                self.g.op(Op::Select, &[nan, x, m])
            }
            ("minimum" | "maximum", &[y]) => {
                let op = if base.starts_with("min") {
                    Op::Lt
                } else {
                    Op::Gt
                };
                let less = self.g.op(op, &[x, y]);
                let m = self.g.op(Op::Select, &[less, x, y]);
                // Of two equal numbers the sign decides: it matters where both are zeros.
                let same = self.g.op(Op::Eq, &[x, y]);
                let negative = self.g.op(Op::IsSignNegative, &[x]);
                let by_sign = match op {
                    Op::Lt => self.g.op(Op::Select, &[negative, x, y]),
                    _ => self.g.op(Op::Select, &[negative, y, x]),
                };
                let m = self.g.op(Op::Select, &[same, by_sign, m]);
                let nan = self.g.op(Op::IsNan, &[x]);
                self.g.op(Op::Select, &[nan, x, m])
            }
            // Half away from zero: what is cut off is exact.
            ("round" | "lround", []) => {
                let cut = self.g.op(Op::Trunc, &[x]);
                let rest = self.g.op(Op::Sub, &[x, cut]);
                let rest = self.g.op(Op::Abs, &[rest]);
                let (half, one) = match self.g.ty(x) {
                    Prim::F32 => (0x3f00_0000, 0x3f80_0000),
                    _ => (0x3fe0_0000_0000_0000, 0x3ff0_0000_0000_0000),
                };
                let (half, one) = (
                    self.g.bits(self.g.ty(x), half),
                    self.g.bits(self.g.ty(x), one),
                );
                let away = self.g.op(Op::Ge, &[rest, half]);
                let one = self.g.op(Op::CopySign, &[one, x]);
                let more = self.g.op(Op::Add, &[cut, one]);
                let r = self.g.op(Op::Select, &[away, more, cut]);
                let r = self.g.op(Op::CopySign, &[r, x]);
                if base == "round" {
                    r
                } else {
                    self.rounded(ret, r)
                }
            }
            ("lrint" | "llrint", []) => {
                let r = self.g.op(Op::RoundTiesEven, &[x]);
                self.rounded(ret, r)
            }
            ("fptosi.sat", []) => match ret {
                Type::Int(32) => self.g.op(Op::ToI32, &[x]),
                Type::Int(64) => self.g.op(Op::ToI64, &[x]),
                _ => return Ok(None),
            },
            ("fptoui.sat", []) if *ret == Type::Int(32) => {
                let wide = self.g.op(Op::ToI64, &[x]);
                let (zero, most) = (self.g.int(Prim::I64, 0), self.g.int(Prim::I64, 0xffff_ffff));
                let wide = self.g.op(Op::Max, &[wide, zero]);
                let wide = self.g.op(Op::Min, &[wide, most]);
                self.g.op(Op::ToI32, &[wide])
            }
            ("fptoui.sat", []) if *ret == Type::Int(64) => {
                let zero = self.g.bits(self.g.ty(x), 0);
                let (inside, limit) = (
                    self.float_to_unsigned(64, x)?,
                    match self.g.ty(x) {
                        Prim::F32 => self.g.bits(Prim::F32, 0x5f80_0000),
                        _ => self.g.bits(Prim::F64, 0x43f0_0000_0000_0000),
                    },
                );
                let (none, most) = (self.g.int(Prim::I64, 0), self.g.int(Prim::I64, -1));
                let positive = self.g.op(Op::Gt, &[x, zero]);
                let above = self.g.op(Op::Ge, &[x, limit]);
                let r = self.g.op(Op::Select, &[positive, inside, none]);
                self.g.op(Op::Select, &[above, most, r])
            }
            ("is.fpclass" | "amdgcn.class", &[class]) => {
                let Some(class) = self.g.integer(class) else {
                    return Ok(None);
                };
                self.fpclass(x, class)
            }
            _ => return Ok(None),
        }))
    }

    fn rounded(&mut self, ret: &Type, x: Id) -> Id {
        let op = if *ret == Type::Int(32) {
            Op::ToI32
        } else {
            Op::ToI64
        };
        self.g.op(op, &[x])
    }

    /// LLVM's floating-point classes: bits 0 and 1 are NaNs, then from −∞ to +∞.
    fn fpclass(&mut self, x: Id, class: i64) -> Id {
        let float = self.g.ty(x);
        let (ty, digits, top) = match float {
            Prim::F32 => (Prim::I32, 23, 0x7fff_ffff_i64),
            _ => (Prim::I64, 52, i64::MAX),
        };
        let infinity = top >> digits << digits;
        let least = 1i64 << digits;
        let bits = self.g.op(Op::ToBits, &[x]);
        let magnitude = self.with(Op::And, bits, top);
        let negative = self.with(Op::Lt, bits, 0);
        let mut any = self.g.mask(false);
        if class & 3 != 0 {
            let nan = self.g.op(Op::IsNan, &[x]);
            any = self.g.op(Op::Or, &[any, nan]);
        }
        // Classes of magnitudes by their bits, and the flags of the negative and the positive one.
        let ranges = [
            (infinity, infinity, 2, 9),
            (least, infinity - 1, 3, 8),
            (1, least - 1, 4, 7),
            (0, 0, 5, 6),
        ];
        for (from, to, minus, plus) in ranges {
            let (n, p) = (class >> minus & 1 == 1, class >> plus & 1 == 1);
            if !n && !p {
                continue;
            }
            let (from, to) = (self.g.int(ty, from), self.g.int(ty, to));
            let low = self.g.op(Op::Ge, &[magnitude, from]);
            let high = self.g.op(Op::Le, &[magnitude, to]);
            let mut is = self.g.op(Op::And, &[low, high]);
            if !(n && p) {
                let sign = if n {
                    negative
                } else {
                    self.g.op(Op::Not, &[negative])
                };
                is = self.g.op(Op::And, &[is, sign]);
            }
            any = self.g.op(Op::Or, &[any, is]);
        }
        any
    }

    /// Intrinsics of integers.
    fn integers(&mut self, base: &str, bits: u32, ids: &[Id]) -> Res<Option<Val>> {
        let [x, rest @ ..] = ids else { return Ok(None) };
        let x = *x;
        if !(2..=64).contains(&bits) {
            return Ok(None);
        }
        let id = match (base, rest) {
            ("ctlz", _) => self.leading_zeros(bits, x),
            ("ctpop", []) => self.ones(bits, x),
            ("cttz", _) => {
                // The bits below the lowest one that is one.
                let negative = self.g.op(Op::Neg, &[x]);
                let lowest = self.g.op(Op::And, &[x, negative]);
                let below = self.with(Op::Add, lowest, -1);
                let below = self.narrow(bits, below);
                self.ones(bits, below)
            }
            ("abs", _) => {
                let s = self.sign(bits, x);
                let n = self.g.op(Op::Neg, &[s]);
                let m = self.g.op(Op::Max, &[s, n]);
                self.narrow(bits, m)
            }
            ("smin" | "smax", &[y]) => {
                let (a, b) = (self.sign(bits, x), self.sign(bits, y));
                let m = self
                    .g
                    .op(if base == "smin" { Op::Min } else { Op::Max }, &[a, b]);
                self.narrow(bits, m)
            }
            ("umin" | "umax", &[y]) => {
                let c = self.compare(if base == "umin" { "ult" } else { "ugt" }, bits, x, y)?;
                self.g.op(Op::Select, &[c, x, y])
            }
            ("scmp" | "ucmp", &[y]) => {
                let sign = &base[..1];
                let less = self.compare(&format!("{sign}lt"), bits, x, y)?;
                let more = self.compare(&format!("{sign}gt"), bits, x, y)?;
                let (minus, one, zero) = (
                    self.g.int(Prim::I32, -1),
                    self.g.int(Prim::I32, 1),
                    self.g.int(Prim::I32, 0),
                );
                let rest = self.g.op(Op::Select, &[more, one, zero]);
                let r = self.g.op(Op::Select, &[less, minus, rest]);
                self.narrow(8, r)
            }
            ("fshl" | "fshr", &[y, k]) if bits == 32 || bits == 64 => {
                let n = self.with(Op::And, k, i64::from(bits) - 1);
                let back = self.g.op(Op::Neg, &[n]);
                let (up, down, whole) = if base == "fshl" {
                    (n, back, x)
                } else {
                    (back, n, y)
                };
                let high = self.g.op(Op::Shl, &[x, up]);
                let low = self.g.op(Op::ShrLogical, &[y, down]);
                let both = self.g.op(Op::Or, &[high, low]);
                let none = self.with(Op::Eq, n, 0);
                self.g.op(Op::Select, &[none, whole, both])
            }
            ("bswap", []) => {
                let ty = self.g.ty(x);
                let mut sum = self.g.int(ty, 0);
                let bytes = i64::from(bits / 8);
                for i in 0..bytes {
                    let byte = self.with(Op::ShrLogical, x, 8 * i);
                    let byte = self.with(Op::And, byte, 255);
                    let byte = self.with(Op::Shl, byte, 8 * (bytes - 1 - i));
                    sum = self.g.op(Op::Or, &[sum, byte]);
                }
                sum
            }
            ("uadd.with.overflow" | "usub.with.overflow" | "uadd.sat" | "usub.sat", &[y]) => {
                let add = base.starts_with("uadd");
                let r = self.binary(if add { "add" } else { "sub" }, bits, x, y)?;
                let over = match add {
                    true => self.compare("ult", bits, r, x)?,
                    false => self.compare("ult", bits, x, y)?,
                };
                if base.ends_with("overflow") {
                    return Ok(Some(Val::Aggregate(vec![Val::Lane(r), Val::Lane(over)])));
                }
                let end = self.g.int(self.g.ty(x), if add { -1 } else { 0 });
                let end = self.narrow(bits, end);
                self.g.op(Op::Select, &[over, end, r])
            }
            ("sadd.with.overflow" | "ssub.with.overflow", &[y]) => {
                let add = base.starts_with("sadd");
                let r = self.binary(if add { "add" } else { "sub" }, bits, x, y)?;
                // Signs that make it possible, and a result with another sign.
                let (a, b) = (
                    self.g.op(Op::Xor, &[x, r]),
                    self.g
                        .op(Op::Xor, &[if add { y } else { x }, if add { r } else { y }]),
                );
                let both = self.g.op(Op::And, &[a, b]);
                let both = self.sign(bits, both);
                let over = self.with(Op::Lt, both, 0);
                return Ok(Some(Val::Aggregate(vec![Val::Lane(r), Val::Lane(over)])));
            }
            _ => return Ok(None),
        };
        Ok(Some(Val::Lane(id)))
    }
}
