use toolwright::{Tool, tools};

struct Search;

fn main() {
    let _: Vec<Tool<()>> = tools![Search];
}
