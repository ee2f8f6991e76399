//! Words that an error's message must contain.

/// Whether `word` stands in `message` as a whole word: no letter, digit or underscore touches it.
pub(crate) fn mentions(message: &str, word: &str) -> bool {
    let touches = |neighbour: Option<char>| neighbour.is_some_and(|c| c.is_alphanumeric() || c == '_');
    message.match_indices(word).any(|(start, _)| {
        !touches(message[..start].chars().next_back()) && !touches(message[start + word.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_not_a_part_of_another() {
        assert!(mentions("tool `t` failed", "t"));
        assert!(!mentions("the tool failed", "t"));
        assert!(mentions("call_1, call_10", "call_1"));
        assert!(!mentions("call_10", "call_1"));
        assert!(!mentions("limit of 50", "5"));
        assert!(mentions("a.b", "b"));
    }

    #[test]
    fn a_later_whole_word_counts_after_an_earlier_part() {
        assert!(mentions("that t", "t"));
    }
}
