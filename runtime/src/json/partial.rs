//! JSON that has not come in whole, read as far as it goes.

use serde_json::Value;

/// Reads a JSON text that may be cut anywhere, as far as it goes. Nothing is guessed: of what is cut, a string that is a
/// value is there with the characters it has so far, and a key without its value, a number that may go on and half a
/// `true` are not there yet.
///
/// `None` while there is nothing of a value, and for what is no beginning of a JSON text, or is nested too deeply. It
/// takes time in proportion to the text.
///
/// ```
/// use serde_json::json;
/// use toolwright::json::partial;
///
/// assert_eq!(partial(r#"{"city": "Os"#), Some(json!({"city": "Os"})));
/// assert_eq!(partial(r#"{"city": "Oslo", "days": 1"#), Some(json!({"city": "Oslo"})));
/// assert_eq!(partial(r#"{"city": "Oslo", "days": 12}"#), Some(json!({"city": "Oslo", "days": 12})));
/// assert_eq!(partial("Oslo"), None);
/// ```
#[must_use]
pub fn partial(text: &str) -> Option<Value> {
    let cut = Scanner::new(text).scan()?;
    let mut whole = String::with_capacity(cut.end + cut.open.len() + 1);
    whole.push_str(&text[..cut.end]);
    whole.extend(cut.in_string.then_some('"'));
    whole.extend(cut.open.iter().rev().map(|container| container.close()));
    serde_json::from_str(&whole).ok()
}

/// How much of a text can be kept, and what is open there.
struct Cut {
    end: usize,
    in_string: bool,
    open: Vec<Container>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Container {
    Array,
    Object,
}

impl Container {
    fn close(self) -> char {
        match self {
            Self::Array => ']',
            Self::Object => '}',
        }
    }
}

/// What can come next, beside white space.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Value,
    /// Of an array that may be empty.
    ValueOrEnd,
    Key,
    /// Of an object that may be empty.
    KeyOrEnd,
    Colon,
    CommaOrEnd,
    Nothing,
}

/// How a token ends.
enum Token {
    Whole,
    /// The text is over before it is, and can be kept up to here.
    Cut(usize),
}

/// Reads a JSON text to its end, without taking anything out of it.
struct Scanner<'a> {
    text: &'a str,
    at: usize,
    next: Next,
    /// Up to where the text can be kept.
    end: usize,
    open: Vec<Container>,
}

impl<'a> Scanner<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, at: 0, next: Next::Value, end: 0, open: Vec::new() }
    }

    /// Where the text can be cut; `None` where it is no JSON.
    fn scan(mut self) -> Option<Cut> {
        let mut in_string = false;
        while let Some(byte) = self.peek() {
            let is_value = matches!(self.next, Next::Value | Next::ValueOrEnd);
            match (byte, self.next) {
                (b' ' | b'\t' | b'\n' | b'\r', _) => self.at += 1,
                (b'{', _) if is_value => self.begin(Container::Object, Next::KeyOrEnd),
                (b'[', _) if is_value => self.begin(Container::Array, Next::ValueOrEnd),
                (b'}', Next::KeyOrEnd | Next::CommaOrEnd) => self.end(Container::Object)?,
                (b']', Next::ValueOrEnd | Next::CommaOrEnd) => self.end(Container::Array)?,
                (b',', Next::CommaOrEnd) => {
                    self.at += 1;
                    self.next = if self.open.last() == Some(&Container::Object) { Next::Key } else { Next::Value };
                }
                (b':', Next::Colon) => {
                    self.at += 1;
                    self.next = Next::Value;
                }
                (b'"', Next::Key | Next::KeyOrEnd) => {
                    self.string()?;
                    self.next = Next::Colon;
                }
                (b'"', _) if is_value => match self.string()? {
                    Token::Whole => self.value_ended(),
                    Token::Cut(end) => {
                        self.end = end;
                        in_string = true;
                    }
                },
                _ if is_value => {
                    if let Token::Whole = self.scalar()? {
                        self.value_ended();
                    }
                }
                _ => return None,
            }
        }
        Some(Cut { end: self.end, in_string, open: self.open })
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn begin(&mut self, container: Container, next: Next) {
        self.at += 1;
        self.end = self.at;
        self.open.push(container);
        self.next = next;
    }

    fn end(&mut self, container: Container) -> Option<()> {
        if self.open.pop()? != container {
            return None;
        }
        self.at += 1;
        self.value_ended();
        Some(())
    }

    fn value_ended(&mut self) {
        self.end = self.at;
        self.next = if self.open.is_empty() { Next::Nothing } else { Next::CommaOrEnd };
    }

    /// Reads a string from its first quote on. One that is cut can be kept up to its last whole character.
    fn string(&mut self) -> Option<Token> {
        self.at += 1;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => {
                    self.at += 1;
                    return Some(Token::Whole);
                }
                b'\\' => match self.escape()? {
                    Token::Whole => {}
                    cut => return Some(cut),
                },
                0..0x20 => return None,
                _ => self.at += 1,
            }
        }
        Some(Token::Cut(self.at))
    }

    /// Reads an escape, and where it is the first half of a character, the second, too.
    fn escape(&mut self) -> Option<Token> {
        let begin = self.at;
        let Some(first) = self.escape_unit()? else { return Some(self.cut_at(begin)) };
        if !matches!(first, 0xD800..0xDC00) {
            return Some(Token::Whole);
        }
        match self.peek() {
            None => Some(self.cut_at(begin)),
            Some(b'\\') => Some(if self.escape_unit()?.is_some() { Token::Whole } else { self.cut_at(begin) }),
            Some(_) => None,
        }
    }

    /// Reads one escape and gives its UTF-16 unit, or 0 where it is a letter's; nothing where it is cut.
    fn escape_unit(&mut self) -> Option<Option<u32>> {
        let rest = &self.text.as_bytes()[self.at + 1..];
        match rest.first() {
            None => Some(None),
            Some(b'u') => {
                let digits = &rest[1..rest.len().min(5)];
                if !digits.iter().all(u8::is_ascii_hexdigit) {
                    return None;
                }
                self.at += 2 + digits.len();
                let digits = std::str::from_utf8(digits).ok().filter(|digits| digits.len() == 4);
                Some(digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()))
            }
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.at += 2;
                Some(Some(0))
            }
            Some(_) => None,
        }
    }

    /// Passes over what is left of the text.
    fn cut_at(&mut self, end: usize) -> Token {
        self.at = self.text.len();
        Token::Cut(end)
    }

    /// Reads a number, `true`, `false` or `null`.
    fn scalar(&mut self) -> Option<Token> {
        let rest = &self.text[self.at..];
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        let length = rest.bytes().position(|byte| !is_part(byte)).unwrap_or(rest.len());
        let (token, begin) = (&rest[..length], self.at);
        self.at += length;
        match ["true", "false", "null"].into_iter().find(|word| word.starts_with(token)) {
            _ if token.is_empty() => None,
            Some(word) if word == token => Some(Token::Whole),
            Some(_) => (length == rest.len()).then_some(Token::Cut(begin)),
            // More of a number may come, and it may be half of one.
            None if length == rest.len() => is_number_begun(token).then_some(Token::Cut(begin)),
            None => is_number(token).then_some(Token::Whole),
        }
    }
}

fn is_number(token: &str) -> bool {
    serde_json::from_str::<serde_json::Number>(token).is_ok()
}

/// Whether the token is a number, or the beginning of one.
fn is_number_begun(token: &str) -> bool {
    is_number(token) || is_number(&format!("{token}0"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn none(texts: &[&str]) {
        for text in texts {
            assert_eq!(partial(text), None, "{text}");
        }
    }

    #[test]
    fn strings_are_there_as_far_as_they_go_and_keys_are_not() {
        for text in [r#"{"#, r#"{ "#, r#"{"a"#, r#"{"a""#, r#"{"a" :"#, r#"{"a": "#] {
            assert_eq!(partial(text), Some(json!({})), "{text}");
        }
        assert_eq!(partial(r#"{"a":""#), Some(json!({"a": ""})));
        assert_eq!(partial(r#"{"a": "x, }"#), Some(json!({"a": "x, }"})));
        assert_eq!(partial(r#"{"a": "x", "b"#), Some(json!({"a": "x"})));
        assert_eq!(partial(r#"["x", "#), Some(json!(["x"])));
        assert_eq!(partial(r#""ab"#), Some(json!("ab")));
        assert_eq!(partial(r#"[[], [{"a": ["x"#), Some(json!([[], [{"a": ["x"]}]])));
    }

    #[test]
    fn what_may_go_on_is_not_there_yet() {
        for number in ["1", "-", "-0", "1.", "1.5", "1e", "1e+", "1E-7", "12345678901234567890123"] {
            assert_eq!(partial(&format!("[true, {number}")), Some(json!([true])), "{number}");
            assert_eq!(partial(number), None);
        }
        assert_eq!(partial("[1.5 "), Some(json!([1.5])));
        assert_eq!(partial("[1,"), Some(json!([1])));
        for word in ["t", "tru", "f", "fals", "n", "nul"] {
            assert_eq!(partial(&format!(r#"{{"a": {word}"#)), Some(json!({})), "{word}");
        }
        assert_eq!(partial(r#"{"a": null"#), Some(json!({"a": null})));
        assert_eq!(partial("false"), Some(json!(false)));
    }

    #[test]
    fn characters_are_there_whole_or_not_at_all() {
        for cut in ["\\", "\\u", "\\u0", "\\u004", "\\ud83d", "\\ud83d\\", "\\ud83d\\u", "\\ud83d\\ude0"] {
            assert_eq!(partial(&format!("[\"a{cut}")), Some(json!(["a"])), "{cut}");
            assert_eq!(partial(&format!("{{\"a{cut}")), Some(json!({})), "{cut}");
        }
        assert_eq!(partial(r#"["a\u0042"#), Some(json!(["aB"])));
        assert_eq!(partial(r#"["a\ud83d\ude00"#), Some(json!(["a😀"])));
        assert_eq!(partial(r#"["ä\"\\"#), Some(json!(["ä\"\\"])));
    }

    #[test]
    fn what_is_no_beginning_of_json_is_nothing() {
        none(&[
            "", "  ", "no JSON", "{a", "{'a'", "{1", "{,", "[,", "{\"a\",", "{\"a\" 1", "{\"a\":,", "{\"a\":}", "]",
        ]);
        none(&[
            "{\"a\":1,}",
            "[1,]",
            "[1}",
            "{]",
            "{} {",
            "[] 1",
            "\"a\" \"",
            "{\"a\":1 2",
            "{\"a\":\"x\" \"y\"",
            "[:",
        ]);
        none(&["[01", "[--1", "[1.5.", "[1ex", "[.5", "[+1", "[truth", "[nil", "[tr ", "[1e999,", "[ä"]);
        none(&["[\"\\q", "[\"\\u00g", "[\"\n", "[\"\\ud83dx", "[\"\\ud83d\\n", "[\"\\ud83d\\u0041\"", "[\"\\ude00\""]);
    }

    #[test]
    fn what_is_whole_is_the_value_itself() {
        for text in [r#" {"a": [1, -2.5e3, true, null, "\u00e4\n", {}], "b": {"c": []}} "#, "[]", "\"x\"", "{} "] {
            assert_eq!(partial(text), serde_json::from_str(text).ok(), "{text}");
        }
    }

    #[test]
    fn depth_and_time_are_bounded() {
        assert!(partial(&"[".repeat(100)).is_some());
        for deep in ["[", "{\"a\":", "[{\"a\":"] {
            assert_eq!(partial(&deep.repeat(1_000_000)), None);
        }
        let long = format!("[\"{}", "\\u0041".repeat(500_000));
        assert!(partial(&long).is_some_and(|value| value[0].as_str().is_some_and(|text| text.len() == 500_000)));
    }
}
