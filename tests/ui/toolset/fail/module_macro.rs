use toolwright::toolset;

macro_rules! make_tools {
    () => {
        #[tool]
        pub fn find() {}
    };
}

#[toolset]
mod bank {
    use toolwright::tool;

    make_tools!();
}

fn main() {}
