use toolwright::toolset;

struct Store;

#[toolset]
impl Store {
    fn find(&self) {}
}

fn main() {}
