//! A kernel, parsed from the text that `crunch emit --target ir` writes; calls are replaced by the bodies of the
//! functions.

use std::collections::HashMap;

use crate::typing::{self, Type, arity};

/// The kind of an instruction.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// The kernel's argument.
    Param,
    /// A constant, by its bits.
    Const(u64),
    /// An entry of a table.
    Load(usize),
    /// The operation of this name.
    Op(String),
}

/// An instruction, whose operands precede it.
#[derive(Debug, Clone)]
pub struct Inst {
    /// Its type.
    pub ty: Type,
    /// Its kind.
    pub what: What,
    /// Its operands.
    pub args: Vec<usize>,
}

/// A table.
#[derive(Debug, Clone)]
pub struct Table {
    /// The type of its entries.
    pub ty: Type,
    /// Its entries.
    pub bits: Vec<u64>,
}

/// A kernel of one argument, or of two.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// Its tables.
    pub tables: Vec<Table>,
    /// Its instructions.
    pub insts: Vec<Inst>,
    /// The index of the instruction whose value is the result.
    pub result: usize,
    /// The index of the instruction whose value is the second word of the result. The words of a reference, or of a kernel in two words, are summed.
    pub low: Option<usize>,
    /// The second argument of a kernel, if there is one, is the argument's low word. It is at most two to this power in magnitude.
    pub low_word: Option<i32>,
}

/// A function as written: its instructions as words.
#[derive(Default)]
struct Function {
    lines: Vec<(String, Vec<String>, Vec<usize>)>,
    results: Vec<usize>,
}

const HEADER: &str = "doublecrunch ir 1";

fn number(text: &str, sigil: char) -> Result<usize, String> {
    let digits = text.strip_prefix(sigil).and_then(|d| d.parse().ok());
    digits.ok_or_else(|| format!("`{text}` is no number that begins with `{sigil}`"))
}

fn hex(text: &str) -> Result<u64, String> {
    let value = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    value.map_err(|_| format!("`{text}` is no constant"))
}

impl Program {
    /// Parses the text of a kernel with one argument and one result.
    ///
    /// # Errors
    /// If the text is not such a kernel.
    #[cfg(test)]
    pub fn parse(text: &str) -> Result<Program, String> {
        Program::parse_kernel(text, None, false)
    }

    /// Parses a kernel's text. The last function is the kernel. It has one argument, or a second one that is its low word and at most two to the given
    /// power in magnitude. It has one result or, with `words`, two.
    ///
    /// # Errors
    /// If the text is not such a kernel.
    pub fn parse_kernel(text: &str, low_word: Option<i32>, words: bool) -> Result<Program, String> {
        let mut program = Program::parse_words(text, 1 + usize::from(low_word.is_some()))?;
        program.low_word = low_word;
        match (program.low, words) {
            (None, false) | (Some(_), true) => Ok(program),
            (Some(_), false) => Err("the kernel has more than one result".into()),
            (None, true) => Err("the kernel has one result, not two words".into()),
        }
    }

    /// Parses a reference's text, which is a kernel with one result or two.
    ///
    /// # Errors
    /// If the text is not a reference.
    pub fn parse_reference(text: &str) -> Result<Program, String> {
        Program::parse_words(text, 1)
    }

    /// Parses the text of a kernel of this many doubles, with one result or two.
    fn parse_words(text: &str, arguments: usize) -> Result<Program, String> {
        let (mut program, results) = Program::read(text)?;
        let (result, low) = match results[..] {
            [result] => (result, None),
            [result, low] => (result, Some(low)),
            _ => return Err("the kernel has more than two results".into()),
        };
        let params = program.params();
        if params.len() != arguments {
            let due = if arguments == 1 { "one" } else { "two" };
            return Err(format!(
                "the kernel has {} arguments, not {due}",
                params.len()
            ));
        }
        // Whatever evaluates it reads the bits of a double.
        for i in [Some(result), low].into_iter().flatten() {
            let ty = program.insts[i].ty;
            if ty != Type::F64 {
                return Err(format!("the kernel gives {ty:?}, which is not binary64"));
            }
        }
        if params.iter().any(|p| *p != Type::F64) {
            return Err("the kernel's argument is not binary64".into());
        }
        program.result = result;
        program.low = low;
        Ok(program)
    }

    /// Parses the text of a kernel of two arguments.
    ///
    /// # Errors
    /// If the text is not a kernel whose two arguments and one result are numbers of one format.
    pub fn parse_pair(text: &str) -> Result<Program, String> {
        let (mut program, results) = Program::read(text)?;
        let [result] = results[..] else {
            return Err("the kernel has not one result".into());
        };
        let ty = program.insts[result].ty;
        let params = program.params();
        if params.len() != 2 || !ty.is_float() || params.iter().any(|p| *p != ty) {
            return Err(format!(
                "the kernel has arguments {params:?} and gives {ty:?}: they are not two numbers of the result's format"
            ));
        }
        program.result = result;
        Ok(program)
    }

    /// The types of the arguments.
    fn params(&self) -> Vec<Type> {
        let params = self.insts.iter().filter(|i| i.what == What::Param);
        params.map(|i| i.ty).collect()
    }

    /// Reads a text: the instructions of its last function, and the indices of its results.
    fn read(text: &str) -> Result<(Program, Vec<usize>), String> {
        let mut lines = text
            .lines()
            .map(|l| l.split("//").next().unwrap_or_default().trim_end());
        if lines.next() != Some(HEADER) {
            return Err(format!("the kernel's text does not begin with `{HEADER}`"));
        }
        let mut program = Program::default();
        let mut functions: Vec<Function> = Vec::new();
        let mut lengths: Vec<usize> = Vec::new();
        for line in lines.filter(|l| !l.is_empty()) {
            if let Some(rest) = line.strip_prefix("table ") {
                let (name, rest) = rest.split_once(": ").ok_or("a table without a type")?;
                let (ty, length) = (rest.strip_suffix(']').and_then(|r| r.split_once('[')))
                    .ok_or("a table without a length")?;
                // People read the names, and the numbers are proven.
                if number(name, 't')? != program.tables.len() {
                    return Err(format!("table {name} is not in order"));
                }
                let length: usize = length
                    .parse()
                    .map_err(|_| format!("`{length}` is no length"))?;
                lengths.push(length);
                let (ty, bits) = (Type::parse(ty)?, Vec::new());
                program.tables.push(Table { ty, bits });
            } else if let Some(name) = line.strip_prefix("fn ") {
                let name = name.split(' ').next().unwrap_or_default();
                if number(name, 'f')? != functions.len() {
                    return Err(format!("function {name} is not in order"));
                }
                functions.push(Function::default());
            } else if let Some(rest) = line.strip_prefix("  return ") {
                let function = functions
                    .last_mut()
                    .ok_or("a return outside of a function")?;
                if !function.results.is_empty() {
                    return Err("a function with two returns".into());
                }
                for word in rest.split(", ") {
                    function.results.push(number(word, '%')?);
                }
            } else if let Some(rest) = line.strip_prefix("  %") {
                let function = functions
                    .last_mut()
                    .ok_or("an instruction outside of a function")?;
                if !function.results.is_empty() {
                    return Err("an instruction after the return".into());
                }
                let (place, rest) = rest
                    .split_once(": ")
                    .ok_or("an instruction without a type")?;
                if place.parse() != Ok(function.lines.len()) {
                    return Err(format!("instruction {place} is not in order"));
                }
                let (ty, rest) = rest.split_once(" = ").ok_or("an instruction without `=`")?;
                let words = rest.split([' ', ',']).filter(|w| !w.is_empty());
                let (mut what, mut args) = (Vec::new(), Vec::new());
                for word in words {
                    if word.starts_with('%') {
                        args.push(number(word, '%')?);
                    } else {
                        what.push(word.to_string());
                    }
                }
                function.lines.push((ty.to_string(), what, args));
            } else {
                let table = program
                    .tables
                    .last_mut()
                    .ok_or_else(|| format!("`{line}` is not understood"))?;
                let bits = hex(line.trim())?;
                typing::bits(table.ty, bits)?;
                table.bits.push(bits);
            }
        }
        if let Some(empty) = program.tables.iter().position(|t| t.bits.is_empty()) {
            return Err(format!("table t{empty} is empty"));
        }
        for (i, (table, length)) in program.tables.iter().zip(lengths).enumerate() {
            let entries = table.bits.len();
            if entries != length {
                return Err(format!("table t{i} has {entries} entries, not {length}"));
            }
        }
        let entry = functions.len().checked_sub(1).ok_or("no function")?;
        let results = program.inline(&functions, entry, None)?;
        Ok((program, results))
    }

    /// Appends a function's instructions; returns the indices of its results.
    fn inline(
        &mut self,
        functions: &[Function],
        which: usize,
        args: Option<&[usize]>,
    ) -> Result<Vec<usize>, String> {
        let mut place: Vec<usize> = Vec::new();
        let mut calls: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut params = 0;
        for (i, (ty, what, operands)) in functions[which].lines.iter().enumerate() {
            let at = |o: &usize| {
                place
                    .get(*o)
                    .copied()
                    .ok_or_else(|| format!("%{o} is used before it is made"))
            };
            let word = |k: usize| what.get(k).map(String::as_str).unwrap_or_default();
            // A word that is not understood is an error.
            let due = match word(0) {
                "param" => Some((1, 0)),
                "const" => Some((2, 0)),
                "load" => Some((2, 1)),
                "call" => Some((2, operands.len())),
                "result" => Some((3, 1)),
                name => arity(name).map(|n| (1, n)),
            };
            if due.is_some_and(|due| due != (what.len(), operands.len())) {
                return Err(format!(
                    "%{i}: `{}` with {} operands is not understood",
                    what.join(" "),
                    operands.len()
                ));
            }
            let what = match word(0) {
                "param" => {
                    params += 1;
                    match args {
                        Some(args) => {
                            let given = *args
                                .get(params - 1)
                                .ok_or("a call with too few arguments")?;
                            let (due, is) = (Type::parse(ty)?, self.insts[given].ty);
                            if due != is {
                                return Err(format!(
                                    "an argument of f{which} is {due:?}, not {is:?}"
                                ));
                            }
                            place.push(given);
                            continue;
                        }
                        None => What::Param,
                    }
                }
                "const" => {
                    let bits = hex(word(1))?;
                    typing::bits(Type::parse(ty)?, bits)?;
                    What::Const(bits)
                }
                "load" => {
                    let table = number(word(1), 't')?;
                    if table >= self.tables.len() {
                        return Err(format!("there is no table t{table}"));
                    }
                    What::Load(table)
                }
                "call" => {
                    let callee = number(word(1), 'f')?;
                    if callee >= which {
                        return Err(format!("f{which} calls f{callee}, which is not before it"));
                    }
                    let operands = operands.iter().map(at).collect::<Result<Vec<_>, _>>()?;
                    calls.insert(i, self.inline(functions, callee, Some(&operands))?);
                    place.push(usize::MAX);
                    continue;
                }
                "result" => {
                    let n: usize = word(1).parse().map_err(|_| "a result without a number")?;
                    let results = operands.first().and_then(|c| calls.get(c));
                    let result = results
                        .and_then(|r| r.get(n))
                        .ok_or("a result of no call")?;
                    place.push(*result);
                    continue;
                }
                name => What::Op(name.to_string()),
            };
            let args = operands.iter().map(at).collect::<Result<Vec<_>, _>>()?;
            if args.contains(&usize::MAX) {
                return Err(format!("%{i} uses a call as a value"));
            }
            let ty = Type::parse(ty)?;
            let of: Vec<Type> = args.iter().map(|&a| self.insts[a].ty).collect();
            match &what {
                What::Op(name) => {
                    typing::operation(name, &of, ty).map_err(|e| format!("%{i}: {e}"))?;
                }
                What::Load(table) => {
                    let entry = self.tables[*table].ty;
                    if entry != ty {
                        return Err(format!(
                            "%{i}: an entry of t{table} is {entry:?}, not {ty:?}"
                        ));
                    }
                    if !matches!(of[..], [Type::I64 | Type::I32]) {
                        return Err(format!("%{i}: an index of t{table} is {of:?}"));
                    }
                }
                What::Param | What::Const(_) => {}
            }
            place.push(self.insts.len());
            self.insts.push(Inst { ty, what, args });
        }
        if args.is_some_and(|args| args.len() != params) {
            return Err("a call with too many arguments".into());
        }
        let results = functions[which].results.iter();
        results
            .map(|r| {
                place
                    .get(*r)
                    .copied()
                    .ok_or_else(|| format!("%{r} is returned and not made"))
            })
            .collect()
    }
}
