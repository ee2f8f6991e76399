use toolwright::tool;

struct Store;

#[tool]
impl Store {}

fn main() {}
