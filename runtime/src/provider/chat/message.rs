//! The messages of a conversation as Chat Completions wants them (specification: behaviours 13 and 14).

use std::borrow::Cow;

use super::ChatForm;
use super::content::{append_file, unreadable, unsendable};
use super::decode::{TAGGED, THOUGHT_FIELDS};
use super::detail::Detail;
use super::profile::{CachePoints, ThoughtForm};
use super::think::tagged;
use crate::json::append;
use crate::message::{CacheTtl, File, ThinkingPart};
use crate::provider::cache::append_cache_control;
use crate::provider::dialogue::{Dialogue, Said};

/// Where thoughts go back that all have to go back.
const REASONING_CONTENT: &str = THOUGHT_FIELDS[1];

impl Dialogue for ChatForm {
    fn provider(&self) -> &str {
        self.system
    }

    fn system_role(&self) -> &str {
        self.profile.system_role.as_str()
    }

    fn takes_system_messages(&self) -> bool {
        self.profile.system_messages
    }

    fn append_cache_point(&self) -> Option<fn(&mut Vec<u8>, CacheTtl)> {
        match self.profile.cache_points {
            CachePoints::Never => None,
            CachePoints::Marks => Some(|out, _| out.extend_from_slice(br#","cache_control":{"type":"ephemeral"}"#)),
            CachePoints::LastingMarks => Some(append_cache_control),
        }
    }

    fn append_assistant(&self, out: &mut Vec<u8>, said: &Said<'_>) {
        let thoughts = |field| said.thoughts.iter().filter(move |part| self.field_of(part) == Some(field));
        out.extend_from_slice(br#"{"role":"assistant""#);
        for field in THOUGHT_FIELDS {
            let told: Vec<_> = thoughts(field).map(|part| part.content.as_str()).collect();
            if !told.is_empty() || (!said.calls.is_empty() && self.needs(field)) {
                append_field(out, field, &told.join("\n\n"));
            }
        }
        if self.profile.thoughts == ThoughtForm::Details {
            let details: Vec<_> = said.thoughts.iter().filter_map(|part| Detail::of(part)).collect();
            if !details.is_empty() {
                out.extend_from_slice(br#","reasoning_details":"#);
                append(out, &details);
            }
        }
        let tagged = thoughts(TAGGED).map(|part| Cow::Owned(tagged(&part.content)));
        let texts: Vec<_> = tagged.chain(said.texts.iter().copied().map(Cow::Borrowed)).collect();
        if !texts.is_empty() {
            append_field(out, "content", &texts.join("\n\n"));
        }
        if !said.calls.is_empty() {
            out.extend_from_slice(br#","tool_calls":"#);
            said.append_calls(out, "");
        }
        out.extend_from_slice(b"},");
    }

    fn unreadable(&self, file: &File) -> Option<Cow<'static, str>> {
        unreadable(file, &self.profile)
    }

    fn unsendable(&self, file: &File) -> Option<Cow<'static, str>> {
        unsendable(file, &self.profile)
    }

    fn append_file(&self, out: &mut Vec<u8>, file: &File, in_frame: bool) {
        append_file(out, file, in_frame);
    }
}

impl ChatForm {
    /// The field in which thoughts go back, which may be that of text.
    fn field_of(&self, part: &ThinkingPart) -> Option<&'static str> {
        if part.content.is_empty() {
            return None;
        }
        match self.profile.thoughts {
            ThoughtForm::Tags => Some(TAGGED),
            ThoughtForm::ReasoningContent => Some(REASONING_CONTENT),
            ThoughtForm::AsTheyCame | ThoughtForm::Details => {
                THOUGHT_FIELDS.into_iter().chain([TAGGED]).find(|field| part.id.as_deref() == Some(field))
            }
        }
    }

    /// Whether a response with calls must have a field, thoughts or not.
    fn needs(&self, field: &str) -> bool {
        let thinks = self.profile.reasoning.is_possible();
        thinks && self.profile.thoughts == ThoughtForm::ReasoningContent && field == REASONING_CONTENT
    }
}

fn append_field(out: &mut Vec<u8>, name: &str, text: &str) {
    out.push(b',');
    append(out, name);
    out.push(b':');
    append(out, text);
}
