//! Thoughts that stand among a model's words, between tags.

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// A piece of what a model said.
#[derive(Debug, PartialEq)]
pub(super) enum Piece {
    Text(String),
    Thought(String),
    /// The thoughts before this are at their end.
    End,
}

/// Tells thoughts from text while the words come in, wherever they are cut.
#[derive(Default)]
pub(super) struct ThinkTags {
    thinks: bool,
    /// What may be the beginning of a tag.
    held: String,
}

impl ThinkTags {
    /// The pieces that are certain with these words.
    pub(super) fn split(&mut self, words: &str) -> Vec<Piece> {
        let mut words = std::mem::take(&mut self.held) + words;
        let mut pieces = Vec::new();
        while let Some(at) = words.find(self.tag()) {
            let rest = words.split_off(at + self.tag().len());
            words.truncate(at);
            self.push(&mut pieces, words);
            if self.thinks {
                pieces.push(Piece::End);
            }
            self.thinks = !self.thinks;
            words = rest;
        }
        self.held = words.split_off(words.len() - begun(self.tag(), &words));
        self.push(&mut pieces, words);
        pieces
    }

    /// What was held back, when no more words come.
    pub(super) fn rest(&mut self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let held = std::mem::take(&mut self.held);
        self.push(&mut pieces, held);
        pieces
    }

    fn tag(&self) -> &'static str {
        if self.thinks { CLOSE } else { OPEN }
    }

    fn push(&self, pieces: &mut Vec<Piece>, words: String) {
        if !words.is_empty() {
            pieces.push(if self.thinks { Piece::Thought(words) } else { Piece::Text(words) });
        }
    }
}

/// How many of the last bytes of `words` may be the beginning of `tag`.
fn begun(tag: &str, words: &str) -> usize {
    (1..tag.len()).rev().find(|length| words.ends_with(&tag[..*length])).unwrap_or_default()
}

/// Appends thoughts as tagged words.
pub(super) fn tagged(thoughts: &str) -> String {
    format!("{OPEN}\n{thoughts}\n{CLOSE}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(words: &[&str]) -> Vec<Piece> {
        let mut tags = ThinkTags::default();
        let mut pieces: Vec<_> = words.iter().flat_map(|words| tags.split(words)).collect();
        pieces.extend(tags.rest());
        pieces
    }

    fn text(words: &str) -> Piece {
        Piece::Text(words.to_owned())
    }

    fn thought(words: &str) -> Piece {
        Piece::Thought(words.to_owned())
    }

    #[test]
    fn thoughts_are_told_from_text() {
        for (words, expected) in [
            ("plain", vec![text("plain")]),
            ("<think>\nhm\n</think>\n\n4", vec![thought("\nhm\n"), Piece::End, text("\n\n4")]),
            ("a<think>b</think><think>c</think>", vec![text("a"), thought("b"), Piece::End, thought("c"), Piece::End]),
            ("<think></think>4", vec![Piece::End, text("4")]),
            ("<think>cut off", vec![thought("cut off")]),
            ("4 </think> < 5 <thin", vec![text("4 </think> < 5 "), text("<thin")]),
            ("", vec![]),
        ] {
            assert_eq!(all(&[words]), expected, "{words}");
        }
    }

    #[test]
    fn it_is_the_same_wherever_words_are_cut() {
        let words = "ü<think>é</think>ö<<think>x</thin</think>";
        let joined = |pieces: Vec<Piece>| {
            pieces.into_iter().fold(Vec::new(), |mut all, piece| {
                match (all.last_mut(), piece) {
                    (Some(Piece::Text(last)), Piece::Text(more))
                    | (Some(Piece::Thought(last)), Piece::Thought(more)) => {
                        last.push_str(&more);
                    }
                    (_, piece) => all.push(piece),
                }
                all
            })
        };
        let whole = joined(all(&[words]));
        assert_eq!(whole, [text("ü"), thought("é"), Piece::End, text("ö<"), thought("x</thin"), Piece::End]);
        for (at, _) in words.char_indices() {
            assert_eq!(joined(all(&[&words[..at], &words[at..]])), whole, "at {at}");
        }
        let letters: Vec<_> = words.split("").collect();
        assert_eq!(joined(all(&letters)), whole);
    }
}
