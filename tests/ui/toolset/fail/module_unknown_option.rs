use toolwright::toolset;

#[toolset(name = bank)]
mod bank {
    use toolwright::tool;

    #[tool]
    pub fn find() {}
}

fn main() {}
