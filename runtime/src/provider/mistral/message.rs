//! The messages of a conversation as Mistral wants them: what an assistant says is a list of chunks.

use std::borrow::Cow;

use super::SYSTEM;
use super::profile::MistralProfile;
use crate::message::{File, FileClass};
use crate::provider::body::append_list;
use crate::provider::dialogue::content::{append_image, append_text, append_text_file, append_url};
use crate::provider::dialogue::{Dialogue, Said};
use crate::provider::file::is_text;
use crate::provider::name::nine_character_id;

impl Dialogue for MistralProfile {
    const INTERJECTION: &'static [u8] = br#"{"role":"assistant","content":[{"type":"text","text":"OK"}]},"#;

    fn provider(&self) -> &str {
        SYSTEM
    }

    fn wire_id(id: &str, earlier: usize) -> Cow<'_, str> {
        nine_character_id(id, earlier)
    }

    fn append_assistant(&self, out: &mut Vec<u8>, said: &Said<'_>) {
        let mut chunks = Vec::new();
        if !said.thoughts.is_empty() {
            chunks.extend_from_slice(br#"{"type":"thinking","thinking":["#);
            for thought in &said.thoughts {
                append_text(&mut chunks, &thought.content);
            }
            chunks.pop();
            chunks.extend_from_slice(b"]},");
        }
        for text in &said.texts {
            append_text(&mut chunks, text);
        }
        out.extend_from_slice(br#"{"role":"assistant","content":"#);
        append_list(out, &chunks);
        out.extend_from_slice(br#","tool_calls":"#);
        said.append_calls(out, r#""index":0,"#);
        out.extend_from_slice(b"},");
    }

    fn unreadable(&self, file: &File) -> Option<Cow<'static, str>> {
        self.unreadable(file)
    }

    fn append_file(&self, out: &mut Vec<u8>, file: &File, in_frame: bool) {
        match (file, file.class()) {
            (File::Binary(bytes), _) if is_text(&bytes.media_type) => append_text_file(out, bytes, in_frame),
            (_, FileClass::Image) => append_image(out, file),
            _ => {
                out.extend_from_slice(br#"{"type":"document_url","document_url":"#);
                append_url(out, file);
                out.extend_from_slice(b"},");
            }
        }
    }
}
