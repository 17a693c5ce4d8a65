//! Where a source file can be made wrong, and its text with all faults in it, each behind a switch.
//!
//! A fault is a change of one expression or statement. The changed text of an outer expression holds inner ones as they were, since
//! one fault is switched on at a time; so the text grows by a factor, and not with the depth.

use std::ops::Range;

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Stmt};

/// A fault.
#[derive(Clone, Debug, PartialEq)]
pub struct Site {
    /// The bytes that it changes.
    pub at: Range<usize>,
    /// From one on.
    pub line: usize,
    pub what: &'static str,
    /// The text with the fault.
    pub wrong: String,
    /// The text is a statement, not an expression.
    pub statement: bool,
    /// The name whose assignment is left out.
    pub assigned: Option<String>,
}

/// All faults of a file, outer ones before inner ones.
pub fn sites(text: &str) -> syn::Result<Vec<Site>> {
    let file = syn::parse_file(text)?;
    let mut finder = Finder {
        text,
        sites: Vec::new(),
    };
    finder.visit_file(&file);
    let mut sites = finder.sites;
    sites.sort_by_key(|s| (s.at.start, std::cmp::Reverse(s.at.end)));
    Ok(sites)
}

/// Where a fault stands in the text with switches.
pub struct Placed {
    pub number: usize,
    /// Its wrong text.
    pub wrong: Range<usize>,
    /// All of it: the switch, the wrong text and the right one.
    pub whole: Range<usize>,
}

/// The text with the faults of these numbers, each behind `switch(number)`, and where they are.
pub fn with_switches(text: &str, sites: &[(usize, &Site)], switch: &str) -> (String, Vec<Placed>) {
    let mut writer = Writer {
        text,
        switch,
        out: String::new(),
        placed: Vec::new(),
    };
    writer.write(0..text.len(), sites);
    (writer.out, writer.placed)
}

struct Writer<'t> {
    text: &'t str,
    switch: &'t str,
    out: String,
    placed: Vec<Placed>,
}

impl Writer<'_> {
    fn write(&mut self, range: Range<usize>, sites: &[(usize, &Site)]) {
        let mut from = range.start;
        let mut i = 0;
        while i < sites.len() {
            let at = sites[i].1.at.clone();
            // Faults of the same text come one after another, those inside of it after them.
            let same = sites[i..].iter().take_while(|s| s.1.at == at).count();
            let inside = sites[i..]
                .iter()
                .take_while(|s| s.1.at.start < at.end)
                .count();
            self.out.push_str(&self.text[from..at.start]);
            let first = self.placed.len();
            for (number, site) in &sites[i..i + same] {
                let start = self.out.len();
                self.out
                    .push_str(if site.statement { "if " } else { "(if " });
                self.out.push_str(&format!("{}({number}) {{ ", self.switch));
                let wrong = self.out.len();
                self.out.push_str(&site.wrong);
                self.placed.push(Placed {
                    number: *number,
                    wrong: wrong..self.out.len(),
                    whole: start..start,
                });
                self.out.push_str(" } else { ");
            }
            self.write(at.clone(), &sites[i + same..i + inside]);
            for n in (0..same).rev() {
                self.out.push_str(if sites[i + n].1.statement {
                    " }"
                } else {
                    " })"
                });
                self.placed[first + n].whole.end = self.out.len();
            }
            from = at.end;
            i += inside;
        }
        self.out.push_str(&self.text[from..range.end]);
    }
}

struct Finder<'t> {
    text: &'t str,
    sites: Vec<Site>,
}

impl Finder<'_> {
    fn of(&self, node: &impl Spanned) -> &str {
        &self.text[node.span().byte_range()]
    }

    fn add(&mut self, span: Span, what: &'static str, wrong: String, statement: bool) {
        self.sites.push(Site {
            at: span.byte_range(),
            line: span.start().line,
            what,
            wrong,
            statement,
            assigned: None,
        });
    }

    fn binary(&mut self, e: &syn::ExprBinary) {
        let (a, b) = (self.of(&e.left).to_string(), self.of(&e.right).to_string());
        let with = |op: &str| format!("({a}) {op} ({b})");
        let wrong: Vec<(&'static str, String)> = match e.op {
            BinOp::Lt(_) => vec![("< as <=", with("<=")), ("< as >=", with(">="))],
            BinOp::Le(_) => vec![("<= as <", with("<")), ("<= as >", with(">"))],
            BinOp::Gt(_) => vec![("> as >=", with(">=")), ("> as <=", with("<="))],
            BinOp::Ge(_) => vec![(">= as >", with(">")), (">= as <", with("<"))],
            BinOp::Eq(_) => vec![("== as !=", with("!="))],
            BinOp::Ne(_) => vec![("!= as ==", with("=="))],
            BinOp::And(_) => vec![("no right side of &&", a), ("no left side of &&", b)],
            BinOp::Or(_) => vec![("no right side of ||", a), ("no left side of ||", b)],
            BinOp::Add(_) => vec![("+ as -", with("-"))],
            BinOp::Sub(_) => vec![("- as +", with("+"))],
            BinOp::Mul(_) => vec![("* as /", with("/"))],
            BinOp::Div(_) => vec![("/ as *", with("*"))],
            _ => return,
        };
        for (what, wrong) in wrong {
            self.add(e.span(), what, wrong, false);
        }
    }

    fn method(&mut self, e: &syn::ExprMethodCall) {
        let on = self.of(&*e.receiver).to_string();
        let arguments: Vec<&str> = e.args.iter().map(|a| self.of(a)).collect();
        let other = |name: &str| format!("({on}).{name}({})", arguments.join(", "));
        let (what, wrong) = match e.method.to_string().as_str() {
            "max" => ("max as min", other("min")),
            "min" => ("min as max", other("max")),
            "ceil" => ("ceil as floor", other("floor")),
            "floor" if arguments.is_empty() => ("floor as ceil", other("ceil")),
            "any" => ("any as all", other("all")),
            "all" => ("all as any", other("any")),
            "is_some_and" => ("is_some_and as is_none_or", other("is_none_or")),
            "is_none_or" => ("is_none_or as is_some_and", other("is_some_and")),
            "next_up" => ("no next_up", on),
            "next_down" => ("no next_down", on),
            "abs" => ("no abs", on),
            "widened" => ("not widened", on),
            "hull" => ("no hull", format!("({on}).clone()")),
            _ => return,
        };
        self.add(e.span(), what, wrong, false);
    }
}

/// Whether a condition binds names, so that it stands only where it is.
fn binds(e: &Expr) -> bool {
    match e {
        Expr::Let(_) => true,
        Expr::Binary(b) if matches!(b.op, BinOp::And(_)) => binds(&b.left) || binds(&b.right),
        _ => false,
    }
}

/// Whether a block leaves the function or the turn of the loop.
fn leaves(block: &syn::Block) -> bool {
    let last = block.stmts.last();
    matches!(
        last,
        Some(Stmt::Expr(
            Expr::Return(_) | Expr::Continue(_) | Expr::Break(_),
            _
        ))
    )
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|a| {
        a.path().is_ident("test") || a.path().is_ident("cfg") && quoted(&a.meta).contains("test")
    })
}

fn quoted(meta: &syn::Meta) -> String {
    match meta {
        syn::Meta::List(list) => list.tokens.to_string(),
        _ => String::new(),
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if item.sig.constness.is_none() && !is_test(&item.attrs) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        let of_text = ["fmt", "from_str"].iter().any(|n| item.sig.ident == n);
        if item.sig.constness.is_none() && !of_text {
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_macro(&mut self, _: &'ast syn::Macro) {}

    fn visit_expr_binary(&mut self, e: &'ast syn::ExprBinary) {
        if !(binds(&e.left) || binds(&e.right)) {
            self.binary(e);
        }
        visit::visit_expr_binary(self, e);
    }

    fn visit_expr_method_call(&mut self, e: &'ast syn::ExprMethodCall) {
        self.method(e);
        visit::visit_expr_method_call(self, e);
    }

    fn visit_expr_if(&mut self, e: &'ast syn::ExprIf) {
        if e.else_branch.is_none() && leaves(&e.then_branch) && !binds(&e.cond) {
            self.add(e.cond.span(), "guard left out", "false".into(), false);
        }
        visit::visit_expr_if(self, e);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if let Some((_, guard)) = &arm.guard
            && !binds(guard)
        {
            self.add(guard.span(), "arm left out", "false".into(), false);
            self.add(guard.span(), "arm's guard left out", "true".into(), false);
        }
        visit::visit_arm(self, arm);
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        if let Stmt::Expr(e, Some(_)) = statement {
            let inner = match e {
                Expr::Try(t) => &*t.expr,
                e => e,
            };
            match inner {
                Expr::Call(_) | Expr::MethodCall(_) => {
                    self.add(statement.span(), "call left out", String::new(), true);
                }
                Expr::Assign(assign) => {
                    self.add(statement.span(), "assignment left out", String::new(), true);
                    let name = self.of(&*assign.left).to_string();
                    let site = self.sites.last_mut().expect("it was added");
                    site.assigned = Some(name);
                }
                Expr::Binary(b) => {
                    let op = match b.op {
                        BinOp::AddAssign(_) => "-=",
                        BinOp::SubAssign(_) => "+=",
                        _ => return visit::visit_stmt(self, statement),
                    };
                    let wrong = format!("{} {op} {};", self.of(&*b.left), self.of(&*b.right));
                    self.add(statement.span(), "+= and -= exchanged", wrong, true);
                }
                _ => {}
            }
        }
        visit::visit_stmt(self, statement);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_stand_behind_their_switches() {
        let text = "fn f(a: u32, b: u32) -> u32 { if a < 1 { return 0; } g(a)?; a + b.max(2) }";
        let sites = sites(text).expect("it parses");
        let whats: Vec<&str> = sites.iter().map(|s| s.what).collect();
        assert_eq!(
            whats,
            [
                "guard left out",
                "< as <=",
                "< as >=",
                "call left out",
                "+ as -",
                "max as min"
            ]
        );
        let numbered: Vec<(usize, &Site)> = sites.iter().enumerate().collect();
        let (faulty, placed) = with_switches(text, &numbered[3..], "on");
        assert_eq!(&faulty[placed[1].wrong.clone()], "(a) - (b.max(2))");
        assert_eq!(
            faulty,
            "fn f(a: u32, b: u32) -> u32 { if a < 1 { return 0; } if on(3) {  } else { g(a)?; } \
             (if on(4) { (a) - (b.max(2)) } else { a + (if on(5) { (b).min(2) } else { b.max(2) }) }) }"
        );
        syn::parse_file(&with_switches(text, &numbered, "on").0).expect("it parses");
    }

    #[test]
    fn tests_and_constants_have_no_faults() {
        let text = "const A: u32 = 1 + 2; #[cfg(test)] mod t { fn f() -> u32 { 1 + 2 } } #[test] fn g() { 1 + 2; }";
        assert_eq!(sites(text).expect("it parses"), []);
    }
}
