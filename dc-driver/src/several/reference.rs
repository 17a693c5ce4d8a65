//! True values of functions of several numbers, for columns of arguments.

use super::format::Format;
use super::function::Function;
use super::sample::Tuple;
use super::truth::{Expected, Value, add_scaled};
use crate::failure::Failure;
use crate::library::{self, Compiled};
use dc_runtime::builtins::reference::Reference as Registered;
use dc_runtime::model::candidate::slices;
use dc_runtime::model::key::Precision;
use dc_runtime::model::library::SeveralFunction;
use dc_runtime::model::several::Several;
use dc_runtime::model::signature::Number;
use dc_runtime::model::space::InputSpace;
use dc_runtime::reductions::accumulator::Accumulator;
use dc_runtime::search::range::quote;

/// The source of true values.
pub enum Reference {
    Function(Function),
    /// Two references of functions of one argument, and the bits of each.
    Two(Box<[(Compiled, i32); 2]>),
    /// A function of a library in binary64, which is assumed to have no error.
    Library(Box<SeveralFunction>),
}

impl Reference {
    /// The reference of a function, for functions of these types.
    pub fn of(function: Function, types: Several) -> Result<Reference, Failure> {
        match function {
            Function::SinCos => {
                let precision = types.number.precision();
                let [sin, cos] = ["sin", "cos"].map(|name| one(name, precision));
                Ok(Reference::Two(Box::new([sin?, cos?])))
            }
            Function::Complex(f) if cfg!(not(feature = "mpfr")) => {
                Err(Failure::unavailable(format!(
                    "--computes {}: complex functions are compared with MPFR, and this program was built without it; build with `--features mpfr` \
                 (Debian: apt-get install libmpfr-dev libgmp-dev), or compare with a function in binary64: --against FILE:SYMBOL:SIGNATURE",
                    f.name()
                )))
            }
            function => Ok(Reference::Function(function)),
        }
    }

    /// A function of a library, such as `libm.so.6:cexp:cf64`.
    pub fn library(text: &str, types: Several) -> Result<Reference, Failure> {
        let wide = Several {
            number: Number::F64,
            ..types
        };
        let parts: Vec<&str> = text.rsplitn(3, ':').collect();
        let given = match parts[..] {
            [signature, symbol, file] => Some((file, symbol, Several::parse(signature))),
            _ => None,
        };
        let (Some((file, symbol, Some(Ok(given)))), true) = (given, types.number != Number::F64)
        else {
            return Err(unfit(text, types, wide));
        };
        if given != wide {
            return Err(unfit(text, types, wide));
        }
        let function = SeveralFunction::open(file, symbol, wide)?;
        Ok(Reference::Library(Box::new(function)))
    }

    /// A description of the reference.
    pub fn describe(&self) -> String {
        match self {
            Reference::Function(Function::Three(f)) => {
                format!("{}: {}, exact", f.name(), f.formula())
            }
            Reference::Function(f) => {
                format!("{} in MPFR, each part to 2^-300 of its value", f.name())
            }
            Reference::Two(both) => {
                let bits = both.iter().map(|b| b.1).min().unwrap_or(0);
                format!("sin and cos in two words, to 2^-{bits} of their values")
            }
            Reference::Library(f) => {
                format!("{}, which is assumed to have no error", f.full_name())
            }
        }
    }

    /// A description of the inputs that are not judged; empty if all are judged.
    pub const fn undefined(&self) -> &'static str {
        match self {
            Reference::Function(Function::Three(f)) => f.undefined(),
            Reference::Function(Function::Complex(super::function::Complex::Pow)) => {
                "the base is zero, or a part is an infinity or NaN"
            }
            Reference::Function(_) => "the C standard leaves the value open",
            _ => "",
        }
    }

    /// The true values of all results, for columns of words.
    pub fn values(
        &self,
        format: Format,
        tuples: &[Tuple],
        types: Several,
    ) -> Result<Vec<[Expected; 2]>, Failure> {
        let numbers = |t: &Tuple| t.map(|word| format.value(word));
        match self {
            Reference::Function(function) => Ok(tuples
                .iter()
                .map(|t| value(*function, numbers(t)))
                .collect()),
            Reference::Two(both) => {
                let column: Vec<u64> = tuples.iter().map(|t| t[0]).collect();
                let precision = format.number.precision();
                let [sin, cos] = both
                    .each_ref()
                    .map(|(reference, bits)| of_kernel(reference, *bits, precision, &column));
                Ok(sin.into_iter().zip(cos).map(|(s, c)| [s, c]).collect())
            }
            Reference::Library(f) => {
                let columns: Vec<Vec<u64>> = (0..types.arguments())
                    .map(|n| tuples.iter().map(|t| numbers(t)[n].to_bits()).collect())
                    .collect();
                let results = f.eval(&columns)?;
                let of = |i: usize, n: usize| match results.get(n) {
                    None => Expected::Any,
                    Some(column) => Expected::number(f64::from_bits(column[i])),
                };
                Ok((0..tuples.len()).map(|i| [of(i, 0), of(i, 1)]).collect())
            }
        }
    }
}

fn unfit(text: &str, types: Several, wide: Several) -> Failure {
    let why = match types.number {
        Number::F64 => {
            "has no wider one to be compared with: use --computes FUNCTION instead".into()
        }
        _ => format!("is compared with one of {wide}: write FILE:SYMBOL:{wide}"),
    };
    Failure::input(format!(
        "--against {}: a function of {types} {why}",
        quote(text)
    ))
}

/// A reference of a function of one argument, and its bits.
fn one(name: &str, precision: Precision) -> Result<(Compiled, i32), Failure> {
    let known = Registered::by_name(name).map_err(|e| Failure::input(e.to_string()))?;
    let tier = match precision {
        Precision::F32 => Some(known.binary32),
        Precision::F64 => known.binary64,
    };
    let bits = tier.map_or(0, |t| t.bits as i32);
    Ok((
        library::against(name, InputSpace::Numbers(precision))?,
        bits,
    ))
}

/// Values of a kernel of one argument, which gives one or two words and a scale.
fn of_kernel(
    reference: &Compiled,
    bits: i32,
    precision: Precision,
    column: &[u64],
) -> Vec<Expected> {
    let Some(kernel) = reference.kernel() else {
        return vec![Expected::Any; column.len()];
    };
    let inputs = reference.inputs(InputSpace::Numbers(precision), &[column.to_vec()]);
    let mut words = vec![Vec::new(); reference.words()];
    (kernel.widest())(&slices(&inputs), &mut words);
    let word = |n: usize, i: usize| words.get(n).map_or(0, |c| c[i]);
    let all = (0..column.len()).map(|i| {
        let [high, low] = [0, 1].map(|n| f64::from_bits(word(n, i)));
        if !high.is_finite() {
            return Expected::number(high);
        }
        let mut sum = Accumulator::ZERO;
        let scale = word(2, i) as i32;
        for part in [high, low] {
            match scale {
                0 => sum.add(part),
                scale => add_scaled(&mut sum, part, scale),
            }
        }
        let value = Value::exact(sum, Some(high.is_sign_negative()));
        Expected::Value(value.known_to(bits))
    });
    all.collect()
}

fn value(function: Function, numbers: [f64; 4]) -> [Expected; 2] {
    let [x, y, u, v] = numbers;
    match function {
        Function::Three(f) => [f.value([x, y, u]), Expected::Any],
        #[cfg(feature = "mpfr")]
        Function::Complex(f) => super::complex::value(f, [x, y], [u, v]),
        _ => {
            let _ = v;
            [Expected::Any, Expected::Any]
        }
    }
}
