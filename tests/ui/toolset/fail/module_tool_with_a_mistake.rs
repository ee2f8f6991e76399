use toolwright::toolset;

#[toolset]
mod bank {
    use toolwright::tool;

    #[tool(retires = 1)]
    pub fn find() {}
}

fn main() {
    let _: toolwright::toolset::AnyToolset<()> = bank::toolset();
}
