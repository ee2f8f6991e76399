use toolwright::instructions;

struct Db;

#[instructions(agent = Db)]
fn rules() -> &'static str {
    "Be brief."
}

fn main() {}
