//! A reply that comes in events.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::decode::{Answer, Item};
use super::item::{BesideParts, Extent, StreamedItem};
use crate::http::message_in;
use crate::json::Json;
use crate::message::ModelResponse;
use crate::model::PartEvents;
use crate::provider::incoming::IncomingParts;
use crate::provider::name::WireNames;
use crate::provider::stream::{Fault, StreamedReply};

/// What has come of a reply.
pub(super) struct StreamedAnswer<'a, 'l> {
    /// The provider that it is of.
    system: &'static str,
    parts: IncomingParts<'a, 'l>,
    items: HashMap<ItemKey, StreamedItem>,
    beside: BesideParts,
    /// The response that the last event tells of, which is whole.
    answer: Option<Answer>,
}

/// What events know an item by: its place in the output, or its id, where a server leaves the place out.
#[derive(Clone, PartialEq, Eq, Hash)]
enum ItemKey {
    Place(u64),
    Id(String),
}

/// An event of any kind. What its fields hold depends on the kind, so they are only read when that is known.
#[derive(Deserialize)]
struct Event<'d> {
    #[serde(default, borrow)]
    r#type: Cow<'d, str>,
    output_index: Option<u64>,
    item_id: Option<String>,
    content_index: Option<u64>,
    summary_index: Option<u64>,
    #[serde(borrow)]
    delta: Option<&'d RawValue>,
    #[serde(borrow)]
    text: Option<&'d RawValue>,
    #[serde(borrow)]
    refusal: Option<&'d RawValue>,
    #[serde(borrow)]
    arguments: Option<&'d RawValue>,
    #[serde(borrow)]
    item: Option<&'d RawValue>,
    #[serde(borrow)]
    response: Option<&'d RawValue>,
}

impl<'a, 'l> StreamedAnswer<'a, 'l> {
    /// Nothing yet.
    pub(super) fn new(system: &'static str, names: &'a WireNames<'a>, events: &'a mut PartEvents<'l>) -> Self {
        Self {
            system,
            parts: IncomingParts::new(names, events),
            items: HashMap::new(),
            beside: BesideParts::default(),
            answer: None,
        }
    }
}

impl StreamedReply for StreamedAnswer<'_, '_> {
    fn read(&mut self, data: &[u8]) -> Result<(), Fault> {
        match data.trim_ascii() {
            // Some servers end all their streams as those of Chat Completions end.
            [] | b"[DONE]" => Ok(()),
            data => self.event(data),
        }
    }

    fn has_ended(&self) -> bool {
        self.answer.is_some()
    }

    fn is_whole(&self, _remainder: Option<&[u8]>) -> bool {
        self.has_ended()
    }

    fn response(mut self, provider_url: &str) -> Result<ModelResponse, Fault> {
        self.items.values_mut().for_each(|item| item.settle(&mut self.parts));
        match self.answer {
            Some(answer) => Ok(answer.response(self.parts.finish(), self.beside.refusal, self.system, provider_url)),
            None => Err(Fault::Unusable("its reply has no end")),
        }
    }
}

impl<'a, 'l> StreamedAnswer<'a, 'l> {
    fn event(&mut self, data: &[u8]) -> Result<(), Fault> {
        let event: Event<'_> = serde_json::from_slice(data).map_err(Fault::Form)?;
        let event = &event;
        match &*event.r#type {
            "response.output_item.added" => self.begin_item(event),
            "response.output_text.delta" => self.text(event, event.delta, Extent::Piece),
            "response.output_text.done" => self.text(event, event.text, Extent::Whole),
            "response.refusal.delta" => self.refuse(event.delta, Extent::Piece),
            "response.refusal.done" => self.refuse(event.refusal, Extent::Whole),
            "response.reasoning_summary_text.delta" => self.summary(event, event.delta, Extent::Piece),
            "response.reasoning_summary_text.done" => self.summary(event, event.text, Extent::Whole),
            "response.reasoning_text.delta" => self.raw_thoughts(event, event.delta, Extent::Piece),
            "response.reasoning_text.done" => self.raw_thoughts(event, event.text, Extent::Whole),
            "response.function_call_arguments.delta" => self.arguments(event, event.delta, Extent::Piece),
            "response.function_call_arguments.done" => self.arguments(event, event.arguments, Extent::Whole),
            "response.output_item.done" => self.end_item(event),
            "response.completed" | "response.incomplete" | "response.cancelled" | "response.failed" => self.end(event),
            "error" => Err(Fault::Told(message_in(data).unwrap_or_else(|| "it does not say which".to_owned()))),
            // What tells of an error tells of one under any name.
            "" => message_in(data).map_or(Ok(()), |message| Err(Fault::Told(message))),
            _ => Ok(()),
        }
    }

    fn begin_item(&mut self, event: &Event<'_>) -> Result<(), Fault> {
        let Some(item) = read_item(event.item)? else { return Ok(()) };
        let (known, parts) = self.item(event);
        known.begin(item, parts)
    }

    fn end_item(&mut self, event: &Event<'_>) -> Result<(), Fault> {
        let Some(item) = read_item(event.item)? else { return Ok(()) };
        let mut beside = std::mem::take(&mut self.beside);
        let (known, parts) = self.item(event);
        let ended = known.end(item, parts, &mut beside);
        self.beside = beside;
        ended
    }

    fn text(&mut self, event: &Event<'_>, text: Option<&RawValue>, extent: Extent) -> Result<(), Fault> {
        let words = words(text)?;
        let (item, parts) = self.item(event);
        item.text(event.content_index.unwrap_or_default(), words, extent, parts);
        Ok(())
    }

    fn summary(&mut self, event: &Event<'_>, text: Option<&RawValue>, extent: Extent) -> Result<(), Fault> {
        let words = words(text)?;
        let (item, parts) = self.item(event);
        item.summary(event.summary_index.unwrap_or_default(), words, extent, parts);
        Ok(())
    }

    fn raw_thoughts(&mut self, event: &Event<'_>, text: Option<&RawValue>, extent: Extent) -> Result<(), Fault> {
        let words = words(text)?;
        let (item, parts) = self.item(event);
        item.raw_thoughts(event.content_index.unwrap_or_default(), &words, extent, parts);
        Ok(())
    }

    fn arguments(&mut self, event: &Event<'_>, text: Option<&RawValue>, extent: Extent) -> Result<(), Fault> {
        let text = words(text)?;
        let (item, parts) = self.item(event);
        item.arguments(text, extent, parts)
    }

    fn refuse(&mut self, text: Option<&RawValue>, extent: Extent) -> Result<(), Fault> {
        let words = words(text)?;
        match extent {
            Extent::Piece => self.beside.refusal.get_or_insert_default().push_str(&words),
            Extent::Whole => self.beside.refusal = Some(words),
        }
        Ok(())
    }

    /// The last event has the whole response, whose parts have come before, if the server told of them at all.
    fn end(&mut self, event: &Event<'_>) -> Result<(), Fault> {
        let Some(response) = event.response else { return Err(Fault::Unusable("its reply ends without a response")) };
        let mut answer: Answer = read(response)?;
        if answer.error.as_ref().is_some_and(|error| !error.is_null()) {
            return Err(Fault::Told(
                message_in(response.get().as_bytes()).unwrap_or_else(|| "it does not say which".to_owned()),
            ));
        }
        let output = answer.output.take().unwrap_or_default();
        if self.items.is_empty() {
            for item in output {
                let item = Item::read(&item).map_err(Fault::Form)?;
                StreamedItem::known_as(None, self.system).end(item, &mut self.parts, &mut self.beside)?;
            }
        }
        self.answer = Some(answer);
        Ok(())
    }

    fn item(&mut self, event: &Event<'_>) -> (&mut StreamedItem, &mut IncomingParts<'a, 'l>) {
        let key = match event.output_index {
            Some(place) => ItemKey::Place(place),
            None => ItemKey::Id(event.item_id.clone().unwrap_or_default()),
        };
        let item = StreamedItem::known_as(event.item_id.as_deref(), self.system);
        let item = self.items.entry(key).or_insert(item);
        (item, &mut self.parts)
    }
}

/// The words of a field; none, where it is missing.
fn words(text: Option<&RawValue>) -> Result<String, Fault> {
    text.map_or(Ok(String::new()), read)
}

fn read_item(item: Option<&RawValue>) -> Result<Option<Item>, Fault> {
    let Some(item) = item else { return Ok(None) };
    let item: Json = read(item)?;
    Item::read(&item).map(Some).map_err(Fault::Form)
}

fn read<T: DeserializeOwned>(text: &RawValue) -> Result<T, Fault> {
    serde_json::from_str(text.get()).map_err(Fault::Form)
}
