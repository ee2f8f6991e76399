use toolwright::toolset;

#[toolset]
mod bank {
    use toolwright::tool;

    #[tool]
    pub fn echo<T: serde::Serialize>(value: T) -> T {
        value
    }
}

fn main() {}
