//! Hooks: what they may do, and what they are refused.

use std::error::Error as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use toolwright::{Agent, ErrorKind, FunctionToolset, RunContext, ToolDefinition, ToolsetExt};

use crate::support::{calls, done, echo, script};

type Tools = Vec<ToolDefinition>;

fn refused<Form>(hook: impl toolwright::prepare::ToolsPrepare<(), Form>) -> toolwright::Error {
    let agent = Agent::<()>::builder(script(vec![done()]))
        .tools([echo("a"), echo("b")])
        .prepare_tools(hook)
        .build()
        .expect("agent");
    agent.run("Go.").run_blocking().expect_err("refused")
}

#[test]
fn a_hook_cannot_add_rename_swap_or_repeat() {
    let add = refused(|_: &RunContext<()>, mut tools: Tools| {
        tools.push(ToolDefinition::new("ghost"));
        tools
    });
    assert!(add.to_string().contains("`ghost`"), "{add}");
    let rename = refused(|_: &RunContext<()>, tools: Tools| {
        tools.into_iter().map(|tool| tool.with_name("z")).collect::<Tools>()
    });
    assert!(rename.to_string().contains("`z`"), "{rename}");
    let swap = refused(|_: &RunContext<()>, tools: Tools| {
        let names: Vec<_> = tools.iter().rev().map(|tool| tool.name().to_owned()).collect();
        tools.into_iter().zip(names).map(|(tool, name)| tool.with_name(name)).collect::<Tools>()
    });
    let twice = refused(|_: &RunContext<()>, tools: Tools| vec![tools[0].clone(), tools[0].clone()]);
    for error in [add, rename, swap, twice] {
        assert_eq!(error.kind(), ErrorKind::Misuse, "{error}");
    }
}

#[test]
fn a_hook_cannot_give_back_what_an_earlier_step_gave() {
    let kept: Arc<std::sync::Mutex<Option<ToolDefinition>>> = Arc::default();
    let hook = move |_: &RunContext<()>, tools: Tools| {
        let mut kept = kept.lock().expect("lock");
        vec![kept.replace(tools[0].clone()).unwrap_or_else(|| tools[0].clone())]
    };
    let agent = Agent::<()>::builder(script(vec![calls(&[("a", "1")]), done()]))
        .tool(echo("a"))
        .prepare_tools(hook)
        .build()
        .expect("agent");
    let error = agent.run("Go.").run_blocking().expect_err("stale");
    assert!(error.to_string().contains("not given"), "{error}");
}

#[test]
fn a_hook_that_fails_ends_the_run_with_its_own_error() {
    let error = refused(|_: &RunContext<()>, _: Tools| Err::<Tools, _>("boom"));
    assert_eq!(error.kind(), ErrorKind::Tool);
    assert_eq!(error.source().expect("source").to_string(), "boom");
}

#[test]
fn every_form_of_hook_is_taken() {
    async fn by_value(_: RunContext<()>, tools: Tools) -> Result<Option<Tools>, std::io::Error> {
        Ok(Some(tools))
    }
    fn by_reference(_: &RunContext<()>, tools: Tools) -> Option<Tools> {
        Some(tools)
    }
    let agent = Agent::<()>::builder(script(vec![done()]))
        .tool(echo("a"))
        .prepare_tools(by_value)
        .prepare_tools(by_reference)
        .prepare_tools(|_: RunContext<()>, tools: Tools| tools)
        .prepare_tools(|_: RunContext<()>, tools: Tools| async move { tools })
        .build()
        .expect("agent");
    let result = agent.run("Go.").run_blocking().expect("run");
    assert_eq!(result.steps()[0].function_tools.len(), 1);
}

#[test]
fn an_edit_of_one_step_does_not_show_in_the_next() {
    let hook = |ctx: &RunContext<()>, tools: Tools| {
        let edit = ctx.run_step() == 1;
        tools.into_iter().map(|t| if edit { t.with_description("edited") } else { t }).collect::<Tools>()
    };
    let agent = Agent::<()>::builder(script(vec![calls(&[("a", "1")]), done()]))
        .tool(echo("a"))
        .prepare_tools(hook)
        .build()
        .expect("agent");
    let result = agent.run("Go.").run_blocking().expect("run");
    let told: Vec<_> = result.steps().iter().map(|step| step.function_tools[0].description()).collect();
    assert_eq!(told, [Some("edited"), None]);
}

#[test]
fn prepare_runs_once_a_step_and_reads_the_counter_of_the_exposed_name() {
    let ran = Arc::new(AtomicUsize::new(0));
    let counter = ran.clone();
    let picky = crate::support::tool("picky", |_| async { Err(toolwright::ModelRetry::new("no").into()) })
        .with_retries(3)
        .with_prepare(move |ctx: &RunContext<()>, tool: ToolDefinition| {
            counter.fetch_add(1, Ordering::Relaxed);
            let text = format!("{} of {} as {:?}", ctx.retry(), ctx.max_retries(), ctx.tool_name());
            tool.with_description(text)
        });
    let set = FunctionToolset::<()>::new().with_tools([picky]).prefixed("x");
    let agent =
        Agent::<()>::builder(script(vec![calls(&[("x_picky", "1")]), done()])).toolset(set).build().expect("agent");
    let result = agent.run("Go.").run_blocking().expect("run");
    assert_eq!(ran.load(Ordering::Relaxed), 2);
    let told: Vec<_> = result.steps().iter().filter_map(|step| step.function_tools[0].description()).collect();
    assert_eq!(told, ["0 of 3 as Some(\"picky\")", "1 of 3 as Some(\"picky\")"]);
}

#[test]
fn a_panic_anywhere_in_the_application_s_functions_is_an_error_that_says_where() {
    let failed = |build: fn(toolwright::AgentBuilder<(), String>) -> toolwright::AgentBuilder<(), String>| {
        let model = script(vec![calls(&[("a", "1")]), done()]);
        let agent = build(Agent::<()>::builder(model).tool(echo("a"))).build().expect("agent");
        let error = agent.run("Go.").run_blocking().expect_err("it panicked");
        assert_eq!(error.kind(), ErrorKind::Tool, "{error}");
        assert_eq!(error.source().expect("a source").to_string(), "it panicked: ouch", "{error}");
        error.to_string()
    };
    assert!(
        failed(|agent| agent.prepare_tools(|_: &RunContext<()>, _: Tools| -> Tools { panic!("ouch") }))
            .contains("prepare_tools")
    );
    assert!(
        failed(|agent| agent.instructions_fn(|_: &RunContext<()>| -> String { panic!("ouch") }))
            .contains("instructions_fn")
    );
    assert!(
        failed(|agent| agent.step_settings(|_| -> toolwright::model::ModelSettings { panic!("ouch") }))
            .contains("step_settings")
    );
    assert!(
        failed(|agent| agent.tool(
            echo("b")
                .with_prepare(|_: &RunContext<()>, _: ToolDefinition| -> Option<ToolDefinition> { panic!("ouch") })
        ))
        .contains("`b`")
    );
}

#[tokio::test]
async fn instructions_hold_for_their_step_only() {
    let seen = Arc::new(std::sync::Mutex::new(Vec::new()));
    let asked = seen.clone();
    let script = std::sync::Mutex::new(vec![done(), calls(&[("a", "1")])]);
    let model = toolwright::model::FunctionModel::new(move |input: &toolwright::model::ModelInput| {
        asked.lock().expect("asked").push(input.instructions.clone());
        script.lock().expect("script").pop().expect("a response")
    });
    let agent = Agent::<()>::builder(model)
        .tool(echo("a"))
        .instructions_fn(|ctx: &RunContext<()>| (ctx.run_step() == 1).then(|| "First.".to_owned()))
        .build()
        .expect("agent");
    agent.run("Go.").await.expect("done");
    assert_eq!(*seen.lock().expect("seen"), [Some("First.".to_owned()), None]);
}
