//! Streamed runs in the words of four providers, told by a server how to go.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::{Value, json};
use toolwright::message::{FinishReason, Message, ResponsePart};
use toolwright::model::{PartEvent, Thinking};
use toolwright::provider::anthropic::AnthropicModel;
use toolwright::provider::bedrock::BedrockModel;
use toolwright::provider::google::GoogleModel;
use toolwright::provider::openai::OpenAiResponsesModel;
use toolwright::{Agent, Error, ErrorKind, Event, History, ModelSettings, Result, RunResult};

use crate::aimock::Aimock;
use crate::server::Server;
use crate::tools::{agent_over, answers};

/// One of those whose words the server speaks.
#[derive(Clone, Copy)]
struct Provider {
    name: &'static str,
    /// An agent over a model behind the server at a URL, which may be silent for so long.
    over: fn(&str, Duration, ModelSettings) -> Agent<()>,
}

const PROVIDERS: [Provider; 4] = [
    Provider { name: "Anthropic", over: anthropic },
    Provider { name: "Responses", over: responses },
    Provider { name: "Google", over: google },
    Provider { name: "Bedrock", over: bedrock },
];

fn anthropic(url: &str, patience: Duration, settings: ModelSettings) -> Agent<()> {
    let model = AnthropicModel::builder("claude-sonnet-4-5").base_url(url).api_key("sk-for-a-mock");
    agent_over(model.first_byte_timeout(patience).settings(settings).build())
}

fn responses(url: &str, patience: Duration, settings: ModelSettings) -> Agent<()> {
    let model = OpenAiResponsesModel::builder("gpt-5.2").base_url(format!("{url}/v1")).api_key("sk-for-a-mock");
    agent_over(model.first_byte_timeout(patience).settings(settings).build())
}

fn google(url: &str, patience: Duration, settings: ModelSettings) -> Agent<()> {
    let model = GoogleModel::builder("gemini-2.5-pro").base_url(url).api_key("AIza-for-a-mock");
    agent_over(model.first_byte_timeout(patience).settings(settings).build())
}

fn bedrock(url: &str, patience: Duration, settings: ModelSettings) -> Agent<()> {
    let model = BedrockModel::builder("us.anthropic.claude-sonnet-4-5-20250929-v1:0").base_url(url);
    let model = model.region("us-east-1").credentials("AKIDEXAMPLE", "secret-for-a-mock", None);
    agent_over(model.first_byte_timeout(patience).settings(settings).build())
}

impl Provider {
    /// An agent that thinks. To the server, each provider is a test of its own, for which it counts its answers anew.
    fn agent(self, server: &Aimock, patience: Duration) -> Agent<()> {
        let settings = ModelSettings::new().thinking(Thinking::Low).extra_headers(Aimock::scope(self.name));
        (self.over)(&server.url, patience, settings)
    }

    /// An agent over a patient model.
    fn patient(self, server: &Aimock) -> Agent<()> {
        self.agent(server, Duration::from_secs(10))
    }
}

/// Does the same with all providers at once.
async fn with_each<F: Future<Output = ()>>(run: impl Fn(Provider) -> F) {
    join_all(PROVIDERS.map(run)).await;
}

/// A part in short.
fn brief(part: &ResponsePart) -> String {
    match part {
        ResponsePart::Thinking(part) => format!("thinks: {}", part.content),
        ResponsePart::Text(part) => format!("says: {}", part.content),
        ResponsePart::ToolCall(call) => format!("calls {}: {}", call.tool_name, call.args.text()),
        other => format!("{other:?}"),
    }
}

/// What the models of a conversation said, in order.
fn said(history: &History) -> Vec<String> {
    let responses = history.iter().filter_map(|message| match message {
        Message::Response(response) => Some(response),
        _ => None,
    });
    responses.flat_map(|response| &response.parts).map(brief).collect()
}

/// Runs an agent over streamed replies. What is told of each part adds up to it, and nothing else is told.
async fn streamed(agent: &Agent<()>, prompt: &str, history: History) -> Result<RunResult<String>> {
    let mut run = agent.run(prompt).history(history).stream();
    let (mut growing, mut whole) = (HashMap::new(), Vec::new());
    while let Some(event) = run.next().await {
        match event {
            Event::Part(PartEvent::Start { index, part, .. }) => {
                assert!(growing.insert(index, part).is_none(), "a part begins in another");
            }
            Event::Part(PartEvent::Delta { index, delta, .. }) => {
                delta.apply(growing.get_mut(&index).expect("a part that has begun"));
            }
            Event::Part(PartEvent::End { index, part, .. }) => {
                let grown = growing.remove(&index).expect("a part that has begun");
                assert_eq!(brief(&grown), brief(&part));
                whole.push(brief(&part));
            }
            _ => {}
        }
    }
    let result = run.finish().await?;
    assert_eq!(whole, said(&result.new_messages()));
    Ok(result)
}

pub(crate) async fn turns(server: Aimock) {
    let call = |name: &str, arguments: Value| json!({"type": "toolCall", "name": name, "arguments": arguments});
    let text = |text: &str| json!({"type": "text", "text": text});
    let weather = call("weather", json!({"city": "Ålesund", "days": 2}));
    let convert = call("convert", json!({"amount": 2, "from": "EUR", "to": "NOK"}));
    let book = call("book", json!({"day": "2026-05-17", "guests": [{"name": "Kåre", "vegetarian": true}]}));
    let usage = json!({"input_tokens": 100, "output_tokens": 10});
    let fixtures = json!([
        {
            "match": {"userMessage": "Plan the trip", "hasToolResult": false},
            "response": {
                "reasoning": "The weather first, then the rest.",
                "blocks": [text("Let me look up the weather."), weather],
                "usage": usage,
            },
            "chunkSize": 3,
        },
        {
            "match": {"toolResultContains": "sunny in Ålesund for 2 days"},
            "response": {
                "reasoning": "Two calls are left.",
                "blocks": [convert, text("S’il vous plaît: a table."), book],
                "usage": usage,
            },
            "chunkSize": 1,
        },
        {
            "match": {"toolResultContains": "2026-05-17: Kåre, 1 vegetarian"},
            "response": {"reasoning": "Done.", "content": "It costs 23 NOK, and the table is booked.", "usage": usage},
        },
        {"match": {"userMessage": "And back home?", "hasToolResult": false}, "response": {"content": "By train.", "usage": usage}},
    ]);
    server.will(fixtures).await;
    with_each(async |provider| plan(&server, provider).await).await;
}

/// The trip is planned, as the server was told to do it.
async fn plan(server: &Aimock, provider: Provider) {
    let agent = provider.patient(server);
    let first = streamed(&agent, "Plan the trip.", History::new()).await;
    let Provider { name, .. } = provider;
    let first = first.unwrap_or_else(|error| unreachable!("{name}: {error}"));
    let expected = [
        "thinks: The weather first, then the rest.",
        "says: Let me look up the weather.",
        r#"calls weather: {"city":"Ålesund","days":2}"#,
        "thinks: Two calls are left.",
        r#"calls convert: {"amount":2,"from":"EUR","to":"NOK"}"#,
        "says: S’il vous plaît: a table.",
        r#"calls book: {"day":"2026-05-17","guests":[{"name":"Kåre","vegetarian":true}]}"#,
        "thinks: Done.",
        "says: It costs 23 NOK, and the table is booked.",
    ];
    assert_eq!(said(first.history()), expected, "{name}");
    let answers: Vec<_> = answers(first.history()).into_iter().map(|(_, _, said)| said).collect();
    let expected = [
        r#""sunny in Ålesund for 2 days""#,
        r#"{"amount":23.0,"currency":"NOK"}"#,
        r#""2026-05-17: Kåre, 1 vegetarian""#,
    ];
    assert_eq!(answers, expected, "{name}");
    let usage = first.usage();
    assert_eq!((usage.requests, usage.tool_calls), (3, 3), "{name}");
    assert_eq!((usage.input_tokens, usage.output_tokens), (300, 30), "{name}");
    let second = streamed(&agent, "And back home?", first.history().clone()).await.expect("a second run");
    assert_eq!(second.output(), "By train.", "{name}");
    assert_eq!(server.statuses(name).await, [200; 4], "{name}");
}

const WHOLE: &str = "One, two, three, four, five.";

/// What the server says to a count, in small pieces, with something besides.
fn count(besides: &Value) -> Value {
    let mut fixture = json!({"match": {"userMessage": "Count!"}, "response": {"content": WHOLE}, "chunkSize": 4});
    let besides = besides.as_object().expect("fields").clone();
    fixture.as_object_mut().expect("fields").extend(besides);
    fixture
}

/// Asks for a count while something is wrong with the stream: gives the error, or else it must be the whole answer.
async fn broken(server: &Aimock, provider: Provider) -> Option<Error> {
    let Provider { name, .. } = provider;
    match streamed(&provider.agent(server, Duration::from_secs(1)), "Count!", History::new()).await {
        Ok(result) => {
            assert_eq!(result.output(), WHOLE, "{name}: a part of it is taken for the whole");
            None
        }
        Err(error) => {
            assert_eq!((error.kind(), error.status()), (ErrorKind::Provider, None), "{name}: {error}");
            let kept = error.history().expect("a history").len();
            assert_eq!(kept, 1, "{name}: the prompt is kept, and nothing of the answer");
            Some(error)
        }
    }
}

/// Whatever provider's stream this is wrong with, it is an error.
async fn assert_breaks(server: &Aimock, wrong: Value, is_retryable: bool) {
    server.will(json!([count(&wrong)])).await;
    with_each(async |provider| {
        let error = broken(server, provider).await.expect("a broken stream");
        assert_eq!(error.is_retryable(), is_retryable, "{}: {error}", provider.name);
    })
    .await;
}

pub(crate) async fn cuts(server: Aimock) {
    for provider in PROVIDERS {
        let mut errors = 0;
        // What comes at once is lost at once, and asked for again as if nothing had come; so it comes slowly.
        for pieces in 2.. {
            server.reset().await;
            server.will(json!([count(&json!({"latency": 5, "truncateAfterChunks": pieces}))])).await;
            let Some(error) = broken(&server, provider).await else {
                break;
            };
            assert!(error.is_retryable(), "{}, {pieces}: {error}", provider.name);
            errors += 1;
        }
        assert!(errors >= 5, "{}: {errors} of seven pieces were no answer", provider.name);
    }
}

pub(crate) async fn disconnects(server: Aimock) {
    assert_breaks(&server, json!({"latency": 60, "disconnectAfterMs": 150}), true).await;
}

pub(crate) async fn silence(server: Aimock) {
    // The first piece comes at once, the second after two seconds.
    assert_breaks(&server, json!({"streamingProfile": {"ttft": 1, "tps": 0.5}}), true).await;
}

pub(crate) async fn garbage(server: Aimock) {
    assert_breaks(&server, json!({"chaos": {"malformedRate": 1}}), false).await;
}

pub(crate) async fn slow_replies(server: Aimock) {
    let turn = |turn: u64| json!({"userMessage": "Count!", "sequenceIndex": turn});
    let slow = json!({"match": turn(0), "streamingProfile": {"ttft": 3000}});
    let lost = json!({"match": turn(1), "chaos": {"disconnectRate": 1}});
    server.will(json!([count(&slow), count(&lost), count(&json!({"match": turn(2)}))])).await;
    with_each(async |provider| {
        let agent = provider.agent(&server, Duration::from_secs(1));
        let result = streamed(&agent, "Count!", History::new()).await;
        let result = result.unwrap_or_else(|error| unreachable!("{}: {error}", provider.name));
        assert_eq!((result.output().as_str(), result.usage().requests), (WHOLE, 1), "{}", provider.name);
        assert_eq!(server.statuses(provider.name).await.len(), 3, "{}", provider.name);
    })
    .await;
}

pub(crate) async fn failing_server(server: Aimock) {
    let fails = |prompt: &str, turn: u64, status: u64, kind: &str| {
        json!({
            "match": {"userMessage": prompt, "sequenceIndex": turn},
            "response": {"error": {"message": "not now", "type": kind}, "status": status, "retryAfter": 2},
        })
    };
    let call = json!({"name": "weather", "arguments": {"city": "Oslo"}});
    let fixtures = json!([
        {"match": {"toolResultContains": "sunny in Oslo"}, "response": {"content": "It is sunny."}},
        fails("Oslo", 0, 429, "rate_limit_error"),
        fails("Oslo", 1, 529, "overloaded_error"),
        {
            "match": {"userMessage": "Oslo", "sequenceIndex": 2},
            "response": {"reasoning": "I look.", "toolCalls": [call]},
        },
        fails("Bergen", 0, 500, "api_error"),
        fails("Bergen", 1, 529, "overloaded_error"),
        fails("Bergen", 2, 529, "overloaded_error"),
        fails("Moss", 0, 400, "invalid_request_error"),
    ]);
    server.will(fixtures).await;
    with_each(async |provider| ask_again(&server, provider).await).await;
}

/// The server fails, as it was told to.
async fn ask_again(server: &Aimock, provider: Provider) {
    let Provider { name, .. } = provider;
    let agent = provider.patient(server);
    let begun = Instant::now();
    let result = streamed(&agent, "How is Oslo?", History::new()).await;
    let result = result.unwrap_or_else(|error| unreachable!("{name}: {error}"));
    assert_eq!((result.output().as_str(), answers(result.history()).len()), ("It is sunny.", 1), "{name}");
    assert!(begun.elapsed() >= Duration::from_secs(2), "{name}: it did not wait: {:?}", begun.elapsed());
    let error = streamed(&agent, "How is Bergen?", History::new()).await.expect_err("it stays overloaded");
    assert_eq!((error.kind(), error.status(), error.is_retryable()), (ErrorKind::Provider, Some(529), true));
    let error = streamed(&agent, "How is Moss?", History::new()).await.expect_err("it is refused");
    assert_eq!((error.kind(), error.status(), error.is_retryable()), (ErrorKind::Provider, Some(400), false));
    assert!(error.to_string().contains("not now"), "{name}: {error}");
    assert_eq!(server.statuses(name).await, [429, 529, 200, 200, 500, 529, 529, 400], "{name}");
}

pub(crate) async fn out_of_tokens(server: Aimock) {
    let response = json!({"content": "One, two, th", "finishReason": "length"});
    server.will(json!([count(&json!({"response": response}))])).await;
    // Of Responses, the server says that they are incomplete, but not why.
    let expected = [Some(FinishReason::Length), None, Some(FinishReason::Length), Some(FinishReason::Length)];
    for (provider, expected) in PROVIDERS.into_iter().zip(expected) {
        let result = streamed(&provider.patient(&server), "Count!", History::new()).await.expect("a part of a count");
        let Some(Message::Response(last)) = result.history().last() else {
            unreachable!("{}: it ends with a response", provider.name);
        };
        assert_eq!(last.finish_reason, expected, "{}", provider.name);
    }
}
