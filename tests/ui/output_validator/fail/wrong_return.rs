use toolwright::model::TestModel;
use toolwright::{Agent, RunContext};

fn is_loud(_: &RunContext<()>, text: String) -> bool {
    text == text.to_uppercase()
}

fn main() {
    let _ = Agent::<()>::builder(TestModel::new()).output_validator(is_loud);
}
