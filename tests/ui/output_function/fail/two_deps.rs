use toolwright::{ModelRetry, OutputSpec, OutputTool, RunContext};

async fn add(ctx: RunContext<u32>, number: u32) -> Result<u32, ModelRetry> {
    Ok(ctx.deps() + number)
}

fn count(ctx: &RunContext<String>, text: String) -> Result<u32, ModelRetry> {
    Ok((ctx.deps().len() + text.len()) as u32)
}

fn main() {
    let _ = OutputSpec::function(add).or_tool(OutputTool::function(count));
}
