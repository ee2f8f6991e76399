use toolwright::model::TestModel;
use toolwright::{RunContext, ToolDefinition, agent, instructions, prepare_output_tools, prepare_tools, tool};

#[derive(Default)]
struct Db;

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
#[expect(dead_code)]
struct Reply {
    text: String,
}

#[agent(deps = Db, output = Reply, name = "support")]
struct Support;

#[agent]
struct Sales;

#[tool(agent = [Support, Sales])]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

#[tool(agent = Support, order = -1)]
async fn find(_ctx: RunContext<Db>, name: String) -> String {
    name
}

#[tool(agent = Support)]
fn borrowed<'a>(_ctx: &'a RunContext<Db>) -> &'a str {
    "here"
}

#[prepare_tools(agent = Support)]
async fn all(_ctx: RunContext<Db>, tools: Vec<ToolDefinition>) -> Option<Vec<ToolDefinition>> {
    Some(tools)
}

#[prepare_output_tools(agent = [Support], order = 3 + 4)]
fn outputs(_ctx: &RunContext<Db>, tools: Vec<ToolDefinition>) -> Result<Vec<ToolDefinition>, String> {
    Ok(tools)
}

#[instructions(agent = [Support, Sales])]
fn rules() -> &'static str {
    "Be brief."
}

#[instructions(agent = Support)]
async fn more(ctx: RunContext<Db>) -> Result<Option<String>, std::fmt::Error> {
    Ok((ctx.run_step() > 1).then(String::new))
}

fn main() -> toolwright::Result<()> {
    let support = Support::builder(TestModel::new()).build()?;
    let sales = Sales::builder(TestModel::new()).build()?;
    assert_eq!(support.name(), Some("support"));
    assert_eq!(sales.name(), Some("Sales"));
    Ok(())
}
