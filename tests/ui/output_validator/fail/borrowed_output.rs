use toolwright::model::TestModel;
use toolwright::{Agent, ModelRetry, RunContext};

fn loud(_: &RunContext<()>, text: &String) -> Result<String, ModelRetry> {
    Ok(text.to_uppercase())
}

fn main() {
    let _ = Agent::<()>::builder(TestModel::new()).output_validator(loud);
}
