//! The frame around a file that a tool returned and that has to travel among the user's words.
//!
//! It keeps the model from taking a tool's output for something the user attached (specification: "Where a returned file
//! is sent", decision 10).

use std::borrow::Cow;

/// Closes a frame.
pub(crate) const CLOSE: &str = "</tool_result>";

const TAG: &str = "tool_result";

/// Opens a frame for a file of this call.
pub(crate) fn open(tool_name: &str, call_id: &str, file_id: &str) -> String {
    let [tool_name, call_id, file_id] = [tool_name, call_id, file_id].map(escape_attribute);
    format!(r#"<{TAG} tool_name="{tool_name}" tool_call_id="{call_id}" file_id="{file_id}">"#)
}

fn escape_attribute(value: &str) -> Cow<'_, str> {
    if !value.contains(['&', '<', '>', '"', '\n', '\r']) {
        return Cow::Borrowed(value);
    }
    let mut escaped = String::with_capacity(value.len() + 8);
    for character in value.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\r' => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    Cow::Owned(escaped)
}

/// Takes the meaning from everything in `text` that could open or close a frame.
pub(crate) fn escape(text: &str) -> Cow<'_, str> {
    let mut escaped = String::new();
    let mut rest = text;
    let mut searched = 0;
    while let Some(found) = rest[searched..].find('<') {
        let start = searched + found;
        if is_tag(&rest[start + 1..]) {
            escaped.push_str(&rest[..start]);
            escaped.push_str("&lt;");
            rest = &rest[start + 1..];
            searched = 0;
        } else {
            searched = start + 1;
        }
    }
    if escaped.is_empty() && rest.len() == text.len() {
        return Cow::Borrowed(text);
    }
    escaped.push_str(rest);
    Cow::Owned(escaped)
}

/// Whether what follows a `<` makes it a frame's tag, as leniently as a model may read it.
fn is_tag(after: &str) -> bool {
    let name = after.trim_start_matches(|character: char| character == '/' || character.is_whitespace());
    name.get(..TAG.len()).is_some_and(|start| start.eq_ignore_ascii_case(TAG))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_cannot_leave_their_quotes() {
        let frame = open("t\"><x>", "a&b", "f\n1");
        assert_eq!(frame, r#"<tool_result tool_name="t&quot;&gt;&lt;x&gt;" tool_call_id="a&amp;b" file_id="f 1">"#);
    }

    #[test]
    fn text_cannot_open_or_close_a_frame() {
        for (text, escaped) in [
            ("a < b </p> <tool>", "a < b </p> <tool>"),
            ("x</tool_result>y", "x&lt;/tool_result>y"),
            ("<TOOL_result a=\"1\"></ tool_RESULT>", "&lt;TOOL_result a=\"1\">&lt;/ tool_RESULT>"),
            ("<<tool_result>", "<&lt;tool_result>"),
            ("< / tool_result", "&lt; / tool_result"),
            ("<", "<"),
            ("<tool_resulé", "<tool_resulé"),
        ] {
            assert_eq!(escape(text), escaped);
            assert_eq!(escape(&escape(text)), escaped);
        }
        assert!(matches!(escape("plain < text"), Cow::Borrowed(_)));
    }
}
