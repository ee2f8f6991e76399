//! What is measured: runs of an agent, and the same runs by a loop written by hand, against a server in memory.

mod agent;
mod by_hand;
mod shop;

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use reqwest::{Request, Response};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};
use toolwright::error::BoxError;
use toolwright::provider::Transport;

pub(crate) use self::shop::Search;

pub(crate) const MODEL: &str = "gpt-5.2";
/// How many tools are hidden, where some are.
pub(crate) const HIDDEN: usize = 1_000;
pub(crate) const PROMPT: &str = "Which red shoes do you have in size 43?";

/// Who does the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// The library, with tools that nothing touches.
    Untouched,
    /// The library, with tools that all have a `prepare` function, which leaves them as they are.
    Prepared,
    /// The library, with a hook that edits one of the tools at every step.
    Edited,
    /// The library, with [`HIDDEN`] tools that are hidden beside those that are not.
    BesideHidden,
    /// A loop over `serde_json`, written for just these tools.
    ByHand,
}

/// How much there is to do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) tools: usize,
    /// Requests to the model; the last one is answered with text.
    pub(crate) steps: usize,
    /// Calls in each reply but the last.
    pub(crate) calls: usize,
}

type Run = Box<dyn Fn() -> Pin<Box<dyn Future<Output = String>>>>;

/// A run that is ready to be measured: everything that is made once has been made.
pub(crate) struct Case {
    runtime: Runtime,
    run: Run,
    server: Arc<Server>,
}

impl Case {
    /// Makes the case, and goes through it once.
    pub(crate) fn new(way: Way, size: Size) -> Self {
        let runtime = Builder::new_current_thread().enable_time().build().expect("a runtime of one thread");
        let server = Arc::new(Server::new(size));
        let run = match way {
            Way::ByHand => by_hand::run(server.clone(), agent::tools_as_sent(size.tools)),
            _ => agent::run(server.clone(), way, size.tools),
        };
        let case = Self { runtime, run, server };
        case.go();
        case
    }

    /// The whole run.
    pub(crate) fn go(&self) {
        let output = self.runtime.block_on((self.run)());
        assert_eq!(output, ANSWER);
    }

    /// The bodies of the requests of one run.
    pub(crate) fn requests(&self) -> Vec<Value> {
        *self.server.seen() = Some(Vec::new());
        self.go();
        let seen = self.server.seen().take().unwrap_or_default();
        seen.iter().map(|body| serde_json::from_slice(body).expect("JSON")).collect()
    }
}

/// The arguments of a call, ready to be read.
pub(crate) struct Reading {
    text: String,
    read: fn(&str) -> Search,
}

impl Reading {
    pub(crate) fn new(way: Way) -> Self {
        let read = if way == Way::ByHand { by_hand::read_arguments } else { agent::read_arguments };
        let reading = Self { text: arguments(), read };
        // What is made once per type is made now.
        reading.go();
        reading
    }

    pub(crate) fn go(&self) -> Search {
        (self.read)(&self.text)
    }
}

/// Refuses to compare what is not the same: both ways must send the same JSON.
pub(crate) fn check_fairness() {
    let size = Size { tools: 3, steps: 4, calls: 2 };
    assert_eq!(Case::new(Way::Untouched, size).requests(), Case::new(Way::ByHand, size).requests());
}

const ANSWER: &str = "We have two pairs of red shoes in size 43.";

/// Gives its replies one after the other, over and over.
struct Server {
    replies: Vec<&'static str>,
    next: AtomicUsize,
    seen: Mutex<Option<Vec<Vec<u8>>>>,
}

impl Server {
    fn new(size: Size) -> Self {
        let called = (1..size.steps).map(|step| reply(step, calls(step, size)));
        let replies = called.chain([reply(size.steps, json!({"role": "assistant", "content": ANSWER}))]).collect();
        Self { replies, next: AtomicUsize::new(0), seen: Mutex::default() }
    }

    fn seen(&self) -> std::sync::MutexGuard<'_, Option<Vec<Vec<u8>>>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Transport for Server {
    async fn send(&self, request: Request) -> Result<Response, BoxError> {
        if let Some(seen) = &mut *self.seen() {
            seen.extend(request.body().and_then(reqwest::Body::as_bytes).map(<[u8]>::to_vec));
        }
        let place = self.next.fetch_add(1, Ordering::Relaxed) % self.replies.len();
        Ok(http::Response::new(self.replies[place]).into())
    }
}

fn calls(step: usize, size: Size) -> Value {
    let call = |number: usize| {
        let name = shop::name_of(number % size.tools);
        json!({"id": format!("call_{step}_{number}"), "type": "function", "function": {"name": name, "arguments": arguments()}})
    };
    json!({"role": "assistant", "content": null, "tool_calls": (0..size.calls).map(call).collect::<Vec<_>>()})
}

fn arguments() -> String {
    json!({"query": "red shoes", "size": 43, "in_stock": true, "sort": "price"}).to_string()
}

/// A reply as OpenAI words it. It lives as long as the process, so that handing it out costs nothing.
fn reply(step: usize, message: Value) -> &'static str {
    let finish_reason = if message["tool_calls"].is_array() { "tool_calls" } else { "stop" };
    let reply = json!({
        "id": format!("chatcmpl-{step}"),
        "object": "chat.completion",
        "created": 1_760_000_000,
        "model": MODEL,
        "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}],
        "usage": {
            "prompt_tokens": 400 + step, "completion_tokens": 30, "total_tokens": 430 + step,
            "prompt_tokens_details": {"cached_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 0},
        },
    });
    reply.to_string().leak()
}
