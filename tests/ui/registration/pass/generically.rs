use toolwright::model::TestModel;
use toolwright::{Agent, RegisteredAgent, agent, tool};

#[agent(deps = u8)]
struct Support;

#[agent(deps = u16)]
struct Sales;

#[tool(agent = [Support, Sales])]
fn find() {}

fn build<A: RegisteredAgent>() -> toolwright::Result<Agent<A::Deps, A::Output>> {
    A::builder(TestModel::new()).build()
}

fn main() -> toolwright::Result<()> {
    build::<Support>()?;
    build::<Sales>()?;
    Ok(())
}
