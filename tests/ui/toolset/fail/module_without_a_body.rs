use toolwright::toolset;

#[toolset]
mod bank;

fn main() {}
