//! Tools that are hidden, found, revealed and added.
#![allow(clippy::panic, reason = "a test that finds the wrong variant says so")]

use super::replies::{message, reached};
use super::streams::{arguments, of_blocks, start, stop};
use super::*;
use crate::error::ErrorKind;
use crate::http::server::{Server, reply};
use crate::message::{
    CacheTtl, History, Outcome, ResponsePart, ToolAvailabilityDeltaPart, ToolContent, ToolReturnPart,
};
use crate::model::{SearchStrategy, ToolChoice};
use crate::provider::name::wire_name;
use crate::search::{SEARCH_KIND, SEARCH_TOOL};

/// A question of an agent with these tools: plain ones, hidden ones, and those of a capability, of which the `found` are
/// offered.
struct Question<'a> {
    plain: &'a str,
    hidden: &'a str,
    of_capability: &'a str,
    found: &'a str,
    strategy: SearchStrategy,
}

impl Default for Question<'_> {
    fn default() -> Self {
        Self { plain: "p", hidden: "", of_capability: "", found: "", strategy: SearchStrategy::Automatic }
    }
}

impl Question<'_> {
    fn over(self, messages: Vec<Message>) -> ModelInput {
        let hidden = tools(self.hidden).into_iter().map(|tool| tool.with_defer_loading(true));
        let owned = tools(self.of_capability).into_iter().map(|tool| tool.with_capability_id("c".into()));
        let deferred: Vec<_> = hidden.chain(owned).collect();
        let is_found = |tool: &&ToolDefinition| self.found.split_whitespace().any(|name| name == tool.name());
        let (found, hidden): (Vec<_>, Vec<_>) = deferred.iter().cloned().partition(|tool| is_found(&tool));
        let search = ToolDefinition::new(SEARCH_TOOL).with_tool_kind(SEARCH_KIND);
        let search = (!self.hidden.is_empty()).then_some(search);
        let mut input = ModelInput::new(messages.into_iter().collect())
            .function_tools(tools(self.plain).into_iter().chain(found).chain(search));
        input.hidden_tools = hidden.into();
        input.deferred_tools = deferred.into();
        input.search_strategy = self.strategy;
        input
    }

    fn to(self, model: &str, messages: Vec<Message>) -> Result<Value> {
        body_of(&named(model), &self.over(messages))
    }
}

/// The tools of a body by their names; those that are hidden with a star.
fn listed(body: &Value) -> String {
    let name = |tool: &Value| {
        let star = if tool["defer_loading"] == true { "*" } else { "" };
        format!("{}{star}", tool["name"].as_str().unwrap_or_default())
    };
    body["tools"].as_array().into_iter().flatten().map(name).collect::<Vec<_>>().join(" ")
}

/// A message in words: what its blocks are, and which tools they name.
fn short(message: &Value) -> String {
    let block = |block: &Value| match block["type"].as_str().unwrap_or_default() {
        "text" => block["text"].as_str().unwrap_or_default().to_owned(),
        "tool_addition" => format!("+{}", block["tool"]["name"].as_str().unwrap_or_default()),
        "tool_reference" => format!("@{}", block["tool_name"].as_str().unwrap_or_default()),
        "tool_use" | "server_tool_use" => format!("{}{}", block["name"].as_str().unwrap_or_default(), block["input"]),
        kind => format!("{kind}{}", block["content"]),
    };
    let blocks = message["content"].as_array().into_iter().flatten();
    let inner = blocks.map(|outer| match outer["content"].as_array() {
        Some(parts) => parts.iter().map(block).collect::<Vec<_>>().join(" "),
        None => block(outer),
    });
    format!("{}: {}", message["role"].as_str().unwrap_or_default(), inner.collect::<Vec<_>>().join(", "))
}

fn conversation(body: &Value) -> Vec<String> {
    body["messages"].as_array().into_iter().flatten().map(short).collect()
}

fn delta(names: &[&str]) -> RequestPart {
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    RequestPart::ToolAvailabilityDelta(ToolAvailabilityDeltaPart::new(names, None))
}

fn words(text: &str) -> RequestPart {
    RequestPart::UserPrompt(UserPromptPart::new(text))
}

/// A search of the application's, and what it found.
fn local_search(content: Value) -> Vec<Message> {
    let mut search = ToolCallPart::new(SEARCH_TOOL, json!({"queries": ["x"]})).with_id("s1");
    search.tool_kind = Some(SEARCH_KIND.to_owned());
    let mut answer = ToolReturnPart::answer(&search, ToolContent::from(content), Outcome::Success);
    answer.tool_kind = Some(SEARCH_KIND.to_owned());
    vec![user("Go."), ModelResponse::new(vec![search.into()]).into(), ask(vec![RequestPart::ToolReturn(answer)])]
}

/// A search that a provider ran.
fn provider_search(provider: &str, details: Value, found: Value, more: Value) -> Vec<Message> {
    let parts = json!([
        {"part_kind": "builtin-tool-call", "tool_name": "tool_search", "args": {"queries": ["a", "b"]}, "tool_call_id": "s1",
         "tool_kind": "tool-search", "provider_name": provider, "provider_details": details},
        {"part_kind": "builtin-tool-return", "tool_name": "tool_search", "content": {"discovered_tools": found},
         "tool_call_id": "s1", "tool_kind": "tool-search", "provider_name": provider, "provider_details": more},
        {"part_kind": "text", "content": "Found."},
    ]);
    let history = json!([{"kind": "response", "parts": parts}]);
    let history = History::from_json(&history.to_string()).expect("a history");
    [user("Go.")].into_iter().chain(history.iter().cloned()).chain([user("On.")]).collect()
}

#[test]
fn what_can_be_found_is_sent_hidden_whether_it_was_found_or_not() {
    let listed_by = |model: &str, strategy, found: &str| {
        let question = Question { hidden: "h i", found, strategy, ..Question::default() };
        question.to(model, vec![user("Go.")]).map(|body| listed(&body)).expect("a body")
    };
    for found in ["", "h", "h i"] {
        let bm25 = "p h* i* tool_search_tool_bm25";
        assert_eq!(listed_by("claude-opus-4-8", SearchStrategy::Automatic, found), bm25);
        assert_eq!(listed_by("claude-sonnet-4-5", SearchStrategy::Bm25, found), bm25);
        assert_eq!(listed_by("claude-haiku-4-5", SearchStrategy::Regex, found), "p h* i* tool_search_tool_regex");
        for own in [SearchStrategy::Keywords, SearchStrategy::Custom] {
            assert_eq!(listed_by("claude-opus-4-8", own, found), "p h* i* search_tools");
        }
    }
    assert_eq!(listed_by("claude-3-5-haiku-latest", SearchStrategy::Automatic, "i"), "p i search_tools");
    assert!(named("claude-opus-4-8").can_search(SearchStrategy::Regex));
    assert!(!named("claude-3-5-haiku-latest").can_search(SearchStrategy::Regex));
}

#[test]
fn what_only_a_capability_reveals_is_hidden_from_searches_too() {
    let sent = |hidden, found| {
        let question = Question { hidden, of_capability: "c d", found, ..Question::default() };
        let revealed = ask(vec![words("Go."), delta(&found.split_whitespace().collect::<Vec<_>>())]);
        question.to("claude-opus-4-8", vec![revealed]).map(|body| listed(&body)).expect("a body")
    };
    // Where nothing searches, nothing can find it: it is there from the start, and stays in its place.
    assert_eq!([sent("", ""), sent("", "d"), sent("", "d c")], ["p c* d*"; 3]);
    assert_eq!(sent("h", ""), "p h* tool_search_tool_bm25");
    assert_eq!(sent("h", "d"), "p h* tool_search_tool_bm25 d*");
    assert_eq!(sent("h", "d c"), "p h* tool_search_tool_bm25 d* c*", "in the order in which they were revealed");
}

#[test]
fn newcomers_are_added_shown_or_announced() {
    let sent = |model: &str, plain: &str| {
        let messages = vec![ask(vec![words("Go."), delta(&["n", "gone"]), words("More.")]), ask(vec![delta(&["n"])])];
        let body = Question { plain, ..Question::default() }.to(model, messages).expect("a body");
        (listed(&body), conversation(&body))
    };
    let (tools, messages) = sent("claude-opus-4-8", "p n");
    assert_eq!((tools.as_str(), messages), ("p n*", vec!["user: Go., More.".to_owned(), "system: +n".to_owned()]));
    let (tools, messages) = sent("claude-sonnet-4-5", "p n");
    assert_eq!(tools, "p n*");
    let searched = r#"assistant: search_tools{"queries":["n"]}"#;
    assert_eq!(messages, ["user: Go.", searched, "user: @n, More.", searched, "user: @n"]);
    let (tools, messages) = sent("claude-3-5-haiku-latest", "p n");
    let announced = "<system>The following tool(s) are now available: `n`</system>";
    assert_eq!(tools, "p n");
    assert_eq!(messages, [format!("user: Go., {announced}, More., {announced}")]);
    // Where nothing else is there, nothing is kept.
    assert_eq!(sent("claude-opus-4-8", "n"), ("n".to_owned(), vec!["user: Go., More.".to_owned()]));
}

#[test]
fn searches_that_were_never_made_have_ids_of_their_own_that_stay() {
    let ids = |more: Vec<Message>| {
        let reveals = vec![user("Go."), ask(vec![delta(&["n"])]), ask(vec![delta(&["m"])]), ask(vec![delta(&["n"])])];
        let question = Question { plain: "p n m", ..Question::default() };
        let body = question.to("claude-sonnet-4-5", reveals.into_iter().chain(more).collect()).expect("a body");
        let blocks = body["messages"].as_array().into_iter().flatten().map(|message| &message["content"][0]);
        let calls =
            blocks.filter(|block| block["type"] == "tool_use").map(|block| block["id"].as_str().map(str::to_owned));
        calls.collect::<Option<Vec<_>>>().expect("ids")
    };
    let first = ids(Vec::new());
    assert!(first.len() == 3 && first[0] != first[2] && first[0] != first[1], "{first:?}");
    assert_eq!(ids(vec![ModelResponse::text("Hm.").into(), user("On.")]), first);
}

#[test]
fn what_the_application_found_is_shown_where_it_is_hidden() {
    let sent = |model: &str, content: Value| {
        let question =
            Question { hidden: "h i", found: "h", strategy: SearchStrategy::Keywords, ..Question::default() };
        let body = question.to(model, local_search(content)).expect("a body");
        conversation(&body).pop().expect("a result")
    };
    let found = |names: &[&str]| json!({"discovered_tools": names.iter().map(|name| json!({"name": name})).collect::<Vec<_>>()});
    assert_eq!(sent("claude-opus-4-8", found(&["h", "gone", "i"])), "user: @h @i");
    assert_eq!(sent("claude-3-5-haiku-latest", found(&["h"])), r#"user: {"discovered_tools":[{"name":"h"}]}"#);
    let none = sent("claude-opus-4-8", found(&["gone"]));
    assert!(none.contains("gone") && none.contains("None of these tools"), "{none}");
    let words = json!({"discovered_tools": [], "message": "Nothing."});
    assert!(sent("claude-opus-4-8", words).contains("Nothing."));
    assert_eq!(sent("claude-opus-4-8", json!("odd")), "user: odd");
}

#[test]
fn own_searches_go_back_as_they_came_and_others_as_calls() {
    let sent = |model: &str, messages: Vec<Message>| {
        let question = Question { hidden: "h", found: "h", ..Question::default() };
        conversation(&question.to(model, messages).expect("a body"))
    };
    let found = || json!([{"name": "h"}, {"name": "gone"}]);
    let own = || provider_search("anthropic", json!({"strategy": "bm25"}), found(), Value::Null);
    let references = r#"[{"type":"tool_reference","tool_name":"h"}]"#;
    let result = |content: String| format!("tool_search_tool_result{content}");
    let whole = result(format!(r#"{{"type":"tool_search_tool_search_result","tool_references":{references}}}"#));
    let messages = sent("claude-opus-4-8", own());
    assert_eq!(messages[1], format!(r#"assistant: tool_search_tool_bm25{{"query":"a b"}}, {whole}, Found."#));
    let regex = provider_search("anthropic", json!({"strategy": "regex"}), found(), Value::Null);
    assert!(sent("claude-opus-4-8", regex)[1].contains(r#"tool_search_tool_regex{"pattern":"a b"}"#));
    let failed = provider_search("anthropic", Value::Null, json!([]), json!({"error_code": "unavailable"}));
    let error = result(r#"{"type":"tool_search_tool_result_error","error_code":"unavailable"}"#.to_owned());
    assert!(sent("claude-opus-4-8", failed)[1].contains(&error));
    let as_call = [r#"assistant: search_tools{"queries":["a","b"]}"#, "user: @h", "assistant: Found."];
    assert_eq!(sent("claude-opus-4-8", provider_search("openai", Value::Null, found(), Value::Null))[1..4], as_call);
    let old = sent("claude-3-5-haiku-latest", own());
    assert_eq!(old[1], as_call[0]);
    assert!(old[2].contains("discovered_tools"), "{old:?}");
}

#[test]
fn a_choice_may_name_what_is_hidden_but_leaves_something_to_see() {
    let chosen = |question: Question<'_>, messages: Vec<Message>, choice: ToolChoice| {
        let input = question.over(messages).settings(ModelSettings::new().tool_choice(choice));
        body_of(&named("claude-sonnet-4-5"), &input).map(|body| (listed(&body), body["tool_choice"].clone()))
    };
    let hidden = || Question { hidden: "h i", ..Question::default() };
    let (tools, choice) = chosen(hidden(), vec![user("Go.")], ToolChoice::tools(["h"])).expect("a body");
    assert_eq!((tools.as_str(), &choice["name"]), ("p h* i* tool_search_tool_bm25", &json!("h")));
    let (tools, _) = chosen(hidden(), vec![user("Go.")], ToolChoice::tools(["h", "i"])).expect("a body");
    assert_eq!(tools, "h* i* tool_search_tool_bm25");
    let newcomers = || vec![ask(vec![words("Go."), delta(&["n", "m"])])];
    let plain = || Question { plain: "p n m", ..Question::default() };
    let (tools, _) = chosen(plain(), newcomers(), ToolChoice::tools(["n", "m"])).expect("a body");
    assert_eq!(tools, "n m");
    let (tools, _) = chosen(plain(), newcomers(), ToolChoice::tools(["p", "m"])).expect("a body");
    assert_eq!(tools, "p m*");
    let nothing_to_see = Question { plain: "", of_capability: "c", ..Question::default() };
    let error = nothing_to_see.to("claude-opus-4-8", vec![user("Go.")]).expect_err("the API refuses it");
    assert_eq!(error.kind(), ErrorKind::Misuse);
}

#[test]
fn the_cache_ends_with_a_tool_that_is_seen() {
    let cached = |question: Question<'_>| {
        let model = AnthropicModel::builder("claude-sonnet-4-5").api_key("k").cache_tools(CacheTtl::Hour);
        let model = model.base_url("http://localhost:1").build().expect("a model");
        let body = body_of(&model, &question.over(vec![user("Go.")])).expect("a body");
        let tools = body["tools"].as_array().cloned().unwrap_or_default();
        tools
            .into_iter()
            .filter(|tool| tool.get("cache_control").is_some())
            .map(|tool| tool["name"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(cached(Question { plain: "p q", hidden: "h", ..Question::default() }), ["q"]);
    let own = SearchStrategy::Keywords;
    assert_eq!(cached(Question { hidden: "h", strategy: own, ..Question::default() }), [SEARCH_TOOL]);
    assert!(cached(Question { plain: "", hidden: "h", ..Question::default() }).is_empty());
}

#[test]
fn a_run_only_appends_what_it_finds() {
    let model = named("claude-opus-4-8");
    let mut sent = Sent::default();
    let mut history: Vec<Message> = vec![user("Go.")];
    let mut before = (Vec::new(), String::new());
    let mut ask_with = |history: &[Message], question: Question<'_>| {
        let body = bytes_of(&model, &question.over(history.to_vec()), &mut sent).expect("a body");
        let body: Value = serde_json::from_slice(&body).expect("JSON");
        let now = (conversation(&body), listed(&body));
        let (messages, tools) = std::mem::replace(&mut before, now.clone());
        assert!(now.0.starts_with(&messages) && now.1.starts_with(&tools), "{now:?} after {messages:?} {tools}");
        now
    };
    let question = || Question { plain: "p", hidden: "h", ..Question::default() };
    ask_with(&history, question());
    history.extend(provider_search("anthropic", Value::Null, json!([{"name": "h"}]), Value::Null).into_iter().skip(1));
    ask_with(&history, Question { found: "h", ..question() });
    history.extend([ModelResponse::text("Hm.").into(), ask(vec![words("More."), delta(&["n"])])]);
    let (messages, tools) = ask_with(&history, Question { plain: "p n", found: "h", ..question() });
    assert_eq!(
        (messages.last().map(String::as_str), tools.as_str()),
        (Some("system: +n"), "p h* tool_search_tool_bm25 n*")
    );
}

#[tokio::test]
async fn what_is_found_has_its_own_name_again() {
    let stand_in = wire_name("h.1").into_owned();
    let reference = json!([{"type": "tool_reference", "tool_name": stand_in}]);
    let content = json!({"type": "tool_search_tool_search_result", "tool_references": reference});
    let blocks = json!([
        {"type": "server_tool_use", "id": "s1", "name": "tool_search_tool_bm25", "input": {"query": "h"}},
        {"type": "tool_search_tool_result", "tool_use_id": "s1", "content": content},
    ]);
    let server = Server::start(vec![reply(200, &[], &message(blocks, json!("end_turn")))]).await;
    let model = reached(&server).build().expect("a model");
    let input = Question { hidden: "h.1", ..Question::default() }.over(vec![user("Go.")]);
    let response = crate::model::request(&model, &input).await.expect("a response");
    let Some(ResponsePart::BuiltinToolReturn(found)) = response.parts.last() else { panic!("{response:?}") };
    assert_eq!(found.content.to_json().text(), r#"{"discovered_tools":[{"name":"h.1"}]}"#);
    let messages = vec![user("Go."), response.into(), user("On.")];
    let body = Question { hidden: "h.1", found: "h.1", ..Question::default() }.to("claude-sonnet-4-5", messages);
    assert!(body.expect("a body")["messages"][1].to_string().contains(&stand_in));
}

#[test]
fn searches_are_read_from_streams_too() {
    let search = |name: &str| json!({"type": "server_tool_use", "id": "s1", "name": name, "input": {}});
    let reference = json!({"type": "tool_reference", "tool_name": "h"});
    let content = json!({"type": "tool_search_tool_search_result", "tool_references": [reference]});
    let found = json!({"type": "tool_search_tool_result", "tool_use_id": "s1", "content": content});
    let of = |name: &str, input: &str| {
        let pieces = [start(0, search(name)), arguments(0, &input[..3]), arguments(0, &input[3..]), stop(0)];
        let result = [start(1, found.clone()), stop(1)];
        of_blocks(&pieces.into_iter().chain(result).collect::<Vec<_>>()).expect("a response").parts
    };
    let parts = of("tool_search_tool_regex", r#"{"pattern":"h.*"}"#);
    let [ResponsePart::BuiltinToolCall(call), ResponsePart::BuiltinToolReturn(found)] = parts.as_slice() else {
        panic!("a search and its result: {parts:?}");
    };
    assert_eq!((call.args.text(), call.tool_kind.as_deref()), (r#"{"queries":["h.*"]}"#, Some(SEARCH_KIND)));
    assert_eq!(found.content.to_json().text(), r#"{"discovered_tools":[{"name":"h"}]}"#);
    assert_eq!((&call.tool_call_id, &found.tool_call_id), (&"s1".to_owned(), &"s1".to_owned()));
    // Cut arguments are none, and calls of other tools of the provider's are no searches.
    assert!(
        matches!(&of("tool_search_tool_bm25", r#"{"que"#)[0], ResponsePart::BuiltinToolCall(call) if call.args.text() == r#"{"queries":[]}"#)
    );
    assert!(
        matches!(&of("web_search", r#"{"query":"h"}"#)[0], ResponsePart::BuiltinToolCall(call) if call.tool_name == "web_search" && call.tool_kind.is_none())
    );
}

#[test]
fn what_was_found_before_there_were_kinds_is_shown_where_it_is_hidden() {
    let search = ToolCallPart::new(SEARCH_TOOL, json!({"keywords": "h"})).with_id("s1");
    let mut answer = ToolReturnPart::answer(&search, ToolContent::text("Found: h"), Outcome::Success);
    answer.metadata = Some(json!({"discovered_tools": ["h"]}).into());
    let messages = || {
        vec![
            user("Go."),
            ModelResponse::new(vec![search.clone().into()]).into(),
            ask(vec![RequestPart::ToolReturn(answer.clone())]),
        ]
    };
    let hides = Question { hidden: "h", found: "h", ..Question::default() }.to("claude-sonnet-4-5", messages());
    assert_eq!(conversation(&hides.expect("a body"))[2], "user: @h");
    let plain = Question { hidden: "h", found: "h", ..Question::default() }.to("claude-3-5-haiku-latest", messages());
    assert!(conversation(&plain.expect("a body"))[2].contains("Found: h"));
}
