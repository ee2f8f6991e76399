use toolwright::model::TestModel;
use toolwright::{agent, tool};

#[agent(depz = u8)]
struct Support;

#[tool(agent = Support)]
fn find() {}

fn main() {
    let _ = Support::builder(TestModel::new());
}
