//! Thoughts in the form of OpenRouter's, which says what they are and proves them: `reasoning_details`.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::ChatForm;
use crate::json::Json;
use crate::message::ThinkingPart;
use crate::provider::incoming::IncomingParts;

const TEXT: &str = "reasoning.text";
const SUMMARY: &str = "reasoning.summary";
const ENCRYPTED: &str = "reasoning.encrypted";

/// Some thoughts, or a piece of them.
#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct Detail {
    r#type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
}

/// What is kept of it beside the words of a part.
#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
struct Kept {
    r#type: String,
    format: Option<String>,
    index: Option<u64>,
}

impl Detail {
    /// Those of a list that are of a known kind.
    pub(super) fn all(list: Option<&Json>) -> Vec<Self> {
        let list: Vec<Json> = list.and_then(|list| list.read().ok()).unwrap_or_default();
        let details = list.iter().filter_map(|detail| detail.read::<Self>().ok());
        details.filter(|detail| [TEXT, SUMMARY, ENCRYPTED].contains(&detail.r#type.as_str())).collect()
    }

    /// The detail as a part of a response.
    pub(super) fn part(self, form: &ChatForm) -> ThinkingPart {
        let kept = Kept { r#type: self.r#type, format: self.format, index: self.index };
        let mut part = ThinkingPart::new(self.text.or(self.summary).unwrap_or_default());
        part.id = self.id;
        part.signature = self.signature.or(self.data).filter(|text| !text.is_empty());
        part.provider_name = Some(form.system.to_owned());
        part.provider_details = Json::of(&kept).ok();
        part
    }

    /// The detail that a part was, if it was one.
    pub(super) fn of(part: &ThinkingPart) -> Option<Self> {
        let Kept { r#type, format, index } = part.provider_details.as_ref()?.read().ok()?;
        let detail = Self { id: part.id.clone(), format, index, ..Self::default() };
        let (words, proof) = (Some(part.content.clone()), part.signature.clone());
        Some(match r#type.as_str() {
            TEXT => Self { r#type, text: words, signature: proof, ..detail },
            SUMMARY => Self { r#type, summary: words, ..detail },
            ENCRYPTED => Self { r#type, data: proof, ..detail },
            _ => return None,
        })
    }
}

/// The details of a reply that comes in chunks, by kind and number; each has a part.
#[derive(Default)]
pub(super) struct Details(HashMap<(String, u64), usize>);

impl Details {
    /// Adds the details of a chunk: one goes on with what has its kind and number.
    pub(super) fn add(&mut self, details: Vec<Detail>, form: &ChatForm, parts: &mut IncomingParts<'_, '_>) {
        for (place, detail) in (0..).zip(details) {
            let key = (detail.r#type.clone(), detail.index.unwrap_or(place));
            let more = detail.part(form);
            match self.0.get(&key) {
                None => {
                    self.0.insert(key, parts.begin_thinking(more));
                }
                Some(at) => {
                    let ThinkingPart { id, content, signature, provider_details, .. } = more;
                    parts.add_words(*at, content);
                    if signature.is_some() || id.is_some() {
                        parts.edit_thinking(*at, |part| {
                            part.signature = signature.or(part.signature.take());
                            part.id = id.or(part.id.take());
                            part.provider_details = provider_details;
                        });
                    }
                }
            }
        }
    }
}
