use toolwright::{ModelRetry, OutputSpec};

fn add(a: u32, b: u32) -> Result<u32, ModelRetry> {
    Ok(a + b)
}

fn main() {
    let _ = OutputSpec::function(add);
}
