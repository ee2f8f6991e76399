use toolwright::toolset;

#[toolset]
mod bank {
    use toolwright::tool;

    #[tool]
    pub fn find() {}

    #[tool(name = "find")]
    pub fn look_up() {}
}

fn main() {}
