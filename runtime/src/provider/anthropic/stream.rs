//! A reply that comes in events, block by block.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::decode::{
    CallBlock, Envelope, StopDetails, Tag, TextBlock, ThinkingBlock, Usage, as_far_as_it_fits, own_call, redacted,
    thought,
};
use super::{native, search};
use crate::json::Json;
use crate::message::{ModelResponse, ResponsePart};
use crate::model::PartEvents;
use crate::provider::incoming::IncomingParts;
use crate::provider::name::WireNames;
use crate::provider::stream::{Fault, StreamedReply};

/// The event that ends every stream.
const END: &str = "message_stop";

/// What has come of a reply.
pub(super) struct StreamedMessage<'a, 'l> {
    parts: IncomingParts<'a, 'l>,
    envelope: Option<Envelope>,
    /// The block that goes on.
    open: Option<OpenBlock>,
    has_ended: bool,
}

struct OpenBlock {
    index: u64,
    kind: BlockKind,
    own_call: Option<OwnCall>,
}

/// A call of the provider's own tool, and its arguments as far as they have come.
struct OwnCall {
    block: CallBlock,
    arguments: String,
}

#[derive(Clone, Copy)]
enum BlockKind {
    Words,
    /// The call at this place.
    Call(usize),
    /// A call of the provider's own tool, whose arguments are kept until they are whole.
    OwnCall,
    /// Of no kind that is known.
    Unknown,
}

#[derive(Deserialize)]
struct MessageStart {
    message: Envelope,
}

#[derive(Deserialize)]
struct BlockStart {
    #[serde(default)]
    index: u64,
    content_block: Json,
}

#[derive(Deserialize)]
struct BlockDelta {
    #[serde(default)]
    index: u64,
    delta: Json,
}

#[derive(Deserialize)]
struct ArgumentsDelta {
    #[serde(default)]
    partial_json: String,
}

#[derive(Deserialize)]
struct MessageDelta {
    #[serde(default)]
    delta: EnvelopeDelta,
    #[serde(default, deserialize_with = "as_far_as_it_fits")]
    usage: Usage,
}

#[derive(Default, Deserialize)]
struct EnvelopeDelta {
    stop_reason: Option<String>,
    #[serde(default, deserialize_with = "as_far_as_it_fits")]
    stop_details: StopDetails,
}

#[derive(Deserialize)]
struct ErrorEvent {
    error: ToldError,
}

#[derive(Deserialize)]
struct ToldError {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    message: String,
}

impl<'a, 'l> StreamedMessage<'a, 'l> {
    /// Nothing yet.
    pub(super) fn new(names: &'a WireNames<'a>, events: &'a mut PartEvents<'l>) -> Self {
        Self { parts: IncomingParts::new(names, events), envelope: None, open: None, has_ended: false }
    }
}

impl StreamedReply for StreamedMessage<'_, '_> {
    fn read(&mut self, data: &[u8]) -> Result<(), Fault> {
        if data.trim_ascii().is_empty() {
            return Ok(());
        }
        match read::<Tag>(data)?.kind.as_str() {
            "message_start" => self.envelope = Some(read::<MessageStart>(data)?.message),
            "content_block_start" => self.start(read(data)?)?,
            "content_block_delta" => self.delta(read(data)?)?,
            "content_block_stop" => self.close(),
            "message_delta" => self.stop(read(data)?)?,
            END => self.has_ended = true,
            "error" => return Err(told(read(data)?)),
            // Signs of life, and what newer versions tell.
            _ => {}
        }
        Ok(())
    }

    fn has_ended(&self) -> bool {
        self.has_ended
    }

    fn is_whole(&self, remainder: Option<&[u8]>) -> bool {
        self.has_ended || remainder.is_some_and(|data| read::<Tag>(data).is_ok_and(|tag| tag.kind == END))
    }

    fn response(self, provider_url: &str) -> Result<ModelResponse, Fault> {
        match self.envelope {
            Some(envelope) => Ok(envelope.response(self.parts.finish(), provider_url)),
            None => Err(Fault::Unusable("its reply has no `message_start`")),
        }
    }
}

impl StreamedMessage<'_, '_> {
    fn start(&mut self, event: BlockStart) -> Result<(), Fault> {
        self.close();
        let block = event.content_block;
        let mut own_call = None;
        let kind = match read_json::<Tag>(&block)?.kind.as_str() {
            "text" => {
                self.parts.text(read_json::<TextBlock>(&block)?.text);
                BlockKind::Words
            }
            "thinking" => {
                self.think(read_json(&block)?);
                BlockKind::Words
            }
            "redacted_thinking" => {
                self.parts.thinking(redacted(read_json(&block)?));
                BlockKind::Words
            }
            "tool_use" => BlockKind::Call(self.call(read_json(&block)?)?),
            "server_tool_use" => {
                own_call = Some(OwnCall { block: read_json(&block)?, arguments: String::new() });
                BlockKind::OwnCall
            }
            "tool_search_tool_result" => {
                let found = search::result(read_json(&block)?, self.parts.names());
                self.parts.add(ResponsePart::BuiltinToolReturn(found));
                BlockKind::Unknown
            }
            kind if native::is_result(kind) => {
                native::result(&block)
                    .into_iter()
                    .for_each(|part| self.parts.add(ResponsePart::BuiltinToolReturn(part)));
                BlockKind::Unknown
            }
            _ => BlockKind::Unknown,
        };
        self.open = Some(OpenBlock { index: event.index, kind, own_call });
        Ok(())
    }

    fn call(&mut self, block: CallBlock) -> Result<usize, Fault> {
        let at = self.parts.place_call();
        self.parts.call(at).identify(&block.id);
        // The arguments follow, mostly; an empty object only holds their place.
        let input = block.input.filter(|input| input.text() != "{}");
        self.parts.add_to_call(at, &block.name, input).map_err(Fault::Mixed)?;
        Ok(at)
    }

    fn delta(&mut self, event: BlockDelta) -> Result<(), Fault> {
        let kind = match &self.open {
            Some(open) if open.index == event.index => open.kind,
            _ => return Err(Fault::Unusable("its reply goes on with a block that has not begun")),
        };
        let delta = event.delta;
        match (read_json::<Tag>(&delta)?.kind.as_str(), kind) {
            (_, BlockKind::Unknown) => {}
            ("text_delta", _) => self.parts.text(read_json::<TextBlock>(&delta)?.text),
            ("thinking_delta" | "signature_delta", _) => self.think(read_json(&delta)?),
            ("input_json_delta", BlockKind::Call(at)) => {
                let more = Json::from(read_json::<ArgumentsDelta>(&delta)?.partial_json.as_str());
                self.parts.add_to_call(at, "", Some(more)).map_err(Fault::Mixed)?;
            }
            ("input_json_delta", BlockKind::OwnCall) => {
                let more = read_json::<ArgumentsDelta>(&delta)?.partial_json;
                self.open
                    .iter_mut()
                    .flat_map(|open| &mut open.own_call)
                    .for_each(|call| call.arguments.push_str(&more));
            }
            _ => {}
        }
        Ok(())
    }

    fn think(&mut self, more: ThinkingBlock) {
        if let Some(thought) = thought(more) {
            self.parts.thinking(thought);
        }
    }

    fn close(&mut self) {
        if let Some(OwnCall { mut block, arguments }) = self.open.take().and_then(|open| open.own_call) {
            block.input = Json::from_text(&arguments).ok().or(block.input);
            self.parts.end_part();
            self.parts.add(ResponsePart::BuiltinToolCall(own_call(block)));
        }
        self.parts.end_part();
    }

    fn stop(&mut self, event: MessageDelta) -> Result<(), Fault> {
        let Some(envelope) = &mut self.envelope else {
            return Err(Fault::Unusable("its reply has no `message_start`"));
        };
        envelope.usage.update(event.usage);
        envelope.stop_reason = event.delta.stop_reason.or(envelope.stop_reason.take());
        envelope.stop_details.update(event.delta.stop_details);
        Ok(())
    }
}

fn read<T: DeserializeOwned>(data: &[u8]) -> Result<T, Fault> {
    serde_json::from_slice(data).map_err(Fault::Form)
}

fn read_json<T: DeserializeOwned>(json: &Json) -> Result<T, Fault> {
    json.read().map_err(Fault::Form)
}

/// The fault for an error within a stream. It has a status of its own, though the reply began with success.
fn told(event: ErrorEvent) -> Fault {
    let ToldError { kind, message } = event.error;
    let message = if message.is_empty() { kind.clone() } else { message };
    let status = match kind.as_str() {
        "invalid_request_error" => 400,
        "authentication_error" => 401,
        "billing_error" => 402,
        "permission_error" => 403,
        "not_found_error" => 404,
        "request_too_large" => 413,
        "rate_limit_error" => 429,
        "api_error" => 500,
        "timeout_error" => 504,
        "overloaded_error" => 529,
        _ => return Fault::Told(message),
    };
    Fault::Refused(message, status)
}
