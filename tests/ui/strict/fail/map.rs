use std::collections::HashMap;

use toolwright::tool;

#[tool(strict)]
fn count(words: HashMap<String, u32>) -> usize {
    words.len()
}

fn main() {}
