use std::collections::BTreeMap;

use toolwright::tool;

#[tool(strict = true)]
async fn count(
    /// How often each word is there.
    words: Option<BTreeMap<String, u32>>,
) -> usize {
    words.map_or(0, |words| words.len())
}

fn main() {}
