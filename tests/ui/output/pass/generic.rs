use schemars::JsonSchema;
use serde::Deserialize;
use toolwright::{AgentOutput, BinaryContent, OutputSpec};

#[derive(AgentOutput)]
enum Either<T, F = BinaryContent, const N: usize = 3>
where
    T: Clone,
{
    Value(T),
    List(Vec<T>),
    Fields { value: Option<T>, times: u8 },
    #[text]
    Text(String),
    #[file]
    File(F),
}

#[derive(Clone, Deserialize, JsonSchema)]
struct Fruit {
    name: String,
}

fn main() {
    let _: OutputSpec<Either<Fruit>> = Either::spec();
    let _: OutputSpec<Either<u8, toolwright::File, 9>> = Either::spec();
}
