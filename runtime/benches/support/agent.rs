//! The run as the library does it.

use std::sync::Arc;

use serde_json::Value;
use toolwright::provider::openai::OpenAiChatModel;
use toolwright::tool::read_args;
use toolwright::{Agent, RunContext, Tool, ToolDefinition, UsageLimits, tool};

use super::shop::{self, Found, Search, Sort};
use super::{Case, HIDDEN, MODEL, PROMPT, Run, Server, Size, Way};

/// Looks for articles in the shop.
#[tool]
async fn search(
    /// What to look for, in a few words.
    query: String,
    /// The size, as it is counted where the shop is.
    size: u32,
    /// Whether to leave out what is sold out.
    #[arg(default = true)]
    in_stock: bool,
    /// The order of what is found.
    #[arg(default)]
    sort: Sort,
) -> Found {
    shop::search(Search { query, size, in_stock, sort })
}

pub(super) fn read_arguments(text: &str) -> Search {
    let read = read_args::<(), search>(text).expect("arguments that fit");
    let (query, size, in_stock, sort) = *read.downcast().expect("the function's parameters");
    Search { query, size, in_stock, sort }
}

pub(super) fn run(server: Arc<Server>, way: Way, tools: usize) -> Run {
    let model = OpenAiChatModel::builder(MODEL).api_key("unused").transport(server).build().expect("a model");
    let tools = (0..tools).map(|place| {
        let tool = Tool::typed::<search>().with_name(shop::name_of(place));
        if way == Way::Prepared { tool.with_prepare(|_: &RunContext<()>, tool: ToolDefinition| tool) } else { tool }
    });
    let hidden = if way == Way::BesideHidden { HIDDEN } else { 0 };
    let hidden = (0..hidden).map(|place| {
        let tool = Tool::typed::<search>().with_name(format!("search_hidden_{place}"));
        tool.map_definition(|definition| definition.with_defer_loading(true))
    });
    let agent = Agent::<()>::builder(model).tools(tools).tools(hidden);
    let agent = if way == Way::Edited { agent.prepare_tools(edit_one) } else { agent };
    let agent = agent.build().expect("an agent");
    Box::new(move || {
        let run = agent.run(PROMPT).limits(UsageLimits::none());
        Box::pin(async move { run.await.expect("an output").output().clone() })
    })
}

fn edit_one(ctx: &RunContext<()>, mut tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
    let last = tools.pop();
    tools.extend(last.map(|tool| tool.with_description(format!("Looks for articles, in step {}.", ctx.run_step()))));
    tools
}

/// The tools as the library sends them, for whoever is to send the same.
pub(super) fn tools_as_sent(tools: usize) -> Value {
    let case = Case::new(Way::Untouched, Size { tools, steps: 1, calls: 0 });
    case.requests().remove(0)["tools"].take()
}
