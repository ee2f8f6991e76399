use toolwright::Agent;
use toolwright::model::TestModel;

fn loud(text: String) -> String {
    text.to_uppercase()
}

fn main() {
    let _ = Agent::<()>::builder(TestModel::new()).output_validator(loud);
}
