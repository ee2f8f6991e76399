use toolwright::toolset;

#[toolset]
struct Store;

fn main() {}
