//! What a step's report says: which tools were offered, which not, and why.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use toolwright::capability::{Bundle, Capability, HookResult, OnDemand};
use toolwright::message::{ModelResponse, ResponsePart, ToolCallPart};
use toolwright::model::FunctionModel;
use toolwright::report::{Decider, ToolStatus};
use toolwright::tool::kind::KindDefinition;
use toolwright::{
    Agent, AgentBuilder, Event, FunctionToolset, History, ModelSettings, OutputSpec, OutputTool, RunContext,
    StepReport, Tool, ToolChoice, ToolDefinition, ToolsetExt,
};

use crate::support::{calls, done, echo, script};

type Tools = Vec<ToolDefinition>;

/// The reports of a run that calls `a` once, and is done.
fn reports(agent: AgentBuilder<(), String>) -> Vec<StepReport> {
    let result = agent.build().expect("agent").run("Go.").run_blocking().expect("run");
    result.steps().to_vec()
}

fn agent() -> AgentBuilder<(), String> {
    Agent::<()>::builder(script(vec![calls(&[("a", "1")]), done()]))
}

/// The one line of `name`.
fn line(report: &StepReport, name: &str) -> String {
    let lines: Vec<_> = report.tools().into_iter().filter(|tool| tool.name == name).collect();
    assert_eq!(lines.len(), 1, "{report}");
    lines[0].to_string()
}

fn without(name: &'static str) -> impl Fn(&RunContext<()>, Tools) -> Tools + Send + Sync + 'static {
    move |_, tools| tools.into_iter().filter(|tool| tool.name() != name).collect()
}

fn toolset(id: &str, tools: impl IntoIterator<Item = Tool<()>>) -> FunctionToolset<()> {
    FunctionToolset::new().with_id(id).with_tools(tools)
}

#[test]
fn every_way_to_leave_a_tool_out_is_told_by_name() {
    let unprepared = echo("shy").with_prepare(|_: &RunContext<()>, _: ToolDefinition| None::<ToolDefinition>);
    let crm = toolset("crm", [echo("b"), echo("filtered")]).filtered(|_, tool| tool.name() != "filtered");
    let nameless =
        FunctionToolset::new().with_tools([echo("c"), echo("far")]).prepared(without("far")).prefixed("x").filtered(
            |_, tool| {
                assert_ne!(tool.name(), "x_far");
                tool.name() != "x_c"
            },
        );
    let steps = reports(
        agent()
            .tools([echo("a"), unprepared, echo("first"), echo("second")])
            .toolset(crm)
            .toolset(nameless)
            .prepare_tools(without("first"))
            .prepare_tools(without("second")),
    );
    assert_eq!(steps.len(), 2);
    for (step, report) in (1..).zip(&steps) {
        let expected = [
            &format!("step {step}: 2 of 8 tools offered"),
            "  a: offered",
            "  b: offered",
            "  shy: left out by its own `prepare`",
            "  filtered: left out by the filter of toolset `crm`",
            "  x_far: left out by the prepare hook of toolset number 2",
            "  x_c: left out by the filter of toolset number 2",
            "  first: left out by the `prepare_tools` hook",
            "  second: left out by the `prepare_tools` hook number 2",
        ];
        assert_eq!(report.to_string().lines().collect::<Vec<_>>(), expected);
    }
    let told = |name| steps[0].tool(name).expect(name).status;
    assert_eq!(told("a"), ToolStatus::Offered);
    assert_eq!(told("shy"), ToolStatus::LeftOut(Decider::Prepare));
    assert_eq!(told("filtered"), ToolStatus::LeftOut(Decider::Filter("toolset `crm`".into())));
    assert_eq!(told("second"), ToolStatus::LeftOut(Decider::Hook("the `prepare_tools` hook number 2".into())));
    assert!(steps[0].tool("nobody").is_none());
}

#[test]
fn a_tool_that_stepped_aside_says_for_which() {
    KindDefinition::new("report.mail").define().expect("a kind");
    let of_kind = |name| echo(name).map_definition(|tool| tool.with_tool_kind("report.mail"));
    let fallback = echo("fallback").map_definition(|tool| tool.with_unless_tool_kind("report.mail"));
    let mail = toolset("mail", [of_kind("send"), of_kind("send_later")]).prefixed("m");
    let steps = reports(agent().tools([echo("a"), fallback]).toolset(mail));
    for report in &steps {
        assert_eq!(line(report, "fallback"), "fallback: superseded by `m_send`");
        assert_eq!(report.tool("fallback").expect("known").status, ToolStatus::Superseded("m_send".into()));
    }
    assert_eq!(steps.iter().map(|report| report.step).collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn a_tool_is_hidden_until_it_is_found() {
    let far = echo("far").map_definition(|tool| tool.with_defer_loading(true));
    let steps = reports(agent().tools([echo("a"), far]));
    let expected = ["step 1: 2 of 3 tools offered", "  a: offered", "  search_tools: offered"];
    let told = steps[0].to_string();
    assert_eq!(told.lines().take(3).collect::<Vec<_>>(), expected);
    assert_eq!(line(&steps[0], "far"), "far: hidden until it is found");
}

/// A capability that leaves out what costs money, and is strict about the rest.
struct Thrift;

impl Capability<()> for Thrift {
    fn id(&self) -> Option<&str> {
        Some("thrift")
    }

    async fn prepare_tools(&self, _: &RunContext<()>, tools: Tools) -> HookResult<Tools> {
        let kept = tools.into_iter().filter(|tool| tool.name() != "buy");
        Ok(kept.map(|tool| tool.with_strict(true)).collect())
    }
}

#[test]
fn a_capability_is_told_by_its_name() {
    let billing = OnDemand::new("billing", "Bills and payments.", Bundle::new().tool(echo("pay")));
    let report = reports(agent().tools([echo("a"), echo("buy")]).capability(Thrift).capability(billing)).remove(0);
    assert_eq!(line(&report, "a"), "a: offered; strict changed by capability `thrift`");
    assert_eq!(line(&report, "buy"), "buy: left out by capability `thrift`");
    let pay = report.tool("pay").expect("known");
    assert_eq!(pay.status, ToolStatus::NotLoaded("billing".into()));
    assert!(pay.to_string().starts_with("pay: hidden until capability `billing` is loaded"), "{pay}");
}

#[test]
fn a_tool_that_the_choice_passes_over_says_so() {
    let choices = [
        (ToolChoice::tools(["a"]), "offered", "not chosen by the tool choice"),
        (ToolChoice::None, "not chosen by the tool choice", "not chosen by the tool choice"),
        (ToolChoice::Auto, "offered", "offered"),
        (ToolChoice::Required, "offered", "offered"),
        // Only a model that can be told says that there is no such tool.
        (ToolChoice::tools(["nobody"]), "offered", "offered"),
    ];
    for (choice, a, b) in choices {
        let chosen = choice.clone();
        let settings = move |_: &RunContext<()>| ModelSettings::new().tool_choice(chosen.clone());
        let report = reports(agent().tools([echo("a"), echo("b")]).step_settings(settings)).remove(0);
        assert_eq!([line(&report, "a"), line(&report, "b")], [format!("a: {a}"), format!("b: {b}")], "{choice:?}");
        assert_eq!(report.tool_choice, Some(choice));
    }
}

#[test]
fn edits_are_told_by_whom_and_of_what() {
    let prepared = echo("a").with_prepare(|ctx: &RunContext<()>, tool: ToolDefinition| {
        // An edit that changes nothing is none.
        let text = if ctx.run_step() == 1 { "first" } else { "later" };
        tool.with_strict(None).with_description(text)
    });
    let b = echo("b");
    let hook = |_: &RunContext<()>, tools: Tools| {
        let edit = |tool: ToolDefinition| match tool.name() {
            "x_a" => tool.with_strict(true).with_timeout(Duration::from_secs(1)),
            _ => tool.with_sequential(false),
        };
        tools.into_iter().map(edit).collect::<Tools>()
    };
    let model = script(vec![calls(&[("x_a", "1")]), done()]);
    let toolset = FunctionToolset::new().with_tools([prepared, b]).prefixed("x");
    let steps = reports(Agent::<()>::builder(model).toolset(toolset).prepare_tools(hook));
    assert_eq!(
        line(&steps[0], "x_a"),
        "x_a: offered; description changed by its own `prepare`; strict, timeout changed by the `prepare_tools` hook"
    );
    assert_eq!(line(&steps[0], "x_b"), "x_b: offered");
    let told = steps[1].tool("x_a").expect("known");
    assert_eq!(told.definition.description(), Some("later"));
    assert_eq!(told.edits.len(), 2);
    assert_eq!(told.edits[0].by(), &Decider::Prepare);
    let (before, after) = (told.edits[1].before(), told.edits[1].after());
    assert_eq!((before.description(), before.strict(), after.strict()), (Some("later"), None, Some(true)));
}

#[test]
fn tools_of_one_name_are_told_apart() {
    let described = |text: &'static str| {
        echo("a").with_prepare(move |_: &RunContext<()>, tool: ToolDefinition| tool.with_description(text))
    };
    let gone = toolset("old", [described("old")]).filtered(|_, _| false);
    let kept = toolset("new", [described("new").with_retries(1)]);
    let report = reports(agent().toolset(gone).toolset(kept)).remove(0);
    let [offered, left_out] = &report.tools()[..] else { panic!("{report}") };
    assert!(offered.is_offered() && !left_out.is_offered());
    for (tool, text) in [(offered, "new"), (left_out, "old")] {
        assert_eq!(tool.definition.description(), Some(text));
        assert_eq!(tool.edits.iter().map(|edit| edit.after().description()).collect::<Vec<_>>(), [Some(text)]);
    }
    assert!(report.tool("a").expect("two").is_offered());
}

#[test]
fn output_tools_are_told_of_too() {
    let output = |name: &str| OutputTool::from_schema(name, None, json!({"type": "object"}));
    let model = script(vec![calls(&[("a", "1")]), calls(&[("yes", "2")])]);
    let agent = Agent::<()>::builder(model)
        .tool(echo("a"))
        .output(OutputSpec::tool(output("yes")).or_tool(output("no")).or_tool(output("perhaps")))
        .prepare_output_tools(without("perhaps"))
        .step_settings(|ctx| {
            let names = if ctx.run_step() == 1 { ["a", "no"] } else { ["yes", "no"] };
            ModelSettings::new().tool_choice(ToolChoice::tools(names))
        })
        .build()
        .expect("agent");
    let result = agent.run("Go.").run_blocking().expect("run");
    let expected = [
        "step 2: 2 of 4 tools offered",
        "  a: not chosen by the tool choice",
        "  yes: offered",
        "  no: offered",
        "  perhaps: left out by the `prepare_output_tools` hook",
    ];
    assert_eq!(result.steps()[1].to_string().lines().collect::<Vec<_>>(), expected);
}

#[test]
fn a_listener_is_told_once_a_step_before_the_model_is_asked() {
    let told: Arc<Mutex<Vec<String>>> = Arc::default();
    let (asked, heard) = (told.clone(), told.clone());
    let model = FunctionModel::new(move |input: &toolwright::model::ModelInput| {
        asked.lock().expect("lock").push("request".to_owned());
        if input.history.len() > 2 { done() } else { calls(&[("a", "1")]) }
    });
    let agent =
        Agent::<()>::builder(model).tools([echo("a"), echo("b")]).prepare_tools(without("b")).build().expect("agent");
    let listener = move |event: &Event| {
        if let Event::StepReport(report) = event {
            heard.lock().expect("lock").push(report.to_string().lines().next().unwrap_or_default().to_owned());
        }
    };
    agent.run("Go.").on_event(listener).run_blocking().expect("run");
    let expected = ["step 1: 1 of 2 tools offered", "request", "step 2: 1 of 2 tools offered", "request"];
    assert_eq!(*told.lock().expect("lock"), expected);
}

#[test]
fn a_step_whose_calls_were_in_the_history_is_told_once() {
    let history = {
        let agent = agent().tool(echo("a")).build().expect("agent");
        let result = agent.run("Go.").run_blocking().expect("run");
        // The prompt, and calls that nobody has looked at.
        result.history().iter().take(2).cloned().collect::<History>()
    };
    let told: Arc<Mutex<Vec<String>>> = Arc::default();
    let heard = told.clone();
    let listener = move |event: &Event| match event {
        Event::StepReport(report) => heard.lock().expect("lock").push(format!("step {}", report.step)),
        Event::FunctionToolCall { call, .. } => heard.lock().expect("lock").push(call.tool_name.clone()),
        _ => {}
    };
    let agent = Agent::<()>::builder(script(vec![done()])).tool(echo("a")).build().expect("agent");
    let result = agent.resume(history).on_event(listener).run_blocking().expect("run");
    assert_eq!(*told.lock().expect("lock"), ["step 1", "a"]);
    assert_eq!(result.steps().len(), 1);
}

#[test]
fn calls_that_were_resumed_may_bring_their_step_tools() {
    let far = || echo("far").map_definition(|tool| tool.with_defer_loading(true));
    let search = ToolCallPart::new("search_tools", json!({"queries": ["far"]})).with_id("s");
    let asked = ModelResponse::new(vec![ResponsePart::ToolCall(search)]);
    let agent = Agent::<()>::builder(script(vec![asked, done()])).tool(far()).build().expect("agent");
    let history: History = agent.run("Go.").run_blocking().expect("run").history().iter().take(2).cloned().collect();
    let told: Arc<Mutex<Vec<String>>> = Arc::default();
    let heard = told.clone();
    let listener = move |event: &Event| {
        if let Event::StepReport(report) = event {
            heard.lock().expect("lock").push(report.to_string().lines().next().unwrap_or_default().to_owned());
        }
    };
    let agent = Agent::<()>::builder(script(vec![done()])).tool(far()).build().expect("agent");
    let result = agent.resume(history).on_event(listener).run_blocking().expect("run");
    assert_eq!(*told.lock().expect("lock"), ["step 1: 1 of 2 tools offered", "step 1: 2 of 2 tools offered"]);
    let [report] = result.steps() else { panic!("{:?}", result.steps()) };
    assert_eq!(line(report, "far"), "far: offered");
}

#[test]
fn a_step_whose_tools_could_not_be_had_is_not_told_of() {
    let told: Arc<Mutex<Vec<u32>>> = Arc::default();
    let heard = told.clone();
    let hook = |ctx: &RunContext<()>, tools: Tools| if ctx.run_step() == 1 { Ok(tools) } else { Err("out of order") };
    let agent = agent().tool(echo("a")).prepare_tools(hook).build().expect("agent");
    let listener = move |event: &Event| {
        if let Event::StepReport(report) = event {
            heard.lock().expect("lock").push(report.step);
        }
    };
    let error = agent.run("Go.").on_event(listener).run_blocking().expect_err("the hook fails");
    assert!(error.to_string().contains("`prepare_tools`"), "{error}");
    assert_eq!(*told.lock().expect("lock"), [1]);
}
