use toolwright::tool;

/// Adds.
///
/// # Arguments
///
/// * `a` - the first
/// * `second` - the second
#[tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
