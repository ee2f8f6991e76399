//! Tools that are known by their kind, whatever they are called.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolwright::error::ErrorKind;
use toolwright::message::{
    Arguments, Message, ModelRequest, ModelResponse, Outcome, RequestPart, ResponsePart, ToolCallPart, ToolReturnPart,
    UserPromptPart,
};
use toolwright::model::{Model, ModelInput, PartDelta, PartEvent, PartEvents, RequestCache, TestModel};
use toolwright::tool::kind::{KindDefinition, SearchTools};
use toolwright::{
    Agent, Event, FunctionToolset, History, RawTool, Tool, ToolDefinition, ToolKind, ToolReturn, ToolsetExt, tool,
    tool_kind, tools,
};
// The kinds of another crate; nothing else here names it.
use toolwright_tests as _;

use crate::support::{done, echo, script};

#[derive(Deserialize, JsonSchema)]
struct LookupArgs {
    sku: String,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct LookupResult {
    in_stock: bool,
}

#[tool_kind("stock.lookup", args = LookupArgs, content = LookupResult)]
struct Lookup;

/// The arguments and contents of the lookups in a history.
fn lookups(history: &History) -> (Vec<String>, Vec<bool>) {
    let (mut args, mut contents) = (Vec::new(), Vec::new());
    for message in history.iter() {
        match message {
            Message::Response(response) => {
                let calls = response.parts.iter().filter_map(ResponsePart::typed::<Lookup>);
                args.extend(calls.filter_map(|call| call.into_args()).map(|args| args.sku));
            }
            Message::Request(request) => {
                let answers = request.parts.iter().filter_map(RequestPart::typed::<Lookup>);
                contents.extend(answers.map(|answer| answer.content().in_stock));
            }
            other => panic!("an unknown message: {other:?}"),
        }
    }
    (args, contents)
}

/// Checks the stock.
#[tool(tool_kind = Lookup)]
async fn check_stock(args: LookupArgs) -> LookupResult {
    LookupResult { in_stock: args.sku.starts_with('A') }
}

#[tool(tool_kind = Lookup)]
fn in_parts(sku: String, amount: Option<u8>) -> Result<ToolReturn<LookupResult>, std::io::Error> {
    let _ = amount;
    Ok(ToolReturn::new(LookupResult { in_stock: sku == "A-1" }))
}

#[tool(tool_kind = Lookup, inline)]
fn one_part(sku: String) -> Result<LookupResult, String> {
    Ok(LookupResult { in_stock: sku.is_empty() })
}

fn call(name: &str, sku: &str) -> ModelResponse {
    ModelResponse::new(vec![ToolCallPart::new(name, json!({"sku": sku})).into()])
}

#[tokio::test]
async fn a_tool_keeps_its_kind_under_any_name_and_in_any_store() {
    for tool in [tools![check_stock], tools![in_parts], tools![one_part]] {
        let own = tool[0].name().to_owned();
        let toolset = FunctionToolset::new().with_tools(tool).renamed([("stock", own.as_str())]).prefixed("x");
        let renamed = call("x_stock", "A-1");
        let agent = Agent::<()>::builder(script(vec![renamed, done()])).toolset(toolset).build().expect("agent");
        let history = agent.run("Go.").await.expect("run").history().clone();
        let expected = (vec!["A-1".to_owned()], vec![own != "one_part"]);
        assert_eq!(lookups(&history), expected, "{own}");
        let stored = History::from_json(&history.to_json()).expect("a history");
        assert_eq!(lookups(&stored), expected, "{own}");
    }
}

#[tokio::test]
async fn what_failed_has_no_content_but_was_called() {
    #[tool(tool_kind = Lookup)]
    fn broken(sku: String) -> Result<LookupResult, toolwright::ToolFailed> {
        Err(toolwright::ToolFailed::new(sku))
    }
    let agent = Agent::<()>::builder(script(vec![call("broken", "A-1"), done()])).tools(tools![broken]).build();
    let result = agent.expect("agent").run("Go.").await.expect("run");
    assert_eq!(lookups(result.history()), (vec!["A-1".to_owned()], vec![]));
}

#[test]
fn parts_made_by_hand_have_their_kind_and_unknown_ones_are_kept() {
    let mut call = ToolCallPart::new("lookup_v2", json!({"sku": "A-1"}));
    call.tool_kind = Some(Lookup::ID.to_owned());
    let mut foreign = ToolCallPart::new("other", json!({"x": 1}));
    foreign.tool_kind = Some("gone.away".to_owned());
    let answers = [(&call, json!({"in_stock": true})), (&foreign, json!([1]))];
    let answers = answers.map(|(call, content)| ToolReturnPart::answer(call, content, Outcome::Success));
    let mut history = History::new();
    history.push(ModelRequest::new(vec![RequestPart::UserPrompt(UserPromptPart::new("Go."))]));
    history.push(ModelResponse::new(vec![call.clone().into(), foreign.clone().into()]));
    history.push(ModelRequest::new(answers.map(RequestPart::ToolReturn).to_vec()));
    assert_eq!(lookups(&history), (vec!["A-1".to_owned()], vec![true]));
    let stored = History::from_json(&history.to_json()).expect("an unknown kind is kept");
    assert_eq!(stored.to_json(), history.to_json());
    assert_eq!(stored.to_json().matches("gone.away").count(), 2);
    assert_eq!(lookups(&stored), lookups(&history));
}

#[tokio::test]
async fn a_kind_of_another_crate_is_known_by_its_id() {
    let tool = |kind: &str| {
        let definition = ToolDefinition::new("t").with_tool_kind(kind).with_parameters(json!({
            "type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"],
        }));
        RawTool::new(definition, |_, _| async { Ok::<Value, std::io::Error>(json!("text")) })
    };
    let run = async |kind| {
        let agent = Agent::<()>::builder(script(vec![done()])).tool(tool(kind)).build().expect("agent");
        agent.run("Go.").await.map(drop)
    };
    run("toolwright_tests.file_read").await.expect("the linker found it");
    let error = run("toolwright_tests.file_write").await.expect_err("nobody defines it");
    assert_eq!(error.kind(), ErrorKind::Misuse);
}

#[tokio::test]
async fn kinds_that_come_as_data_are_checked_at_the_step_that_brings_them() {
    let args = json!({"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]});
    KindDefinition::new("late.count").with_args(args.clone()).define().expect("a kind");
    let agent = Agent::<()>::builder(script(vec![crate::support::calls(&[("a", "1")]), done()]))
        .tool(echo("a"))
        .tool(echo("b"))
        .prepare_tools(|ctx: &toolwright::RunContext<()>, tools: Vec<ToolDefinition>| {
            let late = ctx.run_step() > 1;
            tools
                .into_iter()
                .map(|t| if late && t.name() == "b" { t.with_tool_kind("late.count") } else { t })
                .collect::<Vec<_>>()
        })
        .build()
        .expect("agent");
    let error = agent.run("Go.").await.expect_err("b takes nothing");
    assert_eq!(error.kind(), ErrorKind::Misuse);
    assert!(error.to_string().contains("tool `b`") && error.to_string().contains("`n`"), "{error}");
    assert!(error.history().is_some_and(|history| history.len() >= 3));
}

#[test]
fn an_annotated_function_is_checked_when_its_agent_is_built() {
    #[tool(tool_kind = Lookup)]
    fn too_little(amount: u8) -> LookupResult {
        LookupResult { in_stock: amount > 0 }
    }
    #[tool(tool_kind = Lookup)]
    fn may_be_left_out(sku: Option<String>) -> LookupResult {
        LookupResult { in_stock: sku.is_some() }
    }
    #[tool(tool_kind = Lookup)]
    fn of_another_type(sku: u64) -> LookupResult {
        LookupResult { in_stock: sku > 0 }
    }
    #[tool(tool_kind = "stock.nobody")]
    fn unknown() {}
    #[tool(tool_kind = "stock.lookup")]
    fn by_id(sku: String) -> bool {
        sku.is_empty()
    }
    #[tool(unless_tool_kind = "stock.nobody")]
    fn steps_aside() {}
    let build = |tools: Vec<Tool<()>>| Agent::builder(TestModel::new()).tools(tools).build().map(drop);
    for (tools, words) in [
        (tools![too_little], "no parameter `sku`"),
        (tools![may_be_left_out], "`sku` is not required"),
        (tools![of_another_type], "of the type `integer`, not `string`"),
        (tools![unknown], "`stock.nobody`"),
    ] {
        let name = tools[0].name().to_owned();
        let error = build(tools).expect_err(words);
        assert_eq!(error.kind(), ErrorKind::Misuse);
        assert!(error.to_string().contains(words) && error.to_string().contains(&name), "{error}");
    }
    build(tools![by_id, steps_aside, check_stock]).expect("these fit");
}

#[tokio::test]
async fn a_tool_steps_aside_for_a_kind_by_type() {
    #[tool(unless_tool_kind = Lookup)]
    fn guess() -> bool {
        true
    }
    let names = async |tools: Vec<Tool<()>>| {
        let agent = Agent::builder(script(vec![done()])).tools(tools).build().expect("agent");
        let result = agent.run("Go.").await.expect("run");
        result.steps()[0].function_tools.iter().map(|tool| tool.name().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(tools![guess, check_stock]).await, ["check_stock"]);
    assert_eq!(names(tools![guess]).await, ["guess"]);
}

#[tokio::test]
async fn the_search_tools_parts_are_typed() {
    let search = ToolCallPart::new("search_tools", json!({"queries": ["far"]}));
    let hidden = echo("far").map_definition(|tool| tool.with_defer_loading(true));
    let agent = Agent::<()>::builder(script(vec![ModelResponse::new(vec![search.into()]), done()])).tool(hidden);
    let result = agent.build().expect("agent").run("Go.").await.expect("run");
    let found: Vec<_> = result.history().request_parts().filter_map(RequestPart::typed::<SearchTools>).collect();
    assert_eq!(found[0].content().discovered_tools[0].name, "far");
}

/// A model that says its call piece by piece, and then that it is done.
struct Pieces(Vec<&'static str>);

impl Model for Pieces {
    fn name(&self) -> &str {
        "pieces"
    }

    fn system(&self) -> &str {
        "none"
    }

    async fn request(&self, input: &ModelInput, cache: &mut RequestCache) -> toolwright::Result<ModelResponse> {
        self.request_stream(input, cache, &mut PartEvents::unheard()).await
    }

    async fn request_stream(
        &self,
        input: &ModelInput,
        _: &mut RequestCache,
        events: &mut PartEvents<'_>,
    ) -> toolwright::Result<ModelResponse> {
        if input.history.len() > 1 {
            return Ok(done());
        }
        let mut part = ResponsePart::from(ToolCallPart::new("check_stock", Arguments::absent()).with_id("1"));
        events.start(0, &part);
        for piece in &self.0 {
            let delta = PartDelta::Arguments((*piece).to_owned());
            delta.apply(&mut part);
            events.delta(0, || delta);
        }
        events.end(0, &part);
        Ok(ModelResponse::new(vec![part]))
    }
}

#[tokio::test]
async fn a_call_that_streams_in_has_its_kind_and_what_is_there_of_its_arguments() {
    let model = Pieces(vec!["{\"sk", "u\": \"A", "-1\"", "}"]);
    let agent = Agent::<()>::builder(model).tools(tools![check_stock]).build().expect("agent");
    let mut stream = agent.run("Go.").stream();
    let mut part = None;
    let mut seen = Vec::new();
    while let Some(event) = stream.next().await {
        match event {
            Event::Part(PartEvent::Start { part: begun, .. }) => part = Some(begun),
            Event::Part(PartEvent::Delta { delta, .. }) => part.iter_mut().for_each(|part| delta.apply(part)),
            Event::Part(PartEvent::End { part: whole, .. }) => assert_eq!(part.take(), Some(whole)),
            _ => {}
        }
        if let Some(part) = &part {
            let typed = part.typed::<Lookup>().expect("a call of the kind").into_args().map(|args| args.sku);
            let ResponsePart::ToolCall(call) = part else { panic!("a call: {part:?}") };
            seen.push((Value::from(call.args.partial().expect("an object")), typed));
        }
    }
    let partly = |sku: &str| (json!({"sku": sku}), None);
    let whole = (json!({"sku": "A-1"}), Some("A-1".to_owned()));
    assert_eq!(seen, [(json!({}), None), (json!({}), None), partly("A"), partly("A-1"), whole]);
    stream.finish().await.expect("run");
}
