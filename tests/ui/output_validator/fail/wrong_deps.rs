use toolwright::model::TestModel;
use toolwright::{Agent, RunContext};

fn loud(_: &RunContext<i32>, text: String) -> String {
    text.to_uppercase()
}

fn main() {
    let _ = Agent::<()>::builder(TestModel::new()).output_validator(loud);
}
