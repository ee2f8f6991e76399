//! Replies in the form of each API.

use serde_json::{Value, json};

use super::Act;
use super::sent::Sent;

/// A model, and what its API does with tools that come late.
pub(super) struct Wire {
    pub(super) api: &'static str,
    pub(super) model: &'static str,
    form: Form,
    /// Whether the list of tools stays as it is when tools are found or added.
    pub(super) keeps_tools: bool,
}

#[derive(Clone, Copy)]
enum Form {
    Chat,
    Responses,
    Anthropic,
    Google,
    Bedrock,
    Cohere,
}

const fn wire(api: &'static str, model: &'static str, form: Form, keeps_tools: bool) -> Wire {
    Wire { api, model, form, keeps_tools }
}

/// The models to choose among.
pub(super) const MODELS: [Wire; 14] = [
    wire("openai-chat", "gpt-5.2", Form::Chat, false),
    wire("openai-responses", "gpt-5.6", Form::Responses, true),
    wire("openai-responses", "gpt-5.4", Form::Responses, true),
    wire("openai-responses", "gpt-5.2", Form::Responses, true),
    wire("anthropic", "claude-opus-4-8", Form::Anthropic, true),
    wire("anthropic", "claude-sonnet-4-5", Form::Anthropic, true),
    wire("anthropic", "claude-3-5-haiku-latest", Form::Anthropic, false),
    wire("google", "gemini-3-pro-preview", Form::Google, false),
    wire("google", "gemini-2.5-flash", Form::Google, false),
    wire("bedrock", "us.anthropic.claude-sonnet-4-5-20250929-v1:0", Form::Bedrock, false),
    wire("groq", "llama-3.3-70b-versatile", Form::Chat, false),
    wire("mistral", "mistral-large-latest", Form::Chat, false),
    wire("huggingface", "Qwen/Qwen3-32B", Form::Chat, false),
    wire("cohere", "command-a-03-2025", Form::Cohere, false),
];

/// What a reply says.
enum Saying {
    Text,
    Call(String, Value),
    /// A search by the provider, which finds this tool.
    Search(&'static str),
}

impl Wire {
    /// The reply of this number; `newcomer` is the tool that may have been added.
    pub(super) fn reply(&self, act: &Act, sent: &Sent, number: usize, newcomer: &str) -> Value {
        let saying = match act {
            Act::Say => Saying::Text,
            Act::Call => called("plain"),
            Act::Reveal => called("opener"),
            Act::Add => called("adder"),
            Act::CallHidden(hidden) => called(&format!("hidden_{hidden}")),
            Act::CallNew => called(newcomer),
            Act::Search if sent.searches => Saying::Search("hidden_0"),
            Act::Search if sent.lists("search_tools") => {
                Saying::Call("search_tools".to_owned(), json!({"queries": ["hidden"]}))
            }
            Act::Search => called("plain"),
        };
        let id = format!("call{number:05}");
        match self.form {
            Form::Chat => chat(&saying, &id),
            Form::Responses => responses(&saying, &id),
            Form::Anthropic => anthropic(&saying, &id),
            Form::Google => google(&saying),
            Form::Bedrock => bedrock(&saying, &id),
            Form::Cohere => cohere(&saying, &id),
        }
    }
}

fn called(name: &str) -> Saying {
    Saying::Call(name.to_owned(), json!({}))
}

fn chat(saying: &Saying, id: &str) -> Value {
    let message = match saying {
        Saying::Call(name, arguments) => {
            let function = json!({"name": name, "arguments": arguments.to_string()});
            json!({"role": "assistant", "content": null, "tool_calls": [{"id": id, "type": "function", "function": function}]})
        }
        Saying::Text | Saying::Search(_) => json!({"role": "assistant", "content": "Done."}),
    };
    json!({"id": "r", "model": "m", "choices": [{"index": 0, "finish_reason": "stop", "message": message}]})
}

fn responses(saying: &Saying, id: &str) -> Value {
    let output = match saying {
        Saying::Text => {
            let content = json!([{"type": "output_text", "text": "Done.", "annotations": []}]);
            json!([{"type": "message", "id": format!("msg_{id}"), "role": "assistant", "status": "completed", "content": content}])
        }
        Saying::Call(name, arguments) => json!([{
            "type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": name,
            "arguments": arguments.to_string(), "status": "completed",
        }]),
        Saying::Search(found) => {
            let search = json!({
                "type": "tool_search_call", "id": format!("tsc_{id}"), "call_id": null, "execution": "server",
                "arguments": {"paths": [found]}, "status": "completed",
            });
            let tool =
                json!({"type": "function", "name": found, "parameters": {}, "strict": false, "defer_loading": true});
            let output = json!({
                "type": "tool_search_output", "id": format!("tso_{id}"), "call_id": null, "execution": "server",
                "status": "completed", "tools": [tool],
            });
            let call = responses(&called(found), id)["output"][0].clone();
            json!([search, output, call])
        }
    };
    json!({"id": "r", "object": "response", "model": "m", "status": "completed", "output": output})
}

fn anthropic(saying: &Saying, id: &str) -> Value {
    let call = |name: &str, input: &Value| json!({"type": "tool_use", "id": id, "name": name, "input": input});
    let content = match saying {
        Saying::Text => json!([{"type": "text", "text": "Done."}]),
        Saying::Call(name, arguments) => json!([call(name, arguments)]),
        Saying::Search(found) => {
            let own = format!("srvtoolu_{id}");
            let search = json!({
                "type": "server_tool_use", "id": own, "name": "tool_search_tool_bm25", "input": {"query": "hidden"},
            });
            let reference = json!([{"type": "tool_reference", "tool_name": found}]);
            let content = json!({"type": "tool_search_tool_search_result", "tool_references": reference});
            let result = json!({"type": "tool_search_tool_result", "tool_use_id": own, "content": content});
            json!([search, result, call(found, &json!({}))])
        }
    };
    json!({"id": "r", "type": "message", "role": "assistant", "model": "m", "content": content, "stop_reason": "end_turn"})
}

fn google(saying: &Saying) -> Value {
    let part = match saying {
        Saying::Call(name, arguments) => json!({"functionCall": {"name": name, "args": arguments}}),
        Saying::Text | Saying::Search(_) => json!({"text": "Done."}),
    };
    json!({"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}]})
}

fn bedrock(saying: &Saying, id: &str) -> Value {
    let block = match saying {
        Saying::Call(name, arguments) => json!({"toolUse": {"toolUseId": id, "name": name, "input": arguments}}),
        Saying::Text | Saying::Search(_) => json!({"text": "Done."}),
    };
    let usage = json!({"inputTokens": 1, "outputTokens": 1, "totalTokens": 2});
    json!({"output": {"message": {"role": "assistant", "content": [block]}}, "stopReason": "end_turn", "usage": usage})
}

fn cohere(saying: &Saying, id: &str) -> Value {
    let message = match saying {
        Saying::Call(name, arguments) => {
            let function = json!({"name": name, "arguments": arguments.to_string()});
            json!({"role": "assistant", "tool_calls": [{"id": id, "type": "function", "function": function}]})
        }
        Saying::Text | Saying::Search(_) => {
            json!({"role": "assistant", "content": [{"type": "text", "text": "Done."}]})
        }
    };
    json!({"id": "r", "finish_reason": "COMPLETE", "message": message})
}
