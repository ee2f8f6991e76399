use toolwright::model::TestModel;
use toolwright::{Agent, RunContext};

fn rules(ctx: &RunContext<u8>) -> String {
    ctx.deps().to_string()
}

fn main() {
    let _ = Agent::<u16>::builder(TestModel::new()).instructions_fn(rules);
}
