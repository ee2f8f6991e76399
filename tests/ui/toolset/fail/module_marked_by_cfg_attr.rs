use toolwright::toolset;

#[toolset]
mod bank {
    use toolwright::tool;

    #[cfg_attr(all(), tool)]
    pub fn find() {}

    #[tool]
    pub fn keep() {}
}

fn main() {}
