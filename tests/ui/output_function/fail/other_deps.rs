use toolwright::model::TestModel;
use toolwright::{Agent, ModelRetry, OutputSpec, RunContext};

async fn add(ctx: RunContext<u32>, number: u32) -> Result<u32, ModelRetry> {
    Ok(ctx.deps() + number)
}

fn main() {
    let _ = Agent::<()>::builder(TestModel::new()).output(OutputSpec::function(add));
}
