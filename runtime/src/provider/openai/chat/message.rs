//! The messages of a conversation as Chat Completions wants them (specification: behaviours 13 and 14).

use std::borrow::Cow;

use super::content::{append_file, unreadable, unsendable};
use super::profile::OpenAiChatProfile;
use crate::json::append;
use crate::message::File;
use crate::provider::dialogue::{Dialogue, Said};
use crate::provider::openai::{SYSTEM, THOUGHT_FIELDS};

impl Dialogue for OpenAiChatProfile {
    fn provider(&self) -> &str {
        SYSTEM
    }

    fn system_role(&self) -> &str {
        self.system_role.as_str()
    }

    fn append_assistant(&self, out: &mut Vec<u8>, said: &Said<'_>) {
        out.extend_from_slice(br#"{"role":"assistant""#);
        for field in THOUGHT_FIELDS {
            let told = said.thoughts.iter().filter(|part| part.id.as_deref() == Some(field));
            let told: Vec<_> = told.map(|part| part.content.as_str()).collect();
            if !told.is_empty() {
                append_field(out, field, &told.join("\n\n"));
            }
        }
        if !said.texts.is_empty() {
            append_field(out, "content", &said.texts.join("\n\n"));
        }
        if !said.calls.is_empty() {
            out.extend_from_slice(br#","tool_calls":"#);
            said.append_calls(out, "");
        }
        out.extend_from_slice(b"},");
    }

    fn unreadable(&self, file: &File) -> Option<Cow<'static, str>> {
        unreadable(file, self)
    }

    fn unsendable(&self, file: &File) -> Option<Cow<'static, str>> {
        unsendable(file, self)
    }

    fn append_file(&self, out: &mut Vec<u8>, file: &File, in_frame: bool) {
        append_file(out, file, in_frame);
    }
}

fn append_field(out: &mut Vec<u8>, name: &str, text: &str) {
    out.push(b',');
    append(out, name);
    out.push(b':');
    append(out, text);
}
