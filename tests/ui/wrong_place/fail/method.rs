use toolwright::tool;

struct Store;

impl Store {
    #[tool]
    fn find(&self) {}
}

fn main() {}
