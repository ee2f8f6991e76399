use toolwright::model::TestModel;
use toolwright::{Agent, OutputSpec, RunContext};

fn loud(_: &RunContext<()>, text: String) -> String {
    text.to_uppercase()
}

fn main() {
    let _ = Agent::<()>::builder(TestModel::new()).output(OutputSpec::<u32>::of()).output_validator(loud);
}
