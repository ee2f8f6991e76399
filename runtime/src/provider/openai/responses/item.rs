//! What has come of an item of a streamed reply, and the parts that it becomes.

use std::collections::HashMap;

use super::decode::{Content, FunctionCall, Item, Message, Reasoning, raw_details, text_part, thinking_part};
use super::search::Searches;
use crate::json::Json;
use crate::message::ResponsePart;
use crate::provider::incoming::{CallOrigin, IncomingParts};
use crate::provider::stream::Fault;

/// What has come of an item.
#[derive(Default)]
pub(super) struct StreamedItem {
    /// The provider that it is of.
    system: &'static str,
    id: Option<String>,
    phase: Option<String>,
    /// The parts of its texts, or of what may be told of its thoughts, by their numbers.
    texts: HashMap<u64, usize>,
    /// Its thoughts in full, in pieces by their numbers.
    raw: Vec<String>,
    /// The first part with thoughts, beside which stands what is not told in words.
    thoughts: Option<usize>,
    call: Option<usize>,
}

/// What of a reply is not in the parts.
#[derive(Default)]
pub(super) struct BesideParts {
    /// What the model says in place of an answer.
    pub(super) refusal: Option<String>,
    searches: Searches,
}

/// How much of a text an event brings.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// What is added to it.
    Piece,
    /// All of it, whatever came before.
    Whole,
}

/// The most pieces of thoughts that an item may have: more are none that any model gives.
const MOST_PIECES: usize = 1000;

impl StreamedItem {
    /// An item that events know by this id.
    pub(super) fn known_as(id: Option<&str>, system: &'static str) -> Self {
        Self { system, id: id.map(str::to_owned), ..Self::default() }
    }

    /// Takes what is said of the item before its content comes.
    pub(super) fn begin(&mut self, item: Item, parts: &mut IncomingParts<'_, '_>) -> Result<(), Fault> {
        match item {
            Item::Message(Message { id, phase, .. }) => self.describe(id, phase),
            Item::Reasoning(Reasoning { id, .. }) => self.describe(id, None),
            Item::Call(call) => self.begin_call(call, parts)?,
            // Of these, only the end says all.
            Item::Search(_) | Item::Found(_) | Item::Native(_) | Item::Other => {}
        }
        Ok(())
    }

    /// Takes the whole item, of which some, all or nothing has come already.
    pub(super) fn end(
        &mut self,
        item: Item,
        parts: &mut IncomingParts<'_, '_>,
        beside: &mut BesideParts,
    ) -> Result<(), Fault> {
        match item {
            Item::Message(Message { id, phase, content }) => {
                self.describe(id, phase);
                for (index, content) in (0..).zip(content.into_iter().flatten()) {
                    match content.refused() {
                        Some(words) => beside.refusal = Some(words),
                        None => self.text(index, content.output_text().unwrap_or_default(), Extent::Whole, parts),
                    }
                }
            }
            Item::Reasoning(reasoning) => self.end_reasoning(reasoning, parts),
            Item::Call(call) => match (self.call, call.arguments.as_ref().and_then(Json::as_str)) {
                (Some(_), Some(whole)) => self.arguments(whole, Extent::Whole, parts)?,
                (Some(_), None) => {}
                (None, _) => self.begin_call(call, parts)?,
            },
            Item::Search(call) => parts.add(beside.searches.call(call, self.system)),
            Item::Found(output) => {
                let names = parts.names();
                beside.searches.output(output, self.system, names).into_iter().for_each(|part| parts.add(part));
            }
            Item::Native(call) => {
                let (call, result) = call.parts(self.system);
                parts.add(ResponsePart::BuiltinToolCall(call));
                parts.add(ResponsePart::BuiltinToolReturn(result));
            }
            Item::Other => {}
        }
        Ok(())
    }

    /// Adds to the text of this number, or begins it.
    pub(super) fn text(&mut self, index: u64, words: String, extent: Extent, parts: &mut IncomingParts<'_, '_>) {
        match self.texts.get(&index) {
            Some(at) => add(parts, *at, words, extent),
            None if words.is_empty() => {}
            None => {
                let part = text_part(self.system, words, self.id.clone(), self.phase.as_deref());
                self.texts.insert(index, parts.begin_text(part));
            }
        }
    }

    /// Adds to what may be told of the thoughts, under this number, or begins it.
    pub(super) fn summary(&mut self, index: u64, words: String, extent: Extent, parts: &mut IncomingParts<'_, '_>) {
        let begun = self.texts.get(&index).copied().or(self.thoughts.filter(|_| index == 0));
        match begun {
            Some(at) => add(parts, at, words, extent),
            None if words.is_empty() => {}
            None => {
                let at = self.begin_thoughts(words, parts);
                self.texts.insert(index, at);
            }
        }
    }

    /// Adds to the thoughts in full.
    pub(super) fn raw_thoughts(&mut self, index: u64, words: &str, extent: Extent, parts: &mut IncomingParts<'_, '_>) {
        let Some(index) = usize::try_from(index).ok().filter(|index| *index < MOST_PIECES) else { return };
        if self.thoughts.is_none() {
            self.begin_thoughts(String::new(), parts);
        }
        if self.raw.len() <= index {
            self.raw.resize(index + 1, String::new());
        }
        if extent == Extent::Whole {
            self.raw[index].clear();
        }
        self.raw[index].push_str(words);
    }

    /// Adds to the arguments of a call that has begun.
    pub(super) fn arguments(
        &mut self,
        text: String,
        extent: Extent,
        parts: &mut IncomingParts<'_, '_>,
    ) -> Result<(), Fault> {
        match (self.call, extent) {
            (Some(at), Extent::Piece) => parts.add_to_call(at, "", Some(Json::from(&*text))).map_err(Fault::Mixed),
            (Some(at), Extent::Whole) if !text.is_empty() => {
                parts.end_arguments(at, &text);
                Ok(())
            }
            // Of a call that has not begun, its end brings all.
            _ => Ok(()),
        }
    }

    /// Puts the thoughts in full beside their part.
    pub(super) fn settle(&mut self, parts: &mut IncomingParts<'_, '_>) {
        if let Some(at) = self.thoughts
            && let Some(details) = raw_details(&std::mem::take(&mut self.raw))
        {
            parts.edit_thinking(at, |part| part.provider_details = Some(details));
        }
    }

    fn describe(&mut self, id: Option<String>, phase: Option<String>) {
        self.id = id.or(self.id.take());
        self.phase = phase.or(self.phase.take());
    }

    fn begin_thoughts(&mut self, words: String, parts: &mut IncomingParts<'_, '_>) -> usize {
        let at = parts.begin_thinking(thinking_part(self.system, words, self.id.clone()));
        self.thoughts.get_or_insert(at);
        at
    }

    fn end_reasoning(&mut self, reasoning: Reasoning, parts: &mut IncomingParts<'_, '_>) {
        let Reasoning { id, summary, content, encrypted_content } = reasoning;
        self.describe(id, None);
        let texts = |list: Option<Vec<Content>>| list.into_iter().flatten().filter_map(Content::output_text);
        for (index, words) in (0..).zip(texts(summary)) {
            self.summary(index, words, Extent::Whole, parts);
        }
        for (index, words) in (0..).zip(texts(content)) {
            self.raw_thoughts(index, &words, Extent::Whole, parts);
        }
        if let Some(signature) = encrypted_content.filter(|text| !text.is_empty()) {
            let at = self.thoughts.unwrap_or_else(|| self.begin_thoughts(String::new(), parts));
            parts.edit_thinking(at, |part| part.signature = Some(signature));
        }
        self.settle(parts);
    }

    fn begin_call(&mut self, call: FunctionCall, parts: &mut IncomingParts<'_, '_>) -> Result<(), Fault> {
        let at = *self.call.get_or_insert_with(|| parts.place_call());
        let incoming = parts.call(at);
        incoming.identify(call.call_id.as_deref().unwrap_or_default());
        incoming.come_from(CallOrigin {
            provider_details: call.details(),
            provider_name: Some(self.system.to_owned()),
            id: call.id.filter(|id| !id.is_empty()),
        });
        parts.add_to_call(at, call.name.as_deref().unwrap_or_default(), call.arguments).map_err(Fault::Mixed)
    }
}

fn add(parts: &mut IncomingParts<'_, '_>, at: usize, words: String, extent: Extent) {
    match extent {
        Extent::Piece => parts.add_words(at, words),
        Extent::Whole => parts.end_words(at, &words),
    }
}
