//! How errors quote what others have said.

use std::borrow::Cow;

/// The most bytes of a name that may be another one with a slip of the pen.
const LONGEST_SLIP: usize = 100;

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

/// The name that is likely meant.
pub(crate) fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let (distance, meant) =
        known.iter().map(|other| (distance(name, other), *other)).min_by_key(|(distance, _)| *distance)?;
    (distance <= meant.chars().count().div_ceil(3)).then_some(meant)
}

/// How many letters have to be put in, left out or changed to get from one name to the other; case does not count.
fn distance(from: &str, to: &str) -> usize {
    // Longer ones are no slips of the pen.
    if from.len() > LONGEST_SLIP {
        return usize::MAX;
    }
    let to: Vec<char> = to.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (taken, letter) in from.to_lowercase().chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = taken + 1;
        for (index, other) in to.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *other);
            diagonal = row[index + 1];
            row[index + 1] = changed.min(diagonal + 1).min(row[index] + 1);
        }
    }
    row[to.len()]
}
