#![deny(warnings)]

use schemars::JsonSchema;
use serde::Deserialize;
use toolwright::model::TestModel;
use toolwright::{Agent, AgentOutput, BinaryContent, File};

#[derive(Deserialize, JsonSchema)]
struct Fruit {
    name: String,
}

const FRUIT: &str = "A piece of fruit.";

fn retries() -> u32 {
    3
}

#[derive(AgentOutput)]
enum Reply {
    #[output(name = "fruit", description = FRUIT, strict = false, retries = retries())]
    Fruit(Fruit),
    Fruits(Vec<Fruit>),
    r#Loop { r#type: String, r#in: Option<u8> },
    Empty {},
    Nothing,
    #[doc = include_str!("every_option.rs")]
    Documented(u8),
    #[text]
    Text(std::sync::Arc<str>),
    #[file]
    File(File),
}

#[derive(AgentOutput)]
#[output(native = false, prompted)]
enum Prompted {
    Fruit(Fruit),
    #[image]
    Picture(BinaryContent),
}

fn main() {
    let agent = Agent::<()>::builder(TestModel::new()).output_of::<Reply>().build();
    let Ok(agent) = agent else { panic!("{agent:?}") };
    drop(agent.run("Go."));
    let prompted = Agent::<()>::builder(TestModel::new()).output_of::<Prompted>().build();
    assert!(prompted.is_ok());
    let Reply::Fruit(Fruit { name }) = Reply::Fruit(Fruit { name: String::new() }) else { return };
    drop(name);
}
