//! When toolsets are asked for their tools.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use toolwright::{Agent, AgentBuilder, RunContext, Tool, ToolDefinition, Toolset, ToolsetExt};

use crate::support::{calls, done, echo, script};

/// A toolset that counts how often it is asked.
struct Counted {
    asked: Arc<AtomicUsize>,
    revision: fn(usize) -> Option<u64>,
}

impl Toolset<()> for Counted {
    fn revision(&self) -> Option<u64> {
        (self.revision)(self.asked.load(Ordering::Relaxed))
    }

    async fn tools(&self, _: &RunContext<()>) -> toolwright::Result<Vec<Tool<()>>> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        Ok(vec![echo("a")])
    }
}

/// How often a toolset is asked in a run of three steps.
fn asked(
    revision: fn(usize) -> Option<u64>,
    build: impl FnOnce(AgentBuilder<(), String>, Counted) -> AgentBuilder<(), String>,
) -> usize {
    let asked: Arc<AtomicUsize> = Arc::default();
    let model = script(vec![calls(&[("x_a", "1")]), calls(&[("x_a", "2")]), done()]);
    let agent = build(Agent::<()>::builder(model), Counted { asked: asked.clone(), revision });
    let result = agent.build().expect("agent").run("Go.").run_blocking().expect("run");
    assert!(result.steps().iter().all(|step| step.function_tools.len() == 1));
    assert_eq!(result.steps().len(), 3);
    asked.load(Ordering::Relaxed)
}

#[test]
fn a_toolset_is_asked_again_only_where_it_may_say_something_new() {
    let one = |_| Some(1);
    let prefixed = |agent: AgentBuilder<(), String>, counted: Counted| agent.toolset(counted.prefixed("x"));
    assert_eq!(asked(one, prefixed), 1);
    assert_eq!(asked(|_| None, prefixed), 3);
    assert_eq!(asked(|asked| Some(u64::from(asked > 0)), prefixed), 2);
    assert_eq!(asked(|_| panic!("ouch"), prefixed), 3);
    assert_eq!(asked(one, |agent, counted| agent.toolset(counted.filtered(|_, _| true).prefixed("x"))), 3);
}

#[test]
fn a_hook_sees_the_tools_of_every_step() {
    let hook = |_: &RunContext<()>, tools: Vec<ToolDefinition>| tools;
    let hooked =
        |agent: AgentBuilder<(), String>, counted: Counted| agent.toolset(counted.prefixed("x")).prepare_tools(hook);
    assert_eq!(asked(|_| Some(1), hooked), 3);
}

#[test]
fn a_tool_with_prepare_that_is_added_while_a_run_goes_on_is_prepared_at_every_step() {
    let prepared: Arc<AtomicUsize> = Arc::default();
    let model = script(vec![calls(&[("add", "1")]), calls(&[("late", "2")]), done()]);
    let toolset = toolwright::FunctionToolset::<()>::new();
    let (shared, count) = (toolset.clone(), prepared.clone());
    let add = crate::support::tool("add", move |_| {
        let count = count.clone();
        let late = echo("late").with_prepare(move |_: &RunContext<()>, tool: ToolDefinition| {
            count.fetch_add(1, Ordering::Relaxed);
            tool
        });
        let added = shared.add(late);
        async move { Ok(added.map(|()| serde_json::json!("added"))?) }
    });
    let agent = Agent::<()>::builder(model).tool(add).toolset(toolset).build().expect("agent");
    let result = agent.run("Go.").run_blocking().expect("run");
    let offered: Vec<_> = result.steps().iter().map(|step| step.function_tools.len()).collect();
    assert_eq!(offered, [1, 2, 2]);
    assert_eq!(prepared.load(Ordering::Relaxed), 2);
}
