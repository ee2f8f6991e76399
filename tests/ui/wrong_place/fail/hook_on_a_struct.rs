use toolwright::prepare_tools;

#[prepare_tools]
struct Hook;

fn main() {}
