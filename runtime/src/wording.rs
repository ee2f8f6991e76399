//! How errors quote what others have said.

use std::borrow::Cow;

/// The first `longest` characters of a text, with a mark where more was left out.
pub(crate) fn shortened(text: &str, longest: usize) -> Cow<'_, str> {
    match text.char_indices().nth(longest) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// Names, each in backticks; `none` where there are none.
pub(crate) fn listed<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let quoted: Vec<_> = names.into_iter().map(|name| format!("`{name}`")).collect();
    if quoted.is_empty() { "none".to_owned() } else { quoted.join(", ") }
}
