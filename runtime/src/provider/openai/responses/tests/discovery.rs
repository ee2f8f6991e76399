//! Tools that are hidden, searched, found and added.

use std::sync::Arc;

use super::replies::{function_call, message, reached, short, whole};
use super::*;
use crate::http::server::{Server, reply};
use crate::message::{
    BuiltinToolCallPart, BuiltinToolReturnPart, History, ModelResponse, Outcome, ResponsePart,
    ToolAvailabilityDeltaPart, ToolContent, ToolReturnPart,
};
use crate::model::{self, SearchStrategy, ToolChoice};
use crate::search::{SEARCH_KIND, SEARCH_TOOL};

/// A model of this name at a server that is taken for OpenAI's own.
fn at_openai(name: &str) -> OpenAiResponsesModel {
    let builder = OpenAiResponsesModel::builder(name).api_key("k").base_url(SERVER);
    let own = |profile: &mut OpenAiResponsesProfile| *profile = profile.clone().at(true);
    builder.profile(own).build().expect("a model")
}

/// The hidden tools of these tests.
fn hidden(names: &str) -> Vec<ToolDefinition> {
    tools(names).into_iter().map(|tool| tool.with_defer_loading(true)).collect()
}

/// What a model is asked that has the tool `seen`, and of the hidden `a` and `b` has found these.
fn asked(messages: Vec<Message>, found: &str) -> ModelInput {
    let all = hidden("a b");
    let is_found = |tool: &ToolDefinition| found.split(' ').any(|name| name == tool.name());
    let search = ToolDefinition::new(SEARCH_TOOL).with_tool_kind(SEARCH_KIND).with_description("Finds.");
    let open = tools("seen").into_iter().chain(all.iter().filter(|tool| is_found(tool)).cloned()).chain([search]);
    let mut input = ModelInput::new(messages.into_iter().collect()).function_tools(open);
    input.hidden_tools = all.iter().filter(|tool| !is_found(tool)).cloned().collect();
    input.deferred_tools = all.into();
    input
}

fn say(parts: Vec<ResponsePart>) -> Message {
    ModelResponse::new(parts).into()
}

fn search_call(id: &str) -> ToolCallPart {
    let mut call = ToolCallPart::new(SEARCH_TOOL, json!({"queries": ["x"]})).with_id(id);
    call.tool_kind = Some(SEARCH_KIND.to_owned());
    call
}

fn answer(call: &ToolCallPart, content: Value, outcome: Outcome) -> RequestPart {
    RequestPart::ToolReturn(ToolReturnPart::answer(call, ToolContent::from(content), outcome))
}

fn found(names: &[&str]) -> Value {
    json!({"discovered_tools": names.iter().map(|name| json!({"name": name})).collect::<Vec<_>>()})
}

/// A search by the application that found `names`, and what it found.
fn local_search(names: &[&str]) -> Vec<Message> {
    let call = search_call("1");
    vec![say(vec![call.clone().into()]), ask(vec![answer(&call, found(names), Outcome::Success)])]
}

/// A search that `provider` ran, and that found `a`; then the model calls `a`.
fn provider_search(provider: &str) -> Vec<Message> {
    let mut search = BuiltinToolCallPart::search(provider, "s1".to_owned(), &["x".to_owned()]);
    let mut result = BuiltinToolReturnPart::found(provider, "s1".to_owned(), &["a".to_owned()]);
    search.id = Some("tsc_1".to_owned());
    search.provider_details = Some(json!({"call_id": null, "execution": "server", "status": "completed"}).into());
    result.provider_details = Some(json!({"id": "tso_1", "call_id": null, "execution": "server"}).into());
    let call = call("a", "2");
    let parts =
        vec![ResponsePart::BuiltinToolCall(search), ResponsePart::BuiltinToolReturn(result), call.clone().into()];
    vec![say(parts), ask(vec![answer(&call, json!("done"), Outcome::Success)])]
}

fn added(names: &[&str]) -> RequestPart {
    RequestPart::ToolAvailabilityDelta(ToolAvailabilityDeltaPart::new(
        names.iter().map(|name| (*name).to_owned()).collect(),
        None,
    ))
}

/// Tools and items in short.
fn brief(object: &Value) -> String {
    let text = |key: &str| object[key].as_str().unwrap_or_default().to_owned();
    let list = || object["tools"].as_array().into_iter().flatten().map(brief).collect::<Vec<_>>().join(" ");
    match object["type"].as_str().unwrap_or_default() {
        "function" if object["defer_loading"] == true => format!("({})", text("name")),
        "function" => text("name"),
        "tool_search" => format!("search {}", text("execution")).trim_end().to_owned(),
        "tool_search_call" => format!("{} search {} {}", text("execution"), text("call_id"), object["arguments"]),
        "tool_search_output" => format!("{} found {} [{}]", text("execution"), text("call_id"), list()),
        "additional_tools" => format!("{} adds [{}]", text("role"), list()),
        "function_call" => format!("call {} {}", text("name"), text("namespace")).trim_end().to_owned(),
        "function_call_output" => format!("-> {}", text("output")),
        _ => format!("{}: {}", text("role"), text("content")),
    }
}

fn briefs(body: &Value, key: &str) -> Vec<String> {
    body[key].as_array().into_iter().flatten().map(brief).collect()
}

fn sent(model: &OpenAiResponsesModel, input: &ModelInput) -> (Vec<String>, Vec<String>) {
    let body = body_of(model, input).expect("a body");
    (briefs(&body, "tools"), briefs(&body, "input"))
}

#[test]
fn who_searches_follows_from_the_strategy_and_the_model() {
    let mut input = asked(vec![user("Go.")], "");
    let tools = |model: &OpenAiResponsesModel, input: &ModelInput| sent(model, input).0;
    assert_eq!(tools(&at_openai("gpt-5.4"), &input), ["search", "seen", "(a)", "(b)"]);
    for local in [at_openai("gpt-5.2"), at_openai("gpt-5.4-nano"), named("gpt-5.4")] {
        assert_eq!(tools(&local, &input), ["seen", "search_tools"]);
    }
    for strategy in [SearchStrategy::Keywords, SearchStrategy::Custom] {
        input.search_strategy = strategy;
        assert_eq!(tools(&at_openai("gpt-5.6-sol"), &input), ["search client", "seen", "(a)", "(b)"]);
        assert_eq!(tools(&at_openai("gpt-5.2"), &input), ["seen", "search_tools"]);
    }
    let body = body_of(&at_openai("gpt-5.4"), &input).expect("a body");
    let search = json!({"type": "tool_search", "execution": "client", "description": "Finds.",
        "parameters": {"type": "object", "properties": {}}});
    assert_eq!(body["tools"][0], search);
    let forced = input.clone().settings(ModelSettings::new().tool_choice(ToolChoice::tools(["search_tools", "a"])));
    let body = body_of(&at_openai("gpt-5.4"), &forced).expect("a body");
    let chosen = json!([{"type": "function", "name": "a"}, {"type": "tool_search"}]);
    let listed = body["tool_choice"]["tools"].as_array().expect("a list");
    assert!(listed.len() == 2 && chosen.as_array().expect("a list").iter().all(|tool| listed.contains(tool)));
    for strategy in [SearchStrategy::Bm25, SearchStrategy::Regex] {
        assert!(!at_openai("gpt-5.4").can_search(strategy));
    }
}

#[test]
fn what_only_openai_has_is_taken_to_be_at_its_own_servers_alone() {
    let at = |url: &str, name: &str| {
        let model = OpenAiResponsesModel::builder(name).api_key("k").base_url(url).build().expect("a model");
        (model.profile().tool_search, model.profile().additional_tools)
    };
    for url in ["https://api.openai.com/v1", "https://eu.api.openai.com/v1/"] {
        for (name, searches) in
            [("gpt-5.4-mini", true), ("gpt-6-sol", true), ("gpt-5.4-nano-2026", false), ("o3", false)]
        {
            assert_eq!(at(url, name), (Some(searches), Some(true)), "{name}");
        }
    }
    for url in
        ["https://r.openai.azure.com/openai/v1", "https://api.openai.com.example/v1", "https://notopenai.com", SERVER]
    {
        assert_eq!(at(url, "gpt-5.6"), (Some(false), Some(false)), "{url}");
    }
    let elsewhere = with_profile(|profile| profile.additional_tools = Some(true));
    let has = (elsewhere.profile().tool_search, elsewhere.profile().additional_tools);
    assert_eq!(has, (Some(false), Some(true)));
}

#[test]
fn a_search_by_the_application_is_told_in_the_api_s_form_where_it_has_one() {
    let input = asked(local_search(&["a"]), "a");
    let (tools, items) = sent(&at_openai("gpt-5.4"), &input);
    assert_eq!(tools, ["search", "seen", "(a)", "(b)"]);
    assert_eq!(items, [r#"client search 1 {"queries":["x"]}"#, "client found 1 [(a)]"]);

    let (tools, items) = sent(&at_openai("gpt-5.2"), &input);
    assert_eq!(tools, ["seen", "search_tools"]);
    assert_eq!(items, ["call search_tools", r#"-> {"discovered_tools":[{"name":"a"}]}"#, "developer adds [a]"]);

    let (tools, items) = sent(&named("gpt-5.2"), &input);
    assert_eq!(tools, ["seen", "a", "search_tools"]);
    assert_eq!(items.len(), 2);
}

#[test]
fn what_is_found_twice_is_added_once_and_what_is_not_there_never() {
    let (first, second) = (search_call("1"), search_call("2"));
    let answers = [answer(&first, found(&["a", "seen", "gone"]), Outcome::Success), added(&["a", "gone"])];
    let again = answer(&second, found(&["a"]), Outcome::Success);
    let messages = vec![
        say(vec![first.clone().into()]),
        ask(answers.into()),
        say(vec![second.clone().into()]),
        ask(vec![again, added(&["a"])]),
    ];
    let (_, items) = sent(&at_openai("gpt-5.2"), &asked(messages.clone(), "a"));
    assert_eq!(items.iter().filter(|item| item.as_str() == "developer adds [a]").count(), 1, "{items:?}");
    let (_, items) = sent(&at_openai("gpt-5.4"), &asked(messages, "a"));
    let expected = ["client found 1 [(a)]", "developer adds [a]", "client found 2 [(a)]"];
    let told: Vec<_> = items.iter().filter(|item| !item.contains("search")).collect();
    assert_eq!(told, expected);
}

#[test]
fn a_search_that_failed_keeps_its_words() {
    for (content, outcome) in [
        (json!("Say what."), Outcome::Retried),
        (json!("No."), Outcome::Failed),
        (json!("plain words of an older version"), Outcome::Denied),
    ] {
        let call = search_call("1");
        let messages = vec![say(vec![call.clone().into()]), ask(vec![answer(&call, content.clone(), outcome)])];
        let (_, items) = sent(&at_openai("gpt-5.4"), &asked(messages, ""));
        assert_eq!(items[0], "call search_tools");
        assert!(items[1].contains(content.as_str().expect("words")), "{items:?}");
    }
    let (_, items) = sent(&at_openai("gpt-5.4"), &asked(vec![say(vec![search_call("1").into()])], ""));
    assert!(items[0] == "call search_tools" && items[1].contains("interrupted"), "{items:?}");
}

#[test]
fn the_provider_s_own_search_goes_back_as_it_came_and_any_other_s_as_the_application_s() {
    let own = asked(provider_search("openai"), "a");
    let expected = [r#"server search  {"queries":["x"]}"#, "server found  [(a)]", "call a a", "-> done"];
    assert_eq!(sent(&at_openai("gpt-5.4"), &own).1, expected);
    let items = body_of(&at_openai("gpt-5.4"), &own).expect("a body")["input"].take();
    assert_eq!((&items[0]["id"], &items[1]["id"]), (&json!("tsc_1"), &json!("tso_1")));
    assert_eq!((&items[0]["status"], &items[1]["status"]), (&json!("completed"), &json!("completed")));

    let foreign = asked(provider_search("anthropic"), "a");
    let expected = [r#"client search s1 {"queries":["x"]}"#, "client found s1 [(a)]", "call a a", "-> done"];
    assert_eq!(sent(&at_openai("gpt-5.4"), &foreign).1, expected);
    for input in [own, foreign] {
        let expected = [
            "call search_tools",
            r#"-> {"discovered_tools":[{"name":"a"}]}"#,
            "developer adds [a]",
            "call a a",
            "-> done",
        ];
        assert_eq!(sent(&at_openai("gpt-5.2"), &input).1, expected);
        let body = body_of(&at_openai("gpt-5.2"), &input).expect("a body");
        assert_eq!(body["input"][0].get("id"), None, "the item was another one");
        assert_eq!(sent(&named("gpt-5.2"), &input).1, ["call search_tools", expected[1], "call a", "-> done"]);
    }
}

#[test]
fn a_provider_s_search_without_both_halves_is_left_out() {
    let messages = provider_search("openai");
    let Message::Response(response) = &messages[0] else { unreachable!("a response") };
    for half in 0..2 {
        let messages = vec![user("Go."), say(vec![response.parts[half].clone()])];
        assert_eq!(sent(&at_openai("gpt-5.4"), &asked(messages.clone(), "")).1, ["user: Go."]);
        assert_eq!(sent(&at_openai("gpt-5.2"), &asked(messages, "")).1, ["user: Go."]);
    }
}

/// A run in which `late` came after `seen` was called.
fn with_newcomer() -> ModelInput {
    let call = call("seen", "1");
    let request = vec![answer(&call, json!("ok"), Outcome::Success), added(&["late"])];
    let messages = vec![user("Go."), say(vec![call.clone().into()]), ask(request)];
    ModelInput::new(messages.into_iter().collect()).function_tools(tools("seen late"))
}

#[test]
fn newcomers_come_in_messages_and_calls_of_them_have_a_namespace() {
    let input = with_newcomer();
    let (tools, items) = sent(&at_openai("gpt-5.2"), &input);
    assert_eq!((tools, &items[3]), (vec!["seen".to_owned()], &"developer adds [late]".to_owned()));
    let mut messages: Vec<Message> = input.history.iter().cloned().collect();
    messages.push(say(vec![call("late", "2").into()]));
    let later = ModelInput { history: messages.into_iter().collect(), ..input.clone() };
    assert_eq!(sent(&at_openai("gpt-5.2"), &later).1[4], "call late late");
    let (tools, items) = sent(&named("gpt-5.2"), &later);
    assert_eq!(tools, ["seen", "late"]);
    assert_eq!(items[3..5], ["system: The following tool(s) are now available: `late`", "call late"]);
}

#[test]
fn before_gpt_5_6_a_newcomer_is_chosen_among_the_tools() {
    let chosen = |settings: ModelSettings, model: &str| {
        let input = with_newcomer().settings(settings.tool_choice(ToolChoice::tools(["late"])));
        let (tools, items) = sent(&at_openai(model), &input);
        (tools, items.len())
    };
    let (alone, both) = (vec!["seen".to_owned()], vec!["seen".to_owned(), "late".to_owned()]);
    assert_eq!(chosen(ModelSettings::new(), "gpt-5.5"), (both, 3));
    assert_eq!(chosen(ModelSettings::new(), "gpt-5.6-luna"), (alone.clone(), 4));
    let Value::Object(kept) = json!({"previous_response_id": "resp_1"}) else { unreachable!("an object") };
    assert_eq!(chosen(ModelSettings::new().extra_body(kept), "gpt-5.5"), (alone, 4));
}

#[test]
fn a_tool_whose_reveal_is_lost_is_among_the_tools() {
    let capability_tool = ToolDefinition::new("a").with_capability_id("c".into());
    let mut input = question().function_tools([tools("seen"), vec![capability_tool.clone()]].concat());
    input.deferred_tools = Arc::from([capability_tool]);
    assert_eq!(
        sent(&at_openai("gpt-5.4"), &input),
        (vec!["seen".to_owned(), "a".to_owned()], vec!["user: Go.".to_owned()])
    );
}

#[test]
fn where_nothing_else_reveals_a_hidden_tool_a_search_does() {
    let model = with_profile(|profile| profile.tool_search = Some(true));
    let input = asked(vec![user("Go."), ask(vec![added(&["a", "gone"])])], "a");
    let (tools, items) = sent(&model, &input);
    assert_eq!(tools, ["search", "seen", "(a)", "(b)"]);
    assert!(items[1].starts_with("client search call_") && items[2].ends_with("[(a)]"), "{items:?}");
    assert_eq!(items.len(), 3);
    assert_eq!(sent(&model, &input), (tools, items));
}

/// Over a run, what was sent stays, and the tools do too.
#[test]
fn nothing_that_was_sent_changes() {
    for model in ["gpt-5.2", "gpt-5.4", "gpt-5.6"].map(at_openai) {
        let mut kept = Sent::default();
        let mut messages = vec![user("Go.")];
        let mut before: Option<Value> = None;
        let steps = [Vec::new(), local_search(&["a"]), provider_search("openai"), vec![ask(vec![added(&["b"])])]];
        for (more, found) in steps.into_iter().zip(["", "a", "a", "a b"]) {
            messages.extend(more);
            let input = asked(messages.clone(), found);
            let body: Value =
                serde_json::from_slice(&bytes_of(&model, &input, &mut kept).expect("a body")).expect("JSON");
            assert_eq!(body, body_of(&model, &input).expect("a body"), "it was kept");
            if let Some(before) = &before {
                assert_eq!(before["tools"], body["tools"]);
                let (old, new) = (before["input"].as_array().expect("items"), body["input"].as_array().expect("items"));
                assert_eq!(old[..], new[..old.len()]);
            }
            before = Some(body);
        }
    }
}

fn search_item(execution: &str, id: &str, call_id: Value, arguments: Value) -> Value {
    json!({"type": "tool_search_call", "id": id, "call_id": call_id, "execution": execution, "status": "completed",
        "arguments": arguments})
}

fn found_item(id: &str, call_id: Value, names: &[&str]) -> Value {
    let tools: Vec<_> = names.iter().map(|name| json!({"type": "function", "name": name, "parameters": {}})).collect();
    json!({"type": "tool_search_output", "id": id, "call_id": call_id, "execution": "server", "status": "completed",
        "tools": tools})
}

/// The parts of a reply, whole and streamed, that must be the same.
async fn parts_of(output: Value) -> Vec<ResponsePart> {
    let events = output.as_array().expect("items").iter().zip(0..).map(|(item, place)| {
        let mut begun = item.clone();
        if begun["type"] == "tool_search_call" {
            begun["arguments"] = json!({});
        }
        let event = |kind: &str, item: &Value| {
            let data = json!({"type": format!("response.output_item.{kind}"), "output_index": place, "item": item});
            format!("data: {data}\n\n")
        };
        event("added", &begun) + &event("done", item)
    });
    let end = json!({"type": "response.completed", "response": whole(output.clone())});
    let stream = events.collect::<String>() + &format!("data: {end}\n\n");
    let streamed = streams::answer(stream.as_bytes()).expect("a response");
    let server = Server::start(vec![reply(200, &[], &whole(output).to_string())]).await;
    let response = model::request(&reached(&server), &question()).await.expect("a response");
    let without_times = |response: ModelResponse| {
        let mut parts = response.parts;
        for part in &mut parts {
            if let ResponsePart::BuiltinToolReturn(part) = part {
                part.timestamp = None;
            }
        }
        parts
    };
    let parts = without_times(response);
    assert_eq!(parts, without_times(streamed));
    parts
}

fn stored(parts: Vec<ResponsePart>) -> Value {
    let history: History = [say(parts)].into_iter().collect();
    serde_json::to_value(history).expect("JSON")[0]["parts"].take()
}

#[tokio::test]
async fn searches_of_the_provider_become_parts_that_belong_together() {
    let output = json!([
        search_item("server", "tsc_1", json!(null), json!({"paths": ["a"]})),
        search_item("server", "tsc_2", json!("s2"), json!({"queries": ["b", "c"]})),
        found_item("tso_2", json!("s2"), &["b"]),
        found_item("tso_1", json!(null), &["a"]),
        function_call("fc_1", "1", "a", "{}"),
    ]);
    let parts = stored(parts_of(output).await);
    let told: Vec<_> = parts.as_array().expect("parts").iter().map(|part| &part["tool_call_id"]).collect();
    assert_eq!(told, ["tsc_1", "s2", "s2", "tsc_1", "1"]);
    assert_eq!((&parts[0]["args"], &parts[1]["args"]), (&json!({"queries": ["a"]}), &json!({"queries": ["b", "c"]})));
    assert_eq!(parts[3]["content"], json!({"discovered_tools": [{"name": "a"}]}));
    for part in parts.as_array().expect("parts").iter().take(4) {
        assert_eq!((&part["tool_name"], &part["tool_kind"]), (&json!("tool_search"), &json!("tool-search")));
        assert_eq!(part["provider_details"]["execution"], "server");
    }
    assert_eq!(parts[3]["provider_details"]["id"], "tso_1");
}

#[tokio::test]
async fn a_search_that_the_application_is_to_run_is_a_call() {
    let parts = parts_of(json!([search_item("client", "tsc_1", json!("1"), json!({"queries": ["x"]}))])).await;
    let [ResponsePart::ToolCall(call)] = &*parts else { unreachable!("one call: {parts:?}") };
    assert_eq!((&*call.tool_name, &*call.tool_call_id, call.args.text()), (SEARCH_TOOL, "1", r#"{"queries":["x"]}"#));
    assert_eq!((call.id.as_deref(), call.tool_kind.as_deref()), (Some("tsc_1"), Some(SEARCH_KIND)));
}

#[tokio::test]
async fn odd_searches_are_kept_and_harm_nothing() {
    let output = json!([
        found_item("tso_0", json!("nobody"), &["a"]),
        found_item("tso_9", json!(null), &[]),
        {"type": "tool_search_call"},
        {"type": "tool_search_call", "id": "tsc_1", "execution": "elsewhere", "arguments": "{\"paths\": [\"a\"]}"},
        {"type": "tool_search_call", "id": "tsc_2", "execution": "server", "arguments": {"regex": "a.*"}},
        {"type": "tool_search_output", "execution": "client", "call_id": "1"},
        {"type": "tool_search_output", "tools": [{"type": "web_search"}, {"type": "function", "name": "a"}]},
        {"type": "tool_search_new"},
        message("msg_1", "done"),
    ]);
    let parts = parts_of(output).await;
    let json = stored(parts.clone());
    let names: Vec<_> =
        json.as_array().expect("parts").iter().map(|part| part["part_kind"].as_str().expect("a kind")).collect();
    let (call, result) = ("builtin-tool-call", "builtin-tool-return");
    assert_eq!(names, [result, result, call, call, call, result, "text"]);
    assert_eq!((&json[3]["args"], &json[4]["args"]), (&json!({"queries": ["a"]}), &json!({"regex": "a.*"})));
    assert_eq!(short(&ModelResponse::new(parts.clone()))[6], "text: done [msg_1]");
    for model in ["gpt-5.2", "gpt-5.4"].map(at_openai) {
        let (_, items) = sent(&model, &asked(vec![user("Go."), say(parts.clone())], "a"));
        assert_eq!(items.iter().filter(|item| item.contains("nobody")).count(), 0, "{items:?}");
    }
}

#[tokio::test]
async fn a_stream_that_is_cut_within_a_search_is_an_error() {
    let item = search_item("server", "tsc_1", json!(null), json!({"paths": ["a"]}));
    let event = json!({"type": "response.output_item.done", "output_index": 0, "item": item});
    let cut = streams::answer(format!("data: {event}\n\n").as_bytes());
    assert_eq!(cut.expect_err("it is cut"), "cut");
}

#[tokio::test]
async fn stand_ins_of_hidden_tools_are_told_apart_and_mapped_back() {
    let name = "söge";
    let tool = ToolDefinition::new(name).with_defer_loading(true);
    let wire = crate::provider::name::wire_name(name).into_owned();
    let output = json!([
        search_item("server", "tsc_1", json!(null), json!({"paths": [wire]})),
        found_item("tso_1", json!(null), &[&wire]),
        function_call("fc_1", "1", &wire, "{}"),
    ]);
    let server = Server::start(vec![reply(200, &[], &whole(output).to_string())]).await;
    let mut input = question();
    input.hidden_tools = Arc::from([tool.clone()]);
    input.deferred_tools = Arc::from([tool]);
    let response = model::request(&reached(&server), &input).await.expect("a response");
    let parts = stored(response.parts);
    assert_eq!(
        (&parts[1]["content"]["discovered_tools"][0]["name"], &parts[2]["tool_name"]),
        (&json!(name), &json!(name))
    );
}

#[test]
fn what_was_found_before_there_were_kinds_is_a_search_where_the_api_has_one() {
    let call = ToolCallPart::new(SEARCH_TOOL, json!({"keywords": "a"})).with_id("1");
    let mut found = ToolReturnPart::answer(&call, ToolContent::text("Found: a"), Outcome::Success);
    found.metadata = Some(json!({"discovered_tools": ["a"]}).into());
    let messages =
        || vec![user("Go."), say(vec![call.clone().into()]), ask(vec![RequestPart::ToolReturn(found.clone())])];
    let body = |model: &str| {
        let form = |profile: &mut OpenAiResponsesProfile| {
            *profile = OpenAiResponsesProfile::of(model).at(true);
        };
        body_of(&with_profile(form), &asked(messages(), "a")).expect("a body")
    };
    let native = body("gpt-5.6");
    assert_eq!(native["input"][1]["type"], "tool_search_call");
    assert_eq!(
        (&native["input"][2]["type"], &native["input"][2]["tools"][0]["name"]),
        (&json!("tool_search_output"), &json!("a"))
    );
    // Elsewhere it stays a result in words, and the tool stands among the tools.
    let local = body("gpt-5.2");
    assert_eq!((&local["input"][2]["output"], local["input"].as_array().map(Vec::len)), (&json!("Found: a"), Some(3)));
    let names: Vec<_> = local["tools"].as_array().expect("tools").iter().map(|tool| &tool["name"]).collect();
    assert!(names.contains(&&json!("a")), "{names:?}");
}
