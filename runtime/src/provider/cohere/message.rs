//! The messages of a conversation as Cohere wants them: before it calls, an assistant has a plan.

use std::borrow::Cow;

use super::SYSTEM;
use super::decode::tool_plan;
use super::profile::CohereProfile;
use crate::json::append;
use crate::message::File;
use crate::provider::body::append_list;
use crate::provider::dialogue::content::{append_image, append_text};
use crate::provider::dialogue::{Dialogue, Said};

impl Dialogue for CohereProfile {
    fn provider(&self) -> &str {
        SYSTEM
    }

    fn append_assistant(&self, out: &mut Vec<u8>, said: &Said<'_>) {
        out.extend_from_slice(br#"{"role":"assistant""#);
        let mut content = Vec::new();
        if !said.thoughts.is_empty() {
            let thoughts: Vec<_> = said.thoughts.iter().map(|part| part.content.as_str()).collect();
            content.extend_from_slice(br#"{"type":"thinking","thinking":"#);
            append(&mut content, &thoughts.join("\n\n"));
            content.extend_from_slice(b"},");
        }
        if !said.texts.is_empty() {
            append_text(&mut content, &said.texts.join("\n\n"));
        }
        if !content.is_empty() {
            out.extend_from_slice(br#","content":"#);
            append_list(out, &content);
        }
        if !said.calls.is_empty() {
            if let Some(plan) = said.details_of(SYSTEM).and_then(tool_plan) {
                out.extend_from_slice(br#","tool_plan":"#);
                append(out, &plan);
            }
            out.extend_from_slice(br#","tool_calls":"#);
            said.append_calls(out, "");
        }
        out.extend_from_slice(b"},");
    }

    fn unreadable(&self, file: &File) -> Option<Cow<'static, str>> {
        self.unreadable(file)
    }

    fn append_file(&self, out: &mut Vec<u8>, file: &File, _in_frame: bool) {
        append_image(out, file);
    }
}
