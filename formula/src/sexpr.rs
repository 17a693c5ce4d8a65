//! S-expressions, with their places in the text.

/// An S-expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Sexpr {
    /// Line and column, counted from 1.
    pub at: (usize, usize),
    /// Its form.
    pub form: Form,
}

/// The forms.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// A name or a number.
    Atom(String),
    /// A text in quotes.
    Text(String),
    /// `(…)` or `[…]`
    List(Vec<Sexpr>),
}

/// The largest depth to which they may be nested.
const DEPTH: usize = 400;

impl Sexpr {
    /// The name or number.
    #[must_use]
    pub fn atom(&self) -> Option<&str> {
        match &self.form {
            Form::Atom(name) => Some(name),
            _ => None,
        }
    }

    /// The items.
    #[must_use]
    pub fn list(&self) -> Option<&[Sexpr]> {
        match &self.form {
            Form::List(items) => Some(items),
            _ => None,
        }
    }

    /// An error at this place.
    #[must_use]
    pub fn error(&self, message: &str) -> String {
        let (line, column) = self.at;
        format!("line {line}, column {column}: {message}")
    }
}

/// Parses a whole text.
///
/// # Errors
/// If the text is malformed. The error has the place.
pub fn read(text: &str) -> Result<Vec<Sexpr>, String> {
    let mut open: Vec<(char, Sexpr, Vec<Sexpr>)> = Vec::new();
    let mut done = Vec::new();
    let mut chars = text.chars().peekable();
    let (mut line, mut column) = (1, 0);
    while let Some(c) = chars.next() {
        column += 1;
        let at = (line, column);
        let sexpr = |form| Sexpr { at, form };
        let made = match c {
            '\n' => {
                (line, column) = (line + 1, 0);
                continue;
            }
            c if c.is_whitespace() => continue,
            ';' => {
                while chars.next_if(|c| *c != '\n').is_some() {}
                continue;
            }
            '(' | '[' => {
                if open.len() == DEPTH {
                    return Err(sexpr(Form::List(vec![])).error("it is nested too deeply"));
                }
                open.push((c, sexpr(Form::List(vec![])), Vec::new()));
                continue;
            }
            ')' | ']' => {
                let Some((bracket, mut list, items)) = open.pop() else {
                    return Err(
                        sexpr(Form::List(vec![])).error(&format!("this `{c}` closes nothing"))
                    );
                };
                if (bracket == '(') != (c == ')') {
                    return Err(list.error(&format!("this `{bracket}` is closed by `{c}`")));
                }
                list.form = Form::List(items);
                list
            }
            '"' => {
                let mut text = String::new();
                loop {
                    column += 1;
                    match chars.next() {
                        Some('"') => break,
                        Some('\\') => {
                            column += 1;
                            text.extend(chars.next());
                        }
                        Some('\n') => {
                            (line, column) = (line + 1, 0);
                            text.push('\n');
                        }
                        Some(c) => text.push(c),
                        None => {
                            return Err(sexpr(Form::List(vec![])).error("this text is not closed"));
                        }
                    }
                }
                sexpr(Form::Text(text))
            }
            c => {
                let mut name = String::from(c);
                while let Some(c) = chars.next_if(|c| !c.is_whitespace() && !"()[]\";".contains(*c))
                {
                    name.push(c);
                    column += 1;
                }
                sexpr(Form::Atom(name))
            }
        };
        match open.last_mut() {
            Some((_, _, items)) => items.push(made),
            None => done.push(made),
        }
    }
    match open.pop() {
        Some((bracket, list, _)) => Err(list.error(&format!("this `{bracket}` is not closed"))),
        None => Ok(done),
    }
}
