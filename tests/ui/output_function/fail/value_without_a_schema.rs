use toolwright::{ModelRetry, OutputSpec};

struct Trip;

fn book(_: Trip) -> Result<u32, ModelRetry> {
    Ok(1)
}

fn main() {
    let _ = OutputSpec::function(book);
}
