use toolwright::{Tool, tools};

fn search() {}

fn main() {
    let _: Vec<Tool<()>> = tools![search];
}
