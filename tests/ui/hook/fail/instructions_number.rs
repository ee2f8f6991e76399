use toolwright::model::TestModel;
use toolwright::{Agent, RunContext};

fn main() {
    let _ = Agent::<()>::builder(TestModel::new()).instructions_fn(|_: &RunContext<()>| 3);
}
