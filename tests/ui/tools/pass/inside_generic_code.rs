//! A list names generic tools inside generic code, and local ones.

use toolwright::{Tool, tool, tools};

#[tool]
fn echo<T: serde::Serialize>(text: String, #[arg(default)] times: u32) -> String {
    format!("{text} {times} {}", std::any::type_name::<T>())
}

fn list<T: serde::Serialize + 'static>() -> Vec<Tool<()>> {
    #[tool]
    fn local() {}

    tools![echo::<T>, local]
}

fn main() {
    let names: Vec<_> = list::<u8>().iter().map(|tool| tool.name().to_owned()).collect();
    assert_eq!(names, ["echo", "local"]);
    let none: Vec<Tool<()>> = tools![];
    assert!(none.is_empty());
}
