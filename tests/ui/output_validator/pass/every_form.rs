use toolwright::model::TestModel;
use toolwright::{ModelRetry, RunContext, agent, output_validator};

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
struct Reply {
    text: String,
}

type Ctx = RunContext<u8>;
type Checked = Result<Reply, ModelRetry>;

#[agent(deps = u8, output = Reply)]
struct Support;

#[output_validator(agent = Support)]
fn by_reference(ctx: &RunContext<u8>, reply: Reply) -> Checked {
    if ctx.deps() < &3 { Ok(reply) } else { Err(ModelRetry::new("again")) }
}

#[output_validator(agent = Support)]
fn by_value(#[ctx] _ctx: Ctx, mut reply: Reply) -> Reply {
    reply.text.push('!');
    reply
}

#[output_validator(agent = Support)]
async fn later(_ctx: RunContext<u8>, reply: Reply) -> Result<Reply, std::io::Error> {
    Ok(reply)
}

#[output_validator]
fn generic<D: Send + Sync + 'static, O>(_ctx: &RunContext<D>, output: O) -> O {
    output
}

fn main() -> toolwright::Result<()> {
    Support::builder(TestModel::new()).output_validator(generic).build()?;
    Ok(())
}
