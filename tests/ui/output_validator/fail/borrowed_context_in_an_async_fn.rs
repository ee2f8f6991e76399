use toolwright::model::TestModel;
use toolwright::{Agent, RunContext};

async fn loud(_: &RunContext<()>, text: String) -> String {
    text.to_uppercase()
}

fn main() {
    let _ = Agent::<()>::builder(TestModel::new()).output_validator(loud);
}
