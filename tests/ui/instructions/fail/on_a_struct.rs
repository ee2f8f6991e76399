use toolwright::instructions;

#[instructions]
struct Rules;

fn main() {}
