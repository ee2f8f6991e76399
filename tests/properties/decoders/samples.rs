//! Good replies: a text, thoughts and two calls, whole and in events.

use serde_json::{Value, json};
use toolwright_tests::decoding::Api;
use toolwright_tests::frames;

/// A reply of an API, in both its forms.
pub(super) struct Sample {
    pub(super) api: Api,
    pub(super) whole: Value,
    /// Where in it the parts are.
    parts: &'static str,
    pub(super) events: Vec<Value>,
    /// What ends a stream besides its events.
    pub(super) ending: &'static str,
    /// An event in the stream's form; the first is what it is of, the second is what it says.
    form: fn(&Value, &[u8]) -> Vec<u8>,
}

fn sse(_: &Value, data: &[u8]) -> Vec<u8> {
    [b"data: ", data, b"\n\n"].concat()
}

/// A frame of AWS's; the events have their names among what they say.
fn framed(event: &Value, data: &[u8]) -> Vec<u8> {
    frames::event(event["event"].as_str().unwrap_or("contentBlockDelta"), data)
}

impl Sample {
    pub(super) fn stream(&self) -> Vec<u8> {
        self.stream_of(&self.events)
    }

    pub(super) fn stream_of(&self, events: &[Value]) -> Vec<u8> {
        let mut stream: Vec<u8> =
            events.iter().flat_map(|event| (self.form)(event, event.to_string().as_bytes())).collect();
        stream.extend_from_slice(self.ending.as_bytes());
        stream
    }

    /// The stream, where another event says what stands in place of one.
    pub(super) fn with_event(&self, place: usize, event: &[u8]) -> Vec<u8> {
        let form = |at: usize, own: &Value| match at == place {
            true => (self.form)(own, event),
            false => (self.form)(own, own.to_string().as_bytes()),
        };
        let mut stream: Vec<u8> = self.events.iter().enumerate().flat_map(|(at, own)| form(at, own)).collect();
        stream.extend_from_slice(self.ending.as_bytes());
        stream
    }

    pub(super) fn parts(&self) -> &[Value] {
        self.whole.pointer(self.parts).and_then(Value::as_array).expect("parts")
    }

    /// The whole reply, with other parts.
    pub(super) fn with_parts(&self, parts: Vec<Value>) -> Value {
        let mut whole = self.whole.clone();
        *whole.pointer_mut(self.parts).expect("parts") = parts.into();
        whole
    }
}

pub(super) fn samples() -> [Sample; 8] {
    [chat(), responses(), anthropic(), google(), groq(), mistral(), cohere(), bedrock()]
}

fn chat() -> Sample {
    let call = |id: &str, name: &str| json!({"id": id, "type": "function", "function": {"name": name, "arguments": "{\"a\":1}"}});
    let chunk = |delta: Value| json!({"id": "r", "model": "m", "choices": [{"index": 0, "delta": delta}]});
    let piece = |arguments: &str| json!({"tool_calls": [{"index": 0, "function": {"arguments": arguments}}]});
    let usage = json!({"prompt_tokens": 1, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 1}});
    Sample {
        api: Api::OpenAiChat,
        whole: json!({
            "id": "r",
            "model": "m",
            "choices": [{
                "index": 0,
                "finish_reason": "tool_calls",
                "message": {
                    "role": "assistant",
                    "content": "Hi",
                    "reasoning_content": "hm",
                    "tool_calls": [call("c1", "add"), call("c2", "look_up")],
                },
            }],
            "usage": usage,
        }),
        parts: "/choices/0/message/tool_calls",
        events: vec![
            chunk(json!({"role": "assistant", "content": "", "reasoning_content": "hm"})),
            chunk(json!({"content": "Hi"})),
            chunk(json!({"tool_calls": [{"index": 0, "id": "c1", "function": {"name": "add", "arguments": ""}}]})),
            chunk(piece("{\"a\":")),
            chunk(piece("1}")),
            json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}),
            json!({"choices": [], "usage": usage}),
        ],
        ending: "data: [DONE]\n\n",
        form: sse,
    }
}

fn responses() -> Sample {
    let thoughts = json!({"type": "reasoning", "id": "t", "summary": [{"type": "summary_text", "text": "hm"}], "encrypted_content": "e"});
    let message = json!({"type": "message", "id": "m", "content": [{"type": "output_text", "text": "Hi"}]});
    let call = json!({"type": "function_call", "id": "f", "call_id": "c", "name": "add", "arguments": "{\"a\":1}"});
    let whole = json!({
        "id": "r",
        "model": "m",
        "status": "completed",
        "output": [thoughts, message, call],
        "usage": {"input_tokens": 1, "output_tokens": 2, "input_tokens_details": {"cached_tokens": 1}},
    });
    let added =
        |place: usize, item: Value| json!({"type": "response.output_item.added", "output_index": place, "item": item});
    let done =
        |place: usize, item: &Value| json!({"type": "response.output_item.done", "output_index": place, "item": item});
    let delta = |kind: &str, place: usize, delta: &str| {
        json!({
            "type": format!("response.{kind}.delta"),
            "output_index": place,
            "content_index": 0,
            "summary_index": 0,
            "delta": delta,
        })
    };
    Sample {
        api: Api::OpenAiResponses,
        parts: "/output",
        events: vec![
            added(0, json!({"type": "reasoning", "id": "t", "summary": []})),
            delta("reasoning_summary_text", 0, "hm"),
            done(0, &thoughts),
            added(1, json!({"type": "message", "id": "m", "content": []})),
            delta("output_text", 1, "Hi"),
            done(1, &message),
            added(2, json!({"type": "function_call", "id": "f", "call_id": "c", "name": "add", "arguments": ""})),
            delta("function_call_arguments", 2, "{\"a\":"),
            json!({"type": "response.function_call_arguments.done", "output_index": 2, "arguments": "{\"a\":1}"}),
            done(2, &call),
            json!({"type": "response.completed", "response": whole}),
        ],
        whole,
        ending: "",
        form: sse,
    }
}

fn anthropic() -> Sample {
    let start =
        |index: usize, block: Value| json!({"type": "content_block_start", "index": index, "content_block": block});
    let delta = |index: usize, delta: Value| json!({"type": "content_block_delta", "index": index, "delta": delta});
    let stop = |index: usize| json!({"type": "content_block_stop", "index": index});
    Sample {
        api: Api::Anthropic,
        whole: json!({
            "id": "r",
            "model": "m",
            "content": [
                {"type": "thinking", "thinking": "hm", "signature": "s"},
                {"type": "redacted_thinking", "data": "d"},
                {"type": "text", "text": "Hi"},
                {"type": "tool_use", "id": "c", "name": "add", "input": {"a": 1}},
            ],
            "stop_reason": "tool_use",
            "usage": {"input_tokens": 1, "output_tokens": 2},
        }),
        parts: "/content",
        events: vec![
            json!({"type": "message_start", "message": {"id": "r", "model": "m", "content": [], "usage": {"input_tokens": 1}}}),
            start(0, json!({"type": "thinking", "thinking": "", "signature": ""})),
            delta(0, json!({"type": "thinking_delta", "thinking": "hm"})),
            delta(0, json!({"type": "signature_delta", "signature": "s"})),
            stop(0),
            start(1, json!({"type": "text", "text": ""})),
            delta(1, json!({"type": "text_delta", "text": "Hi"})),
            stop(1),
            start(2, json!({"type": "tool_use", "id": "c", "name": "add", "input": {}})),
            delta(2, json!({"type": "input_json_delta", "partial_json": "{\"a\":1}"})),
            stop(2),
            json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 2}}),
            json!({"type": "message_stop"}),
        ],
        ending: "",
        form: sse,
    }
}

fn google() -> Sample {
    let parts = json!([
        {"text": "hm", "thought": true, "thoughtSignature": "cw=="},
        {"text": "Hi"},
        {"functionCall": {"id": "c", "name": "add", "args": {"a": 1}}, "thoughtSignature": "cw=="},
        {"inlineData": {"mimeType": "image/png", "data": "aGk="}},
    ]);
    let usage = json!({"promptTokenCount": 1, "candidatesTokenCount": 2});
    let chunk = |part: &Value| json!({"candidates": [{"index": 0, "content": {"role": "model", "parts": [part]}}]});
    let mut events: Vec<_> = parts.as_array().expect("parts").iter().map(chunk).collect();
    events
        .push(json!({"candidates": [{"index": 0, "finishReason": "STOP"}], "usageMetadata": usage, "responseId": "r"}));
    Sample {
        api: Api::Google,
        whole: json!({
            "candidates": [{"index": 0, "content": {"role": "model", "parts": parts}, "finishReason": "STOP"}],
            "usageMetadata": usage,
            "modelVersion": "m",
            "responseId": "r",
        }),
        parts: "/candidates/0/content/parts",
        events,
        ending: "",
        form: sse,
    }
}

fn groq() -> Sample {
    let call = json!({"index": 0, "id": "c1", "function": {"name": "add", "arguments": "{\"a\":1}"}});
    let usage = json!({"prompt_tokens": 1, "completion_tokens": 2});
    let chunk = |delta: Value| json!({"id": "r", "model": "m", "choices": [{"index": 0, "delta": delta}]});
    Sample {
        api: Api::Groq,
        whole: json!({
            "id": "r",
            "model": "m",
            "choices": [{
                "index": 0,
                "finish_reason": "tool_calls",
                "message": {"reasoning": "so", "content": "<think>hm</think>Hi", "tool_calls": [call]},
            }],
            "usage": usage,
        }),
        parts: "/choices/0/message/tool_calls",
        events: vec![
            chunk(json!({"reasoning": "so"})),
            chunk(json!({"content": "<think>h"})),
            chunk(json!({"content": "m</think>Hi"})),
            chunk(json!({"tool_calls": [call]})),
            json!({
                "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}],
                "x_groq": {"id": "q", "usage": usage},
            }),
        ],
        ending: "data: [DONE]\n\n",
        form: sse,
    }
}

fn mistral() -> Sample {
    let call =
        |arguments: &str| json!({"index": 0, "id": "abcdefgh1", "function": {"name": "add", "arguments": arguments}});
    let thoughts = json!({"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]});
    let chunk = |delta: Value| json!({"id": "r", "model": "m", "choices": [{"index": 0, "delta": delta}]});
    let usage = json!({"prompt_tokens": 1, "completion_tokens": 2, "num_cached_tokens": 1});
    Sample {
        api: Api::Mistral,
        whole: json!({
            "id": "r",
            "model": "m",
            "choices": [{
                "index": 0,
                "finish_reason": "tool_calls",
                "message": {
                    "role": "assistant",
                    "content": [thoughts, {"type": "text", "text": "Hi"}, {"type": "reference", "reference_ids": [1]}],
                    "tool_calls": [call("{\"a\":1}")],
                },
            }],
            "usage": usage,
        }),
        parts: "/choices/0/message/content",
        events: vec![
            chunk(json!({"role": "assistant", "content": ""})),
            chunk(json!({"content": [thoughts]})),
            chunk(json!({"content": "Hi"})),
            chunk(json!({"tool_calls": [call("{\"a\":1}")]})),
            json!({"choices": [{"index": 0, "delta": {"content": ""}, "finish_reason": "tool_calls"}], "usage": usage}),
        ],
        ending: "data: [DONE]\n\n",
        form: sse,
    }
}

fn cohere() -> Sample {
    let event =
        |kind: &str, index: u8, message: Value| json!({"type": kind, "index": index, "delta": {"message": message}});
    let content = |content: Value| json!({ "content": content });
    let usage = json!({"billed_units": {"input_tokens": 1}, "tokens": {"input_tokens": 1, "output_tokens": 2}, "cached_tokens": 1});
    let call =
        |arguments: &str| json!({"id": "c", "type": "function", "function": {"name": "add", "arguments": arguments}});
    Sample {
        api: Api::Cohere,
        whole: json!({
            "id": "r",
            "finish_reason": "TOOL_CALL",
            "message": {
                "role": "assistant",
                "tool_plan": "I add.",
                "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Hi"}],
                "tool_calls": [call("{\"a\":1}")],
            },
            "usage": usage,
        }),
        parts: "/message/content",
        events: vec![
            json!({"type": "message-start", "id": "r", "delta": {"message": {"role": "assistant", "content": [], "tool_calls": []}}}),
            event("content-start", 0, content(json!({"type": "thinking", "thinking": ""}))),
            event("content-delta", 0, content(json!({"thinking": "hm"}))),
            json!({"type": "content-end", "index": 0}),
            event("content-start", 1, content(json!({"type": "text", "text": ""}))),
            event("content-delta", 1, content(json!({"text": "Hi"}))),
            json!({"type": "content-end", "index": 1}),
            event("tool-plan-delta", 0, json!({"tool_plan": "I add."})),
            event("tool-call-start", 0, json!({"tool_calls": call("")})),
            event("tool-call-delta", 0, json!({"tool_calls": {"function": {"arguments": "{\"a\":1}"}}})),
            json!({"type": "tool-call-end", "index": 0}),
            json!({"type": "message-end", "delta": {"finish_reason": "TOOL_CALL", "usage": usage}}),
        ],
        ending: "",
        form: sse,
    }
}

fn bedrock() -> Sample {
    let event =
        |name: &str, index: u8, key: &str, value: Value| json!({"event": name, "contentBlockIndex": index, key: value});
    let delta = |index: u8, delta: Value| event("contentBlockDelta", index, "delta", delta);
    let stop = |index: u8| json!({"event": "contentBlockStop", "contentBlockIndex": index});
    let usage = json!({"inputTokens": 1, "outputTokens": 2, "cacheReadInputTokens": 1, "cacheDetails": [{"inputTokens": 1, "ttl": "1h"}]});
    Sample {
        api: Api::Bedrock,
        whole: json!({
            "output": {"message": {"role": "assistant", "content": [
                {"reasoningContent": {"reasoningText": {"text": "hm", "signature": "s"}}},
                {"reasoningContent": {"redactedContent": "aGk="}},
                {"text": "Hi"},
                {"toolUse": {"toolUseId": "c", "name": "add", "input": {"a": 1}}},
            ]}},
            "stopReason": "tool_use",
            "usage": usage,
        }),
        parts: "/output/message/content",
        events: vec![
            json!({"event": "messageStart", "role": "assistant"}),
            delta(0, json!({"reasoningContent": {"text": "hm"}})),
            delta(0, json!({"reasoningContent": {"signature": "s"}})),
            stop(0),
            delta(1, json!({"reasoningContent": {"redactedContent": "aGk="}})),
            stop(1),
            delta(2, json!({"text": "Hi"})),
            stop(2),
            event("contentBlockStart", 3, "start", json!({"toolUse": {"toolUseId": "c", "name": "add"}})),
            delta(3, json!({"toolUse": {"input": "{\"a\":1}"}})),
            stop(3),
            json!({"event": "messageStop", "stopReason": "tool_use"}),
            json!({"event": "metadata", "usage": usage}),
        ],
        ending: "",
        form: framed,
    }
}
