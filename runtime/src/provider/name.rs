//! Names and ids of the user's as a provider takes them, and back (decision 8).

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Write;

use sha2::{Digest, Sha256};

use crate::error::{Error, Result};
use crate::model::ModelInput;
use crate::tool::ToolDefinition;

/// The most characters of a tool's name.
const LONGEST_NAME: usize = 64;
/// The most characters of a call's id.
const LONGEST_ID: usize = 40;

/// Which names of tools a provider takes: letters and digits of ASCII, and some more.
pub(crate) struct NameRule {
    /// What may stand in a name besides letters and digits; an underscore may in any case.
    pub(crate) punctuation: &'static [u8],
    /// Whether a name may begin with something else than a letter or an underscore.
    pub(crate) begins_with_any: bool,
}

impl NameRule {
    /// What most providers take.
    pub(crate) const COMMON: Self = Self { punctuation: b"_-", begins_with_any: true };

    /// The name of a tool as it is sent: itself if the provider takes it, else a stand-in that always is the same and, by its
    /// digest, nobody else's.
    pub(crate) fn wire<'n>(&self, name: &'n str) -> Cow<'n, str> {
        let begins = |byte: u8| self.begins_with_any || byte.is_ascii_alphabetic() || byte == b'_';
        let begins_well = name.bytes().next().is_some_and(begins);
        if begins_well && name.len() <= LONGEST_NAME && name.bytes().all(|byte| self.fits(byte)) {
            return Cow::Borrowed(name);
        }
        let digest = digest(name, 0);
        let fits = |character| u8::try_from(character).is_ok_and(|byte| self.fits(byte));
        let kept = |character| if fits(character) { character } else { '_' };
        let lead = (!begins_well).then_some('_');
        let readable = lead.into_iter().chain(name.chars().map(kept)).take(LONGEST_NAME - 1 - digest.len());
        Cow::Owned(readable.chain(['_']).chain(digest.chars()).collect())
    }

    /// Whether a name may have this character. By bytes: every request asks this of every tool.
    fn fits(&self, byte: u8) -> bool {
        byte.is_ascii_alphanumeric() || self.punctuation.contains(&byte)
    }
}

/// The name of a tool as most providers are sent it; see [`NameRule::wire`].
pub(crate) fn wire_name(name: &str) -> Cow<'_, str> {
    NameRule::COMMON.wire(name)
}

/// The id of a call as it is sent; `earlier` calls of the same response have the same id, and must not be taken for it.
pub(crate) fn wire_id(id: &str, earlier: usize) -> Cow<'_, str> {
    if earlier == 0 && !id.is_empty() && id.len() <= LONGEST_ID {
        return Cow::Borrowed(id);
    }
    Cow::Owned(id_stand_in(id, earlier))
}

/// The id of a call like [`wire_id`], for an API whose ids have the characters of names.
pub(crate) fn plain_wire_id(id: &str, earlier: usize) -> Cow<'_, str> {
    if id.bytes().all(|byte| NameRule::COMMON.fits(byte)) {
        wire_id(id, earlier)
    } else {
        Cow::Owned(id_stand_in(id, earlier))
    }
}

/// The id of a call like [`wire_id`], for an API whose ids have nine letters or digits.
pub(crate) fn nine_character_id(id: &str, earlier: usize) -> Cow<'_, str> {
    const LENGTH: usize = 9;
    if earlier == 0 && id.len() == LENGTH && id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Cow::Borrowed(id);
    }
    const CHARACTERS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let character = |byte: &u8| char::from(CHARACTERS[usize::from(*byte) % CHARACTERS.len()]);
    Cow::Owned(hashed(id, earlier).iter().take(LENGTH).map(character).collect())
}

/// The id of a call that nobody made, by what makes it the one it is.
pub(crate) fn made_up_id<'a>(about: impl Iterator<Item = &'a str>) -> String {
    id_stand_in(&about.collect::<Vec<_>>().join("\0"), 0)
}

fn id_stand_in(id: &str, earlier: usize) -> String {
    format!("call_{}{}", digest(id, earlier), digest(id, earlier + 1))
}

fn digest(text: &str, salt: usize) -> String {
    hashed(text, salt).iter().take(8).fold(String::with_capacity(16), |mut digits, byte| {
        // Writing to a string does not fail.
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

fn hashed(text: &str, salt: usize) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(text);
    hasher.update(salt.to_be_bytes());
    hasher.finalize().into()
}

/// The stand-ins among the tools of one request.
pub(crate) struct WireNames<'a>(Vec<(String, &'a str)>);

impl<'a> WireNames<'a> {
    /// Those of a request, with the tools that are hidden: a provider that searches may find them.
    ///
    /// # Errors
    ///
    /// Misuse, when a tool is called what another one's stand-in would be.
    pub(crate) fn of_input(input: &'a ModelInput) -> Result<Self> {
        Self::of(input.tools().chain(input.hidden_tools.iter()))
    }

    /// Those of `tools`.
    ///
    /// # Errors
    ///
    /// Misuse, when a tool is called what another one's stand-in would be.
    pub(crate) fn of(tools: impl Iterator<Item = &'a ToolDefinition> + Clone) -> Result<Self> {
        Self::by(&NameRule::COMMON, tools)
    }

    /// Those of `tools` for a provider with a rule of its own.
    ///
    /// # Errors
    ///
    /// Misuse, when a tool is called what another one's stand-in would be.
    pub(crate) fn by(rule: &NameRule, tools: impl Iterator<Item = &'a ToolDefinition> + Clone) -> Result<Self> {
        let mut names = Vec::new();
        for tool in tools.clone() {
            if let Cow::Owned(stand_in) = rule.wire(tool.name()) {
                names.push((stand_in, tool.name()));
            }
        }
        // A name that is taken is that of a tool that is sent as it is called: stand-ins are told apart by their digests.
        let taken: HashSet<&str> =
            if names.is_empty() { HashSet::new() } else { tools.map(ToolDefinition::name).collect() };
        match names.iter().find(|(stand_in, _)| taken.contains(stand_in.as_str())) {
            Some((stand_in, name)) => Err(Error::misuse(format!(
                "the tool `{name}` has to be sent to this provider as `{stand_in}`, as which another tool is sent; rename one \
                 of them"
            ))),
            None => Ok(Self(names)),
        }
    }

    /// The tool's own name for one that a model used.
    pub(crate) fn original<'n>(&'n self, wire: &'n str) -> &'n str {
        self.0.iter().find(|(stand_in, _)| stand_in == wire).map_or(wire, |(_, name)| name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_fit_stay() {
        for name in ["a", "get-Weather_2", &"n".repeat(64)] {
            assert!(matches!(wire_name(name), Cow::Borrowed(same) if same == name));
        }
    }

    #[test]
    fn stand_ins_fit_differ_and_are_mapped_back() {
        let long = "n".repeat(80);
        let names = ["日本", "a.b", "a b", "a_b", "", &long, &long[..79]];
        let tools: Vec<_> = names.iter().map(|name| ToolDefinition::new(*name)).collect();
        let mut sent: Vec<_> = names.iter().map(|name| wire_name(name).into_owned()).collect();
        let back = WireNames::of(tools.iter()).expect("no two are the same");
        for (wire, name) in sent.iter().zip(names) {
            assert!((1..=64).contains(&wire.len()) && matches!(wire_name(wire), Cow::Borrowed(_)), "{wire}");
            assert_eq!(back.original(wire), name);
        }
        sent.sort();
        sent.dedup();
        assert_eq!(sent.len(), names.len());
        assert_eq!(wire_name("a.b"), wire_name("a.b"));
        assert_eq!(back.original("nobody"), "nobody");
    }

    #[test]
    fn rules_differ() {
        let rule = NameRule { punctuation: b"_-.:", begins_with_any: false };
        for name in ["a.b", "_x:y", "T-1"] {
            assert!(matches!(rule.wire(name), Cow::Borrowed(same) if same == name));
        }
        for name in ["9lives", "-a", ".a", "", "日本", &"9".repeat(80)] {
            let wire = rule.wire(name);
            assert!((2..=64).contains(&wire.len()) && matches!(rule.wire(&wire), Cow::Borrowed(_)), "{wire}");
        }
        assert!(rule.wire("9lives").starts_with("_9lives_"));
    }

    #[test]
    fn a_tool_that_takes_a_stand_in_is_refused() {
        let tools = [ToolDefinition::new("a.b"), ToolDefinition::new(wire_name("a.b").into_owned())];
        assert!(WireNames::of(tools.iter()).is_err());
    }

    #[test]
    fn nine_characters_are_enough_for_an_id() {
        assert!(matches!(nine_character_id("abcDEF123", 0), Cow::Borrowed("abcDEF123")));
        let ids = [("abcDEF123", 1), ("abcDEF12-", 0), ("call_1", 0), ("call_1", 1), ("", 0), ("ééééa", 0)];
        let sent = ids.map(|(id, earlier)| nine_character_id(id, earlier));
        for (index, id) in sent.iter().enumerate() {
            assert!(matches!(nine_character_id(id, 0), Cow::Borrowed(_)), "{id}");
            assert!(!sent[..index].contains(id), "{id}");
        }
        assert_eq!(nine_character_id("call_1", 0), sent[2]);
    }

    #[test]
    fn ids_fit_and_differ_within_a_response() {
        assert_eq!(wire_id("call_1", 0), "call_1");
        let ids = [wire_id("call_1", 0), wire_id("call_1", 1), wire_id("call_1", 2), wire_id("", 0), wire_id("", 1)];
        for (index, id) in ids.iter().enumerate() {
            assert!(!id.is_empty() && id.len() <= LONGEST_ID && !ids[..index].contains(id), "{id}");
        }
        let long = "x".repeat(41);
        assert!(wire_id(&long, 0).len() <= LONGEST_ID);
        assert_eq!(wire_id(&long, 0), wire_id(&long, 0));
    }
}
