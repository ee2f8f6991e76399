use toolwright::agent;

#[agent]
struct Support {
    name: String,
}

fn main() {}
