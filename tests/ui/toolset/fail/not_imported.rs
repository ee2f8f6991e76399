use toolwright::toolset;

struct Store;

#[toolset]
impl Store {
    #[tool]
    fn find(&self) {}
}

fn main() {}
