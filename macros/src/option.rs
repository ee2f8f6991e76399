//! Options of attributes: `key`, or `key = value`, separated by commas.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::parse::discouraged::Speculative as _;
use syn::parse::{ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprPath, Lit, LitBool, LitStr, Path, Token, Type, Visibility, parse_quote};

use crate::ctxt::Ctxt;
use crate::nearest::nearest;

/// An option that an attribute takes.
#[derive(Clone, Copy)]
pub(crate) struct Allowed {
    pub(crate) key: &'static str,
    pub(crate) kind: Kind,
}

pub(crate) const fn allowed(key: &'static str, kind: Kind) -> Allowed {
    Allowed { key, kind }
}

/// What an option's value can be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// None, or `true` or `false`.
    Flag,
    /// A string literal.
    Text,
    /// An expression that is a string; a literal of another kind is none.
    TextExpr,
    /// Any expression.
    Expr,
    /// None, or any expression.
    OptionalExpr,
    /// An expression, or a JSON object.
    Json,
    /// The path of a function.
    Function,
    /// The path of a crate.
    Module,
    /// A type.
    Type,
    /// A type, or several in brackets.
    Types,
    /// A type, or a string literal.
    TypeOrText,
    /// A name.
    Name,
    /// Who sees something.
    Visibility,
}

/// A value, as its kind asks.
pub(crate) enum Value {
    Flag(bool),
    Text(LitStr),
    Expr(Expr),
    Nothing,
    Object(TokenStream),
    Function(ExprPath),
    Module(Path),
    Type(Box<Type>),
    Types(Vec<Type>),
    Name(Ident),
    Visibility(Visibility),
}

/// The options that were given, each once and each with a value of its kind.
pub(crate) struct Options(Vec<(Ident, Value)>);

impl Options {
    pub(crate) fn empty() -> Self {
        Self(Vec::new())
    }

    /// Reads the options of the attribute `place` and adds them to those before.
    pub(crate) fn read(&mut self, ctxt: &Ctxt, place: &str, table: &[Allowed], tokens: TokenStream) {
        let read = |input: ParseStream<'_>| {
            while !input.is_empty() {
                match self.option(ctxt, place, table, input) {
                    Ok(()) => {}
                    Err(error) => {
                        ctxt.syn_error(error);
                        skip_to_comma(input);
                    }
                }
                if input.peek(Token![,]) {
                    input.parse::<Token![,]>()?;
                } else if !input.is_empty() {
                    ctxt.error(skip_to_comma(input), "expected a comma, and then the next option");
                    input.parse::<Option<Token![,]>>()?;
                }
            }
            Ok(())
        };
        if let Err(error) = read.parse2(tokens) {
            ctxt.syn_error(error);
        }
    }

    fn option(&mut self, ctxt: &Ctxt, place: &str, table: &[Allowed], input: ParseStream<'_>) -> syn::Result<()> {
        if !input.peek(Ident::peek_any) {
            let example = table.first().map(|first| first.kind.usage(first.key)).unwrap_or_default();
            return Err(syn::Error::new_spanned(
                skip_to_comma(input),
                format!("expected an option, such as {example}"),
            ));
        }
        let key = input.call(Ident::parse_any)?;
        let word = key.unraw().to_string();
        let Some(option) = table.iter().find(|option| option.key == word) else {
            skip_to_comma(input);
            return Err(syn::Error::new_spanned(&key, unknown(place, &word, table)));
        };
        if self.key(option.key).is_some() {
            skip_to_comma(input);
            return Err(syn::Error::new_spanned(&key, format!("`{word}` was given twice; remove one")));
        }
        let value = option.kind.value(&key, option.key, input)?;
        if !input.is_empty() && !input.peek(Token![,]) {
            let rest = skip_to_comma(input);
            ctxt.error(rest, option.kind.wrong(option.key));
        }
        self.0.push((key, value));
        Ok(())
    }

    /// The word of an option that was given.
    pub(crate) fn key(&self, key: &str) -> Option<&Ident> {
        self.0.iter().find(|(given, _)| given.unraw() == key).map(|(given, _)| given)
    }

    fn get(&self, key: &str) -> Option<&Value> {
        self.0.iter().find(|(given, _)| given.unraw() == key).map(|(_, value)| value)
    }

    /// Whether the flag is set; `None` if nothing was said.
    pub(crate) fn flag(&self, key: &str) -> Option<bool> {
        if let Value::Flag(flag) = self.get(key)? { Some(*flag) } else { None }
    }

    pub(crate) fn text(&self, key: &str) -> Option<LitStr> {
        if let Value::Text(text) = self.get(key)? { Some(text.clone()) } else { None }
    }

    pub(crate) fn expr(&self, key: &str) -> Option<Expr> {
        if let Value::Expr(expr) = self.get(key)? { Some(expr.clone()) } else { None }
    }

    pub(crate) fn object(&self, key: &str) -> Option<TokenStream> {
        if let Value::Object(object) = self.get(key)? { Some(object.clone()) } else { None }
    }

    pub(crate) fn function(&self, key: &str) -> Option<ExprPath> {
        if let Value::Function(path) = self.get(key)? { Some(path.clone()) } else { None }
    }

    pub(crate) fn module(&self, key: &str) -> Option<Path> {
        if let Value::Module(path) = self.get(key)? { Some(path.clone()) } else { None }
    }

    pub(crate) fn ty(&self, key: &str) -> Option<Type> {
        if let Value::Type(ty) = self.get(key)? { Some(Type::clone(ty)) } else { None }
    }

    /// The types that were given; none if nothing was said.
    pub(crate) fn types(&self, key: &str) -> Vec<Type> {
        if let Some(Value::Types(types)) = self.get(key) { types.clone() } else { Vec::new() }
    }

    pub(crate) fn name(&self, key: &str) -> Option<Ident> {
        if let Value::Name(name) = self.get(key)? { Some(name.clone()) } else { None }
    }

    pub(crate) fn vis(&self, key: &str) -> Option<Visibility> {
        if let Value::Visibility(vis) = self.get(key)? { Some(vis.clone()) } else { None }
    }
}

impl Kind {
    /// How the option is written.
    fn usage(self, key: &str) -> String {
        match self {
            Self::Flag => format!("`{key}` or `{key} = false`"),
            Self::Text | Self::TextExpr => format!("`{key} = \"…\"`"),
            Self::Expr => format!("`{key} = …`"),
            Self::OptionalExpr => format!("`{key}` or `{key} = …`"),
            Self::Json => format!("`{key} = {{ \"key\": value }}` or a `serde_json::Value`"),
            Self::Function => format!("`{key} = function`"),
            Self::Module => format!("`{key} = path::to::toolwright`"),
            Self::Type => format!("`{key} = Type`"),
            Self::Types => format!("`{key} = Type` or `{key} = [Type, Other]`"),
            Self::TypeOrText => format!("`{key} = Type` or `{key} = \"namespace.name\"`"),
            Self::Name => format!("`{key} = Name`"),
            Self::Visibility => format!("`{key} = pub(crate)`"),
        }
    }

    fn wrong(self, key: &str) -> String {
        let takes = match self {
            Self::Flag => "`true`, `false` or nothing",
            Self::Text | Self::TextExpr => "a string",
            Self::Expr | Self::OptionalExpr => "an expression",
            Self::Json => "a JSON object",
            Self::Function => "the path of a function",
            Self::Module => "the path of a crate",
            Self::Type => "a type",
            Self::Types => "a type, or several in brackets",
            Self::TypeOrText => "a type, or a string",
            Self::Name => "a name",
            Self::Visibility => "a visibility",
        };
        format!("`{key}` takes {takes}: {}", self.usage(key))
    }

    /// Reads what follows the key.
    fn value(self, word: &Ident, key: &str, input: ParseStream<'_>) -> syn::Result<Value> {
        if !input.peek(Token![=]) {
            let bare = input.is_empty() || input.peek(Token![,]);
            return match self {
                Self::Flag if bare => Ok(Value::Flag(true)),
                Self::OptionalExpr if bare => Ok(Value::Nothing),
                _ if bare => Err(syn::Error::new_spanned(word, format!("`{key}` needs a value: {}", self.usage(key)))),
                _ => Err(syn::Error::new_spanned(skip_to_comma(input), self.wrong(key))),
            };
        }
        let equals = input.parse::<Token![=]>()?;
        if input.is_empty() || input.peek(Token![,]) {
            return Err(syn::Error::new_spanned(equals, format!("`{key}` has no value: {}", self.usage(key))));
        }
        let ahead = input.fork();
        match self.parse(&ahead) {
            Ok(value) if ahead.is_empty() || ahead.peek(Token![,]) => {
                input.advance_to(&ahead);
                Ok(value)
            }
            _ => Err(syn::Error::new_spanned(skip_value(input), self.wrong(key))),
        }
    }

    fn parse(self, input: ParseStream<'_>) -> syn::Result<Value> {
        match self {
            Self::Flag => Ok(Value::Flag(input.parse::<LitBool>()?.value)),
            Self::Text => input.parse().map(Value::Text),
            Self::TypeOrText if input.peek(Lit) => input.parse().map(Value::Text),
            Self::TextExpr if input.peek(Lit) => input.parse::<LitStr>().map(|text| Value::Expr(parse_quote!(#text))),
            Self::Json if input.peek(syn::token::Brace) => json_object(input).map(Value::Object),
            Self::TextExpr | Self::Expr | Self::OptionalExpr | Self::Json => input.parse().map(Value::Expr),
            Self::Function => input.parse().map(Value::Function),
            Self::Module => Path::parse_mod_style(input).map(Value::Module),
            Self::Type | Self::TypeOrText => input.parse().map(Value::Type),
            Self::Types => types(input).map(Value::Types),
            Self::Name => input.parse().map(Value::Name),
            Self::Visibility if !input.peek(Token![pub]) => Err(input.error("expected `pub`")),
            Self::Visibility => input.parse().map(Value::Visibility),
        }
    }
}

/// One type, or several in brackets; a single one in brackets would be a slice.
fn types(input: ParseStream<'_>) -> syn::Result<Vec<Type>> {
    if !input.peek(syn::token::Bracket) {
        return input.parse().map(|ty| vec![ty]);
    }
    let list;
    syn::bracketed!(list in input);
    Ok(Punctuated::<Type, Token![,]>::parse_terminated(&list)?.into_iter().collect())
}

/// Braces as `json!` takes them; what is in them is its business.
fn json_object(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    input.parse::<TokenTree>().map(TokenStream::from)
}

fn unknown(place: &str, word: &str, table: &[Allowed]) -> String {
    match nearest(word, table.iter().map(|option| option.key)) {
        Some(meant) => format!("unknown option `{word}`; did you mean `{meant}`?"),
        None => {
            let known: Vec<_> = table.iter().map(|option| format!("`{}`", option.key)).collect();
            format!("unknown option `{word}`; {place} takes {}", known.join(", "))
        }
    }
}

/// Passes over a value of another kind, which may have commas of its own.
fn skip_value(input: ParseStream<'_>) -> TokenStream {
    let ahead = input.fork();
    match ahead.parse::<Expr>() {
        Ok(expr) if ahead.is_empty() || ahead.peek(Token![,]) => {
            input.advance_to(&ahead);
            expr.into_token_stream()
        }
        _ => skip_to_comma(input),
    }
}

/// Passes over everything before the next comma.
pub(crate) fn skip_to_comma(input: ParseStream<'_>) -> TokenStream {
    let mut skipped = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        match input.parse::<TokenTree>() {
            // A group without delimiters is one token of a `macro_rules!` fragment.
            Ok(TokenTree::Group(group)) if group.delimiter() == Delimiter::None => skipped.extend(group.stream()),
            Ok(token) => skipped.extend([token]),
            Err(_) => break,
        }
    }
    skipped
}
