use toolwright::{Tool, tool, tools};

#[tool(retires = 1)]
fn search(query: String) -> String {
    query
}

fn main() {
    let _: Vec<Tool<()>> = tools![search];
    search("x".to_owned());
}
