use toolwright::tool;

/// Finds.
///
/// # Arguments
///
/// * `qeury` - what to look for
#[tool]
fn find(query: String) -> String {
    query
}

fn main() {}
