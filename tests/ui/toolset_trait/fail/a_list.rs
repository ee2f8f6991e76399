use toolwright::model::TestModel;
use toolwright::{Agent, tool, tools};

#[tool]
fn ping() {}

fn main() {
    let _ = Agent::<()>::builder(TestModel::new()).toolset(tools![ping]);
}
