use toolwright::toolset;

#[toolset]
mod bank {
    use toolwright::tool;

    #[tool]
    pub fn capability() {}
}

fn main() {
    let _: toolwright::toolset::AnyToolset<()> = bank::toolset();
}
