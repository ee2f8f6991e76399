//! A hook that was not made a capability.

use toolwright::model::TestModel;
use toolwright::{Agent, RunContext, ToolDefinition};

fn none(_: &RunContext<()>, _: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
    Vec::new()
}

fn main() {
    let _ = Agent::<()>::builder(TestModel::new()).capability(none).build();
}
