use toolwright::tool;

#[tool]
pub struct Search {
    pub query: String,
}

fn main() {}
