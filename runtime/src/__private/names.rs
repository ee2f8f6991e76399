//! The names of tools in `tools![]`, looked at while the program is compiled.

use std::marker::PhantomData;

/// The longest message that is put together here: one with a longer name is told without it.
const LONGEST: usize = 512;

/// A tool whose name is known when it is compiled: what `#[tool]` makes.
pub trait NamedTool {
    /// The name, as models see it.
    const NAME: &'static str;
}

/// The name of a tool. Lookup passes over a type that is no tool: it has its error elsewhere.
pub struct NameOf<T>(PhantomData<fn() -> T>);

impl<T: NamedTool> NameOf<T> {
    /// Its name.
    pub const NAME: &'static str = T::NAME;
}

/// What is no tool.
pub trait Nameless {
    /// No name.
    const NAME: &'static str = "";
}

impl<T> Nameless for NameOf<T> {}

/// Refuses a list in which two tools have one name.
///
/// # Panics
///
/// When two do: while the program is compiled, as a constant.
#[expect(clippy::panic, reason = "a panic in a constant is an error of the compiler's")]
pub const fn check_names(names: &[&str]) {
    let mut later = 1;
    while later < names.len() {
        let mut earlier = 0;
        while earlier < later {
            if !names[later].is_empty() && is_same(names[earlier].as_bytes(), names[later].as_bytes()) {
                let mut message = Message { text: [0; LONGEST], len: 0 };
                message.add("two of the tools are named `");
                message.add(names[later]);
                message.add("`; give one another name, with `#[tool(name = \"…\")]`");
                panic!("{}", message.text());
            }
            earlier += 1;
        }
        later += 1;
    }
}

/// Names mostly differ at their ends: the compiler gives up on constants that take it too many steps.
const fn is_same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut left = one.len();
    while left > 0 && one[left - 1] == other[left - 1] {
        left -= 1;
    }
    left == 0
}

/// A text that grows while the program is compiled.
struct Message {
    text: [u8; LONGEST],
    len: usize,
}

impl Message {
    /// Adds a text, if there is room.
    const fn add(&mut self, text: &str) {
        let bytes = text.as_bytes();
        if self.len + bytes.len() > LONGEST {
            return;
        }
        let mut at = 0;
        while at < bytes.len() {
            self.text[self.len] = bytes[at];
            self.len += 1;
            at += 1;
        }
    }

    const fn text(&self) -> &str {
        match std::str::from_utf8(self.text.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "two of the tools have one name",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_and_what_has_none_pass() {
        check_names(&[]);
        check_names(&["a", "ab", "b", "", ""]);
    }

    #[test]
    #[should_panic(expected = "two of the tools are named `ab`; give one another name")]
    fn a_name_that_two_have_is_told() {
        check_names(&["a", "ab", "c", "ab"]);
    }
}
