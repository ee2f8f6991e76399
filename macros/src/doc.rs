//! Doc comments, as the descriptions a model reads.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The doc comments of an item, in the order in which they were written.
#[derive(Clone, Default)]
pub(crate) struct Doc {
    pieces: Vec<Piece>,
    first: Option<Attribute>,
}

#[derive(Clone)]
enum Piece {
    Text(String),
    /// `#[doc = include_str!("…")]` and the like: known only once it is compiled.
    Expr(Expr),
}

impl Doc {
    pub(crate) fn of(attributes: &[Attribute]) -> Self {
        let mut doc = Self::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("doc")) {
            // `#[doc(hidden)]` and the like say nothing.
            let Meta::NameValue(meta) = &attribute.meta else { continue };
            doc.pieces.push(match &meta.value {
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Piece::Text(text.value()),
                other => Piece::Expr(other.clone()),
            });
            doc.first.get_or_insert_with(|| attribute.clone());
        }
        doc
    }

    /// Where it begins.
    pub(crate) fn first(&self) -> Option<&Attribute> {
        self.first.as_ref()
    }

    /// What is said of the parameters in a list under the heading "Arguments"; the list is taken out.
    pub(crate) fn take_arguments(&mut self) -> Vec<(String, String)> {
        let Some(text) = self.literal() else { return Vec::new() };
        let (rest, arguments) = split_arguments(&text);
        if !arguments.is_empty() {
            self.pieces = vec![Piece::Text(rest)];
        }
        arguments
    }

    /// The text, if all of it is known.
    fn literal(&self) -> Option<String> {
        let lines: Option<Vec<&str>> = self
            .pieces
            .iter()
            .map(|piece| if let Piece::Text(text) = piece { Some(text.as_str()) } else { None })
            .collect();
        Some(tidy(&lines?.join("\n")))
    }

    /// The description as an expression; none if nothing is said.
    pub(crate) fn description(&self) -> Option<TokenStream> {
        if let Some(text) = self.literal() {
            return (!text.is_empty()).then(|| text.into_token_stream());
        }
        if let [Piece::Expr(only)] = self.pieces.as_slice() {
            return Some(only.into_token_stream());
        }
        let mut parts = Vec::new();
        for run in self.pieces.chunk_by(|a, b| matches!((a, b), (Piece::Text(_), Piece::Text(_)))) {
            if !parts.is_empty() {
                parts.push("\n".into_token_stream());
            }
            match run {
                [Piece::Expr(expr)] => parts.push(expr.into_token_stream()),
                texts => parts.push(Self { pieces: texts.to_vec(), first: None }.literal().into_token_stream()),
            }
        }
        Some(quote!(::core::concat!(#(#parts),*)))
    }
}

/// The text without what belongs to the comment's form: common indentation, a column of stars, blank ends.
fn tidy(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let starred = |line: &&str| line.trim_start().starts_with('*');
    if lines.len() > 1 && lines[0].is_empty() && lines[1..].iter().filter(|line| !line.is_empty()).all(starred) {
        for line in &mut lines {
            *line = line.trim_start().trim_start_matches('*');
        }
    }
    let indent = lines.iter().filter(|line| !line.is_empty()).map(|line| indent(line)).min().unwrap_or_default();
    let lines: Vec<&str> = lines.into_iter().map(|line| line.get(indent..).unwrap_or_default()).collect();
    lines.join("\n").trim().to_owned()
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// Splits off the section "Arguments" (or "Parameters"), if it is a list of names with what each is for.
fn split_arguments(text: &str) -> (String, Vec<(String, String)>) {
    let lines: Vec<&str> = text.lines().collect();
    let headings = headings(&lines);
    let Some(start) = headings.iter().copied().find(|line| names_arguments(lines[*line])) else {
        return (text.to_owned(), Vec::new());
    };
    let end = headings.into_iter().find(|line| *line > start).unwrap_or(lines.len());
    match list(&lines[start + 1..end]) {
        Some(arguments) => {
            let rest: Vec<&str> = lines[..start].iter().chain(&lines[end..]).copied().collect();
            (rest.join("\n").trim().to_owned(), arguments)
        }
        None => (text.to_owned(), Vec::new()),
    }
}

/// The lines that are headings; what is in a fenced block is code.
fn headings(lines: &[&str]) -> Vec<usize> {
    let mut fenced = false;
    let mut headings = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced && line.starts_with('#') {
            headings.push(index);
        }
    }
    headings
}

fn names_arguments(heading: &str) -> bool {
    let words = heading.trim_matches(|c: char| c == '#' || c == ':' || c.is_whitespace()).to_ascii_lowercase();
    matches!(words.as_str(), "arguments" | "args" | "parameters" | "params")
}

/// Items of the form "* `name` - what it is for", which may go on in indented lines; `None` if there is anything else.
fn list(lines: &[&str]) -> Option<Vec<(String, String)>> {
    let mut items: Vec<(String, String)> = Vec::new();
    for line in lines.iter().filter(|line| !line.trim().is_empty()) {
        if let Some(item) = line.strip_prefix(['*', '-', '+']).and_then(|item| item.strip_prefix(' ')) {
            items.push(list_item(item)?);
        } else if line.starts_with(' ') {
            let (_, text) = items.last_mut()?;
            text.push(' ');
            text.push_str(line.trim());
        } else {
            return None;
        }
    }
    (!items.is_empty()).then_some(items)
}

fn list_item(item: &str) -> Option<(String, String)> {
    let item = item.trim().trim_start_matches(['*', '`']);
    let end = item.find(|c: char| !(c.is_alphanumeric() || c == '_'))?;
    let (name, text) = item.split_at(end);
    let text = text.trim_start_matches(['*', '`', ' ']);
    let text = text.strip_prefix([':', '-', '–', '—'])?.trim_start_matches(['-', '*', ' ']);
    (!name.is_empty()).then(|| (name.to_owned(), text.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use syn::parse_quote;

    use super::*;

    fn described(attributes: &[Attribute]) -> String {
        Doc::of(attributes).description().map(|tokens| tokens.to_string()).unwrap_or_default()
    }

    #[test]
    fn comments_lose_their_indentation_and_keep_their_lines() {
        let attributes: Vec<Attribute> = parse_quote! {
            /// First.
            ///
            ///   indented
            /// last
        };
        expect![[r#""First.\n\n  indented\nlast""#]].assert_eq(&described(&attributes));
    }

    #[test]
    fn block_comments_lose_their_stars() {
        let attributes: Vec<Attribute> = parse_quote!(#[doc = "\n * First.\n *\n * - last\n "]);
        expect![[r#""First.\n\n- last""#]].assert_eq(&described(&attributes));
    }

    #[test]
    fn other_expressions_stay_expressions() {
        let one: Vec<Attribute> = parse_quote!(#[doc = include_str!("a.md")]);
        expect![[r#"include_str ! ("a.md")"#]].assert_eq(&described(&one));
        let mixed: Vec<Attribute> = parse_quote! {
            /// Before,
            /// and
            #[doc = include_str!("a.md")]
            /// after.
        };
        expect![[r#":: core :: concat ! ("Before,\nand" , "\n" , include_str ! ("a.md") , "\n" , "after.")"#]]
            .assert_eq(&described(&mixed));
    }

    #[test]
    fn a_list_of_arguments_is_taken_out() {
        let (rest, arguments) = split_arguments(
            "Adds.\n\n# Arguments\n\n* `a` - the first\n  of them\n- b: the second\n\n# Errors\n\nNone.",
        );
        assert_eq!(rest, "Adds.\n\n# Errors\n\nNone.");
        assert_eq!(
            arguments,
            [("a".to_owned(), "the first of them".to_owned()), ("b".to_owned(), "the second".to_owned())]
        );
    }

    #[test]
    fn prose_and_code_under_the_heading_stay() {
        for text in ["Adds.\n\n# Arguments\n\nTwo numbers.", "Adds.\n```\n# Arguments\n* `a` - b\n```"] {
            assert_eq!(split_arguments(text), (text.to_owned(), Vec::new()));
        }
    }
}
